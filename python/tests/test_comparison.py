"""Methods side by side: native ones, those of other packages, and anybody's function."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.decomposition import PCA, FastICA
from sklearn.random_projection import GaussianRandomProjection

mpl.use("Agg")
from matplotlib import pyplot

import milcci

CATEGORIES = {"difficulty": 2, "choice": 1}


@pytest.fixture(scope="module")
def trials():
    return milcci.simulate(n_channels=15, n_trials=30, length=40, noise=0.3, seed=3)


def compared(trials, methods, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other packages
        options = {"restarts": 1, "threads": 1, **options}
        return milcci.compare(trials, categories=CATEGORIES, methods=methods, **options)


def test_numbers_are_those_of_the_command_line(trials, tmp_path):
    trials.save(tmp_path / "trials.h5")
    asked = [
        "--category",
        "difficulty=2:ordinal",
        "--category",
        "choice=1",
        "--methods",
        "milcci,fa,nmf",
    ]
    command = [
        sys.executable,
        "-m",
        "milcci",
        "compare",
        tmp_path / "trials.h5",
        *asked,
        "--restarts",
        "1",
    ]
    done = subprocess.run([*command, "--threads", "1", "--json"], capture_output=True, check=True)
    told = json.loads(done.stdout)["methods"]
    found = compared(trials, ["milcci", "fa", "nmf"])["methods"]
    for ours, theirs in zip(found, told, strict=True):
        for name in ("name", "failed", "r2", "cosmoothing_r2", "bic", "component_correlation"):
            assert ours[name] == theirs[name]


def test_the_table_is_tidy(trials):
    found = compared(trials, ["milcci", "svd"], repeats=2)
    frame = found.to_frame()
    assert list(frame["method"]) == ["milcci", "svd"] * 2
    assert list(frame["repeat"]) == [0, 0, 1, 1]
    assert frame["r2"].dtype == float
    mean = frame.groupby("method")["cosmoothing_r2"].mean()
    ranks = found.ranks().set_index("method")
    np.testing.assert_allclose(ranks.loc[mean.index, "mean"], mean)
    assert sorted(ranks["rank_mean"]) == [1, 2]
    with pytest.raises(ValueError, match=r"no method has the score 'r3'; they have aic, .*r2"):
        found.ranks("r3")


def test_an_estimator_is_scored_as_the_native_method(trials):
    native, theirs = compared(trials, ["pca", PCA(3)])["methods"]
    assert theirs["name"] == "PCA"
    np.testing.assert_allclose(theirs["r2"], native["r2"], rtol=1e-9)
    np.testing.assert_allclose(theirs["cosmoothing_r2"], native["cosmoothing_r2"], rtol=1e-6)
    np.testing.assert_allclose(theirs["bic"], native["bic"], rtol=1e-3)
    assert theirs["seconds"] > 0


def test_whitened_scores_are_undone_and_what_is_no_decomposition_is_refused(trials):
    plain, whitened, random = compared(
        trials, [PCA(3), ("white", PCA(3, whiten=True)), GaussianRandomProjection(3)]
    )["methods"]
    np.testing.assert_allclose(whitened["r2"], plain["r2"], rtol=1e-9)
    assert "no decomposition of them" in random["failed"]


def test_methods_see_the_labels_of_the_categories_alone(trials):
    seen = []

    def mine(values, labels, n_components, seed):
        seen.append(sorted(labels))
        return np.eye(15)[:, :n_components], [trial[:, :n_components].T for trial in values]

    milcci.compare(trials, categories={"choice": 2}, methods=[mine], held_out=0)
    assert seen == [["choice"]]


def test_missing_entries_are_said_to_be_the_reason(trials):
    values = [np.array(trial) for trial in trials]
    values[3][2, 5] = np.nan
    gaps = milcci.as_trials(values, trials.labels, dims=("channel", "time"))
    [row] = compared(gaps, ["ica"])["methods"]
    assert row["failed"] == "ValueError: it takes no missing entries"


def test_anybodys_function_is_a_method(trials):
    seen = {}

    def mine(values, labels, n_components, seed):
        seen.update(labels=labels, n=n_components, seed=seed, shape=values[0].shape)
        return np.eye(15)[:, :n_components], [trial[:, :n_components].T for trial in values]

    [row] = compared(trials, [("first channels", mine)], held_out=0, seed=7)["methods"]
    assert row["name"] == "first channels"
    assert (seen["n"], seen["seed"], seen["shape"]) == (3, 7, (40, 15))
    assert list(seen["labels"]) == ["difficulty", "choice"]
    assert len(seen["labels"]["choice"]) == 30
    values = np.concatenate([np.asarray(trial) for trial in trials], axis=1)
    rest = values[3:]
    error = (rest**2).sum() / (values**2).sum()
    np.testing.assert_allclose(row["relative_error"], error, rtol=1e-9)


def test_a_method_that_fails_is_a_row_with_its_reason(trials):
    def breaks(*_):
        raise RuntimeError("no luck")

    def wrong_shape(values, labels, n_components, seed):
        return np.ones((3, 2)), [np.ones((2, 4))] * len(values)

    def flat(values, labels, n_components, seed):
        return np.ones(15), [trial.T for trial in values]

    rows = compared(trials, [breaks, wrong_shape, flat, "svd"])["methods"]
    assert {row["name"]: row["failed"] for row in rows} == {
        "svd": None,
        "breaks": "RuntimeError: no luck",
        "flat": "ValueError: components: shape (15,), expected 2 dimensions",
        "wrong_shape": "components are 3 x 2, must be one row for each of 15 channels, "
        "and at least one column",
    }


def test_ctrl_c_in_a_method_ends_the_comparison(trials):
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compared(trials, [interrupted])


@pytest.mark.parametrize("name", ["ica", "sparse_pca", "parafac2", "dpca"])
def test_methods_of_other_packages(trials, name):
    package = {"parafac2": "tensorly", "dpca": "dPCA"}.get(name, "sklearn")
    pytest.importorskip(package)
    [row] = compared(trials, [name])["methods"]
    assert row["failed"] is None
    assert row["n_components"] == 3
    assert 0.3 < row["r2"] < 1


def test_other_numbers_of_components_are_told(trials):
    [row] = compared(trials, [FastICA(2)])["methods"]
    assert row["n_components"] == 2
    assert row["notes"] == ["has 2 components, the others 3"]


def test_a_model_lends_its_parameters(trials):
    model = milcci.MILCCI(CATEGORIES, nonnegative="both", effort="quick")
    [row] = milcci.compare(trials, categories=model, methods="milcci", threads=1)["methods"]
    [same] = compared(trials, ["milcci_nonnegative"])["methods"]
    assert row["r2"] == pytest.approx(same["r2"], abs=0.02)
    assert model._result is None
    with pytest.raises(TypeError, match="give one of the two"):
        milcci.compare(trials, categories=model, fixed=2, methods="svd")


def test_bad_methods_are_refused(trials):
    with pytest.raises(ValueError, match=r"`methods` has parafak.*did you mean parafac\?"):
        compared(trials, ["parafak"])
    for wrong in (3, FastICA, ("x", "fa")):
        with pytest.raises(TypeError, match=r"`methods` has .*: must be a name"):
            compared(trials, [wrong])
    with pytest.raises(ValueError, match="`methods` is empty"):
        compared(trials, [])


def test_components_and_files(trials, tmp_path):
    found = compared(trials, ["milcci", "fa"])
    assert found.components("milcci")["difficulty"].shape == (15, 2, 5)
    assert found.components("fa")["fixed"].shape == (15, 3, 1)
    with pytest.raises(ValueError, match=r"`method` = 'pca', must be one of milcci, fa"):
        found.components("pca")
    found.save(tmp_path / "results.json")
    with pytest.raises(FileExistsError):
        found.save(tmp_path / "results.json")
    assert json.loads((tmp_path / "results.json").read_text())["format"] == "milcci comparison"


def test_the_picture_has_the_numbers(trials, tmp_path):
    found = compared(trials, ["milcci", "svd", "slicetca_2"], repeats=2)
    found.save(tmp_path / "results.json")
    for source in (found, tmp_path / "results.json"):
        ax = milcci.plot.comparison(source)
        names = [text.get_text() for text in ax.get_yticklabels()]
        lines = ax.get_lines()
        for place, name in enumerate(names[:2]):
            spread = next(m for m in found["methods"] if m["name"] == name)["spread"][
                "cosmoothing_r2"
            ]
            span, dot = lines[2 * place], lines[2 * place + 1]
            np.testing.assert_array_equal(span.get_xdata(), [spread["min"], spread["max"]])
            np.testing.assert_array_equal(dot.get_xdata(), [spread["mean"]])
        assert names[2] == "slicetca_2"
        assert [text.get_text() for text in ax.texts] == ["none"]
        ax.figure.canvas.draw()
        title = ax.title.get_window_extent()
        assert 0 <= title.x0 < title.x1 <= ax.figure.bbox.x1
        pyplot.close("all")
    with pytest.raises(ValueError, match="`score` = 'r3', must be one of cosmoothing_r2"):
        milcci.plot.comparison(found, "r3")


@pytest.mark.parametrize(
    "text", ["no JSON", "[]", '{"format": "milcci comparison"}', '{"format": "other"}', "\xff"]
)
def test_a_file_that_is_no_comparison_is_named(tmp_path, text):
    path = tmp_path / "results.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"results\.json: .*comparison"):
        milcci.plot.comparison(path)


def test_a_method_is_fitted_once_for_all_values_of_its_ridge(trials):
    n_trials = []

    def theirs(values, labels, n_components, seed):
        n_trials.append(len(values))
        components = np.eye(values[0].shape[1])[:, :n_components] + 0.1
        return components, [np.linalg.lstsq(components, v.T, rcond=None)[0] for v in values]

    [row] = compared(trials, [theirs], tune=True)["methods"]
    assert row["tuned"].startswith("ridge x ")
    assert len(n_trials) == 3  # inside the training trials, all, and the training trials
    assert len(set(n_trials)) == 3


def test_constant_data_have_no_score():
    values = [np.full((20, 6), 0.1) for _ in range(10)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        model = milcci.MILCCI(fixed=1, threads=1).fit(values, dims=("time", "channel"))
        assert np.isnan(model.score(values, dims=("time", "channel")))


def test_the_report_shows_the_comparison(trials):
    found = compared(trials, ["milcci", "svd"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        model = milcci.MILCCI(CATEGORIES, effort="quick", threads=1).fit(trials)
    told = model.report(trials, comparison=found).data["comparison"]
    assert [method["name"] for method in told["methods"]] == ["milcci", "svd"]
    assert told["methods"][1]["r2"] == found["methods"][1]["r2"]
