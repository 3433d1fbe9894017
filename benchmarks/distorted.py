#!/usr/bin/env python3
"""What default settings reach on distorted data.

    MILCCI_BIN=build/release/cli/milcci benchmarks/distorted.py [--parts baseline,outliers,...]
        [--seeds 200-204]

Parts: baseline, outliers, counts, surplus, noise, dynamics. Data are of `simulate --preset paper`,
fits with `--nonnegative both`. Component and trace correlations are the means that `evaluate`
prints. What is asked is asked of every seed. Seeds below 100 are for tuning, from 200 on for
reporting. Two rows of the counts tell what is possible: a fit that starts from the truth, and one
whose traces are smoother than estimated.
"""

import argparse
import tempfile
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np

from hard import NONNEGATIVE, milcci, over_seeds, row, table
from noise import CATEGORIES, ORDER, stacked

MORE_TRUE = ["--category", "difficulty=3:5:ordinal", "--category", "choice=3:2"]
MORE_ASKED = ["--category", "difficulty=6:ordinal", "--category", "choice=6", *NONNEGATIVE]
N_TRUE, N_ASKED = 6, 12
SMOOTHNESS = (0, 0.1, 1, 10, 100)


@contextmanager
def simulated(seed, options):
    with tempfile.TemporaryDirectory() as folder:
        trials = Path(folder) / "trials.h5"
        milcci("simulate", "--preset", "paper", *options, "--seed", seed, "-o", trials)
        yield trials


def model_of(trials):
    return trials.with_name("model.h5")


def fit(trials, *options, categories=CATEGORIES):
    """The summary of a fit on one thread, and its scores."""
    given = [*categories, *options, "--threads", 1, "-o", model_of(trials), "--force"]
    return milcci("fit", trials, *given), milcci("evaluate", model_of(trials), trials)


def component(result):
    return result[1]["component_correlation"]["mean"]


def trace(result):
    return result[1]["trace_correlation"]["mean"]


def n_alive(summary):
    return sum(share > 0 for share in summary["explained"])


def result_table():
    table("data", "fit", "what", "by seed", "worst", "asked", "met")


def result_row(data, fitted, what, values, at_least=None):
    worst = np.min(values)
    asked = ("", "") if at_least is None else (f">= {at_least}", yes(worst >= at_least))
    row(data, fitted, what, " ".join(f"{v:.4f}" for v in values), f"{worst:.4f}", *asked)


def count_row(data, fitted, what, values, asked):
    worst = max(values, key=lambda v: abs(v - asked))
    row(data, fitted, what, " ".join(map(str, values)), worst, asked, yes(worst == asked))


def yes(is_met):
    return "yes" if is_met else "no"


def part_baseline(seeds):
    def one(seed):
        with simulated(seed, ["--baseline", 5]) as trials:
            return component(fit(trials))

    result_table()
    result_row("baseline 5", "default", "components", over_seeds(one, seeds), 0.98)


def advised(told):
    return int(any("--loss huber" in finding["advice"] for finding in told["findings"]))


def part_outliers(seeds):
    def one(seed):
        with simulated(seed, ["--outliers", 0.01]) as trials:
            checked = milcci("check", trials)
            default = fit(trials)
            huber = fit(trials, "--loss", "huber")
            return component(default), component(huber), advised(checked), advised(default[0])

    default, huber, by_check, by_fit = zip(*over_seeds(one, seeds), strict=True)
    data = "outliers 0.01"
    result_table()
    result_row(data, "default", "components", default)
    result_row(data, "--loss huber", "components", huber, 0.97)
    count_row(data, "", "check advises huber", by_check, 1)
    count_row(data, "default", "fit advises huber", by_fit, 1)


def part_counts(seeds):
    result_table()
    for mean, asked in ((0.3, 0.98), (0.1, 0.95)):

        def one(seed, mean=mean):
            with simulated(seed, ["--counts", mean]) as trials:
                return [
                    component(fit(trials, *options))
                    for options in ([], ["--start", trials], ["--smoothness", 100])
                ]

        default, from_truth, smooth = zip(*over_seeds(one, seeds), strict=True)
        result_row(f"counts {mean}", "default", "components", default, asked)
        result_row(f"counts {mean}", "from the truth", "components", from_truth)
        result_row(f"counts {mean}", "--smoothness 100", "components", smooth)


def part_surplus(seeds):
    result_table()
    for noise in (0.2, 1):

        def one(seed, noise=noise):
            with simulated(seed, [*MORE_TRUE, "--noise", noise]) as trials:
                result = fit(trials, categories=MORE_ASKED)
                return component(result), n_alive(result[0])

        components, alive = zip(*over_seeds(one, seeds), strict=True)
        data, fitted = f"{N_TRUE} components, noise {noise}", f"default, {N_ASKED} components"
        result_row(data, fitted, "components", components, 0.98)
        count_row(data, fitted, "components alive", alive, N_TRUE)


def part_noise(seeds):
    def one(seed):
        with simulated(seed, ["--pure-noise", "--noise", 1]) as trials:
            summary, _ = fit(trials)
            says_so = any("nothing was found" in w for w in summary["warnings"])
            return n_alive(summary), int(says_so)

    alive, says_so = zip(*over_seeds(one, seeds), strict=True)
    result_table()
    count_row("pure noise", "default", "components alive", alive, 0)
    count_row("pure noise", "default", "fit says so", says_so, 1)


def transitions(trials, matches):
    """True and found W by label x component x component, in the order and scale of the truth.

    A fit has a W of every trial; here it is the mean over the trials of a label. Where a component
    is longer its trace is shorter, and W is scaled accordingly, as in `evaluate`.
    """
    order = [match["estimate"] for match in sorted(matches, key=lambda match: match["truth"])]
    with h5py.File(trials) as data, h5py.File(model_of(trials)) as fitted:
        true, found = data["truth/traces/transitions"][:], fitted["traces/transitions"][:]
        options = np.stack([fitted["categories"][name]["option_of_trial"][:] for name in ORDER])
        true_lengths = lengths_by_trial(data["truth/categories"], options)
        lengths = lengths_by_trial(fitted["categories"], options)
    factors = true_lengths / lengths[:, order]
    found = found[:, order][:, :, order] * factors[:, None, :] / factors[:, :, None]
    _, label = np.unique(options, axis=1, return_inverse=True)
    return tuple(
        np.stack([w[label == i].mean(axis=0) for i in range(label.max() + 1)])
        for w in (true, found)
    )


def lengths_by_trial(group, options):
    """Length of every component's variant in every trial, trial x component."""
    components = stacked(group, "components")
    per_category = len(components) // len(options)
    return np.stack(
        [
            np.linalg.norm(variants, axis=1)[options[j // per_category]]
            for j, variants in enumerate(components)
        ],
        axis=1,
    )


def part_dynamics(seeds):
    result_table()
    for noise in (0.3, 1):

        def one(seed, noise=noise):
            with simulated(seed, ["--dynamics", "--noise", noise]) as trials:
                dynamic = fit(trials, "--prior", "lds")
                true, found = transitions(trials, dynamic[1]["matches"])
                still = np.eye(true.shape[1])
                return {
                    "W": np.corrcoef(true.ravel(), found.ravel())[0, 1],
                    "W - I": np.corrcoef((true - still).ravel(), (found - still).ravel())[0, 1],
                    "W of a trial": dynamic[1]["transition_correlation"]["mean"],
                    "identity": np.corrcoef(true.ravel(), np.tile(still.ravel(), len(true)))[0, 1],
                    "components": component(dynamic),
                    "lds": trace(dynamic),
                    "default": trace(fit(trials)),
                    **{
                        q: trace(fit(trials, "--penalties", "fixed", "--smoothness", q))
                        for q in SMOOTHNESS
                    },
                }

        results = over_seeds(one, seeds)
        data, lds = f"dynamics, noise {noise}", "--prior lds"
        of = {key: [result[key] for result in results] for key in results[0]}
        result_row(data, lds, "W of labels", of["W"], 0.99)
        result_row(data, lds, "W - I of labels", of["W - I"])
        result_row(data, lds, "W of trials", of["W of a trial"])
        result_row(data, "none", "W of labels, by the identity", of["identity"])
        result_row(data, lds, "components", of["components"])
        result_row(data, lds, "traces", of["lds"])
        result_row(data, "default", "traces", of["default"])
        for q in SMOOTHNESS:
            result_row(data, f"fixed, --smoothness {q}", "traces", of[q])
        best = np.max([of[key] for key in ("default", *SMOOTHNESS)], axis=0)
        result_row(data, lds, "traces, above the best of the others", of["lds"] - best, 0)


def main():
    parts = {
        "baseline": part_baseline,
        "outliers": part_outliers,
        "counts": part_counts,
        "surplus": part_surplus,
        "noise": part_noise,
        "dynamics": part_dynamics,
    }
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="200-204", help="first-last")
    parser.add_argument("--parts", default=",".join(parts), help="comma-separated")
    given = parser.parse_args()
    first, last = map(int, given.seeds.split("-"))
    for name in given.parts.split(","):
        parts[name](range(first, last + 1))


if __name__ == "__main__":
    main()
