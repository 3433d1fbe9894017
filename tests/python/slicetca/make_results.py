#!/usr/bin/env python3
"""Results of sliceTCA's authors' package, for tests/python/test_slicetca.py: results.json.

    python3.10 -m venv ENVIRONMENT
    ENVIRONMENT/bin/pip install slicetca==1.0.4 torch==1.12.1 "numpy<2"
    ENVIRONMENT/bin/python tests/python/slicetca/make_results.py

The package needs PyTorch, which is too large for a test. This release of it is one download, with
all libraries that it needs; any other will do. The script takes ten to thirty minutes.

By default the package takes a random fifth of the entries per step, which keeps it from coming to
rest. Here it takes all of them, and ends up nearer to the minimum.
"""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
import slicetca
import torch
from problems import METHODS, PROBLEMS, checksum, data

SEEDS = (0, 1, 2, 3)
SETTINGS = {"learning_rate": 5e-3, "batch_prop": 1.0, "max_iter": 10000, "min_std": 1e-6}


def squared_error(method, values, rank, seed):
    """One start; the error of what it found, in double precision."""
    has_channel_vectors = method.startswith("slicetca_1")
    ranks = (0, rank, 0) if has_channel_vectors else (0, 0, rank)  # trials, channels, times
    components, model = slicetca.decompose(
        values,
        ranks,
        positive=method.endswith("positive"),
        seed=seed,
        progress_bar=False,
        **SETTINGS,
    )
    vectors, slices = (x.astype(float) for x in components[1 if has_channel_vectors else 2])
    found = np.einsum("jn,jmt->mnt" if has_channel_vectors else "jt,jmn->mnt", vectors, slices)
    error = float(np.sum((values - found) ** 2))
    print(f"  {method}, seed {seed}: {error:.6g} after {len(model.losses)} iterations", flush=True)
    return error


def main():
    torch.set_num_threads(1)
    results = {
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("slicetca", "torch", "numpy")},
        },
        "seeds": SEEDS,
        "settings": SETTINGS,
        "problems": {},
    }
    for name, problem in PROBLEMS.items():
        print(name)
        values = data(name)
        results["problems"][name] = {
            "checksum": checksum(values),
            "squared_error": {
                method: min(squared_error(method, values, problem.rank, seed) for seed in SEEDS)
                for method in METHODS
            },
        }
    path = Path(__file__).with_name("results.json")
    path.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
