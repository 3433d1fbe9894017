"""Texts and paths as the library takes them: UTF-8, and paths that end where they end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def plain(what: str, text: str) -> str:
    """The text, if files can hold it: half of a surrogate pair has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what}: {text!r} is no valid Unicode, which UTF-8 needs") from None
    if "\0" in text:
        raise ValueError(
            f"{what}: {text!r} has a null character, which no file can hold; remove it"
        )
    return text


def path_text(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> str:
    """A path as a text. The library would take what follows a null character as not there."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"path {text!r}: has a null character")
    return plain("path", text)


@contextmanager
def written() -> Iterator[None]:
    """Around what writes a file: what the library calls `force` is `overwrite` here."""
    try:
        yield
    except OSError as error:
        if "`force`" not in str(error):
            raise
        raise OSError(str(error).replace("`force`", "`overwrite=True`")) from None
