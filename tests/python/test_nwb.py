"""NWB files as h5py sees them: spikes, trials, labels of a real session, and files made by h5py."""

import itertools
import json
import os
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
DATA = Path(os.environ.get("MILCCI_SHARED_DATA", ROOT.parent / "shared/data"))
SESSION = DATA / "neural/sub-4_ses-4_ecephys+image.nwb"
needs_session = pytest.mark.skipif(
    not SESSION.is_file(), reason=f"the real session is not in {DATA}"
)


def milcci(*arguments, codes=(0,)):
    process = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert process.returncode in codes, process.stderr
    return process


def prepare(path, *flags):
    told = json.loads(milcci("prepare", SESSION, *flags, "--json", "-o", path).stdout)
    with h5py.File(path) as file:
        offset = file["trial_offset"][:]
        values = [file["values"][a:b] for a, b in itertools.pairwise(offset)]
        labels = {name: column[:] for name, column in file["labels"].items()}
        channels, groups = file["channel"].asstr()[:], file["channel_group"].asstr()[:]
    return told, values, labels, channels, groups


@pytest.fixture(scope="module")
def session():
    with h5py.File(SESSION) as file:
        spikes = np.split(file["units/spike_times"][:], file["units/spike_times_index"][:-1])
        tables = {
            name: {column: data[:] for column, data in table.items()}
            for name, table in file["intervals"].items()
        }
        places = file["general/extracellular_ephys/electrodes/location"].asstr()[:][
            file["units/electrodes"][:]
        ]
    return spikes, tables, places


@needs_session
@pytest.mark.parametrize(("name", "n_trials"), [("recognition_table", 180), ("encoding_table", 90)])
def test_every_unit_has_the_spikes_that_h5py_counts(tmp_path, session, name, n_trials):
    spikes, tables, places = session
    width = 0.02
    told, values, labels, _channels, groups = prepare(
        tmp_path / "t.h5", "--table", name, "--bin-width", width, "--smooth-sigma", 0
    )
    table = tables[name]
    assert told["n_trials"] == n_trials
    assert told["n_channels"] == 35 == len(spikes)
    for start, stop, trial in zip(table["start_time"], table["stop_time"], values, strict=True):
        end = start + len(trial) * width
        assert end <= stop + 1e-6
        assert end > stop - width
        expected = [np.sum((unit >= start) & (unit < end)) for unit in spikes]
        np.testing.assert_allclose(trial.sum(axis=0) * width, expected, atol=1e-6)
    assert groups.tolist() == places.tolist()
    for column in set(table) - {"start_time", "stop_time"}:
        np.testing.assert_array_equal(labels[column], table[column], err_msg=column)


@needs_session
def test_encoding_trials_differ_in_length(tmp_path):
    told = prepare(tmp_path / "t.h5", "--table", "encoding_table")[0]
    assert told["min_length"] < told["max_length"]


@needs_session
def test_rates_are_a_convolution_of_counts(tmp_path, session):
    spikes, tables, _ = session
    _, values, _labels, _, _ = prepare(
        tmp_path / "t.h5",
        "--table",
        "recognition_table",
        "--align",
        "response_time",
        "--before",
        0.5,
        "--after",
        0.25,
    )
    kernel = np.exp(-(np.arange(-5, 6) ** 2) / 2)
    kernel /= kernel.sum()
    events = tables["recognition_table"]["response_time"]
    assert len(values) == np.isfinite(events).sum()
    for m in (0, 57, 179):
        edges = events[m] - 0.5 + 0.005 * np.arange(-5, 156)
        for n in (0, 20, 34):
            rate = np.convolve(np.histogram(spikes[n], edges)[0] / 0.005, kernel, "valid")
            np.testing.assert_allclose(values[m][:, n], rate, atol=1e-6)


@needs_session
def test_tables_are_listed_when_none_is_named(tmp_path):
    listed = milcci("info", SESSION).stdout
    refused = milcci("prepare", SESSION, "-o", tmp_path / "t.h5", codes=(3,)).stderr
    for words in ("--table", "encoding_table (90 rows)", "recognition_table (180 rows)"):
        assert words in listed
        assert words in refused


@needs_session
def test_a_session_is_prepared_and_fitted(tmp_path):
    cut = [
        "--table",
        "recognition_table",
        "--align",
        "start_time",
        "--after",
        1.5,
        "--bin-width",
        0.05,
        "--smooth-sigma",
        0.1,
        "--smooth-window",
        0.5,
        "--min-rate",
        0.5,
    ]
    told = prepare(
        tmp_path / "t.h5",
        *cut,
        "--drop-trials",
        "confidence=0",
        "--number-trials",
        "--bin-label",
        "RT=quantiles:2",
        "--scale",
        "sqrt",
    )[0]
    assert told["n_trials"] == 176
    assert any("left out 4 of 180 trials: confidence is 0" in note for note in told["notes"])
    steps = [
        step["step"]
        for step in json.loads(milcci("info", tmp_path / "t.h5", "--json").stdout)["history"]
    ]
    assert steps == ["read", "number_trials", "bin_label", "drop_trials", "scale"]
    fit = [
        "--category",
        "confidence=2:ordinal",
        "--restarts",
        1,
        "--max-iterations",
        20,
        "--nonnegative",
        "both",
    ]
    fitted = json.loads(
        milcci(
            "fit", tmp_path / "t.h5", *fit, "--json", "-o", tmp_path / "m.h5", codes=(0, 4)
        ).stdout
    )
    direct = json.loads(
        milcci(
            "fit",
            SESSION,
            *cut,
            "--first-trials",
            60,
            *fit,
            "--json",
            "-o",
            tmp_path / "d.h5",
            codes=(0, 4),
        ).stdout
    )
    assert 0 < fitted["r2"] < 1
    assert 0 < direct["r2"] < 1


@needs_session
def test_trials_of_unequal_length_are_fitted(tmp_path):
    told = prepare(
        tmp_path / "t.h5",
        "--table",
        "encoding_table",
        "--bin-width",
        0.1,
        "--smooth-sigma",
        0.2,
        "--smooth-window",
        1,
        "--min-rate",
        0.5,
        "--scale",
        "sqrt",
        "--scale",
        "range",
    )[0]
    assert told["n_trials"] == 90
    assert told["min_length"] < told["max_length"]
    fitted = json.loads(
        milcci(
            "fit",
            tmp_path / "t.h5",
            "--category",
            "stimCategory=2",
            "--restarts",
            1,
            "--max-iterations",
            20,
            "--json",
            "-o",
            tmp_path / "m.h5",
            codes=(0, 4),
        ).stdout
    )
    assert 0 < fitted["r2"] < 1
    told = milcci("info", tmp_path / "t.h5").stdout
    for line in (
        "history read: sub-4_ses-4_ecephys+image.nwb",
        'table="encoding_table"',
        "history scale: sqrt",
        "history scale: range:channel",
    ):
        assert line in told


def test_arousal_from_the_size_of_the_pupil(tmp_path):
    with h5py.File(tmp_path / "a.nwb", "w") as file:
        file.attrs["nwb_version"] = "2.7.0"
        file["units/spike_times"], file["units/spike_times_index"] = np.arange(0, 6, 0.25), [24]
        pupil = file.create_group("processing/behavior/pupil")
        pupil["data"], pupil["timestamps"] = (
            np.repeat([0.1, 0.4, 0.9], 20),
            np.arange(60) / 10 + 0.05,
        )
        trials = file.create_group("intervals/trials")
        trials["start_time"], trials["stop_time"] = [0.0, 2.0, 4.0, 7.0], [1.0, 3.0, 5.0, 8.0]
        trials["prior"] = [0.5, 0.5, 0.2, 0.2]
    milcci(
        "prepare",
        tmp_path / "a.nwb",
        "--series-labels",
        "pupil=/processing/behavior/pupil",
        "--bin-label",
        "pupil=0.3,0.52",
        "--block-label",
        "prior",
        "--drop-trials",
        "pupil",
        "-o",
        tmp_path / "t.h5",
    )
    with h5py.File(tmp_path / "t.h5") as file:
        np.testing.assert_allclose(file["labels/pupil"], [0.1, 0.4, 0.9])
        assert file["labels/pupil_bin"][:].tolist() == [1, 2, 3]
        assert file["labels/prior_block"][:].tolist() == [1, 1, 2]


def test_texts_and_booleans_as_h5py_writes_them(tmp_path):
    with h5py.File(tmp_path / "a.nwb", "w") as file:
        file.attrs["nwb_version"] = "2.7.0"
        file["units/spike_times"] = np.array([0.1, 0.2, 1.1])
        file["units/spike_times_index"] = np.array([1, 3], dtype="uint8")
        trials = file.create_group("intervals/trials")
        trials["start_time"], trials["stop_time"] = [0.0, 1.0], [0.5, 1.5]
        trials["correct"] = np.array([True, False])
        trials.create_dataset("choice", data=["links", "résumé"], dtype=h5py.string_dtype())
        trials.create_dataset(
            "packed", data=np.array([3, 4]), chunks=(2,), maxshape=(None,), compression="gzip"
        )
    told = json.loads(milcci("info", tmp_path / "a.nwb", "--json").stdout)
    options = {
        label["name"]: [option["name"] for option in label["options"]] for label in told["labels"]
    }
    assert options == {"choice": ["links", "résumé"], "correct": ["0", "1"], "packed": ["3", "4"]}
    assert (told["n_trials"], told["n_channels"], told["max_length"]) == (2, 2, 100)
