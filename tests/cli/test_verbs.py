"""Each verb does what it says, judged by the files it writes."""

import json
import subprocess
import sys

import h5py
import numpy as np
import pytest

from conftest import CATEGORIES, FIT, PROGRAM, SMALL


def same_contents(one, other):
    """Whether two HDF5 files hold the same datasets and attributes, bit by bit; durations aside."""
    contents = []
    for path in (one, other):
        found = {}
        with h5py.File(path) as file:

            def keep(name, node, found=found):
                has_numbers = isinstance(node, h5py.Dataset) and node.dtype.kind in "fiu"
                found[name] = node[()].tobytes() if has_numbers else None

            file.visititems(keep)
        contents.append({name: value for name, value in found.items() if "second" not in name})
    return contents[0] == contents[1]


def test_simulate_writes_what_was_asked_for(milcci):
    told = milcci.json("simulate", *SMALL, "--missing", 0.1, "-o", "trials.h5")
    assert told["n_trials"] == 24
    assert told["n_channels"] == 12
    assert told["options"]["missing"] == 0.1
    assert [label["name"] for label in told["labels"]] == ["difficulty", "choice"]
    assert [category["n_components"] for category in told["truth"]] == [2, 1]
    with h5py.File(milcci.folder / "trials.h5") as file:
        values = file["values"][()]
    assert values.shape == (told["n_samples"], 12)
    assert 30 <= told["min_length"] < told["max_length"] <= 40
    assert np.isnan(values).mean() == pytest.approx(0.1, abs=0.02)
    assert np.isnan(values).mean() == pytest.approx(told["missing"])


def test_transitions_of_simulated_dynamics_are_compared_with_those_of_a_fit(milcci):
    milcci.done("simulate", *SMALL, "--dynamics", "--noise", 0.1, "-o", "trials.h5")
    milcci.done(
        "fit",
        "trials.h5",
        *FIT,
        "--prior",
        "lds",
        "--start",
        "trials.h5",
        "-o",
        "lds.h5",
        codes=(0, 4),
    )
    scores = milcci.json("evaluate", "lds.h5", "trials.h5")
    assert (
        0.8
        < scores["transition_correlation"]["min"]
        <= scores["transition_correlation"]["mean"]
        <= 1
    )
    assert (
        scores["transition_change_correlation"]["mean"] < scores["transition_correlation"]["mean"]
    )
    assert "transitions " in milcci.done("evaluate", "lds.h5", "trials.h5").stdout
    milcci.done("fit", "trials.h5", *FIT, "--start", "trials.h5", "-o", "smooth.h5", codes=(0, 4))
    assert milcci.json("evaluate", "smooth.h5", "trials.h5")["transition_correlation"] is None


def test_simulated_counts_are_scored_in_bits_per_spike(milcci):
    milcci.done("simulate", *SMALL, "--counts", 20, "-o", "trials.h5")
    milcci.done("fit", "trials.h5", *FIT, "--start", "trials.h5", "-o", "model.h5", codes=(0, 4))
    scored = milcci.json("evaluate", "model.h5", "trials.h5", "--cosmooth")["cosmoothing"]
    assert 0 < scored["bits_per_spike"] < 5
    assert len([channel["bits_per_spike"] for channel in scored["channels"]]) == 12
    assert "bits per spike" in milcci.done("evaluate", "model.h5", "trials.h5", "--cosmooth").stdout


def test_values_that_are_no_counts_have_no_bits_per_spike(milcci, trials, model):
    scored = milcci.json("evaluate", model, trials, "--cosmooth")["cosmoothing"]
    assert scored["bits_per_spike"] is None
    assert "bits_per_spike" not in scored["channels"][0]


def test_history_of_simulated_trials_is_shown(milcci, trials):
    assert milcci.json("info", trials)["history"][0]["step"] == "simulate"
    assert "n_trials=24" in milcci.done("info", trials).stdout


def test_length_sets_shortest_and_longest(milcci):
    told = milcci.json("simulate", *SMALL[:4], "--length", 17, "-o", "trials.h5")
    assert told["min_length"] == told["max_length"] == 17


def test_options_change_the_preset_wherever_they_stand(milcci):
    told = milcci.json(
        "simulate",
        "--trials",
        12,
        "--length",
        20,
        "--channels",
        9,
        "--preset",
        "recording",
        "-o",
        "trials.h5",
    )
    assert (told["n_trials"], told["n_channels"], told["max_length"]) == (12, 9, 20)


def test_the_seed_decides_the_trials(milcci):
    for name, seed in [("a.h5", 1), ("b.h5", 1), ("c.h5", 2)]:
        milcci.done("simulate", *SMALL[:-6], "--seed", seed, "-o", name)
    assert same_contents(milcci.folder / "a.h5", milcci.folder / "b.h5")
    assert not same_contents(milcci.folder / "a.h5", milcci.folder / "c.h5")


def test_fit_finds_the_truth_of_small_trials(milcci, trials):
    told = milcci.json("fit", trials, *FIT, "-o", "model.h5", codes=(0, 4))
    assert told["file"] == "model.h5"
    assert told["r2"] > 0.9
    scores = milcci.json("evaluate", "model.h5", trials)
    assert scores["r2"] == pytest.approx(told["r2"], abs=1e-6)
    assert scores["component_correlation"]["mean"] > 0.8


def test_fit_takes_trial_number_and_fixed_components(milcci, trials):
    told = milcci.json(
        "fit",
        trials,
        "--category",
        "difficulty=1:ordinal",
        "--trial-number",
        1,
        "--fixed",
        1,
        "--restarts",
        1,
        "--max-iterations",
        5,
        "-o",
        "model.h5",
        codes=(0, 4),
    )
    names = [category["name"] for category in told["options"]["categories"]]
    assert names == ["difficulty", "trial_number", "fixed"]
    categories = milcci.json("info", "model.h5")["categories"]
    assert [len(category["options"]) for category in categories] == [3, 24, 1]


def test_a_dry_run_tells_the_cost_and_writes_nothing(milcci, trials):
    told = milcci.json("fit", trials, *FIT, "--dry-run")
    assert told["memory_bytes"] > 1e6
    assert 0 < told["seconds_per_iteration"] < told["seconds"]
    assert (
        "nothing was written"
        in milcci.done("fit", trials, *FIT, "--dry-run", "-o", "model.h5").stdout
    )
    assert not (milcci.folder / "model.h5").exists()


def test_a_fit_takes_about_the_memory_that_the_dry_run_told(milcci):
    milcci.done("simulate", "--preset", "paper", "-o", "paper.h5")
    fit = [
        "fit",
        "paper.h5",
        "--category",
        "difficulty=2:ordinal",
        "--category",
        "choice=2",
        "--nonnegative",
        "both",
    ]
    told = milcci.json(*fit, "--dry-run")["memory_bytes"]
    # From a small process: what a parent held when it forked counts as its child's.
    run = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", run, str(PROGRAM), *fit, "--quiet", "-o", "model.h5"]
    taken = (
        int(subprocess.run(command, cwd=milcci.folder, capture_output=True, check=True).stdout)
        * 1024
    )
    assert 0.8 * taken < told < 1.25 * taken


def test_fit_starts_from_the_truth_or_from_a_model(milcci, trials, model):
    for start in [trials, model]:
        milcci.json("fit", trials, *FIT, "--start", start, "-o", f"from_{start.name}", codes=(0, 4))
    scores = milcci.json("evaluate", "from_trials.h5", trials)
    assert scores["component_correlation"]["mean"] > 0.9


def test_evaluate_finds_the_objective_of_the_fit_again(milcci, trials):
    fitted = milcci.json("fit", trials, "--category", "choice=1", "--fixed", 1, "-o", "m.h5")[
        "objective"
    ]
    found = milcci.json("evaluate", "m.h5", trials)["objective"]
    assert fitted.keys() == found.keys()
    assert abs(found["total"] / fitted["total"] - 1) < 1e-9


def test_a_start_without_the_category_is_refused(milcci, trials, model):
    milcci.refused(
        3,
        "fit",
        trials,
        "--category",
        "choice=1",
        "--fixed",
        1,
        "--start",
        model,
        "-o",
        "m.h5",
        says=["fixed", "difficulty", "choice"],
    )


def test_evaluate_prints_a_table_or_the_same_numbers_as_json(milcci, trials, model):
    table = milcci.done("evaluate", model, trials).stdout
    scores = milcci.json("evaluate", model, trials)
    assert {
        "r2",
        "component_correlation",
        "trace_correlation",
        "same_category",
        "sparsity",
        "dead_components",
    } <= scores.keys()
    assert {"mean", "min"} <= scores["component_correlation"].keys()
    assert {"mean", "min", "p05"} <= scores["trace_correlation"].keys()
    assert f"{scores['r2']:.3f}"[:5] in table


def test_cosmooth_is_in_the_table_and_the_json(milcci, trials, model):
    table = milcci.done("evaluate", model, trials, "--cosmooth").stdout
    scores = milcci.json("evaluate", model, trials, "--cosmooth")
    told = scores["cosmoothing"]
    assert (told["folds"], told["seed"]) == (5, 1234)
    assert "5 folds, seed 1234" in table
    assert f"{told['r2']:.6f}" in table
    assert len(told["channels"]) == 12
    assert {channel["fold"] for channel in told["channels"]} == {0, 1, 2, 3, 4}
    worst = min(
        (channel for channel in told["channels"] if channel["r2"] is not None),
        key=lambda c: c["r2"],
    )
    assert f"worst predicted   {worst['name']} ({worst['r2']:.3f})" in table
    assert told["r2"] < scores["r2"]
    assert scores["transformed"] is False
    plain = milcci.json("evaluate", model, trials)
    assert plain.pop("cosmoothing") is None
    assert plain.items() <= scores.items()


def test_cosmooth_depends_on_seed_and_folds_but_not_on_threads(milcci, trials, model):
    def told(*options):
        return milcci.json("evaluate", model, trials, "--cosmooth", *options)["cosmoothing"]

    assert told("--seed", 7, "--threads", 1) == told("--seed", 7, "--threads", 2)
    folds = [[channel["fold"] for channel in told("--seed", seed)["channels"]] for seed in [7, 8]]
    assert folds[0] != folds[1]
    assert max(channel["fold"] for channel in told("--folds", 12)["channels"]) == 11


def test_cosmooth_scores_trials_that_the_model_was_not_fitted_to(milcci, trials, model):
    milcci.done("simulate", *SMALL[:3], 31, *SMALL[4:], "-o", "new.h5")
    milcci.refused(3, "evaluate", model, "new.h5", says=["31 trials", "24"])
    scores = milcci.json("evaluate", model, "new.h5", "--cosmooth")
    assert scores["transformed"] is True
    fitted = milcci.json("evaluate", model, trials, "--cosmooth")
    assert scores["cosmoothing"]["r2"] == pytest.approx(fitted["cosmoothing"]["r2"], abs=0.1)
    assert milcci.done("evaluate", model, "new.h5", "--cosmooth").stdout.startswith("new trials")
    milcci.done("transform", model, "new.h5", "-o", "traces.h5")
    assert milcci.json("evaluate", "traces.h5", "new.h5")["r2"] == pytest.approx(scores["r2"])


def test_transform_of_the_fitted_trials_explains_them_as_well(milcci, trials, model):
    told = milcci.json("transform", model, trials, "-o", "traces.h5")
    assert told["n_trials"] == 24
    assert told["n_components"] == 3
    fitted = milcci.json("evaluate", model, trials)["r2"]
    assert told["r2"] == pytest.approx(fitted, abs=0.02)
    assert milcci.json("evaluate", "traces.h5", trials)["r2"] == pytest.approx(told["r2"], abs=1e-6)


def test_a_file_of_new_traces_does_not_pass_for_the_fit(milcci, model):
    milcci.done("simulate", *SMALL[:3], 31, *SMALL[4:], "-o", "new.h5")
    milcci.done("transform", model, "new.h5", "-o", "traces.h5")
    summary = milcci.json("info", "traces.h5")["summary"]
    assert summary["reason"] == "transformed"
    assert summary["iterations"] == []
    assert summary["data_fingerprint"] == milcci.json("info", "new.h5")["fingerprint"]
    assert (
        summary["fitted_fingerprint"] == milcci.json("info", model)["summary"]["data_fingerprint"]
    )
    assert "fitted to" in milcci.done("info", "traces.h5").stdout


def test_a_model_knows_the_labels_and_the_history_of_its_trials(milcci, trials, model):
    told, expected = milcci.json("info", model), milcci.json("info", trials)
    assert told["labels"] == expected["labels"]
    assert told["history"] == expected["history"]
    assert "label choice" in milcci.done("info", model).stdout


def test_evaluate_scores_every_trial_channel_label_and_category(milcci, trials, model):
    scores = milcci.json("evaluate", model, trials)
    assert [len(scores[part]) for part in ("trials", "channels", "labels", "categories")] == [
        24,
        12,
        5,
        2,
    ]
    for part in ("trials", "channels"):
        assert sum(score["squared_error"] for score in scores[part]) == pytest.approx(
            scores["squared_error"]
        )
    worst = min(
        (score for score in scores["channels"] if score["r2"] is not None),
        key=lambda score: score["r2"],
    )
    assert (
        f"worst channels    {worst['name']} ({worst['r2']:.3f})"
        in milcci.done("evaluate", model, trials).stdout
    )


def test_transform_warns_of_options_it_has_not_seen(milcci, model):
    wider = [str(a).replace("difficulty=2:3", "difficulty=2:4") for a in SMALL]
    milcci.done("simulate", *wider, "-o", "wider.h5")
    process = milcci.done("transform", model, "wider.h5", "-o", "traces.h5")
    assert "warning: " in process.stderr
    assert "difficulty" in process.stderr


def test_info_tells_what_is_in_a_file(milcci, trials, model):
    told = milcci.json("info", trials)
    assert (told["kind"], told["n_trials"], told["n_channels"]) == ("trials", 24, 12)
    assert sum(option["n_trials"] for option in told["labels"][0]["options"]) == 24
    assert "24 trials of 12 channels" in milcci.done("info", trials).stdout
    told = milcci.json("info", model)
    assert (told["kind"], told["n_components"]) == ("model", 3)
    assert told["summary"]["data_fingerprint"] == milcci.json("info", trials)["fingerprint"]
    assert "difficulty: 2 components, 3 options" in milcci.done("info", model).stdout


def test_the_same_bits_for_any_number_of_threads(milcci, trials):
    for threads in [1, 2]:
        milcci.done("fit", trials, *FIT, "--threads", threads, "-o", f"{threads}.h5", codes=(0, 4))

    def factors(path):
        with h5py.File(path) as file:
            found = {}
            file.visititems(
                lambda name, node: (
                    found.__setitem__(name, node[()].tobytes())
                    if isinstance(node, h5py.Dataset)
                    and node.dtype.kind == "f"
                    and node.shape
                    and "second" not in name
                    else None
                )
            )
            return found

    one, two = (factors(milcci.folder / f"{threads}.h5") for threads in [1, 2])
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


def test_reaching_the_iteration_limit_is_4_and_writes_the_model(milcci, trials):
    process = milcci(
        "fit",
        trials,
        *CATEGORIES,
        "--restarts",
        1,
        "--max-iterations",
        2,
        "--tolerance",
        0,
        "-o",
        "model.h5",
        "--json",
    )
    assert process.returncode == 4
    assert json.loads(process.stdout)["reason"] == "iteration_limit"
    assert milcci.json("info", "model.h5")["summary"]["reason"] == "iteration_limit"


def test_reaching_the_time_limit_is_4_and_writes_the_model(milcci, trials):
    process = milcci("fit", trials, *FIT, "--time-limit", 0, "-o", "model.h5", "--json")
    assert process.returncode == 4
    told = json.loads(process.stdout)
    assert told["reason"] == "time_limit"
    assert "0 s" in told["message"]
    told = milcci.json("info", "model.h5")["summary"]
    assert (told["reason"], told["options"]["time_limit"]) == ("time_limit", 0)


@pytest.mark.parametrize("effort", ["quick", "default", "thorough"])
def test_every_effort_finds_the_same_answer_to_an_easy_question(milcci, trials, effort):
    told = milcci.json("fit", trials, *FIT, "--effort", effort, "-o", "model.h5")
    assert told["options"]["effort"] == effort
    assert told["r2"] > 0.99


def test_a_fit_names_the_components_that_other_answers_do_without(milcci):
    # Little data, much noise and more components than there are: many answers are about as good.
    milcci.done("simulate", "--trials", 40, "--length", 60, "--noise", 2, "-o", "noisy.h5")
    options = [
        "--category",
        "difficulty=4:ordinal",
        "--category",
        "choice=4",
        "--penalties",
        "fixed",
    ]
    fit = milcci.done(
        "fit", "noisy.h5", *options, "--nonnegative", "both", "-o", "model.h5", codes=(0, 4)
    )
    told = milcci.json("info", "model.h5")["summary"]
    uncertain = [word for word in told["certainty"] if word != "firm"]
    assert uncertain
    assert len(told["certainty"]) == 8
    assert f"uncertain    {len(uncertain)} of 8 components: " in fit.stderr
    assert 1 <= len(told["alternatives"]) <= 3
    with h5py.File(milcci.folder / "model.h5") as file:
        assert file["summary/certainty"].asstr()[:].tolist() == told["certainty"]
        assert len(file["alternatives"]) == len(told["alternatives"])
        for answer, record in zip(file["alternatives"].values(), told["alternatives"], strict=True):
            assert answer.attrs["behind"] == record["behind"]
            similarity = [answer[name]["similarity"][:] for name in ["difficulty", "choice"]]
            assert np.concatenate(similarity).tolist() == record["similarity"]
            for name, category in answer.items():
                assert category["components"].shape == file[f"categories/{name}/components"].shape
                sums = np.abs(category["components"][:]).sum(axis=2)
                assert np.all((np.abs(sums - 1) < 1e-9) | (sums == 0))
    text = milcci.done("info", "model.h5").stdout
    assert "Other answers about as good" in text
    assert " alternative " in text

    milcci.done("transform", "model.h5", "noisy.h5", "-o", "traces.h5")
    told = milcci.json("info", "traces.h5")["summary"]
    assert (told["certainty"], told["alternatives"], told["times_found"]) == ([], [], 0)


def test_negative_data_with_nonnegative_factors_are_fitted_with_a_warning(milcci):
    milcci.done("simulate", *SMALL, "--signed", "-o", "signed.h5")
    process = milcci.done(
        "fit", "signed.h5", *FIT, "--max-iterations", 5, "-o", "model.h5", codes=(0, 4)
    )
    assert "warning" in process.stderr
    assert "negative" in process.stderr
    assert milcci.json("info", "model.h5")["summary"]["warnings"]


def test_bench_tells_all_times_of_one_run(milcci):
    small = ["--channels", "12", "--trials", "20", "--length", "30", "--repeats", "1"]
    table = milcci("bench", *small).stdout
    assert "read the data once" in table
    assert "one iteration" in table
    assert "whole fit" in table
    for precision, size in (("float64", 8), ("float32", 4)):
        scores = milcci.json("bench", *small, "--precision", precision, "--threads", "1")
        assert scores["bytes"] == 12 * 20 * 30 * size
        assert scores["threads"] == 1
        assert 0 < scores["seconds_read"] <= scores["seconds_iteration"] <= scores["seconds_fit"]


def test_a_model_from_when_the_transform_was_called_tanh_is_still_read(milcci, trials):
    milcci.done("fit", trials, *FIT, "--transform", "tanh", "-o", "model.h5", codes=(0, 4))
    now = milcci.json("evaluate", "model.h5", trials)
    with h5py.File(milcci.folder / "model.h5", "r+") as file:
        summary = json.loads(file["summary/json"][()])
        assert summary["options"].pop("transform") == "tanh"
        summary["options"]["tanh"] = True
        del file["summary/json"]
        file["summary/json"] = json.dumps(summary)
    assert milcci.json("info", "model.h5")["summary"]["options"]["transform"] == "tanh"
    assert milcci.json("evaluate", "model.h5", trials) == now
