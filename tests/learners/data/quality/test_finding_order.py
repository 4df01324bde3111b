"""Tests that findings are ordered by the share of the table that they concern."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import default_plan, read_table
from learners.common.sentences import phrase, say
from learners.data.quality.finding import Fix, blocker, warning
from learners.data.quality.finding_order import by_effect, effect, is_detail
from learners.data.quality.health import check_health
from tests.pages.driving import table as csv


@pytest.fixture(scope="module")
def messy():
    """Return 200 rows with a blocker, an ID, dates, and a word for a missing value in two cells."""
    rng = np.random.default_rng(0)
    rows = [
        [f"K{k * 7919 % 10007}", f"2024-01-{k % 28 + 1:02d}", "unknown" if k in (3, 9) else "ab"[k % 2],
         round(rng.normal(), 3), "same"]
        for k in range(200)
    ]  # fmt: skip
    return read_table(csv(rows, ("id", "day", "x", "y", "one")))


def test_blockers_come_first_and_then_the_findings_that_change_most(messy):
    plan = default_plan(messy)
    findings = check_health(messy, plan)
    assert len(findings) >= 3
    ordered = by_effect(messy, plan, findings)
    assert sorted(map(repr, ordered)) == sorted(map(repr, findings))
    effects = [effect(messy, plan, finding) for finding in ordered]
    assert effects == sorted(effects, reverse=True)
    assert effects[0] == math.inf
    codes = [finding.code for finding in ordered]
    assert codes.index("dates") < codes.index("possible_missing")


def test_effects_are_shares_of_cells_columns_or_rows(messy):
    plan = default_plan(messy)
    ignored, why = Fix(phrase("y"), plan.change("y", kind="ignore")), say("y")
    assert effect(messy, plan, warning("skewed", ["y"], why, ignored)) == 200 / (200 * 5)
    assert effect(messy, plan, warning("serial_dependence", [], why)) == 1.0
    fewer = Fix(phrase("y"), plan.with_independence(0.25))
    assert effect(messy, plan, warning("serial_dependence", ["y"], why, fewer)) == 0.75
    assert effect(messy, plan, warning("determined", ["x", "y"], why)) == 2 / 5
    assert effect(messy, plan, warning("header", [], why)) == 0.0
    assert effect(messy, plan, blocker("constant", ["one"], why)) == math.inf


def test_possible_missing_value_codes_come_before_all_other_warnings(messy):
    """They bend every relation, so they are shown in full however few cells they fill."""
    plan = default_plan(messy)
    why, fewer = say("y"), Fix(phrase("y"), plan.with_independence(0.25))
    codes = warning("codes", ["y"], why, Fix(phrase("y"), plan))
    others = [warning("serial_dependence", [], why, fewer), blocker("constant", ["one"], why)]
    assert [finding.code for finding in by_effect(messy, plan, [*others, codes])] == [
        *("constant", "codes", "serial_dependence"),
    ]
    assert not is_detail(messy, plan, codes)
    assert is_detail(messy, plan, warning("header", [], why))
