"""What pictures show is compared with the model's numbers, not with stored pixels."""

from __future__ import annotations

import doctest
import warnings

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
from matplotlib import pyplot

import milcci
from milcci import plot
from quick_fits import QUICK, of_many_channels, quietly_fitted

PARTS = (
    "_comparison",
    "_components",
    "_data",
    "_dynamics",
    "_fit",
    "_labels",
    "_overview",
    "_traces",
)


def test_the_heat_map_has_the_memberships(model):
    ax = plot.components(model, "choice", sort=False)
    drawn = np.asarray(ax.images[0].get_array())
    values = np.asarray(model.components_["choice"])
    alive = np.abs(values).max(axis=(1, 2)) > 0
    np.testing.assert_array_equal(drawn, values[alive].reshape(alive.sum(), -1))
    assert ax.get_xlabel() == "choice"


def test_members_are_ranked_and_named(model):
    ax = plot.members(model, "choice 1", top=5)
    values = np.asarray(model.components_["choice"])[:, 0, :]
    order = np.argsort(-np.abs(values).max(axis=1), kind="stable")[:5]
    assert [t.get_text() for t in ax.get_yticklabels()] == [model.channel_names_[n] for n in order]
    for i, container in enumerate(ax.containers):
        np.testing.assert_array_equal(container.lines[0].get_xdata(), values[order, i])


def test_a_difference_goes_from_one_option_to_the_other(model):
    ax = plot.difference(model, "difficulty 1", "1", "5")
    values = np.asarray(model.components_["difficulty"])[:, 0, :]
    names = [t.get_text() for t in ax.get_yticklabels()]
    for line in ax.lines[: len(names)]:
        x, y = line.get_xdata(), line.get_ydata()
        if len(x) == 2 and y[0] == y[1]:
            n = model.channel_names_.index(names[int(y[0])])
            np.testing.assert_array_equal(x, values[n, [0, 4]])
    by_position = plot.difference(model, 0)
    assert by_position.get_title() == ax.get_title()


def test_traces_are_the_means_by_label(model):
    ax = plot.traces(model, "choice 1", by="difficulty")
    trials, labels = model.traces_, dict(model._fitted().labels)
    row = model.component_names_.index("choice 1")
    for line, option in zip(ax.lines, sorted(set(labels["difficulty"])), strict=True):
        chosen = [
            np.asarray(t)[row]
            for t, label in zip(trials, labels["difficulty"], strict=True)
            if label == option
        ]
        assert line.get_ydata()[5] == pytest.approx(np.mean([trace[5] for trace in chosen]))
        assert line.get_label() == f"{option} (n={len(chosen)})"


def test_every_trial_is_drawn_in_the_order_of_its_labels(model):
    ax = plot.trials(model, 0, by="choice")
    labels = dict(model._fitted().labels)["choice"]
    order = sorted(range(len(labels)), key=lambda m: (str(labels[m]), m))
    drawn = np.asarray(ax.images[0].get_array())
    for place, m in enumerate(order):
        trace = np.asarray(model.traces_[m])[0]
        np.testing.assert_array_equal(drawn[place, : len(trace)], trace)


def test_a_trial_is_data_fit_and_what_is_left(model, recording):
    data, fitted, rest = (
        np.asarray(ax.images[0].get_array()) for ax in plot.trial(model, recording, 4)
    )
    np.testing.assert_allclose(data - fitted, rest, atol=1e-12)
    np.testing.assert_array_equal(data, np.asarray(recording[4]))


def test_the_objective_is_that_of_the_summary(model):
    ax = plot.objective(model)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    told = [record["objective"]["total"] for record in model.summary_["iterations"]]
    np.testing.assert_allclose(lines["total"], told)


def test_drift_has_a_point_per_trial(model):
    ax = plot.drift(model, 1)
    np.testing.assert_allclose(
        ax.lines[0].get_ydata(), [np.asarray(trace)[1].mean() for trace in model.traces_]
    )


def test_shares_of_a_trial_sum_to_one(model):
    ax = plot.composition(model)
    heights = np.array([[bar.get_height() for bar in container] for container in ax.containers])
    np.testing.assert_allclose(heights.sum(axis=0), 1.0)


def test_shares_are_told_apart_in_greyscale(model):
    colours = [container[0].get_facecolor() for container in plot.composition(model).containers]
    grey = [np.dot(colour[:3], (0.299, 0.587, 0.114)) for colour in colours]
    assert np.diff(grey).min() > 0.05


def test_trials_at_every_second_time_point_have_a_line():
    values = np.random.default_rng(0).random((12, 4, 9))
    stamps = [np.arange(9.0) if m % 3 else np.arange(0.0, 18.0, 2.0) for m in range(12)]
    steps = ["one" if m % 3 else "two" for m in range(12)]
    fitted = quietly_fitted(
        list(values),
        {"step": steps},
        dims=("channel", "time"),
        times=stamps,
        categories={"step": 1},
    )
    one, two = plot.traces(fitted, 0, by="step").lines
    np.testing.assert_array_equal(one.get_xdata(), stamps[1])
    np.testing.assert_array_equal(two.get_xdata(), stamps[0])
    assert np.isfinite(two.get_ydata()).all()


def test_the_graph_is_that_of_the_fit(model):
    ax = plot.label_graph(model, "difficulty")
    graph = np.asarray(ax.images[0].get_array())
    assert graph.shape == (5, 5)
    np.testing.assert_allclose(graph.sum(axis=1), 1.0)


def test_an_option_is_not_said_to_be_unlike_itself(model):
    ax = plot.label_graph(model, "difficulty")
    np.testing.assert_array_equal(ax.images[0].get_array().mask, np.eye(5, dtype=bool))
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("difficulty", "tied to")


def test_distances_tell_same_from_different(model):
    from milcci.plot._labels import distance_values
    from milcci.plot._source import Source

    same, different = distance_values(Source(model))
    values = np.asarray(model.components_["choice"])
    first, second = (values[:, 0, i] / np.linalg.norm(values[:, 0, i]) for i in (0, 1))
    assert np.isclose(same, np.linalg.norm(first - second)).any()
    assert same.size == 2 * 10 + 2 * 1
    assert different.size == 14 * 13 // 2 - same.size
    plot.distances(model)


def test_truth_has_ones_where_components_were_found(recording):
    found = quietly_fitted(recording)
    axes = plot.truth(found, recording)
    matrix = np.asarray(axes[0].images[0].get_array())
    assert matrix.shape == (4, 4)
    told = milcci.evaluate(found, recording)["component_correlation"]["mean"]
    shown = [float(text.get_text()) for text in axes[0].texts]
    assert np.mean(shown) == pytest.approx(told, abs=0.01)
    columns = [text.get_position()[0] for text in axes[0].texts]
    assert len(set(columns)) == len(columns)
    without_truth = milcci.as_trials(
        [np.asarray(t) for t in recording], dict(recording.labels), dims=("channel", "time")
    )
    with pytest.raises(ValueError, match="no truth"):
        plot.truth(found, without_truth)


def test_transitions_are_means_over_trials(dynamic):
    ax = plot.transitions(dynamic)[0]
    np.testing.assert_allclose(
        np.asarray(ax.images[0].get_array()), np.mean(dynamic.transitions_, axis=0)
    )
    plot.transition_network(dynamic, "choice", "left")
    with pytest.raises(ValueError, match="no value"):
        plot.transition_network(dynamic, "choice", "up")


def test_no_transitions_without_the_prior(model):
    with pytest.raises(ValueError, match="lds"):
        plot.transitions(model)


def test_noise_is_that_of_the_model(recording):
    noisy = milcci.simulate(n_channels=12, n_trials=24, length=30, noise=0.5, seed=3)
    found = quietly_fitted(noisy)
    ax = plot.noise(found)
    np.testing.assert_allclose(np.sort(ax.lines[0].get_xdata()), np.sort(found.noise_["level"]))


def test_correlations_are_those_of_numpy(recording):
    ax = plot.channel_correlations(recording)
    values = np.concatenate([np.asarray(trial) for trial in recording], axis=1)
    drawn, expected = np.asarray(ax.images[0].get_array()), np.corrcoef(values)
    is_known = np.isfinite(expected)
    np.testing.assert_allclose(drawn[is_known], expected[is_known], atol=1e-9)


def test_counts_of_trials(recording):
    ax = plot.trial_counts(recording, ["difficulty", "choice"])
    drawn = np.asarray(ax.images[0].get_array())
    assert drawn.shape == (5, 2)
    assert drawn.sum() == len(recording)


def test_groups_of_channels(recording):
    arrays = [np.asarray(trial) for trial in recording]
    found = quietly_fitted(arrays, dict(recording.labels), dims=("channel", "time"),
                           channel_groups=["V1"] * 6 + ["M2"] * 6)  # fmt: skip
    drawn = np.asarray(plot.channel_groups(found).images[0].get_array())
    np.testing.assert_allclose(drawn.sum(axis=0), 1.0)
    np.testing.assert_allclose(drawn[:, -1], 0.5)
    table = milcci.groups(found).to_frame()
    assert set(table["group"]) == {"V1", "M2"}
    with pytest.raises(ValueError, match="no groups"):
        milcci.groups(quietly_fitted(recording))


def test_the_table_of_traces_has_the_numbers_of_the_report(model):
    summary = milcci.traces(model, by="choice", between=("left", "right"), permutations=50)
    table = summary.to_frame()
    group = summary["components"][1]["groups"][0]
    rows = table[
        (table.category == "difficulty") & (table.component == 2) & (table.choice == "left")
    ]
    np.testing.assert_array_equal(rows["mean"].to_numpy(), np.array(group["mean"], dtype=float))
    assert len(summary.peaks()) == 4 * 2
    assert "left less right" in str(summary)


def irregular(times):
    rng = np.random.default_rng(3)
    arrays = [rng.random((5, len(stamps))) for stamps in times]
    labels = {"side": ["l", "r"] * (len(times) // 2)}
    return quietly_fitted(
        arrays, labels, categories={"side": 1}, dims=("channel", "time"), times=times
    )


def test_trials_that_follow_each_other_begin_at_zero_and_so_do_their_events():
    times = [np.arange(20) * 0.1 + 10 * m for m in range(8)]
    found = irregular(times)
    when = [stamps[10] for stamps in times]
    ax = plot.trials(found, 0, events={"go": when})
    assert ax.get_xlim() == pytest.approx((-0.05, 1.95))
    np.testing.assert_allclose(ax.lines[0].get_xdata(), 1.0)
    assert ax.get_xlabel() == "time from the start of the trial"
    assert any(t.get_text() == "go" for t in plot.traces(found, 0, events={"go": when}).texts)
    with pytest.warns(milcci.Warning, match="outside of the trials"):
        plot.traces(found, 0, events={"go": 1e6})
    with pytest.raises(TypeError, match=r"`events` = .* must be a dict"):
        plot.traces(found, 0, events=["go"])


def test_samples_are_drawn_at_their_times():
    times = [np.concatenate([np.arange(10) * 0.1, 10.0 + np.arange(5)]) for _ in range(6)]
    found = irregular(times)
    mesh = plot.trials(found, 0).collections[0]
    edges = mesh.get_coordinates()[0, :, 0]
    cells = np.ma.filled(mesh.get_array().astype(float), np.nan)[:, ::2]
    for stamp, left, right in zip(times[0], edges[::2], edges[1::2], strict=True):
        assert left < stamp < right
    np.testing.assert_allclose(
        np.sort(cells[:, 3]), np.sort([t[0, 3] for t in map(np.asarray, found.traces_)])
    )


def test_a_trial_is_shown_in_the_units_of_the_fit(recording):
    scaled = milcci.prepare(recording, scale="zscore")
    found = quietly_fitted(scaled)
    data, _fitted, _ = (
        np.asarray(ax.images[0].get_array()) for ax in plot.trial(found, recording, 0)
    )
    changes = data.std(axis=1) > 0
    np.testing.assert_allclose(data[changes], np.asarray(scaled[0])[changes])
    tanh = milcci.MILCCI({"choice": 2}, data_transform="tanh", **QUICK)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        tanh.fit(recording)
    drawn = np.asarray(plot.trial(tanh, recording, 0)[0].images[0].get_array())
    np.testing.assert_allclose(drawn, np.tanh(np.asarray(recording[0])))
    others = milcci.simulate(n_channels=12, n_trials=24, min_length=20, max_length=30, seed=4)
    lengths = [trial.shape[1] for trial in map(np.asarray, tanh.traces_)]
    same = next(m for m, n in enumerate(others.lengths) if n == lengths[m])
    with pytest.warns(milcci.Warning, match="not the trials"):
        plot.trial(tanh, others, same)


def test_correlations_are_over_what_both_have():
    rng = np.random.default_rng(1)
    arrays = [rng.random((2, 30)).cumsum(axis=1) for _ in range(3)]
    arrays[2] = arrays[2][:, :4]
    labels = {"side": ["l", "r", "l"]}
    trials = milcci.as_trials(arrays, labels, dims=("channel", "time"))
    drawn = np.asarray(plot.trial_correlations(trials).images[0].get_array())
    assert drawn[0, 1] == pytest.approx(np.corrcoef(arrays[0].ravel(), arrays[1].ravel())[0, 1])
    short = np.corrcoef(arrays[0][:, :4].ravel(), arrays[2].ravel())[0, 1]
    assert drawn[0, 2] == pytest.approx(short)
    gaps = [a.copy() for a in arrays[:2]]
    gaps[0][0, :15], gaps[1][1, 10:] = np.nan, np.nan
    gappy = milcci.as_trials(gaps, {"side": ["l", "r"]}, dims=("channel", "time"))
    first, second = np.concatenate(gaps, axis=1)
    both = np.isfinite(first) & np.isfinite(second)
    drawn = np.asarray(plot.channel_correlations(gappy).images[0].get_array())
    assert drawn[0, 1] == pytest.approx(np.corrcoef(first[both], second[both])[0, 1])


def test_the_bar_of_a_label_has_only_its_colours(model):
    ax = plot.trials(model, 0, by=["choice", "difficulty"])
    assert all(bar.images[0].get_interpolation() == "nearest" for bar in ax.child_axes)


def test_the_table_of_traces_has_the_difference(model):
    summary = milcci.traces(model, by="difficulty", between=(1, 5.0), permutations=20)
    table = summary.to_frame()
    rows = table[(table.category == "choice") & (table.component == 1) & (table.difficulty == "1")]
    told = np.array(summary["components"][2]["difference"]["difference"], dtype=float)
    np.testing.assert_array_equal(rows["difference"].to_numpy(), told)
    assert table[table.difficulty == "3"]["p"].isna().all()
    with pytest.raises(ValueError, match="two values"):
        milcci.traces(model, by="choice", between="lr")
    with pytest.raises(ValueError, match="twice"):
        milcci.traces(model, by="difficulty", between=(1, 1.0))


@pytest.mark.parametrize("call", [
    lambda m: plot.components(m, "choise"),
    lambda m: plot.members(m, "choice 9"),
    lambda m: plot.members(m, 40),
    lambda m: plot.traces(m, 0, by="sied"),
    lambda m: plot.traces(m, 0, band="iqr"),
    lambda m: plot.difference(m, 0, "1", "77"),
])  # fmt: skip
def test_what_is_not_there_is_refused_with_what_is(model, call):
    with pytest.raises(
        ValueError, match=r"(there are|it has|has 0 to|must be|did you mean|known are)"
    ):
        call(model)


def test_a_path_will_do_and_axes_that_are_given_are_used(model, tmp_path):
    model.save(tmp_path / "m.h5")
    figure, ax = pyplot.subplots()
    assert plot.components(tmp_path / "m.h5", "choice", ax=ax) is ax
    assert pyplot.get_fignums() == [figure.number]
    assert plot.overview(tmp_path / "m.h5").get_suptitle().startswith("12 channels, 24 trials")


def test_many_options_are_one_line_of_all_trials():
    trials = of_many_channels(4, 40)
    found = quietly_fitted(trials, categories={"condition": 1})
    (line,) = plot.traces(found, 0).lines
    assert line.get_label() == "all trials (n=80)"
    assert plot.variants(found, 0)[0].figure.get_suptitle() == "condition 1 (8 of 40 options)"
    legend = plot.members(found, 0).get_legend()
    assert legend.get_title().get_text() == "condition (7 of 40)"


def test_what_hardly_changes_is_not_said_to_change():
    rng = np.random.default_rng(2)
    traces = rng.random((40, 1, 30))
    arrays = list(traces * np.array([1.0, 0.5, 0.2])[:, np.newaxis])
    found = quietly_fitted(
        arrays, {"side": ["l", "r"] * 20}, categories={"side": 1}, dims=("channel", "time")
    )
    values = np.asarray(found.components_["side"])[:, 0, :]
    change = np.abs(values[:, 1] - values[:, 0]).max()
    assert 0 < change < 0.01
    assert (
        plot.difference(found, 0)
        .get_title()
        .splitlines()[1]
        .startswith(f"hardly changes: by {change:.1g} at most, of ")
    )


def test_a_difference_that_shuffles_reach_is_not_beyond_them():
    """Of three trials against three, every tenth shuffle is the data."""
    rng = np.random.default_rng(4)
    arrays = [rng.random((3, 8)) + 5 * (m % 2) for m in range(6)]
    found = quietly_fitted(
        arrays, {"side": ["l", "r"] * 3}, categories={"side": 1}, dims=("channel", "time")
    )
    ax = plot.trace_difference(found, 0, "side", "l", "r", permutations=200)
    assert float(ax.get_title().split("p = ")[1].split()[0]) > 0.05
    assert "beyond it" not in [line.get_label() for line in ax.lines]


def test_whole_numbers_have_a_bar_each(recording):
    ax = plot.histogram(recording, "difficulty")
    middles = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    np.testing.assert_allclose(middles, [1, 2, 3, 4, 5])
    counts = [int((np.asarray(recording.labels["difficulty"]) == i).sum()) for i in range(1, 6)]
    assert [bar.get_height() for bar in ax.patches] == counts


def test_trials_are_counted_from_one(recording):
    assert plot.trial_correlations(recording).images[0].get_extent() == [0.5, 24.5, 24.5, 0.5]
    ax = plot.trial_correlations(recording, "choice")
    for axis in (ax.xaxis, ax.yaxis):
        assert [t.get_text() for t in axis.get_ticklabels()] == ["left", "right"]
        assert axis.get_label_text() == "trials by choice"


def test_shares_are_listed_as_they_are_stacked(model):
    ax = plot.composition(model)
    drawn = [container.get_label() for container in ax.containers]
    assert [t.get_text() for t in ax.get_legend().get_texts()] == drawn[::-1]


def test_transitions_say_what_goes_where(dynamic):
    ax = plot.transitions(dynamic)[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("from", "to")
    mean = np.mean(dynamic.transitions_, axis=0)
    assert [float(text.get_text()) for text in ax.texts] == pytest.approx(mean.ravel(), abs=0.0051)
    widest = np.abs(mean - np.diag(np.diag(mean))).max()
    assert f"widest arrow {widest:.2g}" in plot.transition_network(dynamic).get_title()


def test_constant_channels_and_dead_components_are_drawn():
    arrays = [np.ones((4, 10)) + m for m in range(6)]
    labels = {"side": ["l", "r"] * 3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = milcci.MILCCI({"side": 2}, **QUICK).fit(arrays, labels, dims=("channel", "time"))
        plot.overview(found)


def test_a_dead_component_is_said_to_be_dead():
    found = quietly_fitted(of_many_channels(5), categories={"condition": 3})
    dead = max(j for j in range(3) if not np.asarray(found.components_["condition"])[:, j].any())
    assert "(dead)" in plot.traces(found, dead).get_title()
    for ax in (
        plot.members(found, dead),
        plot.difference(found, dead),
        plot.variants(found, dead)[0],
    ):
        assert ax.texts[0].get_text() == f"condition {dead + 1} is dead"


def test_dead_components_are_marked_among_the_living():
    found = quietly_fitted(of_many_channels(5), categories={"condition": 3})
    values = np.asarray(found.components_["condition"])
    dead = [j for j in range(3) if not values[:, j].any()]
    texts = plot.components(found).texts
    assert [text.get_text() for text in texts] == ["dead"] * len(dead)
    assert [text.get_position()[0] for text in texts] == [2 * j + 0.5 for j in dead]


def test_one_option_needs_no_name():
    found = milcci.MILCCI({}, fixed=1, **QUICK).fit(of_many_channels(5))
    assert len(plot.components(found).get_xticks()) == 0
    assert plot.trials(found, 0).child_axes == []
    assert len(plot.trials(found, 0, by="condition").child_axes) == 1


def test_the_title_of_a_difference_of_traces_names_the_label(model):
    ax = plot.trace_difference(model, "choice 1", "difficulty", "1", "5", permutations=20)
    assert "difficulty: 1 less 5" in ax.get_title()


def test_no_band_is_told_where_there_is_none(model):
    every = [f"trial {m}" for m in range(24)]
    arrays = [
        np.asarray(trial)[:, :20]
        for trial in milcci.simulate(n_channels=12, n_trials=24, length=20, seed=3)
    ]
    one_each = quietly_fitted(arrays, {"side": ["l", "r"] * 12, "name": every},
                              categories={"side": 1}, dims=("channel", "time"))  # fmt: skip
    ax = plot.traces(one_each, 0, by="name", band="sem")
    assert not ax.collections or not any(
        np.isfinite(c.get_datalim(ax.transData).max[1]) for c in ax.collections
    )
    assert ax.get_title() == "side 1 (mean)"
    assert plot.traces(one_each, 0, by="name").get_title() == "side 1 (mean)"
    assert (
        plot.traces(one_each, 0, by="side", band="sem").get_title() == "side 1 (mean, band: s.e.m.)"
    )


def test_axes_of_time_have_a_unit_where_it_is_given(model, recording):
    times = [np.arange(10) * 0.1 for _ in range(8)]
    found = irregular(times)
    for ax in (
        plot.traces(found, 0, time_unit="s"),
        plot.trials(found, 0, time_unit="s"),
        plot.trace_difference(found, 0, "side", "l", "r", permutations=20, time_unit="s"),
    ):
        assert ax.get_xlabel() == "time (s)"
    follow = irregular([stamps + 10 * m for m, stamps in enumerate(times)])
    assert (
        plot.traces(follow, 0, time_unit="s").get_xlabel() == "time from the start of the trial (s)"
    )
    trials = milcci.as_trials([np.ones((3, 10)) for _ in times], {"side": ["l", "r"] * 4},
                              dims=("channel", "time"), times=times)  # fmt: skip
    assert plot.raster(trials, 0, time_unit="s").get_xlabel() == "time (s)"
    assert plot.raster(recording, 0, time_unit="s").get_xlabel() == "time point"
    assert plot.trial(model, recording, 0, time_unit="s")[0].figure.get_supxlabel() == "time point"
    shared = [
        np.outer([1.0, 0.5, 0.2], trial) for trial in np.random.default_rng(2).random((8, 10))
    ]
    living = quietly_fitted(shared, {"side": ["l", "r"] * 4}, categories={"side": 1},
                            dims=("channel", "time"), times=times)  # fmt: skip
    assert "time (s)" in [ax.get_xlabel() for ax in plot.overview(living, time_unit="s").axes]


def test_the_reason_for_the_end_of_a_fit_is_in_words(recording):
    stopped = milcci.MILCCI({"choice": 2}, **{**QUICK, "max_iterations": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        stopped.fit(recording)
    assert plot.objective(stopped).get_title().startswith("iteration limit, R²")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_the_examples_run(part):
    module = getattr(plot, part)
    assert doctest.testmod(module).failed == 0


def test_every_picture_has_an_example():
    for name in plot.__all__:
        assert ">>> " in getattr(plot, name).__doc__, name
