"""DataFrames and arrays of xarray are understood as the trials they were made of."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import milcci
from quick_fits import quietly_fitted

pandas = pytest.importorskip("pandas")
RNG = np.random.default_rng(5)
TRIALS = [RNG.normal(size=(3, n)) for n in (4, 6, 5)]
CHANNELS = ["a", "b", "c"]
SIDE, DOSE = ["left", "right", "left"], [2, 1, 1]


def long_frame():
    rows = [
        {
            "trial": m + 1,
            "neuron": CHANNELS[n],
            "time": t / 10,
            "rate": trial[n, t],
            "side": SIDE[m],
            "dose": DOSE[m],
        }
        for m, trial in enumerate(TRIALS)
        for n in range(3)
        for t in range(trial.shape[1])
    ]
    return pandas.DataFrame(rows)


def wide_frame():
    rows = []
    for m, trial in enumerate(TRIALS):
        for t in range(trial.shape[1]):
            values = dict(zip(CHANNELS, trial[:, t], strict=True))
            rows.append({"trial": m + 1, "time": t / 10, "side": SIDE[m], **values})
    return pandas.DataFrame(rows)


def assert_understood(trials):
    assert trials.channel_names == CHANNELS
    for found, expected in zip(trials, TRIALS, strict=True):
        np.testing.assert_array_equal(found, expected)
    for times, trial in zip(trials.times, TRIALS, strict=True):
        np.testing.assert_allclose(times, np.arange(trial.shape[1]) / 10)
    np.testing.assert_array_equal(trials.labels["side"], SIDE)


def test_long_and_wide_frames_of_pandas():
    assert_understood(milcci.as_trials(long_frame()))
    assert_understood(milcci.as_trials(wide_frame()))
    np.testing.assert_array_equal(milcci.as_trials(long_frame()).labels["dose"], DOSE)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_numbers_that_a_category_asks_for_are_labels(package):
    frames = pytest.importorskip(package)
    table = wide_frame().assign(dose=lambda table: [DOSE[trial - 1] for trial in table["trial"]])
    wide = frames.DataFrame(table.to_dict("list"))
    for category in ({"dose": 1}, {"x": milcci.Category(1, columns=["dose"])}):
        fitted = quietly_fitted(wide, categories=category)
        assert fitted.channel_names_ == CHANNELS
        (found,) = fitted.components_.values()
        assert list(found.coords["option"]) == ["1", "2"]
        assert len(fitted.transform(wide)) == 3
        assert milcci.evaluate(fitted, wide)["r2"] == fitted.score(wide)
        assert milcci.check(wide, categories=category)["n_channels"] == 3
    given = milcci.as_trials(wide, label_columns="side", wanted_labels=["dose", "none"])
    assert list(given.labels) == ["trial", "side", "dose"]
    one_more = milcci.as_trials(wide, {"dose": DOSE}, wanted_labels=["dose"])
    assert one_more.channel_names == [*CHANNELS, "dose"]


def test_labels_that_were_read_as_channels_are_named(tmp_path):
    table = wide_frame().assign(dose=1.5)
    table.to_csv(tmp_path / "wide.csv", index=False)
    for given in (milcci.as_trials(table), tmp_path / "wide.csv"):
        with pytest.raises(ValueError, match=r"no label column 'dose'.*label_columns=\['dose'\]"):
            quietly_fitted(given, categories={"dose": 1})
    read = milcci.read(tmp_path / "wide.csv", label_columns=["dose"])
    assert read.channel_names == CHANNELS


def test_trials_of_a_model_of_a_wide_frame_have_one_column_of_a_name():
    fitted = quietly_fitted(wide_frame(), categories={"side": 1})
    trials = fitted.to_frame("trials")
    assert list(trials.reset_index().columns) == ["trial_name", "trial", "side"]
    assert list(trials.index) == ["1", "2", "3"]
    assert trials.index.name == "trial_name"


def test_rows_in_any_order():
    shuffled = long_frame().sample(frac=1, random_state=1)
    trials = milcci.as_trials(shuffled)
    order = [trials.channel_names.index(name) for name in CHANNELS]
    for found, expected in zip(trials, TRIALS, strict=True):
        np.testing.assert_array_equal(found[order], expected)


def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    assert_understood(milcci.as_trials(polars.DataFrame(long_frame().to_dict("list"))))
    assert_understood(milcci.as_trials(polars.DataFrame(wide_frame().to_dict("list"))))


def test_a_table_is_read_from_a_file_as_from_a_frame(tmp_path):
    long_frame().to_csv(tmp_path / "long.csv", index=False)
    wide_frame().to_csv(tmp_path / "wide.csv", index=False)
    for name, frame in (("long", long_frame()), ("wide", wide_frame())):
        read = milcci.as_trials(tmp_path / f"{name}.csv")
        given = milcci.as_trials(frame)
        assert given.channel_names == read.channel_names
        assert list(given.labels) == list(read.labels)
        for column in given.labels:
            np.testing.assert_array_equal(given.labels[column], read.labels[column])
        assert given.fingerprint == read.fingerprint


@pytest.fixture(params=["pandas", "pyarrow"])
def parquet_by(request, monkeypatch):
    """Parquet files are read by this package alone."""
    pytest.importorskip("pyarrow")
    if request.param == "pyarrow":
        monkeypatch.setattr("milcci._parquet.is_installed", lambda name: name == "pyarrow")
    return request.param


@pytest.mark.usefixtures("parquet_by")
def test_parquet_files_are_understood_as_their_frames(tmp_path):
    # The content decides, not the name.
    long_frame().to_parquet(tmp_path / "long.parquet")
    wide_frame().to_parquet(tmp_path / "wide.data")
    for name, frame in (("long.parquet", long_frame()), ("wide.data", wide_frame())):
        for found in (milcci.as_trials(tmp_path / name), milcci.read(str(tmp_path / name))):
            assert_understood(found)
            assert found.fingerprint == milcci.as_trials(frame).fingerprint
    renamed = wide_frame().rename(columns={"trial": "which"})
    renamed.to_parquet(tmp_path / "renamed.parquet")
    assert_understood(milcci.as_trials(tmp_path / "renamed.parquet", trial="which"))


def test_types_of_parquet_columns(tmp_path, parquet_by):
    frame = wide_frame().assign(
        side=lambda f: f["side"].astype("category"),
        is_old=[True] * 4 + [False] * 11,
        dose=pandas.array([1] * 4 + [None] * 6 + [3] * 5, dtype="Int64").astype("string"),
        a=lambda f: f["a"].astype("float32"),
    )
    frame.loc[2, "b"] = np.nan
    frame.to_parquet(tmp_path / "table.parquet")
    trials = milcci.as_trials(tmp_path / "table.parquet", ignore_columns="is_old")
    np.testing.assert_array_equal(trials.labels["side"], SIDE)
    np.testing.assert_array_equal(trials.labels["dose"], ["1", "", "3"])
    np.testing.assert_array_equal(trials[0][0], TRIALS[0][0].astype(np.float32))
    assert np.isnan(trials[0][1, 2])


@pytest.mark.usefixtures("parquet_by")
def test_labels_in_parquet_files(tmp_path):
    wide_frame().drop(columns="side").to_parquet(tmp_path / "wide.parquet")
    pandas.DataFrame({"side": SIDE}).to_parquet(tmp_path / "labels.parquet")
    assert_understood(milcci.as_trials(tmp_path / "wide.parquet", tmp_path / "labels.parquet"))
    assert_understood(milcci.as_trials(tmp_path / "wide.parquet", {"side": SIDE}))
    (tmp_path / "labels.csv").write_text("trial,side\n1,left\n2,right\n3,left\n")
    with pytest.raises(ValueError, match=r"labels\.csv: beside a Parquet file"):
        milcci.as_trials(tmp_path / "wide.parquet", tmp_path / "labels.csv")


@pytest.mark.usefixtures("parquet_by")
def test_a_broken_parquet_file_is_refused(tmp_path):
    long_frame().to_parquet(tmp_path / "whole.parquet")
    content = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "half.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(OSError, match=r"half\.parquet: cannot be read as Parquet"):
        milcci.as_trials(tmp_path / "half.parquet")


def test_parquet_without_a_package_that_reads_it(tmp_path, monkeypatch):
    (tmp_path / "table.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr("milcci._parquet.is_installed", lambda _: False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ImportError, match="reading Parquet files needs pyarrow: pip install pyarrow"
    ):
        milcci.as_trials(tmp_path / "table.parquet")


def test_labels_in_a_file_of_their_own(tmp_path):
    wide_frame().drop(columns="side").to_csv(tmp_path / "wide.csv", index=False)
    (tmp_path / "labels.csv").write_text("trial,side\n1,left\n2,right\n3,left\n")
    assert_understood(milcci.as_trials(tmp_path / "wide.csv", tmp_path / "labels.csv"))


def test_trials_that_several_columns_name_are_kept_apart():
    frame = wide_frame()
    first, second = ["a b", "a", "a"], ["c", "b c", "c"]  # two of them are "a b c"
    frame["session"] = [first[m - 1] for m in frame["trial"]]
    frame["part"] = [second[m - 1] for m in frame["trial"]]
    trials = milcci.as_trials(frame.drop(columns="trial"), trial=["session", "part"])
    assert_understood(trials)
    assert trials.trial_names == ["'a b' 'c'", "'a' 'b c'", "'a' 'c'"]
    assert list(trials.labels["session"]) == first
    again = milcci.as_trials(
        frame[frame["trial"] > 1].drop(columns="trial"), trial=["session", "part"]
    )
    assert again.trial_names == ["a b c", "a c"]


def test_columns_of_very_many_names_tell_trials_apart():
    # The counts of all columns but the first multiply to 2 ** 64, which is 0 in 64 bits.
    names = {f"key{i}": [*range(256), 0] for i in range(8)}
    frame = pandas.DataFrame({"first": [0] * 256 + [1], **names, "a": np.arange(257.0)})
    assert len(milcci.as_trials(frame, trial=["first", *names])) == 257


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_what_is_true_or_false_is_a_label_as_in_files(tmp_path, package):
    frame = wide_frame().assign(correct=lambda f: f["trial"] == 2)
    frame.to_csv(tmp_path / "wide.csv", index=False)
    if package == "polars":
        frame = pytest.importorskip("polars").DataFrame(frame.to_dict("list"))
    for trials in (milcci.as_trials(frame), milcci.as_trials(tmp_path / "wide.csv")):
        assert_understood(trials)
        assert list(trials.labels["correct"]) == ["False", "True", "False"]


@pytest.mark.parametrize("package", ["pandas", "polars"])
@pytest.mark.parametrize("names", [[1, 2, None], ["x", "y", None]], ids=["numbers", "texts"])
def test_rows_that_name_no_trial_or_no_channel_are_refused(package, names):
    long = long_frame()
    channels = dict(zip(CHANNELS, names, strict=True))
    others = {
        "trial": long.assign(trial=[names[m - 1] for m in long["trial"]]),
        "neuron": long.assign(neuron=[channels[name] for name in long["neuron"]]),
    }
    for column, frame in others.items():
        if package == "polars":
            missing = {name: [None if v != v else v for v in frame[name]] for name in frame}
            frame = pytest.importorskip("polars").DataFrame(missing)
        first = {"trial": 3 * 4 + 3 * 6, "neuron": 2 * 4}[column]
        with pytest.raises(ValueError, match=f"{column}: row {first} names none"):
            milcci.as_trials(frame)


@pytest.mark.usefixtures("parquet_by")
def test_parquet_columns_of_the_same_name_are_refused(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = [pyarrow.array([1, 1]), pyarrow.array([0, 1]), *[pyarrow.array([0.5, 2.5])] * 2]
    table = pyarrow.table(columns, names=["trial", "time", "a", "a"])
    parquet.write_table(table, tmp_path / "twice.parquet")
    with pytest.raises(ValueError, match="columns of the same name: a; rename or drop them"):
        milcci.as_trials(tmp_path / "twice.parquet")


@pytest.mark.parametrize("form", ["pandas", "polars", "parquet"])
def test_names_in_any_script(tmp_path, form):
    names = {"a": "ñ", "b": "Ω 1", "c": "日本", "side": "côté", "trial": "épreuve"}
    frame = wide_frame().rename(columns=names)
    frame["épreuve"] = [f"é{m}" for m in frame["épreuve"]]
    if form == "polars":
        frame = pytest.importorskip("polars").DataFrame(frame.to_dict("list"))
    elif form == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(tmp_path / "日本.parquet")
        frame = tmp_path / "日本.parquet"
    trials = milcci.as_trials(frame, trial="épreuve")
    assert trials.channel_names == ["ñ", "Ω 1", "日本"]
    assert trials.trial_names == ["é1", "é2", "é3"]
    assert list(trials.labels["côté"]) == SIDE
    trials.save(tmp_path / "trials.h5")
    again = milcci.read(tmp_path / "trials.h5")
    assert again.channel_names == trials.channel_names
    assert list(again.labels) == list(trials.labels)


def test_values_that_a_long_table_lacks_are_missing():
    trials = milcci.as_trials(long_frame().drop(index=[0]))
    assert np.isnan(trials[0][0, 0])
    assert np.isnan(np.concatenate(list(trials), axis=1)).sum() == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns="trial"), "which column names the trials"),
        (lambda f: f.drop(columns="time"), "which column has the times"),
        (lambda f: pandas.concat([f, f]), "several values of one channel"),
        (lambda f: f.assign(side=np.arange(len(f))), "label column side: differs between rows"),
        (lambda f: f.assign(rate="x"), "column rate: values that are no numbers"),
        (lambda f: f.iloc[:0], "no rows"),
        (lambda f: f.rename(columns={"dose": "side"}), "columns of the same name: side"),
    ],
)
def test_bad_tables_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        milcci.as_trials(change(long_frame()))


def test_names_of_xarray_decide():
    xarray = pytest.importorskip("xarray")
    cube = RNG.normal(size=(3, 5, 2))
    coords = {
        "neuron": CHANNELS, "time": np.arange(5) / 4, "trial": [11, 12],
        "side": ("trial", ["left", "right"]), "dose": ("trial", [1, 3]),
    }  # fmt: skip
    array = xarray.DataArray(cube, dims=("neuron", "time", "trial"), coords=coords)
    trials = milcci.as_trials(array)
    assert trials.channel_names == CHANNELS
    assert trials.trial_names == ["11", "12"]
    np.testing.assert_array_equal(list(trials), cube.transpose(2, 0, 1))
    np.testing.assert_array_equal(trials.times[1], np.arange(5) / 4)
    np.testing.assert_array_equal(trials.labels["side"], ["left", "right"])
    np.testing.assert_array_equal(trials.labels["dose"], [1, 3])
    with pytest.raises(ValueError, match="which is which"):
        milcci.as_trials(array.rename(neuron="what"))
    renamed = milcci.as_trials(array.rename(neuron="what"), dims=("channel", "time", "trial"))
    assert renamed.channel_names == CHANNELS
    with pytest.raises(ValueError, match="pass one of these arrays"):
        milcci.as_trials(array.to_dataset(name="rates"))
