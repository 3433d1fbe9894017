#!/usr/bin/env python3
"""How long the methods of `milcci compare` take, and how long in the packages they are known from.

    benchmarks/packages.py --milcci build/release/cli/milcci --cache build/real [--rounds 1]
        [--datasets elections,...] [--time-limit 120] [--json FILE]

One round runs `milcci compare` with all methods, and then every package on the same numbers, in a
process of its own: scikit-learn, tensorly and, if it can be imported, slicetca. All have one
thread, as many components, and the same time limit. Told is the least of all rounds, because a
machine that does other things too only makes it longer; compare seconds within one run only, and
only if both sides had about the same share of a core, which is told below the tables.

Packages have their own default tolerances, and our iteration limit. slicetca keeps its own limit,
because its iterations are single steps of gradient descent. Missing entries are zeros for every
package. For the tensor methods trials are as long as the 90th percentile, cut or padded with zeros.
Seconds are those of the fit, not of reading the data or of importing the package. The error is that
of the reconstruction over observed entries, squared, over their squares; it tells whether a method
that ended sooner also got as far.

The data sets are two of benchmarks/real_data.py and `milcci simulate --preset recording`. Needs
tests/python/requirements.txt; how to get slicetca, tests/python/slicetca/make_results.py tells.
"""

import argparse
import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
os.environ.update(dict.fromkeys(THREADS, "1"))  # before numpy, and for the processes started here

import numpy as np  # noqa: E402

import real_data  # noqa: E402

MAX_ITERATIONS = 1000
RECORDING = (
    "--category",
    "prior=2:ordinal",
    "--category",
    "side=2",
    "--trial-number",
    "2",
    "--fixed",
    "2",
)
DATA_SETS = {  # options with the categories
    "elections": real_data.DATA_SETS["elections"].fit_options,
    "pages": real_data.DATA_SETS["pages"].fit_options,
    "recording": RECORDING,
}
DONE = (0, 4)  # 4: not at rest or not to be trusted; it counts as it is


# The packages: each takes rows of samples (or trials x channels x times) and the number of
# components, and returns a function that reconstructs them, which is not timed.


def scikit_learn(name, **options):
    def fit(rows, p):
        from sklearn import decomposition

        model = getattr(decomposition, name)(p, **options)
        traces = model.fit_transform(rows)
        return lambda: traces @ model.components_ + getattr(model, "mean_", 0.0)

    return fit


def tensorly_cp(name):
    def fit(tensor, p):
        import tensorly
        from tensorly import decomposition

        found = getattr(decomposition, name)(tensor, p, n_iter_max=MAX_ITERATIONS)
        return lambda: tensorly.cp_to_tensor(found)

    return fit


def tensorly_tucker(tensor, p):
    import tensorly
    from tensorly.decomposition import tucker

    trials, _, times = tensor.shape
    n_times = min(p, times)
    ranks = [min(times, trials, p * n_times), p, n_times]
    found = tucker(tensor, ranks, n_iter_max=MAX_ITERATIONS)
    return lambda: tensorly.tucker_to_tensor(found)


def slicetca_package(axis, is_positive):
    def fit(tensor, p):
        import slicetca

        ranks = [p if a == axis else 0 for a in range(3)]
        _, model = slicetca.decompose(tensor, ranks, positive=is_positive, progress_bar=False)
        return lambda: model.construct().detach().numpy()

    return fit


SAMPLES = {
    "svd": ("scikit-learn", scikit_learn("TruncatedSVD")),
    "pca": ("scikit-learn", scikit_learn("PCA")),
    "fa": ("scikit-learn", scikit_learn("FactorAnalysis", max_iter=MAX_ITERATIONS)),
    "nmf": ("scikit-learn", scikit_learn("NMF", max_iter=MAX_ITERATIONS)),
}
TENSORS = {
    "parafac": ("tensorly", tensorly_cp("parafac")),
    "parafac_nonnegative": ("tensorly", tensorly_cp("non_negative_parafac_hals")),
    "tucker": ("tensorly", tensorly_tucker),
    "slicetca_1": ("slicetca", slicetca_package(1, False)),
    "slicetca_1_positive": ("slicetca", slicetca_package(1, True)),
    "slicetca_2": ("slicetca", slicetca_package(2, False)),
    "slicetca_2_positive": ("slicetca", slicetca_package(2, True)),
}
PACKAGES = SAMPLES | TENSORS
MODULES = {
    "scikit-learn": "sklearn.decomposition",
    "tensorly": "tensorly.decomposition",
    "slicetca": "slicetca",
}


def stacked(trials):
    """Trials x channels x times, as src/baselines/samples.cpp makes it."""
    n_times = int(np.floor(np.percentile(np.diff(trials.offset), 90) + 0.5))
    tensor = np.zeros((trials.n_trials, trials.values.shape[1], n_times))
    for m, (first, end) in enumerate(itertools.pairwise(trials.offset)):
        n = min(end - first, n_times)
        tensor[m, :, :n] = np.nan_to_num(trials.values[first : first + n]).T
    return tensor


def side_by_side(tensor, offset):
    """The rows of samples that a tensor stands for; those that were cut are zeros."""
    rows = np.zeros((offset[-1], tensor.shape[1]))
    for trial, (first, end) in zip(tensor, itertools.pairwise(offset), strict=True):
        n = min(end - first, tensor.shape[2])
        rows[first : first + n] = trial[:, :n].T
    return rows


def work(method, path, n_components, limit):
    """One package on one data set, in this process: it ends by SIGALRM at the time limit."""
    warnings.simplefilter("ignore")  # of the iteration limit
    trials = real_data.read(path)
    trials.values = trials.values.astype(float)
    package, fit = PACKAGES[method]
    data = stacked(trials) if method in TENSORS else np.nan_to_num(trials.values)
    import_module(MODULES[package])  # not to be timed
    signal.setitimer(signal.ITIMER_REAL, limit)
    begin = time.perf_counter()
    reconstruct = fit(data, n_components)
    seconds = time.perf_counter() - begin
    signal.setitimer(signal.ITIMER_REAL, 0)
    found = reconstruct()
    if method in TENSORS:
        found = side_by_side(found, trials.offset)
    error = np.nansum((trials.values - found) ** 2) / np.nansum(trials.values**2)
    print(json.dumps({"seconds": seconds, "relative_error": float(error)}))


def run(command):
    """How a process ended, and its share of a core."""

    def cpu():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin, cpu_before = time.perf_counter(), cpu()
    command = list(map(str, command))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done, (cpu() - cpu_before) / (time.perf_counter() - begin)


def run_package(method, path, n_components, limit):
    done, share = run([sys.executable, __file__, "--work", method, path, n_components, limit])
    if done.returncode == -signal.SIGALRM:
        return {"seconds": limit, "is_limit": True, "core_share": share}
    if done.returncode != 0:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout) | {"core_share": share}


def milcci(program, *arguments):
    """The JSON that one call of the program prints, and its share of a core."""
    command = [program, *arguments, "--json", "--quiet"]
    done, share = run(command)
    if done.returncode not in DONE:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr}")
    return json.loads(done.stdout), share


def run_milcci(program, path, options, limit):
    """The number of components and, per method, what `milcci compare` tells."""
    compared, share = milcci(
        program,
        "compare",
        path,
        *options,
        "--methods",
        "all",
        "--held-out",
        0,
        "--threads",
        1,
        "--restarts",
        1,
        "--max-iterations",
        MAX_ITERATIONS,
        "--time-limit",
        limit,
    )
    return compared["n_components"], {
        one["name"]: {"failed": one["failed"]}
        if one["failed"]
        else {
            "seconds": one["seconds"],
            "relative_error": one["relative_error"],
            "is_limit": one["stopped"] == "time_limit",
            "core_share": share,
        }
        for one in compared["methods"]
    }


def prepare(name, cache, program):
    if name != "recording":
        return real_data.prepare(name, cache, partial(milcci, program))
    path = Path(cache) / "recording.h5"
    if not path.exists():
        milcci(program, "simulate", "--preset", "recording", "-o", path)
    return path


def better(old, new):
    """Of two rounds, the one that took less."""
    if old is None or "seconds" not in old:
        return new
    return new if new.get("seconds", np.inf) < old["seconds"] else old


def run_data_set(name, arguments, methods):
    """Per method, {"ours": ..., "package": ...}."""
    path, limit = prepare(name, arguments.cache, arguments.milcci), arguments.time_limit
    ours, packages = {}, {}
    for number in range(arguments.rounds):
        n_components, found = run_milcci(arguments.milcci, path, DATA_SETS[name], limit)
        for method, one in found.items():
            ours[method] = better(ours.get(method), one)
        for method in methods:
            if not packages.get(method, {}).get("is_limit"):  # once is enough
                one = run_package(method, path, n_components, limit)
                packages[method] = better(packages.get(method), one)
                print(f"{name}, round {number + 1}, {method}: {one}", file=sys.stderr, flush=True)
    return {method: {"ours": one, "package": packages.get(method)} for method, one in ours.items()}


def seconds_text(one):
    if one is None:
        return ""
    if "seconds" not in one:
        return "failed"
    return ("> " if one.get("is_limit") else "") + f"{one['seconds']:.3g}"


def error_text(one):
    return f"{one['relative_error']:.4f}" if one and "relative_error" in one else ""


def ratio_text(one, unit):
    """Seconds of one over those of the other; a bound, where one of them hit the time limit."""
    if not one or "seconds" not in one or "seconds" not in unit:
        return ""
    if one.get("is_limit") and unit.get("is_limit"):
        return "?"
    bound = "> " if one.get("is_limit") else "< " if unit.get("is_limit") else ""
    return f"{bound}{one['seconds'] / unit['seconds']:.3g}"


def print_row(*cells):
    print("| " + " | ".join(cells) + " |")


def print_seconds(name, found):
    print(f"\n{name}:\n")
    print_row("method", "ours, s", "package, s", "package / ours", "our error", "package's error")
    print("|---|" + "---:|" * 5)
    for method, one in found.items():
        ours, package = one["ours"], one["package"]
        print_row(
            method,
            seconds_text(ours),
            seconds_text(package),
            ratio_text(package, ours),
            error_text(ours),
            error_text(package),
        )
    shares = [
        median(
            one[who]["core_share"]
            for one in found.values()
            if one[who] and "core_share" in one[who]
        )
        for who in ("ours", "package")
    ]
    print(f"\nShare of a core: ours {shares[0]:.2f}, packages {shares[1]:.2f}", flush=True)


def print_ratios(results):
    print("\nSeconds over those of milcci's model: ours, package\n")
    print_row("method", "package", *results)
    print("|---|---|" + "---:|" * len(results))
    for method in next(iter(results.values())):
        cells = []
        for found in results.values():
            unit = found["milcci"]["ours"]
            texts = [ratio_text(found[method][who], unit) for who in ("ours", "package")]
            cells.append(", ".join(text for text in texts if text))
        print_row(method, PACKAGES[method][0] if method in PACKAGES else "", *cells)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--milcci", default=os.environ.get("MILCCI_BIN"), help="or MILCCI_BIN")
    parser.add_argument("--datasets", default=",".join(DATA_SETS), help="default: all of them")
    parser.add_argument("--rounds", type=int, default=1, help="how often all is done")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds per method")
    parser.add_argument("--cache", default="build/real", help="folder, default build/real")
    parser.add_argument("--json", help="file that gets all numbers")
    arguments = parser.parse_args()
    if not arguments.milcci:
        parser.error("which milcci? Give --milcci or set MILCCI_BIN")
    unknown = set(arguments.datasets.split(",")) - set(DATA_SETS)
    if unknown:
        parser.error(f"no data set {', '.join(unknown)}; there are {', '.join(DATA_SETS)}")
    Path(arguments.cache).mkdir(parents=True, exist_ok=True)

    has_slicetca = find_spec("slicetca") is not None
    methods = [m for m, (package, _) in PACKAGES.items() if has_slicetca or package != "slicetca"]
    packages = sorted({PACKAGES[m][0] for m in methods} | {"numpy"})
    results = {}
    for name in arguments.datasets.split(","):
        results[name] = run_data_set(name, arguments, methods)
        print_seconds(name, results[name])
    print_ratios(results)
    versions = {package: version(package) for package in packages}
    print("\n" + ", ".join(f"{package} {number}" for package, number in versions.items()))
    if arguments.json:
        all_numbers = {
            "versions": versions,
            "rounds": arguments.rounds,
            "time_limit": arguments.time_limit,
            "data_sets": results,
        }
        Path(arguments.json).write_text(json.dumps(all_numbers, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
    else:
        main()
