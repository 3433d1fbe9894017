"""What else describes channels by a few components: for benchmarks/real.py.

Every method ends as one `Factors`, y = mean + W z, with what it assumes of noise and traces, so
that all predict in the same way: traces z from the channels that are given, then the other channels
from z.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import NMF, PCA, FactorAnalysis, SparsePCA

from masked_factors import masked_factor_analysis, masked_nmf, masked_pca, masked_ppca


@dataclass
class Factors:
    mean: np.ndarray  # N
    components: np.ndarray  # P x N
    noise: np.ndarray  # N, variance; only its ratio to 1 / ridge matters
    ridge: np.ndarray  # P, weight of a squared trace
    is_nonnegative: bool = False


def traces(factors, values, channels):
    """The traces that describe `channels` of the rows of `values` best, rows x P."""
    W = factors.components[:, channels]
    weighted = W / factors.noise[channels]
    H = weighted @ W.T + np.diag(factors.ridge)
    B = weighted @ (values[:, channels] - factors.mean[channels]).T
    return (nonnegative_solve(H, B) if factors.is_nonnegative else np.linalg.pinv(H) @ B).T


def nonnegative_solve(H, B, n_sweeps=5000, tolerance=1e-8):
    """min 1/2 z'Hz - b'z over z >= 0 for every column b of B, by coordinate descent."""
    Z = np.zeros_like(B)
    diagonal = np.maximum(np.diag(H), 1e-300)
    for _ in range(n_sweeps):
        largest = 0.0
        for j in range(len(H)):
            new = np.maximum(0, Z[j] + (B[j] - H[j] @ Z) / diagonal[j])
            largest = max(largest, np.abs(new - Z[j]).max())
            Z[j] = new
        if largest <= tolerance * max(1e-300, Z.max()):
            break
    return Z


def predict(factors, values, channels, others):
    """The channels `others` of the rows of `values`, from `channels`."""
    return factors.mean[others] + traces(factors, values, channels) @ factors.components[:, others]


def cosmooth(factors, values, folds):
    """As `milcci evaluate --cosmooth`: 1 - squared errors / squares about each channel's mean."""
    error = 0.0
    for fold in range(folds.max() + 1):
        others = np.flatnonzero(folds == fold)
        predicted = predict(factors, values, np.flatnonzero(folds != fold), others)
        error += ((values[:, others] - predicted) ** 2).sum()
    return 1 - error / ((values - values.mean(axis=0)) ** 2).sum()


def fill_in(factors, values):
    """All entries of `values`, each row from its observed entries."""
    filled = np.empty_like(values)
    everything = np.arange(values.shape[1])
    for row, y in enumerate(values):
        filled[row] = predict(factors, y[None], np.flatnonzero(~np.isnan(y)), everything)
    return filled


# --- methods for data without gaps: values (samples x channels), number of components ---


def pca(values, p):
    found = PCA(p, svd_solver="full").fit(values)
    return Factors(found.mean_, found.components_, np.ones(values.shape[1]), np.zeros(p))


def ppca(values, p):
    """Tipping and Bishop 1999, from scikit-learn's eigenvalues."""
    found = PCA(p, svd_solver="full").fit(values)
    excess = np.maximum(found.explained_variance_ - found.noise_variance_, 0)
    return Factors(
        found.mean_,
        np.sqrt(excess)[:, None] * found.components_,
        np.full(values.shape[1], found.noise_variance_),
        np.ones(p),
    )


def factor_analysis(values, p):
    # With few channels the randomised decomposition comes to no rest; with many, the exact is slow.
    svd = "lapack" if values.shape[1] < 64 else "randomized"
    found = FactorAnalysis(p, svd_method=svd, random_state=0).fit(values)
    return Factors(found.mean_, found.components_, found.noise_variance_, np.ones(p))


def nmf(values, p):
    found = NMF(p, max_iter=2000, tol=1e-5, random_state=0)
    found.fit(values)
    n = values.shape[1]
    return Factors(np.zeros(n), found.components_, np.ones(n), np.zeros(p), is_nonnegative=True)


def with_own_ridge(factors, values):
    """With the ridge that its noise asks for: variance of the residuals over that of each trace."""
    rows = all_traces(factors, values)
    is_observed = ~np.isnan(values)
    noise = np.mean((values - rows @ factors.components)[is_observed] ** 2)
    ridge = noise / np.maximum((rows**2).mean(axis=0), 1e-300)
    return Factors(factors.mean, factors.components, factors.noise, ridge, factors.is_nonnegative)


def all_traces(factors, values):
    if not np.isnan(values).any():
        return traces(factors, values, np.arange(values.shape[1]))
    each = [traces(factors, y[None], np.flatnonzero(~np.isnan(y))) for y in values]
    return np.concatenate(each)


def sparse_pca(values, p):
    found = SparsePCA(p, method="cd", random_state=0).fit(values)
    return Factors(
        found.mean_, found.components_, np.ones(values.shape[1]), np.full(p, found.ridge_alpha)
    )


# --- the same methods where entries are missing ---


def gaussian_masked(fit):
    def method(values, p):
        mean, components, noise = fit(values, p)
        return Factors(mean, components, noise, np.ones(p))

    return method


def pca_masked(values, p):
    mean, components = masked_pca(values, p)
    return Factors(mean, components, np.ones(values.shape[1]), np.zeros(p))


def nmf_masked(values, p):
    components, n = masked_nmf(values, p), values.shape[1]
    return Factors(np.zeros(n), components, np.ones(n), np.zeros(p), is_nonnegative=True)


# "NMF+ridge" takes the components of the method before it.
COMPLETE = {
    "PCA": pca,
    "PPCA": ppca,
    "FA": factor_analysis,
    "NMF": nmf,
    "NMF+ridge": None,
    "sparse PCA": sparse_pca,
}
MASKED = {
    "PCA": pca_masked,
    "PPCA": gaussian_masked(masked_ppca),
    "FA": gaussian_masked(masked_factor_analysis),
    "NMF": nmf_masked,
    "NMF+ridge": None,
}


def score_all(train, p, score):
    """The score of every method; None where the data do not suit it.

    `train` is samples x channels, with gaps perhaps; `score` tells how well `Factors` predict.
    """
    methods = MASKED if np.isnan(train).any() else COMPLETE
    scores, factors = {}, None
    for name, method in methods.items():
        if name.startswith("NMF") and np.nanmin(train) < 0:
            scores[name] = None
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # iteration limits: what is found by then counts
            factors = with_own_ridge(factors, train) if method is None else method(train, p)
        scores[name] = score(factors)
    return scores
