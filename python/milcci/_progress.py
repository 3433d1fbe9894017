"""How far a fit is: a bar of tqdm where it is installed, else a line that is written over."""

from __future__ import annotations

import importlib
import sys
from types import TracebackType
from typing import Any

from ._optional import is_installed


class ProgressBar:
    """Shows the steps of the search, then those of the fit."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._stage = ""

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def __call__(self, stage: str, phase: str, step: int, max_steps: int, r2: float) -> None:
        told = phase if stage == "start" else f"R2 {r2:.4f}"
        if not is_installed("tqdm"):
            sys.stderr.write(f"\r{stage} {step} of {max_steps} {told}\x1b[K")
            self._stage = stage
            return
        if stage != self._stage:
            self._close()
            tqdm = importlib.import_module("tqdm.auto")
            self._bar = tqdm.tqdm(desc={"start": "search"}.get(stage, stage), leave=False)
            self._stage = stage
        self._bar.total = max_steps
        self._bar.set_postfix_str(told, refresh=False)
        self._bar.update(step - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._stage:
            sys.stderr.write("\n")
