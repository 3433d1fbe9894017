"""DataFrames as trials, of pandas or polars: a row per value (long) or per time point (wide)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._labels import Column, Columns, column, refuse_duplicates
from ._names import usual_name
from ._parts import Parts
from ._times import time_stamps


def parts_of_frame(
    frame: Any,
    *,
    trial: str | Sequence[str] | None = None,
    channel: str | None = None,
    time: str | None = None,
    value: str | None = None,
    label_columns: str | Sequence[str] | None = None,
    ignore_columns: str | Sequence[str] = (),
) -> Parts:
    """Columns that are not named are recognised by their usual names, as in files of tables."""
    ignored = set(_several(ignore_columns))
    names = [str(name) for name in frame.columns]
    refuse_duplicates(names)
    columns = {
        n: frame[key] for n, key in zip(names, frame.columns, strict=True) if n not in ignored
    }
    names = list(columns)
    if len(frame) == 0:
        raise ValueError("no trials: the table has no rows")
    trial_columns = _several(trial) or _several(usual_name("trial", names))
    if not trial_columns:
        raise ValueError(
            f"which column names the trials? give trial=; there are {', '.join(names)}"
        )
    asked = [*trial_columns, channel, time, value, *_several(label_columns)]
    for name in asked:
        if name is not None and name not in columns:
            raise ValueError(f"there is no column {name}; there are {', '.join(names)}")
    rows = rows_of_trials({name: column(name, columns[name]) for name in trial_columns})
    channel = channel or usual_name("channel", names)
    value = value or usual_name("value", names)
    time = time or usual_name("time", names)
    if channel is not None and value is not None:
        if time is None:
            raise ValueError(
                f"which column has the times? give time=; there are {', '.join(names)}"
            )
        used = {channel, time, value, *trial_columns}
        parts = _long(columns, rows, channel, time, value)
    else:
        used = {time or "", *trial_columns, *_several(label_columns)}
        channels = [n for n in names if n not in used and _is_numeric(columns[n])]
        if not channels:
            raise ValueError(
                f"no column of numbers is left for the channels; there are {', '.join(names)}"
            )
        used.update(channels)
        parts = _wide(columns, rows, channels, time)
    labels = _several(label_columns) or [n for n in names if n not in used]
    parts.labels = labels_of_trials(
        {name: column(name, columns[name]) for name in [*trial_columns, *labels]},
        list(rows.values()),
        list(rows),
    )
    return parts


def _several(names: str | Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)


def _is_numeric(series: Any) -> bool:
    return np.asarray(series[:1]).dtype.kind in "biuf" and not hasattr(series.dtype, "categories")


def rows_of_trials(columns: Columns) -> dict[str, NDArray[np.intp]]:
    """The rows of every trial by its name: sorted by number, or in the order they appear in.

    The columns together name the trials.
    """
    keys = [of_name.values for of_name in columns.values()]
    codes = np.zeros(len(keys[0]), dtype=np.int64)
    for key in keys:
        _, code = np.unique(np.asarray(key), return_inverse=True)
        codes = codes * (int(code.max()) + 1) + code
    unique, first, code = np.unique(codes, return_index=True, return_inverse=True)
    is_numbered = len(keys) == 1 and not isinstance(keys[0], list)
    order = np.arange(len(unique)) if is_numbered else np.argsort(first)
    by_trial = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    names = {}
    for i in order:
        names[" ".join(_text(key[first[i]]) for key in keys)] = by_trial[i]
    return names


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _values(name: str, series: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(series).astype(np.float64)
    except (ValueError, TypeError):
        raise ValueError(f"column {name}: values that are no numbers") from None


def _long(
    columns: dict[str, Any], rows: dict[str, NDArray[np.intp]], channel: str, time: str, value: str
) -> Parts:
    names, first, channels = np.unique(
        np.asarray(column(channel, columns[channel]).values), return_index=True, return_inverse=True
    )
    order = np.argsort(first)  # as they appear
    place = np.argsort(order)[channels]
    times, values = time_stamps(columns[time]), _values(value, columns[value])
    parts = Parts([], channel_names=[_text(names[i]) for i in order])
    for trial, of_trial in rows.items():
        stamps, at = np.unique(times[of_trial], return_inverse=True)
        array = np.full((len(stamps), len(names)), np.nan)
        cells = at * len(names) + place[of_trial]
        if len(np.unique(cells)) < len(cells):
            raise ValueError(f"trial {trial}: several values of one channel at one time")
        array.flat[cells] = values[of_trial]
        parts.arrays.append(array)
        parts.times.append(stamps)
    parts.trial_names = list(rows)
    parts.notes = [
        f"long table: channel = {channel}, time = {time}, value = {value}; {len(rows)} trials"
    ]
    return parts


def _wide(
    columns: dict[str, Any],
    rows: dict[str, NDArray[np.intp]],
    channels: list[str],
    time: str | None,
) -> Parts:
    values = np.column_stack([_values(name, columns[name]) for name in channels])
    times = None if time is None else time_stamps(columns[time])
    parts = Parts([], channel_names=channels, trial_names=list(rows))
    for trial, of_trial in rows.items():
        if times is not None:
            of_trial = of_trial[np.argsort(times[of_trial], kind="stable")]
            if (np.diff(times[of_trial]) <= 0).any():
                raise ValueError(f"trial {trial}: several rows of one time")
            parts.times.append(times[of_trial])
        parts.arrays.append(np.ascontiguousarray(values[of_trial]))
    told = "rows in their order" if time is None else f"time = {time}"
    parts.notes = [f"wide table: {told}, {len(channels)} channels; {len(rows)} trials"]
    return parts


def labels_of_trials(
    columns: Columns, rows: Sequence[NDArray[np.intp]], trials: Sequence[str]
) -> Columns:
    """A label per trial, of columns that have one per row and the same in all rows of a trial."""
    labels = {}
    first = np.array([of_trial[0] for of_trial in rows])
    for name, whole in columns.items():
        values = np.asarray(whole.values)
        for trial, of_trial in zip(trials, rows, strict=True):
            here = values[of_trial]
            if not ((here == here[0]) | ((here != here) & (here[0] != here[0]))).all():
                raise ValueError(f"label column {name}: differs between rows of trial {trial}")
        picked = values[first]
        is_text = isinstance(whole.values, list)
        labels[name] = Column([str(text) for text in picked] if is_text else picked, whole.order)
    return labels
