"""The verbs of the command line that are no methods of the estimator."""

from __future__ import annotations

from typing import Any

from . import _core
from ._category import Categories, label_keywords, to_specs
from ._estimator import MILCCI, categories_of, note, result_of
from ._export import view
from ._report import Report
from ._trials import Path, as_trials
from ._warnings import warn_each


def check(
    trials: Any,
    labels: Any = None,
    *,
    categories: Categories = None,
    trial_number: int | None = None,
    fixed: int | None = None,
    **reading: Any,
) -> Report:
    """A look at trials before a fit: what was understood, what may go wrong, and what to do.

    Examines these categories, or all label columns if none is given.
    """
    given = as_trials(trials, labels, **label_keywords(categories), **reading)
    is_asked = bool(categories) or trial_number is not None or fixed is not None
    specs = to_specs(categories, trial_number, fixed, given.columns) if is_asked else []
    return Report(*_core.check(given._recording, specs))


def evaluate(
    model: MILCCI | Path,
    trials: Any,
    labels: Any = None,
    *,
    cosmooth: bool = False,
    folds: int = 5,
    seed: int = 1234,
    threads: int = 0,
    **reading: Any,
) -> Report:
    """Scores a model: on trials, by channels predicted from others, and against a known truth.

    Trials that are not those of the fit get traces of their own first.
    """
    fitted = result_of(model)
    asked: dict[str, Any] = {**label_keywords(categories_of(fitted)), "threads": threads}
    given = as_trials(trials, labels, **asked, **reading)
    prepared, notes = _core.prepare_as_fitted(fitted, given._recording)
    note(notes)
    folding = {"folds": folds, "seed": seed} if cosmooth else None
    numbers, table, told = _core.evaluate(fitted, prepared, folding, threads)
    warn_each(told, depth=1)
    return Report(numbers, table)


def compare_models(first: MILCCI | Path, second: MILCCI | Path) -> Report:
    """Two fits: which component of one is which of the other, and how alike they are."""
    return Report(*_core.compare_models(result_of(first), result_of(second)))


def show(
    model: MILCCI | Path,
    category: str | None = None,
    component: int | None = None,
    n_members: int = 10,
) -> Report:
    """Who belongs to the components, and who joins or leaves from option to option.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    category : str, optional
        Its name; or that of a component, such as ``"choice 2"``. Unset: all.
    component : int, optional
        Position within the category, from 0.
    n_members : int
        Most channels to list.
    """
    return Report(*view(result_of(model), category, component, n_members))


def load(path: Path) -> MILCCI:
    """The estimator of a model file, be it from here or from the command line."""
    return MILCCI.load(path)
