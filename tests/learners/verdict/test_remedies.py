"""Tests of the fixes for violated assumptions."""

from __future__ import annotations

from learners import check_assumptions, default_plan, prepare, read_table
from learners.verdict.assumptions import Assumptions, remedies
from tests.learners.verdict.test_assumptions import curved


def test_each_fix_of_a_nonlinear_relation_changes_only_its_columns():
    table = read_table(curved().to_frame().to_csv(index=False).encode())
    plan = default_plan(table)
    data = prepare(table, plan).dataset
    found = check_assumptions(data)
    scores, bins = remedies(found, data.names, plan)
    bent = {data.names[j] for one in found.violations for j in (one.child, one.other)}
    assert {"a", "b"} <= bent
    for fix, changed in ((scores, lambda c: c.normal_scores), (bins, lambda c: c.kind == "categorical")):
        assert {column.name for column in fix.plan.columns if changed(column)} == bent
        assert prepare(table, fix.plan).dataset.names == data.names
    # Only the fix that bins the columns is left.
    assert remedies(found, data.names, scores.plan) == (remedies(found, data.names, scores.plan)[-1],)


def test_nothing_to_fix_has_no_fix():
    table = read_table(curved().to_frame().to_csv(index=False).encode())
    assert remedies(Assumptions(()), ("a", "b", "c", "d"), default_plan(table)) == ()
