"""Draws the picture of the README: simulated trials, a fit, and one of its components.

python examples/readme_picture.py          writes docs/readme.png
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

import milcci

trials = milcci.simulate(n_channels=30, n_trials=80, length=100, noise=0.5, seed=1)
model = milcci.MILCCI({"difficulty": 2, "choice": 2}, nonnegative="both").fit(trials)

figure, axes = plt.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
milcci.plot.components(model, "choice", ax=axes[0])
milcci.plot.difference(model, "choice 2", "left", "right", top=10, ax=axes[1])
milcci.plot.traces(model, "choice 2", ax=axes[2])
figure.savefig(
    Path(__file__).parents[1] / "docs" / "readme.png", dpi=80, metadata={"Software": None}
)
