"""Standard streams that are full, closed or gone: talk may fail, work may not."""

import json
import subprocess

import pytest

from conftest import FIT, PROGRAM

QUICK = [*FIT, "--max-iterations", "3", "--tolerance", "0"]


def run(milcci, redirection, *arguments):
    """Runs the program with its streams redirected as a shell would."""
    command = ["sh", "-c", f'exec "$0" "$@" {redirection}', PROGRAM, *map(str, arguments)]
    return subprocess.run(command, cwd=milcci.folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-", "0<&- 2>&-"])
def test_a_fit_ends_as_ever_when_nobody_hears_of_it(milcci, trials, redirection):
    process = run(milcci, redirection, "fit", trials, *QUICK, "--json", "-o", "model.h5")
    assert process.returncode == 4
    assert json.loads(process.stdout)["file"] == "model.h5"
    assert milcci.json("info", "model.h5")["kind"] == "model"


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (2, []),
        (2, ["fit", "trials.h5", "--sparsty", "1"]),
        (3, ["info", "none.h5"]),
    ],
)
def test_an_error_that_cannot_be_told_keeps_its_code(milcci, redirection, code, arguments):
    assert run(milcci, redirection, *arguments).returncode == code


@pytest.mark.parametrize("redirection", ["0<&- 1>&- 2>&-", "1>&- 2>&-", "0<&-", "2>&-"])
def test_a_file_never_takes_the_place_of_a_closed_stream(milcci, trials, redirection):
    (milcci.folder / "wide.csv").write_text("trial,time,a,b\n1,1,2,x\n")
    for bad in ["wide.csv", "none.csv"]:
        assert run(milcci, redirection, "fit", bad, *QUICK, "-o", "m.h5").returncode == 3
    assert (milcci.folder / "wide.csv").read_text() == "trial,time,a,b\n1,1,2,x\n"
    assert run(milcci, redirection, "fit", trials, *QUICK, "-o", "model.h5").returncode == 4
    assert milcci.json("info", "model.h5")["kind"] == "model"


@pytest.mark.parametrize("redirection", ["1>/dev/full", "1>&-"])
def test_a_result_that_does_not_arrive_is_a_failure_but_the_model_is_there(
    milcci, trials, redirection
):
    process = run(milcci, redirection, "fit", trials, *QUICK, "--json", "-o", "model.h5")
    assert process.returncode == 1
    assert "cannot write to standard output" in process.stderr
    assert milcci.json("info", "model.h5")["kind"] == "model"


@pytest.mark.parametrize("redirection", ["1>/dev/full", "1>&-"])
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["info", "trials.h5"]])
def test_every_verb_fails_without_a_standard_output(milcci, trials, redirection, arguments):
    process = run(milcci, redirection, *arguments)
    assert (process.returncode, process.stderr) == (1, "milcci: cannot write to standard output\n")
