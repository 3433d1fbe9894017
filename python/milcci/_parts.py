"""What trials are made of, before the library is told of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ._labels import Columns


@dataclass
class Parts:
    """Arrays of time x channel in C order, float32 or float64, and what is known of the trials."""

    arrays: list[NDArray[Any]]
    channel_names: list[str]
    channel_groups: list[str] = field(default_factory=list)
    times: list[NDArray[Any]] = field(default_factory=list)
    trial_names: list[str] = field(default_factory=list)
    labels: Columns = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def numbered(word: str, count: int) -> list[str]:
    """channel1, channel2, ...: names of what has none."""
    return [f"{word}{i + 1}" for i in range(count)]
