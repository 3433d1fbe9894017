"""The recipe `elections` on the real files, against the same sums made with pandas."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

h5py = pytest.importorskip("h5py")
pd = pytest.importorskip("pandas")

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
FOLDER = Path(os.environ.get("MILCCI_SHARED_DATA", ROOT.parent / "shared/data")) / "elections"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the real data are not in {FOLDER}")


@pytest.fixture(scope="module")
def trials(tmp_path_factory):
    """(office, party) -> states x years, with their names."""
    path = tmp_path_factory.mktemp("elections") / "trials.h5"
    subprocess.run(
        [PROGRAM, "prepare", FOLDER, "--recipe", "elections", "-o", path], check=True, timeout=300
    )
    with h5py.File(path) as f:
        states = f["channel"].asstr()[:]
        offsets, values, time = f["trial_offset"][:], f["values"][:], f["time"][:]
        keys = list(zip(f["labels/office"].asstr()[:], f["labels/party"].asstr()[:], strict=True))
    return {
        key: pd.DataFrame(values[a:b].T, states, time[a:b].astype(int))
        for key, a, b in zip(keys, offsets[:-1], offsets[1:], strict=True)
    }


def test_twelve_trials_of_51_states(trials):
    assert len(trials) == 12
    for (office, _), shares in trials.items():
        years = range(1976, 2021, 4 if office == "president" else 2)
        assert shares.shape[0] == 51
        assert shares.columns.tolist() == list(years)


def test_shares_of_the_four_parties_sum_to_one_wherever_an_election_was_held(trials):
    for office, n_held in {"president": 612, "senate": 763, "house": 1151}.items():
        total = sum(shares for (o, _), shares in trials.items() if o == office).to_numpy()
        assert np.isfinite(total).sum() == n_held
        np.testing.assert_allclose(total[np.isfinite(total)], 1, rtol=1e-12)


def test_gaps_are_where_no_election_was_held(trials):
    senate, house = trials["senate", "democrat"], trials["house", "democrat"]
    assert senate.loc["DC"].isna().all()
    assert house.loc["DC"].notna().tolist() == [False] * 22 + [True]
    assert house.drop("DC").notna().all(axis=None)


def test_president_agrees_with_the_files_own_groups_of_parties(trials):
    rows = pd.read_csv(FOLDER / "president_1976_2020.csv")
    blank = (
        rows.candidate.fillna("")
        .str.replace(" ", "")
        .str.match("BLANKVOTE|VOID$|VOIDVOTE|OVERVOTE|UNDERVOTE")
    )
    rows = rows[~blank]
    total = rows.groupby(["state_po", "year"]).candidatevotes.sum()
    for party in ("democrat", "republican", "libertarian", "other"):
        votes = (
            rows[rows.party_simplified == party.upper()]
            .groupby(["state_po", "year"])
            .candidatevotes.sum()
        )
        expected = votes.reindex(total.index, fill_value=0) / total
        found = trials["president", party].stack()
        np.testing.assert_allclose(
            found.to_numpy(), expected.reindex(found.index).to_numpy(), rtol=1e-12
        )


def test_california_in_2020(trials):
    rows = pd.read_csv(FOLDER / "president_1976_2020.csv").query(
        "year == 2020 and state_po == 'CA'"
    )
    expected = (
        rows.candidatevotes[rows.party_simplified == "DEMOCRAT"].sum() / rows.totalvotes.iloc[0]
    )
    assert trials["president", "democrat"].loc["CA", 2020] == pytest.approx(expected, rel=1e-12)
    assert expected == pytest.approx(0.6348, abs=1e-4)


def test_senate_in_georgia_is_the_vote_of_november_not_its_runoff(trials):
    rows = pd.read_csv(FOLDER / "senate_1976_2020.csv").query(
        "year == 2008 and state_po == 'GA' and stage == 'pre'"
    )
    expected = (
        rows.candidatevotes[rows.party_simplified == "DEMOCRAT"].sum() / rows.candidatevotes.sum()
    )
    assert trials["senate", "democrat"].loc["GA", 2008] == pytest.approx(expected, rel=1e-12)


def test_house_counts_every_district_once(trials):
    rows = pd.read_csv(FOLDER / "house_1976_2020.csv.gz", low_memory=False).query(
        "year == 2018 and state_po == 'MN'"
    )
    expected = rows.candidatevotes[rows.party.str.startswith("DEMOCRATIC-FARM", na=False)].sum()
    districts = rows[~rows.special].groupby("district").totalvotes.first()
    assert trials["house", "democrat"].loc["MN", 2018] == pytest.approx(
        expected / districts.sum(), rel=1e-12
    )
