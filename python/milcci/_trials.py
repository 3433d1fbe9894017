"""Trials: what was recorded, in memory of NumPy or of the library."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import axes_of, split
from ._frames import parts_of_frame
from ._labelled import labelled
from ._labels import Column, Columns, Order, by_number, is_frame, to_columns
from ._mne import is_mne, parts_of_epochs
from ._parquet import is_parquet, read_parquet
from ._parts import Parts, numbered
from ._pynapple import is_pynapple, parts_of_pynapple
from ._texts import path_text, plain, written
from ._times import time_stamps
from ._warnings import warn_each
from ._xarrays import is_xarray, parts_of_xarray

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._parameters import ReadKeywords, SimulateKeywords

Path = str | os.PathLike[str]

#: Keywords that say which column of a DataFrame is what.
FRAME_KEYWORDS = ("trial", "channel", "time", "value", "label_columns", "ignore_columns")
#: Keywords that say how recordings of pynapple are cut into trials.
PYNAPPLE_KEYWORDS = ("intervals", "bin_width", "channel_group")


@dataclass(frozen=True)
class Truth:
    """What simulated trials were made of."""

    components: dict[str, Any]  # per category channel x component x option
    traces: list[NDArray[np.float64]]  # per trial component x time


class Trials:
    """A recording: trials of the same channels, each with a value per label column.

    Made by `as_trials`, `read`, `simulate` and `prepare`. ``trials[m]`` is trial m as an array of
    channel x time, in place; ``trials[[3, 5]]`` and ``trials[:10]`` are some of the trials.
    """

    def __init__(self, recording: _core.Recording, orders: Mapping[str, Order] = {}) -> None:
        self._recording = recording
        self._orders = dict(orders)

    @property
    def n_channels(self) -> int:
        return self._recording.n_channels

    @property
    def lengths(self) -> list[int]:
        """Time points of every trial."""
        return [self._recording.n_times(m) for m in range(len(self))]

    @property
    def channel_names(self) -> list[str]:
        return self._recording.channel_names

    @property
    def channel_groups(self) -> list[str]:
        """Brain region, party, ... of every channel; empty if not known."""
        return self._recording.channel_groups

    @property
    def trial_names(self) -> list[str]:
        """Empty if trials are known by their number."""
        return self._recording.trial_names

    @property
    def times(self) -> list[NDArray[np.float64]]:
        """Time stamps of every trial; empty if all steps are one."""
        return [np.asarray(times) for times in self._recording.times]

    @property
    def labels(self) -> dict[str, NDArray[Any]]:
        """Every label column, with a value per trial."""
        return {name: np.asarray(values) for name, values in self._recording.labels}

    @property
    def notes(self) -> list[str]:
        """What was understood when the trials were read."""
        return self._recording.notes

    @property
    def history(self) -> list[str]:
        """What was done to the recording, a JSON object per step."""
        return self._recording.history

    @property
    def fingerprint(self) -> str:
        """A hash of values, labels and names of channels."""
        return self._recording.fingerprint()

    @property
    def truth(self) -> Truth | None:
        """What simulated trials were made of."""
        if not self._recording.has_truth:
            return None
        components = {}
        for name, options, values in self._recording.true_components():
            coords = {"channel": self.channel_names, "option": options}
            components[name] = labelled(values, ("channel", "component", "option"), coords, name)
        return Truth(components, self._recording.true_traces())

    @property
    def columns(self) -> Columns:
        """The label columns as the library knows them."""
        return {
            name: Column(values, self._orders.get(name, ()))
            for name, values in self._recording.labels
        }

    def with_labels(self, labels: Any, names: Sequence[str] = ()) -> Trials:
        """The same values, with these labels in place of those of the same names."""
        columns = {**self.columns, **to_columns(labels, names)}
        check_lengths(columns, len(self))
        recording = self._recording.with_labels([(n, c.values) for n, c in columns.items()])
        return Trials(recording, {name: c.order for name, c in columns.items()})

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes a trials file, which the command line reads."""
        with written():
            self._recording.write(path_text(path), overwrite)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies: the values as they are; a truth and a history, as a trials file."""
        recording = self._recording
        if len(self) and (recording.history or recording.has_truth):
            from ._memory import bytes_of  # only here, because of the time that its import takes

            return _from_file, (bytes_of(recording.write), self._orders)
        known = {
            "channel_names": recording.channel_names,
            "channel_groups": recording.channel_groups,
            "times": recording.times,
            "trial_names": recording.trial_names,
            "labels": recording.labels,
            "notes": recording.notes,
        }
        return _from_arrays, ([recording.values(m) for m in range(len(self))], known, self._orders)

    @property
    def shape(self) -> tuple[int]:
        """The number of trials: scikit-learn then chooses trials with all that is known of them."""
        return (len(self),)

    def __len__(self) -> int:
        return self._recording.n_trials

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[m] for m in range(len(self)))

    @overload
    def __getitem__(self, which: int) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, which: slice | Sequence[int] | NDArray[Any]) -> Trials: ...
    def __getitem__(self, which: Any) -> NDArray[Any] | Trials:
        if isinstance(which, (int, np.integer)):
            return np.asarray(self._recording.values(range(len(self))[which])).T
        chosen = np.arange(len(self))[which]
        if chosen.ndim != 1:
            raise IndexError(f"trials are chosen by a list, not by an array of {chosen.ndim} axes")
        return Trials(self._recording.some_trials(chosen.tolist()), self._orders)

    def __repr__(self) -> str:
        lengths = self.lengths
        low, high = min(lengths, default=0), max(lengths, default=0)
        points = f"{low}" if low == high else f"{low} to {high}"
        lines = [
            f"Trials: {len(self)} trials of {self.n_channels} channels and {points} time points"
        ]
        for name, values in self.labels.items():
            options = np.unique(values)
            shown = ", ".join(str(option) for option in options[:6])
            lines.append(
                f"  {name}: {shown}" + (f", ... ({len(options)})" if len(options) > 6 else "")
            )
        return "\n".join(lines)


def _from_file(content: bytes, orders: Mapping[str, Order]) -> Trials:
    from ._memory import from_bytes

    def read_trials(path: str) -> _core.Recording:
        return _core.read(path, "none", {}, 1)

    return Trials(from_bytes(read_trials, content), orders)


def _from_arrays(
    arrays: list[NDArray[Any]], known: dict[str, Any], orders: Mapping[str, Order]
) -> Trials:
    return Trials(_core.Recording.borrow(arrays=arrays, **known), orders)


def as_trials(
    trials: Any,
    labels: Any = None,
    *,
    dims: Sequence[str] | None = None,
    times: Any = None,
    channel_names: Sequence[Any] | None = None,
    channel_groups: Sequence[Any] | None = None,
    trial_names: Sequence[Any] | None = None,
    label_names: Sequence[str] = (),
    wanted_labels: Sequence[str] = (),
    numbers2tuples: Mapping[Any, Any] | None = None,
    threads: int = 0,
    **reading: Any,
) -> Trials:
    """Whatever holds trials, as `Trials`. Arrays are read in place where their order allows.

    Parameters
    ----------
    trials : Trials, array, list of arrays, DataArray, DataFrame, Epochs, TsGroup, ..., or path
        An array of three axes, or a list of arrays of channel x time or time x channel; an array
        of xarray, whose names decide; a DataFrame with a row per value (trial, channel, time,
        value) or per time point (trial, time, and a column per channel); or a file that `read`
        knows, or a table in a Parquet file. In arrays of three axes, time points without any value
        at the end of a trial are cut off. Epochs of MNE bring their metadata as labels. A TsGroup,
        TsdFrame or TsdTensor of pynapple is cut into trials by `intervals`, an IntervalSet, whose
        metadata are the labels.
    labels : DataFrame, dict, list, or path, optional
        A value per trial and category; they replace those that the trials bring along. A path
        beside a path: a table with one row per trial.
    dims : sequence of str, optional
        What the axes are: trial, channel and time, in their order, or as ``"trial,channel,time"``;
        without trial for lists of arrays. Not needed where known lengths leave only one reading.
    times : array, or list of arrays, optional
        Increasing time stamps, for all trials or for each. Unset: all steps are one.
    channel_names, channel_groups, trial_names : sequence, optional
    label_names : sequence of str
        Names of labels that are given without.
    wanted_labels : sequence of str
        Columns of a wide DataFrame that are labels, be they numbers; `fit` wants those of its
        categories.
    numbers2tuples : dict, optional
        What the numbers in `labels` stand for: a tuple with a value per category each.
    threads : int
        For reading trials files; 0 = all cores.
    **reading
        For DataFrames: which column is what (`trial`, `channel`, `time`, `value`, `label_columns`,
        `ignore_columns`). For pynapple: `intervals`, `bin_width` in seconds for spikes, and
        `channel_group`, a column of its metadata. For files: all that `read` knows.
    """
    if numbers2tuples is not None:
        labels = by_number(labels, numbers2tuples)
    described = {
        "times": times,
        "channel_names": channel_names,
        "channel_groups": channel_groups,
        "trial_names": trial_names,
    }
    _refuse_single({**described, "dims": dims})
    if isinstance(trials, (str, os.PathLike)) and is_parquet(trials):
        trials, labels = read_parquet(trials), _table_of(labels)
    if isinstance(trials, (str, os.PathLike, Trials)):
        _refuse({n: v for n, v in described.items() if v is not None}, "trials with their own")
    if isinstance(trials, (str, os.PathLike)):
        if dims is not None:
            reading["dims"] = axes_of(dims)
        if isinstance(labels, (str, os.PathLike)):
            reading["labels"], labels = labels, None
        found = read(trials, threads=threads, **reading)
        found = found if labels is None else found.with_labels(labels, label_names)
        _refuse_channels(wanted_labels, found)
        return found
    if isinstance(trials, Trials):
        _refuse(reading if dims is None else {"dims": dims}, "trials that were read already")
        found = trials if labels is None else trials.with_labels(labels, label_names)
        _refuse_channels(wanted_labels, found)
        return found
    columns = None if labels is None else to_columns(labels, label_names)
    n_trials = None if not columns else len(next(iter(columns.values())))
    wanted = [name for name in wanted_labels if name not in (columns or {})]
    parts = _parts(trials, dims, n_trials, channel_names, times, wanted, reading)
    if channel_names is not None:
        parts.channel_names = [str(name) for name in channel_names]
    if channel_groups is not None:
        parts.group_channels(channel_groups)
    if trial_names is not None:
        parts.trial_names = [str(name) for name in trial_names]
    if times is not None:
        parts.times = _times(times, [len(array) for array in parts.arrays])
    parts.labels.update(columns or {})
    return _borrowed(parts)


def _parts(
    trials: Any,
    dims: Sequence[str] | None,
    n_trials: int | None,
    channel_names: Sequence[Any] | None,
    times: Any,
    wanted_labels: Sequence[str],
    reading: dict[str, Any],
) -> Parts:
    if is_pynapple(trials):  # before frames: it has attributes of any name
        _refuse({k: v for k, v in reading.items() if k not in PYNAPPLE_KEYWORDS}, "pynapple")
        return parts_of_pynapple(trials, **reading)
    if is_frame(trials):
        _refuse({k: v for k, v in reading.items() if k not in FRAME_KEYWORDS}, "a DataFrame")
        return parts_of_frame(trials, **reading, wanted=wanted_labels)
    _refuse(reading, "arrays")
    if is_mne(trials):
        return parts_of_epochs(trials)
    if is_xarray(trials):
        return parts_of_xarray(trials, dims)
    if not hasattr(trials, "__len__") or isinstance(trials, (Mapping, bytes)):
        raise ValueError(
            f"trials of type {type(trials).__name__}: give arrays, a DataFrame or a path"
        )
    arrays, notes = split(
        trials,
        dims,
        n_trials=n_trials,
        n_channels=None if channel_names is None else len(channel_names),
        n_times=_n_times(times),
    )
    return Parts(arrays, numbered("channel", arrays[0].shape[1]), notes=notes)


def _refuse(keywords: Mapping[str, Any], what: str) -> None:
    if keywords:
        raise TypeError(f"{', '.join(keywords)}: has no meaning for {what}")


def _refuse_channels(wanted_labels: Sequence[str], found: Trials) -> None:
    """Columns of numbers of a wide table are channels, unless they are said to be labels."""
    channels = set(found.channel_names)
    for name in wanted_labels:
        if name in channels and name not in found.labels:
            raise ValueError(
                f"no label column {name!r}: it was read as a channel; "
                f"give label_columns=[{name!r}] where the table is read"
            )


def _table_of(labels: Any) -> Any:
    """Labels beside a Parquet file: their table, if they are a path."""
    if not isinstance(labels, (str, os.PathLike)):
        return labels
    if is_parquet(labels):
        return read_parquet(labels)
    raise ValueError(
        f"labels {os.fspath(labels)}: beside a Parquet file, give another one, or a DataFrame"
    )


def _is_list_of_times(times: Any) -> bool:
    return not isinstance(times, np.ndarray) and len(times) > 0 and np.ndim(next(iter(times))) > 0


def _n_times(times: Any) -> int | list[int] | None:
    if times is None:
        return None
    if not _is_list_of_times(times):
        return int(np.shape(times)[-1])
    for m, one in enumerate(times):
        if np.ndim(one) != 1:
            raise ValueError(f"times of trial {m + 1}: must be a list, is {one!r}")
    return [len(one) for one in times]


def _times(times: Any, lengths: list[int]) -> list[NDArray[np.float64]]:
    """Per trial; the same for all of them are cut to the length of each."""
    if _is_list_of_times(times):
        return [time_stamps(one) for one in times]
    shared = time_stamps(times)
    if shared.ndim == 2:
        if len(shared) != len(lengths):
            raise ValueError(f"times: {len(shared)} of them, expected {len(lengths)}")
        return [one[:n] for one, n in zip(shared, lengths, strict=True)]
    if len(shared) < max(lengths):
        raise ValueError(
            f"times: {len(shared)} of them, the longest trial has {max(lengths)} time points"
        )
    return [shared[:n] for n in lengths]


def _refuse_single(described: Mapping[str, Any]) -> None:
    for name, given in described.items():
        is_text = isinstance(given, (str, bytes)) and name == "times"  # others may have short names
        is_single = not hasattr(given, "__len__") or getattr(given, "ndim", 1) == 0
        if given is not None and (is_text or is_single or isinstance(given, Mapping)):
            raise ValueError(f"{name}: must be a list, is {given!r}")


def check_lengths(columns: Columns, n_trials: int, word: str = "trial") -> None:
    for name, column in columns.items():
        if len(column) != n_trials:
            raise ValueError(
                f"label column {name}: {len(column)} values, expected {n_trials}, one per {word}"
            )


def _borrowed(parts: Parts) -> Trials:
    if parts.arrays[0].shape[1] == 0:
        raise ValueError("no channels: trial 1 has none")
    for what, list_, expected in (
        ("channel_names", parts.channel_names, parts.arrays[0].shape[1]),
        ("channel_groups", parts.channel_groups, parts.arrays[0].shape[1]),
        ("trial_names", parts.trial_names, len(parts.arrays)),
        ("times", parts.times, len(parts.arrays)),
    ):
        if list_ and len(list_) != expected:
            raise ValueError(f"{what}: {len(list_)} of them, expected {expected}")
    for m, array in enumerate(parts.arrays):
        if array.shape[1] != len(parts.channel_names):
            raise ValueError(
                f"trial {m + 1}: {array.shape[1]} channels, expected {len(parts.channel_names)} "
                "as in trial 1; fill those that were not recorded with NaN"
            )
    check_lengths(parts.labels, len(parts.arrays))
    for what, names in (
        ("channel_names", parts.channel_names),
        ("channel_groups", parts.channel_groups),
        ("trial_names", parts.trial_names),
    ):
        for name in names:
            plain(what, name)
    recording = _core.Recording.borrow(
        arrays=parts.arrays,
        channel_names=parts.channel_names,
        channel_groups=parts.channel_groups,
        times=parts.times,
        trial_names=parts.trial_names,
        labels=[(name, column.values) for name, column in parts.labels.items()],
        notes=parts.notes,
    )
    return Trials(recording, {name: column.order for name, column in parts.labels.items()})


def read(
    path: Path, *, recipe: str = "none", threads: int = 0, **keywords: Unpack[ReadKeywords]
) -> Trials:
    """Reads a recording of any format that the library knows, or a public data set by its recipe.

    A trials file, CSV, NPY, NPZ, MAT, HDF5, NWB or Parquet, recognised by its content. What was
    understood is in the notes of the result. The keywords are those of the command line, with
    underscores; for Parquet, those of DataFrames.
    """
    if recipe == "none" and is_parquet(path):
        return as_trials(path, threads=threads, **keywords)
    options: dict[str, Any] = dict(keywords)
    if isinstance(options.get("dims"), str):
        options["dims"] = axes_of(options["dims"])
    if "labels" in options:
        options["labels"] = path_text(options["labels"])
    return Trials(_core.read(path_text(path), recipe, options, threads))


def simulate(
    preset: str = "paper",
    *,
    categories: Sequence[str] = (),
    length: int | None = None,
    **keywords: Unpack[SimulateKeywords],
) -> Trials:
    """Trials with known components and traces.

    Parameters
    ----------
    preset : {'paper', 'recording'}
        What to start from; all else changes it.
    categories : sequence of str
        ``"NAME=COUNT:OPTIONS[:KIND]"`` each, in place of the preset's.
    length : int, optional
        The same length for all trials.
    **keywords
        As on the command line, with underscores: ``n_channels``, ``n_trials``, ``noise``, ...
    """
    options: dict[str, Any] = dict(keywords)
    if length is not None:
        options.update(min_length=length, max_length=length)
    return Trials(_core.simulate(preset, list(categories), options))


def prepare(trials: Any, labels: Any = None, *, recipe: str = "none", **keywords: Any) -> Trials:
    """Trials as they will be fitted: labels made of numbers, trials left out, values scaled.

    Parameters
    ----------
    trials, labels
        As in `as_trials`.
    recipe : {'none', 'elections', 'pageviews'}
        How the files of a public data set become trials.
    **keywords
        The steps, in the order of the command line: `number_trials`, `bin_label`, `block_label`,
        `drop_trials`, `smooth`, `scale`; written as there (``scale="zscore:all"``), or as a dict.
        All others are those of `as_trials`.
    """
    steps = {str(field["name"]) for field in _core.prepare_fields()}
    asked = {name: value for name, value in keywords.items() if name in steps}
    others = {name: value for name, value in keywords.items() if name not in steps}
    if recipe != "none":
        given = read(trials, recipe=recipe, **others)
    else:
        given = as_trials(trials, labels, **others)
    prepared, warnings = _core.prepare(given._recording, asked)
    warn_each(warnings, depth=1)
    return Trials(prepared, given._orders)
