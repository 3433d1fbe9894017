"""Pictures of models and trials, drawn by matplotlib: every figure in one line.

Each takes a model, or the path of a model file; draws into ``ax``, or into a new figure;
returns the axes; and shows nothing by itself. Colours are safe for colour-blind people, and no
picture needs them: lines, markers and heat maps are told apart in greyscale.

>>> import milcci
>>> trials = milcci.simulate(n_channels=20, n_trials=40, length=60, seed=1)
>>> model = milcci.MILCCI({"choice": 2}, nonnegative="both", effort="quick").fit(trials)
>>> figure = milcci.plot.overview(model)
"""

from ._comparison import comparison
from ._components import components, difference, members, variants
from ._data import channel_correlations, histogram, raster, rates, trial_correlations, trial_counts
from ._dynamics import transition_network, transitions
from ._fit import noise, objective, trial, truth
from ._labels import channel_groups, distances, label_graph
from ._overview import overview
from ._traces import composition, drift, trace_difference, traces, trials

__all__ = [
    "channel_correlations",
    "channel_groups",
    "comparison",
    "components",
    "composition",
    "difference",
    "distances",
    "drift",
    "histogram",
    "label_graph",
    "members",
    "noise",
    "objective",
    "overview",
    "raster",
    "rates",
    "trace_difference",
    "traces",
    "transition_network",
    "transitions",
    "trial",
    "trial_correlations",
    "trial_counts",
    "trials",
    "truth",
    "variants",
]
