"""The other methods of `milcci compare` are as good as the packages that people know them from.

Each is compared with its package on three small problems: an error within 1 % of the package's, or
a smaller one.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
SIZES = [
    (10, 30, 20, 2),
    (25, 40, 12, 4),
    (16, 12, 40, 3),
]  # channels, time points, trials, components


def problem(number, *, sign="any", noise=0.3):
    """Trials x channels x time: trilinear components, as many as fitted, a weaker rest, noise."""
    channels, times, trials, rank = SIZES[number]
    random = np.random.default_rng(number)

    def draw(*shape):
        values = random.standard_normal(shape)
        return np.abs(values) if sign == "nonnegative" else values

    shared = np.einsum("nj,tj,mj->mnt", draw(channels, rank), draw(times, rank), draw(trials, rank))
    free = np.einsum("nj,mjt->mnt", draw(channels, rank), draw(trials, rank, times))
    return shared + 0.3 * free + noise * draw(trials, channels, times), rank


def side_by_side(values):
    """Rows are time points of all trials, columns are channels."""
    return values.transpose(0, 2, 1).reshape(-1, values.shape[1])


def relative_error(values, reconstruction):
    return np.sum((values - reconstruction) ** 2) / np.sum(values**2)


@pytest.fixture
def compare(tmp_path):
    def run(method, values, rank, *options):
        np.save(tmp_path / "trials.npy", values)
        command = [
            PROGRAM,
            "compare",
            tmp_path / "trials.npy",
            "--dims",
            "trial,channel,time",
            "--fixed",
            rank,
            "--methods",
            method,
            "--held-out",
            0,
            "--restarts",
            1,
            *options,
            "-o",
            tmp_path / "results.json",
            "--force",
            "--quiet",
        ]
        subprocess.run(list(map(str, command)), check=True, timeout=300, capture_output=True)
        (scores,) = json.loads((tmp_path / "results.json").read_text())["methods"]
        assert scores["failed"] is None
        return scores

    return run


@pytest.mark.parametrize("number", range(3))
def test_pca_is_that_of_scikit_learn(compare, number):
    decomposition = pytest.importorskip("sklearn.decomposition")
    values, rank = problem(number)
    rows = side_by_side(values) + np.arange(values.shape[1])
    pca = decomposition.PCA(rank).fit(rows)
    theirs = relative_error(rows, pca.inverse_transform(pca.transform(rows)))
    ours = compare("pca", values + np.arange(values.shape[1])[:, None], rank)
    assert ours["relative_error"] == pytest.approx(theirs, rel=1e-6)


@pytest.mark.parametrize("number", range(3))
def test_ppca_has_the_likelihood_of_scikit_learn(compare, number):
    decomposition = pytest.importorskip("sklearn.decomposition")
    values, rank = problem(number)
    rows = side_by_side(values)
    ours = compare("ppca", values, rank)["marginal_log_likelihood"]
    # Its PCA divides the covariance by n - 1, which is not quite the maximum.
    theirs = decomposition.PCA(rank).fit(rows).score(rows) * len(rows)
    assert ours >= theirs
    assert ours == pytest.approx(theirs, rel=1e-4)


@pytest.mark.parametrize("number", range(3))
def test_factor_analysis_has_likelihood_and_loadings_of_scikit_learn(compare, number):
    decomposition = pytest.importorskip("sklearn.decomposition")
    values, rank = problem(number)
    values = values * np.linspace(0.5, 2, values.shape[1])[:, None]
    rows = side_by_side(values)
    fa = decomposition.FactorAnalysis(rank, svd_method="lapack", tol=1e-10, max_iter=20000).fit(
        rows
    )
    ours = compare("fa", values, rank, "--tolerance", 1e-13, "--max-iterations", 20000)
    theirs = fa.loglike_[-1]
    assert ours["marginal_log_likelihood"] >= theirs - 1e-5 * abs(theirs)
    loadings = np.array(ours["components"][0]["variants"][0]).T
    cosines = np.abs(loadings @ fa.components_.T) / np.outer(
        np.linalg.norm(loadings, axis=1), np.linalg.norm(fa.components_, axis=1)
    )
    assert cosines[linear_sum_assignment(-cosines)].min() > 0.999


@pytest.mark.parametrize("number", range(3))
def test_nmf_is_as_good_as_that_of_scikit_learn(compare, number):
    decomposition = pytest.importorskip("sklearn.decomposition")
    values, rank = problem(number, sign="nonnegative")
    rows = side_by_side(values)
    nmf = decomposition.NMF(rank, init="nndsvda", tol=1e-7, max_iter=5000)
    theirs = relative_error(rows, nmf.inverse_transform(nmf.fit_transform(rows)))
    assert compare("nmf", values, rank)["relative_error"] <= 1.01 * theirs


@pytest.mark.parametrize("number", range(3))
def test_parafac_is_as_good_as_that_of_tensorly(compare, number):
    tensorly, decomposition = (
        pytest.importorskip("tensorly"),
        pytest.importorskip("tensorly.decomposition"),
    )
    values, rank = problem(number)
    found = decomposition.parafac(values, rank, init="svd", n_iter_max=2000, tol=1e-9)
    theirs = relative_error(values, tensorly.cp_to_tensor(found))
    assert compare("parafac", values, rank)["relative_error"] <= 1.01 * theirs


@pytest.mark.parametrize("number", range(3))
def test_nonnegative_parafac_is_as_good_as_that_of_tensorly(compare, number):
    tensorly, decomposition = (
        pytest.importorskip("tensorly"),
        pytest.importorskip("tensorly.decomposition"),
    )
    values, rank = problem(number, sign="nonnegative")
    found = decomposition.non_negative_parafac_hals(
        values, rank, init="svd", n_iter_max=2000, tol=1e-9
    )
    theirs = relative_error(values, tensorly.cp_to_tensor(found))
    assert compare("parafac_nonnegative", values, rank)["relative_error"] <= 1.01 * theirs


@pytest.mark.parametrize("number", range(3))
def test_tucker_is_as_good_as_that_of_tensorly(compare, number):
    tensorly, decomposition = (
        pytest.importorskip("tensorly"),
        pytest.importorskip("tensorly.decomposition"),
    )
    values, rank = problem(number)
    _channels, times, trials, _ = SIZES[number]
    found = decomposition.tucker(
        values.transpose(1, 2, 0),
        [rank, rank, min(times, trials, rank**2)],
        n_iter_max=2000,
        tol=1e-9,
    )
    theirs = relative_error(values.transpose(1, 2, 0), tensorly.tucker_to_tensor(found))
    assert compare("tucker", values, rank)["relative_error"] <= 1.01 * theirs


@pytest.mark.parametrize("number", range(3))
def test_svd_and_signed_slices_reach_the_least_error_there_is(compare, number):
    values, rank = problem(number)
    for method, rows in [
        ("svd", side_by_side(values)),
        ("slicetca_1", side_by_side(values)),
        ("slicetca_2", values.reshape(-1, values.shape[2])),
    ]:
        least = np.sum(np.linalg.svd(rows, compute_uv=False)[rank:] ** 2) / np.sum(values**2)
        assert compare(method, values, rank)["relative_error"] == pytest.approx(least, rel=0.01)


@pytest.mark.parametrize("number", range(3))
def test_positive_slices_are_as_good_as_nmf_of_the_unfolded_trials(compare, number):
    decomposition = pytest.importorskip("sklearn.decomposition")
    values, rank = problem(number, sign="nonnegative")
    for method, rows in [
        ("slicetca_1_positive", side_by_side(values)),
        ("slicetca_2_positive", values.reshape(-1, values.shape[2])),
    ]:
        nmf = decomposition.NMF(rank, init="nndsvda", tol=1e-7, max_iter=5000)
        theirs = relative_error(rows, nmf.inverse_transform(nmf.fit_transform(rows)))
        assert compare(method, values, rank)["relative_error"] <= 1.01 * theirs
