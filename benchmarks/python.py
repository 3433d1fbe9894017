#!/usr/bin/env python3
"""A fit from arrays of NumPy against `milcci fit` of the same trials, in the same run.

    python benchmarks/python.py [--runs N] [--threads N]       needs numpy and the package milcci

The program is the one beside the package (`python -m milcci` runs it). Trials are those of the
preset `recording`, as a trials file for the program and as .npy for Python. Both run in a process
of their own, one after the other, and do the same: bring the data into memory, fit, write the
model. CPU is user and system time of the whole process; memory is its peak. Runs come in pairs,
whose order alternates; told are the medians, and the least and largest ratio of a pair, because on
a machine that does other things too CPU seconds of the same work differ by a tenth. Beside the
plain ratios stand those without what a process needs that only starts (the program with --version,
Python with `import milcci`), because an interpreter is no part of a fit.

The peak that Linux tells of a process is at least the size of the one that started it. So this one
stays small: it imports neither NumPy nor the package, and the trials are made elsewhere. It stops
if its own size could be what it measures.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median

PROGRAM = Path(find_spec("milcci").origin).parent / "bin" / "milcci"  # found without importing it
CATEGORIES = {"prior": 2, "side": 2}
OPTIONS = {
    "trial_number": 2,
    "fixed": 2,
    "nonnegative": "both",
    "effort": "quick",
    "max_iterations": 30,
}
START = "import milcci"
FIT = """
import json, sys, warnings
import numpy as np
import milcci
warnings.simplefilter("ignore")
folder, kind, keywords = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
values = np.load(f"{folder}/{kind}.npy")  # time x channel, trial after trial
ends = np.cumsum(np.load(f"{folder}/lengths.npy"))
trials = [values[end - n : end] for n, end in zip(np.diff(ends, prepend=0), ends)]
labels = {name: np.load(f"{folder}/{name}.npy") for name in keywords["categories"]}
given = milcci.as_trials(trials, labels, dims=("time", "channel"))
assert all(np.shares_memory(trial, values) for trial in given), "copied"
milcci.MILCCI(**keywords).fit(given).save(f"{folder}/ours.h5", overwrite=True)
"""


WRITE = """
import sys
import numpy as np
import milcci
folder = sys.argv[1]
trials = milcci.simulate("recording")
trials.save(f"{folder}/trials.h5")
values = np.concatenate([trial.T for trial in trials])
for kind in ("float64", "float32"):
    np.save(f"{folder}/{kind}.npy", values.astype(kind))
np.save(f"{folder}/lengths.npy", trials.lengths)
for name in sys.argv[2:]:
    np.save(f"{folder}/{name}.npy", trials.labels[name])
"""
COMPARE = """
import sys, milcci
print(milcci.compare_models(*sys.argv[1:])["component_correlation"]["min"])
"""


def own_peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def run(command):
    """CPU seconds and peak memory in MB."""
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 4), command  # 4: before it came to rest
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def commands(folder, kind, threads):
    options = {**OPTIONS, "threads": threads, "precision": kind}
    flags = [
        part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)
    ]
    kinds = ["--category", "prior=2:ordinal", "--category", "side=2"]
    keywords = json.dumps({**options, "categories": CATEGORIES})
    return {
        "program": [
            PROGRAM,
            "fit",
            folder / "trials.h5",
            *kinds,
            *flags,
            "-o",
            folder / "theirs.h5",
            "--force",
        ],
        "python": [sys.executable, "-c", FIT, folder, kind, keywords],
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=6, help="pairs of runs")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    run([sys.executable, "-c", START])  # its files come into the page cache
    started = {"program": run([PROGRAM, "--version"]), "python": run([sys.executable, "-c", START])}
    for who, (cpu, peak) in started.items():
        print(f"{who} that only starts: {cpu:.2f} s CPU, {peak:.0f} MB")
    print(f"{'values':>8} {'who':>8} {'CPU s':>8} {'peak MB':>8}  values alone MB")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run([sys.executable, "-c", WRITE, folder, *CATEGORIES])
        for kind in ("float64", "float32"):
            size = (folder / f"{kind}.npy").stat().st_size / 1e6
            found = {"program": [], "python": []}
            for i in range(asked.runs):
                pair = list(commands(folder, kind, asked.threads).items())
                for who, command in pair if i % 2 == 0 else pair[::-1]:
                    found[who].append(run(command))
            for who, runs in found.items():
                cpu, peak = (median(column) for column in zip(*runs, strict=True))
                assert peak > 4 * own_peak(), "the peak of this process, not of the fit"
                print(f"{kind:>8} {who:>8} {cpu:8.2f} {peak:8.0f}  {size:8.0f}")
            for words, less in (("ratio", 0), ("without the start", 1)):
                cpu, peak = (
                    [
                        (ours[i] - less * started["python"][i])
                        / (theirs[i] - less * started["program"][i])
                        for ours, theirs in zip(found["python"], found["program"], strict=True)
                    ]
                    for i in (0, 1)
                )
                least, most = min(cpu), max(cpu)
                told = f"CPU {median(cpu):.3f} ({least:.3f} to {most:.3f}), peak {median(peak):.3f}"
                print(f"{kind:>8} {words}: {told}")
            models = [folder / "ours.h5", folder / "theirs.h5"]
            same = subprocess.run(
                [sys.executable, "-c", COMPARE, *models], capture_output=True, text=True, check=True
            )
            print(
                f"{kind:>8} least correlation of components between the two: "
                f"{float(same.stdout):.9f}"
            )
    print(f"this process: {own_peak():.0f} MB")


if __name__ == "__main__":
    main()
