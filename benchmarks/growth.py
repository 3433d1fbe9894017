#!/usr/bin/env python3
"""How the time of an iteration grows with channels, time points, trials, components and options.

    MILCCI_BIN=build/release/cli/milcci benchmarks/growth.py [--repeats 3]
        [--figure docs/growth.svg]

Simulates data of growing size in one direction at a time, runs twenty iterations from the truth and
takes the shortest of all repeats, in turns over the sizes so that a busy moment does not fall on
one of them. Prints a Markdown table with the slope in a log-log plot: 1 is linear. The figure needs
matplotlib.
"""

import argparse
import itertools
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

# 640 MB to 2.6 GB: beyond all caches, where larger recordings are. Below, steps between the levels
# of memory are measured, and how much of a shared cache the neighbours leave.
BASE = {"channels": 80, "time points": 500, "trials": 2000, "components": 4, "options": 5}
SIZES = {
    "channels": [80, 120, 160, 240, 320],
    "time points": [500, 750, 1000, 1500, 2000],
    "trials": [2000, 3000, 4000, 6000, 8000],
    "components": [2, 4, 8, 16],
    "options": [5, 10, 20, 40],
}
ITERATIONS = 20


def run(*arguments):
    command = [os.environ.get("MILCCI_BIN", "milcci"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 4):  # 4: stopped at the iteration limit, as asked
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def simulate(size, path):
    half = size["components"] // 2
    run(
        "simulate",
        "--channels",
        size["channels"],
        "--length",
        size["time points"],
        "--trials",
        size["trials"],
        "--category",
        f"dose={half}:{size['options']}:ordinal",
        "--category",
        f"side={half}:2",
        "-o",
        path,
    )


def shortest_iteration(size, path, threads):
    half = size["components"] // 2
    told = json.loads(
        run(
            "fit",
            path,
            "--category",
            f"dose={half}:ordinal",
            "--category",
            f"side={half}",
            "--nonnegative",
            "both",
            "--start",
            path,
            "--tolerance",
            0,
            "--component-tolerance",
            0,
            "--max-iterations",
            ITERATIONS,
            "--threads",
            threads,
            "--json",
            "--quiet",
            "--force",
            "-o",
            path.with_suffix(".model"),
        )
    )
    ends = [record["seconds"] for record in told["iterations"]]
    return min(after - before for before, after in itertools.pairwise(ends))


def slope(sizes, seconds):
    x, y = [math.log(s) for s in sizes], [math.log(s) for s in seconds]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum(
        (a - mean_x) ** 2 for a in x
    )


def draw(results, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "growth"  # the same file for the same numbers
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, len(results), figsize=(13, 2.8), sharey=True, layout="constrained"
    )
    for axis, (name, seconds) in zip(axes, results.items(), strict=True):
        milliseconds = [1e3 * s for s in seconds]
        linear = [milliseconds[0] * s / SIZES[name][0] for s in SIZES[name]]
        axis.loglog(SIZES[name], linear, color="0.7", label="linear")
        axis.loglog(SIZES[name], milliseconds, "o-", color="tab:blue", label="measured")
        axis.set_title(f"slope {slope(SIZES[name], seconds):.2f}", fontsize=10)
        axis.set_xlabel(name)
        axis.set_xticks(SIZES[name], labels=map(str, SIZES[name]))
        axis.minorticks_off()
    all_milliseconds = [1e3 * s for seconds in results.values() for s in seconds]
    powers = range(
        math.floor(math.log2(min(all_milliseconds))),
        math.ceil(math.log2(max(all_milliseconds))) + 1,
    )
    axes[0].set_yticks(
        [2.0**power for power in powers], labels=[f"{2.0**power:g}" for power in powers]
    )
    axes[0].set_ylabel("one iteration, ms")
    axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()

    results = {}
    print("| | sizes | milliseconds | slope |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, sizes in SIZES.items():
            paths = [Path(folder) / f"{value}.h5" for value in sizes]
            shapes = [BASE | {name: value} for value in sizes]
            for shape, path in zip(shapes, paths, strict=True):
                simulate(shape, path)
            best = [math.inf] * len(sizes)
            for _ in range(arguments.repeats):
                for i, (shape, path) in enumerate(zip(shapes, paths, strict=True)):
                    best[i] = min(best[i], shortest_iteration(shape, path, arguments.threads))
            for path in Path(folder).iterdir():
                path.unlink()
            results[name] = best
            print(
                f"| {name} | {', '.join(map(str, sizes))} "
                f"| {', '.join(f'{1e3 * s:.2f}' for s in best)} | {slope(sizes, best):.2f} |",
                flush=True,
            )
    if arguments.figure:
        draw(results, arguments.figure)


if __name__ == "__main__":
    main()
