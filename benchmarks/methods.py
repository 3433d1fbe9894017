#!/usr/bin/env python3
"""All methods of `milcci compare` on simulated and real data, as tables.

    MILCCI_BIN=build/release/cli/milcci benchmarks/methods.py [--parts simulated,real,times]
        [--json FILE] [--seeds 200-204] [--time-limit 60] [--tune]

simulated: `simulate --preset paper --length 200`, noise 0, 0.3 and 1, one data set per seed:
correlation of components and traces with the truth, mean and standard deviation over the seeds, and
the rank. real: elections, pages, the Steinmetz session and the human neurons as benchmarks/real.py
prepares them: information criteria and co-smoothing of held-out trials, five splits. times: seconds
of every method on elections, pages and the preset `recording`, one thread, as ratios to ours in the
same run. Real data are read from MILCCI_SHARED_DATA (default ../shared/data) and skipped where
absent. Seeds below 100 are for tuning, from 200 on for reporting.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import real_data

PAPER = ["--category", "difficulty=2:ordinal", "--category", "choice=2"]
RECORDING = [
    "--trial-number",
    "2",
    "--category",
    "prior=2:ordinal",
    "--category",
    "side=2",
    "--fixed",
    "2",
]
REAL = ("elections", "pages", "steinmetz", "recognition", "encoding")


def milcci(*arguments):
    command = [os.environ["MILCCI_BIN"], *map(str, arguments), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def compare(path, categories, options):
    return json.loads(milcci("compare", path, *categories, *options, "--json"))


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(*cells):
    print()
    row(*cells)
    row(*["---"] * len(cells))


def mean_and_sd(values, digits=3):
    values = [v for v in values if v is not None]
    if not values:
        return "-"
    sd = np.std(values, ddof=1) if len(values) > 1 else 0
    return f"{np.mean(values):.{digits}f} ± {sd:.{digits}f}"


def is_as_asked(method, run):
    """And not with fewer components, or noise added, after it failed."""
    return not method["added_noise"] and method["n_components"] == run["n_components"]


def ranks(runs, score):
    """Of every method in every run, 1 is the best."""
    places = {}
    for run in runs:
        values = {
            m["name"]: score(m)
            for m in run["methods"]
            if is_as_asked(m, run) and score(m) is not None
        }
        for name, value in values.items():
            places.setdefault(name, []).append(1 + sum(other > value for other in values.values()))
    return places


def of_truth(key):
    return lambda method: (method[key] or {}).get("mean")


def part_simulated(arguments, results):
    for noise in (0, 0.3, 1):
        runs = []
        for seed in arguments.seeds:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "trials.h5"
                milcci(
                    "simulate",
                    "--preset",
                    "paper",
                    "--length",
                    200,
                    "--noise",
                    noise,
                    "--seed",
                    seed,
                    "-o",
                    path,
                )
                runs.append(compare(path, PAPER, [*arguments.options, "--seed", seed]))
        results[f"simulated, noise {noise}"] = runs
        print(f"\nNoise {noise}, {len(runs)} data sets")
        head("method", "components", "traces", "rank by components", "co-smoothing", "R2")
        component, trace = of_truth("component_correlation"), of_truth("trace_correlation")
        places = ranks(runs, component)
        for name in dict.fromkeys(m["name"] for m in runs[0]["methods"]):
            mine = [next(m for m in run["methods"] if m["name"] == name) for run in runs]
            if mine[0]["failed"]:
                row(name, "failed: " + mine[0]["failed"].split(",")[0], "", "", "", "")
                continue
            own = places.get(name, [0])
            row(
                name,
                mean_and_sd([component(m) for m in mine]),
                mean_and_sd([trace(m) for m in mine]),
                f"{np.mean(own):.1f} ({min(own)} to {max(own)})",
                mean_and_sd([m["cosmoothing_r2"] for m in mine]),
                mean_and_sd([m["r2"] for m in mine]),
            )


def prepared(name, cache):
    """Trials file and categories of a real data set, or nothing where the data are absent."""
    data_set = real_data.DATA_SETS[name]
    if not (real_data.SHARED / data_set.source).exists():
        print(f"\n{name}: skipped, no data")
        return None
    Path(cache).mkdir(parents=True, exist_ok=True)
    return real_data.prepare(name, cache, milcci), data_set.fit_options


def part_real(arguments, results):
    for name in REAL:
        found_data = prepared(name, arguments.cache)
        if found_data is None:
            continue
        path, categories = found_data
        found = compare(path, categories, [*arguments.options, "--repeats", 5])
        results[name] = found
        print(
            f"\n{name}: {found['n_trials']} trials of {found['n_channels']} channels, "
            f"{found['n_components']} components"
        )
        head(
            "method",
            "co-smoothing, 5 splits",
            "rank",
            "R2",
            "free numbers",
            "AIC",
            "BIC",
            "HQC",
            "seconds",
        )
        for method in found["methods"]:
            label = (
                method["name"]
                if is_as_asked(method, found)
                else f"{method['name']}, {method['n_components']} components"
            )
            if method["failed"]:
                row(label, "failed: " + method["failed"].split(";")[0], *[""] * 7)
                continue
            spread = method["spread"].get("cosmoothing_r2")
            held_out = "-" if spread is None else f"{spread['mean']:.3f} ± {spread['sd'] or 0:.3f}"
            place = (
                "-"
                if spread is None
                else f"{spread['rank_mean']:.1f} ({spread['rank_min']:g} to {spread['rank_max']:g})"
            )
            criteria = [
                "-" if method[key] is None else f"{method[key]:.0f}"
                for key in ("aic", "bic", "hqc")
            ]
            free = (
                "-"
                if method["degrees_of_freedom"] is None
                else f"{method['degrees_of_freedom']:.0f}"
            )
            row(
                label,
                held_out,
                place,
                f"{method['r2']:.3f}",
                free,
                *criteria,
                f"{method['seconds']:.2f}",
            )


def part_times(arguments, results):
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "recording.h5"
        milcci("simulate", "--preset", "recording", "-o", recording)
        sets = {"recording-size": (recording, RECORDING)}
        for name in ("elections", "pages"):
            found_data = prepared(name, arguments.cache)
            if found_data is not None:
                sets[name] = found_data
        found = {
            name: compare(path, categories, [*arguments.options, "--held-out", 0, "--threads", 1])
            for name, (path, categories) in sets.items()
        }
    results["times"] = found
    print("\nSeconds of a fit, and as a multiple of ours in the same run")
    head("method", *found)
    for name in dict.fromkeys(m["name"] for m in next(iter(found.values()))["methods"]):
        cells = []
        for comparison in found.values():
            ours = comparison["methods"][0]["seconds"]
            method = next(m for m in comparison["methods"] if m["name"] == name)
            limit = " (time limit)" if method["stopped"] == "time_limit" else ""
            cells.append(
                "failed"
                if method["failed"]
                else f"{method['seconds']:.2f} ({method['seconds'] / ours:.2f}){limit}"
            )
        row(name, *cells)


PARTS = {"simulated": part_simulated, "real": part_real, "times": part_times}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--seeds", default="200-204", help="first-last")
    parser.add_argument("--time-limit", default="60", help="seconds per method")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--restarts", default="2")
    parser.add_argument("--cache", default="build/methods", help="folder for prepared data")
    parser.add_argument("--json", help="file for all results")
    arguments = parser.parse_args()
    first, last = (int(x) for x in arguments.seeds.split("-"))
    arguments.seeds = range(first, last + 1)
    arguments.options = ["--time-limit", arguments.time_limit, "--restarts", arguments.restarts]
    if arguments.tune:
        arguments.options.append("--tune")
    results = {}
    for name in arguments.parts.split(","):
        PARTS[name](arguments, results)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
