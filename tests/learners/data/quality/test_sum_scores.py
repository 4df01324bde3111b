"""Tests of sum scores: sums and means of other columns are found with their parts."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.quality.name_hints import same_quantity
from learners.data.quality.sum_scores import find_sum_scores
from learners.data.reading.table import read_table

N = 200


def rng():
    return np.random.default_rng(5)


def items(k):
    """Draw correlated answers from 0 to 4 to k items."""
    draws = rng()
    return np.clip(np.rint(2 + draws.normal(size=(N, 1)) + draws.normal(size=(N, k))), 0, 4)


def table_of(frame):
    table = read_table(frame.to_csv(index=False).encode())
    return table, default_plan(table)


def reported(frame):
    """Return the type and the parts of each sum score found, by name."""
    return {s.name: ("mean" if s.mean else "sum", s.parts) for s in find_sum_scores(*table_of(frame))}


def answers(k):
    return pd.DataFrame(items(k).astype(int), columns=[f"q{j}" for j in range(k)])


def test_a_total_and_its_subscales_are_named_with_their_items():
    """The parts of a total and of its subscales are the items, not the subscales."""
    frame = answers(8)
    frame["first"], frame["last"] = frame.iloc[:, :4].sum(axis=1), frame.iloc[:, 4:8].sum(axis=1)
    frame["total"] = frame["first"] + frame["last"]
    names = tuple(f"q{j}" for j in range(8))
    assert reported(frame) == {"first": ("sum", names[:4]), "last": ("sum", names[4:]), "total": ("sum", names)}


@pytest.mark.parametrize("decimals", [1, 2, 12])
@pytest.mark.parametrize("measured", [False, True], ids=["answers", "measurements"])
def test_a_mean_is_found_within_rounding(decimals, measured):
    """A rounded mean of five columns is reported as a mean with these columns."""
    frame = answers(5) if not measured else pd.DataFrame(rng().normal(size=(N, 5)).round(3)).add_prefix("q")
    frame["other"] = rng().normal(size=N).round(2)
    frame["mean"] = frame.iloc[:, :5].mean(axis=1).round(decimals)
    assert reported(frame) == {"mean": ("mean", tuple(f"q{j}" for j in range(5)))}


def test_a_number_of_yes_answers_is_a_sum():
    """A sum of items with two values is found like any other sum."""
    frame = (answers(5) > 2).astype(int)
    frame["score"] = frame.sum(axis=1)
    assert reported(frame) == {"score": ("sum", tuple(f"q{j}" for j in range(5)))}


def test_a_constant_may_be_added():
    """A sum is found although a constant was added, for example to make it start at 0."""
    frame = answers(4)
    frame["score"] = frame.sum(axis=1) - 4
    (score,) = find_sum_scores(*table_of(frame))
    assert score.clause.text(()) == "column 'score' is the sum of 'q0', 'q1', 'q2' and 'q3', up to a constant"


def test_a_sum_is_found_among_the_rows_that_have_all_answers():
    """The sum is found after one fix makes the marks missing."""
    frame = answers(4)
    frame["score"] = frame.sum(axis=1)
    for j in range(4):
        frame[f"q{j}"] = [("k.A." if k % 13 == j else text) for k, text in enumerate(frame[f"q{j}"])]
    table, plan = table_of(frame)
    marked = next(f for f in check_health(table, plan) if f.code == "possible_missing")
    assert marked.columns == ("q0", "q1", "q2", "q3")
    found = {f.code: f.columns for f in check_health(table, marked.fixes[0].plan)}
    assert found["sum_score"] == ("score",)
    assert "possible_missing" not in found


def test_one_wrong_row_makes_it_no_sum():
    """A column that differs from the sum in one row is no sum score."""
    frame = answers(4)
    frame["score"] = frame.sum(axis=1)
    frame.loc[7, "score"] += 1
    assert reported(frame) == {}


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x[:, :2] @ [1.0, 2.0],
        lambda x: x[:, 0] + rng().normal(scale=0.05, size=N),
        lambda x: x[:, :4].sum(axis=1) + rng().normal(scale=0.05, size=N),
        lambda x: 2 * x[:, 0],
        lambda x: -x[:, :3].sum(axis=1),
    ],
    ids=["weights", "nearly a copy", "nearly a sum", "a multiple", "a rest"],
)
def test_what_is_no_sum_is_not_called_one(make):
    """Weighted sums, approximate sums and copies, multiples, and negated sums are not reported."""
    x = rng().normal(size=(N, 6))
    frame = pd.DataFrame(x).add_prefix("v")
    frame["odd"] = make(x)
    assert reported(frame) == {}


def test_sums_are_found_among_a_hundred_columns_and_missing_cells():
    """A sum of some of a hundred columns is found, although parts have missing cells."""
    frame = pd.DataFrame(rng().normal(size=(600, 100)).round(3)).add_prefix("v")
    frame["total"] = frame.iloc[:, 10:60].sum(axis=1).round(3)
    frame.loc[::50, "v11"] = np.nan
    assert reported(frame) == {"total": ("sum", tuple(f"v{j}" for j in range(10, 60)))}


def test_one_click_leaves_all_scores_out_instead_of_an_item():
    """The dependence is a blocker; its fix leaves out the scores and keeps their parts."""
    frame = pd.DataFrame(rng().normal(size=(N, 6)).round(3)).add_prefix("v")
    frame["total"], frame["half"] = frame.sum(axis=1).round(3), frame.iloc[:, :3].sum(axis=1).round(3)
    table, plan = table_of(frame)
    (finding,) = [f for f in check_health(table, plan) if f.severity == "blocker"]
    assert (finding.code, finding.columns) == ("sum_score", ("total", "half"))
    assert "'total' is the sum of 'v0', 'v1', 'v2', 'v3', 'v4' and 1 more" in finding.reason
    assert finding.fixes[0].label == "leave out 'total' and 'half'"
    assert prepare(table, finding.fixes[0].plan).dataset.names == tuple(f"v{j}" for j in range(6))
    assert not [f for f in check_health(table, finding.fixes[0].plan) if f.severity == "blocker"]


def test_a_score_of_answers_that_are_levels_is_a_warning():
    """A sum score of categorical answers is a warning and does not block a run."""
    frame = answers(3)
    frame["score"] = frame.sum(axis=1)
    table, plan = table_of(frame)
    plan = plan.change(*table.names, kind="categorical")
    (finding,) = [f for f in check_health(table, plan) if f.code == "sum_score"]
    assert finding.severity == "warning"


def test_numbers_too_large_to_be_squared_are_no_sums():
    """Numbers whose squares overflow are no sums, and the arithmetic raises no warning."""
    draw = rng()
    huge = draw.normal(size=N) * 1e300
    frame = pd.DataFrame({"a": huge, "b": draw.normal(size=N), "c": draw.normal(size=N), "d": huge * 1e5})
    with np.errstate(all="raise"):
        assert reported(frame.map(lambda value: f"{value:.17g}")) == {}


TIMES = [("rate90", "rate85"), ("score_2", "score_1"), ("pain_post", "pain_pre"), ("End", "Start"), ("w2 iq", "w1 iq")]


@pytest.mark.parametrize(
    ("whole", "part", "difference"), [("GrPoint", "OppPoint", "PtDiff"), ("mm", "ch", "price_diff")]
)
def test_a_column_called_a_difference_is_the_derived_one(whole, part, difference):
    draw = rng()
    frame = pd.DataFrame({part: draw.integers(60, 140, N), difference: draw.integers(-20, 21, N)})
    frame[whole] = frame.sum(axis=1)
    for columns in permutations(frame.columns):
        table, plan = table_of(frame[list(columns)])
        (score,) = find_sum_scores(table, plan)
        assert (score.name, score.parts, score.difference) == (difference, (whole, part), True)


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("change", ["change", "drate", "days"])
@pytest.mark.parametrize(("end", "start"), TIMES)
def test_a_change_between_two_times_is_the_derived_column(end, start, change):
    """Of two measurements and their difference, whatever the order of the columns, the difference is left out."""
    draw = rng()
    before, changed = draw.integers(0, 50, N), draw.integers(-5, 6, N)
    frame = pd.DataFrame({start: before, end: before + changed, change: changed})
    for columns in permutations(frame.columns):
        table, plan = table_of(frame[list(columns)])
        (score,) = find_sum_scores(table, plan)
        assert (score.name, score.parts, score.difference) == (change, (end, start), True)
        assert score.clause.text(()) == f"column '{change}' is '{end}' minus '{start}'"


@pytest.mark.parametrize(
    ("first", "second"),
    [("rate", "crate"), ("rate90", "rate_change90"), ("q1", "total"), ("pre", "gain"), ("jc", "univ"), ("a1", "b2")],
)
def test_names_of_different_quantities_differ(first, second):
    assert not same_quantity(first, second)


def test_items_with_numbers_are_parts_of_their_sum():
    """Numbered items are measurements of one quantity in name, but their sum is none of them."""
    for name in ("total", "q3", "sum12"):
        draw = rng()
        frame = pd.DataFrame({"q1": draw.integers(0, 9, N), "q2": draw.integers(0, 9, N)})
        frame[name] = frame.sum(axis=1)
        assert reported(frame) == {name: ("sum", ("q1", "q2"))}


@pytest.mark.parametrize("seed", range(972001, 972006))
def test_a_sum_of_numbers_of_four_bytes_is_found(seed):
    """A sum whose columns were rounded to 4 bytes is a sum; one that differs in the fourth digit is not."""
    draw = np.random.default_rng(seed)
    parts = draw.gamma(2.0, size=(N, 3))
    frame = pd.DataFrame(parts.astype(np.float32)).add_prefix("v")
    frame["total"] = parts.sum(axis=1).astype(np.float32)
    assert reported(frame) == {"total": ("sum", ("v0", "v1", "v2"))}
    frame["total"] *= 1 + 1e-4 * draw.normal(size=N).astype(np.float32)
    assert reported(frame) == {}
