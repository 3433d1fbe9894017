"""Trials and models that were pickled or copied are the same."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest

import milcci
from quick_fits import CATEGORIES, QUICK

DIMS = {"dims": ("channel", "time")}
WAYS = {
    "pickle": lambda trials: pickle.loads(pickle.dumps(trials)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


def odd_trials(kind):
    """Trials of different lengths with gaps, and all that may be known of them."""
    rng = np.random.default_rng(1)
    arrays = [rng.random((3, n)).astype(kind) for n in (4, 6, 5)]
    arrays[1][2, 3] = np.nan
    return milcci.as_trials(
        arrays,
        {"dose": [1, 2, 1], "depth": [0.5, np.nan, 2.0], "side": ["left", "", "rïght"]},
        times=[np.arange(n) / 4 for n in (4, 6, 5)],
        channel_names=["a", "b", "c"],
        channel_groups=["x", "", "y"],
        trial_names=["one", "two", "three"],
        **DIMS,
    )


def prepared_trials(recording):
    trials = milcci.prepare(recording, scale="zscore:all")
    assert trials.truth is None
    assert len(trials.history) == 2
    return trials


TRIALS = {
    "double": lambda _: odd_trials(np.float64),
    "single": lambda _: odd_trials(np.float32),
    "simulated": lambda recording: recording,
    "prepared": prepared_trials,
    "some": lambda recording: recording[[2, 0, 2]],
    "reordered": lambda _: odd_trials(np.float64)[::-1],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", TRIALS)
def test_trials_come_back_the_same(which, way, recording):
    trials = TRIALS[which](recording)
    again = WAYS[way](trials)
    assert len(again) == len(trials)
    assert again.n_channels == trials.n_channels
    for found, expected in zip(again, trials, strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    assert list(again.labels) == list(trials.labels)
    for name, expected in trials.labels.items():
        assert again.labels[name].dtype == expected.dtype
        np.testing.assert_array_equal(again.labels[name], expected)
    for name in ("channel_names", "channel_groups", "trial_names", "history", "lengths"):
        assert getattr(again, name) == getattr(trials, name), name
    assert len(again.times) == len(trials.times)
    for found, expected in zip(again.times, trials.times, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert again.fingerprint == trials.fingerprint


@pytest.mark.parametrize("way", WAYS)
def test_no_trials_come_back_as_none(way, recording):
    again = WAYS[way](recording[[]])
    assert len(again) == 0
    assert again.channel_names == recording.channel_names


@pytest.mark.parametrize("way", WAYS)
def test_a_truth_comes_back_the_same(way, recording):
    truth, again = recording.truth, WAYS[way](recording).truth
    assert again.components.keys() == truth.components.keys()
    for name, expected in truth.components.items():
        np.testing.assert_array_equal(again.components[name], expected)
    for found, expected in zip(again.traces, truth.traces, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_orders_come_back_the_same():
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Categorical(["mid", "low", "high"], ["low", "mid", "high"], ordered=True)
    trials = odd_trials(np.float64).with_labels({"size": sizes})
    for way in WAYS.values():
        assert way(trials).columns["size"].order == ("low", "mid", "high")


def test_a_copy_has_memory_of_its_own():
    values = [np.zeros((4, 3)) for _ in range(3)]
    trials = milcci.as_trials(values, dims=("time", "channel"))
    copied = copy.deepcopy(trials)
    values[1][0, 0] = 5.0
    assert trials[1][0, 0] == 5.0
    assert copied[1][0, 0] == 0.0


def test_trials_reach_other_processes(recording):
    selection = pytest.importorskip("sklearn.model_selection")
    trials = milcci.as_trials([*map(np.asarray, recording)], recording.labels, **DIMS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for given in (recording, trials):
            made = milcci.MILCCI(CATEGORIES, **QUICK)
            scores = [
                selection.cross_val_score(made, given, cv=2, n_jobs=n, error_score="raise")
                for n in (1, 2)
            ]
            np.testing.assert_array_equal(*scores)
