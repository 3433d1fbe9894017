"""The object in a report: its schema, its numbers against the model file and other verbs."""

import base64
import itertools
import json
import os
import re
import subprocess
import zlib
from pathlib import Path

import h5py
import jsonschema
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
HOSTILE = [
    "</script><script>alert(1)</script>",
    '"quoted" & <b>bold</b>',
    "ערוץ 1",
    "🧠\u2028🔥",
    "__MILCCI_REPORT__",
]


def milcci(*arguments, code=0):
    process = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert process.returncode == code, process.stderr
    return process.stdout if code == 0 else process.stderr


def unpack(array):
    """As docs/report-format.md says."""
    kind = np.dtype(array["type"]).newbyteorder("<")
    data = np.frombuffer(zlib.decompress(base64.b64decode(array["data"])), np.uint8)
    numbers = (
        np.ascontiguousarray(data.reshape(kind.itemsize, -1).T).view(kind).reshape(array["shape"])
    )
    if array["delta"]:
        unsigned = np.uint16 if array["type"] == "int16" else np.uint8
        numbers = np.cumsum(numbers.view(unsigned), axis=-1, dtype=unsigned).view(kind)
    if array["scale"] is None:
        return numbers.astype(float)
    tail = (1,) * (numbers.ndim - 1)
    values = (
        np.reshape(array["zero"], (-1, *tail)) + np.reshape(array["scale"], (-1, *tail)) * numbers
    )
    return np.where(numbers == array["missing"], np.nan, values)


def step(array):
    return np.reshape(array["scale"], (-1,) + (1,) * (len(array["shape"]) - 1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    milcci(
        "simulate",
        "--channels",
        20,
        "--trials",
        30,
        "--min-length",
        40,
        "--max-length",
        60,
        "--noise",
        0.4,
        "--missing",
        0.05,
        "--seed",
        3,
        "-o",
        folder / "trials.h5",
    )
    milcci(
        "fit",
        folder / "trials.h5",
        "--category",
        "difficulty=2:ordinal",
        "--category",
        "choice=2",
        "--nonnegative",
        "both",
        "-o",
        folder / "model.h5",
    )
    return folder


@pytest.fixture(scope="module")
def report(folder):
    return json.loads(milcci("report", folder / "model.h5", folder / "trials.h5", "--json"))


@pytest.fixture(scope="module")
def schema():
    return json.loads((ROOT / "web/report.schema.json").read_text())


def test_follows_its_schema(folder, report, schema):
    jsonschema.validate(report, schema)
    jsonschema.validate(json.loads(milcci("report", folder / "model.h5", "--json")), schema)


def test_follows_its_schema_with_dynamics_groups_and_times(tmp_path, schema):
    rows = ["trial,time,channel,value,choice,start"]
    random = np.random.default_rng(1)
    rows += [
        f"{m},{100 * m + 0.1 * t:.1f},c{n},{random.normal():.3f},{'lr'[m % 2]},{100 * m + 0.3}"
        for m in range(6)
        for t in range(12)
        for n in range(5)
    ]
    (tmp_path / "table.csv").write_text("\n".join(rows))
    milcci(
        "fit",
        tmp_path / "table.csv",
        "--category",
        "choice=2",
        "--prior",
        "lds",
        "--redundancy",
        0,
        "-o",
        tmp_path / "model.h5",
        "--label-columns",
        "choice,start",
        "--quiet",
        "--penalties",
        "fixed",
    )
    report = json.loads(
        milcci(
            "report",
            tmp_path / "model.h5",
            tmp_path / "table.csv",
            "--json",
            "--events",
            "begin=start",
            "--label-columns",
            "choice,start",
        )
    )
    jsonschema.validate(report, schema)
    assert unpack(report["transitions"]).shape == (6, 2, 2)
    assert report["traces"]["is_from_start"]
    np.testing.assert_allclose(report["traces"]["events"][0]["times"], 0.3, atol=1e-9)
    assert report["noise"] is None
    assert report["truth"] is None


def test_follows_its_schema_with_a_comparison_of_methods(folder, schema):
    milcci(
        "compare",
        folder / "trials.h5",
        "--category",
        "difficulty=2:ordinal",
        "--category",
        "choice=2",
        "--effort",
        "quick",
        "--restarts",
        1,
        "--methods",
        "milcci_nonnegative,svd,nmf,slicetca_2",
        "-o",
        folder / "results.json",
    )
    report = json.loads(
        milcci("report", folder / "model.h5", "--comparison", folder / "results.json", "--json")
    )
    jsonschema.validate(report, schema)
    failed = {method["name"]: method["failed"] for method in report["comparison"]["methods"]}
    assert failed["nmf"]
    assert not failed["svd"]


def test_memberships_are_those_of_the_model(folder, report):
    with h5py.File(folder / "model.h5") as model:
        for category, packed, error in zip(
            report["categories"], report["memberships"], report["standard_errors"], strict=True
        ):
            expected = model["categories"][category["name"]]["components"][:].transpose(1, 0, 2)
            found = unpack(packed)
            assert (np.abs(found - expected) <= step(packed)).all()
            assert ((found == 0) == (expected == 0)).all()  # members stay members
            expected = model["standard_errors"][category["name"]]["standard_errors"][:].transpose(
                1, 0, 2
            )
            assert (np.abs(unpack(error) - expected) <= step(error)).all()


def test_traces_are_those_of_the_model(folder, report):
    values, times = unpack(report["traces"]["values"]), unpack(report["traces"]["times"])
    assert report["traces"]["thinned"] == 1
    with h5py.File(folder / "model.h5") as model:
        edges, traces = model["traces/trial_offset"][:], model["traces/values"][:]
    for m, (first, last) in enumerate(itertools.pairwise(edges)):
        there = ~np.isnan(values[0, m])
        assert there.sum() == last - first
        assert (
            np.abs(values[:, m, there] - traces[first:last].T)
            <= step(report["traces"]["values"])[:, :, 0]
        ).all()
    assert (times == np.arange(len(times))).all()


@pytest.mark.filterwarnings(
    "ignore:Mean of empty slice", "ignore:All-NaN slice"
)  # where no trial has a sample
def test_means_and_intervals_are_those_of_the_verb_traces(folder, report):
    expected = json.loads(milcci("traces", folder / "model.h5", "--by", "choice", "--json"))
    values = unpack(report["traces"]["values"])
    options = report["categories"][1]["options"]
    of_trial = np.array(report["trials"]["option_of_trial"][1])
    for j, component in enumerate(expected["components"]):
        for group in component["groups"]:
            chosen = values[j, of_trial == options.index(group["values"][0])]
            tolerance = 2 * report["traces"]["values"]["scale"][j]
            np.testing.assert_allclose(
                np.nanmean(chosen, axis=0), np.array(group["mean"], float), atol=tolerance
            )
            np.testing.assert_allclose(
                np.nanquantile(chosen, 0.1, axis=0), np.array(group["low"], float), atol=tolerance
            )


def test_scores_are_those_of_evaluate(folder, report):
    assert report["evaluation"] == json.loads(
        milcci("evaluate", folder / "model.h5", folder / "trials.h5", "--json")
    )
    # Mean error over trials, channels and times of one trial is its squared error over what was
    # observed.
    with h5py.File(folder / "trials.h5") as trials:
        values, edges = trials["values"][:], trials["trial_offset"][:]
    shown = report["data"]["trials"]
    assert shown == list(range(30))
    assert report["data"]["is_all"]
    for m, data, fit in zip(shown, report["data"]["values"], report["data"]["fit"], strict=True):
        expected = values[edges[m] : edges[m + 1]].T
        found = unpack(data)
        assert (np.isnan(found) == np.isnan(expected)).all()
        assert (np.nan_to_num(np.abs(found - expected)) <= 0.51 * step(data)).all()
        error = np.nansum((expected - unpack(fit)) ** 2)
        assert error == pytest.approx(report["evaluation"]["trials"][m]["squared_error"], rel=0.02)
    by_time = np.array(report["error_by_time"]["squared_error"], float)
    assert by_time.shape == tuple(report["traces"]["times"]["shape"])
    assert 0 < by_time.mean() < np.array(report["error_by_time"]["variance"], float).mean()


def test_truth_is_that_of_the_trials(folder, report):
    with h5py.File(folder / "trials.h5") as trials:
        for category in report["truth"]["memberships"]:
            true = trials["truth/categories"][category["name"]]["components"][:].transpose(1, 0, 2)
            expected = true / np.abs(true).sum(axis=2, keepdims=True)
            assert (np.abs(unpack(category["values"]) - expected) <= step(category["values"])).all()
    found, true = unpack(report["traces"]["values"]), unpack(report["truth"]["traces"])
    for match in report["truth"]["matches"]:
        a, b = found[match["estimate"], 0], true[match["truth"], 0]
        there = ~np.isnan(a)
        assert np.corrcoef(a[there], b[there])[0, 1] > 0.8


def test_noise_is_that_of_the_model(folder, report):
    with h5py.File(folder / "model.h5") as model:
        np.testing.assert_allclose(report["noise"]["level"], model["noise/level"][:], rtol=1e-12)
    np.testing.assert_allclose(
        np.square(report["noise"]["signal"]) / np.square(report["noise"]["residual"]),
        report["noise"]["ratio"],
        rtol=1e-9,
    )
    with h5py.File(folder / "trials.h5") as trials:
        observed = (~np.isnan(trials["values"][:])).sum(axis=0)
    left = [channel["squared_error"] for channel in report["evaluation"]["channels"]] / observed
    np.testing.assert_allclose(np.square(report["noise"]["residual"]), left, rtol=1e-9)


def test_other_trials_than_those_of_the_fit_are_said_loudly(folder, tmp_path):
    with (
        h5py.File(folder / "trials.h5") as source,
        h5py.File(tmp_path / "turned.h5", "w") as target,
    ):
        for name, value in source.attrs.items():
            target.attrs[name] = value
        for name in source:
            source.copy(name, target)
        target["values"][...] = source["values"][:][:, ::-1]
    report = json.loads(milcci("report", folder / "model.h5", tmp_path / "turned.h5", "--json"))
    assert "NOT THE TRIALS OF THE FIT" in report["words"]["news"]
    for verb in (["report", "-o", "page.html"], ["export", "-o", "tables"], ["evaluate"]):
        process = subprocess.run(
            [PROGRAM, verb[0], folder / "model.h5", tmp_path / "turned.h5", *verb[1:]],
            timeout=60,
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert process.returncode == 0
        assert "not the trials whose traces" in process.stderr


def test_new_trials_are_not_told_as_a_fit(folder, tmp_path, schema):
    milcci(
        "transform",
        folder / "model.h5",
        folder / "trials.h5",
        "-o",
        tmp_path / "traces.h5",
        "--quiet",
    )
    report = json.loads(milcci("report", tmp_path / "traces.h5", folder / "trials.h5", "--json"))
    jsonschema.validate(report, schema)
    assert "fitted to other trials" in report["words"]["headline"][0]
    assert "iteration" not in report["words"]["methods"]
    assert report["words"]["news"] == ""


def test_words_tell_the_fit(report):
    headline = " ".join(report["words"]["headline"])
    assert "4 components" in headline
    assert "30 trials" in headline
    assert "20 channels" in headline
    assert f"R2 {report['summary']['r2']:.3f}" in headline
    assert "seed 1234" in report["words"]["methods"]
    assert report["words"]["news"] == ""


def test_a_category_of_one_option_is_not_said_to_change(tmp_path):
    values = np.random.default_rng(5).normal(size=(6, 20, 4))
    rows = ["trial,time,choice,a,b,c,d"]
    rows += [
        f"{m},{t},left," + ",".join(f"{v:.3f}" for v in values[m, t])
        for m in range(6)
        for t in range(20)
    ]
    (tmp_path / "table.csv").write_text("\n".join(rows))
    milcci(
        "fit",
        tmp_path / "table.csv",
        "--category",
        "choice=2",
        "--penalties",
        "fixed",
        "--redundancy",
        0,
        "-o",
        tmp_path / "model.h5",
        "--quiet",
        "--label-columns",
        "choice",
    )
    headline = json.loads(milcci("report", tmp_path / "model.h5", "--json"))["words"]["headline"][0]
    assert "2 of choice, with one option, that are the same in all trials" in headline
    assert "may change" not in headline


def test_page_holds_the_object(folder, report):
    milcci(
        "report",
        folder / "model.h5",
        folder / "trials.h5",
        "-o",
        folder / "page.html",
        "--title",
        "A & B <c>",
    )
    page = (folder / "page.html").read_text()
    assert "<title>A &amp; B &lt;c&gt;</title>" in page
    text = re.search(
        r'<script type="application/json" id="milcci-report">(.*?)</script>', page, re.S
    )[1]
    assert json.loads(text) == {**report, "title": "A & B <c>"}
    assert "default-src 'none'" in page


def test_names_cannot_leave_the_object(tmp_path):
    values = np.random.default_rng(2).normal(size=(8, 30, len(HOSTILE)))
    rows = [
        "trial,time,choice," + ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    ]
    for m, trial in enumerate(values):
        rows += [
            f"{m},{t},{'<i>left</i>' if m % 2 else 'right'}," + ",".join(f"{v:.3f}" for v in row)
            for t, row in enumerate(trial)
        ]
    (tmp_path / "table.csv").write_text("\n".join(rows))
    milcci(
        "fit",
        tmp_path / "table.csv",
        "--category",
        "choice=1",
        "--penalties",
        "fixed",
        "-o",
        tmp_path / "model.h5",
        "--quiet",
    )
    milcci(
        "report",
        tmp_path / "model.h5",
        tmp_path / "table.csv",
        "-o",
        tmp_path / "page.html",
        "--quiet",
    )
    page = (tmp_path / "page.html").read_text()
    text = re.search(
        r'<script type="application/json" id="milcci-report">(.*?)</script>', page, re.S
    )[1]
    assert json.loads(text)["channels"]["names"] == HOSTILE
    assert "alert(1)</script>" not in page


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["model.h5"], 2, "-o is missing"),
        (["trials.h5", "-o", "x.html"], 3, "trials"),
        (["model.h5", "-o", "model.h5"], 2, "model.h5"),
        (["model.h5", "-o", "x.html", "--events", "go"], 2, "NAME=TIME"),
        (["model.h5", "-o", "x.html", "--events", "go=dificulty"], 2, "difficulty"),
        (
            ["model.h5", "other.h5", "-o", "x.html"],
            3,
            "give the trials that the model was fitted to",
        ),
    ],
)
def test_mistakes_are_named(folder, arguments, code, expected):
    if not (folder / "other.h5").exists():
        milcci("simulate", "--channels", 20, "--trials", 7, "-o", folder / "other.h5")
    process = subprocess.run(
        [PROGRAM, "report", *arguments], capture_output=True, text=True, cwd=folder, timeout=60
    )
    assert process.returncode == code, process.stderr
    assert expected in process.stderr, process.stderr
    assert not (folder / "x.html").exists()
