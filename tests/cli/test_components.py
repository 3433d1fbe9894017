"""What a fit found, seen: the table of fit, show, export, and two fits compared."""

import csv
import itertools

import h5py
import numpy as np
import pytest

from conftest import FIT, ROOT


def test_a_fit_ends_with_a_row_per_component(milcci, trials):
    told = milcci.done("fit", trials, *FIT, "-o", "m.h5", codes=(0, 4)).stderr
    rows = told[told.index("  component ") :].splitlines()
    assert "strongest channels" in rows[0]
    assert "changes most" in rows[0]
    assert [" ".join(row.split()[:2]) for row in rows[1:4]] == [
        "difficulty 1",
        "difficulty 2",
        "choice 1",
    ]


def test_show_has_the_memberships_of_the_file(milcci, model):
    told = milcci.json("show", model, "--category", "choice", "--component", 1, "--top", 3)[
        "components"
    ]
    assert len(told) == 1
    assert told[0]["category"] == "choice"
    assert len(told[0]["members"]) == 3
    with h5py.File(model) as file:
        stored = file["categories/choice/components"][:]
        names = file["channel"].asstr()[:].tolist()
    for member in told[0]["members"]:
        at = names.index(member["channel"])
        assert member["memberships"] == [float(value) for value in stored[:, 0, at]]
    text = milcci.done("show", model, "--category", "choice").stdout
    assert "choice 1 (categorical" in text
    assert "difficulty" not in text
    assert "from option1 to option2: similarity" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--category", "choise"], ["choise", "choice"]),
        (["--component", "9"], ["--component 9", "between 1 and 3"]),
        (["--component", "0"], ["--component 0", "between 1 and 3"]),
        (["--top", "0"], ["--top 0", "at least 1"]),
    ],
)
def test_show_refuses_what_the_model_does_not_have(milcci, model, arguments, says):
    milcci.refused(2, "show", model, *arguments, says=says)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_export_writes_tidy_tables_with_all_bits(milcci, model, trials):
    milcci.done("export", model, trials, "-o", "tables")
    with h5py.File(model) as file:
        stored = np.concatenate(
            [
                file[f"categories/{name}/components"][:].transpose(1, 0, 2).ravel()
                for name in ["difficulty", "choice"]
            ]
        )
    memberships = [
        float(row["membership"]) for row in rows_of(milcci.folder / "tables/memberships.csv")
    ]
    assert memberships == stored.tolist()
    scores = milcci.json("evaluate", model, trials)["trials"]
    rows = rows_of(milcci.folder / "tables/trials.csv")
    assert [float(row["squared_error"]) for row in rows] == [
        score["squared_error"] for score in scores
    ]
    assert {"difficulty", "choice"} <= set(rows[0])
    assert len(rows_of(milcci.folder / "tables/components.csv")) == 3
    milcci.refused(3, "export", model, "-o", "tables", says=["exists", "--force"])
    milcci.refused(3, "export", model, "-o", trials, says=["it is a file"])
    assert milcci.json("export", model, "-o", "tables", "--force")["files"][0].endswith(
        "memberships.csv"
    )


def test_the_json_of_a_fit_has_the_components_of_show(milcci, trials):
    told = milcci.json("fit", trials, *FIT, "-o", "told.h5")
    assert told["components"] == milcci.json("show", "told.h5")["components"]
    assert told["stop_reason"] == told["reason"] == "converged"


def test_two_fits_are_compared_by_one_command(milcci, trials, model):
    milcci.done("fit", trials, *FIT, "--start", model, "-o", "again.h5", codes=(0, 4))
    told = milcci.json("evaluate", model, "again.h5")
    assert told["same_data"]
    assert told["same_trials"]
    assert len(told["matches"]) == 3
    assert [match["first"] for match in told["matches"]] == [0, 1, 2]
    assert milcci.json("evaluate", model, model)["n_alike"] == 3
    assert "3 of 3 components are alike" in milcci.done("evaluate", model, model).stdout
    milcci.refused(2, "evaluate", model, model, "--cosmooth", says=["--cosmooth", "is a model"])


def write_npz(milcci, name, change):
    rng = np.random.default_rng(0)
    time = np.linspace(0, 6, 30)
    values = np.stack(
        [np.outer([1, 0.8, 0.6, 0.4], 1 + np.sin(time + 2 * rng.random())) for _ in range(12)]
    )
    np.savez(
        milcci.folder / name,
        values=change(values + 0.05 * rng.random(values.shape)),
        choice=np.array(["left", "right"] * 6),
    )
    return [name, "--dims", "trial,channel,time", "--category", "choice=1", "-o", name + ".h5"]


def test_a_model_that_explains_nothing_is_said_first_with_exit_code_4(milcci):
    arguments = [
        *write_npz(milcci, "plus.npz", lambda values: values + 1000),
        "--penalties",
        "fixed",
    ]
    process = milcci.done("fit", *arguments, codes=(4,))
    lines = process.stderr.splitlines()
    assert any(line.startswith("warning: ") and "--offset channel" in line for line in lines)
    report = [line for line in lines if line.startswith("milcci")]
    assert "THIS MODEL EXPLAINS NOTHING" in report[0]
    told = milcci.json("fit", *arguments, "--force", codes=(4,))
    assert "EXPLAINS NOTHING" in told["worst_news"]
    assert told["findings"][0]["option"] == "offset"
    assert milcci.json("fit", *arguments, "--force", "--offset", "channel")["worst_news"] is None


@pytest.mark.parametrize(
    ("factor", "says"), [(1e78, "divided by 1e+78"), (1e-300, "multiplied by 1e+300")]
)
def test_data_out_of_range_are_refused_with_a_unit_that_is_not(milcci, factor, says):
    arguments = write_npz(milcci, "scaled.npz", lambda values: values * factor)
    process = milcci("fit", *arguments)
    assert process.returncode == 3
    assert says in process.stderr


@pytest.mark.parametrize("factor", [1e60, 1e-60])
def test_the_unit_of_the_data_does_not_matter(milcci, factor):
    plain = milcci.json("fit", *write_npz(milcci, "plain.npz", lambda values: values))
    scaled = milcci.json("fit", *write_npz(milcci, "scaled.npz", lambda values: values * factor))
    assert scaled["r2"] == pytest.approx(plain["r2"], abs=1e-6)
    assert plain["r2"] > 0.9


def test_sentinels_are_named_and_can_be_made_missing(milcci):
    def mark(values):
        values[::3, 1, ::7] = -999
        return values

    arguments = write_npz(milcci, "sentinels.npz", mark)
    process = milcci.done("fit", *arguments, codes=(0, 4))
    assert "the value -999 occurs 20 times" in process.stderr
    assert "--missing-value -999" in process.stderr
    told = milcci.json("fit", *arguments, "--force", "--missing-value", -999)
    assert told["findings"] == []
    assert told["r2"] > 0.9


def test_channels_are_chosen_by_name_pattern_and_group(milcci, trials):
    def channels(*arguments):
        milcci.done("prepare", trials, *arguments, "-o", "some.h5", "--force")
        with h5py.File(milcci.folder / "some.h5") as file:
            return file["channel"].asstr()[:].tolist()

    assert channels("--keep-channels", "channel1,channel3") == ["channel1", "channel3"]
    assert channels("--keep-channels", "channel1*", "--drop-channels", "channel1") == [
        "channel10",
        "channel11",
        "channel12",
    ]
    assert len(channels("--drop-channels", "channel?")) == 3
    for flag, name, says in [
        ("--drop-channels", "chanel5", "channel5"),
        ("--keep-channels", "group:CA1", "no groups"),
        ("--drop-channels", "*", "none of the 12"),
    ]:
        process = milcci("prepare", trials, flag, name, "-o", "none.h5")
        assert process.returncode == 2
        assert says in process.stderr


def test_a_label_column_of_another_name_is_suggested(milcci, trials):
    process = milcci("fit", trials, "--category", "choise=1", "-o", "m.h5")
    assert process.returncode == 3
    assert "did you mean 'choice'" in process.stderr


def test_months_are_circular(milcci):
    rng = np.random.default_rng(0)
    np.savez(
        milcci.folder / "months.npz", values=rng.random((24, 4, 10)), month=np.arange(24) % 12 + 1
    )
    told = milcci.json("check", "months.npz", "--dims", "trial,channel,time")
    assert "--category 'month=2:circular,period=12'" in told["suggestion"]
    milcci.done(
        "fit",
        "months.npz",
        "--dims",
        "trial,channel,time",
        "--category",
        "month=1:circular,period=12",
        "-o",
        "m.h5",
        codes=(0, 4),
    )
    with h5py.File(milcci.folder / "m.h5") as file:
        graph = file["categories/month/graph"][:]
        assert file["categories/month"].attrs["kind"] == "circular"
    assert graph[0, 11] == pytest.approx(graph[0, 1])
    assert graph[0, 11] > 100 * graph[0, 6]
    process = milcci(
        "fit",
        "months.npz",
        "--dims",
        "trial,channel,time",
        "--category",
        "month=1:circular",
        "-o",
        "n.h5",
    )
    assert process.returncode == 2
    assert "period" in process.stderr


def test_names_of_months_are_circular(milcci):
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    values = np.random.default_rng(0).random((24, 4, 10))
    np.savez(milcci.folder / "months.npz", values=values, month=months * 2)
    of_array = ["months.npz", "--dims", "trial,channel,time"]
    category = f"month=2:circular,order={'+'.join(months)}"
    assert category in milcci.json("check", *of_array)["suggestion"]
    milcci.done("fit", *of_array, "--category", category, "-o", "m.h5", codes=(0, 4))
    with h5py.File(milcci.folder / "m.h5") as file:
        graph = file["categories/month/graph"][:]
        assert list(file["categories/month/option"].asstr()) == months
    assert graph[0, 11] == pytest.approx(graph[0, 1])


def test_the_table_of_examples_runs_as_printed(milcci):
    recording, labels = ROOT / "examples/recording.csv", ROOT / "examples/labels.csv"
    milcci.done(
        "fit",
        recording,
        "--labels",
        labels,
        "--category",
        "side=1",
        "--fixed",
        1,
        "--nonnegative",
        "both",
        "-o",
        "model.h5",
        codes=(0, 4),
    )
    told = milcci.json("show", "model.h5", "--category", "side")["components"][0]
    changed = {member["channel"]: member["change"] for member in told["changes"][0]["members"]}
    assert (changed["c7"], changed["c8"]) == ("lost", "gained")


def test_traces_by_label_agree_with_the_file(milcci, model):
    told = milcci.json(
        "traces",
        model,
        "--by",
        "choice",
        "--between",
        "option1,option2",
        "--permutations",
        50,
        "-o",
        "traces.csv",
    )
    with h5py.File(model) as file:
        edges, values = file["traces/trial_offset"][:], file["traces/values"][:]
        option = file["categories/choice/option_of_trial"][:]
    trials = [values[first:last] for first, last in itertools.pairwise(edges)]
    for i, group in enumerate(told["components"][2]["groups"]):
        chosen = [trial for trial, o in zip(trials, option, strict=True) if o == i]
        assert group["n_trials"] == len(chosen)
        for t in [0, 20]:
            here = [trial[t, 2] for trial in chosen if len(trial) > t]
            assert group["mean"][t] == pytest.approx(np.mean(here), rel=1e-12)
            assert group["high"][t] == pytest.approx(np.quantile(here, 0.9), rel=1e-12)
    first, second = (np.array(g["mean"], float) for g in told["components"][2]["groups"])
    np.testing.assert_allclose(
        np.array(told["components"][2]["difference"]["difference"], float), first - second
    )
    with open(milcci.folder / "traces.csv") as table:
        rows = [
            row
            for row in csv.DictReader(table)
            if row["category"] == "choice" and row["choice"] == "option2"
        ]
    assert float(rows[5]["mean"]) == second[5]


def test_groups_of_channels_are_told(milcci):
    rng = np.random.default_rng(1)
    rows = ["trial,region,channel,time,value,side"]
    for m in range(12):
        shared = rng.random((2, 30))
        rows += [
            f"{m},{'V1' if n < 5 else 'M2'},c{n},{t},{shared[n // 5, t]},{'lr'[m % 2]}"
            for n in range(10)
            for t in range(30)
        ]
    (milcci.folder / "regions.csv").write_text("\n".join(rows))
    milcci.done(
        "fit",
        "regions.csv",
        "--channel-group",
        "region",
        "--category",
        "side=1",
        "--fixed",
        1,
        "--nonnegative",
        "both",
        "-o",
        "m.h5",
        codes=(0, 4),
    )
    told = milcci.json("groups", "m.h5")["groups"]
    assert {row["group"] for row in told} == {"V1", "M2"}
    assert all(row["n_channels"] == 5 and row["expected"] == 0.5 for row in told)
    # 5 of 5 members in a group of 5 of 10 channels: 1 of 252 draws.
    assert min(row["p"] for row in told) == pytest.approx(1 / 252, rel=1e-9)
    assert "*" in milcci.done("groups", "m.h5").stdout


def test_groups_need_groups(milcci, model):
    milcci.refused(3, "groups", model, says=["no groups"])
