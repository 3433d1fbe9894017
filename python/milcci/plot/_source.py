"""Models and trials as pictures ask for them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._estimator import MILCCI, result_of
from .._export import component_names
from .._trials import Path, Trials, as_trials

Model = MILCCI | Path


@dataclass(frozen=True)
class CategoryOf:
    """A category of a model."""

    position: int
    name: str
    kind: str
    options: list[str]
    option_of_trial: NDArray[np.int64]
    first: int  # its first component among all

    @property
    def is_ordered(self) -> bool:
        return self.kind in ("ordinal", "trial_number", "circular")

    @property
    def has_one_option(self) -> bool:
        return len(self.options) == 1


class Source:
    """A fitted model, looked at from all sides."""

    def __init__(self, model: Model) -> None:
        self.result: _core.Result = result_of(model)

    @cached_property
    def categories(self) -> list[CategoryOf]:
        found, first = [], 0
        for position, category in enumerate(self.result.categories):
            spec = category["spec"]
            found.append(
                CategoryOf(
                    position,
                    str(spec["name"]),
                    str(spec["kind"]),
                    list(category["options"]),
                    np.asarray(category["option_of_trial"]),
                    first,
                )
            )
            first += int(spec["n_components"])
        return found

    def category(self, name: str | None) -> CategoryOf:
        """The one of this name, or the first that adjusts to a label."""
        if name is None:
            several = [c for c in self.categories if not c.has_one_option]
            return (several or self.categories)[0]
        for category in self.categories:
            if category.name == name:
                return category
        known = ", ".join(c.name for c in self.categories)
        raise ValueError(f"the model has no category {name!r}; it has {known}")

    def place(self, component: int | str) -> tuple[CategoryOf, int]:
        """Of a component: a position among all, from 0, or a name such as ``"choice 1"``."""
        names = self.component_names
        if isinstance(component, str):
            if component not in names:
                raise ValueError(f"no component {component!r}; there are {', '.join(names)}")
            component = names.index(component)
        if not -len(names) <= component < len(names):
            raise ValueError(f"component {component}: the model has 0 to {len(names) - 1}")
        component %= len(names)
        category = [c for c in self.categories if c.first <= component][-1]
        return category, component - category.first

    def option(self, category: CategoryOf, option: str | int) -> int:
        """The position of an option: by its name, or counted from 0, or back from -1."""
        n = len(category.options)
        if isinstance(option, (int, np.integer)) and -n <= option < n:
            return int(option) % n
        if option in category.options:
            return category.options.index(str(option))
        known = ", ".join(category.options[:12])
        raise ValueError(f"{category.name} has no option {option!r}; it has {known}")

    def components(self, category: CategoryOf) -> NDArray[np.float64]:
        """Channel x component x option."""
        return self.result.components(category.position)

    def errors(self, category: CategoryOf) -> NDArray[np.float64] | None:
        found = self.result.standard_errors(category.position)
        return None if found is None else np.asarray(found)

    @cached_property
    def component_names(self) -> list[str]:
        return component_names(self.result)

    @cached_property
    def living(self) -> list[int]:
        """Components that are not dead, by position."""
        found = []
        for category in self.categories:
            sizes = np.abs(self.components(category)).sum(axis=(0, 2))
            found += [category.first + j for j in range(len(sizes)) if sizes[j] > 0]
        return found

    def is_dead(self, category: CategoryOf, component: int) -> bool:
        """Of a component by its number within the category, from 0."""
        return category.first + component not in self.living

    def title(self, category: CategoryOf, component: int) -> str:
        """Its name, and why there is nothing but zeros if it is dead."""
        name = f"{category.name} {component + 1}"
        return f"{name} (dead)" if self.is_dead(category, component) else name

    @cached_property
    def traces(self) -> list[NDArray[np.float64]]:
        return [self.result.trace(m) for m in range(self.result.n_trials)]

    def stamps(self, trial: int) -> NDArray[np.float64]:
        times = self.result.times
        if times:
            return np.asarray(times[trial])
        return np.arange(self.traces[trial].shape[1], dtype=np.float64)

    def time_label(self, unit: str | None) -> str:
        if self.aligned["is_from_start"]:
            return label_of_time("time from the start of the trial", unit)
        return label_of_time("time" if self.result.times else "", unit)

    def event_times(self, when: Any) -> NDArray[np.float64]:
        """Per trial, on the axis of time of pictures that put trials together."""
        given = np.broadcast_to(np.asarray(when, dtype=np.float64), (self.result.n_trials,))
        if not self.aligned["is_from_start"]:
            return given
        starts = [self.stamps(m)[0] for m in range(self.result.n_trials)]
        return np.asarray(given - np.array(starts))

    @cached_property
    def trial_names(self) -> list[str]:
        return list(self.result.trial_names) or [str(m + 1) for m in range(self.result.n_trials)]

    def groups(self, label: str) -> tuple[list[str], NDArray[np.int64]]:
        """The values of a category or a label column, and that of each trial (-1: missing)."""
        for category in self.categories:
            if category.name == label:
                return category.options, category.option_of_trial
        found = _core.group_trials(self.result, [label])
        return [values[0] for values in found["values"]], np.asarray(found["of_trial"])

    @cached_property
    def aligned(self) -> dict[str, Any]:
        """Traces of all trials on one grid of times, as `milcci traces` puts them together."""
        return _core.align_traces(self.result)

    def is_ordered(self, label: str) -> bool:
        for category in self.categories:
            if category.name == label:
                return category.is_ordered
        return any(
            name == label and np.asarray(values).dtype.kind in "iuf"
            for name, values in self.result.labels
        )

    @cached_property
    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.result.summary_json())
        return found


def label_of_time(words: str, unit: str | None) -> str:
    """Of an axis. Trials without times have numbered time points, which have no unit."""
    if not words:
        return "time point"
    return f"{words} ({unit})" if unit else words


def grouped(values: Any) -> tuple[list[str], NDArray[np.int64]]:
    column = np.asarray(values)
    if column.dtype.kind == "f":
        known = ~np.isnan(column)
    else:
        known = np.array(
            [value is not None and value != "" for value in column.tolist()], dtype=bool
        )
    options, inverse = np.unique(column[known], return_inverse=True)
    of_trial = np.full(len(column), -1)
    of_trial[known] = inverse
    if column.dtype.kind == "f":
        return [repr(float(option)).removesuffix(".0") for option in options], of_trial
    return [str(option) for option in options], of_trial


def trials_of(trials: Any) -> Trials:
    return trials if isinstance(trials, Trials) else as_trials(trials)
