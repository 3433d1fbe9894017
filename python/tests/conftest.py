"""A small recording, and a model of it, for all tests of the package."""

from __future__ import annotations

import pytest

import milcci
from quick_fits import quietly_fitted


@pytest.fixture(scope="session")
def recording() -> milcci.Trials:
    return milcci.simulate(n_channels=12, n_trials=24, min_length=20, max_length=30, seed=3)


@pytest.fixture(scope="session")
def model(recording) -> milcci.MILCCI:
    return quietly_fitted(recording)
