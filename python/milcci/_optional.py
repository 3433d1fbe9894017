"""Packages that are used where they are installed, and imported only when they are needed."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


def is_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def require(name: str, purpose: str, package: str | None = None) -> Any:
    """The module. Says what it is needed for if it is not installed, and in which package it is."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = package or name
        # It may be there, and lack what it needs itself.
        missing = (error.name or name).partition(".")[0]
        needed = package if missing == name.partition(".")[0] else f"{package} {missing}"
        raise ImportError(f"{purpose} needs {package}: pip install {needed}") from error
