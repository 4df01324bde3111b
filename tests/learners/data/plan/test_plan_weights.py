"""Tests of plans with a weight column."""

from itertools import product

import pytest

from learners import check_health, default_plan, prepare, read_table
from learners.common.errors import DataError
from learners.data.plan.column_roles import with_use
from learners.data.plan.plan_file import plan_of, stored_plan

ROWS = [("x", "u", "3"), ("y", "v", "2"), ("x", "v", "0"), ("y", "u", "4"), ("x", "u", "5"), ("y", "v", "1")]


def weighed(rows=ROWS):
    """Return a table, and a plan that uses its last column as weights."""
    table = read_table(("a,b,n\n" + "".join(",".join(row) + "\n" for row in rows)).encode())
    return table, default_plan(table).with_weights("n")


def test_a_column_of_counts_weighs_the_rows():
    """The weight column is no variable, and the sample size is its sum."""
    table, plan = weighed()
    prepared = prepare(table, plan)
    assert (prepared.dataset.names, prepared.dataset.n, prepared.dataset.n_rows) == (("a", "b"), 15, 6)
    assert prepared.dataset.weights.tolist() == [3, 2, 0, 4, 5, 1]
    assert "each row counts as often as column 'n' says: 6 rows as 15" in prepared.notes
    assert not [f for f in check_health(table, plan) if f.code == "weights"]


@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        ("-1", "weights must be at least 0, and some above 0; found -1 in column 'n'"),
        ("many", "column 'n' must hold finite"),
    ],
)
def test_weights_that_are_none_are_a_blocker_with_a_fix(weight, sentence):
    """Invalid weights are a blocker with a fix; `prepare` raises an error with the same reason."""
    table, plan = weighed([*ROWS, ("x", "u", weight)])
    with pytest.raises(DataError, match=sentence):
        prepare(table, plan)
    finding = next(one for one in check_health(table, plan) if one.code == "weights")
    assert finding.severity == "blocker"
    assert finding.fixes[0].plan == plan.with_weights("")


def test_a_row_without_a_weight_is_dropped_and_said():
    """A row without a weight is dropped with a note, because missing weights are not filled in."""
    table, plan = weighed([*ROWS, ("x", "u", "")])
    prepared = prepare(table, plan)
    assert prepared.dataset.n_rows == 6
    assert "rows left out for a missing weight in column 'n': 1 of 7" in prepared.notes
    (finding,) = (one for one in check_health(table, plan) if one.code == "weightless")
    assert (finding.severity, finding.reason) == (
        "warning",
        "column 'n' of weights is empty in 1 row. No run uses such rows.",
    )


def test_all_zero_weights_are_refused():
    """A table without remaining rows is refused."""
    table, plan = weighed([(a, b, "0") for a, b, _ in ROWS])
    with pytest.raises(DataError, match="some above 0; found none above 0 in column 'n'"):
        prepare(table, plan)


def test_counts_repeat_rows_with_numbers():
    """Each row is repeated as often as its count."""
    table = read_table(b"a,x,n\nu,0.5,2\nv,1.5,0\nu,2.5,1\nv,1.25,3\n")
    plan = default_plan(table).change("a", kind="categorical").change("x", kind="continuous").with_weights("n")
    dataset = prepare(table, plan).dataset
    assert (dataset.kind, dataset.n, dataset.weights) == ("mixed", 6, None)
    assert dataset.values[:, 0].tolist() == [0.5, 0.5, 2.5, 1.25, 1.25, 1.25]


def surveyed_rows(weights):
    """Return a table with a number and a level in each row, and a plan with these weights."""
    lines = [f"{k % 7 / 2},{'uv'[k % 2]},{weight}\n" for k, weight in enumerate(weights)]
    table = read_table(("x,a,w\n" + "".join(lines)).encode())
    plan = default_plan(table).change("x", kind="continuous").change("a", kind="categorical")
    return table, plan.with_weights("w")


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([20 + k % 30 for k in range(80)], True),
        ([20 + k % 30 for k in range(20)], False),  # too few rows
        ([1 + k % 3 for k in range(80)], False),  # weights too small
        ([1] * 40 + [50] * 40, False),  # resembles counts of merged rows
        ([20.5 + k % 30 for k in range(80)], False),  # fractional, so already survey weights
    ],
)
def test_whole_weights_that_look_like_a_survey_are_reported_with_a_fix(weights, expected):
    """The finding says that the rows count as thousands; its fix, survey weights, gives an effective size below 80."""
    table, plan = surveyed_rows(weights)
    found = [one for one in check_health(table, plan) if one.code == "rounded_weights"]
    assert bool(found) == expected
    if expected:
        assert found[0].reason.startswith("the weights in column 'w' are integers, so 80 rows count as 2,660.")
        after = found[0].fixes[0].plan
        assert prepare(table, after).dataset.n < 80
        assert not [one for one in check_health(table, after) if one.code == "rounded_weights"]
        assert plan_of(stored_plan(after)) == after
        assert with_use(plan, "survey weights", "w") == after


def test_a_cross_table_of_counts_is_none():
    """Counts of a cross table are not reported as survey weights: each combination of levels has one row."""
    rows = [(a, b, c, 10 + 3 * k) for k, (a, b, c) in enumerate(product("tuvw", "xyz", "klmno"))]
    table = read_table(("a,b,c,n\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)).encode())
    plan = default_plan(table).with_weights("n")
    assert not [one for one in check_health(table, plan) if one.code == "rounded_weights"]
