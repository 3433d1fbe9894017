"""Recordings of pynapple and epochs of MNE are understood as the trials they hold."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import milcci
from quick_fits import quietly_fitted

SIDE = ["left", "right", "left"]
BOUNDS = np.array([[0.05, 0.95], [2.0, 2.5], [3.0, 4.2]])


@pytest.fixture(scope="module")
def nap():
    return pytest.importorskip("pynapple", minversion="0.8")


@pytest.fixture(scope="module")
def mne():
    return pytest.importorskip("mne")


@pytest.fixture
def intervals(nap):
    return nap.IntervalSet(BOUNDS[:, 0], BOUNDS[:, 1], metadata={"side": SIDE, "dose": [1, 2, 1]})


def series_values(*shape):
    return np.random.default_rng(1).normal(size=(50, *shape))


TIMES = np.arange(50) / 10
ROWS = [slice(1, 10), slice(20, 26), slice(30, 43)]


def assert_cut(trials, values):
    for trial, rows in zip(trials, ROWS, strict=True):
        np.testing.assert_array_equal(trial.T, values[rows])
        assert np.shares_memory(trial, values)
    for times, rows, (start, _) in zip(trials.times, ROWS, BOUNDS, strict=True):
        np.testing.assert_allclose(times, TIMES[rows] - start)
    np.testing.assert_array_equal(trials.labels["side"], SIDE)
    np.testing.assert_array_equal(trials.labels["dose"], [1, 2, 1])


def test_frames_of_pynapple(nap, intervals):
    values = series_values(3)
    metadata = {"region": ["V1", "V1", "PM"]}
    frame = nap.TsdFrame(t=TIMES, d=values, columns=["x", "y", "z"], metadata=metadata)
    trials = milcci.as_trials(frame, intervals=intervals, channel_group="region")
    assert trials.channel_names == ["x", "y", "z"]
    assert trials.channel_groups == ["V1", "V1", "PM"]
    assert_cut(trials, frame.d)
    given = milcci.as_trials(frame, {"side": ["a", "b", "c"]}, intervals=intervals)
    np.testing.assert_array_equal(given.labels["side"], ["a", "b", "c"])


@pytest.mark.parametrize(
    ("metadata", "groups"),
    [(["V1", None, np.nan], ["V1", "", ""]), ([1, np.nan, 2], ["1", "", "2"]), ([np.nan] * 3, [])],
    ids=["texts", "numbers", "none at all"],
)
def test_channels_of_pynapple_without_a_group(nap, intervals, metadata, groups):
    frame = nap.TsdFrame(t=TIMES, d=series_values(3), metadata={"region": metadata})
    trials = milcci.as_trials(frame, intervals=intervals, channel_group="region")
    assert trials.channel_groups == groups
    n_without = groups.count("") or 3
    assert f"{n_without} of 3 channels have no group" in trials.notes


def test_tensors_and_single_series_of_pynapple(nap, intervals):
    values = series_values(2, 3)
    tensor = nap.TsdTensor(t=TIMES, d=values)
    trials = milcci.as_trials(tensor, intervals=intervals)
    assert trials.channel_names == ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"]
    assert_cut(trials, tensor.d.reshape(50, 6))
    single = nap.Tsd(t=TIMES, d=values[:, 0, 0].copy())
    assert_cut(milcci.as_trials(single, intervals=intervals), single.d.reshape(50, 1))


def test_spikes_of_pynapple_become_rates(nap, intervals):
    trains = {2: np.array([0.06, 0.07, 0.5, 2.1, 3.31]), 9: np.array([0.1, 2.24, 2.26, 4.1])}
    support = nap.IntervalSet([0, 3.25], [3.0, 5])
    group = nap.TsGroup(
        {unit: nap.Ts(train) for unit, train in trains.items()},
        time_support=support,
        metadata={"region": ["V1", "PM"]},
    )
    trials = milcci.as_trials(group, intervals=intervals, bin_width=0.25, channel_group="region")
    assert trials.channel_names == ["2", "9"]
    assert trials.channel_groups == ["V1", "PM"]
    assert trials.lengths == [3, 2, 4]  # whole bins only
    np.testing.assert_array_equal(trials[0], [[8, 4, 0], [4, 0, 0]])
    np.testing.assert_array_equal(trials[1], [[4, 0], [4, 4]])
    # Nothing was recorded until 3.25 s.
    np.testing.assert_array_equal(trials[2], [[np.nan, 4, 0, 0], [np.nan, 0, 0, 0]])
    np.testing.assert_allclose(trials.times[1], [0.125, 0.375])
    assert any("1 bins are outside the time support" in note for note in trials.notes)


def test_pynapple_is_fitted(nap):
    rng = np.random.default_rng(0)
    group = nap.TsGroup({i: nap.Ts(np.sort(rng.uniform(0, 20, 300))) for i in range(5)})
    intervals = nap.IntervalSet(
        np.arange(10) * 2, np.arange(10) * 2 + 1, metadata={"side": ["left", "right"] * 5}
    )
    fitted = quietly_fitted(group, intervals=intervals, bin_width=0.1, categories={"side": 1})
    assert np.asarray(fitted.components_["side"]).shape == (5, 1, 2)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({}, ValueError, "give intervals=, an IntervalSet"),
        ({"intervals": "all"}, ValueError, "intervals of type str; give an IntervalSet"),
        ({"intervals": [[7, 8]]}, ValueError, "trial 1: no time points from 7 to 8 s"),
        ({"intervals": [[1, 2]], "bin_width": 0.1}, ValueError, "bin_width= has no meaning"),
        ({"intervals": [[1, 2]], "channel_group": "region"}, ValueError, "no metadata region"),
        ({"intervals": [[1, 2]], "trial": "x"}, TypeError, "trial: has no meaning for pynapple"),
    ],
)
def test_what_pynapple_lacks_is_told(nap, keywords, error, message):
    if isinstance(keywords.get("intervals"), list):
        bounds = np.array(keywords["intervals"])
        keywords = {**keywords, "intervals": nap.IntervalSet(bounds[:, 0], bounds[:, 1])}
    frame = nap.TsdFrame(t=TIMES, d=series_values(3))
    with pytest.raises(error, match=message):
        milcci.as_trials(frame, **keywords)


@pytest.mark.parametrize("width", [None, 0, -1, np.nan, 10.0])
def test_bins_that_do_not_suit(nap, intervals, width):
    group = nap.TsGroup({0: nap.Ts(np.arange(10.0))})
    with pytest.raises(ValueError, match=r"give bin_width=|shorter than a bin of 10 s"):
        milcci.as_trials(group, intervals=intervals, bin_width=width)


def test_bins_that_are_no_numbers(nap, intervals):
    group = nap.TsGroup({0: nap.Ts(np.arange(10.0))})
    with pytest.raises(TypeError, match="`bin_width` = 'a': must be a number of seconds"):
        milcci.as_trials(group, intervals=intervals, bin_width="a")


def epochs_of(mne, metadata=None, types="eeg"):
    values = np.random.default_rng(2).normal(size=(4, 3, 20))
    info = mne.create_info(["a", "b", "c"], 100.0, types)
    events = np.column_stack([np.arange(4), np.zeros(4, int), [1, 2, 2, 1]])
    names = {"tone": 1, "flash": 2}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        epochs = mne.EpochsArray(
            values, info, events, tmin=-0.1, event_id=names, metadata=metadata, verbose="error"
        )
    return epochs, values


def test_epochs_of_mne(mne):
    pandas = pytest.importorskip("pandas")
    epochs, values = epochs_of(
        mne, pandas.DataFrame({"side": [*SIDE, "right"], "dose": [1, 2, 1, 3]})
    )
    trials = milcci.as_trials(epochs)
    np.testing.assert_array_equal(list(trials), values)
    np.testing.assert_allclose(trials.times[3], np.arange(20) / 100 - 0.1)
    assert trials.channel_names == ["a", "b", "c"]
    assert trials.channel_groups == ["eeg"] * 3
    np.testing.assert_array_equal(trials.labels["side"], [*SIDE, "right"])
    np.testing.assert_array_equal(trials.labels["dose"], [1, 2, 1, 3])
    np.testing.assert_array_equal(trials.labels["event"], ["tone", "flash", "flash", "tone"])
    some = milcci.as_trials(epochs["side == 'left'"])
    np.testing.assert_array_equal(list(some), values[[0, 2]])
    fitted = quietly_fitted(epochs, categories={"side": 1})
    assert np.asarray(fitted.components_["side"]).shape == (3, 1, 2)


def test_bad_channels_and_stimuli_are_left_out(mne):
    epochs, values = epochs_of(mne, types=["eeg", "eog", "eeg"])
    trials = milcci.as_trials(epochs)
    assert trials.channel_names == ["a", "c"]
    np.testing.assert_array_equal(list(trials), values[:, [0, 2]])
    epochs.info["bads"] = ["c"]
    assert milcci.as_trials(epochs).channel_names == ["a"]
    assert milcci.as_trials(epochs_of(mne, types="misc")[0]).channel_names == ["a", "b", "c"]
    epochs.info["bads"] = ["a", "b", "c"]
    with pytest.raises(ValueError, match="all are marked as bad"):
        milcci.as_trials(epochs)
    with pytest.raises(TypeError, match="trial: has no meaning"):
        milcci.as_trials(epochs, trial="x")


def test_no_epochs(mne):
    epochs, _ = epochs_of(mne)
    with pytest.raises(ValueError, match="no trials"):
        milcci.as_trials(epochs[[]])
