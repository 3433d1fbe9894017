"""One rule for all formats: names of channels, and which axis is which."""

import h5py
import numpy as np
import pytest
import scipy.io
import xarray

DIMS = ["--dims", "trial,channel,time"]
VALUES = np.random.default_rng(0).random((6, 3, 40))


def write_named(folder, kind, names):
    """A recording of three channels with these names; returns its path and how to read it."""
    path = folder / f"r.{kind}"
    if kind == "wide.csv":
        rows = [",".join(map(str, [m, t, *VALUES[m, :, t]])) for m in range(6) for t in range(40)]
        path.write_text("\n".join([",".join(["trial", "time", *names]), *rows]))
        return [path]
    if kind == "series.csv":
        rows = [
            ",".join(map(str, [m, n, *VALUES[m, i]])) for m in range(6) for i, n in enumerate(names)
        ]
        path.write_text("\n".join([",".join(["trial", "channel", *map(str, range(40))]), *rows]))
        return [path]
    if kind == "nwb":
        with h5py.File(path, "w", libver="earliest") as file:
            file.attrs["nwb_version"] = "2.7.0"
            file["units/spike_times"] = np.sort(np.random.default_rng(0).random(60) * 18)
            file["units/spike_times_index"], file["units/unit_name"] = [20, 40, 60], names
            file["intervals/trials/start_time"] = np.arange(6) * 3.0
            file["intervals/trials/stop_time"] = np.arange(6) * 3.0 + 2
        return [path, "--channel", "unit_name"]
    if kind == "npz":
        np.savez(path, y=VALUES, channel=np.array(names))
    if kind == "mat":
        scipy.io.savemat(path, {"y": VALUES, "channel": np.array(names, dtype=object)})
    if kind == "h5":
        with h5py.File(path, "w", libver="earliest") as file:
            file["y"], file["channel"] = VALUES, names
    return [path, *DIMS]


@pytest.mark.parametrize("kind", ["wide.csv", "series.csv", "npz", "mat", "h5", "nwb"])
def test_two_channels_of_one_name_are_refused_in_every_format(milcci, kind):
    reading = write_named(milcci.folder, kind, ["ann", "bob", "cat"])
    assert milcci.json("info", *reading)["n_channels"] == 3
    reading = write_named(milcci.folder, kind, ["ann", "bob", "ann"])
    milcci.refused(3, "info", *reading, says=["ann"])


@pytest.mark.parametrize("dims", ["trial,channel,time", "time,trial,channel", "channel,time,trial"])
def test_axes_in_any_order_give_the_same_trials(milcci, dims):
    np.save(milcci.folder / "a.npy", VALUES)
    milcci.done("prepare", "a.npy", *DIMS, "-o", "a.h5")
    order = [["trial", "channel", "time"].index(name) for name in dims.split(",")]
    np.save(milcci.folder / "b.npy", VALUES.transpose(order))
    milcci.done("prepare", "b.npy", "--dims", dims, "-o", "b.h5")
    with h5py.File(milcci.folder / "a.h5") as a, h5py.File(milcci.folder / "b.h5") as b:
        assert np.array_equal(a["values"], b["values"])


@pytest.mark.parametrize("dims", ["trial,channel", "trial,channel,channel", "trial,channel,tiem"])
def test_axes_that_make_no_sense_are_refused(milcci, dims):
    np.save(milcci.folder / "a.npy", VALUES)
    failed = milcci("info", "a.npy", "--dims", dims)
    assert failed.returncode in (2, 3)
    assert dims.split(",")[-1] in failed.stderr


def test_lengths_of_labels_and_names_decide_on_the_axes(milcci):
    np.savez(milcci.folder / "a.npz", y=VALUES, channel=["a", "b", "c"], choice=["l", "r"] * 3)
    told = milcci.json("info", "a.npz")
    assert (told["n_trials"], told["n_channels"]) == (6, 3)


def test_readings_that_remain_are_listed_each_with_its_flag(milcci):
    np.savez(milcci.folder / "a.npz", y=VALUES, choice=["l", "r"] * 3)
    milcci.refused(
        3, "info", "a.npz", says=["--dims trial,channel,time", "--dims trial,time,channel"]
    )


@pytest.mark.parametrize("engine", ["h5netcdf", "netcdf4"])
def test_names_of_axes_in_files_of_xarray_decide(milcci, engine):
    cube = np.random.default_rng(0).random((6, 6, 6))
    xarray.Dataset(
        {"dff": (("roi", "trial", "t"), cube), "choice": (("trial",), np.array(["l", "r"] * 3))},
        coords={"t": np.arange(6) / 10},
    ).to_netcdf(milcci.folder / "a.nc", engine=engine)
    milcci.done("prepare", "a.nc", "-o", "t.h5")
    with h5py.File(milcci.folder / "t.h5") as file:
        assert np.array_equal(file["values"][:6], cube[:, 0, :].T)
    labels = [label["name"] for label in milcci.json("info", "a.nc")["labels"]]
    assert labels == ["choice"], "a dimension without coordinates is no label"


def test_one_known_name_of_an_axis_leaves_two_readings(milcci):
    xarray.Dataset({"y": (("x", "time", "z"), VALUES)}).to_netcdf(milcci.folder / "a.nc")
    failed = milcci.refused(
        3, "info", "a.nc", says=["--dims channel,time,trial", "--dims trial,time,channel"]
    )
    assert failed.stderr.count("--dims") == 2


def test_labels_and_times_of_unusual_names_are_asked_about(milcci):
    rows = [
        f"{m},{t},{m % 2 + 1},l,{VALUES[m, 0, t]},{VALUES[m, 1, t]}"
        for m in range(6)
        for t in range(40)
    ]
    (milcci.folder / "odd.csv").write_text("\n".join(["sweep,ms,dose,side,n0,n1", *rows]))
    milcci.refused(
        3,
        "info",
        "odd.csv",
        says=["--trial", "--time", "--label-columns", "--layout long", "series"],
    )
    run = milcci.done("info", "odd.csv", "--trial", "sweep")
    assert "--time ms" in run.stderr
    assert "--label-columns side,dose" in run.stderr
    run = milcci.done(
        "info", "odd.csv", "--trial", "sweep", "--time", "ms", "--label-columns", "side,dose"
    )
    assert "2 channels" in run.stdout
    assert "say --" not in run.stderr


def test_info_lists_the_tables_of_an_nwb_file(milcci):
    with h5py.File(milcci.folder / "s.nwb", "w", libver="earliest") as file:
        file.attrs["nwb_version"] = "2.7.0"
        file["units/spike_times"], file["units/spike_times_index"] = np.arange(60.0), [20, 40, 60]
        for name in ("sounds", "images"):
            file[f"intervals/{name}/start_time"] = np.arange(6) * 3.0
            file[f"intervals/{name}/stop_time"] = np.arange(6) * 3.0 + 2
            file[f"intervals/{name}/pitch"] = np.arange(6)
    run = milcci.done("info", "s.nwb")
    assert "table /intervals/sounds (6 rows): pitch" in run.stdout
    assert "--table" in run.stdout
    told = milcci.json("info", "s.nwb")
    assert len(told["tables"]) == 2
    assert told["has_spikes"]
    assert milcci.json("info", "s.nwb", "--table", "images")["n_trials"] == 6
    milcci.refused(3, "prepare", "s.nwb", "-o", "t.h5", says=["--table", "/intervals/images"])


def test_a_label_with_decimal_commas_can_be_ordinal(milcci):
    rows = [f"{m};{0.5 * (m % 3)};{0.1 * t:g};{m + t}" for m in range(1, 13) for t in range(8)]
    table = "\n".join(["trial;dose;time;n1", *rows]).replace(".", ",") + "\n"
    (milcci.folder / "table.csv").write_text(table)
    milcci.done("prepare", "table.csv", "--label-columns", "dose", "-o", "trials.h5")
    with h5py.File(milcci.folder / "trials.h5") as file:
        assert set(file["labels/dose"][:]) == {0, 0.5, 1}
    category = ("--category", "dose=1:ordinal", "--restarts", 1)
    milcci.done("fit", "trials.h5", *category, "-o", "model.h5", codes=(0, 4))
