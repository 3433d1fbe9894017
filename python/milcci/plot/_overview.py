"""The page that a user wants first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._components import components
from ._fit import objective
from ._labels import distances
from ._source import Model, Source
from ._style import new_figure, nothing_to_see
from ._traces import composition, traces

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TRACES = 6


def overview(model: Model, trials: Any = None, *, time_unit: str | None = None) -> Figure:
    """Components of every category, mean traces by their labels, shares, distances and the fit.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    trials : Trials, optional
        Not needed; a truth in them is told in the title.
    time_unit : str, optional
        Of the trials' times, for the axis: ``"s"``. Files do not tell it.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> figure = milcci.plot.overview(model)
    """
    source = Source(model)
    strongest = sorted(source.living, key=lambda j: -float(source.result.explained[j]))[
        :MOST_TRACES
    ]
    shown = sorted(strongest)
    n_rows = max(1, (len(shown) + 1) // 2)
    figure = new_figure(10.0, 3.2 + 1.9 * n_rows + 2.2)
    parts = figure.subfigures(3, 1, squeeze=False, height_ratios=(3.2, 1.9 * n_rows, 2.2))
    top, middle, bottom = parts[:, 0]
    for ax, of in zip(
        top.subplots(1, len(source.categories), squeeze=False)[0], source.categories, strict=True
    ):
        components(model, of.name, n_channels=25, ax=ax)
    axes = middle.subplots(n_rows, 2, squeeze=False).ravel()
    for ax in axes[len(shown) :]:
        ax.set_axis_off()
    for ax, j in zip(axes, shown, strict=False):
        traces(model, j, time_unit=time_unit, ax=ax)
    if len(shown) < len(source.living):
        note = f"the {len(shown)} strongest of {len(source.living)} components"
        middle.suptitle(note, fontsize="small")
    if not shown:
        nothing_to_see(axes[0], "all components are dead")
    below = bottom.subplots(1, 3)
    composition(model, ax=below[0])
    distances(model, ax=below[1])
    objective(model, ax=below[2])
    figure.suptitle(_title(source, trials), fontsize="large")
    return figure


def _title(source: Source, trials: Any) -> str:
    result = source.result
    title = (
        f"{len(result.channel_names)} channels, {result.n_trials} trials, "
        f"{len(source.living)} of {result.n_components} components alive, R² {result.r2:.3f}"
    )
    uncertain = sum(
        word in ("alternative", "unstable") for word in source.summary["certainty"] or []
    )
    if uncertain:
        title += f", {uncertain} uncertain"
    if trials is not None:
        from .._verbs import evaluate

        found = evaluate(result_like(source), trials).get("component_correlation")
        if found and found.get("mean") is not None:
            title += f", correlation with the truth {found['mean']:.3f}"
    return title


def result_like(source: Source) -> Any:
    from .._estimator import MILCCI

    return MILCCI._of(source.result)
