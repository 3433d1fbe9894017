"""Writes milcci/_parameters.py from the options that the library describes.

    python python/generate_parameters.py    # after an option was added or changed; a test compares

The installed `milcci._core` is asked, so the package must be built first.
"""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

TARGET = Path(__file__).parent / "milcci" / "_parameters.py"

# Keywords that cannot have the name of their option: an estimator's method is called so.
RENAMED = {"transform": "data_transform"}

HEAD = '''"""Keywords of all options. Written by python/generate_parameters.py: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from ._category import Category

#: Keywords whose option has another name, because a method of the estimator is called so.
RENAMED = {renamed}
'''

FIT_DOC = """Fits sparse components that adjust to the labels of trials.

Parameters
----------
categories : mapping, or sequence of Category or str
    Which labels components adjust to, and how many: ``{"difficulty": 2, "choice": 2}``. Numbers
    and ordered categoricals are then ordinal, texts categorical; ``Category(...)`` says it by
    hand. Texts are as on the command line: ``"difficulty=2:ordinal"``.
trial_number : int, optional
    Components that drift from trial to trial.
fixed : int, optional
    Components that do not adjust to any label.
verbose : int
    1 prints what was understood and what was found, 2 also the progress.
"""


def load_core(path: str | None = None) -> ModuleType:
    """The extension, without the package around it, which may not fit any more."""
    if path is None:
        spec = importlib.util.find_spec("milcci")
        assert spec is not None
        assert spec.submodule_search_locations
        folder = Path(next(iter(spec.submodule_search_locations)))
        path = str(next(folder.glob("_core*.so")))
    spec = importlib.util.spec_from_file_location("milcci._core", path)
    assert spec is not None
    assert spec.loader is not None
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


def wrapped(text: str, indent: str) -> str:
    return "\n".join(textwrap.wrap(text, 96, initial_indent=indent, subsequent_indent=indent))


def keyword(field: dict[str, Any]) -> str:
    return RENAMED.get(field["name"], field["name"])


def shown(value: object) -> str:
    """A literal in double quotes, as the formatter wants it."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def described(field: dict[str, Any]) -> str:
    symbol = f" ({field['symbol']})" if field["symbol"] else ""
    help_text = f"{field['help']}{symbol}."
    if not help_text.split(" ", 1)[0].endswith(":"):  # a name before a colon stays as it is
        help_text = help_text[:1].upper() + help_text[1:]
    return f"{keyword(field)} : {plain_type(field)}\n{wrapped(help_text, '    ')}\n"


def plain_type(field: dict[str, Any]) -> str:
    text: str = field["annotation"]
    if text.startswith("Literal["):
        text = "{" + text[len("Literal[") : -1].replace('"', "'") + "}"
    if text.endswith(" | None"):
        return text[: -len(" | None")] + ", optional"
    return f"{text}, default {field['default']!r}"


def fit_parameters(fields: list[dict[str, Any]]) -> str:
    doc = FIT_DOC + "".join(described(field) for field in fields)
    lines = ["class FitParameters:", '    """' + doc.split("\n", 1)[0]]
    lines += ["    " + line if line else "" for line in doc.split("\n")[1:-1]]
    lines += ['    """', "", "    def __init__("]
    lines += ["        self,"]
    lines += [
        "        categories: Mapping[str, int | Category]",
        "        | Sequence[Category | str]",
        "        | None = None,",
        "        *,",
        "        trial_number: int | None = None,",
        "        fixed: int | None = None,",
    ]
    for field in fields:
        annotation, default = field["annotation"], shown(field["default"])
        line = f"        {keyword(field)}: {annotation} = {default},"
        lines.append(line)
    lines += ["        verbose: int = 0,", "    ) -> None:"]
    names = ["categories", "trial_number", "fixed", *map(keyword, fields), "verbose"]
    lines += [f"        self.{name} = {name}" for name in names]
    return "\n".join(lines) + "\n"


def typed_dict(name: str, doc: str, fields: list[dict[str, Any]]) -> str:
    lines = [f"class {name}(TypedDict, total=False):", f'    """{doc}"""', ""]
    for field in fields:
        lines.append(wrapped(field["help"], "    # "))
        annotation = field["annotation"]
        if annotation.startswith("Sequence[str]"):
            annotation = "str | " + annotation  # one name needs no list
        lines.append(f"    {field['name']}: {annotation}")
    return "\n".join(lines) + "\n"


def generated(core: ModuleType) -> str:
    parts = [
        HEAD.replace("{renamed}", repr(RENAMED).replace("'", '"')),
        fit_parameters(core.fit_fields()),
        typed_dict("SimulateKeywords", "Of `simulate`.", core.simulate_fields()),
        typed_dict("ReadKeywords", "How to read a file.", core.read_fields()),
        typed_dict(
            "PrepareKeywords", "The steps of `prepare`, in this order.", core.prepare_fields()
        ),
        typed_dict("CosmoothKeywords", "Of co-smoothing.", core.cosmooth_fields()),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(generated(load_core(*sys.argv[1:2])), encoding="utf-8")
