"""Python and the command line give the same numbers, to the last bit, in both directions."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys

import numpy as np
import pytest

import milcci
from quick_fits import CATEGORIES, QUICK, quietly_fitted


def run(*arguments):
    """The program; its output."""
    command = [sys.executable, "-m", "milcci", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 4), done.stderr
    return done.stdout


def flags(options):
    return [
        part
        for name, value in options.items()
        for part in (f"--{name.replace('_', '-')}", str(value))
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory, recording):
    folder = tmp_path_factory.mktemp("files")
    recording.save(folder / "trials.h5")
    asked = ["--category", "difficulty=2:ordinal", "--category", "choice=2"]
    run("fit", folder / "trials.h5", *asked, *flags(QUICK), "-o", folder / "model.h5")
    return folder


def assert_same(first, second):
    for ours, theirs in (
        (first.components_, second.components_),
        (first.standard_errors_ or {}, second.standard_errors_ or {}),
    ):
        assert list(ours) == list(theirs)
        for name in ours:
            np.testing.assert_array_equal(np.asarray(ours[name]), np.asarray(theirs[name]))
    for ours, theirs in zip(first.traces_, second.traces_, strict=True):
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))
    for name in ("objective_", "r2_", "n_iter_", "stop_reason_", "warnings_", "channel_names_"):
        assert getattr(first, name) == getattr(second, name)


def test_a_fit_in_python_is_a_fit_of_the_program(files, recording):
    assert_same(quietly_fitted(recording), milcci.load(files / "model.h5"))


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_numpy_give_the_same_bits(files, recording, order):
    arrays = [np.array(trial, order=order) for trial in recording]
    fitted = quietly_fitted(arrays, recording.labels, dims=("channel", "time"))
    assert_same(fitted, milcci.load(files / "model.h5"))


def test_the_program_reads_what_python_writes(files, tmp_path, model):
    model.save(tmp_path / "ours.h5")
    numbers = json.loads(run("evaluate", tmp_path / "ours.h5", files / "trials.h5", "--json"))
    there = milcci.evaluate(files / "model.h5", files / "trials.h5")
    assert numbers == dict(there)
    compared = milcci.compare_models(tmp_path / "ours.h5", files / "model.h5")
    assert compared["component_correlation"]["min"] == pytest.approx(1.0)


def test_a_saved_model_loads_with_its_parameters(tmp_path, model):
    model.save(tmp_path / "model.h5")
    loaded = milcci.MILCCI.load(tmp_path / "model.h5")
    assert_same(model, loaded)
    ours, theirs = model.get_params(), loaded.get_params()
    for name in QUICK:
        assert theirs[name] == ours[name]
    assert [c.name for c in loaded.categories] == list(CATEGORIES)
    with pytest.raises(OSError, match="exists"):
        model.save(tmp_path / "model.h5")
    model.save(tmp_path / "model.h5", overwrite=True)


def test_transform_is_that_of_the_program(files, tmp_path, recording, model):
    run("transform", files / "model.h5", files / "trials.h5", "-o", tmp_path / "traces.h5")
    theirs = milcci.load(tmp_path / "traces.h5").traces_
    with pytest.warns(milcci.Warning) if model.warnings_ else contextlib.nullcontext():
        ours = model.transform(recording)
    for first, second in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(first, np.asarray(second))


def test_check_and_show_are_those_of_the_program(files, recording):
    theirs = json.loads(run("check", files / "trials.h5", "--category", "choice=2", "--json"))
    ours = milcci.check(recording, categories={"choice": 2})
    assert ours["labels"] == theirs["labels"]
    assert ours["values"] == theirs["values"]
    shown = json.loads(run("show", files / "model.h5", "--json"))
    assert milcci.show(files / "model.h5")["components"] == shown["components"]
    second = json.loads(
        run("show", files / "model.h5", "--category", "choice", "--component", "2", "--json")
    )
    with pytest.raises(ValueError, match="`component` = 2, must be between 0 and 1"):
        milcci.show(files / "model.h5", "choice", 2)
    for by_name in (
        milcci.show(files / "model.h5", "choice 2"),
        milcci.load(files / "model.h5").show("choice 2"),
    ):
        assert by_name["components"] == second["components"]


def test_simulate_is_that_of_the_program(tmp_path):
    run(
        "simulate",
        "--channels",
        7,
        "--trials",
        5,
        "--length",
        9,
        "--seed",
        4,
        "-o",
        tmp_path / "a.h5",
    )
    ours = milcci.simulate(n_channels=7, n_trials=5, length=9, seed=4)
    theirs = milcci.read(tmp_path / "a.h5")
    assert ours.fingerprint == theirs.fingerprint
    for first, second in zip(ours.truth.traces, theirs.truth.traces, strict=True):
        np.testing.assert_array_equal(first, second)


def test_prepare_is_that_of_the_program(files, tmp_path, recording):
    run(
        "prepare", files / "trials.h5", "--bin-label", "difficulty=quantiles:2",
        "--scale", "zscore:all", "-o", tmp_path / "prepared.h5",
    )  # fmt: skip
    ours = milcci.prepare(
        recording, bin_label={"column": "difficulty", "n_quantiles": 2}, scale="zscore:all"
    )
    assert ours.fingerprint == milcci.read(tmp_path / "prepared.h5").fingerprint
    assert "difficulty_bin" in ours.labels
    assert ours.notes


@pytest.fixture(scope="module")
def scaled(tmp_path_factory, files):
    """The path of a model of the program that was fitted with steps that change trials."""
    path = tmp_path_factory.mktemp("scaled") / "model.h5"
    run(
        "fit", files / "trials.h5", "--category", "choice=2", "--scale", "tanh",
        "--drop-trials", "difficulty=3", *flags(QUICK), "-o", path,
    )  # fmt: skip
    return path


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_what_the_program_did_before_its_fit_is_done_again(files, scaled, recording, tmp_path):
    fitted = milcci.load(scaled)
    run("transform", scaled, files / "trials.h5", "-o", tmp_path / "traces.h5")
    theirs = milcci.load(tmp_path / "traces.h5").traces_
    kept = int((recording.labels["difficulty"] != 3).sum())
    assert len(theirs) == kept < len(recording)
    arrays = {"dims": ("channel", "time"), "channel_names": recording.channel_names}
    for given in ((recording,), (files / "trials.h5",), (list(recording), recording.labels)):
        keywords = arrays if len(given) == 2 else {}
        for first, second in zip(fitted.transform(*given, **keywords), theirs, strict=True):
            np.testing.assert_array_equal(first, np.asarray(second))

    evaluated = json.loads(run("evaluate", scaled, files / "trials.h5", "--cosmooth", "--json"))
    assert dict(milcci.evaluate(scaled, recording, cosmooth=True)) == evaluated
    assert fitted.score(recording) == evaluated["r2"]
    assert fitted.cosmooth_score(recording) == evaluated["cosmoothing"]["r2"]


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_trials_that_were_prepared_stay_as_they_are(scaled, recording, caplog):
    fitted = milcci.load(scaled)
    with caplog.at_level("INFO", logger="milcci"):
        expected = fitted.transform(recording)
    assert "as in the fit" in caplog.text
    caplog.clear()
    same = milcci.prepare(recording, scale="tanh", drop_trials="difficulty=3")
    with caplog.at_level("INFO", logger="milcci"):
        found = fitted.transform(same)
    assert "as in the fit" not in caplog.text
    for first, second in zip(found, expected, strict=True):
        np.testing.assert_array_equal(first, second)
    with pytest.raises(ValueError, match="prepared in another way"):
        fitted.transform(milcci.prepare(recording, scale="sqrt"))


@pytest.mark.filterwarnings("ignore::milcci.Warning")
def test_numbers_that_a_fit_took_from_its_trials_are_not_taken_from_others(recording):
    fitted = quietly_fitted(milcci.prepare(recording, scale="zscore"))
    assert fitted.score(recording) == pytest.approx(fitted.r2_)
    with pytest.raises(
        ValueError, match="took the numbers for scale zscore:channel from its own trials"
    ):
        fitted.transform(recording[:10])


def test_trials_without_steps_are_not_copied(model, recording):
    from milcci import _core

    same, notes = _core.prepare_as_fitted(model._fitted(), recording._recording)
    assert notes == []
    assert np.shares_memory(same.values(0), recording[0])
