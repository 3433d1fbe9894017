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
        raise ImportError(f"{purpose} needs {package}: pip install {package}") from error
