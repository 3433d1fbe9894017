"""The code on the pages runs as printed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import milcci

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs" / "_extensions")]

import cells  # noqa: E402
import check_links  # noqa: E402

#: Those who build the site have both; the fresh environments that try a wheel have neither.
builds_the_site = pytest.mark.skipif(
    not (shutil.which("bash") and shutil.which("git")), reason="there is no bash or git"
)


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
    first, *_ = code_in("README.md")
    assert len(first.splitlines()) == 5
    run([first])
    assert "choice 2 (categorical" in capsys.readouterr().out
    code, printed = re.search(
        r"## In Python.*?```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL
    ).groups()
    run([code])
    assert capsys.readouterr().out == printed


def test_the_readme_needs_numpy_alone(tmp_path):
    for name in ("recording.csv", "labels.csv"):
        shutil.copy(ROOT / "examples" / name, tmp_path / name)
    others = ["matplotlib", "pandas", "polars", "scipy", "sklearn", "tqdm", "xarray"]
    hide = f"import sys; sys.modules.update(dict.fromkeys({others}))\n"
    for code in code_in("README.md"):
        done = subprocess.run(
            [sys.executable, "-c", hide + code], capture_output=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "report.html").exists()


def test_the_gallery_has_every_picture():
    page = "\n".join(code_in("docs/gallery.md"))
    assert [name for name in milcci.plot.__all__ if f"plot.{name}(" not in page] == []
    listed = (ROOT / "docs/api/plot.md").read_text(encoding="utf-8")
    assert set(re.findall(r"autofunction:: (\w+)", listed)) == set(milcci.plot.__all__)


def test_the_papers_figures_name_pictures_that_there_are():
    page = (ROOT / "docs/paper-figures.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`P\.(\w+)", page)) == set(milcci.plot.__all__)


@builds_the_site
def test_what_a_block_prints_and_draws_is_put_below_it(tmp_path):
    page = (
        "# A\n\n```python\nprint(6 * 7)\n```\n\n```python\nimport matplotlib.pyplot as plt\n"
        "plt.plot([1, 2])\n```\n\n```sh\nls recording.csv\n```\nThe end.\n"
    )
    outcomes = cells.run_page(page, "page", tmp_path)
    assert [outcome.printed for outcome in outcomes] == ["42\n", "", "recording.csv\n"]
    shown = cells.with_outcomes(page, outcomes, tmp_path)
    assert "print(6 * 7)\n```\n\n```text\n42\n```\n" in shown
    assert "(page-2-1.png)" in shown
    assert (tmp_path / "page-2-1.png").exists()
    assert shown.endswith("The end.\n")


@builds_the_site
@pytest.mark.parametrize("block", ["```python\n1 / 0\n```\n", "```sh\nfalse\n```\n"])
def test_a_block_that_fails_is_named(tmp_path, block):
    with pytest.raises(cells.CellError, match=r"page\.md, block at line 4"):
        cells.run_page(f"# A\n\n{block}", "page", tmp_path)


def test_a_page_that_takes_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(cells, "MOST_SECONDS", 0.0)
    with pytest.raises(cells.CellError, match="must be below"):
        cells.run_page("```python\nsum(range(10**6))\n```\n", "page", tmp_path)


def test_pages_whose_code_is_run_are_there():
    assert all((ROOT / f"docs/{page}.md").exists() for page in cells.PAGES)
    assert [cells.has_cells(name) for name in ("start", "howto/nwb", "design")] == [
        True,
        True,
        False,
    ]


@builds_the_site
def test_links_lead_somewhere(tmp_path):
    n, wrong = check_links.in_markdown()
    assert n > 50
    assert wrong == []
    (tmp_path / "a.html").write_text('<a id="x" href="a.html#x"></a><a href="a.html#y">', "utf-8")
    assert check_links.in_html(tmp_path) == (2, ["a.html: a.html#y: no such place"])


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
