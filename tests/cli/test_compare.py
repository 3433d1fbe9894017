"""`milcci compare`: every method a row, the same numbers in table, JSON and file."""
import json

import numpy as np
from conftest import CATEGORIES

QUICK = [*CATEGORIES, "--restarts", 1, "--max-iterations", 100, "--effort", "quick"]
NAMES = ["milcci", "svd", "pca", "ppca", "fa", "nmf", "parafac", "parafac_nonnegative", "tucker", "slicetca_1",
         "slicetca_1_positive", "slicetca_2", "slicetca_2_positive", "sibblings"]


def without_seconds(told):
    return [{key: value for key, value in method.items() if key != "seconds"} for method in told["methods"]]


def test_all_methods_are_scored_on_the_same_trials(milcci, trials):
    told = milcci.json("compare", trials, *QUICK, "-o", "results.json")
    assert [method["name"] for method in told["methods"]] == NAMES
    assert (told["n_trials"], told["n_channels"], told["n_components"]) == (24, 12, 3)
    for method in told["methods"]:
        assert method["failed"] is None and method["r2"] > 0, method
        assert 0 <= method["component_correlation"]["mean"] <= 1
        assert (method["bic"] is None) == (method["name"] == "sibblings")
        assert (method["cosmoothing_r2"] is None) == method["name"].startswith("slicetca_2")
    best = max(told["methods"], key=lambda method: method["component_correlation"]["mean"])
    assert best["name"] == "milcci"
    written = json.loads((milcci.folder / "results.json").read_text())
    components = written["methods"][1].pop("components")
    assert np.shape(components[0]["variants"]) == (1, 12, 3)
    assert written["methods"][1] == told["methods"][1]


def test_the_table_has_the_numbers_of_the_json(milcci, trials):
    asked = ["compare", trials, *QUICK, "--methods", "svd,fa"]
    table = milcci.done(*asked).stdout
    for method in milcci.json(*asked)["methods"]:
        line = next(line for line in table.splitlines() if line.startswith(method["name"] + " "))
        assert f"{method['r2']:.4f}" in line and f"{method['cosmoothing_r2']:.4f}" in line


def test_the_same_numbers_for_any_number_of_threads(milcci, trials):
    asked = ["compare", trials, *QUICK, "--methods", "milcci,fa,nmf,parafac,sibblings"]
    one, two = (without_seconds(milcci.json(*asked, "--threads", threads)) for threads in [1, 2])
    assert one == two


def test_a_method_that_cannot_run_is_a_row_with_its_reason(milcci):
    np.save(milcci.folder / "signed.npy", np.random.default_rng(0).standard_normal((8, 5, 12)))
    asked = ["compare", "signed.npy", "--dims", "trial,channel,time", "--fixed", 2, "--methods", "nmf,svd,sibblings"]
    nmf, svd, sibblings = milcci.json(*asked)["methods"]
    assert "below zero" in nmf["failed"] and nmf["r2"] is None
    assert svd["failed"] is None and svd["r2"] > 0
    assert "label" in sibblings["failed"]
    assert "nmf failed: " in milcci.done(*asked).stdout


def test_no_method_runs_past_the_time_limit(milcci, trials):
    told = milcci.json("compare", trials, *QUICK, "--tolerance", 0, "--time-limit", 0, "--methods", "fa,nmf,parafac")
    assert {method["stopped"] for method in told["methods"]} == {"time_limit"}


def test_wrong_names_and_existing_files_are_refused(milcci, trials):
    milcci.refused(2, "compare", trials, *QUICK, "--methods", "tuker", says=["--methods", "did you mean tucker?"])
    milcci.refused(2, "compare", trials, "--methods", "svd", says=["category"])
    (milcci.folder / "results.json").write_text("kept")
    milcci.refused(3, "compare", trials, *QUICK, "-o", "results.json", says=["results.json", "--force"])
    assert (milcci.folder / "results.json").read_text() == "kept"
