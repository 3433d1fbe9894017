"""A look at trials before a fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._trials import Trials
from ._source import grouped, label_of_time, trials_of
from ._style import (
    COLOURS,
    COLUMN,
    MAP,
    colour_bar,
    heat_map,
    height_of_list,
    name_groups,
    name_matrix,
    name_ticks,
    new_axes,
    nothing_to_see,
    shorten,
    some_of,
    text_on,
    tidy,
    time_map,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def channel_correlations(trials: Any, *, n_channels: int = 300, ax: Axes | None = None) -> Axes:
    """Correlations between channels over all time points of all trials.

    Parameters
    ----------
    trials : Trials, or what `as_trials` takes
    n_channels : int
        Most channels to show: the first ones.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> ax = milcci.plot.channel_correlations(trials)
    """
    recording = trials_of(trials)
    values = np.concatenate([np.asarray(trial) for trial in recording], axis=1)[:n_channels]
    ax = new_axes(ax, COLUMN, 2.8)
    heat_map(ax, _correlations(values), "correlation")
    names = recording.channel_names[:n_channels]
    what = some_of(len(names), recording.n_channels, "channels")
    name_matrix(ax, names, what, what)
    return ax


def trial_correlations(trials: Any, by: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Correlations between trials over channels and time, sorted by a label.

    Trials of unequal length are compared over the time points that both have.

    Parameters
    ----------
    trials : Trials, or what `as_trials` takes
    by : str, optional
        Label column to sort by. Unset: the order of the trials.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> ax = milcci.plot.trial_correlations(trials, by="choice")
    """
    recording = trials_of(trials)
    values = np.full((len(recording), recording.n_channels, max(recording.lengths)), np.nan)
    for m, one in enumerate(recording):
        values[m, :, : one.shape[1]] = one
    n = len(recording)
    order = np.arange(n)
    ax = new_axes(ax, COLUMN, 2.8)
    options: list[str] = []
    if by is not None:
        options, of_trial = grouped(_column(recording, by))
        order = np.argsort(of_trial, kind="stable")
    # Trials are counted from 1, as in other pictures.
    found = _correlations(values.reshape(n, -1)[order])
    heat_map(ax, found, "correlation", (0.5, n + 0.5, n + 0.5, 0.5))
    ax.tick_params(labelsize="x-small")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_label_text("trial" if by is None else f"trials by {by}", fontsize="small")
        whole_numbers(axis)
    if 0 < len(options) <= 20:
        sizes = np.array([(of_trial == i).sum() for i in range(len(options))])
        ends = np.cumsum(sizes) + (of_trial < 0).sum()
        name_groups(ax.xaxis, ends - sizes / 2 + 0.5, options, n)
        name_groups(ax.yaxis, ends - sizes / 2 + 0.5, options, n)
        for end in ends[:-1]:
            ax.axhline(end + 0.5, color="white", linewidth=0.8)
            ax.axvline(end + 0.5, color="white", linewidth=0.8)
    return ax


def raster(
    trials: Any, number: int = 0, *, time_unit: str | None = None, ax: Axes | None = None
) -> Axes:
    """The values of one trial: channels down, time across.

    Parameters
    ----------
    trials : Trials, or what `as_trials` takes
    number : int
        Of the trial, from 0.
    time_unit : str, optional
        Of the trials' times, for the axis: ``"s"``. Files do not tell it.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> ax = milcci.plot.raster(trials, 3)
    """
    recording = trials_of(trials)
    values = np.asarray(recording[number], dtype=np.float64)
    stamps = recording.times[number] if recording.times else np.arange(values.shape[1])
    ax = new_axes(ax, COLUMN + 0.5, height_of_list(len(values), 6.0))
    image = time_map(ax, np.asarray(stamps, dtype=np.float64), values)
    colour_bar(image, ax, "value")
    name_ticks(ax.yaxis, recording.channel_names, some_of(len(values), len(values), "channels"))
    words = label_of_time("time" if recording.times else "", time_unit)
    ax.set_xlabel(words, fontsize="small")
    name = recording.trial_names[number] if recording.trial_names else str(number + 1)
    ax.set_title(f"trial {shorten(name)}", fontsize="small")
    ax.tick_params(labelsize="x-small")
    return ax


def rates(trials: Any, *, ax: Axes | None = None) -> Axes:
    """Mean and standard deviation of every channel over all trials.

    Parameters
    ----------
    trials : Trials, or what `as_trials` takes
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> ax = milcci.plot.rates(trials)
    """
    recording = trials_of(trials)
    values = np.concatenate([np.asarray(trial, dtype=np.float64) for trial in recording], axis=1)
    mean, spread = np.nanmean(values, axis=1), np.nanstd(values, axis=1)
    ax = new_axes(ax, COLUMN, height_of_list(len(mean)))
    order = np.argsort(mean, kind="stable")
    ax.errorbar(
        mean[order],
        np.arange(len(mean)),
        xerr=spread[order],
        fmt="o",
        color=COLOURS[0],
        ecolor="0.75",
        markersize=3,
        linewidth=0.8,
    )
    tidy(ax)
    ax.set_ylim(-0.8, len(mean) - 0.2)
    names = [recording.channel_names[n] for n in order]
    name_ticks(ax.yaxis, names, some_of(len(names), len(names), "channels"))
    ax.set_xlabel("value, mean ± standard deviation", fontsize="small")
    return ax


def trial_counts(
    trials: Any, labels: Sequence[str] | None = None, *, ax: Axes | None = None
) -> Axes:
    """How many trials every value of a label, or every pair of two labels, has.

    Parameters
    ----------
    trials : Trials, or what `as_trials` takes
    labels : one or two label columns, optional
        Unset: the first two that have a few values.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> ax = milcci.plot.trial_counts(trials, ["difficulty", "choice"])
    """
    recording = trials_of(trials)
    chosen = [labels] if isinstance(labels, str) else list(labels or _usual_labels(recording))
    if not recording.labels:
        raise ValueError("the trials have no labels to count")
    if not 1 <= len(chosen) <= 2:
        raise ValueError(f"`labels` has {len(chosen)} names, must be one or two")
    found = [grouped(_column(recording, name)) for name in chosen]
    if len(found) == 1:
        options, of_trial = found[0]
        ax = new_axes(ax, COLUMN, 2.2)
        counts = [int((of_trial == i).sum()) for i in range(len(options))]
        ax.bar(range(len(options)), counts, color=COLOURS[0])
        tidy(ax)
        name_ticks(ax.xaxis, options, chosen[0])
        ax.set_ylabel("trials", fontsize="small")
        whole_numbers(ax.yaxis)
        return ax
    (rows, row_of), (columns, column_of) = found
    counts_2d = np.zeros((len(rows), len(columns)))
    for row, column in zip(row_of, column_of, strict=True):
        if row >= 0 and column >= 0:
            counts_2d[row, column] += 1
    ax = new_axes(ax, COLUMN, float(np.clip(1.0 + 0.25 * len(rows), 2.0, 6.0)))
    image = ax.imshow(counts_2d, aspect="auto", cmap=MAP, vmin=0)
    if len(rows) > 25 or len(columns) > 12:
        colour_bar(image, ax, "trials")
    else:
        for (row, column), count in np.ndenumerate(counts_2d):
            ax.text(
                column,
                row,
                f"{count:.0f}",
                ha="center",
                va="center",
                fontsize="x-small",
                color=text_on(count, counts_2d.max()),
            )
    name_ticks(ax.xaxis, columns, chosen[1])
    name_ticks(ax.yaxis, rows, chosen[0])
    ax.set_title("number of trials", fontsize="small")
    return ax


def histogram(trials: Any, label: str, *, bins: int = 30, ax: Axes | None = None) -> Axes:
    """How a label of numbers, such as a reaction time, is distributed over trials.

    Parameters
    ----------
    trials : Trials, or what `as_trials` takes
    label : str
        A column of numbers.
    bins : int
        Of whole numbers that are fewer than these, a bar each.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> ax = milcci.plot.histogram(trials, "difficulty")
    """
    recording = trials_of(trials)
    column = np.asarray(_column(recording, label))
    if column.dtype.kind not in "iuf":
        raise ValueError(f"label {label} has no numbers; `trial_counts` shows it")
    known = column[~np.isnan(column.astype(float))]
    ax = new_axes(ax, COLUMN, 2.0)
    if not known.size:
        return nothing_to_see(ax, f"no trial has a value of {label}")
    edges: Any = bins
    if known.dtype.kind in "iu" and known.max() - known.min() < bins:
        edges = np.arange(known.min(), known.max() + 2) - 0.5
        whole_numbers(ax.xaxis)
    ax.hist(known, bins=edges, color=COLOURS[0], edgecolor="white", linewidth=0.4)
    median = float(np.median(known))
    # White below, so that it is seen on the bars too.
    ax.axvline(median, color="white", linewidth=2.5)
    ax.axvline(median, color="black", linestyle="--", linewidth=1)
    ax.set_xlabel(label, fontsize="small")
    ax.set_ylabel("trials", fontsize="small")
    whole_numbers(ax.yaxis)
    ax.set_title(f"{known.size} trials, median {median:.3g} (dashed)", fontsize="small")
    tidy(ax)
    return ax


def _usual_labels(recording: Trials) -> list[str]:
    """The first two that have a few values."""
    sizes = {name: len(grouped(values)[0]) for name, values in recording.labels.items()}
    few = [name for name, size in sizes.items() if 2 <= size <= 20]
    return (few or list(sizes))[:2]


def _column(recording: Trials, name: str) -> Any:
    if name not in recording.labels:
        known = ", ".join(recording.labels)
        raise ValueError(f"the trials have no label {name!r}; they have {known}")
    return recording.labels[name]


def _correlations(values: NDArray[Any]) -> NDArray[np.float64]:
    """Of rows, over the entries that both have; 0 where one of them does not change there."""
    known = np.isfinite(values)
    weights = known.astype(np.float64)
    # About the row's mean, so that large baselines cost no digits.
    means = np.where(known, values, 0.0).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    centred = np.where(known, values - means[:, np.newaxis], 0.0)
    n = np.maximum(weights @ weights.T, 1.0)
    sums, squares = centred @ weights.T, (centred**2) @ weights.T
    variance = np.maximum(0.0, squares - sums**2 / n)
    products = centred @ centred.T - sums * sums.T / n
    scale = np.sqrt(variance * variance.T)
    is_known = scale > 1e-12 * np.sqrt(squares * squares.T)
    found = np.divide(products, scale, out=np.zeros_like(products), where=is_known & (scale > 0))
    return np.asarray(np.clip(found, -1.0, 1.0))
