"""Files of the library as bytes, for what pickles and copies."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def bytes_of(write: Callable[[str, bool], None]) -> bytes:
    """What `write` writes into a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.h5"
        write(str(path), False)
        return path.read_bytes()


def from_bytes(read: Callable[[str], Found], content: bytes) -> Found:
    """What `read` makes of a file with this content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.h5"
        path.write_bytes(content)
        return read(str(path))
