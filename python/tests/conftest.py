"""A small recording, and a model of it, for all tests of the package."""

from __future__ import annotations

import sys
import warnings

import pytest

import milcci
from quick_fits import QUICK, quietly_fitted


@pytest.fixture(autouse=True)
def close_pictures():
    """Nothing may be shown, and nothing left open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def recording() -> milcci.Trials:
    return milcci.simulate(n_channels=12, n_trials=24, min_length=20, max_length=30, seed=3)


@pytest.fixture(scope="session")
def model(recording) -> milcci.MILCCI:
    return quietly_fitted(recording)


@pytest.fixture(scope="session")
def dynamic() -> milcci.MILCCI:
    trials = milcci.simulate(n_channels=12, n_trials=20, length=30, seed=2, dynamics=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        options = {**QUICK, "nonnegative": "none"}
        return milcci.MILCCI({"choice": 2}, fixed=1, prior="lds", **options).fit(trials)
