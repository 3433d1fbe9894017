"""`milcci compare`: every method a row, the same numbers in table, JSON and file."""

import json
import subprocess

import numpy as np

from conftest import CATEGORIES, PROGRAM

QUICK = [*CATEGORIES, "--restarts", 1, "--max-iterations", 100, "--effort", "quick"]
NAMES = [
    "milcci",
    "milcci_nonnegative",
    "svd",
    "pca",
    "ppca",
    "fa",
    "nmf",
    "parafac",
    "parafac_nonnegative",
    "tucker",
    "slicetca_1",
    "slicetca_1_positive",
    "slicetca_2",
    "slicetca_2_positive",
    "sibblings",
]


def without_costs(told):
    """What is the same in every run: all but seconds, memory and what is made of them."""
    costs = {"seconds", "peak_memory", "spread"}
    return [
        {key: value for key, value in method.items() if key not in costs}
        for method in told["methods"]
    ]


def test_all_methods_are_scored_on_the_same_trials(milcci, trials):
    told = milcci.json("compare", trials, *QUICK, "-o", "results.json")
    assert [method["name"] for method in told["methods"]] == NAMES
    assert (told["n_trials"], told["n_channels"], told["n_components"]) == (24, 12, 3)
    for method in told["methods"]:
        assert method["failed"] is None, method
        assert method["r2"] > 0, method
        assert 0 <= method["component_correlation"]["mean"] <= 1
        assert (method["bic"] is None) == (method["name"] == "sibblings")
        assert (method["cosmoothing_r2"] is None) == method["name"].startswith("slicetca_2")
    best = max(told["methods"], key=lambda method: method["component_correlation"]["mean"])
    assert best["name"].startswith("milcci")
    written = json.loads((milcci.folder / "results.json").read_text())
    svd = written["methods"][2]
    assert np.shape(svd.pop("components")[0]["variants"]) == (1, 12, 3)
    assert np.shape(svd.pop("trial_errors")) == (24,)
    assert svd == told["methods"][2]


def test_the_table_has_the_numbers_of_the_json(milcci, trials):
    asked = ["compare", trials, *QUICK, "--methods", "svd,fa"]
    table = milcci.done(*asked).stdout
    for method in milcci.json(*asked)["methods"]:
        line = next(line for line in table.splitlines() if line.startswith(method["name"] + " "))
        assert f"{method['r2']:.4f}" in line
        assert f"{method['cosmoothing_r2']:.4f}" in line


def test_the_same_numbers_for_any_number_of_threads(milcci, trials):
    asked = ["compare", trials, *QUICK, "--methods", "milcci,fa,nmf,parafac,sibblings"]
    one, two = (without_costs(milcci.json(*asked, "--threads", threads)) for threads in [1, 2])
    assert one == two


def test_a_method_that_cannot_run_is_a_row_with_its_reason(milcci):
    np.save(milcci.folder / "signed.npy", np.random.default_rng(0).standard_normal((8, 5, 12)))
    asked = [
        "compare",
        "signed.npy",
        "--dims",
        "trial,channel,time",
        "--fixed",
        2,
        "--methods",
        "nmf,svd,sibblings",
    ]
    nmf, svd, sibblings = milcci.json(*asked)["methods"]
    assert "below zero" in nmf["failed"]
    assert nmf["r2"] is None
    assert svd["failed"] is None
    assert svd["r2"] > 0
    assert "label" in sibblings["failed"]
    assert "nmf failed: " in milcci.done(*asked).stdout


def test_results_without_any_score_are_not_to_be_trusted(milcci):
    np.save(milcci.folder / "signed.npy", np.random.default_rng(0).standard_normal((8, 5, 12)))
    asked = [
        "compare",
        "signed.npy",
        "--dims",
        "trial,channel,time",
        "--fixed",
        2,
        "--methods",
        "nmf",
    ]
    [nmf] = milcci.json(*asked, "-o", "results.json", codes=(4,))["methods"]
    assert nmf["failed"]
    assert nmf["spread"] == {}
    assert (milcci.folder / "results.json").exists()


def test_results_that_cannot_be_written_say_why(milcci, trials):
    asked = ["compare", trials, *QUICK, "--methods", "svd", "-o", "results.json"]
    # A file may be no longer than 1024 bytes; the program ignores the signal that tells.
    limited = subprocess.run(
        ["bash", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "-", PROGRAM, *map(str, asked)],
        cwd=milcci.folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert limited.returncode == 3, limited.stderr
    assert 'file "results.json": cannot be written: File too large' in limited.stderr


def test_rows_of_fewer_components_have_scores_of_their_own(milcci):
    rng = np.random.default_rng(0)
    np.save(milcci.folder / "five.npy", rng.standard_normal((12, 5, 30)))
    asked = [
        "compare",
        "five.npy",
        "--dims",
        "trial,channel,time",
        "--fixed",
        9,
        "--methods",
        "svd",
    ]
    failed, limit = milcci.json(*asked)["methods"]
    assert failed["failed"]
    assert failed["spread"] == {}
    assert failed["n_components"] == 9
    assert limit["failed"] is None
    assert limit["n_components"] == 5
    assert limit["added_noise"] == 0
    table = milcci.done(*asked).stdout
    assert "svd, 5 of 9 " in table
    assert "1.0000" not in next(x for x in table.splitlines() if x.startswith("svd "))


def test_no_method_runs_past_the_time_limit(milcci, trials):
    told = milcci.json(
        "compare",
        trials,
        *QUICK,
        "--tolerance",
        0,
        "--time-limit",
        0,
        "--methods",
        "fa,nmf,parafac",
    )
    assert {method["stopped"] for method in told["methods"]} == {"time_limit"}


def test_wrong_names_and_existing_files_are_refused(milcci, trials):
    milcci.refused(
        2,
        "compare",
        trials,
        *QUICK,
        "--methods",
        "tuker",
        says=["--methods", "did you mean tucker?"],
    )
    milcci.refused(2, "compare", trials, *QUICK, "--methods", "svd,,fa", says=["empty name"])
    milcci.refused(2, "compare", trials, *QUICK, "--methods", "all,svd", says=["all stands alone"])
    milcci.refused(2, "compare", trials, "--methods", "svd", says=["category"])
    (milcci.folder / "results.json").write_text("kept")
    milcci.refused(
        3, "compare", trials, *QUICK, "-o", "results.json", says=["results.json", "--force"]
    )
    assert (milcci.folder / "results.json").read_text() == "kept"


def test_repeats_have_a_spread_and_a_rank(milcci, trials):
    asked = ["compare", trials, *QUICK, "--methods", "svd,fa", "--repeats", 3]
    told = milcci.json(*asked)
    assert [run["seed"] for run in told["runs"]] == [1234, 1235, 1236]
    for i, method in enumerate(told["methods"]):
        values = [run["methods"][i]["cosmoothing_r2"] for run in told["runs"]]
        spread = method["spread"]["cosmoothing_r2"]
        np.testing.assert_allclose(
            [spread["mean"], spread["sd"], spread["min"], spread["max"]],
            [np.mean(values), np.std(values, ddof=1), min(values), max(values)],
        )
    ranks = [method["spread"]["cosmoothing_r2"]["rank_mean"] for method in told["methods"]]
    assert np.isclose(sum(ranks), 3)
    assert "3 repeats" in milcci.done(*asked).stdout


def test_distances_are_those_of_the_components(milcci, trials):
    milcci.json("compare", trials, *QUICK, "--methods", "slicetca_2", "-o", "results.json")
    [method] = json.loads((milcci.folder / "results.json").read_text())["methods"]
    variants = np.array(method["components"][0]["variants"])  # trial x channel x component
    variants /= np.linalg.norm(variants, axis=1, keepdims=True)
    pairs = [(a, b) for a in range(len(variants)) for b in range(a)]
    same = [
        np.linalg.norm(variants[a][:, j] - variants[b][:, j]) for a, b in pairs for j in range(3)
    ]
    told = method["distances"]["same_component"]
    assert told["n_pairs"] == len(same)
    np.testing.assert_allclose(told["mean"], np.mean(same))
    np.testing.assert_allclose(told["quantiles"], np.quantile(same, [0.05, 0.25, 0.5, 0.75, 0.95]))


def test_knobs_are_chosen_by_cosmoothing(milcci, trials):
    told = milcci.json(
        "compare", trials, *QUICK, "--methods", "milcci,svd,tucker,sibblings", "--tune"
    )
    ours, svd, tucker, sibblings = (method["tuned"] for method in told["methods"])
    assert ours == "default" or ours.startswith("consistency ")
    assert svd == "default" or svd.startswith("ridge x ")
    assert tucker == "no knob"
    assert sibblings == "default" or sibblings.startswith("sparsity x ")
