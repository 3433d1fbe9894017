"""Trials, and fits of a tenth of a second, for tests that hardly ask how good they are."""

from __future__ import annotations

import warnings

import numpy as np

import milcci

CATEGORIES = {"difficulty": 2, "choice": 2}
QUICK = {
    "nonnegative": "both",
    "effort": "quick",
    "restarts": 2,
    "max_iterations": 30,
    "threads": 1,
}


def quietly_fitted(*arguments, categories=CATEGORIES, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        return milcci.MILCCI(categories, **QUICK).fit(*arguments, **keywords)


def of_many_channels(n_channels, n_options=2):
    """Trials with one component that all channels share."""
    rng = np.random.default_rng(1)
    shared = 0.5 + rng.random((n_channels, 1))
    arrays = [shared * rng.random((1, 12)) for _ in range(2 * n_options)]
    labels = {"condition": [f"condition {m % n_options:02}" for m in range(2 * n_options)]}
    return milcci.as_trials(arrays, labels, dims=("channel", "time"))
