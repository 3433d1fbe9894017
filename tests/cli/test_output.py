"""Where output goes: files whole or not at all, one JSON object, silence when asked for."""

import os
import shlex
import subprocess

import pytest

from conftest import CATEGORIES, FIT, PROGRAM, SMALL

QUICK = [*FIT, "--max-iterations", "3"]


def test_an_existing_file_is_replaced_only_by_force(milcci, trials):
    (milcci.folder / "model.h5").write_text("precious")
    milcci.refused(3, "fit", trials, *QUICK, "-o", "model.h5", says=["model.h5", "--force"])
    assert (milcci.folder / "model.h5").read_text() == "precious"
    milcci.done("fit", trials, *QUICK, "-o", "model.h5", "--force", codes=(0, 4))
    assert milcci.json("info", "model.h5")["kind"] == "model"


def test_the_output_is_checked_before_the_input_is_even_read(milcci):
    (milcci.folder / "model.h5").touch()
    milcci.refused(
        3, "fit", "no_such_trials.h5", *QUICK, "-o", "model.h5", says=["model.h5", "--force"]
    )


@pytest.mark.parametrize("output", ["no/such/folder/model.h5", "folder"])
def test_an_output_that_cannot_be_written_is_refused(milcci, trials, output):
    (milcci.folder / "folder").mkdir()
    milcci.refused(3, "fit", trials, *QUICK, "-o", output, "--force", says=[output])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into every folder")
def test_a_folder_without_permission_is_refused(milcci, trials):
    locked = milcci.folder / "locked"
    locked.mkdir(mode=0o555)
    milcci.refused(3, "fit", trials, *QUICK, "-o", locked / "model.h5", says=["locked"])


def test_a_full_disk_is_reported_and_leaves_nothing(milcci):
    full = milcci.folder / "full"
    full.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("a small file system to fill needs root and the right to mount")
    try:
        milcci.refused(
            3,
            "simulate",
            "--channels",
            200,
            *SMALL[2:],
            "-o",
            full / "trials.h5",
            says=["full/trials.h5"],
        )
        assert list(full.iterdir()) == []
    finally:
        subprocess.run(["umount", full], check=True)


def test_a_full_standard_output_is_not_a_success(milcci, trials):
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [PROGRAM, "info", trials], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert process.returncode == 1
    assert "standard output" in process.stderr


def test_json_is_one_object_and_nothing_else(milcci, trials, model):
    for arguments in [
        ["simulate", *SMALL, "-o", "t.h5"],
        ["fit", trials, *QUICK, "-o", "m.h5"],
        ["evaluate", model, trials],
        ["transform", model, trials, "-o", "tr.h5"],
        ["info", trials],
        ["info", model],
    ]:
        assert isinstance(milcci.json(*arguments, codes=(0, 4)), dict)


def test_quiet_says_nothing(milcci, trials, model):
    for arguments in [
        ["simulate", *SMALL, "-o", "t.h5"],
        ["fit", trials, *QUICK, "-o", "m.h5"],
        ["transform", model, trials, "-o", "tr.h5"],
    ]:
        process = milcci.done(*arguments, "--quiet", codes=(0, 4))
        assert (process.stdout, process.stderr) == ("", "")


def test_progress_elsewhere_than_on_a_terminal_is_a_few_plain_lines(milcci, trials):
    process = milcci.done(
        "fit",
        trials,
        *CATEGORIES,
        "--max-iterations",
        60,
        "--tolerance",
        0,
        "-o",
        "m.h5",
        codes=(0, 4),
    )
    assert process.stdout == ""
    assert "iteration 1 of at most 60" in process.stderr
    assert "\r" not in process.stderr
    assert "\x1b" not in process.stderr
    progress = process.stderr.partition("\nmilcci ")[0]  # the report follows
    assert len(progress.splitlines()) < 20


def test_progress_on_a_terminal_is_a_bar_with_the_time_left(milcci, trials):
    typed = shlex.join(map(str, [PROGRAM, "fit", trials, *QUICK, "-o", milcci.folder / "m.h5"]))
    try:
        shown = subprocess.run(
            ["script", "--quiet", "--command", typed, "/dev/null"], capture_output=True
        ).stdout
    except FileNotFoundError:
        pytest.skip("needs script(1) for a terminal")
    assert b"\r[###" in shown
    assert b" s left" in shown


def test_a_configuration_file_gives_options_and_the_command_line_has_priority(milcci, trials):
    (milcci.folder / "milcci.toml").write_text("""
        # one file for all verbs
        quiet = true
        [simulate]
        n_channels = 7      # as in the options struct
        trials = 9
        length = 20
        category = ["dose=1:2:ordinal"]
        [fit]
        category = [
            "difficulty=2:ordinal,width=3",  # over several lines
            "choice=1",
        ]
        nonnegative = "both"
        max_iterations = 4
        restarts = 2
        transform = "tanh"
        effort = "default"
        time_limit = 1_000
    """)
    told = milcci.json("simulate", "--config", "milcci.toml", "--trials", 8, "-o", "t.h5")
    assert (told["n_channels"], told["n_trials"], len(told["labels"])) == (7, 8, 1)
    told = milcci.json(
        "fit", trials, "--config=milcci.toml", "--max-iterations", 3, "-o", "m.h5", codes=(0, 4)
    )
    options = told["options"]
    assert (options["nonnegative"], options["restarts"], options["transform"]) == (
        "both",
        2,
        "tanh",
    )
    assert (options["effort"], options["time_limit"]) == ("default", 1000)
    assert options["max_iterations"] == 3
    assert [category["n_components"] for category in options["categories"]] == [2, 1]
    told = milcci.json(
        "fit",
        trials,
        "--config",
        "milcci.toml",
        "--category",
        "choice=2",
        "-o",
        "n.h5",
        codes=(0, 4),
    )
    assert [category["name"] for category in told["options"]["categories"]] == ["choice"]


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("sparsty = 0.1", 2, ["sparsty", "--sparsity"]),
        ("[fitt]\nsparsity = 0.1", 2, ["fitt", "fit"]),
        ("channels = 3", 2, ["channels", "milcci fit", "section"]),
        ("force = 3", 2, ["force", "true or false"]),
        ("transform = 'tan'", 2, ["--transform", "none, tanh"]),
        ("sparsity = 'little'", 2, ["--sparsity", "little"]),
        ("sparsity = 2026-01-01", 2, ["sparsity", "line 1", "a number"]),
        ("seed = 1\nsparsity = [0.1", 2, ["milcci.toml", "line 2", "not TOML"]),
        ("", 3, ["milcci.toml", "empty"]),
        (
            "max_iterations = 3\n\nmax-iterations = 4",
            2,
            ["`max_iterations` in line 1 and key `max-iterations` in line 3", "give it once"],
        ),
        ("seed = 1\n[fit]\nseed = 2", 2, ["`seed` in line 1 and key `seed` in line 3"]),
        ("quiet = true\n[fit]\nquiet = false", 2, ["`quiet` in line 1 and key `quiet` in line 3"]),
        ("seed = [1, 2]", 2, ["`seed` in line 1 has 2 values"]),
    ],
)
def test_a_wrong_configuration_file_is_refused(milcci, trials, text, code, says):
    (milcci.folder / "milcci.toml").write_text(text)
    milcci.refused(code, "fit", trials, *QUICK, "--config", "milcci.toml", "-o", "m.h5", says=says)


def test_a_configuration_file_that_is_not_there_is_refused(milcci, trials):
    milcci.refused(
        3, "fit", trials, *QUICK, "--config", "none.toml", "-o", "m.h5", says=["none.toml"]
    )
    milcci.refused(
        3,
        "fit",
        trials,
        *QUICK,
        "--config",
        ".",
        "-o",
        "m.h5",
        says=['configuration file ".": is a folder, must be a file'],
    )
