"""Keywords of all options. Written by python/generate_parameters.py: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from ._category import Category

#: Keywords whose option has another name, because a method of the estimator is called so.
RENAMED = {"transform": "data_transform"}


class FitParameters:
    """Fits sparse components that adjust to the labels of trials.

    Parameters
    ----------
    categories : mapping, or sequence of Category or str
        Which labels components adjust to, and how many: ``{"difficulty": 2, "choice": 2}``. Numbers
        and ordered categoricals are then ordinal, texts categorical; ``Category(...)`` says it by
        hand. Texts are as on the command line: ``"difficulty=2:ordinal"``.
    trial_number : int, optional
        Components that drift from trial to trial.
    fixed : int, optional
        Components that do not adjust to any label.
    verbose : int
        1 prints what was understood and what was found, 2 also the progress.
    nonnegative : {'none', 'components', 'traces', 'both'}, default 'none'
        Factors that may not be negative: none, components, traces or both.
    data_transform : {'none', 'tanh'}, default 'none'
        What is done to every value before the fit: none or tanh.
    penalties : {'auto', 'fixed'}, default 'auto'
        Penalties that are not given: fixed, or auto: from the noise of the data.
    offset : {'auto', 'none', 'channel'}, default 'auto'
        Baseline per channel: auto (with estimated penalties), none or channel (b).
    noise : {'auto', 'equal', 'channel'}, default 'auto'
        Noise levels: auto (with estimated penalties), equal or channel (sigma).
    loss : {'squared', 'huber'}, default 'squared'
        What an error costs: squared, or huber, for data with outliers.
    sparsity : float, optional
        Cut memberships below this share of the mean membership; unset: 0.01 (s).
    consistency : float, optional
        Pull between variants, against an option's own evidence; fixed: 0.01 (c).
    smoothness : float, optional
        Weight of squared steps of the traces; fixed: 0, or 1 with the lds prior (q).
    decorrelation : float, default 0.0
        Weight of correlations between the traces of a trial (d).
    ridge : float, optional
        Weight of squared traces; fixed: 0.001, or 1e-6 if both are non-negative (r).
    missing_weight : float, default 0.01
        Weight of missing entries, as if they were zero (u).
    redundancy : float, optional
        Drop components without which R2 falls by less than this; unset: 0.001.
    prior : {'smoothness', 'lds'}, default 'smoothness'
        What is assumed of traces over time: smoothness or lds.
    transition_pull : float, default 0.1
        lds: pull of the transitions to the identity.
    dynamics_iterations : int, default 4
        lds: alternations of traces and transitions.
    gamma1 : float, optional
        Absolute sparsity weight, replaces sparsity (gamma_1).
    gamma2 : float, optional
        Absolute consistency weight, replaces consistency (gamma_2).
    gamma3 : float, optional
        Absolute smoothness weight, replaces smoothness (gamma_3).
    gamma4 : float, optional
        Absolute decorrelation weight, replaces decorrelation (gamma_4).
    gamma5 : float, optional
        Absolute transition pull, replaces transition-pull (gamma_5).
    max_iterations : int, default 500
        Most iterations, all stages together.
    tolerance : float, default 1e-06
        Relative fall of the objective that counts as none.
    component_tolerance : float, default 0.001
        Movement of a component that counts as none.
    precision : {'float64', 'float32'}, default 'float64'
        How the data are kept while fitting: float64 or float32.
    seed : int, default 1234
        Seed of all random numbers.
    effort : {'quick', 'default', 'thorough'}, default 'default'
        How long to look for the best answer: quick, default or thorough.
    time_limit : float, optional
        Most seconds; unset: none.
    restarts : int, default 16
        Independent starts of a tournament, the best goes on.
    candidates : int, default 2
        Finalists among the starts.
    threads : int, default 0
        Threads, 0 = all cores.
    """

    def __init__(
        self,
        categories: Mapping[str, int | Category]
        | Sequence[Category | str]
        | None = None,
        *,
        trial_number: int | None = None,
        fixed: int | None = None,
        nonnegative: Literal["none", "components", "traces", "both"] = "none",
        data_transform: Literal["none", "tanh"] = "none",
        penalties: Literal["auto", "fixed"] = "auto",
        offset: Literal["auto", "none", "channel"] = "auto",
        noise: Literal["auto", "equal", "channel"] = "auto",
        loss: Literal["squared", "huber"] = "squared",
        sparsity: float | None = None,
        consistency: float | None = None,
        smoothness: float | None = None,
        decorrelation: float = 0.0,
        ridge: float | None = None,
        missing_weight: float = 0.01,
        redundancy: float | None = None,
        prior: Literal["smoothness", "lds"] = "smoothness",
        transition_pull: float = 0.1,
        dynamics_iterations: int = 4,
        gamma1: float | None = None,
        gamma2: float | None = None,
        gamma3: float | None = None,
        gamma4: float | None = None,
        gamma5: float | None = None,
        max_iterations: int = 500,
        tolerance: float = 1e-06,
        component_tolerance: float = 0.001,
        precision: Literal["float64", "float32"] = "float64",
        seed: int = 1234,
        effort: Literal["quick", "default", "thorough"] = "default",
        time_limit: float | None = None,
        restarts: int = 16,
        candidates: int = 2,
        threads: int = 0,
        verbose: int = 0,
    ) -> None:
        self.categories = categories
        self.trial_number = trial_number
        self.fixed = fixed
        self.nonnegative = nonnegative
        self.data_transform = data_transform
        self.penalties = penalties
        self.offset = offset
        self.noise = noise
        self.loss = loss
        self.sparsity = sparsity
        self.consistency = consistency
        self.smoothness = smoothness
        self.decorrelation = decorrelation
        self.ridge = ridge
        self.missing_weight = missing_weight
        self.redundancy = redundancy
        self.prior = prior
        self.transition_pull = transition_pull
        self.dynamics_iterations = dynamics_iterations
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.gamma3 = gamma3
        self.gamma4 = gamma4
        self.gamma5 = gamma5
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.component_tolerance = component_tolerance
        self.precision = precision
        self.seed = seed
        self.effort = effort
        self.time_limit = time_limit
        self.restarts = restarts
        self.candidates = candidates
        self.threads = threads
        self.verbose = verbose


class SimulateKeywords(TypedDict, total=False):
    """Of `simulate`."""

    # channels
    n_channels: int
    # trials
    n_trials: int
    # shortest trial
    min_length: int
    # longest trial
    max_length: int
    # share of memberships that are zero
    zero_share: float
    # components and traces of both signs
    is_signed: bool
    # variants: smooth along the label graph, or independent
    variation: Literal["smooth", "independent"]
    # mean traces: one per option of a label, or one shared by all trials
    traces: Literal["label", "shared"]
    # smallest variance of a trace about its level
    amplitude_min: float
    # largest variance of a trace about its level
    amplitude_max: float
    # shortest length scale, in trial lengths
    length_scale_min: float
    # longest length scale, in trial lengths
    length_scale_max: float
    # spread between trials of one label
    perturbation: float
    # components whose trace is new in every trial
    n_free_traces: int
    # made non-negative by the minimum of each trace, of the component, or not at all
    shift: Literal["trace", "component", "none"]
    # traces of a linear dynamical system with a known transition for every label
    dynamics: bool
    # noise, as a share of the data's standard deviation
    noise: float
    # standard deviation of the logarithm of the channels' noise levels
    noise_spread: float
    # smooth the noise by a Gaussian of this sigma, in samples
    noise_smoothing: float
    # the noise alone, without components and truth
    pure_noise: bool
    # baseline of the channels on average, in standard deviations of the data
    baseline: float
    # Poisson counts of this mean, with the data as their rate; 0: none
    counts: float
    # share of entries that are multiplied by the outlier size
    outliers: float
    # what outliers are multiplied by
    outlier_size: float
    # share of entries that are missing
    missing: float
    # missing entries: scattered, or blocks of channels for whole time points
    missing_pattern: Literal["scattered", "blocks"]
    # 0 balanced, 1 each option half as likely as the one before
    imbalance: float
    # label combinations that no trial has
    n_empty_cells: int
    # seed of all random numbers
    seed: int


class ReadKeywords(TypedDict, total=False):
    """How to read a file."""

    # a row of a table is one value (long), a time point (wide) or a channel of a trial (series)
    layout: Literal["automatic", "long", "wide", "series"]
    # what separates cells: a character, or tab; unset: , ; or tab
    separator: str
    # columns that together name a trial
    trial: str | Sequence[str]
    # column, or array, with the channels' names
    channel: str
    # column, or array, with the channels' groups
    channel_group: str
    # column, or array, with the times
    time: str
    # column with the values of a long table
    value: str
    # columns, or arrays, with the labels
    label_columns: str | Sequence[str]
    # columns, or arrays, to leave out
    ignore_columns: str | Sequence[str]
    # what a value is that a long table does not list
    absent: Literal["missing", "zero"]
    # table with one row of labels per trial
    labels: str
    # array with the values, such as /group/name
    dataset: str
    # axes of that array: channel, time and trial in its order
    dims: str | Sequence[str]
    # a number that marks what is missing, such as -999; once per number
    missing_value: Sequence[float]
    # only these channels: names, patterns with * and ?, or group:PATTERN
    keep_channels: str | Sequence[str]
    # leave out these channels: names, patterns with * and ?, or group:PATTERN
    drop_channels: str | Sequence[str]
    # only so many trials
    first_trials: int | None
    # NWB: table of trials, a name in /intervals or a path
    table: str
    # NWB: column with the event that trials are cut around; unset: from start to stop
    align: str
    # NWB: seconds before the event, or the start, that belong to a trial
    before: float
    # NWB: seconds after the event, or the stop, that belong to a trial
    after: float
    # NWB: seconds in which spikes are counted together
    bin_width: float
    # NWB: width of the Gaussian that smooths the counts, seconds; 0: none
    smooth_sigma: float
    # NWB: seconds of that Gaussian that are used, half on either side
    smooth_window: float
    # NWB: leave out units with fewer spikes per second
    min_rate: float
    # NWB: labels that are means of time series within the trials, such as pupil size
    series_labels: str | Sequence[str]


class PrepareKeywords(TypedDict, total=False):
    """The steps of `prepare`, in this order."""

    # add the label column trial_number: 1, 2, ... in the order of the recording
    number_trials: bool
    # add the label column NAME_bin: the numbers of NAME cut at these edges, or into bins with
    # equally many trials
    bin_label: Sequence[Any]
    # add the label column NAME_block: 1, 2, ..., one more wherever NAME changes from trial to
    # trial
    block_label: Sequence[Any]
    # leave out the trials whose label NAME is missing, or has one of these values
    drop_trials: Sequence[Any]
    # smooth every channel within its trials by a Gaussian of this width, in the unit of time
    # (in samples without times); of the Gaussian, WINDOW is used (default 10 SIGMA)
    smooth: Any | None
    # scale the values: sqrt, log1p, tanh, zscore or range (minimum to 99th percentile); zscore
    # and range within each channel (the default), over all values (all), or over the trials
    # with the same label (label=NAME). Several are applied one after the other
    scale: Sequence[Any]


class CosmoothKeywords(TypedDict, total=False):
    """Of co-smoothing."""

    # folds that the channels are dealt into, at most one per channel
    folds: int
    # seed of the random folds
    seed: int
