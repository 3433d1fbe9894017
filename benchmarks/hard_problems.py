"""Simulated recordings that are harder to search than the paper's, or easy in another way.

Written apart from `milcci simulate`, so that a mistake in one shows in the other. Every problem is
written as a trials file with its truth, from which a fit can also be started.
"""

from dataclasses import dataclass

import h5py
import numpy as np


@dataclass(frozen=True)
class Layout:
    """`options[k]` options and `components[k]` components of category k."""

    n_trials: int
    options: tuple[int, ...] = (3, 2)
    components: tuple[int, ...] = (3, 3)
    n_channels: int = 80
    n_times: int = 60
    share: float = 0.25  # of memberships that are not zero
    spread: float = 0.3  # relative difference of a variant's memberships from the component's
    exchanged: float = 0.1  # share of the members that a variant replaces
    noise: float = 0.2  # standard deviation, of that of the data
    rigid: float = 0.0  # share of a trace that is the same in every trial
    signed: bool = False
    weak: float = 1.0  # energy of the last component, of what it would have
    in_common: int | None = None  # channels that both of two sessions have; None: one session


def variants(layout, n_options, rng):
    """One component: its memberships under every option, options x channels."""
    base = (rng.random(layout.n_channels) < layout.share) * rng.uniform(0.3, 1.0, layout.n_channels)
    while np.count_nonzero(base) < 3:
        base[rng.integers(layout.n_channels)] = rng.uniform(0.3, 1.0)
    rows = np.tile(base, (n_options, 1))
    for row in rows:
        row *= np.clip(1 + layout.spread * rng.standard_normal(row.size), 0.05, None)
        members, others = np.flatnonzero(row), np.flatnonzero(row == 0)
        n = min(round(layout.exchanged * members.size), others.size)
        leave, enter = rng.choice(members, n, replace=False), rng.choice(others, n, replace=False)
        row[enter], row[leave] = row[leave], 0.0
    return rows


def smooth_traces(shape, length_scale, rng):
    """Independent smooth random functions, shifted to a minimum of zero; time is the last axis."""
    reach = int(4 * length_scale)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / length_scale) ** 2)
    white = rng.standard_normal((*shape[:-1], shape[-1] + 2 * reach))
    smooth = np.apply_along_axis(lambda row: np.convolve(row, kernel, mode="valid"), -1, white)
    smooth /= smooth.std()
    return smooth - smooth.min(axis=-1, keepdims=True)


def simulate(layout, seed, path):
    """Writes the problem with this seed, values and truth."""
    rng = np.random.default_rng([seed, 20261])
    names = [chr(ord("a") + k) for k in range(len(layout.options))]
    labels = [rng.permutation(np.arange(layout.n_trials) % n) for n in layout.options]
    truth = [
        np.stack([variants(layout, n, rng) for _ in range(p)], axis=1)
        for n, p in zip(layout.options, layout.components, strict=True)
    ]  # options x components x channels
    n_components = sum(layout.components)
    if layout.signed:
        truth = [t * np.sign(rng.standard_normal((1, *t.shape[1:]))) for t in truth]
    traces = smooth_traces((layout.n_trials, n_components, layout.n_times), 5.0, rng)
    common = smooth_traces((1, n_components, layout.n_times), 5.0, rng)
    traces = layout.rigid * common + (1 - layout.rigid) * traces
    if layout.signed:
        traces -= traces.mean(axis=-1, keepdims=True)
    traces *= rng.gamma(4.0, 0.25, (layout.n_trials, n_components, 1))
    traces[:, -1] *= np.sqrt(layout.weak)
    values = np.empty((layout.n_trials, layout.n_times, layout.n_channels))
    for m in range(layout.n_trials):
        loading = np.concatenate([truth[k][labels[k][m]] for k in range(len(names))])
        values[m] = traces[m].T @ loading
    values += layout.noise * values.std() * rng.standard_normal(values.shape)
    if layout.in_common is not None:
        apart = (layout.n_channels - layout.in_common) // 2
        session = rng.permutation(np.arange(layout.n_trials) % 2)
        values[session == 0, :, :apart] = np.nan
        values[session == 1, :, layout.n_channels - apart :] = np.nan
    write(path, names, labels, values, truth, traces)


def write(path, names, labels, values, truth, traces):
    n_trials, n_times, n_channels = values.shape
    text = h5py.string_dtype()
    channels = [f"ch{n:03d}" for n in range(n_channels)]
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["format_version"], f.attrs["software_version"] = (
            "milcci-trials",
            1,
            "hard.py",
        )
        f["values"] = values.reshape(-1, n_channels)
        f["trial_offset"] = np.arange(n_trials + 1) * n_times
        f.create_dataset("channel", data=channels, dtype=text)
        for k, name in enumerate(names):
            f.create_dataset(f"labels/{name}", data=[f"{name}{i}" for i in labels[k]], dtype=text)
            group = f.create_group(f"truth/categories/{name}")
            group.attrs["position"] = k
            group["components"] = truth[k]
            group.create_dataset(
                "option", data=[f"{name}{i}" for i in range(truth[k].shape[0])], dtype=text
            )
            group["component"] = np.arange(truth[k].shape[1])
            group.create_dataset("channel", data=channels, dtype=text)
        of_component = [name for k, name in enumerate(names) for _ in range(truth[k].shape[1])]
        f["truth/traces/values"] = traces.transpose(0, 2, 1).reshape(n_trials * n_times, -1)
        f["truth/traces/component"] = np.arange(len(of_component))
        f.create_dataset("truth/traces/category", data=of_component, dtype=text)
