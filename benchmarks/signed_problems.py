"""Small simulated recordings whose memberships and traces have either sign.

Written apart from `hard_problems.py` and `milcci simulate`. The size of a problem is drawn from its
seed.
"""

import numpy as np

from hard_problems import write


def memberships(n_channels, n_options, rng):
    """One component under every option, options x channels: most channels belong to none."""
    share = rng.uniform(0.2, 0.6)
    own = rng.uniform(0.2, 0.6)  # of what differs between options
    base = rng.standard_normal(n_channels) * (rng.random(n_channels) < share)
    rows = base * (1.0 + own * rng.standard_normal((n_options, n_channels)))
    for row in rows:  # and some channels belong under this option only, others not
        row *= rng.random(n_channels) > 0.1
        row += (rng.random(n_channels) < 0.1 * share) * rng.standard_normal(n_channels)
    rows[:, :2] += 0.5  # so that none is empty
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def coloured(shape, rng):
    """First-order autoregressive noise of variance one, its time constant drawn per problem."""
    keep = rng.uniform(0.3, 0.95)
    values = rng.standard_normal(shape)
    for t in range(1, shape[-1]):
        values[..., t] = keep * values[..., t - 1] + np.sqrt(1 - keep**2) * values[..., t]
    return values


def simulate(seed, path):
    """Writes the problem with this seed and its truth. Returns the components per category."""
    rng = np.random.default_rng([seed, 77031])
    n_channels, n_times, n_trials = (
        rng.integers(30, 81),
        rng.integers(40, 61),
        rng.integers(60, 151),
    )
    p = int(rng.integers(2, 4))  # components, in each of two categories
    n_options = rng.integers(2, 4, 2)
    labels = [rng.permutation(np.arange(n_trials) % n) for n in n_options]
    truth = [
        np.stack([memberships(n_channels, n, rng) for _ in range(p)], axis=1) for n in n_options
    ]
    traces = coloured((n_trials, 2 * p, n_times), rng)
    traces += rng.uniform(0, 2) * coloured(
        (1, 2 * p, n_times), rng
    )  # what all trials have in common
    traces += rng.uniform(0, 1) * coloured(
        (n_trials, 1, n_times), rng
    )  # what all components have in common
    traces *= rng.uniform(0.6, 1.6, (1, 2 * p, 1))
    values = np.stack(
        [
            traces[m].T @ np.concatenate([truth[k][labels[k][m]] for k in (0, 1)])
            for m in range(n_trials)
        ]
    )
    values += rng.uniform(0.05, 0.3) * values.std() * rng.standard_normal(values.shape)
    write(path, ["a", "b"], labels, values, truth, traces)
    return p
