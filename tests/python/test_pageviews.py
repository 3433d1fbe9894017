"""The recipe `pageviews` on the real files, against the same choices made with pandas."""

import itertools
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

h5py = pytest.importorskip("h5py")
pd = pytest.importorskip("pandas")

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("MILCCI_BIN", ROOT / "build/release/cli/milcci")).resolve()
FOLDER = Path(os.environ.get("MILCCI_SHARED_DATA", ROOT.parent / "shared/data")) / "pageviews"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the real data are not in {FOLDER}")


def prepared(path, folder):
    output = folder / "trials.h5"
    subprocess.run(
        [PROGRAM, "prepare", path, "--recipe", "pageviews", "-o", output], check=True, timeout=300
    )
    with h5py.File(output) as f:
        offsets = f["trial_offset"][:]
        trials = [f["values"][a:b].T for a, b in itertools.pairwise(offsets)]
        labels = {name: column.asstr()[:].tolist() for name, column in f["labels"].items()}
        return f["channel"].asstr()[:].tolist(), trials, labels


def evened_out(values):
    return (values - np.nanmin(values)) / np.nanpercentile(values, 99)


def test_pages_of_2016(tmp_path):
    pages, trials, labels = prepared(FOLDER / "wikipedia_pages_2016_daily.csv.gz", tmp_path)
    rows = pd.read_csv(FOLDER / "wikipedia_pages_2016_daily.csv.gz")
    rows = rows[(rows.project == "en.wikipedia.org") & (rows.agent == "all-agents")].set_index(
        ["access", "article"]
    )
    days = rows.columns[2:]
    views = {access: rows.loc[access][days] for access in ("all-access", "desktop", "mobile-web")}
    complete = set.intersection(*(set(table.index) for table in views.values()))
    assert set(pages) == complete
    assert len(pages) == 112
    assert sorted(labels["platform"]) == ["desktop", "mobile-app", "mobile-web"]
    assert len(labels) == 1

    views["mobile-app"] = views.pop("all-access") - views["desktop"] - views["mobile-web"]
    site = evened_out(
        np.stack([views[platform].loc[pages].to_numpy(float) for platform in labels["platform"]])
    )
    expected = np.stack([evened_out(site[:, n]) for n in range(len(pages))], axis=1)
    np.testing.assert_allclose(np.stack(trials), expected, rtol=1e-9, atol=1e-12)


def test_wikis(tmp_path):
    languages, trials, labels = prepared(FOLDER / "wikimedia_projectcounts_daily.csv.gz", tmp_path)
    assert len(languages) == 31
    assert len(trials) == 12
    assert all(values.shape == (31, 491 - 39) and np.isfinite(values).all() for values in trials)
    assert set(labels["platform"]) == {"desktop", "mobile"}
    assert len(set(labels["family"])) == 6
