"""The report from Python: the page and the numbers of the command line."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys

import pytest

import milcci
from quick_fits import quietly_fitted


@pytest.fixture(scope="module")
def model(recording):
    return quietly_fitted(recording)


def test_is_the_page_of_the_command_line(tmp_path, recording, model):
    recording.save(tmp_path / "trials.h5")
    model.save(tmp_path / "model.h5")
    page = milcci.report(tmp_path / "model.h5", tmp_path / "trials.h5")
    page.save(tmp_path / "ours.html")
    files = [str(tmp_path / name) for name in ("model.h5", "trials.h5", "theirs.html")]
    command = [sys.executable, "-m", "milcci", "report", *files[:2], "-o", files[2], "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert told["files"] == {"model": "model.h5", "trials": "trials.h5"}
    assert {**page.data, "files": told["files"]} == told
    ours, theirs = ((tmp_path / name).read_text("utf-8") for name in ("ours.html", "theirs.html"))
    blank = r'"files":\{[^}]*\}'
    assert re.sub(blank, "", ours) == re.sub(blank, "", theirs)


def test_is_a_method_and_shows_in_notebooks(recording, model):
    page = model.report(recording, title="<Session> & 4", events={"go": 3, "cue": 7.5})
    assert page.data["title"] == "<Session> & 4"
    assert [event["name"] for event in page.data["traces"]["events"]] == ["go", "cue"]
    assert page.data["traces"]["events"][1]["times"][0] == 7.5
    shown = page._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == page.html
    assert model.report().data["data"] is None
    assert "Session" in repr(page)


def test_mistakes_are_named(tmp_path, recording, model):
    with pytest.raises(ValueError, match="neither a time nor a label column"):
        model.report(events={"go": "nowhere"})
    with pytest.raises(ValueError, match="has a '='"):
        model.report(events={"a=b": 1})
    for events in (["go"], "go", {1: 0.5}):
        with pytest.raises(TypeError, match=r"`events` = .* must be a dict from names to times"):
            model.report(events=events)
    with pytest.raises(ValueError, match="give the trials that the model was fitted to"):
        model.report(milcci.simulate(n_channels=5, n_trials=10, length=20, seed=2))
    page = model.report()
    page.save(tmp_path / "page.html")
    for thing in (page, model, recording):
        thing.save(tmp_path / "page.html", overwrite=True)
        with pytest.raises(OSError, match=r"exists .*; `overwrite=True` replaces it"):
            thing.save(tmp_path / "page.html")
    page.save(tmp_path / "page.html", overwrite=True)
