"""What columns and axes are usually called. The readers of files know the same names."""

from __future__ import annotations

from collections.abc import Sequence

USUAL = {
    role: names.split()
    for role, names in {
        "trial": """trial trialid trialnumber trialname trialindex trialno trialnum trials
            epoch epochs""",
        "channel": """channel channelid channelname channels channelno neuron neuronid unit unitid
            cell cellid electrode sensor roi site variable channelindex neurons units""",
        "time": """time times t timems timesec timeseconds timestamp timepoint timebin datetime
            date day bin sample frame year""",
        "value": """value values y count counts rate signal dff views response activity
            measurement amplitude""",
    }.items()
}


def _bare(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isascii() and letter.isalnum())


def role_of(name: str) -> str:
    """trial, channel, time or value; unknown for other names."""
    return next((role for role, names in USUAL.items() if _bare(name) in names), "unknown")


def usual_name(role: str, names: Sequence[str]) -> str | None:
    """The name that is the most usual for this role, or None."""
    ranked = [
        (USUAL[role].index(_bare(name)), name) for name in names if _bare(name) in USUAL[role]
    ]
    return min(ranked)[1] if ranked else None
