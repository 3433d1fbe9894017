"""What is typed wrongly is refused with exit code 2, one message and the nearest right word."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

import pytest

from conftest import CATEGORIES, PROGRAM


def test_no_verb_shows_the_help(milcci):
    process = milcci()
    assert process.returncode == 2
    assert process.stdout == ""
    assert "Usage: milcci VERB" in process.stderr


def test_version(milcci):
    assert milcci.done("--version").stdout.startswith("milcci ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["fot"], ["fot", "fit"]),
        (["--verson"], ["--verson", "--version"]),
        (["fit"], ["TRIALS", "milcci fit --help"]),
        (["fit", "trials.h5"], ["--output"]),
        (["fit", "trials.h5", "-o", "m.h5", "--sparsty", "0.1"], ["--sparsty", "--sparsity"]),
        (["fit", "trials.h5", "-o", "m.h5", "--sparsity"], ["--sparsity", "needs a value"]),
        (
            ["fit", "trials.h5", "-o", "m.h5", "--sparsity", "little"],
            ["--sparsity", "little", "number"],
        ),
        (["fit", "trials.h5", "-o", "m.h5", "--sparsity", "nan"], ["--sparsity", "nan", "finite"]),
        (["fit", "trials.h5", "-o", "m.h5", "--seed", "-1"], ["--seed", "-1"]),
        (
            ["fit", "trials.h5", "-o", "m.h5", "--seed", "99999999999999999999"],
            ["--seed", "out of range"],
        ),
        (["fit", "trials.h5", "-o", "m.h5", "--restarts", "2.5"], ["--restarts", "whole number"]),
        (["fit", "trials.h5", "-o", "m.h5", "--seed", "1", "--seed", "2"], ["--seed", "twice"]),
        (["fit", "trials.h5", "-o", "m.h5", "--nonnegative", "bth"], ["bth", "both"]),
        (["fit", "trials.h5", "more.h5", "-o", "m.h5"], ["more.h5"]),
        (["fit", "trials.h5", "-o", "m.h5"], ["no category", "difficulty", "choice"]),
        (
            ["fit", "trials.h5", "-o", "trials.h5", "--force", *CATEGORIES],
            ["trials.h5", "also the input"],
        ),
        (
            ["fit", "trials.h5", "-o", "m.h5", *CATEGORIES, "--sparsity", "-1"],
            ["sparsity", "-1", "0.999"],
        ),
        (
            ["fit", "trials.h5", "-o", "m.h5", *CATEGORIES, "--max-iterations", "0"],
            ["--max-iterations", "0"],
        ),
        (["fit", "trials.h5", "-o", "m.h5", "--category", "difficulty"], ["difficulty", "COUNT"]),
        (
            ["fit", "trials.h5", "-o", "m.h5", "--category", "difficulty=2:ordnal"],
            ["ordnal", "ordinal"],
        ),
        (
            ["fit", "trials.h5", "-o", "m.h5", "--category", "difficulty=0"],
            ["difficulty=0", ">= 1"],
        ),
        (["fit", "trials.h5", "-o", "m.h5", "--fixed", "0"], ["fixed", "0"]),
        (
            ["fit", "trials.h5", "-o", "m.h5", "--category", "choice=1", "--category", "choice=1"],
            ["choice"],
        ),
        (["evaluate", "model.h5", "trials.h5", "--folds", "3"], ["--folds", "--cosmooth"]),
        (["evaluate", "model.h5", "trials.h5", "--seed", "3"], ["--seed", "--cosmooth"]),
        (
            ["evaluate", "model.h5", "trials.h5", "--cosmooth", "--folds", "1"],
            ["--folds 1", "between 2 and 12"],
        ),
        (
            ["evaluate", "model.h5", "trials.h5", "--cosmooth", "--folds", "13"],
            ["--folds 13", "between 2 and 12"],
        ),
        (["evaluate", "model.h5", "trials.h5", "--cosmoth"], ["--cosmoth", "--cosmooth"]),
        (["simulate", "-o", "t.h5", "--preset", "papr"], ["papr", "paper"]),
        (["simulate", "-o", "t.h5", "--channels", "0"], ["--channels 0"]),
        (
            ["simulate", "-o", "t.h5", "--min-length", "9", "--max-length", "8"],
            ["--min-length 9", "--max-length 8"],
        ),
        (["simulate", "-o", "t.h5", "--category", "dose=2"], ["dose=2", "NAME=COUNT:OPTIONS"]),
        (["simulate", "-o", "t.h5", "--signd"], ["--signd", "--signed"]),
        (
            ["simulate", "-o", "t.h5", "--counts", "1", "--noise", "0.5"],
            ["--noise 0.5", "--counts"],
        ),
        (["simulate", "-o", "t.h5", "--pure-noise"], ["--pure-noise", "--noise", "--counts"]),
    ],
)
def test_mistakes_are_refused_with_the_way_out(milcci, trials, model, arguments, says):
    milcci.refused(2, *arguments, says=says)


def test_every_field_of_the_options_is_a_flag(milcci):
    text = milcci.done("simulate", "--help").stdout
    for flag in [
        "--channels",
        "--trials",
        "--min-length",
        "--max-length",
        "--length",
        "--signed",
        "--free-traces",
        "--empty-cells",
        "--missing-pattern",
    ]:
        assert f"\n  {flag}" in text
    assert "--n-channels" not in text


@pytest.mark.parametrize("verb", ["fit", "compare"])
def test_the_help_names_every_kind_of_a_label(milcci, verb):
    text = " ".join(milcci.done(verb, "--help").stdout.split())
    assert "ordinal, circular, free or graph=FILE" in text


def test_an_option_of_another_verb_is_told_as_such(milcci):
    milcci.refused(
        2, "fit", "trials.h5", "--smooth", 3, "-o", "m.h5", says=["--smooth here", "milcci prepare"]
    )


@pytest.mark.parametrize(
    ("verb", "usage"),
    [
        ("report", "MODEL [TRIALS] [options]"),
        ("evaluate", "MODEL TRIALS [options]"),
    ],
)
def test_usage_puts_what_may_be_left_out_in_brackets(milcci, verb, usage):
    assert f"Usage: milcci {verb} {usage}" in milcci.done(verb, "--help").stdout


def test_help_is_as_wide_as_the_terminal():
    """Up to a hundred columns; examples and single words may be longer."""

    def lines_in(columns):
        master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen([PROGRAM, "fit", "--help"], stdout=terminal, stderr=terminal):
            os.close(terminal)
            shown = b""
            while True:
                try:
                    part = os.read(master, 65536)
                except OSError:  # the other end is closed
                    break
                if not part:
                    break
                shown += part
        os.close(master)
        return [line.rstrip() for line in shown.decode().splitlines()]

    narrow, wide = lines_in(80), lines_in(200)
    assert sum(len(line) > 80 for line in narrow) <= 2
    assert len(narrow) > len(wide)
    assert sum(len(line) > 80 for line in wide) > 10
    assert sum(len(line) > 100 for line in wide) <= 1
