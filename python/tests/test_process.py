"""The package in a living process: interrupted, forked, among threads, for a long time."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import milcci
from quick_fits import CATEGORIES, quietly_fitted

needs_unix = pytest.mark.skipif(os.name == "nt", reason="of Unix")


def run_python(code, *, timeout=120):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout, check=False
    )


def test_import_is_light():
    heavy = [
        "pandas",
        "xarray",
        "sklearn",
        "matplotlib",
        "scipy",
        "polars",
        "pyarrow",
        "mne",
        "pynapple",
    ]
    # A few milliseconds each; NumPy may bring them.
    heavy += ["html", "json", "logging", "pathlib", "tempfile"]
    code = "import sys, numpy; before = set(sys.modules); import milcci; "
    code += f"print([name for name in {heavy} if name in set(sys.modules) - before])"
    assert run_python(code).stdout.strip() == "[]"


def test_import_needs_nothing_but_numpy():
    others = [
        "pandas",
        "xarray",
        "sklearn",
        "scipy",
        "polars",
        "pyarrow",
        "mne",
        "pynapple",
        "tqdm",
    ]
    code = f"""
import sys
sys.modules.update(dict.fromkeys({others}))
import milcci
print("MILCCIRows" in dir(milcci))
try:
    milcci.MILCCIRows
except ImportError as error:
    print(error)
"""
    told = "milcci.MILCCIRows needs scikit-learn: pip install scikit-learn"
    assert run_python(code).stdout == f"True\n{told}\n"


def processor_seconds(process):
    """Of a process and its threads, so far."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


LONG_FIT = """
import milcci, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores it
trials = milcci.simulate(n_channels=60, n_trials=200, length=200, noise=1.0, seed=1)
model = milcci.MILCCI({"difficulty": 3, "choice": 3}, fixed=2, effort="thorough", tolerance=0,
                      component_tolerance=0, max_iterations=10**8, threads=1)
print("begin", flush=True)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="of Linux")
@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_ctrl_c_ends_a_fit_within_a_second(seconds):
    code = LONG_FIT + (
        "try:\n    model.fit(trials)\n"
        "except KeyboardInterrupt:\n    print('interrupted', model._result, flush=True)\n"
        "    input()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **pipes) as child:
        assert child.stdout.readline() == "begin\n"
        begin = processor_seconds(child)
        while processor_seconds(child) < begin + seconds:
            time.sleep(0.01)
        asked = processor_seconds(child)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted None\n"
        # Of the fit's own time: a machine that does other things too takes longer by the clock.
        assert processor_seconds(child) - asked < 1
        child.stdin.write("\n")
    assert child.returncode == 0


def test_what_a_callback_raises_ends_the_fit(recording):
    from milcci import _core

    def show(*_):
        raise RuntimeError("enough")

    specs = [{"name": "choice", "n_components": 2, "kind": "categorical"}]
    large = milcci.simulate(n_channels=40, n_trials=100, length=100, noise=1.0)
    with pytest.raises(RuntimeError, match="enough"):
        _core.fit(large._recording, specs, {"effort": "thorough"}, None, show)


def test_python_runs_while_a_thread_fits():
    trials = milcci.simulate(n_channels=40, n_trials=150, length=100, noise=1.0, seed=2)
    done = threading.Event()
    failed = []

    def work():
        try:
            quietly_fitted(trials)
        except Exception as error:
            failed.append(error)
        done.set()

    thread = threading.Thread(target=work)
    begin = last = time.monotonic()
    longest = 0.0
    thread.start()
    while not done.wait(0.002):
        longest, last = max(longest, time.monotonic() - last), time.monotonic()
    longest = max(longest, time.monotonic() - last)
    thread.join()
    assert not failed
    # A fit that keeps the GIL is one long wait; one that does not, many short ones.
    assert longest < (time.monotonic() - begin) / 2


def test_fits_in_several_threads_are_those_of_one(recording):
    alone = quietly_fitted(recording)
    found = [None] * 3

    def work(i):
        found[i] = quietly_fitted(recording)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for model in found:
        np.testing.assert_array_equal(model.components_["choice"], alone.components_["choice"])


@needs_unix
def test_a_forked_process_fits_as_its_parent_did():
    code = """
import os, warnings, numpy as np, milcci
warnings.simplefilter("ignore")
trials = milcci.simulate(n_channels=20, n_trials=60, length=100, seed=3)
def fitted():
    options = {"effort": "quick", "restarts": 2, "max_iterations": 20, "threads": 3}
    return np.asarray(milcci.MILCCI({"choice": 2}, **options).fit(trials).components_["choice"])
before = fitted()
child = os.fork()
same = np.array_equal(fitted(), before)
if child == 0:
    os._exit(0 if same else 1)
print(same, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run_python(code).stdout == "True 0\n"


def resident_kilobytes():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="of Linux")
def test_a_thousand_fits_do_not_grow_the_process():
    arrays = [np.random.default_rng(m).normal(size=(15, 100)) for m in range(6)]
    labels = {"x": ["a", "b"] * 3}

    def fit_and_drop():
        fitted = quietly_fitted(arrays, labels, categories={"x": 1}, dims=("channel", "time"))
        fitted.transform(arrays, labels, dims=("channel", "time"))
        np.asarray(fitted.components_["x"]).sum()

    for _ in range(40):
        fit_and_drop()
    before = resident_kilobytes()
    for _ in range(1000):
        fit_and_drop()
    assert resident_kilobytes() - before < 2000  # 2 kB a fit; its data alone are 72 kB


def test_results_outlive_their_estimator(recording):
    traces = quietly_fitted(recording).transform(recording)
    gc.collect()
    assert all(np.isfinite(trace).all() for trace in traces)


def test_the_module_is_the_command_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "milcci", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"milcci {milcci.__version__}\n"
    wrong = subprocess.run(
        [
            sys.executable,
            "-m",
            "milcci",
            "fit",
            str(tmp_path / "no.h5"),
            "--fixed",
            "1",
            "-o",
            "x.h5",
        ],
        capture_output=True,
        check=False,
    )
    assert wrong.returncode == 3


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_joblib_runs_fits_side_by_side(recording):
    joblib = pytest.importorskip("joblib")
    fits = (joblib.delayed(r2_of)(recording, seed) for seed in (1, 2))
    found = joblib.Parallel(n_jobs=2, prefer="threads")(fits)
    assert found == [r2_of(recording, 1), r2_of(recording, 2)]


def r2_of(recording, seed):
    made = milcci.MILCCI(
        CATEGORIES, effort="quick", restarts=2, max_iterations=5, seed=seed, threads=1
    )
    return made.fit(recording).r2_
