#!/usr/bin/env python3
"""How well channels of held-out trials are predicted from the others, on real data.

    benchmarks/real.py --milcci build/release/cli/milcci --cache build/real [--splits 10-14]
        [--datasets vowels,...] [--options "--penalties auto"] [--json FILE] [--jobs 1]

Fits three quarters of the trials and scores the rest by `milcci evaluate --cosmooth`. The other
methods (real_baselines.py) get the same trials, as many components, the same folds of channels and
the same score, and the offset that their users would give them, the mean of the training trials.
Elections hold out single entries instead. milcci is fitted with signs free and with `--nonnegative
both`, once per `--options`, which may be given several times. Splits 0 to 4 are for tuning, 10 to
14 for reporting. Prepared data, splits and the scores of the other methods are kept in the cache;
delete it when these scripts change. Data are read from MILCCI_SHARED_DATA (default ../shared/data);
sets that are absent are skipped. Needs scikit-learn besides tests/python/requirements.txt.
"""

import argparse
import dataclasses
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: the jobs are the parallel part
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import h5py
import numpy as np

import real_baselines
import real_data
from real_data import DATA_SETS

SIGNS = {"milcci": [], "milcci, non-negative": ["--nonnegative", "both"]}
DONE = (0, 4)  # 4: written, but not at rest or not to be trusted; it counts as it is


def milcci(program, *arguments):
    """The JSON that one call of the program prints."""
    command = [program, *map(str, arguments), "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in DONE:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


class Split:
    """One split of one data set: files for milcci, and the same numbers for the other methods."""

    def __init__(self, name, number, cache):
        self.data_set = DATA_SETS[name]
        self.trials = real_data.read(Path(cache) / f"{name}.h5")
        self.files = [Path(cache) / f"{name}-{number}-{part}.h5" for part in ("fit", "score")]
        if self.data_set.holds_out_entries:
            self.held_out = real_data.hold_out_entries(self.trials, number)
            values = np.where(self.held_out, np.nan, self.trials.values)
            self.fitted = dataclasses.replace(self.trials, values=values)
            self.scored = None
        else:
            fit, score = real_data.hold_out_trials(self.data_set, self.trials, number)
            self.fitted, self.scored = self.trials.some(fit), self.trials.some(score)

    def write(self):
        for path, trials in zip(self.files, (self.fitted, self.scored), strict=True):
            if trials is not None and not path.exists():
                partial_file = path.with_suffix(f".{os.getpid()}")
                real_data.write(partial_file, trials)
                partial_file.rename(path)

    def score_entries(self, predicted):
        """R2 of the entries held out, about each channel's mean over these."""
        truth = np.where(self.held_out, self.trials.values, np.nan)
        n = np.maximum(self.held_out.sum(axis=0), 1)
        variation = np.nansum((truth - np.nansum(truth, axis=0) / n) ** 2)
        return 1 - np.nansum((truth - predicted) ** 2) / variation

    def score_factors(self, factors):
        if self.scored is None:
            return self.score_entries(real_baselines.fill_in(factors, self.fitted.values))
        folds = real_data.channel_folds(len(self.trials.channel))
        return real_baselines.cosmooth(factors, self.scored.values, folds)


def reconstruction(path):
    """What a model puts into all entries of the trials it was fitted to, samples x channels."""
    with h5py.File(path) as f:
        offset, traces = f["traces/trial_offset"][:], f["traces/values"][:]
        of_trace = f["traces/category"].asstr()[:]
        result = np.zeros((len(traces), len(f["channel"])))
        if "noise/offset" in f:
            result += f["noise/offset"][:]
        for group in f["categories"].values():
            columns = of_trace == group.attrs["name"]
            for m, option in enumerate(group["option_of_trial"][:]):
                rows = slice(offset[m], offset[m + 1])
                result[rows] += traces[rows][:, columns] @ group["components"][option]
    return result


def run_milcci(program, options, cache, task):
    """Score and seconds of one fit, and how many of its components are dead."""
    name, number = task
    split = Split(name, number, cache)
    fit_file, score_file = split.files
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.h5"
        flags = [*split.data_set.fit_options, *options, "--threads", 1]
        summary = milcci(program, "fit", fit_file, *flags, "-o", model)
        if split.scored is None:
            score = split.score_entries(reconstruction(model))
        else:
            scores = milcci(program, "evaluate", model, score_file, "--cosmooth", "--threads", 1)
            dealt = [channel["fold"] for channel in scores["cosmoothing"]["channels"]]
            if dealt != list(real_data.channel_folds(len(dealt))):
                raise RuntimeError("the program deals channels to other folds than this script")
            score = scores["cosmoothing"]["r2"]
    return {
        "score": score,
        "seconds": summary["seconds_total"],
        "dead": sum(share == 0 for share in summary["explained"]),
    }


def run_baselines(cache, task):
    """The scores of all baselines, from the cache if they are there."""
    name, number = task
    path = Path(cache) / f"{name}-{number}-baselines.json"
    if not path.exists():
        split = Split(name, number, cache)
        scores = real_baselines.score_all(
            split.fitted.values, split.data_set.n_components, split.score_factors
        )
        path.write_text(json.dumps(scores))
    return json.loads(path.read_text())


def mean(scores):
    return None if None in scores else float(np.mean(scores))


def lowest(scores):
    return None if None in scores else min(scores)


def text(score):
    return "" if score is None else f"{score:.4f}" if score > -10 else f"{score:.3g}"


def numbers(range_or_list):
    parts = [part.split("-") for part in range_or_list.split(",")]
    return [number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)]


def print_tables(results, splits):
    columns = list(dict.fromkeys(column for row in results.values() for column in row))
    for title, summarise in (("mean", mean), ("lowest", lowest)):
        print(f"\nCo-smoothing R2, {title} of splits {splits}:\n")
        print("| data | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
        for name, row in results.items():
            cells = [
                text(summarise([one["score"] for one in row[column]])) if column in row else ""
                for column in columns
            ]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def run_data_set(name, splits, variants, arguments, pool):
    """Per method, what was found in every split."""
    program, cache = arguments.milcci, arguments.cache
    real_data.prepare(name, cache, partial(milcci, program))
    tasks = [(name, number) for number in splits]
    for task in tasks:
        Split(*task, cache).write()
    found = {
        title: pool.map(partial(run_milcci, program, options, cache), tasks)
        for title, options in variants
    }
    if not arguments.no_baselines:
        scores = list(pool.map(partial(run_baselines, cache), tasks))
        found = {title: [{"score": one[title]} for one in scores] for title in scores[0]} | found
    return {title: list(scores) for title, scores in found.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--milcci", default=os.environ.get("MILCCI_BIN"), help="or MILCCI_BIN")
    parser.add_argument("--options", action="append", default=[], help="options of the fits")
    parser.add_argument("--datasets", default=",".join(DATA_SETS), help="default: all of them")
    parser.add_argument("--splits", default="10-14", help="such as 10-14 or 0,2")
    parser.add_argument("--cache", default="build/real", help="folder, default build/real")
    parser.add_argument("--json", help="file that gets the score of every split")
    parser.add_argument("--jobs", type=int, default=1, help="fits at a time, each on one thread")
    parser.add_argument("--no-baselines", action="store_true", help="milcci alone")
    arguments = parser.parse_args()
    if not arguments.milcci:
        parser.error("which milcci? Give --milcci or set MILCCI_BIN")
    unknown = set(arguments.datasets.split(",")) - set(DATA_SETS)
    if unknown:
        parser.error(f"no data set {', '.join(unknown)}; there are {', '.join(DATA_SETS)}")
    Path(arguments.cache).mkdir(parents=True, exist_ok=True)
    splits, results = numbers(arguments.splits), {}
    variants = [
        (f"{sign} {given}".strip(), [*flags, *shlex.split(given)])
        for given in arguments.options or [""]
        for sign, flags in SIGNS.items()
    ]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name in arguments.datasets.split(","):
            source = real_data.SHARED / DATA_SETS[name].source
            if not source.exists():
                print(f"{name}: skipped, {source} is absent", file=sys.stderr)
                continue
            results[name] = run_data_set(name, splits, variants, arguments, pool)
            means = {
                title: text(mean([one["score"] for one in scores]))
                for title, scores in results[name].items()
            }
            print(f"{name}: {means}", file=sys.stderr, flush=True)
    print_tables(results, arguments.splits)
    if arguments.json:
        everything = {"splits": splits, "results": results}
        Path(arguments.json).write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
