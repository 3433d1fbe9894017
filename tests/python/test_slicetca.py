"""sliceTCA of `milcci compare` is as good as the package of its authors.

The package is too large for a test, so its errors are stored: slicetca/make_results.py.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
FOLDER = Path(__file__).with_name("slicetca")
sys.path.insert(0, str(FOLDER))  # the script imports the problems from its own folder, too

from problems import METHODS, PROBLEMS, checksum, data  # noqa: E402

THEIRS = json.loads((FOLDER / "results.json").read_text())


@pytest.fixture
def compare(tmp_path):
    def run(method, values, rank):
        np.save(tmp_path / "trials.npy", values)
        command = [
            PROGRAM,
            "compare",
            tmp_path / "trials.npy",
            "--dims",
            "trial,channel,time",
            "--fixed",
            rank,
            "--methods",
            method,
            "--held-out",
            0,
            "--restarts",
            len(THEIRS["seeds"]),
            "-o",
            tmp_path / "results.json",
            "--quiet",
        ]
        subprocess.run(list(map(str, command)), check=True, timeout=300, capture_output=True)
        (scores,) = json.loads((tmp_path / "results.json").read_text())["methods"]
        assert scores["failed"] is None
        return scores

    return run


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_problems_are_those_that_the_package_was_given(name):
    assert checksum(data(name)) == THEIRS["problems"][name]["checksum"]


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("method", METHODS)
def test_slices_are_as_good_as_those_of_the_authors_package(compare, method, name):
    theirs = THEIRS["problems"][name]["squared_error"][method]
    ours = compare(method, data(name), PROBLEMS[name].rank)["squared_error"]
    assert ours <= 1.01 * theirs
