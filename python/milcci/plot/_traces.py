"""What the components do over time, in trials that share a label and in every trial."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._summaries import traces as summarise
from .._times import named_events
from .._warnings import Warning
from ._source import Model, Source
from ._style import (
    COLUMN,
    GREY,
    LUMINANCE,
    MAP,
    MOST_LINES,
    colour_bar,
    colours_of,
    in_front,
    legend,
    line_looks,
    name_groups,
    new_axes,
    nothing_to_see,
    shades,
    shorten,
    tidy,
    time_map,
    turn,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Events = Mapping[str, Any]


def traces(
    model: Model,
    component: int | str = 0,
    by: str | Sequence[str] | None = None,
    *,
    band: str = "interval",
    interval: float = 0.8,
    events: Events | None = None,
    time_unit: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The mean trace of a component in the trials of each value of a label, with a band around it.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    by : str, or two of them, optional
        Any label column or category, fitted or not. Unset: the category of the component, or all
        trials together where it has more than 24 options.
    band : {'interval', 'sem', 'none'}
        The interval that holds `interval` of the trials, or the standard error of the mean.
    interval : float
    events : mapping, optional
        Times to mark: ``{"stimulus": 0.0}``; of one per trial, the median.
    time_unit : str, optional
        Of the trials' times, for the axis: ``"s"``. Files do not tell it.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.traces(model, "choice 1", by="difficulty", band="sem")
    """
    if band not in ("interval", "sem", "none"):
        raise ValueError(f"`band` = {band!r}, must be 'interval', 'sem' or 'none'")
    source = Source(model)
    of, j = source.place(component)
    own = [of.name] if len(of.options) <= MOST_LINES else []
    labels = own if by is None else [by] if isinstance(by, str) else list(by)
    summary = summarise(model, by=labels, interval=interval)
    groups = summary["components"][of.first + j]["groups"]
    times = np.asarray(summary["times"])
    n_lines = min(len(groups), 12) + max(0, len(labels) - 1)  # of the legend
    ax = new_axes(ax, COLUMN + 0.9, max(2.3, 0.7 + 0.16 * n_lines))
    looks = line_looks([group["values"] for group in groups], [*map(source.is_ordered, labels)])
    has_band = False
    for group, look in zip(groups, looks, strict=True):
        mean = _where_enough(group, _numbers(group["mean"]))
        name = ", ".join(map(shorten, group["values"])) or "all trials"
        # Trials may be sampled at other times than those of other groups: what they have is joined.
        has = np.isfinite(mean)
        ax.plot(
            times[has],
            mean[has],
            **look,
            linewidth=1.5,
            label=f"{name} (n={group['n_trials']})",
            path_effects=in_front(),
        )
        low, high = _band(group, mean, band)
        if low is not None:
            # Fainter where there are many, or the lightest lines would not be seen on them.
            faint = min(0.18, 0.4 / len(groups))
            has_band = has_band or bool((high > low).any())
            ax.fill_between(
                times[has], low[has], high[has], color=look["color"], alpha=faint, linewidth=0
            )
    mark_events(ax, source, events)
    words = {"interval": f"{100 * interval:.0f} % of trials", "sem": "s.e.m.", "none": ""}[band]
    note = f" (mean, band: {words})" if has_band else " (mean)"
    ax.set_title(source.title(of, j) + note, fontsize="small")
    ax.set_xlabel(source.time_label(time_unit), fontsize="small")
    ax.set_ylabel("trace", fontsize="small")
    tidy(ax)
    legend(ax, "\nand ".join(labels) or None)
    return ax


def trace_difference(
    model: Model,
    component: int | str,
    by: str,
    first: str,
    second: str,
    *,
    permutations: int = 1000,
    events: Events | None = None,
    time_unit: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The difference of a component's mean trace between two values of a label, against chance.

    The grey band is as far as differences get when labels are shuffled: in 95 % of the shuffles
    they are nowhere beyond it.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    by : str
        A label column or category.
    first, second : str
        Two of its values.
    permutations : int
    events : mapping, optional
        Times to mark: ``{"stimulus": 0.0}``; of one per trial, the median.
    time_unit : str, optional
        Of the trials' times, for the axis: ``"s"``. Files do not tell it.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.trace_difference(model, 0, "difficulty", "1", "5", permutations=100)
    """
    source = Source(model)
    of, j = source.place(component)
    summary = summarise(model, by=by, between=(first, second), permutations=permutations)
    found = summary["components"][of.first + j]["difference"]
    times, band = np.asarray(summary["times"]), _numbers(found["band"])
    ax = new_axes(ax, COLUMN + 0.4, 2.2)
    ax.fill_between(times, -band, band, color="0.85", linewidth=0, label="by chance")
    ax.axhline(0.0, color="0.6", linewidth=0.8)
    difference = _numbers(found["difference"])
    ax.plot(times, difference, color="black", linewidth=1.2, label="difference")
    # With few trials the band may be the difference itself, but for rounding.
    beyond = np.abs(difference) > band * (1 + 1e-9)
    if beyond.any():
        ax.plot(
            times[beyond],
            difference[beyond],
            "o",
            color="#D55E00",
            markeredgecolor="black",
            markeredgewidth=0.4,
            markersize=3,
            label="beyond it",
        )
    mark_events(ax, source, events)
    pair = f"{shorten(by)}: {shorten(str(first), 12)} less {shorten(str(second), 12)}"
    title = f"{source.title(of, j)}, p = {found['p']:.2g}\n{pair}"
    if summary["components"][of.first + j]["is_of_label"]:
        title += "\n(fitted with this label: no test of the fit)"
    ax.set_title(title, fontsize="small")
    ax.set_xlabel(source.time_label(time_unit), fontsize="small")
    ax.set_ylabel("difference of means", fontsize="small")
    tidy(ax)
    legend(ax)
    return ax


def trials(
    model: Model,
    component: int | str = 0,
    by: str | Sequence[str] | None = None,
    *,
    events: Events | None = None,
    time_unit: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Every trial's trace of a component as a heat map, sorted by label, with a bar per label.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    by : str, or several, optional
        Labels to sort by, the first one first. Unset: the category of the component.
    events : mapping, optional
        Times to mark: a number, or one per trial.
    time_unit : str, optional
        Of the trials' times, for the axis: ``"s"``. Files do not tell it.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.trials(model, "choice 1", by=["choice", "difficulty"])
    """
    source = Source(model)
    of, j = source.place(component)
    own = [] if of.has_one_option else [of.name]
    labels = own if by is None else [by] if isinstance(by, str) else list(by)
    groups = [source.groups(label) for label in labels]
    n_trials = source.result.n_trials
    order = sorted(range(n_trials), key=lambda m: (*(int(g[1][m]) for g in groups), m))
    values = np.asarray(source.aligned["traces"])[of.first + j].T
    ax = new_axes(ax, COLUMN + 0.9, 3.0)
    image = time_map(ax, source.aligned["times"], values[order])
    _label_bars(ax, source, labels, groups, order)
    colour_bar(image, ax, "trace")
    for name, when in named_events(events).items():
        stamps = source.event_times(when)[order]
        ax.step(
            np.append(stamps, stamps[-1]),
            np.arange(n_trials + 1) - 0.5,
            where="post",
            color="white",
            linewidth=1.2,
            path_effects=in_front("black"),
        )
        ax.annotate(
            name,
            (float(np.nanmedian(stamps)), -0.5),
            xytext=(0.0, 2.0),
            textcoords="offset points",
            fontsize="x-small",
            va="bottom",
            ha="center",
        )
    note = "" if np.isfinite(values).all() else " (white: no value)"
    ax.set_title(
        f"{source.title(of, j)}, all trials{note}", fontsize="small", pad=14 if events else 6
    )
    ax.set_xlabel(source.time_label(time_unit), fontsize="small")
    ax.set_yticks([])
    ax.tick_params(labelsize="small")
    return ax


def drift(
    model: Model,
    component: int | str = 0,
    *,
    by: str | None = None,
    window: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The mean of a component's trace within each trial, against the number of the trial.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    by : str, optional
        Label whose values get colours.
    window : int, optional
        Trials of the running mean. Unset: a tenth of all.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.drift(model, "choice 1", by="choice")
    """
    source = Source(model)
    of, j = source.place(component)
    means = np.array([trace[of.first + j].mean() for trace in source.traces])
    number = np.arange(1, len(means) + 1)
    options, of_trial = ([], np.array([])) if by is None else source.groups(by)
    ax = new_axes(ax, COLUMN + 0.7, max(2.0, 0.7 + 0.16 * min(len(options) + 1, 12)))
    if by is None:
        ax.plot(number, means, ".", color=GREY, markersize=3, label="one trial")
    else:
        is_ordered = source.is_ordered(by)
        for i, colour in enumerate(colours_of(options, is_ordered)):
            chosen = of_trial == i
            ax.plot(
                number[chosen],
                means[chosen],
                "osD^v<>"[i % 7],
                color=colour,
                markersize=3,
                label=f"{shorten(options[i])} (n={int(chosen.sum())})",
            )
    size = window or max(3, len(means) // 10)
    has_mean = len(means) > size
    if has_mean:
        smooth = np.convolve(means, np.ones(size) / size, mode="valid")
        ax.plot(
            number[: len(smooth)] + (size - 1) / 2,
            smooth,
            color="black",
            linewidth=1.5,
            label=f"mean of {size} trials",
            path_effects=in_front(),
        )
    whole_numbers(ax.xaxis)
    ax.set_title(source.title(of, j), fontsize="small")
    ax.set_xlabel("trial", fontsize="small")
    ax.set_ylabel("mean trace of the trial", fontsize="small")
    tidy(ax)
    legend(ax, by, n_others=int(has_mean))
    return ax


def composition(model: Model, *, ax: Axes | None = None) -> Axes:
    """How much of each trial every component makes up: shares of the energy, trial by trial.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.composition(model)
    """
    source = Source(model)
    ax = new_axes(ax, COLUMN + 0.9, 2.2)
    if not source.living:
        return nothing_to_see(ax, "all components are dead")
    energy = np.array(
        [
            (trace**2).sum(axis=1) * (source.result.loading(m) ** 2).sum(axis=0)
            for m, trace in enumerate(source.traces)
        ]
    )[:, source.living]
    total = energy.sum(axis=1, keepdims=True)
    shares = np.divide(energy, total, out=np.zeros_like(energy), where=total > 0)
    names = [source.component_names[j] for j in source.living]
    number = np.arange(1, len(shares) + 1)
    bottom = np.zeros(len(shares))
    colours = shades(MAP, len(names))  # by lightness: bars of many trials have no hatch
    for j, name in enumerate(names):
        ax.bar(
            number,
            shares[:, j],
            width=1.0,
            bottom=bottom,
            color=colours[j],
            label=shorten(name),
            hatch=None if len(shares) > 60 else ("", "//", "..", "xx")[j % 4],
            edgecolor="white" if colours[j][:3] @ LUMINANCE < 0.5 else "0.3",
            linewidth=0,
        )
        bottom += shares[:, j]
    ax.set_xlim(0.5, len(shares) + 0.5)
    ax.set_ylim(0, 1)
    ax.set_xlabel("trial", fontsize="small")
    ax.set_ylabel("share of energy", fontsize="small")
    whole_numbers(ax.xaxis)
    tidy(ax)
    legend(ax, "component", is_reversed=True)
    return ax


def mark_events(ax: Axes, source: Source, events: Events | None) -> None:
    """Vertical lines with their names at the top; of an event per trial, at its median."""
    low, high = ax.get_xlim()
    for name, when in named_events(events).items():
        at = float(np.nanmedian(source.event_times(when)))
        if not low <= at <= high:
            warnings.warn(
                f"event {name} at {at:g} is outside of the trials, {low:g} to {high:g}",
                Warning,
                stacklevel=3,
            )
            continue
        ax.axvline(at, color="0.3", linewidth=0.9, linestyle=(0, (4, 2)))
        is_late = at > low + 0.7 * (high - low)  # its name would leave the axes
        ax.annotate(
            name,
            (at, 1.0),
            xycoords=("data", "axes fraction"),
            fontsize="x-small",
            ha="right" if is_late else "left",
            va="top",
            xytext=(-2 if is_late else 2, 0),
            textcoords="offset points",
        )


def _numbers(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _where_enough(group: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without the ends that only a few long trials have: the mean of those is noise."""
    n = np.asarray(group["n"])
    return np.where(
        n >= min(2, group["n_trials"]), np.where(n >= 0.1 * n.max(), values, np.nan), np.nan
    )


def _band(group: Any, mean: NDArray[np.float64], band: str) -> tuple[Any, Any]:
    if band == "interval":
        is_known = np.isfinite(mean)
        low, high = _numbers(group["low"]), _numbers(group["high"])
        return np.where(is_known, low, np.nan), np.where(is_known, high, np.nan)
    if band == "sem":
        error = _numbers(group["standard_error"])
        return mean - error, mean + error
    return None, None


def _label_bars(
    ax: Axes, source: Source, labels: Sequence[str], groups: Any, order: Sequence[int]
) -> None:
    """A coloured bar per label at the left of the heat map, with the names of its values: beside
    the first, and below the picture for the others."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    others: list[Any] = []
    title = ""
    for position, (label, (options, of_trial)) in enumerate(zip(labels, groups, strict=True)):
        bar = ax.inset_axes((-0.045 - 0.05 * (len(labels) - 1 - position), 0.0, 0.035, 1.0))
        # Without names beside them more than three are told apart by lightness alone.
        by_lightness = source.is_ordered(label) or (position > 0 and len(options) > 3)
        colours = [*colours_of(options, by_lightness), "white"]
        values = np.array([of_trial[m] for m in order])
        values = np.where(values < 0, len(options), values)
        bar.imshow(
            values[:, np.newaxis],
            aspect="auto",
            cmap=ListedColormap(colours),
            vmin=0,
            vmax=len(options),
            interpolation="nearest",
        )
        bar.set_xticks([0], [shorten(label, 14)], fontsize="x-small")
        turn(bar.xaxis)
        bar.tick_params(axis="x", length=0, pad=14)  # below the first number of the axis of time
        bar.set_yticks([])
        if position > 0:
            n = len(options)
            shown = range(n) if n <= 12 else np.linspace(0, n - 1, 6).round().astype(int)
            title = label if n <= 12 else f"{label} (6 of {n})"
            before = f"{label} " if len(labels) > 2 else ""
            names = {int(i): before + shorten(options[i], 12) for i in shown}
            others += [Patch(color=colours[i], label=name) for i, name in names.items()]
            continue
        present = [i for i in range(len(options)) if (values == i).any()]
        centres = [float(np.flatnonzero(values == i).mean()) for i in present]
        name_groups(bar.yaxis, centres, [options[i] for i in present], len(values))
    if others:
        _legend_below(ax, others, title if len(labels) == 2 else None)


def _legend_below(ax: Axes, handles: Sequence[Any], title: str | None) -> None:
    """Below the numbers of the axis and the turned names of the bars, whatever their size."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    longest = max(len(handle.get_label()) for handle in handles)
    ax.legend(
        handles=handles,
        title=title,
        fontsize="x-small",
        title_fontsize="x-small",
        frameon=False,
        ncols=max(1, min(60 // (longest + 6), len(handles))),
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + ScaledTranslation(0.0, -0.55, figure.dpi_scale_trans),
    )
