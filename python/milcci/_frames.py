"""DataFrames as trials, of pandas or polars: a row per value (long) or per time point (wide)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._labels import Column, Columns, column, number_text, refuse_duplicates
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
    wanted: Sequence[str] = (),
) -> Parts:
    """Columns that are not named are recognised by their usual names, as in files of tables.

    Those that are `wanted` are labels, if they are there and nothing else.
    """
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
    trials, rows = rows_of_trials({name: column(name, columns[name]) for name in trial_columns})
    channel = channel or usual_name("channel", names)
    value = value or usual_name("value", names)
    time = time or usual_name("time", names)
    if channel is not None and value is not None:
        if time is None:
            raise ValueError(
                f"which column has the times? give time=; there are {', '.join(names)}"
            )
        used = {channel, time, value, *trial_columns}
        parts = _long(columns, trials, rows, channel, time, value)
    else:
        used = {time or "", *trial_columns}
        others = {*used, *_several(label_columns), *wanted}
        channels = [n for n in names if n not in others and _is_numeric(columns[n])]
        if not channels:
            raise ValueError(
                f"no column of numbers is left for the channels; there are {', '.join(names)}"
            )
        used.update(channels)
        parts = _wide(columns, trials, rows, channels, time)
    said, free = _several(label_columns), [n for n in names if n not in used]
    labels = [*said, *(n for n in free if n in wanted)] if said else free
    parts.labels = labels_of_trials(
        {name: column(name, columns[name]) for name in [*trial_columns, *labels]},
        rows,
        trials,
    )
    return parts


def _several(names: str | Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)


def _is_numeric(series: Any) -> bool:
    """Whether a column may be a channel; what is true or false is a label, as in files."""
    return np.asarray(series[:1]).dtype.kind in "iuf" and not hasattr(series.dtype, "categories")


def rows_of_trials(columns: Columns) -> tuple[list[str], list[NDArray[np.intp]]]:
    """Names and rows of the trials: sorted by number, or in the order they appear in.

    The columns together name the trials.
    """
    for name, of_name in columns.items():
        _refuse_missing(name, of_name)
    keys = [of_name.values for of_name in columns.values()]
    code = np.zeros(len(keys[0]), dtype=np.intp)
    for key in keys:
        _, of_key = np.unique(np.asarray(key), return_inverse=True)
        # Counted anew by every column: the product of their counts may be larger than any number.
        code = np.unique(code * (int(of_key.max()) + 1) + of_key, return_inverse=True)[1]
    _, first = np.unique(code, return_index=True)
    is_numbered = len(keys) == 1 and not isinstance(keys[0], list)
    order = np.arange(len(first)) if is_numbered else np.argsort(first)
    by_trial = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    parts = [[key[first[i]] for key in keys] for i in order]
    names = [" ".join(map(number_text, of_trial)) for of_trial in parts]
    if len(set(names)) < len(names):  # ("a b", "c") and ("a", "b c")
        names = [" ".join(map(_quoted, of_trial)) for of_trial in parts]
    return names, [by_trial[i] for i in order]


def _refuse_missing(name: str, names: Column) -> None:
    values = np.asarray(names.values)
    missing = np.flatnonzero(values == "" if isinstance(names.values, list) else np.isnan(values))
    if missing.size:
        raise ValueError(f"{name}: row {missing[0]} names none")


def _quoted(value: Any) -> str:
    return repr(str(value)) if isinstance(value, str) else number_text(value)


def _values(name: str, series: Any) -> NDArray[np.float64]:
    array = np.asarray(series)
    try:
        if array.dtype.kind in "cmM":  # part of it would be dropped, or its unit
            raise TypeError
        return array.astype(np.float64)
    except (ValueError, TypeError):
        raise ValueError(f"column {name}: values that are no numbers") from None


def _long(
    columns: dict[str, Any],
    trials: list[str],
    rows: list[NDArray[np.intp]],
    channel: str,
    time: str,
    value: str,
) -> Parts:
    of_rows = column(channel, columns[channel])
    _refuse_missing(channel, of_rows)
    names, first, channels = np.unique(
        np.asarray(of_rows.values), return_index=True, return_inverse=True
    )
    order = np.argsort(first)  # as they appear
    place = np.argsort(order)[channels]
    times, values = time_stamps(columns[time]), _values(value, columns[value])
    parts = Parts([], [number_text(names[i]) for i in order], trial_names=trials)
    for trial, of_trial in zip(trials, rows, strict=True):
        stamps, at = np.unique(times[of_trial], return_inverse=True)
        array = np.full((len(stamps), len(names)), np.nan)
        cells = at * len(names) + place[of_trial]
        if len(np.unique(cells)) < len(cells):
            raise ValueError(f"trial {trial}: several values of one channel at one time")
        array.flat[cells] = values[of_trial]
        parts.arrays.append(array)
        parts.times.append(stamps)
    parts.notes = [
        f"long table: channel = {channel}, time = {time}, value = {value}; {len(rows)} trials"
    ]
    return parts


def _wide(
    columns: dict[str, Any],
    trials: list[str],
    rows: list[NDArray[np.intp]],
    channels: list[str],
    time: str | None,
) -> Parts:
    values = np.column_stack([_values(name, columns[name]) for name in channels])
    times = None if time is None else time_stamps(columns[time])
    parts = Parts([], channel_names=channels, trial_names=trials)
    for trial, of_trial in zip(trials, rows, strict=True):
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
