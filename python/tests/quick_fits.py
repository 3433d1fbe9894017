"""Fits that take a tenth of a second, for tests to which it does not matter how good they are."""

from __future__ import annotations

import warnings

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
