"""Tests of converting numbers of a data set to those of the table and back."""

import numpy as np
import pytest

from learners import default_plan, prepare, read_table
from learners.data.plan.conversion import Treatment
from learners.data.plan.scales import PLAIN, scales
from tests.pages.driving import table


def skewed(n=90, incomplete=False):
    """Return a table of incomes, dates, levels and other numbers, with its plan and the incomes."""
    x = np.exp(np.random.default_rng(0).normal(size=n) * 2).round(2)
    rows = [
        ["" if incomplete and k % 9 == 0 else v, f"{1 + k % 28:02d}.03.2021", k % 3, v / 7] for k, v in enumerate(x)
    ]
    read = read_table(table(rows, ("income", "day", "level", "other")))
    plan = default_plan(read).change("income", normal_scores=True)
    return read, plan.change("day", kind="continuous", treatment=Treatment("date", order="dmy")), x


@pytest.mark.parametrize("policy", ["available", "drop", "mode"])
def test_scores_stand_for_the_numbers_that_they_were_made_of(policy):
    """Both conversions are inverse to each other for every missing-cell policy."""
    read, plan, x = skewed(incomplete=True)
    plan = plan.with_policy(policy)
    data = prepare(read, plan).dataset
    values, own = data.values[:, 0], scales(read, plan)["income"]
    there = ~np.isnan(values)
    raw = np.array([v for k, v in enumerate(x) if policy != "drop" or k % 9])
    known = np.arange(len(x)) % 9 > 0 if policy != "drop" else np.full(len(raw), True)
    np.testing.assert_allclose(own.in_table(values)[known], raw[known], rtol=1e-12)
    np.testing.assert_allclose(own.in_data(own.in_table(values))[there], values[there], atol=1e-12)
    assert (own.in_table(-99.0), own.in_table(99.0)) == (own.numbers[0], own.numbers[-1])
    assert own.of_data == "normal score"


def test_days_count_from_midnight_where_each_date_has_a_time():
    """Days count from midnight even if no timestamp is at midnight; the unit gives the first day without a time."""
    rows = [[f"2024-01-{10 + k % 19} 1{k % 10}:30:00", k % 7] for k in range(60)]
    read = read_table(table(rows, ("when", "x")))
    plan = default_plan(read).change("when", kind="continuous", treatment=Treatment("date", order="ymd"))
    prepared = prepare(read, plan)
    assert prepared.dataset.values[0, 0] == pytest.approx(10.5 / 24)
    assert scales(read, plan)["when"].unit == "days since 2024-01-10"
    assert any("days since the first date ('2024-01-10')" in note for note in prepared.notes)


def test_only_what_needs_saying_has_a_scale():
    """Days are counted from the first one in its original format; other numbers stay as they are."""
    read, plan, _ = skewed()
    found = scales(read, plan)
    assert set(found) == {"income", "day"}
    assert found["day"].unit == "days since 01.03.2021"
    assert found["day"].in_table(3.5) == found["day"].in_data(3.5) == 3.5
    assert PLAIN.of_data == ""
