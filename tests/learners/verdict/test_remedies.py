"""Tests of the fixes for violated assumptions."""

from __future__ import annotations

import pytest

from learners import check_assumptions, default_plan, learn, prepare, read_table
from learners.verdict.assumptions import Assumptions, remedies, run_of_curves
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


@pytest.mark.compiled
@pytest.mark.parametrize("key", ["pc", "boss", "h2pc", "lmm", "order_mcmc"])
def test_a_run_that_follows_curves_is_offered_once(key):
    """Test and score change to basis functions; a learner without them is replaced by BOSS."""
    data = curved()
    result = learn(key, data)
    learner, params = run_of_curves(check_assumptions(data, result), result, "continuous")
    changed = {"pc": {"test"}, "boss": {"score"}, "h2pc": {"test", "score"}}.get(key, {"score"})
    assert learner == (key if key in ("pc", "boss", "h2pc") else "boss")
    assert {name for name, value in params.items() if value == "basis"} == changed
    assert run_of_curves(Assumptions(()), result, "continuous") is None
    again = learn(learner, data, **params)
    found = check_assumptions(data, again)
    assert run_of_curves(found, again, "continuous") is None
    assert found.follows_curves == bool(found.violations)
    if found.violations:
        assert "follow curves" in found.sentences(again.names)[0]


def test_nothing_to_fix_has_no_fix():
    table = read_table(curved().to_frame().to_csv(index=False).encode())
    assert remedies(Assumptions(()), ("a", "b", "c", "d"), default_plan(table)) == ()
