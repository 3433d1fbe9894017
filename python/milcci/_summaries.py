"""What a model says, summarised: traces by label, components by groups of channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._estimator import MILCCI, result_of
from ._optional import require
from ._report import Report
from ._trials import Path

#: Of the table of traces, beside the labels.
COLUMNS = (
    *("category", "component", "time", "n", "mean", "low", "high", "standard_error"),
    *("difference", "band", "p"),
)


class TraceSummary(Report):
    """Traces by label, as ``milcci traces --json`` has them."""

    def to_frame(self) -> Any:
        """A row per component, group and time point."""
        pandas = require("pandas", "a table")
        frames = []
        for component in self["components"]:
            for group in component["groups"]:
                columns: dict[str, Any] = {
                    "category": component["category"],
                    "component": component["component"],
                    **dict(zip(self._label_columns(), group["values"], strict=True)),
                    "time": self["times"],
                }
                for name in ("n", "mean", "low", "high", "standard_error"):
                    columns[name] = np.array(group[name], dtype=np.float64)
                if self["between"] and group["values"][0] == self["between"][0]:
                    found = component["difference"]
                    for name in ("difference", "band"):
                        columns[name] = np.array(found[name], dtype=np.float64)
                    columns["p"] = found["p"]
                frames.append(pandas.DataFrame(columns).astype({"n": int}))
        return pandas.concat(frames, ignore_index=True)

    def _label_columns(self) -> list[str]:
        """Their names, with "label_" before those that another column has."""
        return [f"label_{name}" if name in COLUMNS else name for name in self["by"]]

    def peaks(self) -> Any:
        """A row per component and group: trials, peak and its time, area; p of a difference."""
        pandas = require("pandas", "a table")
        rows = []
        for component in self["components"]:
            for group in component["groups"]:
                row = {"category": component["category"], "component": component["component"]}
                row.update(zip(self._label_columns(), group["values"], strict=True))
                row.update({n: group[n] for n in ("n_trials", "peak", "time_of_peak", "area")})
                if "difference" in component:
                    row["p"] = component["difference"]["p"]
                rows.append(row)
        return pandas.DataFrame(rows)


class GroupShares(Report):
    """Groups of channels of every component, as ``milcci groups --json`` has them."""

    def to_frame(self) -> Any:
        """A row per component, option and group."""
        columns = ("category", "component", "option", "group", "n_channels", "n_members")
        more = ("share", "expected", "p", "q")
        return require("pandas", "a table").DataFrame(self["groups"], columns=[*columns, *more])


def traces(
    model: MILCCI | Path,
    by: str | Sequence[str] = (),
    *,
    between: Sequence[Any] = (),
    interval: float = 0.8,
    permutations: int = 1000,
    seed: int = 1234,
) -> TraceSummary:
    """Traces of the trials that share a value of a label, fitted or not.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    by : str, or several
        Label columns or categories; of several, all combinations. None: all trials together.
    between : two values, optional
        Of the label in `by`: their difference, and how large it gets when labels are shuffled.
    interval : float
        Share of the trials between ``low`` and ``high``.
    permutations, seed : int
        Of the shuffles.

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> list(milcci.traces(model, by="choice").to_frame().columns)[:4]
    ['category', 'component', 'choice', 'time']
    """
    if isinstance(between, str):
        raise ValueError(f"`between` = {between!r}, must be two values, such as ('left', 'right')")
    options = {
        "by": [by] if isinstance(by, str) else list(by),
        "between": [str(value) for value in between],
        "interval": interval,
        "permutations": permutations,
        "seed": seed,
    }
    return TraceSummary(*_core.traces(result_of(model), options))


def groups(model: MILCCI | Path) -> GroupShares:
    """Which groups of channels, such as brain regions, each component is made of, against chance.

    ``p`` is the chance of as many members of a group if members were drawn from all channels, ``q``
    the false discovery rate over all components, options and groups.
    """
    return GroupShares(*_core.groups(result_of(model)))
