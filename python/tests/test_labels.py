"""Labels in every form are the same labels, and tell the kinds of categories."""

from __future__ import annotations

import contextlib
import copy
import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import milcci
from quick_fits import CATEGORIES, quietly_fitted

VALUES = [np.zeros((3, 4)) + np.arange(4) for _ in range(4)]
DIMS = ("channel", "time")
DOSE, SIDE = [3, 1, 2, 1], ["left", "right", "right", "left"]


def forms():
    yield "dict of lists", {"dose": DOSE, "side": SIDE}
    yield "dict of arrays", {"dose": np.array(DOSE, np.int16), "side": np.array(SIDE, object)}
    yield "list of tuples", list(zip(DOSE, SIDE, strict=True))
    yield "list of dicts", [{"dose": d, "side": s} for d, s in zip(DOSE, SIDE, strict=True)]


@pytest.mark.parametrize("labels", [pytest.param(form, id=name) for name, form in forms()])
def test_forms_of_labels(labels):
    trials = milcci.as_trials(VALUES, labels, dims=DIMS, label_names=["dose", "side"])
    assert list(trials.labels) == ["dose", "side"]
    np.testing.assert_array_equal(trials.labels["dose"], DOSE)
    assert trials.labels["dose"].dtype == np.int64
    np.testing.assert_array_equal(trials.labels["side"], SIDE)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_labels_of_data_frames(package):
    frames = pytest.importorskip(package)
    labels = frames.DataFrame({"dose": DOSE, "side": SIDE})
    trials = milcci.as_trials(VALUES, labels, dims=DIMS)
    np.testing.assert_array_equal(trials.labels["dose"], DOSE)
    np.testing.assert_array_equal(trials.labels["side"], SIDE)


NUMBERS2TUPLES = {0: (3, "left"), 1: (1, "right"), 2: (2, "right"), 5: (1, "left")}


@pytest.mark.parametrize("numbers", [[0, 1, 2, 5], np.array([0, 1, 2, 5], np.uint8), (0, 1, 2, 5)])
def test_numbers_that_stand_for_tuples(numbers):
    trials = milcci.as_trials(
        VALUES, numbers, numbers2tuples=NUMBERS2TUPLES, dims=DIMS, label_names=["dose", "side"]
    )
    np.testing.assert_array_equal(trials.labels["dose"], DOSE)
    np.testing.assert_array_equal(trials.labels["side"], SIDE)
    again = trials.with_labels({"dose": [0] * 4})
    again = milcci.as_trials(
        again, [0, 1, 2, 5], numbers2tuples={0: 3, 1: 1, 2: 2, 5: 1}, label_names=["dose"]
    )
    np.testing.assert_array_equal(again.labels["dose"], DOSE)


def test_a_fit_takes_numbers_that_stand_for_tuples(recording):
    tuples = list(zip(*(recording.labels[name].tolist() for name in CATEGORIES), strict=True))
    known = {label: number for number, label in enumerate(sorted(set(tuples)))}
    numbers2tuples = {number: label for label, number in known.items()}
    values = list(recording)
    fitted = quietly_fitted(
        values, [known[label] for label in tuples], numbers2tuples=numbers2tuples, dims=DIMS
    )
    assert fitted.r2_ == quietly_fitted(values, tuples, dims=DIMS).r2_


@pytest.mark.parametrize(
    ("numbers", "meanings", "message"),
    [
        ([0, 1, 2, 7], NUMBERS2TUPLES, "trial 4: label 7 is not in numbers2tuples"),
        (["0", "1", "2", "5"], NUMBERS2TUPLES, "trial 1: label 0 is not in numbers2tuples"),
        ([[0], [1], [2], [5]], NUMBERS2TUPLES, "is not in numbers2tuples"),
        ([0, 1, 2], NUMBERS2TUPLES, "label column dose: 3 values, expected 4"),
        ([0, 1, 2, 0], {0: (1,), 1: (1, 2), 2: (1, 3)}, "every trial needs one per category"),
        (None, NUMBERS2TUPLES, "needs labels that are a list of numbers"),
        ({"dose": [0, 1, 2, 5]}, NUMBERS2TUPLES, "needs labels that are a list of numbers"),
        ([0, 1, 2, 5], [(1, 2)], "must be a dict"),
    ],
)
def test_numbers_that_stand_for_nothing(numbers, meanings, message):
    with pytest.raises(ValueError, match=message):
        milcci.as_trials(
            VALUES, numbers, numbers2tuples=meanings, dims=DIMS, label_names=["dose", "side"]
        )


def plan(categories, labels):
    """What the estimator would ask of the library."""
    from milcci._category import to_specs

    trials = milcci.as_trials(VALUES, labels, dims=DIMS)
    return {spec["name"]: spec for spec in to_specs(categories, None, None, trials.columns)}


def test_kinds_follow_from_the_labels():
    specs = plan(
        {"dose": 2, "side": 1, "is_old": 1},
        {"dose": DOSE, "side": SIDE, "is_old": [True, False] * 2},
    )
    assert {name: spec["kind"] for name, spec in specs.items()} == {
        "dose": "ordinal", "side": "categorical", "is_old": "categorical",
    }  # fmt: skip
    asked = plan({"dose": milcci.Category(2, "free")}, {"dose": DOSE})
    assert asked["dose"]["kind"] == "free"


def test_ordered_categoricals_keep_their_order():
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Categorical(
        ["mid", "low", "high", "low"], ["low", "mid", "high", "none"], ordered=True
    )
    spec = plan({"size": 1}, pandas.DataFrame({"size": sizes}))["size"]
    assert spec["kind"] == "ordinal"
    assert list(spec["order"]) == ["low", "mid", "high"]
    unordered = plan({"size": 1}, pandas.DataFrame({"size": sizes.as_unordered()}))["size"]
    assert unordered["kind"] == "categorical"
    numbers = pandas.Categorical([30, 10, 20, 10], ordered=True)
    assert plan({"dose": 1}, pandas.DataFrame({"dose": numbers}))["dose"]["order"] == ()


def test_categoricals_of_numbers_keep_their_order():
    pandas = pytest.importorskip("pandas")
    doses = pandas.Categorical([10, 1, 5] * 5 + [1], [10, 7, 1, 5], ordered=True)
    arrays = [np.random.default_rng(m).random((3, 6)) for m in range(16)]
    for labels in ({"dose": doses}, pandas.DataFrame({"dose": doses})):
        fitted = quietly_fitted(arrays, labels, categories={"dose": 1}, dims=DIMS)
        assert list(fitted.components_["dose"].coords["option"]) == ["10", "1", "5"]
        assert fitted.categories_[0].kind == "ordinal"
    reals = pandas.Categorical([2.5, 1, None, 1], [2.5, 1], ordered=True)
    spec = plan({"dose": 1}, {"dose": reals})["dose"]
    assert (spec["kind"], spec["order"]) == ("ordinal", ("2.5", "1"))
    trials = milcci.as_trials(arrays, {"dose": doses}, dims=DIMS)
    assert trials[:4].columns["dose"].order == ("10", "1", "5")
    assert trials.labels["dose"].dtype == np.int64
    binned = plan({"dose": milcci.Category(1, bins=2)}, {"dose": reals})["dose"]
    assert binned["order"] == ()


def test_categoricals_of_numbers_without_order_are_categorical():
    pandas = pytest.importorskip("pandas")
    doses = pandas.Series(pandas.Categorical([3, 1, 2, 1]))
    assert plan({"dose": 1}, {"dose": doses})["dose"]["kind"] == "categorical"
    asked = plan({"dose": milcci.Category(1, "ordinal")}, {"dose": doses})["dose"]
    assert (asked["kind"], asked["order"]) == ("ordinal", ())
    trials = milcci.as_trials(VALUES, {"dose": doses}, dims=DIMS)
    assert not copy.deepcopy(trials[[2, 1]]).columns["dose"].is_ordered


def test_enums_of_polars_keep_their_order():
    polars = pytest.importorskip("polars")
    sizes = polars.Series(["mid", "low", None, "low"], dtype=polars.Enum(["mid", "none", "low"]))
    for labels in ({"size": sizes}, polars.DataFrame({"size": sizes})):
        spec = plan({"size": 1}, labels)["size"]
        assert (spec["kind"], spec["order"]) == ("ordinal", ("mid", "low"))
    unordered = polars.Series(["mid", "low", None, "low"], dtype=polars.Categorical)
    assert plan({"size": 1}, {"size": unordered})["size"]["kind"] == "categorical"


def test_a_graph_as_a_data_frame():
    pandas = pytest.importorskip("pandas")
    graph = pandas.DataFrame(
        [[0, 1.0], [0.5, 0]], index=["right", "left"], columns=["left", "right"]
    )
    spec = plan({"side": milcci.Category(1, graph=graph)}, {"side": SIDE})["side"]
    assert (spec["kind"], spec["graph_options"]) == ("graph", ["left", "right"])
    np.testing.assert_array_equal(spec["graph"], [[0.5, 0], [0, 1.0]])


def sequences():
    yield "array", np.array
    yield "array of objects", lambda values: np.array(values, object)
    for package, name in (("pandas", "Index"), ("pandas", "Series"), ("polars", "Series")):
        with contextlib.suppress(ImportError):
            yield f"{package} {name}", getattr(importlib.import_module(package), name)


@pytest.mark.parametrize("of", [pytest.param(of, id=name) for name, of in sequences()])
def test_categories_are_described_by_any_sequence(of):
    category = milcci.Category
    spec = plan({"side": category(1, order=of(["right", "left"]))}, {"side": SIDE})["side"]
    assert (spec["kind"], list(spec["order"])) == ("ordinal", ["right", "left"])
    spec = plan({"dose": category(1, order=of([3, 1, 2]))}, {"dose": DOSE})["dose"]
    assert list(spec["order"]) == ["3", "1", "2"]
    spec = plan({"x": category(1, columns=of(["dose"]))}, {"dose": DOSE})["x"]
    assert (spec["kind"], list(spec["columns"])) == ("ordinal", ["dose"])
    names = of(["right", "left"])
    spec = plan({"side": category(1, graph=np.eye(2), graph_options=names)}, {"side": SIDE})["side"]
    assert spec["graph_options"] == ["right", "left"]
    assert repr(category(1, order=names)) == "Category(1, order=('right', 'left'))"
    given = {"x": category(1, columns=of(["side"]), order=names)}
    made = quietly_fitted(VALUES, {"side": SIDE}, categories=given, dims=DIMS)
    assert list(made.components_["x"].coords["option"]) == ["right", "left"]


def test_categories_as_on_the_command_line():
    spec = plan(
        ["dose=2:ordinal,bins=2", milcci.Category(1, name="side")], {"dose": DOSE, "side": SIDE}
    )
    assert (spec["dose"]["bins"], spec["dose"]["kind"], spec["side"]["n_components"]) == (
        2,
        "ordinal",
        1,
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, None, 2, 3], [1.0, np.nan, 2.0, 3.0]),
        ([1.5, 2, float("nan"), 1], [1.5, 2.0, np.nan, 1.0]),
        (["a", None, float("nan"), "b"], ["a", "", "", "b"]),
        ([True, False, None, True], ["True", "False", "", "True"]),
    ],
)
def test_missing_labels_stay_missing(values, expected):
    trials = milcci.as_trials(VALUES, {"x": values}, dims=DIMS)
    np.testing.assert_array_equal(trials.labels["x"], expected)


LABELS_OF_A_KIND = {
    "whole": (st.integers(-(2**40), 2**40), np.int64),
    "real": (st.floats(-1e6, 1e6), np.float64),
    "text": (st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1), np.str_),
    "boolean": (st.booleans(), np.bool_),
}


@st.composite
def labels_in_some_container(draw):
    kind = draw(st.sampled_from(sorted(LABELS_OF_A_KIND)))
    values, dtype = LABELS_OF_A_KIND[kind]
    with_gaps = draw(st.booleans())
    plain = draw(st.lists(values | st.none() if with_gaps else values, min_size=4, max_size=4))
    if all(value is None for value in plain):
        plain[0] = draw(values)
    containers = [
        list,
        tuple,
        lambda v: np.array(v, object),
        lambda v: np.array(v[::-1], object)[::-1],
    ]
    if None not in plain:
        containers.append(lambda v: np.array(v, dtype))
        containers.append(lambda v: np.repeat(np.array(v, dtype), 3)[::3])
    with contextlib.suppress(ImportError):
        import pandas

        containers += [pandas.Series, lambda v: pandas.Series(v, dtype=object)]
        containers.append(lambda v: pandas.Series(pandas.Categorical(v)))
    with contextlib.suppress(ImportError):
        import polars

        containers.append(polars.Series)
    return plain, draw(st.sampled_from(containers))(plain)


@given(labels_in_some_container())
@settings(max_examples=300, deadline=None)
def test_labels_of_every_type_arrive_as_they_are(case):
    plain, given_labels = case
    found = milcci.as_trials(VALUES, {"x": given_labels}, dims=DIMS).labels["x"]
    for label, expected in zip(found.tolist(), plain, strict=True):
        if expected is None:
            assert label == "" or label != label
        elif isinstance(expected, (str, bool)):
            assert label == str(expected)
        else:
            assert label == expected


@given(
    st.lists(
        st.none() | st.integers(-(2**70), 2**70) | st.floats() | st.text() | st.booleans()
        | st.complex_numbers() | st.binary() | st.tuples(st.integers()),
        min_size=4, max_size=4,
    )
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_no_labels_crash(values):
    try:
        trials = milcci.as_trials(VALUES, {"x": values}, dims=DIMS)
    except ValueError as error:
        assert str(error)  # noqa: PT017 - some lists are labels, others are refused
    else:
        assert len(trials.labels["x"]) == 4


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"x": [1, 2, 3]}, "label column x: 3 values, expected 4"),
        ({"x": [1, "a", 2, 3]}, "label column x: labels of type int, str"),
        ({"x": [1j] * 4}, "label column x: labels of type complex"),
        ({"x": 5}, "label column x: must be a list"),
        ({"x": np.zeros((4, 2))}, "several columns"),
        ([(1, 2)] * 4, "2 per trial without names, and 1 categories"),
        ([(1, 2), (1,)] * 2, "every trial needs one per category"),
        (7, "labels of type int"),
        ("abcd", "labels of type str"),
    ],
)
def test_bad_labels_are_refused_with_one_message(labels, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        milcci.as_trials(VALUES, labels, dims=DIMS, label_names=["x"])
