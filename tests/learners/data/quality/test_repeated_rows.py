"""Tests of findings on copied rows, columns named as weights, and mostly empty columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.finding import Finding
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import Table, read_table

CASES = Path(__file__).parents[1] / "cases"
ROWS = 891


def table_of(**columns: object) -> Table:
    return read_table(pd.DataFrame(columns).to_csv(index=False).encode())


def found(table: Table, code: str) -> list[Finding]:
    return [f for f in check_health(table, default_plan(table)) if f.code == code]


def test_copies_of_the_case_are_reported_and_can_be_dropped():
    """The 40 exact copies among the 640 rows of the clinic are reported, and a fix drops them."""
    table = read_table(CASES / "clinic2.csv")
    (finding,) = found(table, "repeated_rows")
    assert finding.reason.startswith("40 of 640 rows are exact copies of an earlier row")
    plan = finding.fixes[0].plan
    assert Plan.from_dict(plan.to_dict()) == plan
    prepared = prepare(table, plan)
    assert prepared.dataset.n_rows == 600
    assert prepared.notes[0] == "left out: 40 exact copies of earlier rows"


def test_copies_can_be_kept_as_counts():
    """The second fix replaces equal rows by one row with a count, which resolves the finding."""
    table = read_table(CASES / "clinic2.csv")
    fix = found(table, "repeated_rows")[0].fixes[1]
    assert fix.label == "treat the copies as separate cases"
    assert Plan.from_dict(fix.plan.to_dict()) == fix.plan
    prepared = prepare(table, fix.plan)
    assert (prepared.dataset.n_rows, prepared.dataset.n) == (600, 640)
    assert "kept as separate cases: 40 exact copies of earlier rows" in prepared.notes
    assert not [f for f in check_health(table, fix.plan) if f.code == "repeated_rows"]
    assert not fix.plan.with_drop_copies(True).count_copies
    levels = table_of(a=list("xyxyx") * 20, b=list("ppqqp") * 20)
    counted = prepare(levels, default_plan(levels).with_count_copies(True)).dataset
    assert (counted.n_rows, counted.n, sorted(counted.weights.tolist())) == (4, 100, [20, 20, 20, 40])


def test_copies_of_few_levels_are_no_surprise():
    rng = np.random.default_rng(1)
    assert not found(table_of(a=rng.integers(0, 3, ROWS), b=rng.integers(0, 2, ROWS)), "repeated_rows")


@pytest.mark.parametrize(
    ("name", "mean", "expected"),
    [
        ("weight", 1.0, True),
        ("WT", 1.0, True),
        ("w", 1.0, True),
        ("pweight", 350.0, True),
        ("sw", 350.0, True),
        ("surveyweight", 40.0, True),
        ("w", 70.0, False),
        ("income_w", 1.0, False),
        ("weight", 70.0, False),
        ("height", 1.0, False),
    ],
)
def test_survey_weights_are_suggested_by_name_and_mean(name, mean, expected):
    """Survey weights are recognised by name and mean: a column "weight" with mean 70 is body weight."""
    rng = np.random.default_rng(2)
    weights = rng.gamma(4, 1, ROWS)
    table = table_of(
        **{name: (weights * mean / weights.mean()).round(4), "a": rng.normal(size=ROWS), "b": rng.normal(size=ROWS)}
    )
    findings = found(table, "possible_weights")
    assert bool(findings) == expected
    if expected:
        assert (findings[0].fixes[0].plan.weights, findings[0].fixes[0].plan.surveyed) == (name, True)


def test_weights_are_not_converted_to_normal_scores():
    """Skewed weights of rows stay as they are; a skewed measurement is converted."""
    rng = np.random.default_rng(4)
    pweight, income = rng.lognormal(6, 1, (2, ROWS)).round(1)
    table = table_of(pweight=pweight, income=income, age=rng.normal(50, 9, ROWS))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert [column.name for column in plan.columns if column.normal_scores] == ["income"]


def test_a_mostly_empty_column_is_named_with_its_cost():
    """The finding on the mostly empty column "deck" says that without it 712 of 891 passengers are complete."""
    rng = np.random.default_rng(3)
    age, deck = rng.normal(30, 10, ROWS).round(1).astype(object), rng.choice(list("abc"), ROWS).astype(object)
    age[:179] = ""
    deck[100:800] = ""
    (finding,) = found(table_of(age=age, deck=deck, sex=rng.choice(["f", "m"], ROWS)), "mostly_empty")
    assert finding.columns == ("deck",)
    assert finding.fixes[0].label == "leave out 'deck'"
    assert "without it, 712" in finding.reason
