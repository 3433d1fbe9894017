"""Runs the code of a page as its reader would, block by block in one empty folder.

Blocks marked ``python`` share one set of names, blocks marked ``sh`` the folder. What a block
prints, and the figures it leaves open, follow it on the page. As a Sphinx extension this happens
while the site is built, and a block that fails fails the build; the tests run the same pages.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: Pages whose blocks run, by their names in Sphinx. Those of other pages are run by tests/cli.
PAGES = ("start", "background", "gallery", "coming-from", "python")
FOLDERS = ("howto/",)
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
#: CPU seconds of a page: longer ones are not read along.
MOST_SECONDS = 60.0
#: Longer outputs are cut in the middle: a page is to be read.
MOST_LINES = 60


class CellError(Exception):
    """A block of a page failed."""


@dataclass
class Outcome:
    """What a block printed and drew; `end` is where it ends in the text of the page."""

    end: int
    last_line: str
    printed: str
    pictures: list[Path] = field(default_factory=list)


def has_cells(page: str) -> bool:
    return page in PAGES or page.startswith(FOLDERS)


def run_page(text: str, name: str, pictures: Path) -> list[Outcome]:
    """Runs all blocks of a page, and writes their figures to the folder `pictures`."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    names: dict[str, Any] = {"__name__": "page"}
    outcomes = []
    begin = _cpu_seconds()
    with _folder_with_examples():
        for block in BLOCK.finditer(text):
            language, code = block.groups()
            line = text.count("\n", 0, block.start()) + 2
            run = _run_python if language == "python" else _run_shell
            printed = run(code, f"{name}.md, block at line {line}", names)
            drawn = _save_figures(pictures, f"{name.replace('/', '-')}-{len(outcomes) + 1}")
            outcomes.append(Outcome(block.end(), code.rstrip().splitlines()[-1], printed, drawn))
    taken = _cpu_seconds() - begin
    if taken > MOST_SECONDS:
        raise CellError(
            f"{name}.md: its code takes {taken:.0f} s, must be below {MOST_SECONDS:.0f}"
        )
    return outcomes


def _cpu_seconds() -> float:
    """Of this process and the programs it ran; unlike the clock's, the same on a busy machine."""
    return sum(os.times()[:4])


@contextlib.contextmanager
def _folder_with_examples() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for table in (ROOT / "examples").glob("*.csv"):
            shutil.copy(table, folder)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _run_python(code: str, where: str, names: dict[str, Any]) -> str:
    printed = io.StringIO()

    def tell(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        printed.write(textwrap.fill(f"{category.__name__}: {message}", 100) + "\n")

    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = tell
        try:
            exec(compile(code, where, "exec"), names)
        except Exception as error:
            raise CellError(f"{where}: {traceback.format_exc(limit=-1)}") from error
    return printed.getvalue()


def _run_shell(code: str, where: str, names: dict[str, Any]) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CellError(f"{where}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def _save_figures(folder: Path, stem: str) -> list[Path]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    saved = []
    for number in pyplot.get_fignums() if pyplot else []:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{stem}-{number}.png"
        pyplot.figure(number).savefig(path, dpi=110)
        saved.append(path)
    if pyplot:
        pyplot.close("all")
    return saved


def with_outcomes(text: str, outcomes: list[Outcome], page_folder: Path) -> str:
    """The page with what its blocks printed and drew below them."""
    parts, begin = [], 0
    for outcome in outcomes:
        parts.append(text[begin : outcome.end])
        begin = outcome.end
        if outcome.printed.strip():
            parts.append(f"\n```text\n{_shortened(outcome.printed.rstrip())}\n```\n")
        for picture in outcome.pictures:
            path = Path(os.path.relpath(picture, page_folder)).as_posix()
            call = outcome.last_line.translate(str.maketrans("[]", "()")).strip()
            alt = f"figure drawn by the code above, {call}"
            parts.append(f"\n![{alt}]({path})\n")
    return "".join([*parts, text[begin:]])


def _shortened(printed: str) -> str:
    lines = printed.splitlines()
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        lines = [*lines[:half], f"... {len(lines) - 2 * half} lines ...", *lines[-half:]]
    return "\n".join(lines)


def _run_before_reading(app: Any, page: str, source: list[str]) -> None:
    from sphinx.errors import ExtensionError

    if not has_cells(page):
        return
    pictures = Path(app.doctreedir) / "pictures"
    try:
        outcomes = run_page(source[0], page, pictures)
    except CellError as error:
        raise ExtensionError(str(error)) from error
    source[0] = with_outcomes(source[0], outcomes, (Path(app.srcdir) / page).parent)


def setup(app: Any) -> dict[str, Any]:
    app.connect("source-read", _run_before_reading)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
