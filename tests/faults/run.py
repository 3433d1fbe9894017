"""Lets one read, write or allocation fail in prepare, fit, transform, export, report, in turn.

    python tests/faults/run.py [--memory COUNT] [--every STEP] [verb ...]

Every read, write, fsync and rename fails once, the first COUNT allocations (default 500), and every
STEP-th (default 97) after them. Each time the program must end with an error that it names, or with
the right result; the file that it was to replace must be the old one or the new one, whole; and
nothing else may be left, but for a temporary file after memory ran out in a destructor, which the
next run must remove. Failures for which libhdf5 asked are counted apart. MILCCI_BIN is the program.
Exits 1 if anything else happened.
"""

import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
PROGRAM = Path(os.environ.get("MILCCI_BIN", HERE.parents[1] / "build/release/cli/milcci")).resolve()
FIT = [
    "--category",
    "choice=1",
    "--restarts",
    "1",
    "--candidates",
    "1",
    "--max-iterations",
    "3",
    "--threads",
    "1",
]
VERBS = {
    "prepare": ["prepare", "trials.csv", "-o", "out.h5", "--force"],
    "fit": ["fit", "trials.h5", *FIT, "-o", "out.h5", "--force"],
    "transform": [
        "transform",
        "model.h5",
        "trials.h5",
        "--threads",
        "1",
        "-o",
        "out.h5",
        "--force",
    ],
    "export": ["export", "model.h5", "-o", "out", "--force"],
    "report": ["report", "model.h5", "trials.h5", "-o", "out.html", "--force"],
}


def build(folder):
    library = folder / "fail_once.so"
    subprocess.run(
        ["cc", "-O1", "-shared", "-fPIC", "-o", library, HERE / "fail_once.c", "-ldl"], check=True
    )
    return library


def make_inputs(folder):
    random = np.random.default_rng(0)
    lines = ["trial,time,choice,a,b,c"]
    for trial in range(6):
        for time in range(8):
            values = ",".join(f"{value:.3f}" for value in random.random(3))
            lines.append(f"{trial},{time},{'lr'[trial % 2]},{values}")
    (folder / "trials.csv").write_text("\n".join(lines) + "\n")
    run(folder, ["prepare", "trials.csv", "-o", "trials.h5"])
    run(folder, ["fit", "trials.h5", *FIT, "-o", "model.h5"])


def run(folder, arguments, **environment):
    return subprocess.run(
        [PROGRAM, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def contents(path):
    """All in a file or folder that does not depend on the clock; None if there is nothing."""
    if path.is_dir():
        return {file.name: file.read_text() for file in sorted(path.glob("[!.]*"))}
    if not path.exists():
        return None
    if path.suffix == ".html":
        return path.read_bytes()
    found = {}
    with h5py.File(path) as file:

        def take(name, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and "second" not in name:
                found[name] = item[()].tobytes()

        file.visititems(take)
    return found


class Attempt:
    """One verb in a folder of its own, with the output of an earlier run in place."""

    def __init__(self, verb, made, library):
        self.verb, self.library = verb, library
        self.folder = Path(tempfile.mkdtemp(dir=made.parent))
        for path in made.iterdir():
            if path.is_file():
                shutil.copy(path, self.folder)
        self.out = self.folder / VERBS[verb][VERBS[verb].index("-o") + 1]
        self.run("memory", 0)
        self.expected, self.names = contents(self.out), sorted(self.folder.rglob("*"))

    def run(self, kind, at):
        report = self.folder.with_suffix(".report")
        process = run(
            self.folder,
            VERBS[self.verb],
            LD_PRELOAD=str(self.library),
            FAIL_KIND=kind,
            FAIL_AT=str(at),
            FAIL_REPORT=str(report),
        )
        number, caller = [*report.read_text().split(), "0", "-"][:2]
        return process, int(number), caller

    def problem(self, kind, at):
        """What went wrong when that call failed, and who asked for it."""
        try:
            process, _, caller = self.run(kind, at)
        except subprocess.TimeoutExpired:
            return "hangs", "-"
        code = process.returncode
        if code not in (0, 1, 2, 3, 4):
            return f"exit {code}: {process.stderr.strip()[-200:]}", caller
        if code in (1, 2, 3) and "milcci: " not in process.stderr:
            return f"exit {code} without a word", caller
        try:
            found = contents(self.out)
        except (OSError, UnicodeDecodeError, KeyError) as error:
            return f"damaged output: {error}", caller
        if found != self.expected:
            return f"exit {code}, another output", caller
        if kind == "memory" and self.left():
            self.run("memory", 0)  # removes what those before it left
        return (f"exit {code}, left behind {self.left()}" if self.left() else "", caller)

    def left(self):
        return [path.name for path in sorted(self.folder.rglob("*")) if path not in self.names]


def attempt_all(verb, made, library, n_memory, step):
    """Counts of runs and the problems of one verb."""
    attempt = Attempt(verb, made, library)
    plan = []
    for kind in ("io", "memory"):
        number = attempt.run(kind, 0)[1]
        every = range(1, number + 1)
        plan += [(kind, at) for at in every if kind == "io" or at <= n_memory or at % step == 0]
    problems = []
    for kind, at in plan:
        what, caller = attempt.problem(kind, at)
        if what:
            problems.append((verb, kind, at, caller, what))
            shutil.rmtree(attempt.folder)
            attempt = Attempt(verb, made, library)
    return collections.Counter(kind for kind, _ in plan), problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verbs", nargs="*", default=list(VERBS))
    parser.add_argument("--memory", type=int, default=500)
    parser.add_argument("--every", type=int, default=97)
    options = parser.parse_args()
    own = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        library, made = build(folder), folder / "made"
        made.mkdir()
        make_inputs(made)
        with ThreadPoolExecutor(2) as pool:
            jobs = {
                verb: pool.submit(attempt_all, verb, made, library, options.memory, options.every)
                for verb in options.verbs
            }
            for verb, job in jobs.items():
                counts, problems = job.result()
                inside = [problem for problem in problems if problem[3] == "libhdf5"]
                own += len(problems) - len(inside)
                print(
                    f"{verb}: {counts['io']} reads and writes, "
                    f"{counts['memory']} allocations failed once; "
                    f"{len(problems) - len(inside)} problems of ours, {len(inside)} inside libhdf5",
                    flush=True,
                )
                for _, kind, at, caller, what in problems:
                    print(f"  {kind} {at} ({caller}): {what}", flush=True)
    return 1 if own else 0


if __name__ == "__main__":
    sys.exit(main())
