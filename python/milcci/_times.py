"""Time stamps as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def time_stamps(times: Any) -> NDArray[np.float64]:
    """In their own unit; dates are days since 1970, lengths of time are seconds."""
    array = np.asarray(times)
    if array.dtype.kind == "M":
        return np.asarray((array - np.datetime64(0, "s")) / np.timedelta64(1, "D"), np.float64)
    if array.dtype.kind == "m":
        return np.asarray(array / np.timedelta64(1, "s"), np.float64)
    try:
        if array.dtype.kind == "c":
            raise TypeError
        return np.ascontiguousarray(array, dtype=np.float64)
    except (ValueError, TypeError):
        raise ValueError(f"times of type {array.dtype}; give numbers or dates") from None


def named_events(events: Mapping[str, Any] | None) -> dict[str, Any]:
    """Moments to mark, by their names."""
    events = {} if events is None else events
    if not isinstance(events, Mapping) or not all(isinstance(name, str) for name in events):
        raise TypeError(
            f"`events` = {events!r}: must be a dict from names to times or label columns, "
            "such as {'stimulus': 0.0, 'response': 'response_time'}"
        )
    return dict(events)
