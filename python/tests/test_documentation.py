"""The code on the pages runs as printed."""

from __future__ import annotations

import re
import shutil
import warnings
from pathlib import Path

import milcci

ROOT = Path(__file__).parents[2]


def code_in(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def run(blocks):
    names = {"__name__": "page"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", milcci.Warning)
        for block in blocks:
            exec(compile(block, "page", "exec"), names)
    return names


def test_the_page_on_python(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = run(code_in("docs/python.md"))
    assert names["choice"].shape == (30, 2, 2)
    assert names["same"].r2_ == names["model"].r2_
    assert "choice 1" in capsys.readouterr().out


def test_the_readme(tmp_path, monkeypatch, capsys):
    for name in ("recording.csv", "labels.csv"):
        shutil.copy(ROOT / "examples" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    code, printed = re.search(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL
    ).groups()
    run([code])
    assert capsys.readouterr().out == printed


def test_the_example_of_the_module():
    lines = re.findall(r">>> (.*)", milcci.__doc__)
    names = run(["\n".join(lines)])
    assert names["model"].components_["choice"].shape == (30, 2, 2)


def test_every_public_name_has_a_text():
    for name in milcci.__all__:
        thing = getattr(milcci, name)
        if callable(thing):
            assert thing.__doc__, name


def test_attributes_on_the_page_are_there(model):
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"`(\w+_)`", text)):
        assert hasattr(model, name), name
