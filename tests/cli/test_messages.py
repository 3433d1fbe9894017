"""The library names options in backticks, as Python knows them; the program shows them as flags."""

import re

import pytest

from conftest import FIT, ROOT

QUICK = [*FIT, "--max-iterations", 3]


def literals(path):
    """The texts between double quotes in C++, comments left out."""
    for line in path.read_text().splitlines():
        yield from re.findall(r'"(?:[^"\\]|\\.)*"', line.split("//")[0])


def test_no_message_of_the_library_names_a_flag():
    sources = sorted((ROOT / "src").rglob("*.[ch]pp")) + sorted((ROOT / "include").rglob("*.hpp"))
    assert len(sources) > 100
    found = [
        f"{path.name}: {text}"
        for path in sources
        for text in literals(path)
        if re.search(r"--[a-z{]", text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "arguments", "says"),
    [
        (2, ["--sparsity", "-1"], "--sparsity -1, must be between 0 and 0.999"),
        (2, ["--max-iterations", "0"], "--max-iterations 0, must be"),
        (2, ["--bin-width", "0.1"], "--bin-width is for NWB files"),
        (2, ["--first-trials", "0"], "--first-trials 0, must be"),
    ],
)
def test_errors_show_flags(milcci, trials, code, arguments, says):
    process = milcci.refused(code, "fit", trials, *FIT, *arguments, "-o", "m.h5", says=[says])
    assert "`" not in process.stderr


def test_advice_shows_flags(milcci, trials):
    (milcci.folder / "m.h5").touch()
    milcci.refused(3, "fit", trials, *FIT, "-o", "m.h5", says=["--force"])
    milcci.refused(
        3, "fit", trials, "--category", "colour=1", "-o", "n.h5", says=["--labels takes a table"]
    )
    milcci.refused(
        2,
        "prepare",
        trials,
        "--smooth",
        "-1",
        "-o",
        "p.h5",
        says=["--smooth -1: `sigma` = -1, must be"],
    )
    milcci.refused(
        2, "simulate", "--trials", 1, "-o", "s.h5", says=["--trials 1, must be at least"]
    )


def test_names_of_categories_and_columns_stay_as_they_are(milcci, trials):
    # `fixed`, `seed` and `trial` are flags as well.
    milcci.refused(
        2,
        "fit",
        trials,
        "--fixed",
        0,
        "-o",
        "m.h5",
        says=["category 'fixed'", "`n_components` = 0"],
    )
    milcci.refused(
        2,
        "prepare",
        trials,
        "--drop-trials",
        "choic",
        "-o",
        "p.h5",
        says=["--drop-trials choic", "did you mean 'choice'"],
    )


def test_warnings_show_flags_in_text_and_in_json(milcci, trials):
    options = [
        "--category",
        "difficulty=3:ordinal",
        "--category",
        "choice=2",
        "--penalties",
        "fixed",
    ]
    process = milcci.done("fit", trials, *options, "-o", "m.h5", codes=(0, 4))
    assert "--redundancy 0.001 (0 keeps all)" in process.stderr
    assert "`redundancy`" not in process.stderr
    told = milcci.json("fit", trials, *options, "-o", "n.h5", codes=(0, 4))
    assert any("--redundancy 0.001 (0 keeps all)" in warning for warning in told["warnings"])
    warnings = milcci.json("info", "m.h5")["summary"]["warnings"]
    assert any("--redundancy 0.001 (0 keeps all)" in warning for warning in warnings)
    assert "--redundancy 0.001 (0 keeps all)" in milcci.done("info", "m.h5").stdout


def test_check_shows_flags_in_text_and_in_json(milcci, trials):
    told = milcci.json("check", trials)
    assert told["suggestion"].startswith("--category '")
    assert told["suggestion"].endswith(" --nonnegative both")
    assert "`" not in milcci.done("check", trials, "--quiet").stdout
