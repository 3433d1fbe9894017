"""Steps of prepare at fit, and what becomes of them when the model meets trials."""

import numpy as np
import pytest

CATEGORY = ["--category", "choice=1", "--restarts", 1]


@pytest.fixture
def raw(milcci):
    values = np.random.default_rng(0).random((12, 4, 20)) * 100
    reading = {"values": values, "channel": list("abcd"), "choice": ["l", "r", "?"] * 4}
    np.savez(milcci.folder / "raw.npz", **reading)
    np.savez(milcci.folder / "new.npz", **{**reading, "values": values**2})
    return ["raw.npz", "--dims", "trial,channel,time"]


def fingerprint(milcci, path):
    return milcci.json("info", path)["summary"]["data_fingerprint"]


def test_a_fit_takes_the_steps_that_prepare_takes(milcci, raw):
    steps = ["--drop-trials", "choice=?", "--scale", "sqrt", "--scale", "zscore"]
    milcci.done("prepare", *raw, *steps, "-o", "t.h5")
    milcci.done("fit", "t.h5", *CATEGORY, "-o", "a.h5", codes=(0, 4))
    milcci.done("fit", *raw, *steps, *CATEGORY, "-o", "b.h5", codes=(0, 4))
    assert fingerprint(milcci, "a.h5") == fingerprint(milcci, "b.h5")
    history = milcci.json("info", "b.h5")["history"]
    assert [step["step"] for step in history] == ["read", "drop_trials", "scale", "scale"]
    assert (
        milcci.json("evaluate", "b.h5", *raw)["r2"] == milcci.json("evaluate", "a.h5", "t.h5")["r2"]
    )


def test_new_trials_are_prepared_as_those_of_the_fit_where_that_needs_no_numbers(milcci, raw):
    steps = ["--drop-trials", "choice=?", "--scale", "sqrt"]
    milcci.done("fit", *raw, *steps, *CATEGORY, "-o", "m.h5", codes=(0, 4))
    milcci.done("prepare", "new.npz", *raw[1:], *steps, "-o", "new.h5")
    run = milcci.done("transform", "m.h5", "new.npz", *raw[1:], "-o", "a.h5")
    assert "as in the fit: left out 4 of 12 trials" in run.stderr
    assert "as in the fit: scaled: sqrt" in run.stderr
    milcci.done("transform", "m.h5", "new.h5", "-o", "b.h5")
    assert fingerprint(milcci, "a.h5") == fingerprint(milcci, "b.h5")


def test_trials_are_not_prepared_more_than_those_of_the_fit(milcci, raw):
    milcci.done("fit", *raw, *CATEGORY, "-o", "m.h5", codes=(0, 4))
    milcci.done("prepare", "new.npz", *raw[1:], "--scale", "tanh", "-o", "scaled.h5")
    milcci.refused(
        3, "transform", "m.h5", "scaled.h5", "-o", "a.h5", says=["another way", "scale tanh"]
    )


def test_numbers_of_the_fit_are_not_guessed_for_new_trials(milcci, raw):
    milcci.done("fit", *raw, "--scale", "zscore", *CATEGORY, "-o", "m.h5", codes=(0, 4))
    milcci.refused(
        3,
        "transform",
        "m.h5",
        "new.npz",
        *raw[1:],
        "--quiet",
        "-o",
        "a.h5",
        says=["zscore:channel", "sqrt"],
    )
    milcci.done("prepare", "new.npz", *raw[1:], "--scale", "sqrt", "-o", "other.h5")
    milcci.refused(
        3, "transform", "m.h5", "other.h5", "-o", "a.h5", says=["another way", "zscore:channel"]
    )
    milcci.done("prepare", "new.npz", *raw[1:], "--scale", "zscore", "-o", "same.h5")
    milcci.done("transform", "m.h5", "same.h5", "-o", "a.h5")
