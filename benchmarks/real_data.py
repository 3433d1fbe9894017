"""Real data sets as trials, and how they are split: for benchmarks/real.py.

A split is a number. It holds out a quarter of the trials, drawn at random so that every option of
every category has a trial left to be fitted to; of the elections, whose twelve trials are all
different, a tenth of the observed entries. Splits 0 to 4 are for tuning, 10 to 14 for reporting.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

SHARED = Path(os.environ.get("MILCCI_SHARED_DATA", "../shared/data"))
HELD_OUT_TRIALS = 0.25
HELD_OUT_ENTRIES = 0.1
TEXT = h5py.string_dtype()


@dataclass(frozen=True)
class DataSet:
    source: str  # in the folder of the shared data
    prepare: tuple  # options of `milcci prepare`; {shared} stands for that folder
    categories: tuple  # NAME=COUNT[:KIND]
    fixed: int = 0
    cut_into_months: bool = False
    holds_out_entries: bool = False

    @property
    def n_components(self):
        return self.fixed + sum(int(c.split("=")[1].split(":")[0]) for c in self.categories)

    @property
    def columns(self):
        return [c.split("=")[0] for c in self.categories]

    @property
    def fit_options(self):
        options = [x for c in self.categories for x in ("--category", c)]
        return options + (["--fixed", str(self.fixed)] if self.fixed else [])


NWB = "neural/sub-4_ses-4_ecephys+image.nwb"
BINS_OF_50_MS = (
    "--bin-width",
    "0.05",
    "--smooth-sigma",
    "0.1",
    "--smooth-window",
    "0.5",
    "--min-rate",
    "0.5",
    "--scale",
    "sqrt",
)

DATA_SETS = {
    "steinmetz": DataSet(
        "neural/steinmetz_session1/spikes.csv.gz",
        (
            "--labels",
            "{shared}/neural/steinmetz_session1/trials.csv",
            "--absent",
            "zero",
            "--smooth",
            "3",
            "--scale",
            "sqrt",
        ),
        ("contrast_left=2:ordinal", "contrast_right=2:ordinal", "feedback=2"),
        fixed=2,
    ),
    "vowels": DataSet("vowels/japanese_vowels.csv.gz", (), ("speaker=3",), fixed=3),
    "recognition": DataSet(
        NWB,
        ("--table", "recognition_table", "--drop-trials", "confidence=0", *BINS_OF_50_MS),
        ("boundary_type=2", "stimuli_type=2", "accuracy=2", "confidence=2:ordinal"),
    ),
    "encoding": DataSet(
        NWB, ("--table", "encoding_table", *BINS_OF_50_MS), ("stimCategory=4",), fixed=4
    ),
    "wikis": DataSet(
        "pageviews/wikimedia_projectcounts_daily.csv.gz",
        ("--recipe", "pageviews", "--drop-trials", "platform=zero"),
        ("family=4", "platform=2"),
    ),
    "pages": DataSet(
        "pageviews/wikipedia_pages_2016_daily.csv.gz",
        ("--recipe", "pageviews"),
        ("platform=6",),
        cut_into_months=True,
    ),
    "elections": DataSet(
        "elections", ("--recipe", "elections"), ("party=4", "office=4"), holds_out_entries=True
    ),
}


@dataclass
class Trials:
    """What a trials file holds. `values` is samples x channels, all trials one after the other."""

    values: np.ndarray
    offset: np.ndarray
    channel: list
    labels: dict  # column: one value per trial
    time: np.ndarray | None = None

    @property
    def n_trials(self):
        return len(self.offset) - 1

    def samples(self, chosen):
        """Positions of the samples of the trials `chosen`."""
        return np.concatenate([np.arange(self.offset[m], self.offset[m + 1]) for m in chosen])

    def some(self, chosen):
        samples = self.samples(chosen)
        lengths = np.diff(self.offset)[chosen]
        offset = np.concatenate([[0], np.cumsum(lengths)])
        return Trials(
            self.values[samples],
            offset,
            self.channel,
            {name: column[chosen] for name, column in self.labels.items()},
            None if self.time is None else self.time[samples],
        )


def read(path):
    with h5py.File(path) as f:
        labels = {
            name: column.asstr()[:] if column.dtype.kind == "O" else column[:]
            for name, column in f["labels"].items()
        }
        return Trials(
            f["values"][:],
            f["trial_offset"][:].astype(int),
            list(f["channel"].asstr()[:]),
            labels,
            f["time"][:] if "time" in f else None,
        )


def write(path, trials):
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["format_version"] = "milcci-trials", 1
        f["values"] = trials.values
        f["trial_offset"] = trials.offset
        f.create_dataset("channel", data=trials.channel, dtype=TEXT)
        f.create_group("labels")
        for position, (name, column) in enumerate(trials.labels.items()):
            dtype = TEXT if column.dtype.kind in "OU" else None
            f["labels"].create_dataset(name, data=column, dtype=dtype).attrs["position"] = position
        if trials.time is not None:
            f["time"] = trials.time


def months(trials):
    """The same trials cut where a month ends, with the label `month`. Times are days since 1970."""
    month = trials.time.astype("int64").astype("datetime64[D]").astype("datetime64[M]").astype(int)
    trial = np.repeat(np.arange(trials.n_trials), np.diff(trials.offset))
    is_first = np.concatenate([[True], (np.diff(month) != 0) | (np.diff(trial) != 0)])
    first = np.flatnonzero(is_first)
    labels = {name: column[trial[first]] for name, column in trials.labels.items()}
    labels["month"] = month[first] % 12 + 1
    return Trials(trials.values, np.append(first, len(trial)), trials.channel, labels, trials.time)


def prepare(name, cache, milcci):
    """The trials file of a data set, written once per cache; `milcci` calls the program."""
    data_set, path = DATA_SETS[name], Path(cache) / f"{name}.h5"
    if not path.exists():
        whole = Path(cache) / f"{name}-whole.h5"
        options = [option.format(shared=SHARED) for option in data_set.prepare]
        milcci("prepare", SHARED / data_set.source, *options, "-o", whole, "--force")
        if data_set.cut_into_months:
            write(whole, months(read(whole)))
        whole.rename(path)
    return path


def hold_out_trials(data_set, trials, split):
    """Positions of the trials to fit, and of those to score."""
    rng = np.random.default_rng([20262, split])
    n_held_out = round(HELD_OUT_TRIALS * trials.n_trials)
    while True:
        order = rng.permutation(trials.n_trials)
        score, fit = np.sort(order[:n_held_out]), np.sort(order[n_held_out:])
        if all(set(trials.labels[c][fit]) == set(trials.labels[c]) for c in data_set.columns):
            return fit, score


def hold_out_entries(trials, split):
    """Which entries of `values` to score."""
    rng = np.random.default_rng([20262, split])
    is_observed = ~np.isnan(trials.values)
    n_held_out = round(HELD_OUT_ENTRIES * is_observed.sum())
    chosen = rng.permutation(np.flatnonzero(is_observed))[:n_held_out]
    held_out = np.zeros(trials.values.size, bool)
    held_out[chosen] = True
    return held_out.reshape(trials.values.shape)


def philox(key, counter):
    """One block of Philox 4x32-10 of stream 0: four 32-bit numbers."""
    x, keys, low = [counter, 0, 0, 0], [key & 0xFFFFFFFF, key >> 32], 0xFFFFFFFF
    for _ in range(10):
        p, q = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [(q >> 32) ^ x[1] ^ keys[0], q & low, (p >> 32) ^ x[3] ^ keys[1], p & low]
        keys = [(keys[0] + 0x9E3779B9) & low, (keys[1] + 0xBB67AE85) & low]
    return x


def channel_folds(n_channels, n_folds=5, seed=1234):
    """The fold of every channel, as `milcci evaluate --cosmooth` deals them by default."""
    order, counter, bits = list(range(n_channels)), 0, []
    for last in range(n_channels - 1, 0, -1):
        if not bits:
            bits, counter = philox(seed, counter), counter + 1
        high, low, bits = bits[0] >> 6, bits[1] >> 5, bits[2:]
        other = int(((high << 27) | low) * 2.0**-53 * (last + 1))
        order[last], order[other] = order[other], order[last]
    folds = np.empty(n_channels, int)
    folds[order] = np.arange(n_channels) % n_folds
    return folds
