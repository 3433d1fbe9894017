"""Runs the real program, named by MILCCI_BIN, in an empty folder per test."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()

# Small, but with everything: an ordered and an unordered category, unequal lengths.
SMALL = [
    "--channels",
    12,
    "--trials",
    24,
    "--min-length",
    30,
    "--max-length",
    40,
    "--seed",
    3,
    "--category",
    "difficulty=2:3:ordinal",
    "--category",
    "choice=1:2",
]
CATEGORIES = ["--category", "difficulty=2:ordinal", "--category", "choice=1"]
FIT = [*CATEGORIES, "--nonnegative", "both", "--restarts", 2]


class Milcci:
    """`milcci(...)` runs the program in a folder and returns the finished process."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, **keywords):
        command = [PROGRAM, *map(str, arguments)]
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=300, **keywords
        )

    def done(self, *arguments, codes=(0,)):
        process = self(*arguments)
        assert process.returncode in codes, process.stderr
        return process

    def json(self, *arguments, codes=(0,)):
        return json.loads(self.done(*arguments, "--json", codes=codes).stdout)

    def refused(self, code, *arguments, says=()):
        """Fails with the code and one message with all of `says`; writes and prints nothing."""
        before = sorted(self.folder.rglob("*"))
        process = self(*arguments)
        assert process.returncode == code, process.stderr
        assert process.stdout == ""
        assert process.stderr.startswith("milcci: "), process.stderr
        assert process.stderr.count("milcci: ") == 1, process.stderr
        for word in says:
            assert word in process.stderr
        assert sorted(self.folder.rglob("*")) == before
        return process


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Folder with a small trials file and its model, made once."""
    milcci = Milcci(tmp_path_factory.mktemp("made"))
    milcci.done("simulate", *SMALL, "-o", "trials.h5")
    milcci.done("fit", "trials.h5", *FIT, "-o", "model.h5", codes=(0, 4))
    return milcci.folder


@pytest.fixture
def milcci(tmp_path):
    return Milcci(tmp_path)


@pytest.fixture
def trials(milcci, made):
    """A copy of the small trials file, to be used or broken."""
    return Path(shutil.copy(made / "trials.h5", milcci.folder / "trials.h5"))


@pytest.fixture
def model(milcci, made):
    return Path(shutil.copy(made / "model.h5", milcci.folder / "model.h5"))
