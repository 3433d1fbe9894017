"""Sparse groups of channels that move together in labelled trials, and how labels change them.

>>> import milcci
>>> trials = milcci.simulate(n_channels=30, n_trials=60, length=100, seed=1)
>>> model = milcci.MILCCI({"difficulty": 2, "choice": 2}, nonnegative="both").fit(trials)
>>> model.components_["choice"].shape
(30, 2, 2)
"""

from typing import TYPE_CHECKING, Any

from ._category import Category
from ._core import version as __version__
from ._estimator import MILCCI, NotFittedError
from ._labelled import LabelledArray
from ._optional import require as _require
from ._report import Report
from ._trials import Trials, Truth, as_trials, prepare, read, simulate
from ._verbs import check, compare, evaluate, load, show
from ._warnings import ConvergenceWarning, Warning

if TYPE_CHECKING:
    from ._rows import MILCCIRows as MILCCIRows
else:

    def __getattr__(name: str) -> Any:
        if name != "MILCCIRows":
            raise AttributeError(f"module 'milcci' has no attribute {name!r}")
        # Only now, and it may not be installed.
        _require("sklearn", f"milcci.{name}", "scikit-learn")
        from ._rows import MILCCIRows

        return MILCCIRows

    def __dir__() -> list[str]:
        return [*__all__, "MILCCIRows"]


__all__ = [
    "MILCCI",
    "Category",
    "ConvergenceWarning",
    "LabelledArray",
    "NotFittedError",
    "Report",
    "Trials",
    "Truth",
    "Warning",
    "__version__",
    "as_trials",
    "check",
    "compare",
    "evaluate",
    "load",
    "prepare",
    "read",
    "show",
    "simulate",
]
