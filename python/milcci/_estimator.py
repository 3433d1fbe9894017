"""The estimator: fit, transform, score, save."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import number_array
from ._category import Category, category_names, category_of, label_keywords, to_specs
from ._export import FRAMES, component_names, to_dataset, view
from ._labelled import labelled
from ._labels import to_columns
from ._manners import Manners
from ._parameters import RENAMED, FitParameters
from ._progress import ProgressBar
from ._report import Report, preformatted
from ._texts import path_text, written
from ._trials import Path, Trials, as_trials
from ._warnings import ConvergenceWarning, warn_each

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._page import ReportPage


class NotFittedError(ValueError, AttributeError):
    """The estimator has no model yet: call `fit` or `load`."""


class MILCCI(Manners, FitParameters):
    __doc__ = FitParameters.__doc__

    _result: _core.Result | None = None
    plan_: list[str]

    def fit(
        self,
        trials: Any,
        labels: Any = None,
        *,
        start: MILCCI | Path | None = None,
        **reading: Any,
    ) -> Self:
        """Finds components, their variants and their traces.

        Parameters
        ----------
        trials, labels, **reading
            As in `as_trials`: arrays, DataFrames, xarray, or a path; `dims`, `times`,
            `channel_names`, ...
        start : MILCCI, or path to a model, optional
            Begin from its components, in place of a search.
        """
        self._fit(trials, labels, start, reading)
        return self

    def transform(
        self, trials: Any, labels: Any = None, **reading: Any
    ) -> list[NDArray[np.float64]]:
        """The traces of trials under the fitted components, component x time each.

        An option that was never seen gets a variant between its neighbours where the category is
        ordered, else the mean variant, with a warning.
        """
        fitted = self._fitted()
        given = self._as_fitted(trials, labels, reading)
        result = _core.transform(fitted, given, self.threads)
        warn_each(result.warnings, depth=1)
        return [result.trace(m) for m in range(result.n_trials)]

    def fit_transform(
        self, trials: Any, labels: Any = None, **reading: Any
    ) -> list[NDArray[np.float64]]:
        """Fits, and returns the traces of the trials, component x time each."""
        result = self._fit(trials, labels, None, reading)
        return [result.trace(m) for m in range(result.n_trials)]

    def inverse_transform(
        self, traces: Sequence[NDArray[np.float64]], labels: Any = None
    ) -> list[NDArray[np.float64]]:
        """What the components make of these traces, channel x time each, offset included.

        Without labels, the traces are those of the fitted trials, in their order. Labels are what
        `transform` takes: what `prepare` did to those of the fit is done to them, unless it was
        done before. An option that was never seen is treated, and told, as there. With
        `data_transform`, this is in the units after it.
        """
        fitted = self._fitted()
        if not hasattr(traces, "__len__"):
            raise ValueError(
                f"traces of type {type(traces).__name__}: give a list of arrays, component x time"
            )
        result = fitted if labels is None else self._under(labels, len(traces))
        if len(traces) != result.n_trials:
            raise ValueError(f"traces of {len(traces)} trials, expected {result.n_trials}")
        offset = np.asarray(fitted.noise["offset"])
        made = []
        for m, trace in enumerate(traces):
            trace = number_array(trace, f"traces of trial {m + 1}").astype(np.float64, copy=False)
            if trace.ndim != 2 or len(trace) != fitted.n_components:
                raise ValueError(
                    f"traces of trial {m + 1}: shape {trace.shape}, expected {fitted.n_components} "
                    "components x time"
                )
            values = result.loading(m) @ trace
            made.append(values + offset[:, None] if offset.size else values)
        return made

    def score(self, trials: Any, labels: Any = None, **reading: Any) -> float:
        """R2 over observed entries, about each channel's mean; NaN if no channel ever changes. A
        high one is no proof: see `cosmooth_score`."""
        return _number(self._evaluate(trials, labels, reading, None)["r2"])

    def cosmooth_score(
        self, trials: Any, labels: Any = None, *, folds: int = 5, seed: int = 1234, **reading: Any
    ) -> float:
        """R2 of channels that are predicted from other channels, fold by fold."""
        folding = {"folds": folds, "seed": seed}
        return _number(self._evaluate(trials, labels, reading, folding)["cosmoothing"]["r2"])

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the model file of the command line."""
        with written():
            self._fitted().write(path_text(path), overwrite)

    @classmethod
    def load(cls, path: Path) -> Self:
        """The estimator of a model file, be it from here or from the command line."""
        return cls._of(_core.Result.read(path_text(path)))

    def show(
        self, category: str | None = None, component: int | None = None, n_members: int = 10
    ) -> Report:
        """Who belongs to the components, and who joins or leaves from option to option.

        Parameters
        ----------
        category : str, optional
            Its name; or that of a component, such as ``"choice 2"``. Unset: all.
        component : int, optional
            Position within the category, from 0.
        n_members : int
            Most channels to list.
        """
        return Report(*view(self._fitted(), category, component, n_members))

    def report(self, trials: Any = None, labels: Any = None, **options: Any) -> ReportPage:
        """One page that explains the model: `milcci.report`, where its options are told."""
        from ._page import report

        return report(self, trials, labels, **options)

    def to_frame(self, what: str = "memberships") -> Any:
        """A tidy DataFrame of ``"memberships"``, ``"traces"`` or ``"trials"``.

        The index of trials is ``trial``, or ``trial_name`` where a label has that name.
        """
        if what not in FRAMES:
            raise ValueError(f"`what` = {what!r}, must be one of {', '.join(FRAMES)}")
        return FRAMES[what](self._fitted())

    def to_xarray(self) -> Any:
        """Components and traces as one Dataset."""
        return to_dataset(self._fitted())

    @property
    def components_(self) -> dict[str, Any]:
        """Per category channel x component x option. Absolute memberships of a component sum to
        one, or are all zero where it is dead."""
        return self._per_category(self._fitted().components)

    @property
    def standard_errors_(self) -> dict[str, Any] | None:
        """Of the memberships, as `components_`; None if they were not estimated."""
        result = self._fitted()
        if result.standard_errors(0) is None:
            return None
        return self._per_category(result.standard_errors)

    @property
    def alternatives_(self) -> list[dict[str, Any]]:
        """Components of other answers about as good, best first, as `components_`."""
        result = self._fitted()
        return [
            self._per_category(lambda k, a=a: result.alternative(a, k))
            for a in range(result.n_alternatives)
        ]

    @property
    def traces_(self) -> list[Any]:
        """Per trial component x time."""
        result = self._fitted()
        names, times = component_names(result), result.times
        found = []
        for m in range(result.n_trials):
            trace = result.trace(m)
            stamps = times[m] if times else np.arange(trace.shape[1])
            found.append(
                labelled(trace, ("component", "time"), {"component": names, "time": stamps})
            )
        return found

    @property
    def transitions_(self) -> list[NDArray[np.float64]]:
        """Per trial component x component; only with the lds prior."""
        result = self._fitted()
        return [result.transition(m) for m in range(result.n_transitions)]

    @property
    def noise_(self) -> dict[str, Any]:
        """Offset and noise level of the channels, and the weights that were estimated."""
        return self._fitted().noise

    @property
    def summary_(self) -> Report:
        """All about the fit: options as resolved, iterations, certainty, warnings."""
        result = self._fitted()
        return Report(result.summary_json(), result.report())

    @property
    def categories_(self) -> list[Category]:
        """As they were fitted."""
        return categories_of(self._fitted())

    @property
    def objective_(self) -> float | None:
        return self._fitted().objective

    @property
    def r2_(self) -> float:
        return self._fitted().r2

    @property
    def n_iter_(self) -> int:
        return self._fitted().n_iterations

    @property
    def stop_reason_(self) -> str:
        return self._fitted().stop_reason

    @property
    def warnings_(self) -> list[str]:
        return self._fitted().warnings

    @property
    def channel_names_(self) -> list[str]:
        return self._fitted().channel_names

    @property
    def component_names_(self) -> list[str]:
        """``"difficulty 1"``, ``"difficulty 2"``, ...: the rows of the traces."""
        return component_names(self._fitted())

    @property
    def explained_(self) -> NDArray[np.float64]:
        """The share of the fitted energy that each component carries."""
        return np.asarray(self._fitted().explained)

    @property
    def n_features_in_(self) -> int:
        return len(self._fitted().channel_names)

    def _fit(
        self, trials: Any, labels: Any, start: MILCCI | Path | None, reading: dict[str, Any]
    ) -> _core.Result:
        given = self._as_trials(trials, labels, reading)
        specs = to_specs(self.categories, self.trial_number, self.fixed, given.columns)
        options = self._options()
        plan = [*given.notes, *map(_told, specs)]
        self._say(plan)
        begin = None if start is None else result_of(start)
        findings = _core.findings(given._recording, specs, options)
        warn_each([f"{text}; {advice}" for text, advice, _ in findings], depth=2)
        with ProgressBar() if self.verbose > 1 else nullcontext() as show:
            result = _core.fit(given._recording, specs, options, begin, show)
        self._result, self.plan_ = result, plan
        self._say([result.report()])
        warn_each(result.warnings, depth=2)
        news = result.worst_news() or ("" if result.is_at_rest else result.message)
        if news:
            warnings.warn(news, ConvergenceWarning, stacklevel=3)
        return result

    def _fitted(self) -> _core.Result:
        if self._result is None:
            raise NotFittedError(
                f"this {type(self).__name__} is not fitted yet: call fit or load first"
            )
        return self._result

    def __sklearn_is_fitted__(self) -> bool:
        return self._result is not None

    def _as_trials(self, trials: Any, labels: Any, reading: dict[str, Any]) -> Trials:
        asked: dict[str, Any] = {**label_keywords(self.categories), "threads": self.threads}
        return as_trials(trials, labels, **asked, **reading)

    def _as_fitted(self, trials: Any, labels: Any, reading: dict[str, Any]) -> _core.Recording:
        """Trials after what was done to those of the fit (`prepare`), unless it was done before."""
        given = self._as_trials(trials, labels, reading)
        prepared, notes = _core.prepare_as_fitted(self._fitted(), given._recording)
        self._say(notes)
        return prepared

    def _options(self) -> dict[str, Any]:
        """The parameters that are options of the library, by their names there."""
        names = {keyword: option for option, keyword in RENAMED.items()}
        others = ("categories", "trial_number", "fixed", "verbose")
        return {names.get(n, n): v for n, v in self.get_params().items() if n not in others}

    def _say(self, lines: list[str]) -> None:
        if not isinstance(self.verbose, (int, np.integer)):
            raise ValueError(f"`verbose` = {self.verbose!r}, must be 0, 1 or 2")
        note(lines)
        if self.verbose > 0:
            for line in lines:
                print(line)

    def _evaluate(
        self, trials: Any, labels: Any, reading: dict[str, Any], folding: dict[str, Any] | None
    ) -> Report:
        fitted = self._fitted()
        given = self._as_fitted(trials, labels, reading)
        numbers, table, told = _core.evaluate(fitted, given, folding, self.threads)
        warn_each(told, depth=2)
        return Report(numbers, table)

    def _under(self, labels: Any, n_trials: int) -> _core.Result:
        """The variants that these labels choose, new options included, as `transform` chooses them.

        It is asked for two time points per trial, whose values do not matter. Labels may be of more
        trials than there are traces, if the fit left out some by their labels.
        """
        fitted = self._fitted()
        columns = to_columns(labels, category_names(self.categories))
        n_labels = len(next(iter(columns.values()))) if columns else n_trials
        values = np.ones((2, len(fitted.channel_names)))
        values[1] = 2
        given = self._as_trials(
            [values] * n_labels,
            labels,
            {"dims": ("time", "channel"), "channel_names": fitted.channel_names},
        )
        prepared, notes = _core.prepare_labels_as_fitted(fitted, given._recording)
        self._say(notes)
        result = _core.transform(fitted, prepared, 1)
        warn_each([told for told in result.warnings if told.startswith("category ")], depth=2)
        return result

    def _per_category(self, values_of: Any) -> dict[str, Any]:
        result = self._fitted()
        found = {}
        for k, category in enumerate(result.categories):
            name = category["spec"]["name"]
            coords = {"channel": result.channel_names, "option": category["options"]}
            found[name] = labelled(values_of(k), ("channel", "component", "option"), coords, name)
        return found

    @classmethod
    def _of(cls, result: _core.Result) -> Self:
        options = {RENAMED.get(name, name): value for name, value in result.options.items()}
        made = cls(categories_of(result), **options)
        made._result = result
        made.plan_ = []
        return made

    def __getstate__(self) -> dict[str, Any]:
        state = dict(vars(self))
        result = state.pop("_result", None)
        if result is not None:
            from ._memory import bytes_of  # only here, because of the time that its import takes

            state["_model_file"] = bytes_of(result.write)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        content = state.pop("_model_file", None)
        vars(self).update(state)
        if content is not None:
            from ._memory import from_bytes

            self._result = from_bytes(_core.Result.read, content)

    def _repr_html_(self) -> str:
        if self._result is None:
            return preformatted(repr(self))
        return preformatted(f"{self!r}\n\n{self._result.report()}")


def note(lines: list[str]) -> None:
    """For those who listen to the logger `milcci`."""
    import logging  # only here, because of the time that its import takes

    log = logging.getLogger("milcci")
    for line in lines:
        log.info("%s", line)


def result_of(model: MILCCI | Path) -> _core.Result:
    """Of a fitted estimator, or of a model file."""
    return model._fitted() if isinstance(model, MILCCI) else _core.Result.read(path_text(model))


def categories_of(result: _core.Result) -> list[Category]:
    """As they were fitted."""
    return [category_of(category["spec"]) for category in result.categories]


def _number(score: float | None) -> float:
    """Scores that there are none of are null in JSON."""
    return float("nan") if score is None else float(score)


def _told(spec: dict[str, Any]) -> str:
    order = f", from {' to '.join(map(str, spec['order']))}" if spec["order"] else ""
    return f"category {spec['name']}: {spec['n_components']} components, {spec['kind']}{order}"
