"""Hostile names, files of killed runs, and formats of others."""

import json
import os
import re
import shutil
import stat
import struct
import subprocess
import zipfile

import h5py
import numpy as np
import pytest

from conftest import FIT, PROGRAM

ESCAPE = "\x1b[31mred\x1b[0m\nline\x9b5m"


def test_names_with_escape_codes_are_shown_not_obeyed(milcci):
    values = np.random.default_rng(0).random((6, 3, 10))
    np.savez(
        milcci.folder / "named.npz",
        values=values,
        names=np.array([ESCAPE, "x" * 1_000_000, "c"]),
        choice=np.array([ESCAPE, "b"] * 3),
    )
    reading = ["named.npz", "--dims", "trial,channel,time", "--channel", "names"]
    milcci.done("prepare", *reading, "-o", "t.h5")
    runs = [
        milcci.done("info", "t.h5"),
        milcci.done("check", "t.h5"),
        milcci.done("fit", "t.h5", "--category", "choice=1", "-o", "m.h5", codes=(0, 4)),
        milcci.done("show", "m.h5"),
        milcci.done("evaluate", "m.h5", "t.h5"),
        milcci.done("info", "m.h5"),
    ]
    for run in runs:
        for text in (run.stdout, run.stderr):
            assert "\x1b" not in text
            assert "\x9b" not in text
            assert "\nline" not in text
            assert len(text) < 20_000
    assert "\\x1b[31mred" in runs[0].stdout
    assert milcci.json("show", "m.h5")["components"][0]["options"] == [ESCAPE, "b"]
    failed = milcci("fit", "t.h5", "--category", ESCAPE + "=1", "-o", "n.h5")
    assert failed.returncode == 3
    assert "\x1b" not in failed.stderr
    assert failed.stderr.count("\n") == 1


@pytest.mark.parametrize("place", ["history", "summary"])
def test_json_nested_without_end_is_refused_not_followed(milcci, trials, model, place):
    nested = "[" * 100_000 + "]" * 100_000
    if place == "history":
        with h5py.File(trials, "r+") as file:
            del file["history"]
            if "step" in file:
                del file["step"]
            file["history"] = [nested]
        assert milcci("info", trials).returncode in (0, 3)
        assert milcci("info", trials, "--json").returncode in (0, 3)
    else:
        with h5py.File(model, "r+") as file:
            del file["summary/json"]
            file["summary/json"] = nested
        process = milcci("info", model)
        assert process.returncode == 3
        assert "nested more than" in process.stderr


def test_force_keeps_the_mode(milcci, trials):
    trials.chmod(0o640)
    milcci.done("simulate", "--trials", 6, "--length", 5, "-o", trials, "--force")
    assert stat.S_IMODE(trials.stat().st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_force_keeps_the_owner(milcci, trials):
    os.chown(trials, 1234, 2345)
    milcci.done("simulate", "--trials", 6, "--length", 5, "-o", trials, "--force")
    assert (trials.stat().st_uid, trials.stat().st_gid) == (1234, 2345)


def test_force_never_replaces_an_input(milcci, trials):
    (milcci.folder / "graph.csv").write_text("x,left,right\nleft,1,0.5\nright,0.5,1\n")
    (milcci.folder / "c.toml").write_text("seed = 1\n")
    for output, more in [
        ("graph.csv", ["--category", "choice=1:graph=graph.csv"]),
        ("c.toml", ["--category", "choice=1", "--config", "c.toml"]),
    ]:
        milcci.refused(
            2, "fit", trials, *more, "-o", output, "--force", says=[output, "also the input"]
        )


def test_a_forced_export_never_replaces_an_input(milcci, trials, model):
    inputs = {"components.csv": model, "trials.csv": trials}
    for name, source in inputs.items():
        shutil.copy(source, milcci.folder / name)
    before = {name: (milcci.folder / name).read_bytes() for name in inputs}
    milcci.refused(2, "export", "components.csv", "-o", ".", "--force", says=["also the input"])
    milcci.refused(2, "export", model, "trials.csv", "-o", ".", "--force", says=["also the input"])
    assert before == {name: (milcci.folder / name).read_bytes() for name in inputs}


def test_a_link_to_no_file_is_followed(milcci):
    (milcci.folder / "link.h5").symlink_to("real.h5")
    milcci.done("simulate", "--trials", 6, "--length", 5, "-o", "link.h5")
    assert (milcci.folder / "link.h5").is_symlink()
    assert (milcci.folder / "real.h5").is_file()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_standard_output_says_what_was_written(milcci):
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [PROGRAM, "simulate", "--trials", "6", "--length", "5", "-o", "t.h5", "--json"],
            cwd=milcci.folder,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.returncode == 1
    assert "t.h5 was written" in process.stderr
    assert (milcci.folder / "t.h5").exists()


def write_foreign(path):
    """An HDF5 file of the older format, whose heaps, names and chunk masks carry no checksum."""
    random = np.random.default_rng(0)
    with h5py.File(path, "w", libver="earliest") as file:
        group = file.create_group("g")
        group.create_dataset(
            "y", data=random.random((6, 5, 40)).round(2), chunks=(3, 5, 40), compression="gzip"
        )
        group.create_dataset(
            "choice",
            data=np.array(["a", "b"] * 3, dtype=object),
            chunks=(6,),
            compression="gzip",
            dtype=h5py.string_dtype(),
        )
    return path.read_bytes()


READING = ["--dataset", "/g/y", "--dims", "trial,channel,time"]


@pytest.mark.parametrize(
    ("mark", "at"),
    [
        (b"HEAP", 8),
        (b"HEAP", 16),
        (b"HEAP", 24),
        (b"GCOL", 8),
        (b"GCOL", 24),
        (b"SNOD", 8),
        (b"TREE\0", 24),
    ],
)
def test_heaps_and_names_of_all_ones_are_damaged_files(milcci, mark, at):
    good = write_foreign(milcci.folder / "good.h5")
    milcci.done("info", "good.h5", *READING)
    place = good.find(mark)
    assert place > 0
    while place >= 0:
        bad = bytearray(good)
        bad[place + at : place + at + 8] = b"\xff" * 8
        (milcci.folder / "bad.h5").write_bytes(bad)
        milcci.refused(3, "info", "bad.h5", *READING, says=["bad.h5"])
        place = good.find(mark, place + 1)


@pytest.mark.parametrize("mask", [b"\xff\xff\xff\xff", b"\1\0\0\0", b"\2\0\0\0"])
def test_packed_values_that_are_said_to_be_plain_are_not_taken_for_values(milcci, mask):
    bad = bytearray(write_foreign(milcci.folder / "good.h5"))
    key = bad.find(b"TREE\1") + 24
    assert bad[key + 4 : key + 8] == bytes(4)
    bad[key + 4 : key + 8] = mask
    (milcci.folder / "bad.h5").write_bytes(bad)
    milcci.refused(
        3, "prepare", "bad.h5", *READING, "-o", "t.h5", says=["/g/y", "not packed", "damaged"]
    )


def test_chunks_that_were_truly_left_unpacked_are_read(milcci):
    values = np.random.default_rng(0).random((6, 5, 40))
    with h5py.File(milcci.folder / "plain.h5", "w", libver="earliest") as file:
        dataset = file.create_dataset(
            "y", shape=values.shape, dtype="f8", chunks=(6, 5, 40), compression="gzip"
        )
        dataset.id.write_direct_chunk((0, 0, 0), values.tobytes(), filter_mask=1)
    milcci.done("prepare", "plain.h5", "--dims", "trial,channel,time", "-o", "t.h5")
    with h5py.File(milcci.folder / "t.h5") as file:
        assert np.array_equal(file["values"][:40].T, values[0])


def matrix(array_class, name, *rest, flags=0):
    """An array of a MATLAB file of version 5."""

    def element(kind, data):
        return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)

    parts = element(6, struct.pack("<II", array_class | flags << 8, 0))
    if array_class != 17:
        parts += element(5, struct.pack("<ii", *rest[0]))
    parts += element(1, name.encode())
    for kind, data in rest[1:] if array_class != 17 else rest:
        parts += element(kind, data)
    return element(14, parts)


def test_matlab_strings_and_tables_are_skipped_by_name(milcci):
    values = np.arange(24.0)
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM"
    opaque = matrix(17, "note", (1, b"MCOS"), (1, b"string"))
    (milcci.folder / "r.mat").write_bytes(
        header + opaque + matrix(6, "y", (4, 6), (9, values.tobytes()))
    )
    told = milcci.json("info", "r.mat", "--dims", "channel,time")
    assert (told["n_channels"], told["n_trials"]) == (4, 1)
    refused = milcci("info", "r.mat", "--dataset", "note")
    assert refused.returncode in (2, 3)
    assert "cellstr" in refused.stderr


def test_objects_of_newer_matlab_files_are_skipped_by_name(milcci):
    path = milcci.folder / "r.mat"
    with h5py.File(path, "w", userblock_size=512, libver="earliest") as file:

        def put(name, data, matlab_class, **more):
            dataset = file.create_dataset(name, data=data, **more)
            dataset.attrs["MATLAB_class"] = np.bytes_(matlab_class)
            return dataset

        put("y", np.random.default_rng(0).random((40, 5, 6)), "double")
        for name in ("string", "table", "categorical"):
            put(f"a_{name}", np.zeros((1, 6), "u4"), name).attrs["MATLAB_object_decode"] = np.int32(
                3
            )
        file.create_group("handle").attrs["MATLAB_class"] = np.bytes_("function_handle")
        file.create_group("thin").attrs["MATLAB_sparse"] = np.uint64(6)
        put("thin/data", np.ones(6), "double")
        texts = [put(f"#refs#/{i}", np.array([[97 + i % 2]], "u2"), "char").ref for i in range(6)]
        texts[2] = h5py.Reference()
        put("choice", np.array(texts, dtype=object).reshape(6, 1), "cell", dtype=h5py.ref_dtype)
    bytes_ = bytearray(path.read_bytes())
    bytes_[:128] = b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM"
    path.write_bytes(bytes_)
    run = milcci.done("info", "r.mat", "--dims", "trial,channel,time")
    for told in (
        "a_string (of MATLAB class string",
        "a_table",
        "a_categorical",
        "function_handle",
        "thin (a sparse",
        "labels = choice\n",
        "a x2, b x3",
    ):
        assert told in run.stderr + run.stdout


def test_fields_of_one_name_are_named_and_the_first_is_read(milcci):
    labels = [matrix(6, "x", (1, 6), (9, np.full(6, value).tobytes())) for value in (1.0, 2.0)]
    values = matrix(6, "y", (4, 6), (9, np.arange(24.0).tobytes()))
    header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM"
    (milcci.folder / "r.mat").write_bytes(header + labels[0] + labels[1] + values)
    run = milcci.done("info", "r.mat", "--dims", "channel,time", "--dataset", "y")
    assert "x (another one of this name; only the first is read)" in run.stderr


def test_one_reference_to_nothing_spoils_only_its_own_value(milcci):
    with h5py.File(milcci.folder / "r.h5", "w", libver=("earliest", "v110")) as file:
        file["y"] = np.random.default_rng(0).random((6, 5, 40))
        numbers = [file.create_dataset(f"c/{i}", data=float(i)).ref for i in range(6)]
        numbers[1] = h5py.Reference()
        file.create_dataset("dose", data=np.array(numbers, dtype=object), dtype=h5py.ref_dtype)
    told = milcci.json("info", "r.h5", "--dims", "trial,channel,time")
    assert [label["name"] for label in told["labels"]] == ["dose"]


def test_a_filter_without_its_plugin_is_named(milcci):
    with h5py.File(milcci.folder / "r.h5", "w", libver="earliest") as file:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk((6, 5, 40))
        creation.set_filter(32123, h5py.h5z.FLAG_OPTIONAL)
        space = h5py.h5s.create_simple((6, 5, 40))
        dataset = h5py.h5d.create(file.id, b"y", h5py.h5t.NATIVE_DOUBLE, space, creation)
        dataset.write_direct_chunk((0, 0, 0), b"packed")
    milcci.refused(
        3,
        "info",
        "r.h5",
        "--dims",
        "trial,channel,time",
        says=["/y", "filter 32123", "HDF5_PLUGIN_PATH"],
    )


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("t.parquet", b"PAR1\x15\x04", ["Parquet", "to_csv"]),
        ("t.feather", b"ARROW1\0\0\xff", ["Feather", "to_csv"]),
        ("t.nc", b"CDF\x01\0\0\0\x01", ["NetCDF", "nccopy"]),
        ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ["xls", "CSV"]),
    ],
)
def test_formats_of_others_are_named(milcci, name, content, says):
    (milcci.folder / name).write_bytes(content)
    milcci.refused(3, "info", name, says=says)


def test_excel_zarr_and_addresses_are_named(milcci):
    with zipfile.ZipFile(milcci.folder / "t.xlsx", "w") as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("xl/workbook.xml", "<workbook/>")
    milcci.refused(3, "info", "t.xlsx", says=["Excel", "CSV"])
    (milcci.folder / "t.zarr").mkdir()
    (milcci.folder / "t.zarr/.zarray").write_text(json.dumps({"shape": [1]}))
    milcci.refused(3, "info", "t.zarr", says=["zarr", "numpy.save"])
    milcci.refused(3, "info", "https://example.org/t.csv", says=["address", "download"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "TRIALS", "--labels", "URL"],
        ["fit", "TRIALS", "--category", "choice=1:graph=URL", "-o", "m.h5"],
        ["fit", "TRIALS", *FIT, "--config", "URL", "-o", "m.h5"],
        ["fit", "TRIALS", *FIT, "--start", "URL", "-o", "m.h5"],
        ["show", "URL"],
        ["report", "MODEL", "--comparison", "URL", "-o", "r.html"],
        ["compare", "URL", *FIT],
        ["prepare", "URL", "--recipe", "elections", "-o", "t.h5"],
    ],
)
def test_addresses_are_not_fetched(milcci, trials, model, arguments):
    of = {"URL": "https://example.org/t.csv", "TRIALS": trials, "MODEL": model}
    arguments = [str(word).replace("=URL", f"={of['URL']}") for word in arguments]
    milcci.refused(
        3,
        *[of.get(word, word) for word in arguments],
        says=["https://example.org/t.csv", "is an address", "not fetched", "download it"],
    )


@pytest.mark.parametrize(
    "arguments",
    [["fit", "TRIALS", *FIT], ["simulate"], ["export", "MODEL"], ["compare", "TRIALS", *FIT]],
)
def test_nothing_is_written_to_an_address(milcci, trials, model, arguments):
    of = {"TRIALS": trials, "MODEL": model}
    milcci.refused(
        3,
        *[of.get(word, word) for word in arguments],
        "-o",
        "https://example.org/out",
        says=["https://example.org/out", "is an address", "name of a file"],
    )


def test_a_simulation_of_an_impossible_size_is_refused(milcci):
    milcci.refused(
        2,
        "simulate",
        "--trials",
        1000000,
        "--channels",
        100000,
        "--length",
        100000,
        "-o",
        "t.h5",
        says=["GB", "--trials"],
    )


def test_bash_completes_verbs_options_and_their_words(milcci):
    script = milcci.done("completion", "bash").stdout

    def completed(*words):
        typed = " ".join(f"'{word}'" for word in words)
        ask = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _milcci; echo ${{COMPREPLY[@]}}"
        return subprocess.run(
            ["bash", "-c", script + ask], capture_output=True, text=True, check=True
        ).stdout.split()

    assert "fit" in completed("milcci", "f")
    assert "show" not in completed("milcci", "f")
    assert completed("milcci", "fit", "--spars") == ["--sparsity"]
    assert completed("milcci", "fit", "--nonnegative", "b") == ["both"]


def test_other_completions_and_the_manual_name_every_option(milcci):
    flags = set(
        re.findall(r"^  (?:-\w, )?--([\w-]+)", milcci.done("fit", "--help").stdout, re.MULTILINE)
    )
    assert len(flags) > 30
    for shell, mark in [("zsh", "--{}["), ("fish", " -l {} "), ("man", "--{}")]:
        text = milcci.done("completion", shell).stdout.replace("\\-", "-")
        assert [flag for flag in flags if mark.format(flag) not in text] == []
    milcci.refused(2, "completion", "csh", says=["csh", "bash, zsh, fish, man"])


def test_help_and_version_have_short_forms(milcci):
    assert milcci.done("-V").stdout == milcci.done("--version").stdout
    assert milcci.done("help", "fit").stdout == milcci.done("fit", "--help").stdout
    assert milcci.done("help").stdout == milcci.done("--help").stdout
