"""Arrays as trials: which axis is which; views where the order of numbers allows, else copies."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._warnings import Warning

AXES = ("trial", "channel", "time")
Dims = tuple[str, ...]

#: Copies of more bytes than this are told.
LARGE = 1 << 30


def split(
    trials: Any,
    dims: Sequence[str] | None,
    *,
    n_trials: int | None = None,
    n_channels: int | None = None,
    n_times: Sequence[int] | int | None = None,
) -> tuple[list[NDArray[Any]], list[str]]:
    """One array of time x channel per trial, and notes of what was understood.

    `trials` is an array of three axes, or of two if there is one trial, or a list of arrays of two
    axes. Known lengths decide what the axes are if `dims` does not say it.
    """
    if isinstance(trials, np.ndarray) and trials.dtype != object:
        return _split_array(trials, dims, n_trials, n_channels, n_times)
    arrays = [number_array(trial, f"trial {m + 1}") for m, trial in enumerate(trials)]
    if not arrays:
        raise ValueError("no trials: the list is empty")
    for m, array in enumerate(arrays):
        if array.ndim != 2:
            raise ValueError(
                f"trial {m + 1}: has {array.ndim} axes {array.shape}, expected channel and time"
            )
    lengths = (
        [n_times] * len(arrays) if isinstance(n_times, int) or n_times is None else list(n_times)
    )
    found = _dims_of_list([array.shape for array in arrays], dims, n_channels, lengths)
    views = [array.T if found == ("channel", "time") else array for array in arrays]
    return packed(views), [f"{len(views)} arrays, axes = {', '.join(found)}"]


def packed(views: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """The same in C order, float32 or float64. Only what is otherwise is copied."""
    n_bytes = sum(view.size * 8 for view in views if not _is_packed(view))
    if n_bytes > LARGE:
        warnings.warn(
            f"{n_bytes / 1e9:.1f} GB are copied; arrays of time x channel in C order, "
            "float32 or float64, are read in place",
            Warning,
            stacklevel=5,
        )
    return [view if _is_packed(view) else _packed(view) for view in views]


def _is_packed(array: NDArray[Any]) -> bool:
    is_known = array.dtype in (np.float32, np.float64) and array.dtype.isnative
    return is_known and array.flags.c_contiguous and array.flags.aligned


def _packed(array: NDArray[Any]) -> NDArray[Any]:
    kind = np.float32 if array.dtype in (np.float16, np.float32) else np.float64
    return np.ascontiguousarray(array, dtype=kind)


def number_array(values: Any, what: str) -> NDArray[Any]:
    """An array of numbers, or an error that says what it is instead."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{what}: is no array of numbers: {error}") from None
    if array.dtype.kind not in "biuf":
        advice = {
            "c": "give its real part or its size",
            "O": "convert it with astype(float)",
        }.get(array.dtype.kind, "give numbers")
        raise ValueError(f"{what}: values of type {array.dtype}; {advice}")
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    return array


def _split_array(
    trials: NDArray[Any],
    dims: Sequence[str] | None,
    n_trials: int | None,
    n_channels: int | None,
    n_times: Sequence[int] | int | None,
) -> tuple[list[NDArray[Any]], list[str]]:
    array = number_array(trials, "the array")
    if array.ndim == 2:
        arrays, notes = split([array], dims, n_channels=n_channels, n_times=n_times)
        return arrays, [f"one trial, {notes[0]}"]
    if array.ndim != 3:
        raise ValueError(
            f"the array has {array.ndim} axes {array.shape}; expected three "
            "(trial, channel, time), or a list of arrays of two"
        )
    length = n_times if isinstance(n_times, int) else None
    found = _dims_of_cube(array.shape, dims, n_trials, n_channels, length)
    cube = array.transpose([found.index(axis) for axis in ("trial", "time", "channel")])
    if len(cube) == 0:
        raise ValueError(f"no trials: the array has shape {array.shape}")
    trimmed = [_without_padding(trial) for trial in cube]
    notes = [f"array {array.shape}, axes = {', '.join(found)}"]
    n_cut = sum(len(trial) < cube.shape[1] for trial in trimmed)
    if n_cut:
        notes.append(f"{n_cut} trials end early: time points without any value cut off")
    return packed(trimmed), notes


def _without_padding(trial: NDArray[Any]) -> NDArray[Any]:
    """Without time points at its end that have no value. One without any value stays as it is."""
    if trial.dtype.kind != "f" or trial.size == 0 or not np.isnan(trial[-1]).all():
        return trial
    observed = np.flatnonzero(~np.isnan(trial).all(axis=1))
    return trial[: observed[-1] + 1] if observed.size else trial


def axes_of(dims: Sequence[str]) -> Dims:
    """Names of axes, which may be one text, as on the command line."""
    return tuple(dims.replace(" ", "").split(",")) if isinstance(dims, str) else tuple(dims)


def _checked(dims: Sequence[str], n_axes: int) -> Dims:
    expected = AXES if n_axes == 3 else AXES[1:]
    names = axes_of(dims)
    if len(names) != len(expected) or set(names) != set(expected):
        raise ValueError(
            f"`dims` = {names}: must be {', '.join(expected)} in the order of the axes"
        )
    return names


def _dims_of_list(
    shapes: list[tuple[int, ...]],
    dims: Sequence[str] | None,
    n_channels: int | None,
    n_times: Sequence[int | None],
) -> Dims:
    if dims is not None:
        return _checked(dims, 2)
    possible = []
    for axes in (("channel", "time"), ("time", "channel")):
        channels = {shape[axes.index("channel")] for shape in shapes}
        times = [shape[axes.index("time")] for shape in shapes]
        fits_names = n_channels is None or channels == {n_channels}
        fits_times = len(n_times) == len(times) and all(
            known in (None, found) for known, found in zip(n_times, times, strict=True)
        )
        if len(channels) == 1 and fits_names and fits_times:
            possible.append(axes)
    if len(possible) == 1:
        return possible[0]
    shown = ", ".join(str(shape) for shape in shapes[:3]) + (", ..." if len(shapes) > 3 else "")
    if possible:
        raise ValueError(
            f"the trials have shapes {shown}: which axis is which? "
            "give dims=('channel', 'time') or dims=('time', 'channel')"
        )
    raise ValueError(
        f"the trials have shapes {shown}, and neither axis suits as channels, which are the same "
        "in all trials and as many as their names; fill those that were not recorded with NaN"
    )


def _dims_of_cube(
    shape: tuple[int, ...],
    dims: Sequence[str] | None,
    n_trials: int | None,
    n_channels: int | None,
    n_times: int | None,
) -> Dims:
    if dims is not None:
        return _checked(dims, 3)
    known = {"trial": n_trials, "channel": n_channels, "time": n_times}
    possible = [
        axes
        for axes in itertools.permutations(AXES)
        if all(known[axis] in (None, length) for axis, length in zip(axes, shape, strict=True))
    ]
    if len(possible) == 1:
        return possible[0]
    if not possible:
        told = ", ".join(f"{count} {axis}s" for axis, count in known.items() if count is not None)
        raise ValueError(f"the array has shape {shape}, which does not suit {told}")
    choices = " or ".join(str(axes) for axes in possible)
    raise ValueError(f"the array has shape {shape}: which axis is which? give dims={choices}")
