"""Epochs of MNE as trials: their metadata are the labels, their times the time stamps."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ._arrays import split
from ._labels import Columns, column, to_columns
from ._parts import Parts


def is_mne(thing: Any) -> bool:
    """Whether it is Epochs, of whatever origin; without importing MNE."""
    return any(
        kind.__module__.startswith("mne.") and kind.__name__ == "BaseEpochs"
        for kind in type(thing).__mro__
    )


def parts_of_epochs(epochs: Any) -> Parts:
    """All channels with data that are not marked as bad, in the units of MNE.

    If none is of a kind that MNE counts as data, all that are not bad.
    """
    chosen = _good_data(epochs)
    names = [epochs.ch_names[i] for i in chosen]
    # Picking copies: only if some channels are left out.
    picks = None if len(names) == len(epochs.ch_names) else chosen
    values = epochs.get_data(picks=picks, copy=False) if len(epochs.events) else ()
    if len(values) == 0:
        raise ValueError("no trials: there are no epochs, or all were dropped")
    arrays, _ = split(values, ("trial", "channel", "time"))
    parts = Parts(arrays, channel_names=names, labels=_labels(epochs))
    parts.times = [np.asarray(epochs.times[: len(trial)], dtype=np.float64) for trial in arrays]
    kinds = epochs.get_channel_types()
    parts.channel_groups = [kinds[i] for i in chosen]
    parts.notes = [
        f"MNE: {len(arrays)} epochs, {len(names)} of {len(epochs.ch_names)} channels "
        "(no bad ones, no stimuli, no eyes)"
    ]
    return parts


def _good_data(epochs: Any) -> list[int]:
    mne = importlib.import_module("mne")
    kinds = ("meg", "eeg", "seeg", "ecog", "dbs", "fnirs", "csd")
    chosen = mne.pick_types(epochs.info, **dict.fromkeys(kinds, True), exclude="bads")
    bad = set(epochs.info["bads"])
    good = [i for i, name in enumerate(epochs.ch_names) if name not in bad]
    if not good:
        raise ValueError("no channels: all are marked as bad")
    return [int(i) for i in chosen] or good


def _labels(epochs: Any) -> Columns:
    """The metadata, and the name of the event unless they have a column of that name."""
    labels = {} if epochs.metadata is None else to_columns(epochs.metadata, ())
    names = {number: name for name, number in epochs.event_id.items()}
    events = [str(names.get(number, number)) for number in epochs.events[:, 2]]
    return {"event": column("event", events), **labels}
