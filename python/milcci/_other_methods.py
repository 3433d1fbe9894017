"""Methods of other packages for a comparison: each gives components and a trace in every trial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._optional import require

Array: TypeAlias = NDArray[np.float64]
#: Label columns by name, one value per trial.
Labels: TypeAlias = dict[str, Any]


class Factors(NamedTuple):
    """What a method found: ``values = traces.T @ components.T + offset`` in every trial."""

    components: Array  #: channel x component
    traces: Sequence[Array]  #: component x time, per trial
    offset: Array | None = None  #: per channel
    nonnegative: bool = False  #: whether traces of new trials may not be negative


Method: TypeAlias = Callable[[list[Array], Labels, int, int], Factors]


def other_method(given: Any) -> tuple[str, Method]:
    """Its name, and how it is run: (values, labels, n_components, seed) -> Factors."""
    if isinstance(given, str) and given in BY_NAME:
        return given, BY_NAME[given]
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        return given[0], other_method(given[1])[1]
    is_class = isinstance(given, type)
    if not is_class and hasattr(given, "fit") and hasattr(given, "transform"):
        return type(given).__name__, _of_estimator(given)
    if callable(given) and not is_class:
        name = getattr(given, "__name__", type(given).__name__)
        return name, lambda *arguments: _as_factors(given(*arguments))
    raise TypeError(
        f"`methods` has {given!r}: must be a name, an estimator with fit and transform, a "
        "function, or a new name and an estimator or function"
    )


def _as_factors(found: Any) -> Factors:
    components, traces, *rest = found
    offset = None if not rest or rest[0] is None else np.asarray(rest[0], float)
    arrays = [("components", np.asarray(components, float), 2)]
    arrays += [("traces of a trial", np.asarray(trace, float), 2) for trace in traces]
    arrays += [("offset", offset, 1)] if offset is not None else []
    for what, array, ndim in arrays:
        if array.ndim != ndim:
            raise ValueError(f"{what}: shape {array.shape}, expected {ndim} dimensions")
    return Factors(
        arrays[0][1],
        [array for what, array, _ in arrays if what.startswith("traces")],
        offset,
        len(rest) > 1 and bool(rest[1]),
    )


def _of_estimator(estimator: Any) -> Method:
    """A decomposition of scikit-learn, fitted to the time points of all trials."""

    def run(values: list[Array], labels: Labels, n_components: int, seed: int) -> Factors:
        from sklearn.base import clone

        if any(np.isnan(trial).any() for trial in values):
            raise ValueError("it takes no missing entries")
        fresh = clone(estimator)
        if "random_state" in fresh.get_params() and fresh.get_params()["random_state"] is None:
            fresh.set_params(random_state=seed % 2**32)
        stacked = np.concatenate(values)
        scores = fresh.fit_transform(stacked)
        if hasattr(fresh, "mixing_"):  # ICA: its components_ unmix
            components = fresh.mixing_
        elif hasattr(fresh, "components_"):
            components = fresh.components_.T
        else:
            raise ValueError("it has no components_, so nothing is known of its channels")
        if getattr(fresh, "whiten", False) is True and hasattr(fresh, "explained_variance_"):
            components = components * np.sqrt(fresh.explained_variance_)
        mean = getattr(fresh, "mean_", None)
        rebuilt = scores @ components.T + (0 if mean is None else mean)
        if np.square(stacked - rebuilt).sum() > np.square(stacked - stacked.mean(0)).sum():
            raise ValueError(
                "its scores times its components_ are further from the data than their mean: no "
                "decomposition of them"
            )
        ends = np.cumsum([len(trial) for trial in values])[:-1]
        traces = [trial.T for trial in np.split(scores, ends)]
        is_nonnegative = bool(np.all(components >= 0) and np.all(scores >= 0))
        return Factors(components, traces, mean, is_nonnegative)

    return run


def _ica(values: list[Array], labels: Labels, n_components: int, seed: int) -> Factors:
    decomposition = require("sklearn.decomposition", "the method ica", "scikit-learn")
    return _of_estimator(decomposition.FastICA(n_components, max_iter=1000))(
        values, labels, n_components, seed
    )


def _sparse_pca(values: list[Array], labels: Labels, n_components: int, seed: int) -> Factors:
    decomposition = require("sklearn.decomposition", "the method sparse_pca", "scikit-learn")
    return _of_estimator(decomposition.MiniBatchSparsePCA(n_components))(
        values, labels, n_components, seed
    )


def _parafac2(values: list[Array], labels: Labels, n_components: int, seed: int) -> Factors:
    """Every trial has time courses of its own, whose products are those of all others."""
    decomposition = require("tensorly.decomposition", "the method parafac2", "tensorly")
    if any(np.isnan(trial).any() for trial in values):
        raise ValueError("it takes no missing entries")
    _, (weights, shared, components), projections = decomposition.parafac2(
        values, n_components, random_state=seed % 2**32, normalize_factors=False, n_iter_max=500
    )
    traces = [
        (projection @ shared * weight).T
        for projection, weight in zip(projections, weights, strict=True)
    ]
    return Factors(np.asarray(components), traces)


def _dpca(values: list[Array], labels: Labels, n_components: int, seed: int) -> Factors:
    """Demixed PCA of means by tuple of labels and time, cut to the shortest trial.

    As many components of each part (time, labels, both) are fitted, and those that explain most
    are kept.
    """
    package = require("dPCA.dPCA", "the method dpca", "dPCA")
    tuples = list(zip(*labels.values(), strict=True)) if labels else [()] * len(values)
    n_times = min(len(trial) for trial in values)
    offset = np.concatenate(values).mean(axis=0)
    means = [
        np.mean(
            [v[:n_times] - offset for v, own in zip(values, tuples, strict=True) if own == t], 0
        )
        for t in sorted(set(tuples), key=str)
    ]
    data = np.stack(means, axis=1).transpose(2, 1, 0)  # channel x tuple x time
    method = package.dPCA(labels="lt", n_components=min(n_components, data.shape[0]))
    method.fit_transform(data)  # which also tells what each component explains
    ranked = sorted(
        (-share, part, j)
        for part, shares in method.explained_variance_ratio_.items()
        for j, share in enumerate(shares)
    )[:n_components]
    encoder = np.stack([method.P[part][:, j] for _, part, j in ranked], axis=1)
    traces = [np.linalg.lstsq(encoder, (trial - offset).T, rcond=None)[0] for trial in values]
    return Factors(encoder, traces, offset)


#: Methods by the name that their field gives them, and whose package may be missing.
BY_NAME: dict[str, Method] = {
    "ica": _ica,
    "sparse_pca": _sparse_pca,
    "parafac2": _parafac2,
    "dpca": _dpca,
}
