"""Sparse groups of channels that move together in labelled trials, and how labels change them.

>>> import milcci
>>> trials = milcci.simulate(n_channels=30, n_trials=60, length=100, seed=1)
>>> model = milcci.MILCCI({"difficulty": 2, "choice": 2}, nonnegative="both").fit(trials)
>>> model.components_["choice"].shape
(30, 2, 2)
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from ._category import Category
from ._comparison import Comparison, compare
from ._core import version as __version__
from ._estimator import MILCCI, NotFittedError
from ._labelled import LabelledArray
from ._optional import require as _require
from ._page import ReportPage, report
from ._report import Report
from ._summaries import groups, traces
from ._trials import Trials, Truth, as_trials, prepare, read, simulate
from ._verbs import check, compare_models, evaluate, load, show
from ._warnings import ConvergenceWarning, Warning

if TYPE_CHECKING:
    from . import plot as plot
    from ._rows import MILCCIRows as MILCCIRows
else:
    # Only when they are asked for: what they need may not be installed, and takes time to import.
    _LATER = {"MILCCIRows": ("sklearn", "scikit-learn"), "plot": ("matplotlib", "matplotlib")}

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module 'milcci' has no attribute {name!r}")
        module, package = _LATER[name]
        _require(module, f"milcci.{name}", package)
        if name == "plot":
            return _import_module(".plot", __name__)
        from ._rows import MILCCIRows

        return MILCCIRows

    def __dir__() -> list[str]:
        return [*__all__, *_LATER]


__all__ = [
    "MILCCI",
    "Category",
    "Comparison",
    "ConvergenceWarning",
    "LabelledArray",
    "NotFittedError",
    "Report",
    "ReportPage",
    "Trials",
    "Truth",
    "Warning",
    "__version__",
    "as_trials",
    "check",
    "compare",
    "compare_models",
    "evaluate",
    "groups",
    "load",
    "prepare",
    "read",
    "report",
    "show",
    "simulate",
    "traces",
]
