"""Recordings of every format, given to the verbs directly."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT

DATA = Path(os.environ.get("MILCCI_SHARED_DATA", ROOT.parent / "shared/data"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the real data are not in {DATA}")


@pytest.fixture
def values():
    """Trials x channels x times: one component that grows with the label."""
    random = np.random.default_rng(5)
    dose = np.arange(12) % 3
    trace = random.random((12, 1, 20))
    group = np.zeros((12, 6, 1))
    group[:, :3, 0] = 1
    group[np.arange(12), 3 + dose, 0] = 1
    return group * trace + 0.01 * random.random((12, 6, 20))


@pytest.fixture
def table(milcci, values):
    lines = ["trial,channel,time,value,dose"]
    lines += [
        f"{m + 1},c{n},{t / 10},{values[m, n, t]:.17g},{m % 3}"
        for m, n, t in np.ndindex(values.shape)
    ]
    path = milcci.folder / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


FIT = ["--category", "dose=1:ordinal", "--nonnegative", "both", "--restarts", 2]


def test_a_table_is_fitted_as_its_trials_file_is(milcci, table):
    milcci.done("prepare", table, "-o", "trials.h5")
    a = milcci.json("fit", table, *FIT, "-o", "a.h5", codes=(0, 4))
    b = milcci.json("fit", "trials.h5", *FIT, "-o", "b.h5", codes=(0, 4))
    assert a["r2"] == b["r2"] > 0.9
    assert (
        milcci.json("info", table)["fingerprint"] == milcci.json("info", "trials.h5")["fingerprint"]
    )


def test_what_was_understood_is_told_on_stderr_unless_quiet(milcci, table):
    process = milcci.done("info", table)
    assert "layout long" in process.stderr
    assert "value = value" in process.stderr
    assert "12 trials of 6 channels" in process.stdout
    assert milcci.done("info", table, "--quiet").stderr == ""


def test_prepare_tells_the_same_in_json(milcci, table):
    told = milcci.json("prepare", table, "-o", "trials.h5")
    assert told["file"] == "trials.h5"
    assert told["n_trials"] == 12
    assert "layout long" in told["notes"][0]


def test_new_trials_may_be_a_table_too(milcci, table):
    milcci.done("fit", table, *FIT, "-o", "model.h5", codes=(0, 4))
    told = milcci.json("transform", "model.h5", table, "-o", "traces.h5")
    assert told["n_trials"] == 12
    assert told["r2"] > 0.9


def test_a_model_is_scored_on_the_table_it_was_fitted_to(milcci, table):
    milcci.done("prepare", table, "-o", "trials.h5")
    milcci.done("fit", table, *FIT, "-o", "model.h5", codes=(0, 4))
    assert milcci.json("evaluate", "model.h5", table) == milcci.json(
        "evaluate", "model.h5", "trials.h5"
    )


def test_an_option_of_another_format_is_refused(milcci, table):
    milcci.refused(
        2, "info", table, "--dims", "channel,time", says=["--dims", "arrays", "table.csv"]
    )


def test_a_fit_without_a_category_suggests_a_label_that_trials_share(milcci, table):
    milcci.refused(
        2,
        "fit",
        table,
        "-o",
        "m.h5",
        "--quiet",
        says=["no category", "trial, dose", "--category dose=2"],
    )


def test_lists_of_names_may_be_repeated_and_escaped(milcci):
    (milcci.folder / "t.csv").write_text('run,"a,b",unit,time,value,x\n1,u,n,0,5,z\n2,v,n,0,6,z\n')
    told = milcci.json("info", "t.csv", "--trial", r"run,a\,b", "--ignore-columns", "x")
    assert [label["name"] for label in told["labels"]] == ["run", "a,b"]
    same = milcci.json(
        "info", "t.csv", "--trial", "run", "--trial", r"a\,b", "--ignore-columns", "x"
    )
    assert same["labels"] == told["labels"]
    (milcci.folder / "c.toml").write_text(
        '[info]\ntrial = ["run"]\nignore_columns = ["x", \'' r"a\,b" "']\n"
    )
    assert len(milcci.json("info", "t.csv", "--config", "c.toml")["labels"]) == 1


@pytest.mark.parametrize(
    ("text", "flags", "code", "says"),
    [
        ("trial,channel,time,value\n1,a,0,1\n1,a,0,2\n", [], 3, ["line 3", "line 2"]),
        ("trial,channel,time,value\n1,a,0,one\n", [], 3, ["line 2", '"one"']),
        ("trial,channel,time,value\n1,a,0,1\n", ["--value", "x"], 2, ["--value x"]),
        ("trial,channel,time,value\n1,a,0,1\n", ["--layout", "tall"], 2, ["--layout", "long"]),
        ("trial,channel,time,value\n1,a,0,1\n", ["--dims", "a,b"], 2, ["--dims"]),
        ("trial,channel,time,value\n1,a,0,\n", [], 3, ["trial 1", "missing"]),
    ],
)
def test_tables_that_make_no_sense_are_refused(milcci, text, flags, code, says):
    (milcci.folder / "t.csv").write_text(text)
    process = milcci("prepare", "t.csv", *flags, "-o", "o.h5", "--quiet")
    assert process.returncode == code, process.stderr
    assert process.stderr.startswith("milcci: "), process.stderr
    assert all(word in process.stderr for word in says), process.stderr
    assert not (milcci.folder / "o.h5").exists()


@needs_data
def test_a_sparse_table_of_spikes(milcci):
    folder = DATA / "neural/steinmetz_session1"
    told = milcci.json(
        "prepare",
        folder / "spikes.csv.gz",
        "--labels",
        folder / "trials.csv",
        "--absent",
        "zero",
        "-o",
        "spikes.h5",
    )
    assert told["n_trials"] == 214
    assert told["n_channels"] == 177
    with gzip.open(folder / "spikes.csv.gz", "rt") as file:
        n_spikes = sum(int(line.rsplit(",", 1)[1]) for line in list(file)[1:])
    h5py = pytest.importorskip("h5py")
    with h5py.File(milcci.folder / "spikes.h5") as file:
        assert file["values"][()].sum() == n_spikes == 63049
        assert file["values"].shape == (214 * 39, 177)
        assert set(file["labels/feedback"][()]) == {-1, 1}


@needs_data
def test_a_table_with_days_as_columns(milcci):
    told = milcci.json(
        "info", DATA / "pageviews/wikimedia_projectcounts_daily.csv.gz", "--channel", "language"
    )
    assert told["n_trials"] == 18
    assert told["n_channels"] == 31
    assert [label["name"] for label in told["labels"]] == ["family", "platform"]
