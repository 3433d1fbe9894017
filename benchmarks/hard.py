#!/usr/bin/env python3
"""Whether the search finds the best answer, and says so where it may not have.

    MILCCI_BIN=build/release/cli/milcci benchmarks/hard.py [--parts easy,many,...] [--seeds 200-209]

Parts: easy, many, signed, weak, sessions, real, authors, noise. Objectives are compared by one
ruler, that of the summary's `objective`. A fit is marked if one of its components is not `firm`.
Real data are read from MILCCI_SHARED_DATA (default ../shared/data) and skipped where absent. Seeds
below 100 are for tuning, from 200 on for reporting.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np
from scipy.optimize import linear_sum_assignment

import hard_problems
import signed_problems
from hard_problems import Layout

NONNEGATIVE = ["--nonnegative", "both"]
HIGHER = 1.01  # of the objective from the truth: more than that is a failed search

EASY = {
    "200 trials, alike": Layout(200),
    "120 trials, alike": Layout(120),
    "200 trials, less alike": Layout(200, spread=0.45, exchanged=0.2),
    "120 trials, less alike": Layout(120, spread=0.45, exchanged=0.2),
}
MANY = {
    "16 in two categories": Layout(150, components=(8, 8)),
    "16, traces alike": Layout(150, components=(8, 8), rigid=0.6),
    "24 in three categories": Layout(240, options=(3, 2, 4), components=(8, 8, 8)),
}
WEAK = {
    "one component with 0.004 of its energy": Layout(200, noise=0.05, weak=0.004),
    "one component with 0.01 of its energy": Layout(200, noise=0.05, weak=0.01),
    "one component with 0.02 of its energy": Layout(200, noise=0.1, weak=0.02),
}
REAL = {
    "elections": ["--category", "party=4", "--category", "office=4"],
    "wikis": ["--category", "family=4", "--category", "platform=2"],
    "steinmetz": [
        "--category",
        "contrast_left=2:ordinal",
        "--category",
        "contrast_right=2:ordinal",
        "--category",
        "feedback=2",
        "--fixed",
        "2",
    ],
}
# The lowest objective of 50 thorough fits each, seeds 1000 to 1049.
BEST = Path(__file__).with_name("hard_best.json")


def milcci(*arguments):
    """The JSON that one call of the program prints."""
    command = [os.environ["MILCCI_BIN"], *map(str, arguments), "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):  # 4: written, but not at rest
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def fit(trials, options):
    """One fit on one thread: its summary, its scores if there is a truth, and its components."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.h5"
        summary = milcci("fit", trials, *options, "--threads", 1, "-o", model)
        scores = milcci("evaluate", model, trials)
        with h5py.File(model) as f:
            components = {name: group["components"][:] for name, group in f["categories"].items()}
    matched = scores.get("component_correlation") or {"mean": float("nan")}
    return {
        "objective": summary["objective"]["total"],
        "component": matched["mean"],
        "marked": [word not in ("firm", "none") for word in summary["certainty"]],
        "dead": sum(share == 0 for share in summary["explained"]),
        "warnings": summary["warnings"],
        "seconds": summary["seconds_total"],
        "components": components,
    }


def found_and_truth(write, options, seed, truth_options=None):
    """The default fit of a simulated problem, and the one that starts from its truth."""
    with tempfile.TemporaryDirectory() as folder:
        trials = Path(folder) / "trials.h5"
        write(seed, trials)
        return fit(trials, options), fit(
            trials, [*(truth_options or options), "--start", str(trials)]
        )


def over_seeds(function, seeds):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, seeds))


def table(*columns):
    print("\n| " + " | ".join(columns) + " |\n|" + "---|" * len(columns), flush=True)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def of_layout(layout, seeds):
    options = [
        x for k, p in enumerate(layout.components) for x in ("--category", f"{chr(97 + k)}={p}")
    ]
    options += [] if layout.signed else NONNEGATIVE
    return over_seeds(
        lambda s: found_and_truth(
            lambda n, path: hard_problems.simulate(layout, n, path), options, s
        ),
        seeds,
    )


def share(part, whole):
    return f"{part} of {whole}"


def signed_problem(seed):
    with tempfile.TemporaryDirectory() as folder:
        trials = Path(folder) / "trials.h5"
        n = signed_problems.simulate(seed, trials)
        options = ["--category", f"a={n}", "--category", f"b={n}"]
        return fit(trials, options), fit(trials, [*options, "--start", str(trials)])


def part_found(problems):
    """Of every problem, its results by seed: what was found, and what was found from the truth."""
    table(
        "problem",
        "F > 1 % above the truth's",
        "of these marked",
        "components marked in right fits",
        "component correlation, mean",
        "worst",
        "from truth, mean",
        "worst",
        "dead but alive from the truth",
        "seconds",
    )
    for name, results_of in problems.items():
        results = results_of()
        failed = [f for f, t in results if f["objective"] > HIGHER * t["objective"]]
        right = [f for f, t in results if f["objective"] <= HIGHER * t["objective"]]
        row(
            name,
            share(len(failed), len(results)),
            share(sum(any(f["marked"]) for f in failed), len(failed)),
            share(sum(sum(f["marked"]) for f in right), sum(len(f["marked"]) for f in right)),
            *(
                f"{of([pair[i]['component'] for pair in results]):.4f}"
                for i in (0, 1)
                for of in (np.mean, min)
            ),
            sum(max(0, f["dead"] - t["dead"]) for f, t in results),
            f"{np.mean([f['seconds'] for f, _ in results]):.2f}",
        )


def part_layouts(layouts, seeds):
    part_found(
        {name: lambda layout=layout: of_layout(layout, seeds) for name, layout in layouts.items()}
    )


def part_simulated(rows, seeds):
    """Problems of `milcci simulate`."""
    table(
        "problem",
        "component correlation, all seeds",
        "from truth, mean",
        "marked fits",
        "warned fits",
        "seconds",
    )
    for name, (simulate, options, *truth_options) in rows.items():

        def write(seed, path, simulate=simulate):
            return milcci("simulate", *simulate, "--seed", seed, "-o", path)

        results = over_seeds(
            lambda s, w=write, o=options, t=truth_options: found_and_truth(w, o, s, *t), seeds
        )
        row(
            name,
            " ".join(f"{f['component']:.3f}" for f, _ in results),
            f"{np.mean([t['component'] for _, t in results]):.4f}",
            share(sum(any(f["marked"]) for f, _ in results), len(results)),
            share(sum(bool(f["warnings"]) for f, _ in results), len(results)),
            f"{np.mean([f['seconds'] for f, _ in results]):.1f}",
        )


def part_sessions(seeds):
    table(
        "channels in common",
        "within 0.01 of the truth-start",
        "component correlation",
        "from truth",
        "dead but alive from the truth",
        "warned of pairs never seen together",
    )
    for in_common in (60, 40, 20, 10, 0):
        results = of_layout(Layout(200, in_common=in_common), seeds)
        row(
            in_common,
            share(sum(f["component"] > t["component"] - 0.01 for f, t in results), len(results)),
            " ".join(f"{f['component']:.3f}" for f, _ in results),
            f"{np.mean([t['component'] for _, t in results]):.4f}",
            sum(max(0, f["dead"] - t["dead"]) for f, t in results),
            share(
                sum(
                    any("never" in w and "together" in w for w in f["warnings"]) for f, _ in results
                ),
                len(results),
            ),
        )


def agreement(a, b):
    """|cosine| of components of `a`, all variants together, with those of `b` assigned to them."""
    cosines = []
    for name in a:
        rows = []
        for components in (a[name], b[name]):  # option x component x channel
            flat = components.transpose(1, 0, 2).reshape(components.shape[1], -1)
            rows.append(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300))
        alike = np.abs(rows[0] @ rows[1].T)
        i, j = linear_sum_assignment(-alike)
        cosines += list(alike[i, j])
    return np.array(cosines)


def prepare_real(name, folder):
    shared = Path(os.environ.get("MILCCI_SHARED_DATA", "../shared/data"))
    steinmetz = shared / "neural/steinmetz_session1"
    arguments = {
        "elections": [shared / "elections", "--recipe", "elections"],
        "wikis": [
            shared / "pageviews/wikimedia_projectcounts_daily.csv.gz",
            "--recipe",
            "pageviews",
            "--drop-trials",
            "platform=zero",
        ],
        "steinmetz": [
            steinmetz / "spikes.csv.gz",
            "--labels",
            steinmetz / "trials.csv",
            "--absent",
            "zero",
            "--smooth",
            3,
            "--scale",
            "sqrt",
        ],
    }[name]
    if not Path(arguments[0]).exists():
        print(f"{name}: skipped, {arguments[0]} is absent")
        return None
    path = Path(folder) / f"{name}.h5"
    milcci("prepare", *arguments, "-o", path)
    return path


def part_real(seeds, thorough):
    best = json.loads(BEST.read_text()) if BEST.exists() else {}
    table(
        "data",
        "F over the best known, by seed",
        "within 0.5 %",
        "components that agree to 0.95 or are marked",
        "components marked",
        "seconds",
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, options in REAL.items():
            path = prepare_real(name, folder)
            if path is None:
                continue
            extra = ["--effort", "thorough"] if thorough else []
            fits = over_seeds(
                lambda s, p=path, o=[*options, *NONNEGATIVE, *extra]: fit(p, [*o, "--seed", s]),
                seeds,
            )
            lowest = min(fits, key=lambda f: f["objective"])
            if thorough:
                best[name] = min(best.get(name, np.inf), lowest["objective"])
            known = min(best.get(name, np.inf), lowest["objective"])
            alike = [agreement(f["components"], lowest["components"]) for f in fits]
            settled = sum(
                int(((a >= 0.95) | np.array(f["marked"])).sum())
                for a, f in zip(alike, fits, strict=True)
            )
            n = sum(a.size for a in alike)
            row(
                name,
                " ".join(f"{f['objective'] / known:.4f}" for f in fits),
                share(sum(f["objective"] <= 1.005 * known for f in fits), len(fits)),
                share(settled, n),
                share(sum(sum(f["marked"]) for f in fits), n),
                f"{np.mean([f['seconds'] for f in fits]):.2f}",
            )
    if thorough:
        BEST.write_text(json.dumps(best, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="200-209", help="first-last")
    parser.add_argument(
        "--parts",
        default="easy,many,signed,weak,sessions,real,authors,noise",
        help="comma-separated",
    )
    parser.add_argument(
        "--find-best", action="store_true", help="store the best of thorough fits of the real data"
    )
    arguments = parser.parse_args()
    first, last = (int(x) for x in arguments.seeds.split("-"))
    seeds = range(first, last + 1)
    paper = ["--category", "difficulty=2:ordinal", "--category", "choice=2", *NONNEGATIVE]
    plain = ["--category", "difficulty=2", "--category", "choice=2", *NONNEGATIVE]
    signed = ["--category", "difficulty=2:ordinal", "--category", "choice=2"]
    noisy = ["--length", "200", "--noise", "3"]
    parts = {
        "easy": lambda: part_layouts(EASY, seeds),
        "many": lambda: (
            part_layouts(MANY, seeds),
            part_simulated(
                {
                    "signed, twice the components": (
                        ["--signed"],
                        ["--category", "difficulty=4:ordinal", "--category", "choice=4"],
                        signed,
                    )
                },
                seeds,
            ),
        ),
        "signed": lambda: part_found({"signed, small": lambda: over_seeds(signed_problem, seeds)}),
        "weak": lambda: part_layouts(WEAK, seeds),
        "sessions": lambda: part_sessions(seeds),
        "real": lambda: part_real(seeds, arguments.find_best),
        "authors": lambda: part_simulated(
            {
                "independent variants, traces share their mean": (
                    ["--variation", "independent", "--traces", "shared"],
                    plain,
                ),
                "independent variants": (["--variation", "independent"], plain),
            },
            seeds,
        ),
        "noise": lambda: part_simulated(
            {
                "noise 3, 250 trials": (noisy, [*paper, "--smoothness", "10"]),
                "noise 3, 60 trials": ([*noisy, "--trials", "60"], [*paper, "--smoothness", "10"]),
            },
            seeds,
        ),
    }
    for name in arguments.parts.split(","):
        parts[name]()


if __name__ == "__main__":
    main()
