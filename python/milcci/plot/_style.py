"""Colours, sizes and small parts that all pictures share.

Options keep their colours from picture to picture. Colours are told apart by people who do not see
red from green, and without any colour by lightness, line style or marker.
"""

from __future__ import annotations

import math
import textwrap
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
#: Of a turned name below an axis, and of one beside an axis, in inches.
TEXT_HEIGHT = 0.14
LINE_HEIGHT = 0.112


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


def height_of_list(n: int, most: float = 7.5) -> float:
    """Of a picture with a row for every channel, in inches: about fifty have room for their names.

    The axes have about three quarters of it.
    """
    return float(np.clip(0.9 + 0.15 * n, 2.2, most))


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
    """Colour, line style and place of every group of trials, given by its value of each label.

    Any two of up to `MOST_LINES` differ in style, or else in lightness. Of two labels with few
    values each, the one with fewer has the colours and the other has the styles. Full lines lie
    behind broken ones: where two are the same, both are seen.
    """
    values = [list(dict.fromkeys(of_label)) for of_label in zip(*groups, strict=True)]
    if len(values) == 2:
        few, more = (0, 1) if len(values[0]) <= len(values[1]) else (1, 0)
        if len(values[few]) <= 4 and len(values[more]) <= len(STYLES):
            colours = colours_of(values[few], is_ordered[few] or len(values[few]) > 3)
            return [
                _look(colours[values[few].index(group[few])], values[more].index(group[more]))
                for group in groups
            ]
    is_by_lightness = (len(is_ordered) > 0 and is_ordered[0]) or len(groups) > len(COLOURS)
    colours = colours_of([", ".join(group) for group in groups], is_by_lightness)
    # The lightest line is the fullest one: all are seen equally well.
    styles = range(len(groups))[::-1] if is_by_lightness else range(len(groups))
    return [_look(colour, style) for colour, style in zip(colours, styles, strict=True)]


def _look(colour: Any, style: int) -> dict[str, Any]:
    style %= len(STYLES)
    return {"color": colour, "linestyle": STYLES[style], "zorder": 2 + 0.01 * style}


def in_front(colour: str = "white") -> list[Any]:
    """A rim for lines, which shows them in front of bands, heat maps and each other."""
    from matplotlib.patheffects import Normal, Stroke

    return [Stroke(linewidth=2.4, foreground=colour), Normal()]


def limits(values: NDArray[np.float64]) -> tuple[float, float]:
    """For a heat map: from zero, or the same on both sides of it."""
    finite = np.ma.masked_invalid(values).compressed()
    largest = float(np.abs(finite).max(initial=0.0)) or 1.0
    return (-largest if finite.size and finite.min() < 0 else 0.0), largest


def heat_map(ax: Axes, values: NDArray[np.float64], label: str, extent: Any = None) -> Any:
    low, high = limits(values)
    looks: dict[str, Any] = {"cmap": MAP, "vmin": low, "vmax": high, "extent": extent}
    image = ax.imshow(values, aspect="auto", interpolation=smoothing(ax, values), **looks)
    colour_bar(image, ax, label)
    return image


def colour_bar(image: Any, ax: Any, label: str = "") -> None:
    """Beside one axes, or beside several that share it."""
    bar = image.figure.colorbar(image, ax=ax, shrink=0.9, pad=0.02)
    bar.set_label(label, fontsize="small")
    bar.ax.tick_params(labelsize="x-small")


def smoothing(ax: Axes, values: NDArray[np.float64]) -> str:
    """None where every cell has a pixel of its own: matplotlib would blur cells of a few pixels."""
    width, height = room_of(ax)
    has_room = values.shape[0] <= 100 * height and values.shape[1] <= 100 * width
    return "nearest" if has_room else "auto"


def text_on(value: float, largest: float) -> str:
    """The colour of text that is read on a cell of a heat map from zero."""
    return "black" if value > 0.5 * largest else "white"


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
        looks |= {"interpolation": smoothing(ax, values), "extent": extent}
        return ax.imshow(values, aspect="auto", **looks)
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


def name_ticks(
    axis: Any, names: Sequence[str], what: str = "", least_step: int = 1, groups: int = 1
) -> int:
    """Names at the places 0, 1, ..., turned on the axis of x, and `what` they name.

    Of more names than there is room for, every second or third and so on; the axis says so. Of
    names that come in `groups`, each group has the same ones named. Returns that step.
    """
    ax = axis.axes
    is_x = axis is ax.xaxis
    width, height = room_of(ax)
    # Names beside the axis of y will take about a quarter of the width, and no more than this.
    room = max(0.75 * width, width - 0.6) if is_x else height
    step = math.ceil(len(names) * (TEXT_HEIGHT if is_x else LINE_HEIGHT) / room)
    step = max(least_step, step)
    places = list(range(0, len(names), step))
    n = len(names) // groups
    if 1 < step <= n and groups > 1:
        # The last of a group is as far from the first of the next.
        within = range(0, n - step + 1, step)
        step = step if len(within) > 1 else n
        places = [group * n + place for group in range(groups) for place in within]
    axis.set_ticks(places, [shorten(names[place]) for place in places], fontsize="x-small")
    if is_x and any(len(names[place]) > 2 for place in places):
        turn(axis)
    note = f"every {nth(step)} named" if step > 1 else ""
    axis.set_label_text(", ".join(filter(None, (what, note))), fontsize="small")
    return step


def name_matrix(ax: Axes, names: Sequence[str], rows: str, columns: str) -> None:
    """The same names on both axes, at the same places."""
    step = name_ticks(ax.xaxis, names, columns, name_ticks(ax.yaxis, names, rows))
    name_ticks(ax.yaxis, names, rows, step)


def name_groups(axis: Any, centres: Sequence[float], names: Sequence[str], n: int) -> None:
    """Names at the middle of groups along an axis of `n` places, those that do not overlap."""
    is_x = axis is axis.axes.xaxis
    width, height = room_of(axis.axes)
    least = TEXT_HEIGHT * n / (width if is_x else height)
    shown: list[tuple[float, str]] = []
    for centre, name in zip(centres, names, strict=True):
        if not shown or centre - shown[-1][0] >= least:
            shown.append((centre, shorten(name, 12)))
    axis.set_ticks([c for c, _ in shown], [name for _, name in shown], fontsize="x-small")
    if is_x and any(len(name) > 2 for _, name in shown):
        turn(axis)


def turn(axis: Any) -> None:
    for label in axis.get_ticklabels():
        label.set(rotation=45, ha="right", rotation_mode="anchor")


def nth(number: int) -> str:
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def some_of(shown: int, total: int, what: str) -> str:
    return f"{total} {what}" if shown == total else f"{shown} of {total} {what}"


def few_numbers(axis: Any) -> None:
    """Of small numbers, which are long: those of memberships would touch."""
    axis.get_major_locator().set_params(nbins=4)


def whole_numbers(axis: Any) -> None:
    """There is no trial 2.5."""
    axis.get_major_locator().set_params(integer=True)


def room_of(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes, in inches, before the layout is final."""
    box = ax.get_window_extent()
    figure = ax.get_figure(root=True)
    assert figure is not None
    return max(0.2, float(box.width / figure.dpi)), max(0.2, float(box.height / figure.dpi))


def tidy(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize="small")


def legend(
    ax: Axes,
    title: str | None = None,
    *,
    most: int = 12,
    n_others: int = 0,
    is_reversed: bool = False,
) -> None:
    """Beside the axes, so that it hides nothing; of many entries, or more than the height of the
    picture has room for, some, the ends included. The last `n_others` are always there, and are not
    what the title says.

    Markers of the data end well before it, or they would look like its own.
    """
    from matplotlib.lines import Line2D

    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    # The title of the picture and that of the legend are above; a line takes 0.155 inches.
    lines = int((_row_of(ax) - 0.7) / 0.155) - (title or "").count("\n")
    n = len(handles) - n_others
    most = max(2, min(most, lines) - n_others)
    if n > most:
        places = np.linspace(0, n - 1, most).round().astype(int).tolist()
        places += range(n, len(handles))
        title = f"{title or ''} ({most} of {n})".strip()
        handles, labels = [handles[i] for i in places], [labels[i] for i in places]
    has_lines = any(isinstance(h, Line2D) and h.get_linestyle() != "None" for h in handles)
    ax.legend(
        handles,
        labels,
        title=title,
        fontsize="x-small",
        title_fontsize="x-small",
        frameon=False,
        handlelength=3.4 if has_lines else 1.5,  # dashes need some length
        reverse=is_reversed,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=1.2,
    )


def _row_of(ax: Axes) -> float:
    """Height of the row of pictures that the axes are in: those are 0.77 of a figure by default,
    and a fifth of their height apart."""
    place = ax.get_subplotspec()
    n = 1 if place is None else place.get_gridspec().nrows
    return room_of(ax)[1] * (n + 0.2 * (n - 1)) / (0.77 * n)


def nothing_to_see(ax: Axes, why: str) -> Axes:
    """A picture that cannot be drawn says so, in lines that are no wider than its axes."""
    letters = max(12, int(10 * room_of(ax)[0]))
    text = "\n".join(textwrap.fill(line, letters) for line in why.splitlines())
    ax.text(0.5, 0.5, text, ha="center", va="center", fontsize="small", transform=ax.transAxes)
    ax.set_axis_off()
    return ax
