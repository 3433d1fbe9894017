#!/usr/bin/env python3
"""Reading long tables: milcci against pandas.read_csv on the same files, in the same run.

    python benchmarks/read_csv.py [MEGABYTES ...]      default 100 and 1000; needs numpy and pandas

MILCCI_BIN names the program, default build/release/cli/milcci. Each reader runs in a process of its
own on a file that is in the page cache; ours does all of `milcci info`, pandas only `read_csv`.
Best of three.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PROGRAM = os.environ.get(
    "MILCCI_BIN", Path(__file__).resolve().parents[1] / "build/release/cli/milcci"
)
PANDAS = """
import resource, sys, time
import pandas
began = time.perf_counter()
table = pandas.read_csv(sys.argv[1])
print(time.perf_counter() - began)
"""


def write_table(path, n_bytes, n_channels=80, n_times=100):
    """Trials of 8000 rows; 25 different ones are made and repeated under new numbers."""
    random = np.random.default_rng(0)
    blocks = []
    for i in range(25):
        rows = [
            f"@,ch{n:03d},{0.01 * t:.2f},{value:.6g},{i % 5},{('left', 'right')[i % 2]}\n"
            for n in range(n_channels)
            for t, value in enumerate(random.standard_normal(n_times))
        ]
        blocks.append("".join(rows).encode())
    with open(path, "wb") as file:
        file.write(b"trial,channel,time,value,difficulty,choice\n")
        trial = 0
        while file.tell() < n_bytes:
            file.write(blocks[trial % 25].replace(b"@", str(trial + 1).encode()))
            trial += 1


def run(command):
    """Seconds of wall clock, peak memory in MB, standard output."""
    began = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - began, usage.ru_maxrss * 1024 / 1e6, output


def main():
    print(f"{'file':>8} {'reader':>8} {'seconds':>8} {'MB/s':>8} {'peak MB':>8}")
    for megabytes in map(float, sys.argv[1:] or ["100", "1000"]):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.csv"
            write_table(path, megabytes * 1e6)
            size = path.stat().st_size / 1e6
            speeds = {}
            for reader in ["milcci", "pandas"] * 3:
                if reader == "milcci":
                    seconds, peak, _ = run([PROGRAM, "info", path, "--quiet"])
                else:
                    _, peak, output = run([sys.executable, "-c", PANDAS, path])
                    seconds = float(output)
                speeds.setdefault(reader, []).append((seconds, peak))
            for reader, runs in speeds.items():
                seconds, peak = min(runs)
                print(
                    f"{size:6.0f}MB {reader:>8} {seconds:8.2f} {size / seconds:8.0f} {peak:8.0f}",
                    flush=True,
                )
            ratio = min(speeds["pandas"])[0] / min(speeds["milcci"])[0]
            print(f"{'':8} milcci is {ratio:.1f} times as fast")


if __name__ == "__main__":
    main()
