"""How a fit went, and how it describes the data."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._trials import Trials
from .._warnings import Warning
from ._source import Model, Source, label_of_time, trials_of
from ._style import (
    COLOURS,
    COLUMN,
    GREY,
    STYLES,
    colour_bar,
    heat_map,
    height_of_list,
    legend,
    limits,
    name_ticks,
    new_axes,
    new_figure,
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

#: With the line style of each: those that are least alike for what every fit has.
TERMS = {
    "fit": STYLES[0],
    "sparsity": STYLES[1],
    "consistency": STYLES[2],
    "smoothness": STYLES[3],
    "decorrelation": STYLES[6],
    "transition": STYLES[7],
    "ridge": STYLES[4],
    "uncertainty": STYLES[5],
}


def objective(model: Model, *, ax: Axes | None = None) -> Axes:
    """Every term of the objective from iteration to iteration; weights change where a line is.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.objective(model)
    """
    source = Source(model)
    records = source.summary["iterations"]
    ax = new_axes(ax, COLUMN + 0.9, 2.2)
    if not records:
        return nothing_to_see(ax, "no iterations: traces of other trials, or a fit cut short")
    number = [record["iteration"] for record in records]
    ax.plot(number, _term(records, "total"), color="black", linewidth=2.0, label="total")
    for j, (term, style) in enumerate(TERMS.items()):
        values = _term(records, term)
        if np.isfinite(values).any():
            # Not black, the third colour: that is the total.
            colour = (*COLOURS[:2], *COLOURS[3:])[j % (len(COLOURS) - 1)]
            ax.plot(number, values, color=colour, linestyle=style, linewidth=1.2, label=term)
    stages = np.array([record["stage"] for record in records])
    for nth, at in enumerate(np.flatnonzero(np.diff(stages))):
        label = "weights change" if nth == 0 else None
        ax.axvline(number[at] + 0.5, color="0.85", linewidth=0.8, zorder=0, label=label)
    ax.set_yscale("log")
    ax.set_xlabel("iteration", fontsize="small")
    whole_numbers(ax.xaxis)
    ax.set_ylabel("objective", fontsize="small")
    reason = source.result.stop_reason.replace("_", " ")
    ax.set_title(f"{reason}, R² {source.result.r2:.3f}", fontsize="small")
    tidy(ax)
    legend(ax, "term")
    return ax


def trial(
    model: Model,
    trials: Any,
    number: int = 0,
    *,
    n_channels: int = 60,
    time_unit: str | None = None,
) -> NDArray[Any]:
    """Data, fit and residual of one trial as heat maps with one scale.

    That of the residual goes as far to both sides of zero.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    trials : Trials, or what `as_trials` takes
        The trials that the model was fitted to.
    number : int
        Of the trial, from 0.
    n_channels : int
        Most channels to show: those with the largest variance in this trial.
    time_unit : str, optional
        Of the trials' times, for the axis: ``"s"``. Files do not tell it.

    Returns
    -------
    array of three Axes

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> axes = milcci.plot.trial(model, trials, 3)
    """
    source = Source(model)
    if not 0 <= number < source.result.n_trials:
        raise ValueError(f"trial {number}: the model has 0 to {source.result.n_trials - 1}")
    data = _as_fitted(source, trials_of(trials), number)
    fitted = source.result.reconstruction(number)
    spread = np.nan_to_num(np.nanvar(np.where(np.isnan(data), np.nan, data), axis=1))
    chosen = np.sort(np.argsort(-spread, kind="stable")[:n_channels])
    figure = new_figure(7.0, height_of_list(len(chosen), 5.0))
    axes = figure.subplots(1, 3, sharex=True, sharey=True)
    low, high = limits(np.concatenate([data[chosen], fitted[chosen]]))
    parts = {"data": data, "fit": fitted, "residual": data - fitted}
    for ax, (name, values) in zip(axes, parts.items(), strict=True):
        span = (-high if name == "residual" else low, high)
        image = time_map(ax, source.stamps(number), values[chosen], span)
        ax.set_title(name, fontsize="small")
        ax.tick_params(labelsize="small")
        colour_bar(image, ax, "value, as fitted" if name == "residual" else "")
    names = [source.result.channel_names[n] for n in chosen]
    name_ticks(axes[0].yaxis, names, some_of(len(names), len(data), "channels"))
    words = label_of_time("time" if source.result.times else "", time_unit)
    figure.supxlabel(words, fontsize="small")
    title = f"trial {shorten(source.trial_names[number])}"
    label = ", ".join(
        f"{c.name} {c.options[c.option_of_trial[number]]}"
        for c in source.categories
        if not c.has_one_option
    )
    figure.suptitle(f"{title}: {label}" if label else title, fontsize="medium")
    return np.asarray(axes)


def noise(model: Model, *, ax: Axes | None = None) -> Axes:
    """Noise and signal of every channel, and the median of their ratio.

    The signal is what the model describes; the ratio is that of the variances.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, noise=0.3, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.noise(model)
    """
    source = Source(model)
    level = np.asarray(source.result.noise["level"])
    n_channels = len(source.result.channel_names)
    ax = new_axes(ax, COLUMN, height_of_list(n_channels))
    if not level.size:
        return nothing_to_see(ax, "the noise was not estimated (penalties: fixed)")
    fitted = [source.result.reconstruction(m) for m in range(source.result.n_trials)]
    signal = np.concatenate(fitted, axis=1).std(axis=1)
    ratios = np.divide(signal**2, level**2, out=np.full_like(signal, np.inf), where=level > 0)
    order = np.argsort(ratios, kind="stable")
    places = np.arange(n_channels)
    ax.plot(level[order], places, "o", color=GREY, fillstyle="none", markersize=3, label="noise")
    ax.plot(signal[order], places, "D", color=COLOURS[0], markersize=3, label="signal")
    ax.hlines(places, level[order], signal[order], color="0.85", linewidth=0.8, zorder=0)
    tidy(ax)
    ax.set_ylim(-0.8, n_channels - 0.2)
    names = [source.result.channel_names[n] for n in order]
    name_ticks(ax.yaxis, names, some_of(n_channels, n_channels, "channels"))
    if (signal > 0).all():
        _log_axis(ax)
    ax.set_xlabel("standard deviation, as fitted", fontsize="small")
    ax.set_title(
        f"median signal-to-noise ratio {np.median(ratios):.2g} (variances)", fontsize="small"
    )
    legend(ax)
    return ax


def truth(model: Model, trials: Any) -> NDArray[Any]:
    """Found components against true ones of simulated trials: correlations, and memberships.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    trials : Trials
        Simulated, with their truth.

    Returns
    -------
    array of two Axes

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"difficulty": 2, "choice": 2}, nonnegative="both").fit(trials)
    >>> axes = milcci.plot.truth(model, trials)
    """
    source, recording = Source(model), trials_of(trials)
    known = recording.truth
    if known is None:
        raise ValueError("these trials have no truth: only simulated ones have")
    true_names, rows = [], []
    for name, array in known.components.items():
        values = np.asarray(array)
        for j in range(values.shape[1]):
            true_names.append(f"{name} {j + 1}")
            rows.append(_likenesses(source, values[:, j], _options(array)))
    matrix = np.array(rows)
    figure = new_figure(7.0, 2.8)
    axes = figure.subplots(1, 2)
    heat_map(axes[0], matrix, "|correlation|")
    name_ticks(axes[0].xaxis, source.component_names, "found")
    name_ticks(axes[0].yaxis, true_names, "true")
    # Who is who, and how well, as `evaluate` says: every found component at most once.
    for match in json.loads(_core.evaluate(source.result, recording._recording, None, 0)[0])[
        "matches"
    ]:
        if match["estimate"] is None or match["component_correlation"] is None:
            continue
        text = f"{match['component_correlation']:.2f}"
        at = match["estimate"], match["truth"]
        colour = text_on(matrix[at[::-1]], matrix.max())
        axes[0].text(*at, text, ha="center", va="center", fontsize="x-small", color=colour)
        x, y = _matched(source, known, true_names[match["truth"]], match["estimate"])
        axes[1].plot(x, y, ".", color=COLOURS[0], markersize=3, alpha=0.6)
    ends = axes[1].dataLim
    if np.isfinite(ends.xmax):
        line = [min(ends.xmin, 0.0), ends.xmax]
        axes[1].plot(line, line, color=GREY, linewidth=0.8)
        axes[1].set_title("line: found = true", fontsize="small")
    axes[1].set_xlabel("true membership", fontsize="small")
    axes[1].set_ylabel("found membership", fontsize="small")
    tidy(axes[1])
    return np.asarray(axes)


def _term(records: Sequence[Any], term: str) -> NDArray[np.float64]:
    """A term of the objective over the iterations; nan where it has no logarithm."""
    values = np.array([record["objective"][term] for record in records], dtype=np.float64)
    return np.where(values > 0, values, np.nan)


def _as_fitted(source: Source, recording: Trials, number: int) -> NDArray[np.float64]:
    """A trial in the units of the fit: prepared and transformed as those of the fit were."""
    prepared, _ = _core.prepare_as_fitted(source.result, recording._recording)
    if prepared.fingerprint() != source.result.data_fingerprint:
        warnings.warn(
            "these are not the trials that the model was fitted to", Warning, stacklevel=3
        )
    fitted = source.result.reconstruction(number)
    shape = None
    if number < prepared.n_trials:
        data = np.asarray(prepared.values(number), dtype=np.float64).T
        shape = data.shape
    if shape != fitted.shape:
        found = "is not there" if shape is None else f"has {shape[0]} channels x {shape[1]} times"
        raise ValueError(
            f"trial {number} {found}, the model has {fitted.shape[0]} x {fitted.shape[1]}; "
            "pass the trials that it was fitted to"
        )
    return np.tanh(data) if source.result.options["transform"] == "tanh" else data


def _matched(source: Source, known: Any, true_name: str, found: int) -> tuple[Any, Any]:
    """Memberships of a true and a found component, under the options that both have."""
    array, j = _true_component(known, true_name)
    of, i = source.place(found)
    true_options, x, y = _options(array), [], []
    for position, option in enumerate(of.options):
        if option in true_options:
            x.append(_unit(np.asarray(array)[:, j, true_options.index(option)]))
            y.append(_unit(source.components(of)[:, i, position]))
    if not x:
        return np.array([]), np.array([])
    true, estimate = np.concatenate(x), np.concatenate(y)
    return true, estimate * (np.sign(true @ estimate) or 1.0)


def _likenesses(source: Source, true: NDArray[np.float64], options: Sequence[str]) -> list[float]:
    """|correlation| with every found component, the mean over options."""
    return [
        _likeness(true, source.components(of)[:, i], of.options, options)
        for of in source.categories
        for i in range(source.components(of).shape[1])
    ]


def _log_axis(ax: Axes) -> None:
    """With a few numbers, whatever it spans: matplotlib's may overlap, or there is one or none."""
    from matplotlib.ticker import LogFormatterMathtext, LogLocator, MaxNLocator, NullFormatter

    ax.set_xscale("log")
    low, high = ax.get_xlim()
    decades = float(np.log10(high / low))
    if decades < 0.5:
        ax.xaxis.set_major_locator(MaxNLocator(4))
    else:
        within = (1.0, 2.0, 5.0) if decades < 1.8 else (1.0, 3.0) if decades < 3 else (1.0,)
        ax.xaxis.set_major_locator(LogLocator(subs=within, numticks=6))
    ax.xaxis.set_major_formatter("{x:g}" if decades < 3 else LogFormatterMathtext())
    ax.xaxis.set_minor_formatter(NullFormatter())


def _options(array: Any) -> list[str]:
    return [str(option) for option in np.asarray(array.coords["option"])]


def _true_component(known: Any, name: str) -> tuple[Any, int]:
    category, _, number = name.rpartition(" ")
    return known.components[category], int(number) - 1


def _unit(values: NDArray[np.float64]) -> NDArray[np.float64]:
    size = float(np.abs(values).sum())
    return values / size if size else values


def _likeness(
    true: NDArray[np.float64],
    found: NDArray[np.float64],
    options: Sequence[str],
    true_options: Sequence[str],
) -> float:
    """Mean |correlation| over the options that both have; over all pairs where they have none."""
    shared = [(true_options.index(o), options.index(o)) for o in options if o in true_options]
    pairs = shared or [(a, b) for a in range(true.shape[1]) for b in range(found.shape[1])]
    values = []
    for a, b in pairs:
        x, y = true[:, a], found[:, b]
        values.append(abs(float(np.corrcoef(x, y)[0, 1])) if x.std() > 0 and y.std() > 0 else 0.0)
    return float(np.mean(values))
