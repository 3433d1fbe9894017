"""Keywords, defaults and stubs are those of the library."""

from __future__ import annotations

import importlib.util
import inspect
from dataclasses import fields
from pathlib import Path

import pytest

import milcci
from milcci import _core, _parameters

SOURCES = Path(__file__).parents[1]


def load_generator():
    spec = importlib.util.spec_from_file_location(
        "generate_parameters", SOURCES / "generate_parameters.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stored_keywords_are_what_the_library_describes():
    stored = (SOURCES / "milcci" / "_parameters.py").read_text(encoding="utf-8")
    assert stored == load_generator().generated(_core), "run python python/generate_parameters.py"


def test_every_option_of_a_fit_is_a_keyword_with_its_default():
    keywords = inspect.signature(milcci.MILCCI).parameters
    for field in _core.fit_fields():
        name = _parameters.RENAMED.get(field["name"], field["name"])
        assert keywords[name].default == field["default"]
        assert keywords[name].kind is inspect.Parameter.KEYWORD_ONLY
    others = {"categories", "trial_number", "fixed", "verbose"}
    assert len(keywords) == len(_core.fit_fields()) + len(others)


def test_a_category_has_the_fields_of_the_library():
    ours = {part.name: part.default for part in fields(milcci.Category)}
    theirs = {field["name"]: field["default"] for field in _core.category_fields()}
    assert set(ours) == set(theirs)
    for name in ("bins", "kernel", "width", "neighbours", "distance", "period"):
        assert ours[name] == theirs[name]


def test_no_keyword_hides_a_method():
    methods = [name for name in dir(milcci.MILCCI) if not name.startswith("_")]
    assert not set(methods) & set(milcci.MILCCI().get_params())


def test_the_stored_stubs_are_those_of_the_extension():
    stubgen = pytest.importorskip("nanobind.stubgen")
    generator = stubgen.StubGen(_core, quiet=True)
    generator.put(_core)
    stored = (SOURCES / "milcci" / "_core.pyi").read_text(encoding="utf-8")
    assert stored == generator.get(), (
        "run python -m nanobind.stubgen -m milcci._core -o python/milcci/_core.pyi"
    )
