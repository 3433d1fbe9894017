"""Without colours, too: lines that share an axis are told apart in a grey picture."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
from matplotlib import colors, pyplot

from milcci import plot
from milcci.plot._style import LUMINANCE, MOST_LINES, line_looks
from quick_fits import quietly_fitted

#: Of black to white. Lines of one style need as much, which is seen on a thin line.
LEAST_DIFFERENCE = 0.15


def luminance(colour):
    return float(colors.to_rgb(colour) @ LUMINANCE)


def dashes(line):
    """As drawn: two spellings of one pattern are the same."""
    return line._unscaled_dash_pattern


def that_look_alike(ax):
    """Pairs of lines in the legend with one dash pattern, and of nearly one lightness."""
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    assert len(lines) > 1
    return [
        (a.get_label(), b.get_label())
        for a, b in itertools.combinations(lines, 2)
        if dashes(a) == dashes(b)
        and a.get_marker() == b.get_marker()
        and abs(luminance(a.get_color()) - luminance(b.get_color())) < LEAST_DIFFERENCE
    ]


@pytest.mark.parametrize("by", ["difficulty", "choice", ["difficulty", "choice"]])
def test_traces_are_told_apart_without_colour(model, by):
    assert that_look_alike(plot.traces(model, "choice 1", by=by)) == []


def test_terms_of_the_objective_are_told_apart_without_colour(model):
    ax = plot.objective(model)
    assert that_look_alike(ax) == []
    # Those that this fit does not have, too.
    styles = [str(style) for style in plot._fit.TERMS.values()]
    assert len(set(styles)) == len(styles)


def test_lines_and_points_are_told_apart_without_colour(model):
    assert that_look_alike(plot.drift(model, 0, by="difficulty")) == []
    ax = plot.trace_difference(model, "choice 1", "choice", "left", "right", permutations=50)
    assert that_look_alike(ax) == []


def test_a_bar_that_only_its_legend_explains_is_told_apart_by_lightness():
    arrays = [np.random.default_rng(m).random((3, 8)) for m in range(20)]
    labels = {"side": ["l", "r"] * 10, "place": [f"place {m % 5}" for m in range(20)]}
    found = quietly_fitted(arrays, labels, categories={"side": 1}, dims=("channel", "time"))
    patches = plot.trials(found, 0, by=["side", "place"]).get_legend().get_patches()
    assert len(patches) == 5
    grey = sorted(luminance(patch.get_facecolor()) for patch in patches)
    assert np.diff(grey).min() > 0.1


def drawn(groups, is_ordered):
    ax = pyplot.figure().add_subplot()
    for group, look in zip(groups, line_looks(groups, is_ordered), strict=True):
        ax.plot([0, 1], [0, 1], label=", ".join(group), **look)
    return ax


@pytest.mark.parametrize("is_ordered", [True, False])
@pytest.mark.parametrize("n", [2, 5, 7, 8, 9, 16, 17, MOST_LINES])
def test_any_number_of_lines_up_to_the_most(n, is_ordered):
    assert that_look_alike(drawn([(str(i),) for i in range(n)], [is_ordered])) == []


@pytest.mark.parametrize("is_ordered", [*itertools.product([True, False], repeat=2)])
@pytest.mark.parametrize(("n_first", "n_second"), [(2, 5), (3, 4), (4, 4), (4, 7), (8, 2)])
def test_lines_of_two_labels(n_first, n_second, is_ordered):
    groups = [(str(a), str(b)) for a in range(n_first) for b in range(n_second)]
    assert that_look_alike(drawn(groups, is_ordered)) == []


def test_one_line_of_all_trials_needs_no_label():
    (look,) = line_looks([()], [])
    assert look["linestyle"] == "-"


def test_the_lightest_line_is_the_fullest():
    looks = line_looks([(str(i),) for i in range(5)], [True])
    grey = [luminance(look["color"]) for look in looks]
    assert grey == sorted(grey)
    assert looks[-1]["linestyle"] == "-"
    assert looks[0]["linestyle"] != "-"
    assert looks[0]["zorder"] > looks[-1]["zorder"]  # broken lines are seen on full ones
