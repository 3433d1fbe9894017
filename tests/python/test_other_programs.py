"""Recordings as other programs write them: pandas, NumPy, SciPy, h5py."""

import itertools
import os
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.io

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
CHOICE = np.array(["left", "right", "left", "right", "übrig"])
DOSE = np.array([0.5, 1, 2, 0.5, 1])
LEVEL = np.array([1, 2, 3, 1, 2])


@pytest.fixture
def values():
    """Trials x channels x times, two values missing."""
    made = np.random.default_rng(1).standard_normal((5, 3, 8))
    made[1, 2, 3] = made[4, 0, 0] = np.nan
    return made


def read(tmp_path, path, *flags):
    """Values per trial (channel x time) and the labels, after `milcci prepare`."""
    output = tmp_path / "out.h5"
    process = subprocess.run(
        [PROGRAM, "prepare", path, "-o", output, "--force", *map(str, flags)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert process.returncode == 0, process.stderr
    with h5py.File(output) as file:
        offset = file["trial_offset"][()]
        trials = [file["values"][a:b].T for a, b in itertools.pairwise(offset)]
        labels = {
            name: column.asstr()[()] if column.dtype == object else column[()]
            for name, column in file["labels"].items()
        }
        names = list(file["channel"].asstr()[()])
        times = file["time"][()] if "time" in file else None
    return trials, labels, names, times


def check_labels(labels):
    np.testing.assert_array_equal(labels["choice"], CHOICE)
    np.testing.assert_array_equal(labels["dose"], DOSE)
    np.testing.assert_array_equal(labels["level"], LEVEL)


def long_frame(values):
    m, n, t = (index.ravel() for index in np.indices(values.shape))
    return pd.DataFrame(
        {
            "trial": m + 1,
            "neuron": [f"n{i}" for i in n],
            "time": t * 0.1,
            "value": values.ravel(),
            "choice": CHOICE[m],
            "dose": DOSE[m],
            "level": LEVEL[m],
        }
    )


@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        ("a.csv", {}),
        ("a.csv.gz", {}),
        ("a.tsv", {"sep": "\t"}),
        ("a.csv", {"sep": ";"}),
        ("a.csv", {"index": True}),
        ("a.csv", {"lineterminator": "\r\n"}),
        ("a.csv", {"quoting": 1}),
        ("a.csv", {"encoding": "utf-8-sig"}),
        ("a.csv", {"na_rep": "NA"}),
        ("a.csv", {"float_format": "%.17e"}),
    ],
)
def test_long_tables_of_pandas(tmp_path, values, name, keywords):
    frame = long_frame(values).sample(frac=1, random_state=0)
    frame.to_csv(tmp_path / name, **{"index": False, **keywords})
    trials, labels, names, times = read(tmp_path, tmp_path / name)
    order = [names.index(f"n{i}") for i in range(3)]
    np.testing.assert_array_equal([trial[order] for trial in trials], values)
    np.testing.assert_array_equal(times[:8], 0.1 * np.arange(8))
    check_labels(labels)


def test_wide_tables_of_pandas(tmp_path, values):
    frame = long_frame(values).pivot(
        index=["trial", "time", "choice", "dose", "level"], columns="neuron", values="value"
    )
    frame.reset_index().to_csv(tmp_path / "a.csv", index=False)
    trials, labels, names, _ = read(
        tmp_path, tmp_path / "a.csv", "--label-columns", "choice,dose,level"
    )
    np.testing.assert_array_equal(trials, values)
    assert names == ["n0", "n1", "n2"]
    check_labels(labels)


def test_series_of_pandas(tmp_path, values):
    frame = long_frame(values).pivot(
        index=["trial", "choice", "dose", "level", "neuron"], columns="time", values="value"
    )
    frame.reset_index().to_csv(tmp_path / "a.csv", index=False)
    trials, labels, _, times = read(tmp_path, tmp_path / "a.csv")
    np.testing.assert_array_equal(trials, values)
    np.testing.assert_array_equal(times[:8], 0.1 * np.arange(8))
    check_labels(labels)


@pytest.mark.parametrize(
    "dtype", ["<f4", ">f4", "<f8", ">f8", "i1", "<i2", ">i4", "<i8", "u1", ">u2", "<u4", ">u8", "?"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_numpy(tmp_path, dtype, order):
    array = np.asarray(
        np.random.default_rng(2).integers(0, 100, (4, 5, 6)).astype(dtype), order=order
    )
    np.save(tmp_path / "a.npy", array)
    trials, *_ = read(tmp_path, tmp_path / "a.npy", "--dims", "channel,time,trial")
    np.testing.assert_array_equal(trials, array.transpose(2, 0, 1))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_of_numpy(tmp_path, values, save):
    save(
        tmp_path / "a.npz",
        rates=values.transpose(1, 2, 0),
        choice=CHOICE,
        dose=DOSE,
        level=LEVEL,
        unit=np.array(["x", "y", "z"]),
        t=np.arange(8) / 4,
    )
    trials, labels, names, times = read(
        tmp_path, tmp_path / "a.npz", "--dims", "channel,time,trial"
    )
    np.testing.assert_array_equal(trials, values)
    assert names == ["x", "y", "z"]
    np.testing.assert_array_equal(times[8:16], np.arange(8) / 4)
    check_labels(labels)


def test_archives_with_one_array_per_trial(tmp_path):
    arrays = [np.random.default_rng(m).random((7 + m, 3)) for m in range(12)]
    np.savez(tmp_path / "a.npz", *arrays)
    trials, *_ = read(tmp_path, tmp_path / "a.npz")
    for trial, array in zip(trials, arrays, strict=True):
        np.testing.assert_array_equal(trial, array.T)


def test_labels_of_any_array_may_be_a_table(tmp_path, values):
    np.save(tmp_path / "a.npy", values)
    pd.DataFrame({"choice": CHOICE, "dose": DOSE, "level": LEVEL}).to_csv(
        tmp_path / "labels.csv", index=False
    )
    _, labels, *_ = read(
        tmp_path,
        tmp_path / "a.npy",
        "--dims",
        "trial,channel,time",
        "--labels",
        tmp_path / "labels.csv",
    )
    check_labels(labels)


def test_python_objects_are_refused(tmp_path, values):
    np.savez(tmp_path / "a.npz", values=values, names=np.array([{"a": 1}, None], dtype=object))
    process = subprocess.run(
        [PROGRAM, "info", tmp_path / "a.npz", "--dataset", "names", "--dims", "trial,time"],
        capture_output=True,
        text=True,
    )
    assert process.returncode == 3
    assert "Python objects" in process.stderr


@pytest.mark.parametrize("packed", [False, True])
def test_arrays_of_scipy(tmp_path, values, packed):
    scipy.io.savemat(
        tmp_path / "a.mat",
        {
            "rates": values.transpose(1, 2, 0),
            "choice": CHOICE.astype(object),
            "dose": DOSE,
            "level": LEVEL,
            "unit": np.array(["x", "yy", "z"]),
            "t": np.arange(8) / 4,
            "note": "a text",
        },
        do_compression=packed,
    )
    trials, labels, names, times = read(
        tmp_path, tmp_path / "a.mat", "--dims", "channel,time,trial"
    )
    np.testing.assert_array_equal(trials, values)
    assert names == ["x", "yy", "z"]
    np.testing.assert_array_equal(times[:8], np.arange(8) / 4)
    check_labels(labels)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"])
def test_types_of_scipy(tmp_path, dtype):
    array = np.random.default_rng(2).integers(0, 100, (4, 5, 6)).astype(dtype)
    scipy.io.savemat(tmp_path / "a.mat", {"a": array})
    trials, *_ = read(tmp_path, tmp_path / "a.mat", "--dims", "time,trial,channel")
    np.testing.assert_array_equal(trials, array.transpose(1, 2, 0))


def ragged():
    return [np.random.default_rng(m).random((3, 7 + m)) for m in range(5)]


def test_cells_and_structs_of_scipy(tmp_path):
    cells = np.empty(5, dtype=object)
    cells[:] = ragged()
    structs = np.array(
        [(cells[m], str(CHOICE[m]), float(DOSE[m]), int(LEVEL[m])) for m in range(5)],
        dtype=[(name, object) for name in ("data", "choice", "dose", "level")],
    )
    scipy.io.savemat(
        tmp_path / "cells.mat",
        {"x": cells, "choice": CHOICE.astype(object), "dose": DOSE, "level": LEVEL},
    )
    scipy.io.savemat(tmp_path / "structs.mat", {"trial": structs})
    scipy.io.savemat(
        tmp_path / "one.mat",
        {"session": {"x": cells, "choice": CHOICE.astype(object), "dose": DOSE, "level": LEVEL}},
    )
    for name in ["cells", "structs", "one"]:
        trials, labels, *_ = read(tmp_path, tmp_path / f"{name}.mat")
        for trial, expected in zip(trials, ragged(), strict=True):
            np.testing.assert_array_equal(trial, expected)
        check_labels(labels)


def write_mat73(path, variables):
    """As MATLAB's -v7.3: axes reversed, texts as numbers, cells as references, 512 bytes before."""
    with h5py.File(path, "w", userblock_size=512) as file:
        references = file.create_group("#refs#")

        def put(group, name, value):
            if isinstance(value, list):
                targets = [put(references, f"r{len(references)}", item).ref for item in value]
                made = group.create_dataset(
                    name, data=np.array(targets, dtype=h5py.ref_dtype)[:, None]
                )
                matlab_class = "cell"
            elif isinstance(value, str) and value == "":
                made, matlab_class = group.create_dataset(name, data=np.zeros(2, "u8")), "char"
                made.attrs["MATLAB_empty"] = np.uint8(1)
            elif isinstance(value, str):
                units = np.frombuffer(value.encode("utf-16-le"), "<u2")
                made, matlab_class = group.create_dataset(name, data=units[:, None]), "char"
            elif isinstance(value, dict):
                made, matlab_class = group.create_group(name), "struct"
                for key, item in value.items():
                    put(made, key, item)
            else:
                made, matlab_class = (
                    group.create_dataset(name, data=np.atleast_2d(value).T),
                    "double",
                )
            made.attrs["MATLAB_class"] = np.bytes_(matlab_class)
            return made

        for name, value in variables.items():
            put(file, name, value)
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, made by a test".ljust(124) + b"\x00\x02IM")


def test_arrays_of_matlab_73(tmp_path, values):
    write_mat73(
        tmp_path / "a.mat",
        {
            "rates": values.transpose(1, 2, 0),
            "choice": list(CHOICE),
            "dose": DOSE,
            "level": LEVEL,
            "unit": ["x", "yy", ""],
            "t": np.arange(8) / 4,
        },
    )
    trials, labels, names, times = read(
        tmp_path, tmp_path / "a.mat", "--dims", "channel,time,trial"
    )
    np.testing.assert_array_equal(trials, values)
    assert names == ["x", "yy", ""]
    np.testing.assert_array_equal(times[:8], np.arange(8) / 4)
    check_labels(labels)


def test_cells_and_structs_of_matlab_73(tmp_path):
    write_mat73(
        tmp_path / "a.mat",
        {"s": {"x": ragged(), "choice": list(CHOICE), "dose": DOSE, "level": LEVEL}},
    )
    trials, labels, *_ = read(tmp_path, tmp_path / "a.mat")
    for trial, expected in zip(trials, ragged(), strict=True):
        np.testing.assert_array_equal(trial, expected)
    check_labels(labels)


@pytest.mark.parametrize(
    "keywords", [{}, {"compression": "gzip", "chunks": (2, 2, 3)}, {"dtype": ">f8"}]
)
def test_datasets_of_h5py(tmp_path, values, keywords):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("session/rates", data=values, **keywords)
        file["session/choice"] = CHOICE.astype(object)
        file["session/dose"], file["level"], file["correct"] = DOSE, LEVEL, DOSE > 1
        file["names/unit"] = np.array(["x", "yy", "z"], dtype="S")
    trials, labels, names, _ = read(
        tmp_path,
        tmp_path / "a.h5",
        "--dataset",
        "/session/rates",
        "--dims",
        "trial,channel,time",
        "--channel",
        "names/unit",
    )
    np.testing.assert_array_equal(trials, values)
    assert names == ["x", "yy", "z"]
    assert list(labels["correct"]) == [0, 0, 1, 0, 0]
    check_labels(labels)
