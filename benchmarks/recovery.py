#!/usr/bin/env python3
"""How well default settings find known truth: simulated data, each also fitted from the truth.

    MILCCI_BIN=build/release/cli/milcci benchmarks/recovery.py [--seeds 100-109]
        [--settings paper,noise,...]

Prints a Markdown table. A fit whose objective is higher than that of the fit from the truth counts
as a search failure; where it is not, data and penalties cannot tell. Objectives are compared to
TOLERANCE.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DEFAULT_FIT = ["--category", "difficulty=2:ordinal", "--category", "choice=2"]
NONNEGATIVE = ["--nonnegative", "both"]
THREE = [("a", 5, ":ordinal"), ("b", 3, ""), ("c", 2, "")]
TOLERANCE = 1e-3  # two fits that stopped on their way to one place differ by up to 3e-4

# name: (options of simulate, options of fit, options of the fit from the truth if they are others)
SETTINGS = {
    "paper": ([], DEFAULT_FIT + NONNEGATIVE, None),
    "noise": (["--noise", "0.1"], DEFAULT_FIT + NONNEGATIVE, None),
    "missing": (["--missing", "0.2"], DEFAULT_FIT + NONNEGATIVE, None),
    "lengths": (["--min-length", "100", "--max-length", "500"], DEFAULT_FIT + NONNEGATIVE, None),
    "few-trials": (["--trials", "40"], DEFAULT_FIT + NONNEGATIVE, None),
    "component": (["--shift", "component"], DEFAULT_FIT + NONNEGATIVE, None),
    "three": (
        ["--channels", "120", "--trials", "400"]
        + [x for name, n, kind in THREE for x in ("--category", f"{name}=4:{n}{kind}")],
        [x for name, _, kind in THREE for x in ("--category", f"{name}=4{kind}")] + NONNEGATIVE,
        None,
    ),
    "signed": (["--signed"], DEFAULT_FIT, None),
    "twice": (
        [],
        ["--category", "difficulty=4:ordinal", "--category", "choice=4", *NONNEGATIVE],
        DEFAULT_FIT + NONNEGATIVE,
    ),
    "free": (
        ["--variation", "independent", "--noise", "0.1"],
        ["--category", "difficulty=2:free", "--category", "choice=2:free", *NONNEGATIVE],
        None,
    ),
}


def milcci(*arguments):
    """The JSON that one call of the program prints."""
    command = [os.environ["MILCCI_BIN"], *arguments, "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):  # 4: reached the iteration limit
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def fit_and_score(trials, model, options):
    """Objective, seconds and correlations of one fit."""
    summary = milcci("fit", str(trials), *options, "-o", str(model), "--force")
    scores = milcci("evaluate", str(model), str(trials))
    explained = sorted(summary["explained"], reverse=True)
    return {
        "objective": summary["objective"]["total"],
        "seconds": summary["seconds_total"],
        "component": scores["component_correlation"]["mean"],
        "worst": min(m["component_correlation"] for m in scores["matches"]),
        "trace": scores["trace_correlation"]["mean"],
        "same": scores["same_category"],
        "surplus": sum(explained[len(scores["matches"]) :]),
        "warned": any("consistency penalty fights" in w for w in summary["warnings"]),
    }


def run(setting, seed, folder):
    simulate, fit, truth_fit = SETTINGS[setting]
    trials = Path(folder) / "trials.h5"
    milcci("simulate", *simulate, "--seed", str(seed), "-o", str(trials), "--force")
    model = Path(folder) / "model.h5"
    found = fit_and_score(trials, model, fit)
    truth = fit_and_score(trials, model, (truth_fit or fit) + ["--start", str(trials)])
    default = fit_and_score(trials, model, DEFAULT_FIT + NONNEGATIVE) if setting == "free" else None
    return found, truth, default


def mean(values):
    return sum(values) / len(values)


def report(setting, results):
    found, truth = [r[0] for r in results], [r[1] for r in results]
    failures = sum(
        f["objective"] > t["objective"] * (1 + TOLERANCE) for f, t in zip(found, truth, strict=True)
    )
    line = [
        setting,
        f"{mean([f['component'] for f in found]):.4f}",
        f"{min(f['component'] for f in found):.4f}",
        f"{min(f['worst'] for f in found):.4f}",
        f"{mean([f['trace'] for f in found]):.4f}",
        f"{sum(f['same'] for f in found)} of {len(found)}",
        f"{mean([t['component'] for t in truth]):.4f}",
        f"{mean([t['trace'] for t in truth]):.4f}",
        f"{failures}" if SETTINGS[setting][2] is None else "",
        f"{mean([f['seconds'] for f in found]):.1f}",
    ]
    print("| " + " | ".join(line) + " |", flush=True)
    if setting == "twice":
        surplus = max(f["surplus"] for f in found)
        print(f"  largest share of the energy in surplus components: {surplus:.2g}")
    if setting == "free":
        print(f"  default kind: warned in {sum(r[2]['warned'] for r in results)} of {len(results)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="100-109", help="first-last")
    parser.add_argument(
        "--settings", default=",".join(SETTINGS), help="comma-separated, of " + ", ".join(SETTINGS)
    )
    parser.add_argument("--verbose", action="store_true", help="also one line per seed")
    arguments = parser.parse_args()
    first, last = (int(x) for x in arguments.seeds.split("-"))
    print(
        "| setting | component, mean | worst seed | worst component | trace, mean | same category |"
        " from truth: component | trace | search failures | seconds |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for setting in arguments.settings.split(","):
        results = []
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(first, last + 1):
                results.append(run(setting, seed, folder))
                if arguments.verbose:
                    print(f"  {setting} {seed}: {results[-1]}", file=sys.stderr, flush=True)
        report(setting, results)


if __name__ == "__main__":
    main()
