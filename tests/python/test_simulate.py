"""What `milcci simulate` makes has the statistics that were asked for, measured independently.

Tolerances are about five standard errors of what is measured.
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()


@dataclass
class Simulated:
    values: np.ndarray  # trials x time x channels
    labels: list  # per trial, of all categories
    components: np.ndarray | None  # trials x components x channels, as each trial has them
    traces: np.ndarray | None  # trials x time x components
    transitions: np.ndarray | None
    offset: np.ndarray | None
    noise: np.ndarray | None
    asked: dict

    @property
    def rest(self):
        """What components and traces do not make."""
        return self.values - self.traces @ self.components


@pytest.fixture
def simulate(tmp_path):
    def run(*options, channels=60, trials=50):
        path = tmp_path / "trials.h5"
        size = ["--channels", channels, "--trials", trials, "--length", 100, "--seed", 5]
        command = [PROGRAM, "simulate", *size, *options, "-o", path, "--force", "--quiet"]
        subprocess.run(list(map(str, command)), check=True, timeout=300)
        with h5py.File(path) as f:
            return read(f)

    return run


def read(f):
    n_trials = f["trial_offset"].size - 1
    values = f["values"][:].reshape(n_trials, -1, f["channel"].size)
    text = {
        name: [x.decode() if isinstance(x, bytes) else str(x) for x in f["labels"][name][:]]
        for name in f["labels"]
    }
    asked = json.loads(f["history"][0])["options"]
    labels = list(zip(*text.values(), strict=True))
    if "truth" not in f:
        return Simulated(values, labels, None, None, None, None, None, asked)
    groups = sorted(f["truth/categories"].values(), key=lambda group: group.attrs["position"])
    parts = []
    for group in groups:
        options = [x.decode() for x in group["option"][:]]
        chosen = [options.index(label) for label in text[group.attrs["name"]]]
        parts.append(group["components"][:][chosen])
    traces = f["truth/traces/values"][:].reshape(n_trials, values.shape[1], -1)
    optional = [
        f[path][:] if path in f else None
        for path in ["truth/traces/transitions", "truth/channels/offset", "truth/channels/noise"]
    ]
    return Simulated(values, labels, np.concatenate(parts, axis=1), traces, *optional, asked)


def clean_deviation(data):
    return (data.traces @ data.components).std()


def test_without_options_the_truth_makes_the_values(simulate):
    data = simulate()
    assert abs(data.rest).max() < 1e-12
    assert data.offset is None
    assert data.noise is None
    assert data.transitions is None


def test_noise_is_normal_and_as_large_as_asked(simulate):
    data = simulate("--noise", 0.5)
    z = data.rest / data.noise
    assert np.allclose(data.noise, 0.5 * clean_deviation(data))
    assert abs(z.mean()) < 0.01  # 300,000 draws
    assert abs(z.std() - 1) < 0.01
    assert abs((z**3).mean()) < 0.03
    assert abs((z**4).mean() - 3) < 0.06
    assert abs((z[:, 1:] * z[:, :-1]).mean()) < 0.01, "white"
    assert abs((z[:, :, 1:] * z[:, :, :-1]).mean()) < 0.01, "of every channel by itself"


def test_noise_levels_are_log_normal(simulate):
    data = simulate("--noise", 1, "--noise-spread", 0.6, channels=400, trials=20)
    logs = np.log(data.noise)
    assert abs(logs.std() - 0.6) < 0.11
    assert abs(((logs - logs.mean()) ** 3).mean() / logs.std() ** 3) < 0.65
    assert np.sqrt((data.noise**2).mean()) == pytest.approx(clean_deviation(data))
    measured = data.rest.std(axis=(0, 1))
    assert np.allclose(measured, data.noise, rtol=0.09)  # 2,000 draws each


@pytest.mark.parametrize("bins", [1, 3])
def test_smoothed_noise_has_the_correlation_of_a_gaussian(simulate, bins):
    data = simulate("--noise", 1, "--noise-smoothing", bins)
    z = data.rest / data.noise
    assert abs(z.std() - 1) < 0.03
    assert np.allclose(z.std(axis=(0, 2)), 1, atol=0.08), "at all times of the trial"
    for lag in [1, 2, 4, 9]:
        assert (z[:, lag:] * z[:, :-lag]).mean() == pytest.approx(
            np.exp(-(lag**2) / (4 * bins**2)), abs=0.04
        )


def test_baselines_are_constant_and_between_half_and_one_and_a_half(simulate):
    data = simulate("--baseline", 5, channels=300)
    assert abs(data.rest - data.offset).max() < 1e-12
    in_deviations = data.offset / clean_deviation(data)
    assert in_deviations.min() >= 2.5
    assert in_deviations.max() <= 7.5
    assert abs(in_deviations.mean() - 5) < 0.42
    assert abs(in_deviations.std() - 5 / np.sqrt(12)) < 0.3
    assert abs((simulate("--baseline", 5, "--signed", channels=300).offset < 0).mean() - 0.5) < 0.15


@pytest.mark.parametrize("size", [20, 7])
def test_outliers_are_scattered_and_of_the_asked_size(simulate, size):
    clean, data = (
        simulate("--noise", 0.2),
        simulate("--noise", 0.2, "--outliers", 0.02, "--outlier-size", size),
    )
    ratio = data.values / clean.values
    is_outlier = ratio != 1
    assert np.allclose(ratio[is_outlier], size)
    assert abs(is_outlier.mean() - 0.02) < 0.0013
    assert is_outlier.mean(axis=(0, 1)).max() < 0.035
    assert is_outlier.mean(axis=(0, 2)).max() < 0.035


@pytest.mark.parametrize("mean", [0.1, 2, 150])
def test_counts_are_poisson(simulate, mean):
    data = simulate("--counts", mean)
    rate = data.traces @ data.components
    assert rate.mean() == pytest.approx(mean)
    assert (data.values >= 0).all()
    assert (data.values == np.floor(data.values)).all()
    assert not data.values[rate < 1e-12 * mean].any()
    of_rate = (data.values - rate)[rate > 1e-3 * mean] / np.sqrt(rate[rate > 1e-3 * mean])
    n = of_rate.size
    assert abs(of_rate.mean()) < 5 / np.sqrt(n)
    # The fourth moment of a Poisson variable is 3 + 1 / rate, which bounds the error of the second.
    assert abs((of_rate**2).mean() - 1) < 5 * np.sqrt((2 + 1 / (1e-3 * mean)) / n)
    if mean == 2:  # the whole distribution, where rates are about one
        near = (rate > 0.95) & (rate < 1.05)
        shares = np.bincount(data.values[near].astype(int), minlength=5)[:5] / near.sum()
        assert np.allclose(
            shares, [0.368, 0.368, 0.184, 0.061, 0.015], atol=5 * 0.48 / np.sqrt(near.sum()) + 0.005
        )


def test_pure_noise_has_no_truth_and_no_structure(simulate):
    level = 0.7 * clean_deviation(simulate())
    data = simulate("--noise", 0.7, "--pure-noise")
    assert data.traces is None
    assert data.values.std() == pytest.approx(level, rel=0.01)
    flat = data.values.reshape(-1, data.values.shape[2])
    assert abs(np.corrcoef(flat.T) - np.eye(flat.shape[1])).max() < 5.5 / np.sqrt(len(flat))
    counts = simulate("--counts", 1, "--pure-noise").values.reshape(-1, 60)
    mean = counts.mean(axis=0)
    assert abs(counts.var(axis=0)[mean > 0.2] / mean[mean > 0.2] - 1).max() < 0.15


@pytest.mark.parametrize("sign", [[], ["--signed"]])
def test_traces_of_dynamics_obey_the_transition_of_their_label(simulate, sign):
    data = simulate("--dynamics", "--category", "cue=4:2", *sign, trials=400)
    for label in set(data.labels):
        trials = [m for m, other in enumerate(data.labels) if other == label]
        W = data.transitions[trials[0]]
        assert all((data.transitions[m] == W).all() for m in trials)
        now = np.concatenate([data.traces[m, 1:] for m in trials])
        before = np.concatenate([data.traces[m, :-1] for m in trials])
        found = np.linalg.lstsq(before, now, rcond=None)[0].T
        assert abs(found - W).max() < 0.015  # 19,800 steps
        assert abs(np.linalg.eigvals(W)).max() < 1 + 1e-9
        innovation = now - before @ W.T
        of_one_trial = innovation[:98]
        assert abs((of_one_trial[1:] * of_one_trial[:-1]).mean()) < 5 * innovation.var() / np.sqrt(
            4 * 97
        )
        assert (abs(innovation.mean(axis=0)) < 5 * innovation.std(axis=0) / np.sqrt(len(now))).all()
    first, second = (data.transitions[data.labels.index(label)] for label in set(data.labels))
    assert abs(first - second).max() > 0.02
    assert (data.traces.min() < 0) == bool(sign)


def test_history_has_what_was_asked_for(simulate):
    asked = simulate("--counts", 0.3, "--outliers", 0.01).asked
    assert (asked["counts"], asked["outliers"], asked["outlier_size"]) == (0.3, 0.01, 20)
    assert (asked["n_channels"], asked["seed"], asked["dynamics"]) == (60, 5, False)
