"""`milcci report --comparison`: the results of `milcci compare` on the page."""

import json

import pytest

from conftest import CATEGORIES

QUICK = [*CATEGORIES, "--restarts", 1, "--effort", "quick", "--methods", "milcci,svd,slicetca_2"]


@pytest.fixture
def results(milcci, trials):
    milcci.done("compare", trials, *QUICK, "-o", "results.json")
    return json.loads((milcci.folder / "results.json").read_text())


def test_the_page_has_the_numbers_of_the_results(milcci, trials, model, results):
    told = milcci.json("report", model, trials, "--comparison", "results.json", "-o", "page.html")[
        "comparison"
    ]
    del results["runs"]
    for method in results["methods"]:
        del method["components"]
    assert told == results
    assert '"milcci comparison"' in (milcci.folder / "page.html").read_text()


def test_without_results_there_is_none(milcci, model):
    assert milcci.json("report", model)["comparison"] is None


def test_printed_results_do_too(milcci, trials, model):
    (milcci.folder / "printed.json").write_text(
        milcci.done("compare", trials, *QUICK, "--json").stdout
    )
    told = milcci.json("report", model, "--comparison", "printed.json")["comparison"]
    assert [method["trial_errors"] for method in told["methods"]] == [[], [], []]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("method,r2\n", "is not JSON from byte 1"),
        ('{"format": "milcci-report"}', 'expected "milcci comparison"'),
        ('{"format": "milcci comparison", "format_version": 2}', "version 2 of its format"),
    ],
)
def test_other_files_are_refused(milcci, model, text, says):
    (milcci.folder / "other.json").write_text(text)
    milcci.refused(3, "report", model, "--comparison", "other.json", "-o", "page.html", says=[says])


def test_results_of_other_trials_are_refused(milcci, trials, model, results):
    results["n_trials"] = 25
    (milcci.folder / "other.json").write_text(json.dumps(results))
    milcci.refused(
        3,
        "report",
        model,
        "--comparison",
        "other.json",
        "-o",
        "page.html",
        says=["25 trials", "the model of 24", "fitted to"],
    )


def test_results_of_other_data_of_the_same_size_are_refused(milcci, trials, model):
    milcci.done("prepare", trials, "--scale", "sqrt", "-o", "others.h5")
    milcci.done("compare", "others.h5", *QUICK, "-o", "results.json")
    milcci.refused(
        3,
        "report",
        model,
        trials,
        "--comparison",
        "results.json",
        "-o",
        "page.html",
        says=["other data", "sum to", "that the model was fitted to"],
    )


def test_results_of_other_gaps_are_refused(milcci, trials, model, results):
    results["n_observed"] += 1
    (milcci.folder / "other.json").write_text(json.dumps(results))
    milcci.refused(
        3,
        "report",
        model,
        trials,
        "--comparison",
        "other.json",
        "-o",
        "page.html",
        says=["observed values", "and the trials have"],
    )
    milcci.refused(
        3,
        "report",
        model,
        "--comparison",
        "other.json",
        "-o",
        "page.html",
        says=["observed values", "at most"],
    )


def test_results_of_trials_with_added_noise_are_not_held_against_them(
    milcci, trials, model, results
):
    results["methods"][0] |= {"added_noise": 0.1, "squared_error": 1.0, "relative_error": 0.5}
    (milcci.folder / "noisy.json").write_text(json.dumps(results))
    assert milcci.json("report", model, trials, "--comparison", "noisy.json")["comparison"]


def test_the_results_are_never_replaced(milcci, model, results):
    milcci.refused(
        2,
        "report",
        model,
        "--comparison",
        "results.json",
        "-o",
        "results.json",
        "--force",
        says=["also the input"],
    )
    milcci.refused(
        3, "report", model, "--comparison", "nothing.json", "-o", "page.html", says=["nothing.json"]
    )
