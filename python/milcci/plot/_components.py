"""Who belongs to the components, and what changes between options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._source import Model, Source
from ._style import (
    COLUMN,
    colours_of,
    few_numbers,
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
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def components(
    model: Model,
    category: str | None = None,
    *,
    sort: bool = True,
    n_channels: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Heat map of a category's memberships: channels down, variants of every component across.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    category : str, optional
        Unset: the first that has options.
    sort : bool
        Channels by the component that they belong to most; else in the order of the data.
    n_channels : int, optional
        Only so many, those with the largest memberships. Unset: all that have any.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.components(model, "choice")
    """
    source = Source(model)
    of = source.category(category)
    values = source.components(of)
    n_components, n_options = values.shape[1:]
    chosen = _channels(values, sort, n_channels)
    width = min(8.0, max(COLUMN, 1.5 + 0.23 * n_components * n_options))
    ax = new_axes(ax, width, height_of_list(len(chosen)))
    if not len(chosen):
        return nothing_to_see(ax, f"all components of {of.name} are dead")
    flat = values[chosen].reshape(len(chosen), n_components * n_options)
    heat_map(ax, flat, "membership")
    for j in range(1, n_components):
        ax.axvline(j * n_options - 0.5, color="white", linewidth=1.5)
    for j in range(n_components):
        if source.is_dead(of, j):
            at = (j + 0.5) * n_options - 0.5, (len(chosen) - 1) / 2
            looks: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "x-small"}
            ax.text(*at, "dead", color="white", rotation=90, **looks)
    if of.has_one_option:
        ax.set_xticks([])
    else:
        name_ticks(ax.xaxis, [*of.options] * n_components, of.name, groups=n_components)
    names = [source.result.channel_names[n] for n in chosen]
    name_ticks(ax.yaxis, names, some_of(len(chosen), len(values), "channels"))
    top = ax.secondary_xaxis("top")
    top.set_ticks(
        [(j + 0.5) * n_options - 0.5 for j in range(n_components)],
        [str(j + 1) for j in range(n_components)],
        fontsize="small",
    )
    top.tick_params(length=0)
    top.set_xlabel(f"component of {of.name}", fontsize="small")
    return ax


def members(
    model: Model,
    component: int | str = 0,
    *,
    top: int = 10,
    ax: Axes | None = None,
) -> Axes:
    """The strongest members of a component, with a point per option and the error bars of the fit.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    top : int
        Most channels to show.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.members(model, "choice 1")
    """
    source = Source(model)
    of, j = source.place(component)
    values = source.components(of)[:, j, :]
    errors = source.errors(of)
    chosen = _strongest(values, top)
    ax = new_axes(ax, _width(source), float(np.clip(0.8 + 0.22 * len(chosen), 2.2, 7.0)))
    title = f"{of.name} {j + 1}"
    if not len(chosen):
        return nothing_to_see(ax, f"{title} is dead")
    shown = _some(len(of.options))
    places = np.arange(len(chosen))
    for rank, i in enumerate(shown):
        shift = 0.0 if len(shown) == 1 else 0.5 * (rank / (len(shown) - 1) - 0.5)
        ax.errorbar(
            values[chosen, i],
            places + shift,
            xerr=None if errors is None else errors[chosen, j, i],
            fmt="osD^v<>"[rank % 7],
            color=colours_of(of.options, of.is_ordered)[i],
            markersize=3.5,
            linewidth=0.8,
            label=None if of.has_one_option else shorten(of.options[i]),
        )
    ax.axvline(0.0, color="0.8", linewidth=0.8, zorder=0)
    tidy(ax)
    _name_members(ax, source, chosen)
    ax.set_xlabel("membership" + ("" if errors is None else " ± standard error"), fontsize="small")
    ax.set_title(title, fontsize="medium")
    n_options = len(of.options)
    legend(ax, of.name if len(shown) == n_options else f"{of.name} ({len(shown)} of {n_options})")
    return ax


def difference(
    model: Model,
    component: int | str,
    first: str | int = 0,
    second: str | int = -1,
    *,
    top: int = 12,
    ax: Axes | None = None,
) -> Axes:
    """What changes in a component between two options: who is gained, lost, or changed.

    A line goes from the membership under the first option to that under the second. Error bars,
    with caps, are of the difference, where errors are known. A member is gained (lost) if it is
    below (falls below) a tenth of the component's largest membership.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    first, second : str or int
        Options, by name, or by position from 0. Unset: the first and the last.
    top : int
        Most channels to show: those that change most.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.difference(model, "choice 1", "left", "right")
    """
    source = Source(model)
    of, j = source.place(component)
    a = source.option(of, first)
    b = source.option(of, second)
    values = source.components(of)[:, j, :]
    errors = source.errors(of)
    before, after = values[:, a], values[:, b]
    order = np.argsort(-np.abs(after - before), kind="stable")
    chosen = [n for n in order if before[n] != after[n]][:top]
    ax = new_axes(ax, _width(source), float(np.clip(1.1 + 0.22 * len(chosen), 2.4, 7.0)))
    if source.is_dead(of, j):
        return nothing_to_see(ax, f"{of.name} {j + 1} is dead")
    title = f"{of.name} {j + 1}: {shorten(of.options[a])} → {shorten(of.options[b])}"
    if not chosen:
        return nothing_to_see(ax, f"{title}\nnothing changes")
    largest = float(np.abs(values).max())
    tenth = 0.1 * largest
    change = float(np.abs(after - before).max())
    if change < 0.01 * largest:
        title += f"\nhardly changes: by {change:.1g} at most, of {largest:.2g}"
    kinds = {
        "gained": [n for n in chosen if abs(before[n]) < tenth <= abs(after[n])],
        "lost": [n for n in chosen if abs(after[n]) < tenth <= abs(before[n])],
    }
    kinds["changed"] = [n for n in chosen if n not in kinds["gained"] + kinds["lost"]]
    looks = {"gained": ("#009E73", "^"), "lost": ("#D55E00", "v"), "changed": ("0.35", "o")}
    for kind, channels in kinds.items():
        colour, marker = looks[kind]
        for n in channels:
            at = chosen.index(n)
            ax.plot([before[n], after[n]], [at, at], color=colour, linewidth=2.0, alpha=0.5)
        if channels:
            at_all = [chosen.index(n) for n in channels]
            spread = (
                None if errors is None else np.hypot(errors[channels, j, a], errors[channels, j, b])
            )
            ax.errorbar(
                after[channels],
                at_all,
                xerr=spread,
                fmt=marker,
                color=colour,
                markersize=5,
                capsize=2,
                linewidth=0.8,
                linestyle="none",
                label=kind,
            )
            ax.plot(before[channels], at_all, "|", color=colour, markersize=9, markeredgewidth=1.5)
    ax.axvline(0.0, color="0.8", linewidth=0.8, zorder=0)
    tidy(ax)
    _name_members(ax, source, chosen)
    words = f"| {shorten(of.options[a])}, marker {shorten(of.options[b])}"
    known = "" if errors is None else " ± standard error of the change"
    ax.set_xlabel(f"membership{known}\n{words}", fontsize="small")
    ax.set_title(title, fontsize="medium")
    legend(ax)
    return ax


def variants(model: Model, component: int | str = 0, *, n_channels: int = 40) -> NDArray[Any]:
    """Every variant of a component side by side, as bars over the same channels.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    component : int or str
        Position among all components, from 0, or its name: ``"choice 1"``.
    n_channels : int
        Most channels to show.

    Returns
    -------
    array of Axes, one per option (of many options, some)

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> axes = milcci.plot.variants(model, "choice 1")
    """
    source = Source(model)
    of, j = source.place(component)
    values = source.components(of)[:, j, :]
    chosen = sorted(_strongest(values, n_channels))
    shown = _some(len(of.options), 8)
    figure = new_figure(min(8.0, 1.0 + 1.1 * len(shown)), height_of_list(len(chosen)))
    if not chosen:
        return np.array([nothing_to_see(figure.add_subplot(), f"{of.name} {j + 1} is dead")])
    axes = figure.subplots(1, len(shown), sharex=True, sharey=True, squeeze=False)[0]
    low, high = limits(values)
    for ax, i in zip(axes, shown, strict=True):
        ax.barh(
            range(len(chosen)), values[chosen, i], color=colours_of(of.options, of.is_ordered)[i]
        )
        ax.set_title(shorten(of.options[i], 12), fontsize="small")
        ax.set_xlim(1.05 * low, 1.05 * high)
        tidy(ax)
    axes[0].set_ylim(len(chosen) - 0.4, -0.6)
    names = [source.result.channel_names[n] for n in chosen]
    name_ticks(axes[0].yaxis, names, some_of(len(chosen), len(values), "channels"))
    left_out = len(shown) < len(of.options)
    note = f" ({some_of(len(shown), len(of.options), 'options')})" if left_out else ""
    figure.suptitle(f"{of.name} {j + 1}{note}", fontsize="medium")
    figure.supxlabel("membership", fontsize="small")
    return np.asarray(axes)


def _strongest(values: NDArray[np.float64], most: int) -> list[int]:
    """Channels with a membership under any option, the largest first."""
    size = np.abs(values).max(axis=1)
    return [int(n) for n in np.argsort(-size, kind="stable")[:most] if size[n] > 0]


def _channels(values: NDArray[np.float64], sort: bool, most: int | None) -> list[int]:
    size = np.abs(values).max(axis=(1, 2))
    chosen = _strongest(size[:, np.newaxis], len(size) if most is None else most)
    if not sort:
        return sorted(chosen)
    strength = np.abs(values).max(axis=2)
    owner = strength.argmax(axis=1)
    return sorted(chosen, key=lambda n: (owner[n], -strength[n, owner[n]]))


def _some(n: int, most: int = 7) -> list[int]:
    if n <= most:
        return list(range(n))
    return [int(i) for i in np.unique(np.linspace(0, n - 1, most).round())]


def _width(source: Source) -> float:
    """Of a picture with the names of groups behind those of channels."""
    longest = max((len(shorten(group)) for group in source.result.channel_groups), default=0)
    return COLUMN + 0.06 * longest


def _name_members(ax: Axes, source: Source, channels: Sequence[int]) -> None:
    """Every one of them, the first at the top, with its group."""
    groups = source.result.channel_groups
    names = [
        shorten(source.result.channel_names[n]) + (f" ({shorten(groups[n])})" if groups else "")
        for n in channels
    ]
    ax.set_yticks(range(len(channels)), names, fontsize="x-small")
    ax.set_ylabel(
        some_of(len(channels), len(source.result.channel_names), "channels"), fontsize="small"
    )
    ax.set_ylim(len(channels) - 0.4, -0.6)
    few_numbers(ax.xaxis)
