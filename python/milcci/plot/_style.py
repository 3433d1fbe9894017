"""Colours, sizes and small parts that all pictures share.

Options keep their colours from picture to picture. Colours are told apart by people who do not see
red from green, and without any colour by lightness, line style or marker.
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
#: Okabe and Ito's colours. The first three differ much in lightness, and so do neighbours.
COLOURS = ("#0072B2", "#E69F00", "#000000", "#D55E00", "#56B4E9", "#009E73", "#CC79A7")
#: Of lines, in widths of the line. Up to five of them are ordered, from a full line to dots.
STYLES: tuple[Any, ...] = (
    "-",
    (0, (6, 2)),
    (0, (5, 2, 1, 2)),
    (0, (2.5, 1.5)),
    (0, (1, 1.5)),
    (0, (6, 2, 1, 2, 1, 2)),
    (0, (10, 3)),
    (0, (8, 2, 2.5, 2)),
)
#: More lines than these are not told apart in greyscale.
MOST_LINES = 24
GREY = "0.45"
#: What red, green and blue add to the lightness of a colour, as in pictures turned grey.
LUMINANCE = np.array([0.299, 0.587, 0.114])
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
    if is_ordered or len(options) > len(COLOURS):
        # The lightest yellow is hard to see on white.
        return shades("viridis", len(options), 0.85)
    return list(COLOURS[: len(options)])


def shades(name: str, n: int, end: float = 1.0) -> list[Any]:
    """Colours of a map from its start to `end`, in even steps of lightness."""
    require("matplotlib", "a picture")
    from matplotlib import colormaps

    along = np.linspace(0.0, end, 256)
    lightness = colormaps[name](along)[:, :3] @ LUMINANCE
    steps = np.linspace(lightness[0], lightness[-1], max(n, 2))[:n]
    return [colormaps[name](x) for x in np.interp(steps, lightness, along)]


def line_looks(groups: Sequence[Sequence[str]], is_ordered: Sequence[bool]) -> list[dict[str, Any]]:
    """Colour and line style of every group of trials, given by its value of each label.

    Any two of up to `MOST_LINES` differ in style, or else in lightness. Of two labels with few
    values each, the one with fewer has the colours and the other has the styles.
    """
    values = [list(dict.fromkeys(of_label)) for of_label in zip(*groups, strict=True)]
    if len(values) == 2:
        few, more = (0, 1) if len(values[0]) <= len(values[1]) else (1, 0)
        if len(values[few]) <= 4 and len(values[more]) <= len(STYLES):
            colours = colours_of(values[few], is_ordered[few] or len(values[few]) > 3)
            return [
                {
                    "color": colours[values[few].index(group[few])],
                    "linestyle": STYLES[values[more].index(group[more])],
                }
                for group in groups
            ]
    is_by_lightness = (len(is_ordered) > 0 and is_ordered[0]) or len(groups) > len(COLOURS)
    colours = colours_of([", ".join(group) for group in groups], is_by_lightness)
    # The lightest line is the fullest one: all are seen equally well.
    styles = range(len(groups))[::-1] if is_by_lightness else range(len(groups))
    return [
        {"color": colour, "linestyle": STYLES[style % len(STYLES)]}
        for colour, style in zip(colours, styles, strict=True)
    ]


def in_front() -> list[Any]:
    """A white rim for lines, which shows them in front of bands and of each other."""
    from matplotlib.patheffects import Normal, Stroke

    return [Stroke(linewidth=2.4, foreground="white"), Normal()]


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
    """Beside the axes, so that it hides nothing; of many entries some, the ends included.

    Markers of the data end well before it, or they would look like its own.
    """
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    if len(handles) > most:
        places = np.unique(np.linspace(0, len(handles) - 1, most).round().astype(int))
        title = f"{title or ''} ({most} of {len(handles)})".strip()
        handles, labels = [handles[i] for i in places], [labels[i] for i in places]
    ax.legend(
        handles,
        labels,
        title=title,
        fontsize="x-small",
        title_fontsize="x-small",
        frameon=False,
        handlelength=3.4,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=1.2,
    )


def nothing_to_see(ax: Axes, why: str) -> Axes:
    """A picture that cannot be drawn says so."""
    ax.text(
        0.5, 0.5, why, ha="center", va="center", fontsize="small", transform=ax.transAxes, wrap=True
    )
    ax.set_axis_off()
    return ax
