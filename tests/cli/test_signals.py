"""Signals that ask a fit to end: its best model is written, and the exit code tells the signal."""

import json
import os
import signal
import subprocess
import time

import pytest

from conftest import CATEGORIES, PROGRAM

# Noise and too many components keep the iterations busy for longer than a test waits.
ENDLESS = [
    "--category",
    "difficulty=4:ordinal",
    "--category",
    "choice=4",
    "--nonnegative",
    "both",
    "--tolerance",
    "0",
    "--component-tolerance",
    "0",
    "--max-iterations",
    "1000000",
    "-o",
    "model.h5",
]
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]


@pytest.fixture(scope="session")
def noisy(made):
    """A trials file that takes long to fit."""
    subprocess.run(
        [
            PROGRAM,
            "simulate",
            "--channels",
            "60",
            "--trials",
            "200",
            "--length",
            "100",
            "--noise",
            "1",
            "--quiet",
            "-o",
            made / "noisy.h5",
        ],
        check=True,
    )
    return made / "noisy.h5"


def begin(milcci, *command, ignored=(), **keywords):
    """Starts a process with the signals that a terminal would give it, whatever the tests have."""

    def set_signals():
        for number, _ in SIGNALS:
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    keywords.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen(
        list(map(str, command)), cwd=milcci.folder, text=True, preexec_fn=set_signals, **keywords
    )


def await_line(lines, sign):
    assert any(line.startswith(sign) for line in lines)


def code_of(process):
    process.stderr.read()
    return process.wait(timeout=120)


def assert_the_best_model_is_there(milcci, noisy):
    assert milcci.json("info", "model.h5")["summary"]["reason"] == "interrupted"
    assert 0 < milcci.json("evaluate", "model.h5", noisy)["r2"] <= 1


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize(
    ("options", "sign"), [(["--restarts", "1000000"], "start"), ([], "iteration ")]
)
def test_a_fit_that_is_told_to_end_writes_its_best_model(
    milcci, noisy, number, code, options, sign
):
    process = begin(milcci, PROGRAM, "fit", noisy, *options, *ENDLESS)
    await_line(process.stderr, sign)
    process.send_signal(number)
    assert code_of(process) == code
    assert_the_best_model_is_there(milcci, noisy)


def is_pending(process, number):
    with open(f"/proc/{process.pid}/status") as status:
        masks = [
            int(line.split()[1], 16) for line in status if line.startswith(("SigPnd", "ShdPnd"))
        ]
    return any(mask >> (number - 1) & 1 for mask in masks)


@pytest.fixture
def stuck(milcci, noisy):
    """A fit that cannot end, as its last words do not fit into a full pipe, and that pipe."""
    reading, writing = os.pipe()
    process = begin(milcci, PROGRAM, "fit", noisy, *ENDLESS, stderr=writing)
    with os.fdopen(reading) as lines:
        await_line(lines, "iteration ")
        os.set_blocking(writing, False)
        for size in [4096, 1]:
            try:
                while True:
                    os.write(writing, b"." * size)
            except BlockingIOError:
                pass
        os.set_blocking(writing, True)
        os.close(writing)
        yield process, lines
    process.kill()
    process.wait()


def deliver(process, number):
    """Sends a signal and waits until the process has it: two that wait at once would be one."""
    process.send_signal(number)
    while process.poll() is None and is_pending(process, number):
        pass


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_kills_a_fit_that_was_told_to_end_before(stuck, first):
    process, _ = stuck
    deliver(process, first)
    deliver(process, signal.SIGINT)
    assert process.wait(timeout=120) == -signal.SIGINT


@pytest.mark.parametrize(("number", "code"), SIGNALS[1:])
def test_a_signal_that_comes_twice_at_once_counts_once(milcci, noisy, stuck, number, code):
    # So timeout(1) sends it, to the program and to its group, and so does a terminal that closes.
    process, lines = stuck
    began = time.monotonic()
    deliver(process, number)
    deliver(process, number)
    if time.monotonic() - began > 0.9:
        pytest.skip("too slow a machine for two signals within a second")
    lines.read()
    assert process.wait(timeout=120) == code
    assert_the_best_model_is_there(milcci, noisy)


def test_a_hangup_that_was_ignored_from_the_start_stays_ignored(milcci, noisy):
    process = begin(milcci, PROGRAM, "fit", noisy, *ENDLESS, ignored=[signal.SIGHUP])
    await_line(process.stderr, "iteration ")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    assert code_of(process) == 143


def test_a_fit_goes_on_when_nobody_reads_its_progress_any_more(milcci, noisy):
    limited = ["30" if option == "1000000" else option for option in ENDLESS]
    process = begin(milcci, PROGRAM, "fit", noisy, *limited)
    await_line(process.stderr, "start")
    process.stderr.close()
    assert process.wait(timeout=120) == 4
    assert milcci.json("info", "model.h5")["summary"]["reason"] == "iteration_limit"


def test_a_result_that_nobody_reads_is_a_failure(milcci, noisy):
    reading, writing = os.pipe()
    os.close(reading)
    process = begin(milcci, PROGRAM, "info", noisy, stdout=writing)
    os.close(writing)
    assert process.stderr.read() == "milcci: cannot write to standard output\n"
    assert process.wait(timeout=120) == 1


def test_a_comparison_that_is_told_to_end_keeps_what_it_has(milcci, trials):
    process = begin(
        milcci,
        PROGRAM,
        "compare",
        trials,
        *CATEGORIES,
        "--methods",
        "svd,nmf,pca",
        "--tolerance",
        0,
        "--restarts",
        1000,
        "--max-iterations",
        100000,
        "-o",
        "results.json",
        "--json",
        stdout=subprocess.PIPE,
    )
    await_line(process.stderr, "  nmf")
    process.send_signal(signal.SIGINT)
    told = json.loads(process.stdout.read())
    assert code_of(process) == 130
    assert told["interrupted"]
    written = json.loads((milcci.folder / "results.json").read_text())
    ended = [(method["name"], method["stopped"]) for method in written["methods"]]
    assert ended[0] == ("svd", "converged")
    assert ended[1:] in ([], [("nmf", "interrupted")])  # begun or not
