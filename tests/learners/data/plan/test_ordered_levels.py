"""Tests of ordered levels from the file to the data set: guessed, listed in their order, changed, stored and merged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import Dataset, ParameterError
from learners.data.disclosure import rare_texts
from learners.data.plan.column_roles import use_of_column, with_use
from learners.data.plan.command_line import listed_levels, with_bins, with_mark, with_order
from learners.data.plan.plan import ColumnPlan, Plan, default_plan, with_missing
from learners.data.plan.plan_file import read_plan, write_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.reading.table import Table, read_table

PAIN = ("none", "mild", "severe")


def table() -> Table:
    """Return 60 rows: pain in words, an arm, a Likert item with an empty cell, and numbers."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "pain": rng.choice(PAIN, 60, p=[0.6, 0.35, 0.05]),
            "arm": rng.choice(["x", "y", "z"], 60),
            "q1": [""] + [str(1 + k % 5) for k in range(59)],
            "weight": rng.normal(80, 9, 60).round(1),
        }
    )
    return read_table(frame.to_csv(index=False).encode())


def test_the_default_plan_orders_what_shows_an_order():
    data = table()
    plan = default_plan(data)
    assert [use_of_column(plan, column) for column in plan.columns] == [
        "ordered", "categorical", "ordered", "continuous",
    ]  # fmt: skip
    assert (plan.column("pain").order, plan.column("q1").order) == (PAIN, ())
    prepared = prepare(data, plan.change("weight", kind="ignore"))
    assert prepared.dataset.ordered == ("pain", "q1")
    assert prepared.dataset.levels == (PAIN, ("x", "y", "z"), tuple("12345"))
    assert "levels of column 'pain' in order: 'none', 'mild' and 'severe'" in prepared.notes


def test_use_and_bins_change_the_order():
    plan = default_plan(table())
    assert prepare(table(), with_use(plan, "categorical", "pain")).dataset.ordered == ("q1",)
    assert prepare(table(), with_use(plan, "ordered", "arm")).dataset.ordered == ("pain", "arm", "q1")
    for bins in (with_use(plan, "bins", "weight"), with_bins(plan, "weight=3")):
        assert prepare(table(), bins).dataset.ordered == ("pain", "q1", "weight")


def test_the_command_line_orders_levels():
    plan = with_order(default_plan(table()), "arm=z<x<y")
    assert prepare(table(), plan).dataset.levels[1] == ("z", "x", "y")
    assert "arm" in prepare(table(), plan).dataset.ordered
    assert with_order(plan, "arm=none").column("arm").ordered is False
    assert listed_levels("<18 < 18-24 < 65+") == ("<18", "18-24", "65+")
    with pytest.raises(ParameterError, match="at least two levels"):
        with_order(plan, "arm=z")


def test_levels_without_a_place_end_the_order():
    """A level that the order does not list, and the level of missing cells, have no rank."""
    plan = default_plan(table())
    lacks = plan.change("pain", order=("none", "mild"))
    prepared = prepare(table(), lacks)
    assert prepared.dataset.ordered == ("q1",)
    assert prepared.dataset.levels[0] == PAIN
    assert "the order of column 'pain' is not used, because 'severe' has no place in it" in prepared.notes
    assert prepare(table(), plan.with_policy("category")).dataset.ordered == ("pain",)


def test_rare_levels_are_merged_with_a_neighbour():
    prepared = prepare(table(), default_plan(table()).change("pain", min_level_count=10))
    assert prepared.dataset.levels[0] == ("none", "mild to severe")
    assert prepared.dataset.ordered == ("pain", "q1")
    assert "rare levels of column 'pain' were merged with their neighbours: 'mild to severe'" in prepared.notes
    one = prepare(table(), default_plan(table()).change("pain", min_level_count=100)).dataset
    assert one.levels[0] == ("none to severe",)


def test_plans_keep_the_order():
    plan = default_plan(table())
    assert Plan.from_dict(plan.to_dict()) == plan
    assert read_plan(write_plan(plan).encode()) == plan
    assert '"order": [' in write_plan(plan)
    with pytest.raises(ParameterError, match="each level once"):
        ColumnPlan("a", "categorical", order=("x", "x"))


def test_rare_levels_of_an_order_are_private():
    assert rare_texts(table(), default_plan(table())) == ("severe",)


def test_frames_with_an_ordered_dtype():
    """The order of a pandas column reaches the data set, is restored by `to_frame`, and survives selection."""
    frame = pd.DataFrame(
        {"pain": pd.Categorical(["mild", "none", "severe"], PAIN, ordered=True), "arm": list("xyx"), "w": [0.5, 1, 2]}
    )
    data = Dataset.from_frame(frame)
    assert (data.ordered, data.kind) == (("pain",), "mixed")
    back = data.to_frame()
    assert back["pain"].cat.ordered
    assert not back["arm"].cat.ordered
    assert Dataset.from_frame(back).fingerprint == data.fingerprint
    assert data.fingerprint != data.with_ordered_levels([]).fingerprint
    part = data.select([1, 0])
    assert part.ordered == part.merged().ordered == part.take([0, 2]).ordered == ("pain",)
    assert data.select([1, 2]).ordered == ()


@pytest.mark.parametrize("mark", ["-99", "999", "n/a", "unknown"])
def test_an_order_shows_once_a_code_means_missing(mark):
    """A missing-value code among Likert answers does not hide their order for good."""
    rng = np.random.default_rng(1)
    answers = np.array(["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"])[
        rng.integers(0, 5, 200)
    ].astype(object)
    answers[::50] = mark
    frame = pd.DataFrame({"answer": answers, "score": rng.normal(50.0, 9.0, 200).round(1)})
    made = read_table(frame.to_csv(index=False).encode())
    plan = with_proposals(made, default_plan(made))[0]
    assert mark in plan.column("answer").missing
    assert prepare(made, plan).dataset.ordered == ("answer",)
    by_hand = default_plan(made)
    assert with_mark(made, by_hand, mark).column("answer").ordered
    refused = by_hand.change("answer", ordered=False)
    assert with_missing(made, refused, {"score": ["7"]}).column("answer") == refused.column("answer")
