"""The objective and the estimates of `--penalties auto`, computed by numpy from the model file."""

import itertools
import json
import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
CATEGORIES = ["--category", "difficulty=2:ordinal", "--category", "choice=2"]


def milcci(*arguments):
    process = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert process.returncode in (0, 4), process.stderr
    return process.stdout


@dataclass
class Fit:
    """A model in the frame of the fit: channels over their noise, every variant of length one."""

    values: np.ndarray  # trials x time x channels, without their offset
    weight: np.ndarray  # of every channel in that frame
    traces: np.ndarray  # trials x time x components
    variants: list  # per category: options x components x channels
    option_of_trial: list  # per category
    graphs: list  # per category: ties between two options
    ridge: np.ndarray
    smoothness: np.ndarray
    consistency: list
    noise: float  # variance
    told: dict  # the objective that the program tells

    def loadings(self):
        """Trials x components x channels."""
        return np.concatenate(
            [v[o] for v, o in zip(self.variants, self.option_of_trial, strict=True)], axis=1
        )

    def terms(self, traces=None, loadings=None):
        traces = self.traces if traces is None else traces
        loadings = self.loadings() if loadings is None else loadings
        categories = list(zip(self.graphs, self.consistency, self.variants, strict=True))
        return {
            "fit": ((self.values - traces @ loadings) ** 2).sum(),
            "ridge": (self.ridge * traces**2).sum(),
            "smoothness": (self.smoothness * np.diff(traces, axis=1) ** 2).sum(),
            "consistency": sum(
                c @ (g[i, other] * ((v[i] - v[other]) ** 2).sum(axis=1))
                for g, c, v in categories
                for i in range(len(v))
                for other in range(i)
            ),
        }


@pytest.fixture(scope="module", params=["none", "both"])
def fitted(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("objective")
    milcci(
        "simulate",
        "--channels",
        25,
        "--trials",
        40,
        "--length",
        60,
        "--noise",
        0.5,
        "--baseline",
        5,
        "--seed",
        4,
        "-o",
        folder / "trials.h5",
    )
    smooth = ["--smoothness", 0] if request.param == "none" else []
    told = json.loads(
        milcci(
            "fit",
            folder / "trials.h5",
            *CATEGORIES,
            *smooth,
            "--nonnegative",
            request.param,
            "--json",
            "--quiet",
            "-o",
            folder / "model.h5",
        )
    )
    return request.param, read(folder / "trials.h5", folder / "model.h5", told["objective"])


def read(trials, model, told):
    with h5py.File(trials) as t, h5py.File(model) as f:
        n_trials = t["trial_offset"].size - 1
        unit = f["noise"].attrs["unit"]
        weight = unit / f["noise/level"][:]
        offset = f["noise/offset"][:] if "noise/offset" in f else 0.0
        values = ((t["values"][:] - offset) * weight).reshape(n_trials, -1, weight.size)
        traces = f["traces/values"][:].reshape(n_trials, values.shape[1], -1).copy()
        groups = sorted(f["categories"].values(), key=lambda group: group.attrs["position"])
        variants, options, graphs, first = [], [], [], 0
        for group in groups:
            components = group["components"][:] * weight
            length = np.linalg.norm(components, axis=2)
            option = group["option_of_trial"][:]
            traces[:, :, first : first + components.shape[1]] *= length[option][:, np.newaxis]
            variants.append(components / length[:, :, np.newaxis])
            options.append(option)
            graphs.append((group["graph"][:] + group["graph"][:].T) / 2)
            first += components.shape[1]
        sizes = np.cumsum([v.shape[1] for v in variants])[:-1]
        smoothness = f["noise/smoothness"][:] if "noise/smoothness" in f else np.zeros(first)
        return Fit(
            values,
            weight,
            traces,
            variants,
            options,
            graphs,
            f["noise/ridge"][:],
            smoothness,
            np.split(f["noise/consistency"][:], sizes),
            unit**2,
            told,
        )


def test_every_term_has_the_value_that_is_told(fitted):
    _, fit = fitted
    for name, value in fit.terms().items():
        assert value == pytest.approx(fit.told[name], rel=1e-9), name


def test_no_trace_can_be_moved_to_a_lower_objective(fitted):
    nonnegative, fit = fitted
    rng = np.random.default_rng(1)
    scale = np.sqrt(fit.noise)

    def objective(traces):
        terms = fit.terms(traces)
        return terms["fit"] + terms["ridge"] + terms["smoothness"]

    for m, t, j in zip(
        rng.integers(40, size=30), rng.integers(60, size=30), rng.integers(4, size=30), strict=True
    ):
        moved = {}
        for step in (-1e-3, 1e-3):
            traces = fit.traces.copy()
            traces[m, t, j] += step * scale
            moved[step] = objective(traces)
        slope = (moved[1e-3] - moved[-1e-3]) / 2e-3
        bend = (moved[1e-3] + moved[-1e-3] - 2 * objective(fit.traces)) / 1e-6
        distance = slope / bend  # to the lowest point, in standard deviations of the noise
        if nonnegative == "both" and fit.traces[m, t, j] == 0:
            assert distance > -1e-5
        else:
            assert abs(distance) < 1e-3


def log_evidence(fit, ridge, noise):
    """Of the values with the components as they are.

    Traces without smoothness are drawn from N(0, noise / ridge).
    """
    total = 0.0
    for y, loading in zip(fit.values, fit.loadings(), strict=True):
        covariance = (fit.noise / ridge * loading.T) @ loading + noise * np.eye(loading.shape[1])
        squares = (y * np.linalg.solve(covariance, y.T).T).sum()
        total -= 0.5 * (len(y) * np.linalg.slogdet(covariance)[1] + squares)
    return total


@pytest.mark.parametrize("fitted", ["none"], indirect=True)  # else it has no closed form
def test_ridges_and_noise_are_those_of_the_highest_evidence(fitted):
    _, fit = fitted
    # Channels over their noise have the variance `noise`; a ridge is noise over the variance of a
    # trace.
    best = log_evidence(fit, fit.ridge, fit.noise)
    for factor in (0.8, 1.25):
        for j in range(fit.ridge.size):
            ridge = fit.ridge.copy()
            ridge[j] *= factor
            assert log_evidence(fit, ridge, fit.noise) < best, (j, factor)
    for factor in (0.97, 1.03):
        assert log_evidence(fit, fit.ridge, factor * fit.noise) < best, factor


@pytest.mark.parametrize("fitted", ["none"], indirect=True)  # else it has no closed form
def test_the_uncertainty_is_the_covariance_of_the_traces(fitted):
    _, fit = fitted
    value = 0.0
    for loading in fit.loadings():
        gram = loading @ loading.T
        value += (
            fit.values.shape[1]
            * fit.noise
            * np.trace(gram @ np.linalg.inv(gram + np.diag(fit.ridge)))
        )
    assert value == pytest.approx(fit.told["uncertainty"], rel=1e-6)


@pytest.fixture(scope="module")
def estimates(tmp_path_factory):
    """The fits that end with the first, second, ... estimate of all weights.

    One iteration, then four to each. No member is chosen, which would be no step of expectation
    maximisation.
    """
    folder = tmp_path_factory.mktemp("estimates")
    milcci(
        "simulate",
        "--channels",
        25,
        "--trials",
        40,
        "--length",
        60,
        "--noise",
        1,
        "--signed",
        "--seed",
        6,
        "-o",
        folder / "trials.h5",
    )
    fits = []
    for n in range(1, 8):
        model = folder / f"{n}.h5"
        told = json.loads(
            milcci(
                "fit",
                folder / "trials.h5",
                *CATEGORIES,
                "--smoothness",
                0,
                "--sparsity",
                0,
                "--offset",
                "none",
                "--max-iterations",
                1 + 4 * n,
                "--json",
                "--quiet",
                "-o",
                model,
            )
        )
        fits.append(read(folder / "trials.h5", model, told["objective"]))
    return fits


def log_posterior(fit, variants):
    """Of components in the frame and by the weights of `fit`, where the traces may be any."""
    moved = replace(fit, variants=variants)
    return log_evidence(moved, fit.ridge, fit.noise) - moved.terms()["consistency"] / (
        2 * fit.noise
    )


def in_frame_of(fit, other):
    """The variants of `other`."""
    changed = [variant * (fit.weight / other.weight) for variant in other.variants]
    return [variant / np.linalg.norm(variant, axis=2, keepdims=True) for variant in changed]


def test_expectation_maximisation_never_lowers_its_bound(estimates):
    for before, after in itertools.pairwise(estimates):
        assert log_posterior(after, after.variants) > log_posterior(
            after, in_frame_of(after, before)
        )
