#!/usr/bin/env python3
"""How well components, traces, members and standard errors are found under noise.

    MILCCI_BIN=build/release/cli/milcci benchmarks/noise.py [--noise 0.3,1,3] [--trials 250]
        [--seeds 200-204] [--correlated] [--options "--penalties fixed"]

Fits `simulate --preset paper --length 200` by default settings and `--nonnegative both`. F1 is of
"is a member", over all memberships. Coverage is the share of memberships, of those found to be
members, whose 90 % interval holds the true one in the scale of the model. With --correlated the
noise is a running mean over 3 time points, as in smoothed rates, of the same size. Seeds below 100
are for tuning, from 200 on for reporting.
"""

import argparse
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

CATEGORIES = [
    "--category",
    "difficulty=2:ordinal",
    "--category",
    "choice=2",
    "--nonnegative",
    "both",
]
ORDER = ("difficulty", "choice")  # of the components in traces and matches
Z90 = 1.645


def milcci(*arguments):
    command = [os.environ["MILCCI_BIN"], *map(str, arguments), "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def correlate_noise(path):
    """Replaces the noise of trials by its running mean over 3 time points, as large as before."""
    with h5py.File(path, "r+") as file:
        values, edges = file["values"][:], file["trial_offset"][:].astype(int)
        traces, truth = file["truth/traces/values"][:], file["truth/categories"]
        signal = np.zeros_like(values)
        for position, name in enumerate(ORDER):
            variants, options = truth[name]["components"][:], list(truth[name]["option"].asstr()[:])
            n_components = variants.shape[1]
            labels = file["labels"][name]
            labels = (
                labels.asstr()[:]
                if labels.dtype.kind == "O"
                else [str(label) for label in labels[:]]
            )
            for m, label in enumerate(labels):
                rows = slice(edges[m], edges[m + 1])
                part = traces[rows, position * n_components : (position + 1) * n_components]
                signal[rows] += part @ variants[options.index(label)]
        noise = values - signal
        for first, last in itertools.pairwise(edges):
            padded = np.pad(noise[first:last], ((1, 1), (0, 0)), mode="wrap")
            noise[first:last] = (padded[:-2] + padded[1:-1] + padded[2:]) / np.sqrt(3)
        file["values"][:] = signal + noise


def stacked(group, dataset):
    """component x option x channel of all categories, a list."""
    return [component for name in ORDER for component in group[name][dataset][:].transpose(1, 0, 2)]


def one(noise, trials, seed, is_correlated, options):
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder) / "trials.h5", Path(folder) / "model.h5"
        milcci(
            "simulate",
            "--preset",
            "paper",
            "--length",
            200,
            "--noise",
            noise,
            "--trials",
            trials,
            "--seed",
            seed,
            "-o",
            data,
        )
        if is_correlated:
            correlate_noise(data)
        milcci("fit", data, *CATEGORIES, *options, "-o", model)
        scores = milcci("evaluate", model, data)
        with h5py.File(data) as file:
            truth = stacked(file["truth/categories"], "components")
        with h5py.File(model) as file:
            found = stacked(file["categories"], "components")
            errors = (
                stacked(file["standard_errors"], "standard_errors")
                if "standard_errors" in file
                else None
            )
    hits = extra = missed = covered = intervals = 0
    for match in scores["matches"]:
        true, estimate = truth[match["truth"]], match["estimate"]
        if match["true_category"] != match["estimated_category"]:
            continue
        true = true / np.abs(true).sum(axis=1, keepdims=True)
        is_member, is_found = true != 0, found[estimate] != 0
        hits += (is_member & is_found).sum()
        extra += (~is_member & is_found).sum()
        missed += (is_member & ~is_found).sum()
        if errors:
            inside = np.abs(found[estimate] - true) <= Z90 * errors[estimate]
            covered += inside[is_found].sum()
            intervals += is_found.sum()
    return (
        scores["component_correlation"]["mean"],
        scores["trace_correlation"]["mean"],
        2 * hits / max(1, 2 * hits + extra + missed),
        covered / intervals if intervals else float("nan"),
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--noise", default="0.3,1,3")
    parser.add_argument("--trials", type=int, default=250)
    parser.add_argument("--seeds", default="200-204")
    parser.add_argument("--correlated", action="store_true")
    parser.add_argument("--options", default="")
    given = parser.parse_args()
    first, last = map(int, given.seeds.split("-"))
    print(
        "| noise | trials | components (worst) | traces (worst) | F1 of members (worst) "
        "| coverage of 90 % intervals |\n"
        "|---|---|---|---|---|---|",
        flush=True,
    )
    for noise in given.noise.split(","):
        rows = np.array(
            [
                one(noise, given.trials, seed, given.correlated, shlex.split(given.options))
                for seed in range(first, last + 1)
            ]
        )
        mean, least = rows.mean(axis=0), rows.min(axis=0)
        print(
            f"| {noise} | {given.trials} | {mean[0]:.4f} ({least[0]:.4f}) "
            f"| {mean[1]:.4f} ({least[1]:.4f}) | {mean[2]:.4f} ({least[2]:.4f}) "
            f"| {mean[3]:.3f} ({least[3]:.3f} to {rows[:, 3].max():.3f}) |",
            flush=True,
        )


if __name__ == "__main__":
    main()
