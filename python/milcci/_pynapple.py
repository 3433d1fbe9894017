"""Time series and spikes of pynapple as trials: an IntervalSet says from when to when they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import number_array, packed
from ._labels import Columns, to_columns
from ._parts import Parts

SERIES = ("Tsd", "TsdFrame", "TsdTensor")


def is_pynapple(thing: Any) -> bool:
    """Whether it is a TsGroup, or a series of values; without importing pynapple."""
    kind = type(thing)
    return kind.__module__.startswith("pynapple.") and kind.__name__ in (*SERIES, "TsGroup")


def parts_of_pynapple(
    recorded: Any,
    *,
    intervals: Any = None,
    bin_width: float | None = None,
    channel_group: str | None = None,
) -> Parts:
    """A trial per interval, with times from its start.

    Values of series are taken as they are; spikes of a group become spikes per second in bins of
    `bin_width` seconds, missing where nothing was recorded. Labels are the metadata of the
    intervals, groups of channels a column of the metadata of `recorded`.
    """
    name = type(recorded).__name__
    if intervals is None:
        raise ValueError(f"a {name} is one long recording: give intervals=, an IntervalSet")
    bounds = _bounds(intervals)
    if name == "TsGroup":
        if not isinstance(bin_width, (int, float, np.number, type(None))):
            raise TypeError(f"`bin_width` = {bin_width!r}: must be a number of seconds, above 0")
        if bin_width is None or not bin_width > 0:
            raise ValueError("spikes are counted in bins: give bin_width= in seconds, above 0")
        parts = _rates(recorded, bounds, float(bin_width))
    elif bin_width is not None:
        raise ValueError(f"a {name} has a value per time point: bin_width= has no meaning for it")
    else:
        parts = _pieces(recorded, bounds)
    parts.labels = _metadata(intervals)
    if channel_group is not None:
        groups = _metadata(recorded)
        if channel_group not in groups:
            raise ValueError(
                f"there is no metadata {channel_group}; there is {', '.join(groups) or 'none'}"
            )
        parts.group_channels(groups[channel_group].values)
    return parts


def _bounds(intervals: Any) -> NDArray[np.float64]:
    if not hasattr(intervals, "start") or not hasattr(intervals, "end"):
        raise ValueError(f"intervals of type {type(intervals).__name__}; give an IntervalSet")
    bounds = np.column_stack([np.asarray(intervals.start), np.asarray(intervals.end)])
    if len(bounds) == 0:
        raise ValueError("no trials: the IntervalSet is empty")
    return bounds.astype(np.float64)


def _metadata(thing: Any) -> Columns:
    names = getattr(thing, "metadata_columns", [])
    return to_columns({str(name): thing.get_info(name) for name in names}, ())


def _pieces(series: Any, bounds: NDArray[np.float64]) -> Parts:
    """Stretches of the series, in place where its numbers are in order."""
    times = np.asarray(series.t)
    values = number_array(series.d, "the series")
    if values.ndim != 2:  # of one channel, or of a channel per place in a picture
        names = _places(values.shape[1:])
        values = values.reshape(len(values), -1)
    else:
        columns = getattr(series, "columns", range(values.shape[1]))
        names = [str(column) for column in columns]
    parts = Parts([], channel_names=names)
    for m, (start, end) in enumerate(bounds):
        first, last = np.searchsorted(times, start, "left"), np.searchsorted(times, end, "right")
        if first == last:
            raise ValueError(f"trial {m + 1}: no time points from {start:g} to {end:g} s")
        parts.arrays.append(values[first:last])
        parts.times.append(times[first:last] - start)
    parts.arrays = packed(parts.arrays)
    parts.notes = [f"pynapple: {len(names)} channels in {len(bounds)} intervals"]
    return parts


def _places(shape: Sequence[int]) -> list[str]:
    return [",".join(map(str, place)) or "0" for place in np.ndindex(*shape)]


def _rates(group: Any, bounds: NDArray[np.float64], width: float) -> Parts:
    units = list(group.keys())
    trains = [np.asarray(group[unit].t) for unit in units]
    support = _bounds(group.time_support)
    parts = Parts([], channel_names=[str(unit) for unit in units])
    n_missing = 0
    for m, (start, end) in enumerate(bounds):
        n_bins = int((end - start) / width + 1e-6)
        if n_bins < 1:
            raise ValueError(f"trial {m + 1}: {end - start:g} s, shorter than a bin of {width:g} s")
        edges = start + width * np.arange(n_bins + 1)
        counts = [np.diff(np.searchsorted(train, edges, "left")) for train in trains]
        rates = np.column_stack(counts) / width
        is_observed = np.zeros(n_bins, dtype=bool)
        slack = 1e-6 * width
        for low, high in support:
            is_observed |= (edges[:-1] >= low - slack) & (edges[1:] <= high + slack)
        rates[~is_observed] = np.nan
        n_missing += int((~is_observed).sum())
        parts.arrays.append(np.ascontiguousarray(rates, dtype=np.float64))
        parts.times.append((np.arange(n_bins) + 0.5) * width)
    parts.notes = [
        f"pynapple: spikes per second of {len(units)} units in bins of {width:g} s, "
        f"{len(bounds)} intervals"
    ]
    if n_missing:
        parts.notes.append(f"{n_missing} bins are outside the time support, and missing")
    return parts
