"""The front pages are true: their commands run, their code is the code, their tables are the help.

Run as a program, this writes the tables of docs/command-line.md anew.
"""

import re
import shlex
import shutil

import h5py
import numpy as np
import pytest

from conftest import ROOT, Milcci
from stand_ins import write_all

VERBS = [
    "simulate",
    "prepare",
    "check",
    "fit",
    "show",
    "traces",
    "groups",
    "report",
    "evaluate",
    "compare",
    "transform",
    "export",
    "info",
    "bench",
    "completion",
]
README = (ROOT / "README.md").read_text()
COMMAND_LINE = ROOT / "docs/command-line.md"


def commands_in(text):
    """Lines that start with `milcci`, continued lines joined, as lists of arguments."""
    lines = text.replace("\\\n", " ").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.strip().startswith("milcci ")]


def options_table(help_text):
    """The options in a help text as the Markdown table of docs/command-line.md."""
    groups = re.split(r"\n(?=\S.*:\n)", help_text)
    rows = ["| option | meaning |", "|---|---|"]
    for group in groups[1:]:
        title, _, body = group.partition(":\n")
        if title == "Examples":
            continue
        # An entry starts at column 2; its meaning follows, or is continued, at column 32.
        for entry in re.split(r"\n(?=  \S)", "\n" + body.rstrip())[1:]:
            name, meaning = re.match(r"  (.*?)(?:\s{2,}|\n\s+)(\S.*)", entry, re.DOTALL).groups()
            name, meaning = name.replace("|", "\\|"), " ".join(meaning.split())
            rows.append(f"| `{name}` | {meaning} |")
    return "\n".join(rows)


def with_tables(page, milcci):
    """The page with the table of every verb put in after its mark, in place of what stood there."""
    for verb in VERBS:
        mark = f"<!-- options: {verb} -->\n\n"
        assert mark in page
        before, after = page.split(mark)
        page = (
            before
            + mark
            + options_table(milcci.done(verb, "--help").stdout)
            + re.sub(r"\A(\|.*\n?)*", "\n", after)
        )
    return page


def test_the_options_tables_are_the_help(milcci):
    page = COMMAND_LINE.read_text()
    assert page == with_tables(page, milcci), "run python tests/cli/test_documentation.py"


@pytest.mark.parametrize("verb", VERBS)
def test_help_ends_with_two_examples_and_shows_defaults(milcci, verb):
    text = milcci.done(verb, "--help").stdout
    assert len(commands_in(text[text.index("Examples:") :])) == 2
    assert max(map(len, text[: text.index("Examples:")].splitlines())) <= 100
    if verb in ["simulate", "fit"]:
        assert text.count("default ") > 10


def test_the_examples_of_the_help_run(milcci):
    values = np.random.default_rng(0).random((6, 3, 10))
    np.save(milcci.folder / "recording.npy", values)
    rows = [f"{m},{n},{t},{values[m, n, t]}" for m, n, t in np.ndindex(values.shape)]
    (milcci.folder / "recording.csv").write_text("trial,channel,time,value\n" + "\n".join(rows))
    (milcci.folder / "labels.csv").write_text("choice\nleft\nright\nleft\nright\nleft\nright\n")
    with h5py.File(milcci.folder / "session.nwb", "w") as file:
        file.attrs["nwb_version"] = "2.7.0"
        file["units/spike_times"], file["units/spike_times_index"] = (
            np.arange(80) / 10 % 4,
            [40, 80],
        )
        file["intervals/trials/start_time"], file["intervals/trials/stop_time"] = (
            [0.5, 1.5, 2.5],
            [1.0, 2.0, 3.0],
        )
        file["intervals/trials/go_time"], file["intervals/trials/choice"] = (
            [0.6, 1.6, 2.6],
            ["left", "right", ""],
        )
    milcci.done("simulate", "--trials", 60, "--length", 100, "-o", "new_trials.h5")
    for verb in [
        "prepare",
        *(verb for verb in VERBS if verb not in ("prepare", "groups")),
    ]:  # these have none
        text = milcci.done(verb, "--help").stdout
        for command in commands_in(text[text.index("Examples:") :]):
            milcci.done(
                *command,
                *(["--force"] if "-o" in command and "--force" not in command else []),
                codes=(0, 4),
            )


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/command-line.md",
        "docs/examples.md",
        "docs/file-formats.md",
        "docs/report.md",
    ],
)
def test_the_commands_of_a_page_run_in_order_in_one_folder(milcci, page):
    """As printed: no output is there yet, and what a command asks for, one before has made."""
    write_all(milcci.folder)
    if page == "README.md":
        for name in ["recording.csv", "labels.csv"]:
            shutil.copy(ROOT / "examples" / name, milcci.folder / name)
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    commands = commands_in("\n".join(blocks))
    assert len(commands) >= 5
    for command in commands:
        milcci.done(*command, codes=(0, 4) if command[0] == "fit" else (0,))


def test_the_output_in_the_readme_is_what_the_commands_print(milcci):
    """Up to numbers, which depend on the processor in their last digits."""
    for name in ["recording.csv", "labels.csv"]:
        shutil.copy(ROOT / "examples" / name, milcci.folder / name)
    commands, printed = re.search(
        r"<!-- own data -->\n```sh\n(.*?)```\n.*?```text\n(.*?)```", README, re.DOTALL
    ).groups()
    shown = "".join(
        run.stdout for run in [milcci.done(*command) for command in commands_in(commands)]
    )
    words = [re.sub(r"[\d.]+", "#", line).split() for line in printed.splitlines() if line.strip()]
    assert [
        line
        for line in words
        if line not in [re.sub(r"[\d.]+", "#", line).split() for line in shown.splitlines()]
    ] == []


def test_the_code_of_the_readme_is_the_example():
    code = re.search(r"<!-- examples/readme.cpp -->\n```cpp\n(.*?)```", README, re.DOTALL)[1]
    assert code == (ROOT / "examples/readme.cpp").read_text()
    assert len(code.splitlines()) < 30


def test_links_between_the_pages_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


if __name__ == "__main__":
    COMMAND_LINE.write_text(with_tables(COMMAND_LINE.read_text(), Milcci(ROOT)))
