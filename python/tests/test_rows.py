"""The estimator for tables does what scikit-learn asks of one, and what MILCCI does for trials."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

import milcci
from quick_fits import CATEGORIES, QUICK, quietly_fitted

sklearn = pytest.importorskip("sklearn", minversion="1.6")

pytestmark = pytest.mark.filterwarnings("ignore::milcci.Warning")


@pytest.fixture(scope="module")
def table(recording):
    """(values, trial, labels) with a row per time point."""
    pandas = pytest.importorskip("pandas")
    trial = np.repeat(np.arange(len(recording)), recording.lengths)
    labels = pandas.DataFrame({name: recording.labels[name][trial] for name in CATEGORIES})
    return np.concatenate([trial.T for trial in recording]), trial, labels


def rows_estimator(**keywords):
    return milcci.MILCCIRows(CATEGORIES, **{**QUICK, **keywords})


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def routed(estimator):
    """Asks scikit-learn for trial and labels wherever it calls the estimator."""
    for request in (estimator.set_fit_request, estimator.set_transform_request):
        request(trial=True, labels=True)
    return estimator.set_score_request(trial=True, labels=True)


@pytest.mark.parametrize(
    "keywords",
    [{}, {"precision": "float32"}, {"loss": "huber"}, {"prior": "lds"}],
    ids=lambda keywords: "-".join(keywords) or "defaults",
)
def test_every_check_of_scikit_learn_passes(keywords):
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    made = milcci.MILCCIRows(**{**QUICK, "nonnegative": "none", **keywords} if keywords else {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = checks.check_estimator(made, on_fail=None, on_skip=None)
    assert len(found) > 30
    # One is skipped unless SCIPY_ARRAY_API was set before SciPy was imported.
    assert not [check for check in found if check["status"] not in ("passed", "skipped")]
    assert sum(check["status"] == "skipped" for check in found) <= 1


def test_rows_are_the_trials_of_the_estimator(recording, table):
    values, trial, labels = table
    made = rows_estimator()
    traces = made.fit_transform(values, trial=trial, labels=labels)
    direct = quietly_fitted(recording)
    for name, components in direct.components_.items():
        np.testing.assert_array_equal(made.model_.components_[name], components)
    np.testing.assert_array_equal(traces, np.concatenate(direct.transform(recording), axis=1).T)
    assert made.score(values, trial=trial, labels=labels) == direct.score(recording)
    np.testing.assert_array_equal(made.get_feature_names_out(), direct.component_names_)


def test_rows_of_a_trial_need_not_follow_one_another(table):
    values, trial, labels = table
    made = rows_estimator().fit(values, trial=trial, labels=labels)
    # Trial after trial, but their rows interleaved: the order within a trial stays.
    mixed = np.argsort(
        np.concatenate([np.arange((trial == m).sum()) for m in np.unique(trial)]), kind="stable"
    )
    assert not np.array_equal(trial[mixed], np.sort(trial))
    ordered = made.transform(values, trial=trial, labels=labels)
    other = made.transform(values[mixed], trial=trial[mixed], labels=labels.iloc[mixed])
    np.testing.assert_array_equal(other, ordered[mixed])
    again = rows_estimator().fit(values[mixed], trial=trial[mixed], labels=labels.iloc[mixed])
    np.testing.assert_array_equal(
        again.model_.components_["choice"], made.model_.components_["choice"]
    )


def test_without_trials_every_row_is_one(table):
    values, _, labels = table
    made = rows_estimator().fit(values[:60], labels=labels[:60])
    whole = made.transform(values[60:70], labels=labels[60:70])
    assert np.abs(whole).max() > 0
    for i in range(10):
        one = made.transform(values[60 + i : 61 + i], labels=labels[60 + i : 61 + i])
        np.testing.assert_allclose(one[0], whole[i], atol=1e-9)


@pytest.mark.parametrize("form", ["frame", "dict", "tuples", "array"])
def test_forms_of_labels(table, form):
    values, trial, labels = table
    given = {
        "frame": labels,
        "dict": {name: labels[name].to_numpy() for name in labels},
        "tuples": list(labels.itertuples(index=False, name=None)),
        "array": labels.to_numpy(dtype=object),
    }[form]
    made = rows_estimator().fit(values, trial=trial, labels=given)
    assert [c.kind for c in made.model_.categories_] == ["ordinal", "categorical"]


def test_values_in_order_are_not_copied(table):
    values, trial, labels = table
    trials, _ = rows_estimator()._split(values, trial, labels)
    assert all(np.shares_memory(one, values) for one in trials)


def test_pipelines_route_trials_and_labels(table, routing):
    pipeline = pytest.importorskip("sklearn.pipeline")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    values, trial, labels = table
    steps = pipeline.make_pipeline(
        preprocessing.StandardScaler(), routed(rows_estimator(nonnegative="none"))
    )
    traces = steps.fit(values, trial=trial, labels=labels).transform(
        values, trial=trial, labels=labels
    )
    assert traces.shape == (len(values), 4)
    by_hand = rows_estimator(nonnegative="none")
    scaled = preprocessing.StandardScaler().fit_transform(values)
    np.testing.assert_array_equal(by_hand.fit_transform(scaled, trial=trial, labels=labels), traces)


def test_a_pipeline_predicts_from_traces(table):
    pipeline = pytest.importorskip("sklearn.pipeline")
    linear_model = pytest.importorskip("sklearn.linear_model")
    values, _, labels = table
    steps = pipeline.make_pipeline(
        milcci.MILCCIRows(fixed=3, **QUICK), linear_model.LogisticRegression()
    )
    predicted = steps.fit(values, labels["choice"]).predict(values)
    assert set(predicted) <= set(labels["choice"])


def test_a_search_over_parameters(table, routing):
    selection = pytest.importorskip("sklearn.model_selection")
    values, trial, labels = table
    counts = [{"difficulty": 1, "choice": 1}, CATEGORIES]
    search = selection.GridSearchCV(
        routed(rows_estimator()), {"categories": counts}, cv=selection.GroupKFold(2)
    )
    search.fit(values, trial=trial, labels=labels, groups=trial)
    scores = search.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all()
    assert search.best_params_["categories"] in counts
    assert search.best_estimator_.score(values, trial=trial, labels=labels) > 0


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_set_output_names_the_columns(table, package):
    frames = pytest.importorskip(package)
    values, trial, labels = table
    made = rows_estimator().set_output(transform=package)
    traces = made.fit_transform(values, trial=trial, labels=labels)
    assert isinstance(traces, frames.DataFrame)
    assert list(traces.columns) == ["difficulty 1", "difficulty 2", "choice 1", "choice 2"]


def test_columns_of_a_frame_are_the_channels(table):
    pandas = pytest.importorskip("pandas")
    values, trial, labels = table
    named = pandas.DataFrame(values, columns=[f"unit {i}" for i in range(values.shape[1])])
    made = rows_estimator().fit(named, trial=trial, labels=labels)
    assert made.model_.channel_names_ == list(named.columns)
    with pytest.raises(ValueError, match="feature names"):
        made.transform(named[named.columns[::-1]], trial=trial, labels=labels)


def test_missing_values_are_allowed_and_infinite_ones_are_not(table):
    values, trial, labels = table
    gaps = values.copy()
    gaps[::7, 1] = np.nan
    assert np.isfinite(rows_estimator().fit_transform(gaps, trial=trial, labels=labels)).all()
    gaps[3, 2] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        rows_estimator().fit(gaps, trial=trial, labels=labels)


def test_clones_and_pickles(table):
    values, trial, labels = table
    made = rows_estimator().fit(values, trial=trial, labels=labels)
    again = pickle.loads(pickle.dumps(made))
    np.testing.assert_array_equal(
        again.transform(values, trial=trial, labels=labels),
        made.transform(values, trial=trial, labels=labels),
    )
    assert not hasattr(sklearn.base.clone(made), "model_")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v, t, s: (v, t[:-1], s), "label column trial: .* one per row"),
        (lambda v, t, s: (v, t, s[:-1]), "label column difficulty: .* one per row"),
        (lambda v, t, s: (v, np.where(t == 3, np.nan, t), s), "trial: row .* names none"),
        (lambda v, t, s: (v, t // 2, s), "label column .*: differs between rows of trial"),
        (lambda v, t, s: (v, t, None), "difficulty"),
        (lambda v, t, s: (v, t, s.drop(columns="choice")), "choice"),
        (lambda v, t, s: (v.astype(complex), t, s), "Complex data not supported"),
        (lambda v, t, s: (v.T, t, s), "one per row"),
        (lambda v, t, s: (v[0], t, s), "Reshape your data"),
    ],
)
def test_mistakes_get_one_message(table, change, message):
    values, trial, labels = change(*table)
    made = rows_estimator()
    with pytest.raises(ValueError, match=message):
        made.fit(values, trial=trial, labels=labels)
    assert not hasattr(made, "model_")


def test_transform_needs_the_labels_too(table):
    values, trial, labels = table
    made = rows_estimator().fit(values, trial=trial, labels=labels)
    with pytest.raises(ValueError, match="difficulty"):
        made.transform(values, trial=trial)
