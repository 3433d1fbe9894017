"""What the program tells: numbers for programs, text for people, in one object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Report(Mapping[str, Any]):
    """The numbers by name, as ``--json`` gives them; printed, the text of the command line."""

    def __init__(self, numbers: str, text: str) -> None:
        import json  # only here, because of the time that its import takes

        self._numbers: dict[str, Any] = json.loads(numbers)
        self.text = text

    def __getitem__(self, name: str) -> Any:
        return self._numbers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return preformatted(self.text)


def preformatted(text: str) -> str:
    """Text for a notebook, as it is."""
    import html

    return f"<pre>{html.escape(text)}</pre>"
