"""Arrays of every shape, type, order and stride are understood as the same trials."""

from __future__ import annotations

import contextlib
import functools
import importlib
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import milcci
from quick_fits import quietly_fitted

DTYPES = [np.float64, np.float32, np.float16, np.int8, np.uint16, np.int64, np.bool_, ">f8", "<f4"]


def views_of(array, draw):
    """The same numbers with other strides."""
    kind = draw(st.sampled_from(["C", "F", "negative", "every second", "read-only", "part"]))
    if kind == "negative":
        return array[::-1, ::-1].copy()[::-1, ::-1]
    if kind == "every second":
        wide = np.zeros((array.shape[0] * 2, array.shape[1] * 3), array.dtype)
        wide[::2, ::3] = array
        return wide[::2, ::3]
    if kind == "part":
        large = np.zeros((array.shape[0] + 2, array.shape[1] + 3), array.dtype)
        large[1:-1, 2:-1] = array
        return large[1:-1, 2:-1]
    out = np.array(array, order="F" if kind == "F" else "C")
    out.flags.writeable = kind != "read-only"
    return out


@st.composite
def trials_and_views(draw):
    n_channels = draw(st.integers(1, 6))
    lengths = draw(st.lists(st.integers(1, 7), min_size=1, max_size=5))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    elements = None
    if dtype.kind == "f":
        elements = st.floats(-1000, 1000, width=dtype.itemsize * 8) | st.just(np.nan)
    plain = [draw(arrays_of.arrays(dtype, (n_channels, n), elements=elements)) for n in lengths]
    dims = draw(st.permutations(["channel", "time"]))
    shown = [trial if dims[0] == "channel" else trial.T for trial in plain]
    return plain, tuple(dims), [views_of(trial, draw) for trial in shown]


@given(trials_and_views())
@settings(max_examples=150, deadline=None)
def test_numbers_arrive_as_they_are(case):
    plain, dims, views = case
    trials = milcci.as_trials(views, dims=dims)
    assert trials.lengths == [trial.shape[1] for trial in plain]
    for trial, expected in zip(trials, plain, strict=True):
        np.testing.assert_array_equal(trial, expected.astype(np.float64))


@st.composite
def cubes_and_views(draw):
    """(trial x channel x time, names of the axes of a view, the view)."""
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 5)))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    elements = None
    if dtype.kind == "f":
        elements = st.floats(-1000, 1000, width=dtype.itemsize * 8) | st.just(np.nan)
    plain = draw(arrays_of.arrays(dtype, shape, elements=elements))
    order = draw(st.permutations(range(3)))
    strides = draw(st.tuples(*[st.sampled_from([1, 2, -1, -3])] * 3))
    turned = plain.transpose(order)
    large = np.zeros([n * abs(s) for n, s in zip(turned.shape, strides, strict=True)], dtype)
    view = large[tuple(slice(None, None, s) for s in strides)]
    view[...] = turned
    view.flags.writeable = draw(st.booleans())
    return plain, tuple(np.array(["trial", "channel", "time"])[order]), view


@given(cubes_and_views())
@settings(max_examples=150, deadline=None)
def test_cubes_arrive_as_they_are(case):
    plain, dims, view = case
    trials = milcci.as_trials(view, dims=dims)
    assert len(trials) == len(plain)
    for trial, expected in zip(trials, plain.astype(np.float64), strict=True):
        np.testing.assert_array_equal(trial, expected[:, : trial.shape[1]])
        # What was cut off had no value; a trial without any stays.
        assert np.isnan(expected[:, trial.shape[1] :]).all()


WHOLE = [np.random.default_rng(m).integers(0, 9, (5, 12)) for m in range(6)]


@functools.cache
def model_of_whole_numbers():
    return quietly_fitted(
        WHOLE, {"x": ["a", "b"] * 3}, categories={"x": 1}, dims=("channel", "time")
    )


@given(
    # Of float32 the sums are others: it is read in place.
    st.sampled_from([np.float64, np.int8, np.uint16, np.int64, ">f8", ">i2"]),
    st.permutations(["channel", "time"]),
    st.data(),
)
@settings(max_examples=25, deadline=None)
def test_the_same_numbers_give_the_same_fit(dtype, dims, data):
    turned = [
        trial.astype(dtype) if dims[0] == "channel" else trial.astype(dtype).T for trial in WHOLE
    ]
    views = [views_of(trial, data.draw) for trial in turned]
    fitted = quietly_fitted(views, {"x": ["a", "b"] * 3}, categories={"x": 1}, dims=tuple(dims))
    np.testing.assert_array_equal(
        fitted.components_["x"], model_of_whole_numbers().components_["x"]
    )
    assert fitted.objective_ == model_of_whole_numbers().objective_


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_in_order_is_not_copied(dtype):
    time_by_channel = [np.zeros((9, 4), dtype), np.zeros((7, 4), dtype)]
    trials = milcci.as_trials(time_by_channel, dims=("time", "channel"))
    channel_by_time = [np.zeros((4, 9), dtype, order="F")]
    others = milcci.as_trials(channel_by_time, dims=("channel", "time"))
    cube = np.zeros((3, 9, 4), dtype)
    cubes = milcci.as_trials(cube, dims=("trial", "time", "channel"))
    for here, there in [
        *zip(trials, time_by_channel, strict=True),
        (others[0], channel_by_time[0]),
        *((trial, cube) for trial in cubes),
    ]:
        assert np.shares_memory(here, there)
        assert not here.flags.writeable


def test_trials_keep_their_arrays_alive():
    trials = milcci.as_trials([np.full((50, 40), 7.0)], dims=("time", "channel"))
    some = trials[[0, 0]]
    del trials
    values = some[1]
    del some
    assert (values == 7.0).all()


@pytest.mark.parametrize("dims", list(itertools.permutations(["trial", "channel", "time"])))
def test_axes_of_a_cube_in_any_order(dims):
    cube = np.arange(2 * 3 * 4, dtype=float).reshape(2, 3, 4)
    turned = cube.transpose([("trial", "channel", "time").index(dim) for dim in dims])
    named = milcci.as_trials(turned, dims=dims)
    guessed = milcci.as_trials(turned, {"a": [0, 1]}, channel_names="xyz", times=range(4))
    for trials in (named, guessed):
        np.testing.assert_array_equal(list(trials), cube)


@pytest.mark.parametrize("dims", ["channel,trial,time", "channel, trial, time"])
def test_axes_may_be_one_text(dims, tmp_path):
    cube = np.random.default_rng(1).random((3, 4, 5))
    np.save(tmp_path / "cube.npy", cube)
    labels = {"side": ["a", "b", "a", "b"]}
    given = [
        milcci.as_trials(source, labels, dims=dims) for source in (cube, tmp_path / "cube.npy")
    ]
    given.append(milcci.read(tmp_path / "cube.npy", dims=dims))
    with contextlib.suppress(ImportError):
        xarray = importlib.import_module("xarray")
        given.append(milcci.as_trials(xarray.DataArray(cube), dims=dims))
    for trials in given:
        np.testing.assert_array_equal(list(trials), cube.transpose(1, 0, 2))


def test_times_of_every_trial_tell_the_axes():
    cube = np.arange(2 * 3 * 4.0).reshape(2, 3, 4)
    times = np.arange(4) + np.array([[0.0], [10.0]])
    for trials in (
        milcci.as_trials(cube, {"a": [0, 1]}, times=times),
        milcci.as_trials(list(cube), times=times),
        milcci.as_trials(list(cube), times=[list(one) for one in times]),
    ):
        np.testing.assert_array_equal(list(trials), cube)
        np.testing.assert_array_equal(trials.times, times)


@pytest.mark.parametrize("form", ["numbers", "arrays", "frame", "xarray"])
def test_times_of_other_packages(form):
    pandas = pytest.importorskip("pandas")
    cube = np.zeros((2, 3, 4))
    stamps = np.arange(4) / 10
    index = [5, 6]  # nothing is at 0
    if form == "xarray":
        times = pytest.importorskip("xarray").DataArray(stamps)
    else:
        times = {
            "numbers": pandas.Series(stamps, index=range(5, 9)),
            "arrays": pandas.Series([stamps, stamps], index=index),
            "frame": pandas.DataFrame([stamps, stamps], index=index),
        }[form]
    for trials in (list(cube), cube):
        dims = ("trial", "channel", "time")[-trials[0].ndim - isinstance(trials, np.ndarray) :]
        found = milcci.as_trials(trials, dims=dims, times=times)
        np.testing.assert_array_equal(found.times, [stamps, stamps])


@pytest.mark.parametrize(
    ("given", "kept"),
    [(["V1", None, "PM"], ["V1", "", "PM"]), ([1, np.nan, 2.0], ["1", "", "2"]), ([None] * 3, [])],
    ids=["texts", "numbers", "none at all"],
)
def test_channels_without_a_group(given, kept):
    trials = milcci.as_trials([np.zeros((3, 4))], dims=("channel", "time"), channel_groups=given)
    assert trials.channel_groups == kept
    assert f"{kept.count('') or 3} of 3 channels have no group" in trials.notes
    whole = milcci.as_trials([np.zeros((3, 4))], dims=("channel", "time"), channel_groups="xyz")
    assert whole.channel_groups == ["x", "y", "z"]
    assert not [note for note in whole.notes if "group" in note]


def test_padding_at_the_end_of_trials_is_cut():
    cube = np.ones((3, 5, 2))
    cube[1, 3:] = np.nan
    cube[2, 1] = np.nan  # a gap, no padding
    trials = milcci.as_trials(cube, dims=("trial", "time", "channel"), times=np.arange(5) / 10)
    assert trials.lengths == [5, 3, 5]
    assert [len(times) for times in trials.times] == [5, 3, 5]
    assert any("1 trials end early" in note for note in trials.notes)


def test_masked_values_are_missing():
    masked = np.ma.masked_greater(np.arange(6).reshape(2, 3), 4)
    trials = milcci.as_trials([masked], dims=("channel", "time"))
    np.testing.assert_array_equal(trials[0], [[0, 1, 2], [3, 4, np.nan]])


def test_lengths_decide_what_the_axes_are():
    trials = milcci.as_trials([np.zeros((5, 3)), np.zeros((6, 3))])
    assert (trials.n_channels, trials.lengths) == (3, [5, 6])
    with pytest.raises(ValueError, match="which axis is which"):
        milcci.as_trials([np.zeros((5, 3)), np.zeros((5, 3))])
    named = milcci.as_trials([np.zeros((5, 3)), np.zeros((5, 3))], channel_names=["a", "b", "c"])
    assert named.n_channels == 3


def test_a_large_copy_is_told(monkeypatch):
    monkeypatch.setattr("milcci._arrays.LARGE", 1000)
    array = np.zeros((20, 30))
    with pytest.warns(milcci.Warning, match="copied"):
        milcci.as_trials([array], dims=("channel", "time"))
    milcci.as_trials([array], dims=("time", "channel"))
