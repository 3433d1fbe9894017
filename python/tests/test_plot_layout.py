"""Names, numbers and legends of pictures keep apart and within them, with few and with many."""

from __future__ import annotations

import itertools
import re

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
from matplotlib import pyplot

import milcci
from milcci import plot
from quick_fits import of_many_channels, quietly_fitted


def test_every_bar_beside_all_trials_is_explained(model):
    ax = plot.trials(model, 0, by=["difficulty", "choice"])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["left", "right"]
    assert ax.get_legend().get_title().get_text() == "choice"
    assert plot.trials(model, 0, by="difficulty").get_legend() is None


def test_noise_has_numbers_on_its_axis():
    trials = milcci.simulate(n_channels=12, n_trials=24, length=25, noise=0.5, seed=3)
    values = [np.asarray(trial) + 0.05 * np.arange(25) for trial in trials]  # no channel is silent
    ax = plot.noise(quietly_fitted(values, trials.labels, dims=("channel", "time")))
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    numbers = [
        tick.label1.get_text()
        for tick in ax.xaxis.get_major_ticks()
        if low <= tick.get_loc() <= high
    ]
    assert len([number for number in numbers if number]) >= 2


@pytest.mark.parametrize(
    "ends", [(0.5, 0.9), (0.11, 0.19), (0.02, 0.3), (0.03, 2), (0.005, 3), (1e-5, 100), (1e-9, 1)]
)
def test_numbers_of_a_log_axis_keep_apart(ends):
    ax = pyplot.figure(figsize=(2.8, 2.0), layout="constrained").add_subplot()
    ax.plot(ends, [0, 1])
    plot._style.tidy(ax)
    plot._fit._log_axis(ax)
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    shown = [t.label1 for t in ax.xaxis.get_major_ticks() if low <= t.get_loc() <= high]
    boxes = sorted((b.x0, b.x1) for b in (t.get_window_extent() for t in shown if t.get_text()))
    assert len(boxes) >= 2
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(boxes))


@pytest.mark.parametrize(("n_channels", "n_options"), [(3, 2), (300, 40)])
def test_names_do_not_overlap_with_few_or_many(n_channels, n_options):
    """Neighbouring names on an axis keep apart, and none leaves the picture."""
    found = quietly_fitted(of_many_channels(n_channels, n_options), categories={"condition": 1})
    for ax in (
        plot.components(found),
        plot.members(found),
        plot.noise(found),
        plot.label_graph(found),
    ):
        ax.figure.canvas.draw()
        for axis in (ax.xaxis, ax.yaxis):
            if axis.get_ticklabels() and axis.get_ticklabels()[0].get_rotation() == 0:
                least, most = sorted(axis.get_view_interval())
                shown = [t.label1 for t in axis.get_major_ticks() if least <= t.get_loc() <= most]
                boxes = [t.get_window_extent() for t in shown if t.get_text()]
                low, high = ("y0", "y1") if axis is ax.yaxis else ("x0", "x1")
                ends = sorted((getattr(b, low), getattr(b, high)) for b in boxes)
                assert all(a[1] <= b[0] + 1 for a, b in itertools.pairwise(ends)), ax


@pytest.mark.parametrize("draw", [
    lambda trials, found: plot.components(found),
    lambda trials, found: plot.noise(found),
    lambda trials, found: plot.variants(found, n_channels=100)[0],
    lambda trials, found: plot.trial(found, trials)[0],
    lambda trials, found: plot.raster(trials),
    lambda trials, found: plot.rates(trials),
    lambda trials, found: plot.channel_correlations(trials),
])  # fmt: skip
def test_an_axis_says_which_channels_are_named(draw):
    trials = of_many_channels(200)
    ax = draw(trials, quietly_fitted(trials, categories={"condition": 1}))
    words = re.fullmatch(
        r"(?:(\d+) of )?200 channels, every (\d+)(nd|rd|th) named", ax.get_ylabel()
    )
    assert words, ax.get_ylabel()
    assert set(np.diff(ax.get_yticks())) == {int(words[2])}
    few = of_many_channels(5)
    ax = draw(few, quietly_fitted(few, categories={"condition": 1}))
    assert re.fullmatch(r"([1-4] of )?5 channels", ax.get_ylabel())


@pytest.mark.parametrize("n_options", [10, 16, 20, 40])
def test_names_that_are_turned_keep_apart(n_options):
    """The lines of text do not touch, in small pictures and on the page of all."""
    trials = of_many_channels(5 * n_options, n_options)
    found = quietly_fitted(trials, categories={"condition": 1})
    small = [plot.components(found), plot.label_graph(found), plot.channel_correlations(trials)]
    for ax in [*small, plot.overview(found).axes[0]]:
        ax.figure.canvas.draw()
        names = ax.get_xticklabels()
        assert names[0].get_rotation() == 45
        places = ax.transData.transform([(x, 0.0) for x in ax.get_xticks()])[:, 0]
        line = 1.2 * names[0].get_fontsize() / 72 * ax.figure.dpi
        assert np.diff(places).min() * np.sin(np.pi / 4) >= line, ax.get_xlabel()
    assert n_options > 20 or small[0].get_xlabel() == "condition"  # there is room for all


def test_a_matrix_names_the_same_channels_on_both_axes():
    for n in (20, 28, 100):
        ax = plot.channel_correlations(of_many_channels(n))
        assert list(ax.get_xticks()) == list(ax.get_yticks())
        assert ax.get_xlabel() == ax.get_ylabel()


def test_a_reason_stays_within_its_axes():
    figure, axes = pyplot.subplots(1, 4, figsize=(10, 3), layout="constrained")
    plot._style.nothing_to_see(axes[1], "all components of stimuli_type are dead")
    figure.canvas.draw()
    words, around = axes[1].texts[0].get_window_extent(), axes[1].get_window_extent()
    assert around.x0 <= words.x0
    assert words.x1 <= around.x1


def test_small_cells_are_not_blurred():
    found = quietly_fitted(of_many_channels(3, 40), categories={"condition": 1})
    assert plot.components(found).images[0].get_interpolation() == "nearest"


def boxes_of(texts):
    return [text.get_window_extent() for text in texts if text.get_visible() and text.get_text()]


def keep_apart(boxes):
    return not any(
        a.x0 < b.x1 - 1 and b.x0 < a.x1 - 1 and a.y0 < b.y1 - 1 and b.y0 < a.y1 - 1
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
    )


def are_within(boxes, figure):
    page = figure.bbox
    return all(
        box.x0 >= -1 and box.y0 >= -1 and box.x1 <= page.x1 + 1 and box.y1 <= page.y1 + 1
        for box in boxes
    )


@pytest.mark.parametrize("draw", [
    lambda trials, found: plot.components(found),
    lambda trials, found: plot.noise(found),
    lambda trials, found: plot.rates(trials),
])  # fmt: skip
def test_fifty_channels_are_all_named(draw):
    """As many as the states of an election: which one has no name is not to be guessed."""
    trials = of_many_channels(51)
    ax = draw(trials, quietly_fitted(trials, categories={"condition": 1}))
    ax.figure.canvas.draw()
    assert ax.get_ylabel() == "51 channels"
    assert keep_apart(boxes_of(ax.get_yticklabels()))


def test_the_components_of_a_category_name_the_same_options():
    n_options = 40
    found = quietly_fitted(of_many_channels(6, n_options), categories={"condition": 3})
    ax = plot.components(found)
    by_component = [
        [int(x) % n_options for x in ax.get_xticks() if x // n_options == j] for j in range(3)
    ]
    assert by_component[0] == by_component[1] == by_component[2]
    assert len(by_component[0]) > 1
    step = by_component[0][1]
    assert min(np.diff(ax.get_xticks())) >= step
    assert ax.get_xlabel() == f"condition, every {plot._style.nth(step)} named"


@pytest.mark.parametrize("draw", [plot.members, lambda found: plot.difference(found, 0)])
def test_numbers_of_small_memberships_keep_apart(draw):
    rng = np.random.default_rng(3)
    arrays = [rng.random((300, 1)) * rng.random((1, 12)) for _ in range(8)]
    found = quietly_fitted(
        arrays, {"side": ["l", "r"] * 4}, categories={"side": 1}, dims=("channel", "time")
    )
    ax = draw(found)
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    shown = [t.label1 for t in ax.xaxis.get_major_ticks() if low <= t.get_loc() <= high]
    assert len(shown) >= 2
    assert keep_apart(boxes_of(shown))


@pytest.mark.parametrize("rows", [1, 3])
def test_a_legend_has_no_more_lines_than_there_is_room_for(rows):
    figure, axes = pyplot.subplots(
        rows, 1, figsize=(4.4, 2.0 * rows), layout="constrained", squeeze=False
    )
    for ax in axes.ravel():
        for i in range(24):
            ax.plot([0, 1], [0, i], label=f"option {i}")
        plot._style.legend(ax, "condition\nand other")
    figure.canvas.draw()
    for ax in axes.ravel():
        assert are_within([ax.get_legend().get_window_extent()], figure)
        assert ax.get_window_extent().height > 0.5 * figure.dpi
        texts = [text.get_text() for text in ax.get_legend().get_texts()]
        assert (texts[0], texts[-1]) == ("option 0", "option 23")
        assert len(texts) >= 5


def test_a_dozen_groups_of_two_labels_are_all_in_the_legend():
    arrays = [np.random.default_rng(m).random((3, 8)) for m in range(24)]
    labels = {
        "party": [f"party {m % 4}" for m in range(24)],
        "office": [f"office {m % 3}" for m in range(24)],
    }
    found = quietly_fitted(arrays, labels, categories={"party": 1}, dims=("channel", "time"))
    ax = plot.traces(found, 0, by=["party", "office"])
    ax.figure.canvas.draw()
    assert len(ax.get_legend().get_texts()) == 12
    assert are_within([ax.get_legend().get_window_extent()], ax.figure)


def test_drift_by_many_values_has_a_legend_within_the_picture():
    found = quietly_fitted(of_many_channels(4, 40), categories={"condition": 1})
    ax = plot.drift(found, 0, by="condition")
    ax.figure.canvas.draw()
    assert are_within([ax.get_legend().get_window_extent()], ax.figure)
    *options, mean = [text.get_text() for text in ax.get_legend().get_texts()]
    assert ax.get_legend().get_title().get_text() == f"condition ({len(options)} of 40)"
    assert options[0] == "condition 00 (n=2)"
    assert options[-1] == "condition 39 (n=2)"
    assert mean == "mean of 8 trials"


def test_bars_of_many_options_are_named_and_explained():
    found = quietly_fitted(of_many_channels(4, 40), categories={"condition": 1})
    (bar,) = plot.trials(found, 0).child_axes
    names = [label.get_text() for label in bar.get_yticklabels()]
    assert len(names) > 3
    assert set(names) <= {f"condition {i:02}" for i in range(40)}
    arrays = [np.random.default_rng(m).random((3, 8)) for m in range(40)]
    labels = {"side": ["l", "r"] * 20, "place": [f"place {m % 20:02}" for m in range(40)]}
    two = quietly_fitted(arrays, labels, categories={"side": 1}, dims=("channel", "time"))
    legend = plot.trials(two, 0, by=["side", "place"]).get_legend()
    assert legend.get_title().get_text() == "place (6 of 20)"
    assert [t.get_text() for t in legend.get_texts()][::5] == ["place 00", "place 19"]


def test_an_event_is_seen_on_light_and_dark_trials(model):
    ax = plot.trials(model, 0, events={"cue": 5})
    assert len(ax.lines[0].get_path_effects()) == 2
    ax.figure.canvas.draw()
    (name,) = [text for text in ax.texts if text.get_text() == "cue"]
    assert name.get_window_extent().y0 > ax.get_window_extent().y1


def test_the_name_of_a_late_event_stays_within_the_axes(model):
    ax = plot.traces(model, 0, events={"a rather late event": 27})
    ax.figure.canvas.draw()
    (name,) = ax.texts
    assert name.get_window_extent().x1 <= ax.get_window_extent().x1 + 1


@pytest.mark.parametrize("n", [3, 8, 12, 16, 24, 40])
def test_names_around_a_network_keep_apart(dynamic, monkeypatch, n):
    matrix = 0.9 * np.eye(n) + 0.01 * np.random.default_rng(n).standard_normal((n, n))
    monkeypatch.setattr(
        plot._dynamics, "mean_transitions", lambda *_: (["all trials"], matrix[np.newaxis])
    )
    names = [f"direction {j + 1}" for j in range(n)]
    monkeypatch.setattr(plot._dynamics.Source, "component_names", names)
    ax = plot.transition_network(dynamic)
    ax.figure.canvas.draw()
    named = [text for text in ax.texts if text.get_text()]
    told = [f"{name}\nkeeps {matrix[j, j]:.2f}" for j, name in enumerate(names)]
    assert [text.get_text() for text in named] == (told if n <= 24 else names)
    assert keep_apart([*boxes_of(named), ax.title.get_window_extent()])
    assert are_within([*boxes_of(named), ax.title.get_window_extent()], ax.figure)
    circles = ax.collections[0]
    centres = ax.transData.transform(circles.get_offsets())
    radii = np.sqrt(circles.get_sizes() / np.pi) * ax.figure.dpi / 72
    for box in boxes_of(named):
        nearest = np.clip(centres, (box.x0, box.y0), (box.x1, box.y1))
        assert (np.hypot(*(centres - nearest).T) >= radii - 1).all()
