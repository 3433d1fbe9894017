"""Factor models of tables with gaps, which scikit-learn refuses: EM over the observed entries."""

import numpy as np


def masked_factor_analysis(values, p, has_equal_noise=False, n_iterations=1000, tolerance=1e-6):
    """mean, components (p x channels) and noise variances of the greatest likelihood.

    Every row has its own posterior of the traces, from the channels that it has; every channel its
    own regression on the traces of the rows that have it, with a constant trace for the mean.
    """
    is_observed = ~np.isnan(values)
    y = np.where(is_observed, values, 0.0)
    count = is_observed.sum(axis=0)
    mean = y.sum(axis=0) / count
    centred = np.where(is_observed, values - mean, 0.0)
    variance = (centred**2).sum(axis=0) / count
    _, singular, right = np.linalg.svd(centred, full_matrices=False)
    W = (singular[:p, None] * right[:p] / np.sqrt(len(y))).T  # channels x p
    noise = np.full(y.shape[1], variance.mean() / 2) if has_equal_noise else variance / 2
    floor = 1e-4 * variance + 1e-12
    before = -np.inf
    for _ in range(n_iterations):
        # Rows: Z and its second moments, with the constant trace as number p.
        H = np.einsum("tn,nj,nl->tjl", is_observed / noise, W, W) + np.eye(p)
        covariance = np.linalg.inv(H)
        residual = np.where(is_observed, y - mean, 0.0)
        b = (residual / noise) @ W
        Z = np.einsum("tjl,tl->tj", covariance, b)
        likelihood = -0.5 * (
            (np.log(2 * np.pi * noise) * count).sum()
            + (residual**2 / noise).sum()
            - (b * Z).sum()
            + np.linalg.slogdet(H)[1].sum()
        )
        if likelihood - before < tolerance * abs(likelihood):
            break
        before = likelihood
        ones = np.ones((len(y), 1))
        extended = np.hstack([Z, ones])
        second = extended[:, :, None] * extended[:, None, :]
        second[:, :p, :p] += covariance
        # Channels.
        G = np.einsum("tn,tjl->njl", is_observed, second)
        c = y.T @ extended
        solved = np.linalg.solve(G, c[:, :, None])[:, :, 0]
        W, mean = solved[:, :p], solved[:, p]
        squares = (y**2).sum(axis=0) - (c * solved).sum(axis=1)
        noise = squares / count
        if has_equal_noise:
            noise = np.full(y.shape[1], squares.sum() / count.sum())
        noise = np.maximum(noise, floor)
    return mean, W.T, noise


def masked_ppca(values, p):
    return masked_factor_analysis(values, p, has_equal_noise=True)


def masked_pca(values, p, n_iterations=2000, tolerance=1e-7):
    """mean and components of the table of rank p that is closest to the observed entries."""
    is_observed = ~np.isnan(values)
    filled = np.where(is_observed, values, np.nanmean(values, axis=0))
    before = np.inf
    for _ in range(n_iterations):
        mean = filled.mean(axis=0)
        left, singular, right = np.linalg.svd(filled - mean, full_matrices=False)
        low_rank = mean + (left[:, :p] * singular[:p]) @ right[:p]
        error = ((filled - low_rank)[is_observed] ** 2).sum()
        filled = np.where(is_observed, values, low_rank)
        if before - error < tolerance * error:
            break
        before = error
    return mean, right[:p]


def masked_nmf(values, p, n_iterations=5000):
    """Non-negative components by multiplicative updates over observed entries (Lee, Seung 2001)."""
    is_observed = ~np.isnan(values)
    y = np.where(is_observed, values, 0.0)
    rng = np.random.default_rng(0)
    scale = np.sqrt(np.nanmean(values) / p)
    Z, W = (scale * rng.uniform(0.5, 1.5, shape) for shape in ((len(y), p), (p, y.shape[1])))
    for _ in range(n_iterations):
        Z *= y @ W.T / np.maximum((is_observed * (Z @ W)) @ W.T, 1e-300)
        W *= Z.T @ y / np.maximum(Z.T @ (is_observed * (Z @ W)), 1e-300)
    return W
