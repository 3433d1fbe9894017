"""Mistakes get one message that says what to do. Nothing crashes, and no model is lost."""

from __future__ import annotations

import numpy as np
import pytest

import milcci
from quick_fits import QUICK, quietly_fitted

GOOD = [np.arange(12.0).reshape(3, 4) + m for m in range(4)]
LABELS = {"x": ["a", "b", "a", "b"]}
DIMS = {"dims": ("channel", "time")}


def fit(trials=GOOD, labels=LABELS, categories=None, **keywords):
    made = milcci.MILCCI({"x": 1} if categories is None else categories, **QUICK)
    return made.fit(trials, labels, **{**DIMS, **keywords})


@pytest.mark.parametrize(
    ("trials", "message"),
    [
        ([], "no trials"),
        (np.zeros((0, 3, 4)), "no trials"),
        ([np.zeros((3, 4)), np.zeros((2, 4)), *GOOD[2:]], "trial 2: 2 channels, expected 3"),
        ([np.zeros(3)] * 4, r"trial 1: has 1 axes \(3,\)"),
        ([np.zeros((3, 4), complex)] * 4, "trial 1: values of type complex128; give its real part"),
        ([np.zeros((3, 4), object)] * 4, "trial 1: values of type object; convert it"),
        ([np.array([["a"]])] * 4, "trial 1: values of type <U1; give numbers"),
        ([[[1, 2], [3]]] * 4, "trial 1: is no array of numbers"),
        (np.zeros((2, 2, 2, 2)), "the array has 4 axes"),
        ([np.full((3, 4), np.inf)] * 4, "infinite"),
        ([np.full((3, 4), np.nan)] * 4, "all 12 values are missing"),
        ([np.zeros((3, 0))] * 4, "trial 1"),
        ([np.zeros((0, 4))] * 4, "no channels: trial 1 has none"),
        ([np.zeros((3, 4), "M8[s]")] * 4, "trial 1: values of type datetime64"),
        (np.zeros((4, 3, 4), complex), "the array: values of type complex128"),
        (np.zeros((4, 3, 4), object), "trial 1: values of type object; convert it"),
        (np.zeros((4, 3, 0)), "trial 1"),
        (np.full((4, 3, 4), -np.inf), "the value is -inf"),
        (7, "trials of type int"),
        ({"a": 1}, "trials of type dict"),
        (None, "trials of type NoneType"),
        ([np.ma.masked_array(np.zeros((3, 4), complex))] * 4, "trial 1: values of type complex128"),
        ([np.ma.masked_array(np.full((3, 4), "a"))] * 4, "trial 1: values of type <U1"),
    ],
)  # fmt: skip
def test_bad_trials(trials, message):
    is_cube = isinstance(trials, np.ndarray) and trials.dtype != object
    keywords = {"dims": ("trial", "channel", "time")} if is_cube else DIMS
    with pytest.raises(ValueError, match=message):
        fit(trials, **keywords)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"dims": ("channel", "tiem")}, "`dims` = .*must be channel, time"),
        ({"times": [0, 1, 1, 2]}, "time stamp 3 is 1, expected"),
        ({"times": [3, 2, 1, 0]}, "time stamp 2 is 2, expected"),
        ({"times": [0, 1]}, "times: 2 of them, the longest trial has 4"),
        ({"times": [0, 1, np.nan, 2]}, "time stamp 3 is nan, expected"),
        ({"times": [0, 1, 2, np.inf]}, "time stamp 4 is inf, expected"),
        ({"times": [[0, 1, 2, 3]] * 3 + [[3, 2, 1, 0]]}, "trial 4: time stamp 2 is 2, expected"),
        ({"times": [[0, 1, 2, 3]] * 3}, "times: 3 of them, expected 4"),
        ({"times": [[0, 1, 2, 3]] * 3 + [[0, 1]]}, "trial 4: 2 time stamps for 4 time points"),
        ({"times": np.tile(np.arange(4), (3, 1))}, "times: 3 of them, expected 4"),
        ({"times": ["a", "b", "c", "d"]}, "times of type <U1; give numbers or dates"),
        ({"times": np.arange(4) * 1j}, "times of type complex128; give numbers or dates"),
        ({"times": 3.0}, "times: must be a list, is 3.0"),
        ({"times": np.array(3.0)}, "times: must be a list, is array"),
        ({"times": "0123"}, "times: must be a list, is '0123'"),
        ({"times": {0: 1}}, "times: must be a list, is {0: 1}"),
        ({"times": [[0, 1, 2, 3]] * 3 + [3]}, "times of trial 4: must be a list, is 3"),
        ({"channel_groups": {"a": 1}}, "channel_groups: must be a list, is {'a': 1}"),
        ({"channel_names": ["a", "b", "\ud800"]}, r"channel_names: '\\ud800' is no valid Unicode"),
        ({"labels": {"x": ["a", "b", "a", "\ud800"]}}, r"column x: '\\ud800' is no valid Unicode"),
        ({"channel_names": ["a", "b", "c\0"]}, r"channel_names: 'c\\x00' has a null character"),
        ({"channel_groups": ["a", "b", "c\0d"]}, r"channel_groups: 'c\\x00d' has a null character"),
        ({"trial_names": ["a", "b", "c", "\0"]}, r"trial_names: '\\x00' has a null character"),
        ({"labels": {"x": ["a", "b", "a", "a\0"]}}, r"column x: 'a\\x00' has a null character"),
        ({"labels": {"x": np.array([b"a", b"\0b"] * 2)}}, r"x: '\\x00b' has a null character"),
        ({"labels": {"x\0": ["a", "b"] * 2}}, r"label columns: 'x\\x00' has a null character"),
        (
            {"categories": {"x\0": milcci.Category(1, columns=["x"])}},
            r"category: 'x\\x00' has a null character",
        ),
        ({"labels": {"x": np.array([b"a", b"\xff"] * 2)}}, r"column x: b'\\xff' is no UTF-8"),
        (
            {"labels": [{"x": 1}, 2, {"x": 1}, {"x": 2}]},
            "trial 2 has 2, expected a dict as in trial 1",
        ),
        ({"labels": {1: ["a"] * 4, "1": ["b"] * 4}}, "columns of the same name: 1"),
        (
            {"categories": {"x": milcci.Category(1, graph=np.eye(2) * 1j)}},
            "category x: its graph is no",
        ),
        (
            {"categories": {"x": milcci.Category(1, graph="near")}},
            "category x: its graph is no matrix",
        ),
        ({"channel_names": 3}, "channel_names: must be a list, is 3"),
        ({"dims": 5}, "dims: must be a list, is 5"),
        ({"dims": (None, "time")}, "`dims` = .*must be channel, time"),
        ({"channel_names": ["a", "b"]}, "channel_names: 2 of them, expected 3"),
        ({"channel_groups": ["g"]}, "channel_groups: 1 of them, expected 3"),
        ({"trial_names": ["t"]}, "trial_names: 1 of them, expected 4"),
        ({"labels": {"x": ["a", "b"]}}, "label column x: 2 values, expected 4"),
        ({"labels": {"x": ["a", None, "b", "a"]}}, "x"),
        ({"labels": {"x": [1.0, np.nan, 2.0, 1.0]}}, "x"),
        ({"labels": {"x": ["a"] * 4, "y": ["b"] * 3}}, "label column y: 3 values, expected 4"),
        ({"labels": []}, "label column x: 0 values, expected 4"),
        ({"labels": {}}, "no label column 'x'; they have: none"),
        ({"labels": np.array("a")}, "labels of type ndarray"),
        ({"labels": {"x": [2**80, 1, 2, 1]}}, "label column x: 1208925819614629174706176 is too"),
        ({"labels": {"x": [1.0, 2.0, np.inf, 3.0]}}, "column 'x' holds inf .trial 3."),
        ({"labels": {"y": [1, 2, 1, 2]}}, "no label column 'x'; they have: y"),
        ({"labels": {"xs": [1, 2, 1, 2]}, "categories": {"sx": 1}}, "no label column 'sx'"),
        ({"labels": None}, "x"),
        ({"categories": {}}, "no category given; the trials have the label columns x"),
        ({"categories": {"x": 0}}, "n_components"),
        ({"categories": {"x": 1.5}}, "category x: 1.5 is neither a number of components"),
        ({"categories": "x"}, "give a dict"),
        ({"categories": [milcci.Category(2)]}, "has no name"),
        ({"categories": {"x": milcci.Category(1, "ordnal")}}, "`kind` = 'ordnal', must be one of"),
        ({"categories": ["x=two"]}, "two"),
    ],
)  # fmt: skip
def test_bad_descriptions(keywords, message):
    with pytest.raises(ValueError, match=message):
        fit(**keywords)


def test_columns_of_the_same_name():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="columns of the same name: x; rename or drop them"):
        fit(labels=pandas.DataFrame([["a", "b"]] * 4, columns=["x", "x"]))


@pytest.mark.parametrize(
    "labels",
    [
        np.ma.masked_array([1, 2, 1, 2], [0, 0, 1, 0]),
        np.ma.masked_array(["a", "b", "a", "b"], [0, 0, 1, 0]),
        [1, 2, np.ma.masked, 2],
    ],
)
def test_labels_that_are_masked_are_missing(labels):
    with pytest.raises(ValueError, match="trial 3 has no value in label column 'x'"):
        fit(labels={"x": labels})
    with pytest.raises(ValueError, match="trial 3 has no value in label column 'x'"):
        fit(labels=labels)


def test_masks_that_hide_nothing_change_nothing():
    labels = np.ma.masked_array([1, 2, 1, 2], [0, 0, 0, 0])
    np.testing.assert_array_equal(
        milcci.as_trials(GOOD, {"x": labels}, **DIMS).labels["x"], [1, 2, 1, 2]
    )


def test_complex_values_of_a_table():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"trial": [1, 1], "channel": "a", "time": [0, 1], "value": [1j, 2j]})
    with pytest.raises(ValueError, match="column value: values that are no numbers"):
        milcci.as_trials(table)


@pytest.mark.parametrize(
    ("traces", "message"),
    [
        ([np.zeros((4, 3), complex)], "traces of trial 1: values of type complex128"),
        ([["a"]], "traces of trial 1: values of type <U1; give numbers"),
        (None, "traces of type NoneType: give a list"),
    ],
)
def test_bad_traces(model, traces, message):
    n_trials = len(model.traces_)
    with pytest.raises(ValueError, match=message):
        model.inverse_transform(traces and traces * n_trials)


def test_paths_that_end_early(model, recording, tmp_path):
    for attempt in (model.save, milcci.load, recording.save, milcci.read):
        with pytest.raises(ValueError, match="null"):
            attempt(f"{tmp_path}/model\0.h5")
    assert not list(tmp_path.iterdir())


def test_numbers_that_are_none(model, recording):
    with pytest.raises(ValueError, match="`n_members` = -1, must be a whole number, zero or more"):
        model.show(n_members=-1)
    with pytest.raises(ValueError, match="`verbose` = 'yes', must be 0, 1 or 2"):
        milcci.MILCCI({"choice": 1}, verbose="yes").fit(recording)
    with pytest.raises(IndexError, match="not by an array of 2 axes"):
        recording[[[0, 1]]]


def test_dates_are_times():
    days = np.arange(4).astype("M8[D]").astype("M8[ns]")
    trials = milcci.as_trials(GOOD, LABELS, times=days, **DIMS)
    np.testing.assert_allclose(trials.times[0], [0, 1, 2, 3])


def test_words_that_mean_nothing_here():
    with pytest.raises(TypeError, match="channel: has no meaning for arrays"):
        fit(channel="a")
    with pytest.raises(TypeError, match="times: has no meaning for trials with their own"):
        milcci.as_trials(milcci.as_trials(GOOD, **DIMS), times=[1, 2, 3, 4])
    with pytest.raises(TypeError, match="unexpected keyword argument 'sparsty'"):
        milcci.MILCCI(sparsty=1)
    with pytest.raises(ValueError, match="`n_chanels`: no such option, did you mean 'n_channels'"):
        milcci.simulate(n_chanels=3)
    with pytest.raises(ValueError, match="`noise` = 'loud', must be a number"):
        milcci.simulate(noise="loud")


def test_a_simulation_that_no_machine_can_hold_is_refused():
    with pytest.raises(ValueError, match=r"at least .* GB, and this machine has"):
        milcci.simulate(n_channels=10**7, n_trials=10**6)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(OSError, match="no such file"):
        milcci.read(tmp_path / "nothing.h5")
    (tmp_path / "broken.h5").write_bytes(b"\x89HDF\r\n\x1a\nand then nothing")
    with pytest.raises(OSError, match=r"broken\.h5"):
        milcci.load(tmp_path / "broken.h5")
    with pytest.raises(OSError, match=r"broken\.h5"):
        milcci.MILCCI({"x": 1}).fit(tmp_path / "broken.h5")


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_a_failed_fit_leaves_the_model_as_it_was(recording):
    fitted = quietly_fitted(recording)
    before = np.array(fitted.components_["choice"])
    with pytest.raises(ValueError, match="infinite"):
        fitted.fit(
            [np.full((3, 4), np.inf)],
            {"difficulty": [1], "choice": ["a"]},
            dims=("channel", "time"),
        )
    np.testing.assert_array_equal(fitted.components_["choice"], before)


def test_other_channels_are_refused(model):
    with pytest.raises(ValueError, match="channel"):
        model.transform(GOOD, {"difficulty": [1] * 4, "choice": ["left"] * 4}, **DIMS)
