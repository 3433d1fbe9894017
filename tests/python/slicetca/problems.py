"""The problems that sliceTCA of milcci and of its authors' package are compared on.

NumPy promises that the numbers of RandomState never change, and the values are rounded, so that
every version makes the same problems; `checksum` tells whether it did.
"""

import hashlib
from dataclasses import dataclass

import numpy as np

METHODS = ("slicetca_1", "slicetca_1_positive", "slicetca_2", "slicetca_2_positive")


@dataclass(frozen=True)
class Problem:
    seed: int
    trials: int
    channels: int
    times: int
    rank: int
    is_nonnegative: bool


PROBLEMS = {
    "signed": Problem(1, trials=20, channels=8, times=15, rank=2, is_nonnegative=False),
    "nonnegative": Problem(2, trials=20, channels=8, times=15, rank=3, is_nonnegative=True),
    "wide": Problem(3, trials=12, channels=14, times=10, rank=4, is_nonnegative=True),
}


def data(name):
    """Trials x channels x time: slices of both kinds, and noise. About 1 in size."""
    problem = PROBLEMS[name]
    random = np.random.RandomState(problem.seed)

    def draw(*shape):
        values = random.standard_normal(shape)
        return np.maximum(values, 0) if problem.is_nonnegative else values

    trials, channels, times, rank = problem.trials, problem.channels, problem.times, problem.rank
    by_channel = np.einsum("nj,mtj->mnt", draw(channels, rank), draw(trials, times, rank))
    by_time = np.einsum("tj,mnj->mnt", draw(times, rank), draw(trials, channels, rank))
    values = by_channel + by_time + 0.3 * draw(trials, channels, times)
    return np.round(values / np.sqrt(np.mean(values**2)), 6)


def checksum(values):
    """Of the values in millionths, which are whole numbers."""
    return hashlib.sha256(np.rint(values * 1e6).astype("<i8").tobytes()).hexdigest()
