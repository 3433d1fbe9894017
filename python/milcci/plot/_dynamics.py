"""Transitions between components, of fits with the dynamic prior."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._source import Model, Source
from ._style import COLUMN, MAP, colour_bar, limits, name_ticks, new_axes, new_figure, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def transitions(model: Model, by: str | None = None) -> NDArray[Any]:
    """Mean transitions between components in the trials of each value of a label, as heat maps.

    Entry (row, column) is how much the column's component at one time point adds to the row's at
    the next. Up to six components have their numbers in the cells: what they pass on is often small
    beside what they keep.

    Parameters
    ----------
    model : MILCCI, or path to a model file
        Fitted with ``prior="lds"``.
    by : str, optional
        A label column or category. Unset: all trials together.

    Returns
    -------
    array of Axes, one per value

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, prior="lds", effort="quick").fit(trials)
    >>> axes = milcci.plot.transitions(model, by="choice")
    """
    source = Source(model)
    options, means = mean_transitions(source, by)
    n = len(source.component_names)
    has_numbers = n <= 6 and len(options) <= 3
    width = max(1.7, 0.5 + 0.38 * n) if has_numbers else 1.7
    figure = new_figure(
        float(np.clip(1.2 + width * len(options), COLUMN, 8.0)), max(2.4, width + 0.9)
    )
    axes = figure.subplots(1, len(options), sharex=True, sharey=True, squeeze=False)[0]
    low, high = limits(means)
    for ax, option, mean in zip(axes, options, means, strict=True):
        image = ax.imshow(mean, cmap=MAP, vmin=low, vmax=high)
        ax.set_title(shorten(option, 14), fontsize="small")
        name_ticks(ax.xaxis, source.component_names, "from")
        for (row, column), value in np.ndenumerate(mean if has_numbers else np.empty((0, 0))):
            text = f"{round(value, 2) + 0.0:.2f}"  # no negative zero
            colour = "black" if value > 0 else "white"
            ax.text(column, row, text, ha="center", va="center", fontsize=5.5, color=colour)
    name_ticks(axes[0].yaxis, source.component_names, "to")
    colour_bar(image, list(axes), "transition")
    if by:
        figure.suptitle(by, fontsize="medium")
    return np.asarray(axes)


def transition_network(
    model: Model,
    by: str | None = None,
    value: str | None = None,
    *,
    least: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Mean transitions as arrows between components; wider arrows are larger, dashed ones negative.

    What a component keeps of itself is the size of its circle, and told below its name (of up to
    24 components).

    Parameters
    ----------
    model : MILCCI, or path to a model file
        Fitted with ``prior="lds"``.
    by, value : str, optional
        Only trials with this value of this label.
    least : float
        Arrows below this share of the largest are left out.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, prior="lds", effort="quick").fit(trials)
    >>> ax = milcci.plot.transition_network(model, "choice", "left")
    """
    source = Source(model)
    if (by is None) != (value is None):
        raise ValueError("give both `by` and `value`, or neither")
    options, means = mean_transitions(source, by)
    if value is not None and str(value) not in options:
        raise ValueError(f"{by} has no value {value!r}; it has {', '.join(options)}")
    mean = means[0 if value is None else options.index(str(value))]
    names = source.component_names
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
    x, y = np.cos(angle), np.sin(angle)
    # In inches: circles keep apart on the wheel, and names have room around it.
    radius = max(0.95, 0.085 * len(names))
    beside, above = 0.25 + 0.06 * max(10, *(len(shorten(name)) for name in names)), 0.5
    ax = new_axes(ax, 2 * (radius + beside), 2 * (radius + above) + 0.7)
    between = mean - np.diag(np.diag(mean))
    largest = float(np.abs(between).max())
    for target, origin in np.argwhere(np.abs(between) > least * largest):
        weight = between[target, origin] / largest
        ax.annotate(
            "",
            (x[target], y[target]),
            (x[origin], y[origin]),
            arrowprops={
                "arrowstyle": "-|>",
                "shrinkA": 13,
                "shrinkB": 13,
                "linewidth": 0.4 + 2.4 * abs(weight),
                "linestyle": "-" if weight > 0 else "--",
                "color": "#0072B2" if weight > 0 else "#D55E00",
                "connectionstyle": "arc3,rad=0.12",
            },
        )
    sizes = 120 + 260 * np.clip(np.diag(mean), 0.0, 1.0)
    ax.scatter(x, y, s=sizes, color="0.85", edgecolor="0.3", zorder=3)
    for j, name in enumerate(names):
        is_above = abs(x[j]) < 0.1
        kept = f"\nkeeps {mean[j, j]:.2f}" if len(names) <= 24 else ""
        ax.annotate(
            shorten(name) + kept,
            (x[j], y[j]),
            xytext=(0.0 if is_above else 14 * x[j], (14 + 10 * abs(y[j])) * y[j]),
            textcoords="offset points",
            ha="center" if is_above else "left" if x[j] > 0 else "right",
            va="center",
            fontsize="x-small",
        )
    across, up = 1 + beside / radius, 1 + above / radius
    ax.set(xlim=(-across, across), ylim=(-up, up), aspect="equal")
    ax.set_axis_off()
    title = f"{by} = {value}" if value is not None else "all trials"
    ax.set_title(f"{title}\nwidest arrow {largest:.2g}, dashed: negative", fontsize="small")
    return ax


def mean_transitions(source: Source, by: str | None) -> tuple[list[str], NDArray[np.float64]]:
    """The values of the label, and value x component x component."""
    n = source.result.n_transitions
    if n == 0:
        raise ValueError('this model has no transitions: fit with prior="lds"')
    all_of_them = np.array([source.result.transition(m) for m in range(n)])
    if by is None:
        return ["all trials"], all_of_them.mean(axis=0, keepdims=True)
    options, of_trial = source.groups(by)
    present = [i for i in range(len(options)) if (of_trial == i).any()]
    means = [all_of_them[of_trial == i].mean(axis=0) for i in present]
    return [options[i] for i in present], np.array(means)
