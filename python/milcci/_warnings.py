"""What the package warns of."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Iterable


class Warning(builtins.UserWarning):
    """Something about data or result that is allowed but seldom meant."""


class ConvergenceWarning(Warning):
    """A fit that ended before it came to rest, or that explains nothing."""


def warn_each(messages: Iterable[str], *, depth: int) -> None:
    """Warns of every message; `depth` frames above the caller is the code of the user."""
    for message in messages:
        warnings.warn(message, Warning, stacklevel=depth + 2)
