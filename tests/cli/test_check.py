"""`milcci check`: what may go wrong, told before a fit."""

import numpy as np
import pytest


@pytest.fixture
def table(milcci):
    """Nine trials; `city` tells `country`, and channel b is missing in Bern."""
    cities = ["Bern", "Rome", "Turin"]
    lines = ["trial,channel,time,value,city,country"]
    random = np.random.default_rng(1)
    for m, n, t in np.ndindex(9, 2, 5):
        city = cities[m % 3]
        value = "" if n == 1 and city == "Bern" else f"{random.random():.4f}"
        lines.append(f"{m},{'ab'[n]},{t},{value},{city},{'Swiss' if city == 'Bern' else 'Italian'}")
    path = milcci.folder / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_findings_are_numbered_and_say_what_to_do(milcci, table):
    out = milcci.done("check", table, "--quiet").stdout
    assert "city is nested in country" in out
    assert "b in city Bern" in out
    assert "label trial: another in nearly every trial or in all" in out
    numbers = [
        line.split(".")[0] for line in out.splitlines() if line[:1].isdigit() and ". " in line[:4]
    ]
    assert numbers == [str(i + 1) for i in range(len(numbers))]
    assert len(numbers) >= 2
    assert out.count("\n   -> ") == len(numbers)


def test_json_has_the_design(milcci, table):
    told = milcci.json("check", table)
    assert told["n_trials"] == 9
    assert told["design"]["categories"] == ["city", "country"]
    assert told["design"]["pairs"][0]["relation"] == "first_in_second"
    assert [cell["n_trials"] for cell in told["design"]["cells"]] == [3, 3, 3]
    assert told["design"]["n_cells"] == 6
    assert told["gaps"]["unseen"][0] == {"channel": "b", "category": "city", "option": "Bern"}
    assert "layout long" in told["notes"][0]


def test_what_is_suggested_can_be_fitted(milcci, table):
    import shlex

    flags = shlex.split(milcci.json("check", table)["suggestion"])
    milcci.done(
        "fit", table, *flags, "--restarts", 1, "--max-iterations", 2, "-o", "model.h5", codes=(0, 4)
    )


def test_every_format_can_be_checked(milcci, trials):
    np.save(milcci.folder / "a.npy", np.random.default_rng(0).random((4, 3, 5)))
    np.savez(
        milcci.folder / "a.npz",
        values=np.random.default_rng(0).random((4, 3, 5)),
        side=[1, 2, 1, 2],
    )
    dims = ["--dims", "trial,channel,time"]
    assert milcci.json("check", "a.npy", *dims)["n_channels"] == 3
    assert milcci.json("check", "a.npz", *dims)["labels"][0]["name"] == "side"
    assert milcci.json("check", trials)["design"]["categories"] == ["difficulty", "choice"]


def test_categories_are_read_as_in_fit(milcci, trials):
    told = milcci.json("check", trials, "--category", "difficulty=3:ordinal,bins=2")
    assert [label["category"] for label in told["labels"]] == ["difficulty=3:ordinal,bins=2"]
    milcci.refused(2, "check", trials, "--category", "difficulty", says=["difficulty"])
    milcci.refused(
        3, "check", trials, "--category", "colour=1", says=["colour", "difficulty, choice"]
    )


def test_a_model_file_is_refused(milcci, model):
    milcci.refused(3, "check", model, says=["model file"])


@pytest.mark.parametrize(
    ("flags", "option", "advice"),
    [
        (["--outliers", 0.01, "--noise", 0.3], "loss", "huber"),
        (["--counts", 0.1], "smoothness", "--smoothness 100"),
        (["--baseline", 5, "--noise", 0.3], "offset", "channel"),
    ],
)
def test_values_that_a_fit_does_not_expect_are_told_with_the_option(milcci, flags, option, advice):
    milcci.done("simulate", "--channels", 40, "--trials", 30, "--length", 100, *flags, "-o", "t.h5")
    told = milcci.json("check", "t.h5")
    advised = [finding for finding in told["findings"] if finding["option"]]
    assert [finding["option"] for finding in advised] == [option]
    assert advice in advised[0]["advice"]
    assert advice in milcci.done("check", "t.h5").stdout


def test_a_fit_to_low_counts_is_warned_unless_smoothness_is_given(milcci):
    milcci.done(
        "simulate", "--channels", 20, "--trials", 20, "--length", 60, "--counts", 0.1, "-o", "t.h5"
    )
    fit = ["fit", "t.h5", "--category", "choice=1", "--effort", "quick", "--force", "-o", "m.h5"]
    told = [f["option"] for f in milcci.json(*fit, codes=(0, 4))["findings"]]
    assert "smoothness" in told
    told = [f["option"] for f in milcci.json(*fit, "--smoothness", 50, codes=(0, 4))["findings"]]
    assert "smoothness" not in told
