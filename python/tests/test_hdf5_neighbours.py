"""h5py and netCDF4 bring HDF5 of their own. In one process, each reads what the others write."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

pytest.importorskip("h5py")
pytest.importorskip("netCDF4")

EXCHANGE = """
import importlib, sys, warnings
for name in sys.argv[1:]:
    importlib.import_module(name)
import h5py, milcci, netCDF4
import numpy as np

warnings.simplefilter("ignore")
trials = milcci.simulate(n_channels=5, n_trials=8, length=10)
trials.save("trials.h5")
options = {"effort": "quick", "restarts": 2, "max_iterations": 3, "threads": 1}
model = milcci.MILCCI({"choice": 1}, **options).fit(trials)
model.save("model.h5")
expected = np.asarray(model.components_["choice"]).transpose(2, 1, 0)

with h5py.File("model.h5") as file:
    found = file["categories/choice/components"]
    assert np.array_equal(found[:], expected)
    scales = [scale for dim in found.dims for scale in dim.values()]
    assert [scale.name.split("/")[-1] for scale in scales] == ["option", "component", "channel"]
    assert scales[2].asstr()[0] == "channel1"
with netCDF4.Dataset("model.h5") as file:
    found = file["categories/choice/components"]
    assert found.dimensions == ("option", "component", "channel")
    assert np.array_equal(found[:], expected)

cube = np.random.default_rng(1).normal(size=(4, 5, 10))
with h5py.File("by_h5py.h5", "w") as file:
    file.create_dataset("values", data=cube, chunks=True, compression="gzip")
with netCDF4.Dataset("by_netcdf.nc", "w") as file:
    for name, length in zip("abc", cube.shape):
        file.createDimension(name, length)
    file.createVariable("values", "f8", ("a", "b", "c"), zlib=True)[:] = cube
for path in ("by_h5py.h5", "by_netcdf.nc"):
    read = milcci.read(path, dataset="values", dims=("trial", "channel", "time"))
    assert np.array_equal(list(read), cube)
with h5py.File("by_netcdf.nc") as file, netCDF4.Dataset("by_h5py.h5") as other:
    assert np.array_equal(file["values"][:], other["values"][:])
assert milcci.load("model.h5").r2_ == model.r2_
print("all read")
"""


@pytest.mark.parametrize("order", list(itertools.permutations(["milcci", "h5py", "netCDF4"])))
def test_files_go_round_in_every_order_of_imports(order, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", EXCHANGE, *order],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "all read\n"), done.stderr
