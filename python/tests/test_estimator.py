"""The estimator behaves as estimators do."""

from __future__ import annotations

import logging
import pickle
import warnings

import numpy as np
import pytest

import milcci
from quick_fits import CATEGORIES, QUICK, quietly_fitted


def test_nothing_happens_before_fit():
    made = milcci.MILCCI({"no such label": -5}, sparsity="much")
    assert made.sparsity == "much"
    for name in ("components_", "traces_", "summary_", "objective_"):
        assert not hasattr(made, name)
    with pytest.raises(milcci.NotFittedError, match="call fit or load first"):
        made.transform([])
    with pytest.raises(ValueError, match="`sparsity` = 'much', must be a number"):
        made.set_params(categories={"x": 1}).fit(
            [np.ones((2, 3))], {"x": [1]}, dims=("channel", "time")
        )


def test_parameters_are_read_set_and_shown():
    made = milcci.MILCCI(CATEGORIES, sparsity=0.1)
    assert made.get_params()["sparsity"] == 0.1
    assert repr(made) == "MILCCI(categories={'difficulty': 2, 'choice': 2}, sparsity=0.1)"
    assert made.set_params(sparsity=0.2, seed=7) is made
    assert (made.sparsity, made.seed) == (0.2, 7)
    with pytest.raises(ValueError, match="Invalid parameter 'sparsty'"):
        made.set_params(sparsty=1)


def test_scikit_learn_clones_it(model):
    base = pytest.importorskip("sklearn.base")
    cloned = base.clone(model)
    assert cloned.get_params() == model.get_params()
    assert not hasattr(cloned, "components_")
    validation = pytest.importorskip("sklearn.utils.validation")
    validation.check_is_fitted(model)
    with pytest.raises(ValueError, match="not fitted"):
        validation.check_is_fitted(cloned)


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_scikit_learn_chooses_trials_with_their_labels(recording):
    selection = pytest.importorskip("sklearn.model_selection")
    made = milcci.MILCCI(CATEGORIES, **QUICK)
    scores = selection.cross_val_score(made, recording, cv=2)
    for score, held_out in zip(scores, (slice(None, 12), slice(12, None)), strict=True):
        rest = np.delete(np.arange(24), held_out)
        assert score == quietly_fitted(recording[rest]).score(recording[held_out])
    train, test = selection.train_test_split(recording, test_size=4, random_state=0)
    assert (len(train), len(test)) == (20, 4)
    assert set(test.labels) == set(recording.labels)
    grid = {"categories": [{"choice": 1}, {"choice": 2}]}
    search = selection.GridSearchCV(made, grid, cv=selection.KFold(2)).fit(recording)
    assert search.best_estimator_.component_names_[0] == "choice 1"
    assert recording.shape == (24,)


def test_what_a_fit_leaves_behind(model, recording):
    shapes = {name: np.asarray(c).shape for name, c in model.components_.items()}
    assert shapes == {"difficulty": (12, 2, 5), "choice": (12, 2, 2)}
    assert [np.asarray(t).shape for t in model.traces_] == [(4, n) for n in recording.lengths]
    assert model.component_names_ == ["difficulty 1", "difficulty 2", "choice 1", "choice 2"]
    assert model.explained_.shape == (4,)
    assert model.summary_["objective"]["total"] == model.objective_
    assert model.n_iter_ == len(model.summary_["iterations"]) > 0
    assert model.stop_reason_ == model.summary_["reason"]
    assert model.warnings_ == model.summary_["warnings"]
    assert [c.kind for c in model.categories_] == ["ordinal", "categorical"]
    assert model.channel_names_ == recording.channel_names
    assert model.n_features_in_ == 12
    assert model.plan_[-2:] == [
        "category difficulty: 2 components, ordinal",
        "category choice: 2 components, categorical",
    ]
    assert "R2" in str(model.summary_)
    assert "<pre>" in model._repr_html_()


def test_memberships_sum_to_one(model):
    for components in model.components_.values():
        sums = np.abs(np.asarray(components)).sum(axis=0)
        assert ((sums == 0) | np.isclose(sums, 1)).all()


def test_arrays_have_named_axes_with_and_without_xarray(model, monkeypatch):
    monkeypatch.setattr("milcci._labelled.is_installed", lambda _: False)
    plain = model.components_["choice"]
    assert isinstance(plain, milcci.LabelledArray)
    monkeypatch.undo()
    xarray = pytest.importorskip("xarray")
    named = model.components_["choice"]
    assert isinstance(named, xarray.DataArray)
    assert plain.dims == named.dims == ("channel", "component", "option")
    np.testing.assert_array_equal(plain, named)
    np.testing.assert_array_equal(plain.coords["option"], ["left", "right"])
    assert "channel: 12, component: 2, option: 2" in repr(plain)


def test_transform_of_the_fitted_trials_gives_their_traces(recording):
    # To the tolerance of the fit: its last step moved components after the traces.
    fitted = quietly_fitted(recording).set_params(max_iterations=500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted.fit(recording)
        again = fitted.transform(recording)
    for found, expected in zip(again, map(np.asarray, fitted.traces_), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-2 * np.abs(expected).max())


def test_inverse_transform_is_components_times_traces(model, recording):
    traces = [np.asarray(trace) for trace in model.traces_]
    made = model.inverse_transform(traces)
    by_labels = model.inverse_transform(traces, recording.labels)
    offset = np.asarray(model.noise_["offset"])
    for m in range(len(recording)):
        options = [
            list(np.asarray(c.coords["option"])).index(str(recording.labels[name][m]))
            for name, c in model.components_.items()
        ]
        loading = np.hstack(
            [
                np.asarray(c)[:, :, i]
                for c, i in zip(model.components_.values(), options, strict=True)
            ]
        )
        expected = loading @ traces[m] + (offset[:, None] if offset.size else 0)
        np.testing.assert_allclose(made[m], expected, atol=1e-12)
        np.testing.assert_allclose(by_labels[m], expected, atol=1e-12)
    with pytest.raises(ValueError, match="traces of 1 trials, expected 24"):
        model.inverse_transform(traces[:1])
    with pytest.raises(ValueError, match="expected 4 components x time"):
        model.inverse_transform([trace[:2] for trace in traces])


def prepared_recording():
    """(values, labels, prepared): with labels of numbers, and trials to leave out."""
    rng = np.random.default_rng(4)
    n = 20
    labels = {
        "rt": rng.permutation(np.arange(n) / 10),
        "side": ["left", "right", "none", "left"] * 5,
    }
    values = [rng.gamma(2.0, size=(6, 15)) for _ in range(n)]
    prepared = milcci.prepare(
        values, labels, dims=("channel", "time"),
        number_trials=True, bin_label="rt=quantiles:2", block_label="side",
        drop_trials="side=none", scale="zscore",
    )  # fmt: skip
    return values, labels, prepared


def test_inverse_transform_does_to_labels_what_was_done_before_the_fit():
    values, labels, prepared = prepared_recording()
    categories = {"rt_bin": 1, "side": 1, "side_block": 1}
    fitted = quietly_fitted(prepared, categories=categories)
    traces = fitted.transform(values, labels, dims=("channel", "time"))
    assert len(traces) == 15
    expected = fitted.inverse_transform(traces)
    kept = prepared.labels
    by_category = {name: kept[name] for name in categories}
    for given in (labels, kept, by_category):
        for made, of_fit in zip(fitted.inverse_transform(traces, given), expected, strict=True):
            np.testing.assert_allclose(made, of_fit, atol=1e-12)
    # Quantiles of other trials would be others.
    other = {**labels, "rt": labels["rt"] + 1}
    with pytest.raises(ValueError, match="the fit took the numbers for bin_label rt=quantiles:2"):
        fitted.inverse_transform(traces, other)
    with pytest.raises(ValueError, match="traces of 14 trials, expected 15"):
        fitted.inverse_transform(traces[:-1], labels)
    with pytest.raises(ValueError, match="no label column 'rt_bin'"):
        fitted.inverse_transform(traces, {"side": kept["side"], "side_block": kept["side_block"]})


def test_inverse_transform_of_new_trials_by_the_edges_of_the_fit():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(12, 4, 10))
    rt = np.arange(12) / 10
    prepared = milcci.prepare(
        list(values), {"rt": rt}, dims=("channel", "time"), bin_label="rt=0.55"
    )
    fitted = quietly_fitted(prepared, categories={"rt_bin": 1})
    traces = [np.asarray(trace) for trace in fitted.traces_[:2]]
    made = fitted.inverse_transform(traces, {"rt": [7.0, 0.1]})
    expected = fitted.inverse_transform(traces, {"rt_bin": [2, 1]})
    np.testing.assert_array_equal(made, expected)


def test_inverse_transform_tells_of_options_that_were_never_seen(model):
    traces = [np.asarray(model.traces_[0])]
    with pytest.warns(milcci.Warning, match="option 'up' .* was never seen in the fit") as caught:
        model.inverse_transform(traces, {"difficulty": [1], "choice": ["up"]})
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.inverse_transform(traces, {"difficulty": [1], "choice": ["left"]})


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_scores_are_those_of_evaluate(model, recording):
    report = milcci.evaluate(model, recording, cosmooth=True, folds=3)
    assert model.score(recording) == report["r2"]
    assert model.cosmooth_score(recording, folds=3) == report["cosmoothing"]["r2"]
    new = milcci.simulate(n_channels=12, n_trials=5, length=20, seed=3)
    assert milcci.evaluate(model, new)["r2"] == model.score(new)


def test_pickles(model):
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params() == model.get_params()
    assert again.r2_ == model.r2_
    np.testing.assert_array_equal(again.components_["choice"], model.components_["choice"])
    unfitted = pickle.loads(pickle.dumps(milcci.MILCCI(CATEGORIES)))
    assert not hasattr(unfitted, "components_")


def test_a_fit_can_begin_from_a_model(model, recording, tmp_path):
    model.save(tmp_path / "model.h5")
    for start in (model, tmp_path / "model.h5"):
        fitted = quietly_fitted(recording, start=start)
        assert not fitted.summary_["candidates"]


def test_a_fit_that_does_not_come_to_rest_warns(recording):
    short = milcci.MILCCI(CATEGORIES, **{**QUICK, "max_iterations": 1})
    with pytest.warns(milcci.ConvergenceWarning):
        short.fit(recording)
    assert short.stop_reason_ == "iteration_limit"


def test_warnings_point_to_the_caller(recording):
    values = [np.vstack([trial, np.full(trial.shape[1], 3.0)]) for trial in recording]
    with pytest.warns(milcci.Warning, match="channels that never change: channel13") as caught:
        milcci.MILCCI(CATEGORIES, **QUICK).fit(values, recording.labels, dims=("channel", "time"))
    assert {warning.filename for warning in caught} == {__file__}
    with pytest.warns(milcci.ConvergenceWarning) as caught:
        milcci.MILCCI(CATEGORIES, **{**QUICK, "max_iterations": 1}).fit_transform(recording)
    assert {warning.filename for warning in caught} == {__file__}


def test_what_was_understood_is_told(recording, caplog, capsys):
    with caplog.at_level(logging.INFO, logger="milcci"):
        quietly_fitted(recording)
    assert "category choice: 2 components, categorical" in caplog.text
    assert capsys.readouterr().out == ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        milcci.MILCCI(CATEGORIES, **QUICK, verbose=2).fit(recording)
    assert "category choice: 2 components, categorical" in capsys.readouterr().out


def test_fixed_and_trial_number(recording):
    made = milcci.MILCCI({"choice": 1}, trial_number=1, fixed=1, **QUICK)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.fit(recording)
    assert [c.kind for c in made.categories_] == ["categorical", "trial_number", "fixed"]
    assert np.asarray(made.components_["trial_number"]).shape == (12, 1, 24)


def test_tables_of_the_model(model, recording):
    pytest.importorskip("pandas")
    members = model.to_frame()
    assert len(members) == 12 * 2 * (5 + 2)
    row = members.query("category == 'choice' and component == 2 and option == 'right'")
    np.testing.assert_array_equal(
        row["membership"], np.asarray(model.components_["choice"])[:, 1, 1]
    )
    traces = model.to_frame("traces")
    assert len(traces) == 4 * sum(recording.lengths)
    first = traces.query("trial == 3 and component == 'choice 1'")
    np.testing.assert_array_equal(first["value"], np.asarray(model.traces_[3])[2])
    assert list(model.to_frame("trials")["choice"]) == list(recording.labels["choice"])
    with pytest.raises(ValueError, match="must be one of memberships, traces, trials"):
        model.to_frame("tables")


def test_a_data_set_of_the_model(model, recording):
    pytest.importorskip("xarray")
    data = model.to_xarray()
    assert data.traces.sizes == {"trial": 24, "component": 4, "time": max(recording.lengths)}
    shortest = int(np.argmin(recording.lengths))
    assert np.isnan(data.traces.values[shortest, :, min(recording.lengths) :]).all()
    np.testing.assert_array_equal(data.choice_components, model.components_["choice"])


def test_data_are_fitted_after_tanh(recording):
    made = milcci.MILCCI(CATEGORIES, **QUICK, data_transform="tanh")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.fit(recording)
    assert made.summary_["options"]["transform"] == "tanh"
