"""Trials and files that are broken or do not fit: exit code 3, one message, nothing written."""

import h5py
import numpy as np
import pytest

from conftest import CATEGORIES, FIT, SMALL


def fit(*more):
    return ["fit", "trials.h5", *FIT, "--max-iterations", 3, *more, "-o", "m.h5"]


@pytest.fixture
def opened(trials):
    with h5py.File(trials, "r+") as file:
        yield file


def replace(file, name, values):
    del file[name]
    file[name] = values


def test_sizes_that_disagree_are_refused(milcci, opened):
    # Trials share one array, so they cannot differ in their channels; the array can differ from its
    # names.
    replace(opened, "values", opened["values"][()][:, :11])
    opened.close()
    milcci.refused(3, *fit(), says=["trials.h5", "11", "12"])


def test_offsets_that_leave_the_values_are_refused(milcci, opened):
    opened["trial_offset"][-1] += 5
    opened.close()
    milcci.refused(3, *fit(), says=["trials.h5", "/values", "x 12"])


def test_a_label_column_of_the_wrong_length_is_refused(milcci, opened):
    replace(opened, "labels/difficulty", np.arange(23))
    opened.close()
    milcci.refused(3, *fit(), says=["trials.h5", "difficulty", "23", "24"])


def test_a_category_that_is_not_in_the_file_lists_those_that_are(milcci, trials):
    milcci.refused(
        3,
        "fit",
        trials,
        "--category",
        "dificulty=2",
        "-o",
        "m.h5",
        says=["dificulty", "difficulty", "choice"],
    )


def test_a_missing_label_names_the_trial(milcci, opened):
    choice = list(opened["labels/choice"].asstr()[()])
    choice[5] = ""
    replace(opened, "labels/choice", np.array(choice, dtype=h5py.string_dtype()))
    opened.close()
    milcci.refused(3, *fit(), says=["choice", "trial 6", "no value"])


def test_more_components_than_channels_are_refused(milcci, trials):
    milcci.refused(
        2, "fit", trials, "--category", "choice=13", "-o", "m.h5", says=["13", "12 channels"]
    )


def test_trials_without_a_single_value_are_refused(milcci, opened):
    opened["values"][...] = np.nan
    opened.close()
    milcci.refused(3, *fit(), says=["missing"])


def test_one_trial_without_a_value_is_named_or_borne(milcci, opened):
    first, last = opened["trial_offset"][3:5]
    opened["values"][first:last] = np.nan
    opened.close()
    process = milcci(*fit())
    assert process.returncode in (0, 3, 4)
    assert "trial 4" in process.stderr


def test_infinite_values_name_the_trial_and_the_channel(milcci, opened):
    opened["values"][opened["trial_offset"][2] + 3, 7] = np.inf
    opened.close()
    process = milcci.refused(3, *fit(), says=["trial 3", "inf"])
    assert "channel" in process.stderr


def test_a_trials_file_without_trials_is_refused(milcci, opened):
    names = list(opened["labels"])
    replace(opened, "values", np.zeros((0, 12)))
    replace(opened, "trial_offset", np.zeros(1, dtype=np.int64))
    for name in names:
        replace(opened, f"labels/{name}", np.zeros(0))
    opened.close()
    milcci.refused(3, *fit(), says=["trials.h5"])


@pytest.mark.parametrize("share", [0.02, 0.5, 0.97])
def test_a_truncated_file_is_refused(milcci, trials, model, share):
    for path in [trials, model]:
        path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    milcci.refused(3, *fit(), says=["trials.h5"])
    milcci.refused(3, "info", "model.h5", says=["model.h5"])


def test_foreign_and_empty_files_are_refused(milcci, trials, model):
    with h5py.File(milcci.folder / "foreign.h5", "w") as file:
        file["values"] = np.zeros((4, 3))
    (milcci.folder / "text.h5").write_text("time,channel1\n0,1\n")
    (milcci.folder / "empty.h5").touch()
    for name in ["foreign.h5", "text.h5", "empty.h5"]:
        milcci.refused(3, "fit", name, *CATEGORIES, "-o", "m.h5", says=[name])
        milcci.refused(3, "info", name, says=[name])
        milcci.refused(3, "evaluate", name, trials, says=[name])
        milcci.refused(3, "evaluate", model, name, says=[name])
        milcci.refused(3, "transform", model, name, "-o", "m.h5", says=[name])
        milcci.refused(3, "fit", trials, *CATEGORIES, "--start", name, "-o", "m.h5", says=[name])


def test_files_that_are_not_there_and_folders_are_refused(milcci, trials):
    (milcci.folder / "folder").mkdir()
    for name in ["none.h5", "folder"]:
        milcci.refused(3, "fit", name, *CATEGORIES, "-o", "m.h5", says=[name])
        milcci.refused(3, "info", name, says=[name])
        milcci.refused(3, "evaluate", name, trials, says=[name])


def test_a_file_of_the_other_kind_is_refused_with_a_hint(milcci, trials, model):
    milcci.refused(3, "fit", model, *CATEGORIES, "-o", "m.h5", says=["model.h5", "trials"])
    milcci.refused(3, "evaluate", trials, model, says=["trials.h5", "model"])


def test_a_file_of_a_later_version_is_refused(milcci, opened):
    opened.attrs["format_version"] = np.int64(99)
    opened.close()
    milcci.refused(3, "info", "trials.h5", says=["trials.h5", "99"])


def test_a_model_of_other_trials_is_refused(milcci, model):
    milcci.done("simulate", "--channels", 11, *SMALL[2:], "-o", "narrow.h5")
    milcci.refused(3, "evaluate", model, "narrow.h5", says=["11", "12"])
    milcci.refused(3, "evaluate", model, "narrow.h5", "--cosmooth", says=["11 channels", "12"])
    milcci.refused(3, "transform", model, "narrow.h5", "-o", "t.h5", says=["11", "12"])


def test_cosmooth_refuses_channels_of_other_names(milcci, model, opened):
    opened["channel"][4] = "renamed"
    opened.close()
    milcci.refused(
        3,
        "evaluate",
        model,
        "trials.h5",
        "--cosmooth",
        says=["channel 5", "renamed", "no channel of that name"],
    )


def test_a_graph_file_that_cannot_be_used_is_refused(milcci, trials):
    (milcci.folder / "graph.csv").write_text("option,left\nleft,0\n")
    for name in ["graph.csv", "none.csv"]:
        process = milcci("fit", trials, "--category", f"choice=1:graph={name}", "-o", "m.h5")
        assert process.returncode in (2, 3)
        assert process.stderr.count("milcci: ") == 1
        assert not (milcci.folder / "m.h5").exists()
