"""Models as tables and data sets of other packages."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._optional import require


def component_names(result: _core.Result) -> list[str]:
    """``"difficulty 1"``, ``"difficulty 2"``, ``"choice 1"``, ... in the order of the traces."""
    names = []
    for category in result.categories:
        spec = category["spec"]
        names += [f"{spec['name']} {j + 1}" for j in range(spec["n_components"])]
    return names


def view(
    result: _core.Result, category: str | None, component: int | None, n_members: int
) -> tuple[str, str]:
    """Components as JSON and as text: of all, of a category, or one, also by its name."""
    is_category = any(found["spec"]["name"] == category for found in result.categories)
    if component is None and not is_category and category in component_names(result):
        category, _, number = category.rpartition(" ")
        component = int(number) - 1
    if component is not None and (is_category or not category):
        sizes = {
            str(found["spec"]["name"]): int(found["spec"]["n_components"])
            for found in result.categories
        }
        n = sizes[category] if category else sum(sizes.values())
        if not 0 <= component < n:  # counted from 0 here, and from 1 by the command line
            raise ValueError(f"`component` = {component}, must be between 0 and {n - 1}")
    if not isinstance(n_members, (int, np.integer)) or n_members < 0:
        raise ValueError(f"`n_members` = {n_members!r}, must be a whole number, zero or more")
    return result.view(category or "", component, n_members)


def trial_coordinate(result: _core.Result) -> list[Any]:
    return list(result.trial_names) or list(range(result.n_trials))


def memberships_frame(result: _core.Result) -> Any:
    """A row per component, option and channel."""
    pandas = require("pandas", "a table")
    frames = []
    channels = np.asarray(result.channel_names)
    for k, category in enumerate(result.categories):
        values = result.components(k)
        n_channels, n_components, n_options = values.shape
        component, option, channel = (
            index.ravel()
            for index in np.meshgrid(
                np.arange(n_components), np.arange(n_options), np.arange(n_channels), indexing="ij"
            )
        )
        columns = {
            "category": category["spec"]["name"],
            "component": component + 1,
            "option": np.asarray(category["options"])[option],
            "channel": channels[channel],
        }
        if result.channel_groups:
            columns["channel_group"] = np.asarray(result.channel_groups)[channel]
        columns["membership"] = values[channel, component, option]
        errors = result.standard_errors(k)
        if errors is not None:
            columns["standard_error"] = errors[channel, component, option]
        frames.append(pandas.DataFrame(columns))
    return pandas.concat(frames, ignore_index=True)


def traces_frame(result: _core.Result) -> Any:
    """A row per trial, component and time point."""
    pandas = require("pandas", "a table")
    names = np.asarray(component_names(result))
    trials, times = trial_coordinate(result), result.times
    frames = []
    for m in range(result.n_trials):
        trace = result.trace(m)
        n_components, n_times = trace.shape
        stamps = times[m] if times else np.arange(n_times)
        frames.append(
            pandas.DataFrame(
                {
                    "trial": trials[m],
                    "component": np.repeat(names, n_times),
                    "time": np.tile(stamps, n_components),
                    "value": trace.ravel(),
                }
            )
        )
    return pandas.concat(frames, ignore_index=True)


def trials_frame(result: _core.Result) -> Any:
    """A row per trial, with all its labels."""
    pandas = require("pandas", "a table")
    columns = {name: np.asarray(values) for name, values in result.labels}
    # A wide table may bring a label of this name, and tables do not have two.
    name = next((n for n in ("trial", "trial_name") if n not in columns), None)
    return pandas.DataFrame(columns, index=pandas.Index(trial_coordinate(result), name=name))


FRAMES = {"memberships": memberships_frame, "traces": traces_frame, "trials": trials_frame}


def to_dataset(result: _core.Result) -> Any:
    """Components per category, and traces of all trials, with NaN behind the end of short ones."""
    xarray = require("xarray", "a Dataset")
    variables: dict[str, Any] = {}
    coords: dict[str, Any] = {
        "channel": result.channel_names,
        "trial": trial_coordinate(result),
        "component": component_names(result),
    }
    if result.channel_groups:
        coords["channel_group"] = ("channel", result.channel_groups)
    for name, values in result.labels:
        coords[f"label_{name}"] = ("trial", values)
    for k, category in enumerate(result.categories):
        name = category["spec"]["name"]
        dims = ("channel", f"{name}_component", f"{name}_option")
        variables[f"{name}_components"] = (dims, result.components(k))
        errors = result.standard_errors(k)
        if errors is not None:
            variables[f"{name}_standard_errors"] = (dims, errors)
        coords[f"{name}_option"] = category["options"]
    variables["traces"], more = _padded_traces(result)
    return xarray.Dataset(variables, coords={**coords, **more})


def _padded_traces(result: _core.Result) -> tuple[Any, dict[str, Any]]:
    lengths = [result.trace(m).shape[1] for m in range(result.n_trials)]
    values = np.full((result.n_trials, result.n_components, max(lengths, default=0)), np.nan)
    for m, length in enumerate(lengths):
        values[m, :, :length] = result.trace(m)
    times = result.times
    dims = ("trial", "component", "time")
    if not times:
        return (dims, values), {"time": np.arange(values.shape[2])}
    longest = times[int(np.argmax(lengths))]
    if all(np.array_equal(stamps, longest[: len(stamps)]) for stamps in times):
        return (dims, values), {"time": longest}
    stamps = np.full((result.n_trials, values.shape[2]), np.nan)
    for m, length in enumerate(lengths):
        stamps[m, :length] = times[m]
    return (dims, values), {"time_of_trial": (("trial", "time"), stamps)}
