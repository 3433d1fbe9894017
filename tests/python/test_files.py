"""Both files as h5py, xarray with either engine and netCDF4 see them, and files made by hand."""

import json
import os
import re
import subprocess
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import pytest
import xarray as xr

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
ENGINES = ["h5netcdf", "netcdf4"]
SIMULATE = [
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
    "--missing",
    0.05,
    "--category",
    "difficulty=2:3:ordinal",
    "--category",
    "choice=1:2",
]
FIT = [
    "--category",
    "difficulty=2:ordinal",
    "--category",
    "choice=1",
    "--restarts",
    2,
    "--max-iterations",
    40,
]


def milcci(*arguments, codes=(0,)):
    process = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert process.returncode in codes, process.stderr
    return process


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    milcci("simulate", *SIMULATE, "-o", path / "trials.h5")
    milcci("fit", path / "trials.h5", *FIT, "-o", path / "model.h5", codes=(0, 4))
    milcci(
        "simulate",
        *SIMULATE,
        "--dynamics",
        "--baseline",
        1,
        "--noise",
        0.1,
        "-o",
        path / "dynamic.h5",
    )
    # Little data, much noise and more components than there are: many answers are about as good.
    milcci("simulate", "--trials", 40, "--length", 60, "--noise", 2, "-o", path / "noisy.h5")
    milcci(
        "fit",
        path / "noisy.h5",
        "--category",
        "difficulty=4:ordinal",
        "--category",
        "choice=4",
        "--nonnegative",
        "both",
        "-o",
        path / "uncertain.h5",
        codes=(0, 4),
    )
    return path


def groups_of(path):
    groups = ["/"]
    with h5py.File(path) as f:
        f.visititems(
            lambda name, item: groups.append(name) if isinstance(item, h5py.Group) else None
        )
    return groups


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["trials.h5", "dynamic.h5", "model.h5", "uncertain.h5"])
@pytest.mark.filterwarnings("error")
def test_xarray_opens_every_group_with_named_dimensions(folder, name, engine):
    for group in groups_of(folder / name):
        with xr.open_dataset(folder / name, engine=engine, group=group) as data:
            data.load()
            assert not [dim for dim in data.dims if "phony" in str(dim)]
            with h5py.File(folder / name) as f:
                for key, item in f[group].items():
                    is_bare = isinstance(item, h5py.Dataset) and key in (
                        "sample",
                        "trial",
                        "trial_edge",
                    )
                    if isinstance(item, h5py.Dataset) and not is_bare:
                        assert data[key].shape == item.shape, f"{group}/{key}"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["trials.h5", "model.h5", "uncertain.h5"])
@pytest.mark.filterwarnings("error")
def test_xarray_opens_the_whole_file_as_a_tree(folder, name, engine):
    with xr.open_datatree(folder / name, engine=engine) as tree:
        assert len(list(tree.subtree)) == len(groups_of(folder / name))


@pytest.mark.parametrize("engine", ENGINES)
def test_dimensions_and_coordinates_are_those_documented(folder, engine):
    expected = {
        ("trials.h5", "/"): {"values": ("sample", "channel"), "trial_offset": ("trial_edge",)},
        ("trials.h5", "labels"): {"difficulty": ("trial",), "choice": ("trial",)},
        ("trials.h5", "truth/categories/choice"): {
            "components": ("option", "component", "channel")
        },
        ("trials.h5", "truth/traces"): {
            "values": ("sample", "component"),
            "category": ("component",),
        },
        ("dynamic.h5", "truth/traces"): {
            "transitions": ("trial", "component", "from_component"),
            "values": ("sample", "component"),
            "category": ("component",),
        },
        ("dynamic.h5", "truth/channels"): {"offset": ("channel",), "noise": ("channel",)},
        ("model.h5", "categories/difficulty"): {
            "components": ("option", "component", "channel"),
            "graph": ("option", "other_option"),
            "option_values": ("option", "column"),
            "option_of_trial": ("trial",),
            "spec": (),
        },
        ("model.h5", "traces"): {
            "values": ("sample", "component"),
            "trial_offset": ("trial_edge",),
        },
        ("model.h5", "summary"): {
            "objective": ("iteration",),
            "certainty": ("component",),
            "json": (),
            "options": (),
        },
        ("uncertain.h5", "alternatives/0/choice"): {
            "components": ("option", "component", "channel"),
            "similarity": ("component",),
        },
    }
    for (name, group), variables in expected.items():
        with xr.open_dataset(folder / name, engine=engine, group=group) as data:
            for variable, dims in variables.items():
                assert data[variable].dims == dims, f"{name} {group} {variable}"
    with xr.open_dataset(folder / "model.h5", engine=engine, group="categories/choice") as choice:
        assert {"option", "component", "channel"} <= set(choice.coords)
        assert all(isinstance(option, str) for option in choice.option.values.tolist())
        assert choice.attrs["kind"] == "categorical"
        np.testing.assert_allclose(np.abs(choice.components).sum("channel"), 1, rtol=1e-9)


@pytest.mark.parametrize("name", ["trials.h5", "model.h5", "uncertain.h5"])
def test_netcdf4_walks_all_groups(folder, name):
    def walk(group):
        for dimension in group.dimensions:
            assert not dimension.startswith("phony")
        for variable in group.variables.values():
            variable[...]
        return 1 + sum(walk(child) for child in group.groups.values())

    with netCDF4.Dataset(folder / name) as data:
        assert walk(data) == len(groups_of(folder / name))


def test_all_engines_give_the_same_numbers(folder):
    with h5py.File(folder / "trials.h5") as f:
        values = f["values"][:]
    assert np.isnan(values).any()
    for engine in ENGINES:
        with xr.open_dataset(folder / "trials.h5", engine=engine) as data:
            np.testing.assert_array_equal(data["values"].values, values)


def test_only_plain_numbers_and_texts_are_stored(folder):
    def check(name, item):
        if isinstance(item, h5py.Dataset):
            is_text = h5py.check_string_dtype(item.dtype) is not None
            assert is_text or item.dtype.kind in "fi", f"{name} is {item.dtype}"

    for name in ("trials.h5", "model.h5"):
        with h5py.File(folder / name) as f:
            f.visititems(check)


def test_the_model_rebuilt_from_its_file_explains_the_data_as_it_says(folder):
    with h5py.File(folder / "model.h5") as f, h5py.File(folder / "trials.h5") as t:
        offset = f["traces/trial_offset"][:]
        np.testing.assert_array_equal(offset, t["trial_offset"][:])
        categories = sorted(f["categories"].values(), key=lambda group: group.attrs["position"])
        assert [group.attrs["name"] for group in categories] == ["difficulty", "choice"]
        owners = [owner.decode() for owner in f["traces/category"][:]]
        assert owners == ["difficulty", "difficulty", "choice"]
        values, traces = t["values"][:], f["traces/values"][:]
        rebuilt = np.empty_like(values)
        baseline = f["noise/offset"][:] if "noise/offset" in f else 0.0
        for m in range(len(offset) - 1):
            loading = np.concatenate(
                [group["components"][group["option_of_trial"][m]] for group in categories]
            )
            rebuilt[offset[m] : offset[m + 1]] = (
                baseline + traces[offset[m] : offset[m + 1]] @ loading
            )
        residual = np.nansum((values - rebuilt) ** 2)
        spread = np.nansum((values - np.nanmean(values, axis=0)) ** 2)
        assert 1 - residual / spread == pytest.approx(f.attrs["r2"], abs=1e-9)


def test_the_summary_in_json_agrees_with_its_tables(folder):
    with h5py.File(folder / "model.h5") as f:
        summary = json.loads(f["summary/json"][()])
        assert f["summary/fit"][:].tolist() == [
            record["objective"]["fit"] for record in summary["iterations"]
        ]
        assert f["summary/objective"][:].tolist() == [
            r["objective"]["total"] for r in summary["iterations"]
        ]
        assert json.loads(f["summary/options"][()]) == summary["options"]
        assert f.attrs["seed"] == summary["options"]["seed"]
        assert f.attrs["data_fingerprint"] == summary["data_fingerprint"]
        assert summary["data_fingerprint"]


def write_by_hand(path, **replaced):
    """The least that a trials file needs, in types that milcci itself would not write."""
    random = np.random.default_rng(0)
    texts = h5py.string_dtype()
    parts = {
        "values": {
            "data": random.random((100, 3)).astype("f4"),
            "compression": "gzip",
            "shuffle": True,
            "chunks": (10, 3),
        },
        "trial_offset": {"data": np.array([0, 30, 60, 100], "u4")},
        "channel": {"data": np.array([b"V1", b"V2", b"MT"])},
        "labels/choice": {
            "data": np.array(["left", "right", "größer"], object),
            "dtype": texts,
            "chunks": (2,),
            "compression": "gzip",
        },
        "labels/is_first": {"data": np.array([True, False, False])},
        "labels/contrast": {"data": np.array([0.1, np.nan, 2], ">f8")},
    }
    parts.update(replaced)
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["format_version"] = "milcci-trials", 1
        for name, arguments in parts.items():
            if arguments:
                f.create_dataset(name, **arguments)
        f.require_group("labels")


def test_a_file_made_by_hand_can_be_fitted(tmp_path):
    write_by_hand(tmp_path / "hand.h5")
    milcci(
        "fit",
        tmp_path / "hand.h5",
        "--category",
        "choice=1",
        "--category",
        "is_first=1",
        "--max-iterations",
        3,
        "-o",
        tmp_path / "model.h5",
        codes=(0, 4),
    )
    with h5py.File(tmp_path / "model.h5") as f:
        assert f["categories/choice/option"].asstr()[:].tolist() == ["größer", "left", "right"]
        assert f["categories/is_first/option"].asstr()[:].tolist() == ["0", "1"]
        assert f["channel"].asstr()[:].tolist() == ["V1", "V2", "MT"]


@pytest.mark.parametrize(
    ("replaced", "words"),
    [
        ({"channel": None}, ["/channel", "no such dataset"]),
        ({"trial_offset": {"data": [0, 30, 100]}}, ["/labels/", "its shape is 3, must be 2"]),
        ({"trial_offset": {"data": [0.0, 30, 60, 100]}}, ["/trial_offset", "must hold integers"]),
        ({"values": {"data": np.zeros((100, 4))}}, ["/values", "100 x 4, must be 100 x 3"]),
        ({"values": {"data": np.zeros((100, 3), complex)}}, ["/values", "compounds"]),
        (
            {"labels/choice": {"shape": (10**12,), "dtype": "i8", "chunks": (1000,)}},
            ["/labels/choice"],
        ),
    ],
)
def test_mistakes_by_hand_are_named(tmp_path, replaced, words):
    write_by_hand(tmp_path / "hand.h5", **replaced)
    process = milcci("info", tmp_path / "hand.h5", codes=(3,))
    for word in [*words, "hand.h5"]:
        assert word in process.stderr
    assert process.stdout == ""


def test_a_newer_format_is_refused_with_advice(folder, tmp_path):
    path = tmp_path / "newer.h5"
    path.write_bytes((folder / "model.h5").read_bytes())
    with h5py.File(path, "r+") as f:
        f.attrs["format_version"] = 99
    process = milcci("info", path, codes=(3,))
    assert "format version 99" in process.stderr
    assert "update milcci" in process.stderr


def test_values_changed_with_h5py_are_read(folder, tmp_path):
    path = tmp_path / "changed.h5"
    path.write_bytes((folder / "trials.h5").read_bytes())
    with h5py.File(path, "r+") as f:
        f["values"][0, 0] = 1e6
        f["channel"][0] = "renamed"
        f["labels"].move("choice", "decision")
    process = milcci(
        "fit",
        path,
        "--category",
        "decision=1",
        "--max-iterations",
        2,
        "-o",
        tmp_path / "m.h5",
        codes=(0, 4),
    )
    with h5py.File(tmp_path / "m.h5") as f:
        assert f["channel"].asstr()[0] == "renamed", process.stderr


def test_repacked_files_are_read(folder, tmp_path):
    with (
        h5py.File(folder / "trials.h5") as source,
        h5py.File(tmp_path / "repacked.h5", "w") as target,
    ):
        for key, value in source.attrs.items():
            target.attrs[key] = value

        def copy(name, item):
            if isinstance(item, h5py.Dataset):
                extra = {"compression": "gzip"} if item.shape and item.dtype.kind in "fi" else {}
                target.create_dataset(name, data=item[()], dtype=item.dtype, **extra)
            else:
                target.require_group(name)

        source.visititems(copy)
    a = json.loads(
        milcci("evaluate", folder / "model.h5", folder / "trials.h5", "--json", codes=(0, 4)).stdout
    )
    b = json.loads(
        milcci(
            "evaluate", folder / "model.h5", tmp_path / "repacked.h5", "--json", codes=(0, 4)
        ).stdout
    )
    assert a["r2"] == b["r2"]


def test_the_examples_of_the_documentation_run(folder, monkeypatch):
    monkeypatch.chdir(folder)
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "docs/file-formats.md").read_text(), re.S)
    assert len(examples) == 5
    for example in examples:
        exec(compile(example, "docs/file-formats.md", "exec"), {})
    milcci("info", folder / "handmade.h5")
