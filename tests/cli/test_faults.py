"""Reads, writes and allocations that fail; all of them in tests/faults/run.py."""

import shutil
import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests/faults"))
import run as faults


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("cc"), reason="needs LD_PRELOAD and a C compiler"
)
@pytest.mark.parametrize("verb", ["prepare", "export"])
def test_what_fails_once_is_said_and_spoils_no_file(tmp_path, verb):
    made = tmp_path / "made"
    made.mkdir()
    faults.make_inputs(made)
    counts, problems = faults.attempt_all(
        verb, made, faults.build(tmp_path), n_memory=30, step=4001
    )
    assert counts["io"] > 20
    assert counts["memory"] >= 30
    assert [problem for problem in problems if problem[3] != "libhdf5"] == []
