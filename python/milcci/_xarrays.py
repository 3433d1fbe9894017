"""Arrays of xarray as trials: names of axes decide, coordinates are names, times and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._arrays import axes_of, split
from ._labels import Columns, column
from ._names import role_of
from ._parts import Parts, numbered
from ._times import time_stamps


def is_xarray(thing: Any) -> bool:
    return hasattr(thing, "dims") and hasattr(thing, "coords") and hasattr(thing, "values")


def parts_of_xarray(array: Any, dims: Sequence[str] | None) -> Parts:
    """A DataArray of three axes, or of two for one trial."""
    if isinstance(array, Mapping):
        raise ValueError(f"a Dataset with {', '.join(map(str, array))}: pass one of these arrays")
    axes = _axes(array, dims)
    names = {role: str(dim) for role, dim in zip(axes, array.dims, strict=True)}
    arrays, notes = split(array.values, axes)
    n_channels = arrays[0].shape[1]
    channels = _coordinate(array, names["channel"])
    times = _coordinate(array, names["time"])
    parts = Parts(
        arrays,
        channel_names=numbered("channel", n_channels)
        if channels is None
        else [str(c) for c in channels],
        notes=[f"xarray: {note}" for note in notes],
    )
    if times is not None:
        parts.times = [time_stamps(times)[: len(trial)] for trial in arrays]
    if "trial" in names:
        trial_names = _coordinate(array, names["trial"])
        parts.trial_names = [] if trial_names is None else [str(name) for name in trial_names]
        parts.labels = _labels(array, names["trial"])
    return parts


def _axes(array: Any, dims: Sequence[str] | None) -> tuple[str, ...]:
    if dims is not None:
        return axes_of(dims)
    roles = tuple(role_of(str(dim)) for dim in array.dims)
    if "unknown" in roles or len(set(roles)) < len(roles):
        raise ValueError(
            f"the axes are named {', '.join(map(str, array.dims))}: which is which? "
            "give dims= with trial, channel and time in their order"
        )
    return roles


def _coordinate(array: Any, dim: str) -> Any:
    return array.coords[dim].values if dim in array.coords else None


def _labels(array: Any, dim: str) -> Columns:
    return {
        str(name): column(str(name), coordinate.to_series())
        for name, coordinate in array.coords.items()
        if tuple(coordinate.dims) == (dim,) and name != dim
    }
