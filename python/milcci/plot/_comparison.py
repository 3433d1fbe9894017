"""Methods side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from .._comparison import Comparison, results_text
from .._trials import Path
from ._style import COLOURS, COLUMN, GREY, new_axes, nothing_to_see, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What the axis says of a score, and whether more of it is better.
SCORES = {
    "cosmoothing_r2": ("co-smoothing R² of held-out trials", True),
    "r2": ("R²", True),
    "relative_error": ("squared error over squared data", False),
    "aic": ("AIC", False),
    "bic": ("BIC", False),
    "hqc": ("HQC", False),
    "component_correlation": ("correlation with the true components", True),
    "trace_correlation": ("correlation with the true traces", True),
    "seconds": ("seconds", False),
    "peak_memory": ("peak memory (bytes)", False),
}


def comparison(
    found: Comparison | Path, score: str = "cosmoothing_r2", *, ax: Axes | None = None
) -> Axes:
    """Every method's score, the best on top: its mean, and a line from least to largest.

    Ours is drawn as a full dot, the others as open ones. Methods without the score are named below
    the others.

    Parameters
    ----------
    found : Comparison, or path to the results of ``milcci compare -o``
    score : str
        ``"cosmoothing_r2"``, ``"r2"``, ``"relative_error"``, ``"aic"``, ``"bic"``, ``"hqc"``,
        ``"component_correlation"``, ``"trace_correlation"``, ``"seconds"`` or ``"peak_memory"``.
    ax : Axes, optional

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, noise=0.3, seed=1)
    >>> found = milcci.compare(
    ...     trials, categories={"choice": 2}, methods=["milcci", "fa", "svd"], restarts=1
    ... )
    >>> ax = milcci.plot.comparison(found)
    """
    if score not in SCORES:
        raise ValueError(f"`score` = {score!r}, must be one of {', '.join(SCORES)}")
    label, is_better_if_high = SCORES[score]
    methods = _methods(found)
    scored = [method for method in methods if score in method["spread"]]
    others = [method for method in methods if score not in method["spread"]]
    longest = max(len(method["name"]) for method in methods)
    ax = new_axes(ax, COLUMN + 0.06 * max(0, longest - 8), 0.6 + 0.2 * max(4, len(methods)))
    if not scored:
        return nothing_to_see(ax, f"no method has {label}")
    sign = -1 if is_better_if_high else 1
    scored.sort(key=lambda method: sign * method["spread"][score]["mean"])
    for place, method in enumerate(scored):
        spread = method["spread"][score]
        is_ours = method["name"].startswith("milcci")
        colour = COLOURS[0] if is_ours else GREY
        ax.plot([spread["min"], spread["max"]], [place, place], color=colour, linewidth=1.2)
        face = colour if is_ours else "white"
        looks: dict[str, Any] = {"marker": "o", "markersize": 5, "markerfacecolor": face}
        ax.plot(spread["mean"], place, color=colour, **looks)
    names = [method["name"] for method in [*scored, *others]]
    for place, method in enumerate(others, start=len(scored)):
        why = "failed" if method["failed"] else "none"
        # In the middle of the axis, whatever its numbers are.
        across = ax.get_yaxis_transform()
        looks = {"ha": "center", "va": "center", "color": GREY, "fontsize": "x-small"}
        ax.text(0.5, place, why, transform=across, **looks)
    ax.set_yticks(np.arange(len(names)), names, fontsize="x-small")
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(label, fontsize="small")
    if score in ("seconds", "peak_memory") and all(m["spread"][score]["min"] > 0 for m in scored):
        ax.set_xscale("log")
    n = max(method["spread"][score]["n"] for method in scored)
    if n > 1:
        ax.set_title(f"mean, least and largest of {n} repeats", fontsize="small")
    tidy(ax)
    return ax


def _methods(found: Comparison | Path) -> list[dict[str, Any]]:
    try:
        read = json.loads(results_text(found))
    except ValueError:  # of JSON, or of its encoding
        read = None
    if not isinstance(read, dict) or read.get("format") != "milcci comparison":
        raise ValueError(f"{found}: not a comparison; it is written by milcci compare -o")
    methods, n_components = read.get("methods"), read.get("n_components")
    if not isinstance(methods, list) or not all(map(_is_whole, methods)) or n_components is None:
        raise ValueError(f"{found}: a comparison of which parts are missing; make it again")
    return [{**method, "name": _name(method, n_components)} for method in methods]


def _is_whole(method: Any) -> bool:
    return (
        isinstance(method, dict)
        and {"name", "failed", "n_components"} <= method.keys()
        and isinstance(method.get("spread"), dict)
    )


def _name(method: dict[str, Any], n_components: int) -> str:
    """With its number of components, where it is another."""
    if method["n_components"] == n_components:
        return str(method["name"])
    return f"{method['name']}, {method['n_components']} components"
