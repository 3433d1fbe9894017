"""Small files under the names that the pages use, so that their commands can be run as printed."""

import gzip
import itertools

import h5py
import numpy as np
import scipy.io

N = 10  # channels of everything: the fits of the pages ask for up to eight components


def rows(header, content):
    return header + "\n" + "\n".join(",".join(map(str, row)) for row in content) + "\n"


def write_tables(folder, rng):
    sides, contrasts = ["left", "right"], [0, 0.5, 1]
    values = rng.random((12, N, 20))
    (folder / "recording.csv").write_text(
        rows(
            "trial,channel,time,value",
            ((m, f"c{n}", t, round(values[m, n, t], 3)) for m, n, t in np.ndindex(values.shape)),
        )
    )
    (folder / "labels.csv").write_text(rows("trial,choice", ((m, sides[m % 2]) for m in range(12))))
    counts = rng.poisson(0.8, (24, N, 20))
    spikes = rows(
        "trial,neuron,bin,count",
        (
            (m, f"n{n}", t, counts[m, n, t])
            for m, n, t in np.ndindex(counts.shape)
            if counts[m, n, t]
        ),
    )
    (folder / "spikes.csv.gz").write_bytes(gzip.compress(spikes.encode()))
    (folder / "trials.csv").write_text(
        rows(
            "trial,contrast_left,contrast_right,feedback",
            ((m, contrasts[m % 3], contrasts[m // 3 % 3], m // 9 % 2) for m in range(24)),
        )
    )
    days = [f"2016-01-{day:02}" for day in range(1, 21)]
    (folder / "views.csv").write_text(
        rows(
            "language,platform," + ",".join(days),
            (
                (f"l{n}", platform, *rng.integers(1, 90, 20))
                for n in range(N)
                for platform in ["desktop", "mobile"]
            ),
        )
    )
    (folder / "table.csv").write_text(
        rows(
            "session,run,channel,time,dff,choice",
            (
                (s, r, f"c{n}", t, round(rng.random(), 3), sides[r])
                for s in range(2)
                for r in range(2)
                for n in range(4)
                for t in range(10)
            ),
        )
    )


def write_public_sets(folder, rng):
    pages = rows(
        "Page," + ",".join(f"2016-01-{day:02}" for day in range(1, 31)),
        (
            (f"Page{n}_en.wikipedia.org_{platform}_all-agents", *rng.integers(1, 90, 30))
            for n in range(N)
            for platform in ["desktop", "mobile-web", "all-access"]
        ),
    )
    (folder / "pages.csv.gz").write_bytes(gzip.compress(pages.encode()))
    (folder / "elections").mkdir()
    states = ["AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA"]
    parties = ["DEMOCRAT", "REPUBLICAN", "LIBERTARIAN", "GREEN"]
    votes = [
        (year, state, party, rng.integers(10, 90))
        for year in range(1976, 2000, 4)
        for state, party in itertools.product(states, parties)
    ]
    tables = {
        "president": rows(
            "year,state_po,candidate,party_detailed,candidatevotes,totalvotes",
            ((y, s, "A", p, v, 100) for y, s, p, v in votes),
        ),
        "senate": rows(
            "year,state_po,stage,special,candidate,party_detailed,candidatevotes",
            ((y, s, "gen", "False", "A", p, v) for y, s, p, v in votes),
        ),
        "house": rows(
            "year,state_po,district,stage,runoff,special,candidate,party,candidatevotes",
            ((y, s, 1, "GEN", "NA", "False", "A", p, v) for y, s, p, v in votes),
        ),
    }
    for name, text in tables.items():
        (folder / f"elections/{name}.csv").write_text(text)


def write_arrays(folder, rng):
    rates = rng.random((N, 20, 12))
    np.save(folder / "recording.npy", rates.transpose(2, 0, 1))
    np.savez(folder / "recording.npz", rates=rates, other=rates)
    scipy.io.savemat(folder / "session.mat", {"session": {"rates": rates}})
    with h5py.File(folder / "session.h5", "w") as file:
        file["session/rates"] = rates.transpose(2, 1, 0)
        file["trials/choice"] = ["left", "right"] * 6


def write_nwb(folder, rng):
    n_trials = 24
    start = np.arange(n_trials) * 3.0 + 1
    with h5py.File(folder / "session.nwb", "w") as file:
        file.attrs["nwb_version"] = "2.7.0"
        times = [np.sort(rng.random(400) * 75) for _ in range(N)]
        file["units/spike_times"], file["units/spike_times_index"] = (
            np.concatenate(times),
            np.cumsum([400] * N),
        )
        tables = {
            "trials": {"choice": ["left", "right"] * 12},
            "recognition_table": {
                "boundary_type": [0, 1, 2] * 8,
                "stimuli_type": [0, 1] * 12,
                "accuracy": [0, 0, 1, 1] * 6,
                "confidence": [1, 2, 3, 0, 1, 2, 3, 2] * 3,
                "response_time": start + 1,
            },
            "encoding_table": {"stimCategory": [0, 1, 2, 3] * 6},
        }
        for name, columns in tables.items():
            group = file.create_group(f"intervals/{name}")
            group["start_time"], group["stop_time"] = start, start + 2
            for column, values in columns.items():
                group[column] = values
        series = file.create_group("processing/ophys/Fluorescence/RoiResponseSeries")
        series["data"], series["timestamps"] = rng.random((800, N)), np.arange(800) / 10


def write_all(folder):
    rng = np.random.default_rng(0)
    for write in (write_tables, write_public_sets, write_arrays, write_nwb):
        write(folder, rng)
