"""Colours, sizes and small parts that all pictures share.

Options keep their colours from picture to picture. Colours are told apart by people who do not see
red from green, and in greyscale by lightness or line style.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._optional import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: One column of a journal, in inches.
COLUMN = 3.5
#: Okabe and Ito's colours, from dark to light and back, so that neighbours differ in lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#000000")
STYLES = ("-", "--", "-.", ":")
GREY = "0.45"
#: Its lightness rises all the way, so it is the same picture in greyscale.
MAP = "cividis"
#: Of a name beside an axis, in inches.
TEXT_HEIGHT = 0.14


def new_axes(ax: Axes | None, width: float = COLUMN, height: float = 2.4) -> Axes:
    """The axes that were given, or those of a new figure, which is not shown."""
    if ax is not None:
        return ax
    return new_figure(width, height).add_subplot()


def new_figure(width: float, height: float) -> Figure:
    require("matplotlib", "a picture")
    from matplotlib.figure import Figure as Made
    from matplotlib.pyplot import figure

    made = figure(figsize=(width, height), layout="constrained")
    assert isinstance(made, Made)
    return made


def colours_of(options: Sequence[str], is_ordered: bool) -> list[Any]:
    """A colour per option: from dark to light where options are ordered or many."""
    require("matplotlib", "a picture")
    from matplotlib import colormaps

    if is_ordered or len(options) > len(COLOURS):
        # The lightest yellow is hard to see on white.
        return [colormaps["viridis"](x) for x in np.linspace(0.0, 0.85, max(len(options), 2))][
            : len(options)
        ]
    return list(COLOURS[: len(options)])


def style_of(position: int, is_ordered: bool) -> str:
    return "-" if is_ordered else STYLES[position % len(STYLES)]


def limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """For a heat map: from zero, or the same on both sides of it."""
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max(initial=0.0)) or 1.0
    return (-largest if finite.size and finite.min() < 0 else 0.0), largest


def heat_map(
    ax: Axes, values: NDArray[np.float64], label: str, extent: Any = None, has_bar: bool = True
) -> Any:
    low, high = limits(values)
    image = ax.imshow(
        values, aspect="auto", cmap=MAP, vmin=low, vmax=high, interpolation="auto", extent=extent
    )
    if has_bar:
        bar = ax.figure.colorbar(image, ax=ax, shrink=0.9, pad=0.02)
        bar.set_label(label, fontsize="small")
        bar.ax.tick_params(labelsize="x-small")
    return image


def time_map(
    ax: Axes,
    times: NDArray[np.float64],
    values: NDArray[np.float64],
    span: tuple[float, float] | None = None,
) -> Any:
    """A heat map whose columns are at their times, evenly spaced or not."""
    low, high = limits(values) if span is None else span
    step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
    looks: dict[str, Any] = {"cmap": MAP, "vmin": low, "vmax": high}
    if np.allclose(np.diff(times), step, rtol=0.02):
        ends = (times[0] - step / 2, times[-1] + step / 2)
        extent = (*ends, len(values) - 0.5, -0.5)
        return ax.imshow(values, aspect="auto", interpolation="auto", extent=extent, **looks)
    # As wide as the usual step, or to the middle between two that are nearer; gaps stay white.
    half = np.minimum(np.diff(times), step) / 2
    left = times - np.append(step / 2, half)
    right = times + np.append(half, step / 2)
    edges = np.column_stack([left, right]).ravel()
    cells = np.full((len(values), 2 * len(times) - 1), np.nan)
    cells[:, ::2] = values
    mesh = ax.pcolormesh(edges, np.arange(len(values) + 1) - 0.5, cells, **looks)
    ax.set_ylim(len(values) - 0.5, -0.5)
    return mesh


def shorten(name: str, most: int = 18) -> str:
    """Names of files and pages can be long: the middle is left out."""
    name = " ".join(name.split())
    if len(name) <= most:
        return name
    kept = most - 1
    return name[: (kept + 1) // 2] + "…" + name[len(name) - kept // 2 :]


def name_ticks(axis: Any, names: Sequence[str]) -> None:
    """Names at the places 0, 1, ..., as many as there is room for; turned on the axis of x."""
    ax = axis.axes
    is_x = axis is ax.xaxis
    width, height = room_of(ax)
    step = max(1, math.ceil(len(names) * TEXT_HEIGHT / (width if is_x else height)))
    places = list(range(0, len(names), step))
    axis.set_ticks(places, [shorten(names[place]) for place in places], fontsize="x-small")
    if is_x and any(len(names[place]) > 2 for place in places):
        for label in axis.get_ticklabels():
            label.set(rotation=45, ha="right", rotation_mode="anchor")


def room_of(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes, in inches, before the layout is final."""
    box = ax.get_window_extent()
    figure = ax.get_figure(root=True)
    assert figure is not None
    return max(0.2, float(box.width / figure.dpi)), max(0.2, float(box.height / figure.dpi))


def tidy(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize="small")


def legend(ax: Axes, title: str | None = None, most: int = 12) -> None:
    """Beside the axes, so that it hides nothing; of many entries some, the ends included."""
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    if len(handles) > most:
        places = np.unique(np.linspace(0, len(handles) - 1, most).round().astype(int))
        handles, labels = [handles[i] for i in places], [labels[i] for i in places]
    ax.legend(
        handles,
        labels,
        title=title,
        fontsize="x-small",
        title_fontsize="x-small",
        frameon=False,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=0.2,
    )


def nothing_to_see(ax: Axes, why: str) -> Axes:
    """A picture that cannot be drawn says so."""
    ax.text(
        0.5, 0.5, why, ha="center", va="center", fontsize="small", transform=ax.transAxes, wrap=True
    )
    ax.set_axis_off()
    return ax
