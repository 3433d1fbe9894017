"""What trials are made of, before the library is told of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ._labels import Columns, is_missing, number_text


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

    def group_channels(self, groups: Iterable[Any]) -> None:
        """Sets the groups; channels whose group is missing belong to none, which the notes tell."""
        names = ["" if is_missing(group) else number_text(group) for group in groups]
        n_without = names.count("")
        if n_without:
            self.notes.append(f"{n_without} of {len(names)} channels have no group")
        self.channel_groups = names if n_without < len(names) else []


def numbered(word: str, count: int) -> list[str]:
    """channel1, channel2, ...: names of what has none."""
    return [f"{word}{i + 1}" for i in range(count)]
