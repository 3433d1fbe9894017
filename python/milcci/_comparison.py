"""Our model beside other methods, on the same trials."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._category import Categories, label_keywords, to_specs
from ._estimator import MILCCI
from ._optional import require
from ._other_methods import BY_NAME, other_method
from ._report import Report
from ._trials import Path, as_trials

#: Columns of the tidy table whose JSON is more than a number.
MEANS = ("component_correlation", "trace_correlation")
COLUMNS = (
    *("name", "failed", "stopped", "n_components", "added_noise", "tuned", "r2", "relative_error"),
    *("cosmoothing_r2", "bits_per_spike", "log_likelihood", "degrees_of_freedom"),
    *("aic", "bic", "hqc", "sparsity", *MEANS, "seconds", "peak_memory"),
)


class Comparison(Report):
    """Scores of methods, as ``milcci compare --json`` has them; printed, its table."""

    def __init__(self, numbers: str, text: str) -> None:
        super().__init__(numbers, text)
        self._json = numbers

    def to_frame(self) -> Any:
        """A row per method and repeat."""
        pandas = require("pandas", "a table")
        rows = []
        for repeat, run in enumerate(self["runs"]):
            for method in run["methods"]:
                row = {"method": method["name"], "repeat": repeat, "seed": run["seed"]}
                row.update({name: method[name] for name in COLUMNS if name != "name"})
                row.update({name: (method[name] or {}).get("mean") for name in MEANS})
                rows.append(row)
        texts_and_counts = {"n_components", "tuned"}
        numbers = [name for name in COLUMNS[3:] if name not in texts_and_counts]
        return pandas.DataFrame(rows).astype(dict.fromkeys(numbers, float))

    def ranks(self, score: str = "cosmoothing_r2") -> Any:
        """A row per method: its score over the repeats, and its rank among all; the best first."""
        rows = [
            {
                "method": method["name"],
                "n_components": method["n_components"],
                "added_noise": method["added_noise"],
                **method["spread"][score],
            }
            for method in self["methods"]
            if score in method["spread"]
        ]
        if not rows:
            known = sorted({name for method in self["methods"] for name in method["spread"]})
            has = ", ".join(known) if known else "none, all of them failed"
            raise ValueError(f"no method has the score {score!r}; they have {has}")
        frame = require("pandas", "a table").DataFrame(rows)
        return frame.sort_values("rank_mean", kind="stable", ignore_index=True)

    def components(self, method: str) -> dict[str, NDArray[np.float64]]:
        """Memberships of a method in the first repeat, per category channel x component x option.

        Other methods have one of the name ``"fixed"``, ``"trial_number"`` or ``"state"``.
        """
        for row in self["methods"]:
            if row["name"] == method and not row["failed"]:
                return {
                    category["name"]: np.stack(category["variants"], axis=-1)
                    for category in row["components"]
                }
        names = [row["name"] for row in self["methods"] if not row["failed"]]
        raise ValueError(f"`method` = {method!r}, must be one of {', '.join(names)}")

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the results, as ``milcci compare -o`` does; `milcci.report` can show them."""
        with open(os.fspath(path), "w" if overwrite else "x", encoding="utf-8") as file:
            file.write(self._json + "\n")


def results_text(found: Comparison | Path) -> str:
    """The results as JSON."""
    if isinstance(found, Comparison):
        return found._json
    with open(os.fspath(found), encoding="utf-8") as file:
        return file.read()


def compare(
    trials: Any,
    labels: Any = None,
    *,
    categories: Categories | MILCCI = None,
    trial_number: int | None = None,
    fixed: int | None = None,
    methods: str | Sequence[Any] = "all",
    held_out: float = 0.2,
    folds: int = 5,
    repeats: int = 1,
    tune: bool = False,
    seed: int | None = None,
    restarts: int = 4,
    max_iterations: int = 1000,
    tolerance: float = 1e-6,
    time_limit: float | None = None,
    threads: int | None = None,
    verbose: int = 0,
    **reading: Any,
) -> Comparison:
    """Fits our model and other methods with as many components, and scores them all alike.

    Parameters
    ----------
    trials, labels, **reading
        As for `fit`.
    categories, trial_number, fixed
        Of our model, as for `MILCCI`; in sum, the components of every method. Or, in place of
        all three, a `MILCCI`, fitted or not, whose parameters are used.
    methods : "all", or names and objects
        ``"milcci"``, ``"milcci_nonnegative"``, ``"svd"``, ``"pca"``, ``"ppca"``, ``"fa"``,
        ``"nmf"``, ``"parafac"``, ``"parafac_nonnegative"``, ``"tucker"``, ``"slicetca_1"``,
        ``"slicetca_1_positive"``, ``"slicetca_2"``, ``"slicetca_2_positive"``, ``"sibblings"``,
        which ``"all"`` has. With their packages installed, ``"ica"``, ``"sparse_pca"``
        (scikit-learn), ``"parafac2"`` (tensorly) and ``"dpca"`` (dPCA). Any decomposition of
        scikit-learn, such as ``FastICA(8)``. A function of (values, labels, n_components, seed)
        that returns components (channel x component), traces (component x time, per trial) and,
        if it has one, an offset per channel; labels are the columns of the categories, missing
        entries are NaN. Or ``(name, estimator or function)``. The native ones come first.
    held_out : float
        Share of the trials held out for co-smoothing.
    folds : int
        Of the channels, in co-smoothing.
    repeats : int
        How often all is done, each time with the next seed and other trials held out.
    tune : bool
        Choose a knob of each method by co-smoothing inside the training trials.
    restarts, max_iterations, tolerance
        Of the native methods other than ours.
    seed, time_limit, threads
        Of ours and the native ones; unset: those of the `MILCCI`, or 1234, none and all cores.
        Methods of other packages have no time limit. Only ours uses threads.
    verbose : int
        1 tells which method is at work.

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, noise=0.3, seed=1)
    >>> found = milcci.compare(
    ...     trials, categories={"choice": 2}, methods=["milcci", "fa", "svd"], restarts=1
    ... )
    >>> list(found.to_frame()["method"])
    ['milcci', 'fa', 'svd']
    """
    fitting: dict[str, Any] = {}
    if isinstance(categories, MILCCI):
        if trial_number is not None or fixed is not None:
            raise TypeError(
                "`trial_number` and `fixed` are those of the MILCCI: give one of the two"
            )
        fitting = categories._options()
        trial_number, fixed = categories.trial_number, categories.fixed
        categories = categories.categories
    seed = fitting.get("seed", 1234) if seed is None else seed
    time_limit = fitting.get("time_limit") if time_limit is None else time_limit
    if threads is not None:
        fitting["threads"] = threads
    given = as_trials(trials, labels, **label_keywords(categories), **reading)
    specs = to_specs(categories, trial_number, fixed, given.columns)
    asked: list[Any] = list(methods) if isinstance(methods, (list, tuple)) else [methods]
    if not asked:
        raise ValueError('`methods` is empty: give names, or "all"')
    wanted = [name for spec in specs for name in spec.get("columns") or [spec["name"]]]
    native = [name for name in asked if isinstance(name, str) and name not in BY_NAME]
    others = [m for m in asked if not isinstance(m, str) or m in BY_NAME]
    baselines: dict[str, Any] = {"seed": seed, "restarts": restarts, "time_limit": time_limit}
    baselines.update(max_iterations=max_iterations, tolerance=tolerance)
    comparing = {"methods": native, "held_out": held_out, "repeats": repeats, "tune": tune}
    found = _core.compare_methods(
        given._recording,
        specs,
        fitting,
        baselines,
        comparing,
        {"folds": folds},
        [_with_labels(wanted, *other_method(method)) for method in others],
        (lambda method, repeat: print(method if repeats == 1 else f"{method}, repeat {repeat + 1}"))
        if verbose > 0
        else None,
    )
    return Comparison(*found)


def _with_labels(wanted: list[str], name: str, method: Any) -> tuple[str, Any]:
    """The library gives all labels as pairs of name and values; a method sees the categories'."""

    def run(values: Any, labels: Any, n_components: int, seed: int) -> Any:
        return method(values, {k: v for k, v in labels if k in wanted}, n_components, seed)

    return name, run
