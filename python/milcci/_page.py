"""The report: one self-contained page that explains a model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from . import _core
from ._category import label_keywords
from ._comparison import Comparison, results_text
from ._estimator import MILCCI, categories_of, result_of
from ._texts import path_text, written
from ._times import named_events
from ._trials import Path, as_trials


class ReportPage:
    """A page to save, or to look at in a notebook."""

    def __init__(self, report: str) -> None:
        self._report = report

    @cached_property
    def data(self) -> dict[str, Any]:
        """The object in the page, as ``milcci report --json`` prints it."""
        import json

        found: dict[str, Any] = json.loads(self._report)
        return found

    @property
    def html(self) -> str:
        return _core.report_page(self._report)

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the page."""
        with written():
            _core.save_report(path_text(path), self._report, overwrite)

    def __repr__(self) -> str:
        return f"<report {self.data['title']!r}: save it, or show it in a notebook>"

    def _repr_html_(self) -> str:
        import html

        style = "width: 100%; height: 85vh; border: 1px solid #8884"
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="{style}" title="milcci report"></iframe>'


def report(
    model: MILCCI | Path,
    trials: Any = None,
    labels: Any = None,
    *,
    title: str | None = None,
    events: Mapping[str, float | str] | None = None,
    comparison: Comparison | Path | None = None,
    **reading: Any,
) -> ReportPage:
    """One page that explains a model: it needs no network, and can be sent by mail.

    Parameters
    ----------
    model : MILCCI, or path to a model file
    trials, labels : as for `fit`, optional
        The trials that the model was fitted to: data and errors are shown, too.
    title : str, optional
    events : mapping, optional
        Moments to mark in traces: a time, or the name of a label column that holds the time in
        every trial, such as ``{"stimulus": 0.0, "response": "response_time"}``.
    comparison : Comparison, or path to the results of ``milcci compare -o``, optional
        Our model beside other methods on the same trials.
    **reading
        How to read the trials, as for `fit`.

    Examples
    --------
    >>> import milcci
    >>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
    >>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
    >>> page = milcci.report(model, trials, title="Session 4")
    >>> page.data["title"]
    'Session 4'
    """
    fitted = result_of(model)
    if title is None:
        title = "" if isinstance(model, MILCCI) else os.path.basename(os.fspath(model))
    recording = None
    if trials is not None:
        given = as_trials(trials, labels, **label_keywords(categories_of(fitted)), **reading)
        recording, _ = _core.prepare_as_fitted(fitted, given._recording)
    events = named_events(events)
    for name in events:
        if "=" in name or not name:
            raise ValueError(f"`events`: {name!r} cannot be the name of an event: it has a '='")
    told = [f"{name}={when}" for name, when in events.items()]
    compared = "" if comparison is None else results_text(comparison)
    return ReportPage(_core.report(fitted, recording, compared, {"title": title, "events": told}))
