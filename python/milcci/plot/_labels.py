"""Labels: how alike options are held to be, and how alike the components under them are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._summaries import groups as shares_of
from ._source import Model, Source
from ._style import (
    COLOURS,
    COLUMN,
    heat_map,
    name_matrix,
    name_ticks,
    new_axes,
    nothing_to_see,
    shorten,
    text_on,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def label_graph(model: Model, category: str | None = None, *, ax: Axes | None = None) -> Axes:
    """How alike the options of a category were held to be in the fit (lambda).

    A row has what ties the variant of its option to those of the others. An option is not tied to
    itself, so the diagonal is left blank.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    category : str, optional
        Unset: the first that has options.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"difficulty": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.label_graph(model, "difficulty")
    """
    source = Source(model)
    of = source.category(category)
    ax = new_axes(ax, COLUMN, 2.6)
    if len(of.options) > 2000:
        return nothing_to_see(ax, f"{of.name} has {len(of.options)} options: too many to draw")
    if of.has_one_option:
        return nothing_to_see(ax, f"{of.name} has one option")
    graph = source.result.graph(of.position)
    heat_map(ax, np.ma.masked_array(graph, np.eye(len(graph), dtype=bool)), "similarity")
    name_matrix(ax, of.options, of.name, "tied to")
    ax.set_title(of.name if of.name == of.kind else f"{of.name} ({of.kind})", fontsize="small")
    return ax


def distances(model: Model, *, ax: Axes | None = None) -> Axes:
    """Distances between variants of one component, and between different components.

    If the first are as large as the second, a component's variants have little to do with each
    other. Distances are Euclidean, between variants of length one.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> ax = milcci.plot.distances(model)
    """
    same, different = distance_values(Source(model))
    ax = new_axes(ax, COLUMN, 2.2)
    if not same.size and not different.size:
        return nothing_to_see(ax, "there is only one variant")
    edges = np.linspace(0.0, max(2.0**0.5, different.max(initial=0.0), same.max(initial=0.0)), 31)
    for values, label, colour, hatch in (
        (same, "same component, other option", COLOURS[0], ""),
        (different, "different components", COLOURS[1], "///"),
    ):
        if values.size:
            ax.hist(
                values,
                list(edges),
                weights=np.full(values.size, 1 / values.size),
                color=colour,
                alpha=0.65,
                hatch=hatch,
                edgecolor="white",
                linewidth=0.3,
                label=f"{label} (n={values.size})",
            )
    ax.set_xlabel("distance of two variants", fontsize="small")
    ax.set_ylabel("share of pairs", fontsize="small")
    tidy(ax)
    ax.legend(fontsize="x-small", frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return ax


def distance_values(source: Source) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Within components, and across them."""
    variants, owner = [], []
    for of in source.categories:
        values = source.components(of)
        for j in range(values.shape[1]):
            for i in range(values.shape[2]):
                length = np.linalg.norm(values[:, j, i])
                if length > 0:
                    variants.append(values[:, j, i] / length)
                    owner.append(of.first + j)
    stacked, owners = np.array(variants), np.array(owner)
    if len(stacked) < 2:
        return np.array([]), np.array([])
    distance = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * stacked @ stacked.T))
    first, second = np.triu_indices(len(stacked), 1)
    is_same = owners[first] == owners[second]
    pairs = distance[first, second]
    return pairs[is_same], pairs[~is_same]


def channel_groups(model: Model, *, ax: Axes | None = None) -> Axes:
    """The share of each component in every group of channels, such as brain regions.

    A star marks groups with more members than chance gives (false discovery rate below 0.05, under
    at least half of the options); shares are means over options. The last column is chance.

    Parameters
    ----------
    model : MILCCI, or path to a model file
        Of channels that have groups.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci, numpy as np
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> arrays, labels = [np.asarray(trial) for trial in trials], dict(trials.labels)
    >>> regions = ["V1"] * 10 + ["M2"] * 10
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick")
    >>> model = model.fit(arrays, labels, dims=("channel", "time"), channel_groups=regions)
    >>> ax = milcci.plot.channel_groups(model)
    """
    source = Source(model)
    rows = shares_of(model)["groups"]
    names = sorted({row["group"] for row in rows})
    living = [source.component_names[j] for j in source.living]
    share = np.zeros((len(names), len(living) + 1))
    stands_out = np.zeros((len(names), len(living)))
    n_options = np.zeros((len(names), len(living)))
    for row in rows:
        at = names.index(row["group"]), living.index(f"{row['category']} {row['component']}")
        share[at] += row["share"]
        n_options[at] += 1
        stands_out[at] += row["q"] < 0.05
        share[at[0], -1] = row["expected"]
    share[:, :-1] /= np.maximum(n_options, 1)
    height = float(np.clip(1.6 + 0.2 * len(names), 2.4, 7.0))
    ax = new_axes(ax, float(np.clip(1.8 + 0.35 * len(living), COLUMN, 8.0)), height)
    heat_map(ax, share, "share")
    has_star = stands_out * 2 >= np.maximum(n_options, 1)
    if has_star.any():
        ax.set_title("* more members than by chance", fontsize="small")
    for g, c in zip(*np.nonzero(has_star), strict=True):
        ax.text(
            c,
            g,
            "*",
            ha="center",
            va="center",
            fontsize="large",
            color=text_on(share[g, c], share.max()),
        )
    ax.axvline(len(living) - 0.5, color="white", linewidth=2)
    name_ticks(ax.xaxis, [*map(shorten, living), "chance"], "component")
    name_ticks(ax.yaxis, names, "group of channels")
    return ax
