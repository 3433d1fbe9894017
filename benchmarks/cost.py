#!/usr/bin/env python3
"""What estimated penalties, smoothness and the Huber loss cost, as ratios within one run.

    MILCCI_BIN=build/release/cli/milcci benchmarks/cost.py [--parts iteration,...] [--pairs 5]

Parts: iteration, smooth, penalties, huber. Fits of the presets of `simulate` with `--nonnegative
both` on one thread. The two sides of a ratio run in turns, so that a busy moment falls on both.
Printed are the median of the ratios of all pairs, the least and the largest, and the median CPU
seconds of both sides. A whole fit is the process, from file to file. An iteration and a trace pass
are means over 30 iterations, without the search; a fit times these by the clock, and what counts is
their share of the clock times the CPU seconds of the process, because a busy machine stretches the
clock.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path
from statistics import median

from hard import NONNEGATIVE, milcci, row, table
from noise import CATEGORIES

PRESETS = {
    "paper": CATEGORIES,
    "recording": [
        *("--trial-number", 2, "--category", "prior=2:ordinal", "--category", "side=2"),
        *("--fixed", 2, *NONNEGATIVE),
    ],
}
ITERATIONS = 30
STEADY = [
    *("--tolerance", 0, "--max-iterations", ITERATIONS),
    *("--restarts", 1, "--candidates", 1),
]
FIXED = ["--penalties", "fixed"]
PLAIN = [*FIXED, "--offset", "none", "--noise", "equal"]
ALL_ON = ["--penalties", "auto", "--offset", "channel", "--noise", "channel"]
ROUGH, SMOOTH = ["--smoothness", 0], ["--smoothness", 1]
HUBER = ["--loss", "huber"]


def fit(trials, options):
    """The summary of a fit, its CPU seconds, and these over its seconds by the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    model = trials.with_name("model.h5")
    summary = milcci("fit", trials, *options, "--threads", 1, "-o", model, "--force")
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return summary, cpu, cpu / (end - begin)


def iterations(trials, options):
    summary, _, cpu_share = fit(trials, [*options, *STEADY])
    n = len(summary["iterations"])
    assert n == ITERATIONS, f"{n} iterations: {summary['message']}"
    return summary, cpu_share


def of_iteration(trials, options):
    """From the end of the first to that of the last; what comes before is part of the start."""
    summary, cpu_share = iterations(trials, options)
    ends = [record["seconds"] for record in summary["iterations"]]
    return cpu_share * (ends[-1] - ends[0]) / (len(ends) - 1)


def of_trace_pass(trials, options):
    summary, cpu_share = iterations(trials, options)
    return cpu_share * summary["seconds_traces"] / ITERATIONS


def of_whole_fit(trials, options):
    return fit(trials, options)[1]


# part: (measure, most that is asked, name, options of the dearer side, of the other)
PARTS = {
    "iteration": [
        (of_iteration, 1.3, "iteration, all on over plain", ALL_ON + ROUGH, PLAIN + ROUGH),
        (of_iteration, 1.3, "the same, with smoothness 1", ALL_ON + SMOOTH, PLAIN + SMOOTH),
    ],
    "smooth": [
        (of_trace_pass, 2, "trace pass, smoothness 1 over 0", FIXED + SMOOTH, FIXED + ROUGH)
    ],
    "penalties": [(of_whole_fit, 2.5, "whole fit, default over fixed penalties", [], FIXED)],
    "huber": [(of_whole_fit, 2.5, "whole fit, Huber over squared loss", HUBER, [])],
}


def compare(trials, preset, n_pairs, part):
    measure, at_most, name, dearer, other = part
    pairs = [
        tuple(measure(trials, [*PRESETS[preset], *options]) for options in (dearer, other))
        for _ in range(n_pairs)
    ]
    ratios = [a / b for a, b in pairs]
    ratio, met = median(ratios), "yes" if median(ratios) <= at_most else "no"
    seconds = [f"{median(side):.3g}" for side in zip(*pairs, strict=True)]
    extent = f"{min(ratios):.2f} to {max(ratios):.2f}"
    row(name, preset, f"{ratio:.2f}", extent, *seconds, f"<= {at_most}", met)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="comma-separated")
    parser.add_argument("--pairs", type=int, default=5)
    given = parser.parse_args()
    table("what", "data", "ratio", "range", "seconds", "of the other", "asked", "met")
    with tempfile.TemporaryDirectory() as folder:
        for preset in PRESETS:
            trials = Path(folder) / f"{preset}.h5"
            milcci("simulate", "--preset", preset, "-o", trials)
            for name in given.parts.split(","):
                for part in PARTS[name]:
                    compare(trials, preset, given.pairs, part)


if __name__ == "__main__":
    main()
