"""Tests of the fixes for violated assumptions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners import check_assumptions, default_plan, learn, prepare, read_table
from learners.evaluation.relations import Violation
from learners.verdict.assumptions import Assumptions, HiddenCauses
from learners.verdict.remedies import parts_at_change, remedies, run_of_curves, run_of_hidden
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


def changing(seed: int = 0, n: int = 600, at: int = 380):
    """Return a table in which b depends on a in the first `at` rows only, and c on b in all."""
    rng = np.random.default_rng(seed)
    a, noise, last = rng.standard_normal((3, n))
    b = np.where(np.arange(n) < at, 1.2 * a, 0.0) + noise
    frame = pd.DataFrame({"a": a, "b": b, "c": 0.9 * b + last, "d": rng.standard_normal(n)})
    return read_table(frame.round(4).to_csv(index=False).encode())


def test_a_table_is_split_where_its_relations_change():
    """The parts make up all rows that the plan uses, and each shows its own relations."""
    table = changing()
    plan = default_plan(table)
    data = prepare(table, plan).dataset
    found = check_assumptions(data)
    before, after = (fix.plan for fix in parts_at_change(found, data.n_rows, table, plan))
    assert before.rows == (1, found.change)
    assert after.rows == (found.change + 1, table.n)
    assert abs(found.change - 380) <= 15
    assert f"after row {found.change:,}" in found.sentences(data.names)[0]
    graphs = [learn("boss", prepare(table, one).dataset).graph for one in (before, after)]
    a, b, c = (data.names.index(name) for name in "abc")
    assert [bool(graph.skeleton[a, b]) for graph in graphs] == [True, False]
    assert all(graph.skeleton[b, c] for graph in graphs)


def test_a_change_is_counted_in_the_rows_of_the_table():
    """Rows that the plan leaves out, before the change and after it, move neither part."""
    table = changing()
    plan = default_plan(table).with_rows(51, 560)
    data = prepare(table, plan).dataset
    before, after = (fix.plan for fix in parts_at_change(check_assumptions(data), data.n_rows, table, plan))
    assert before.rows[0] == 51
    assert after.rows == (before.rows[1] + 1, 560)
    assert abs(before.rows[1] - 380) <= 15


@pytest.mark.parametrize("n", [150, 199])
def test_no_part_is_small(n):
    table = changing(n=n, at=n // 2)
    plan = default_plan(table)
    found = Assumptions((Violation("drifting", 1, 0, -50.0, n // 2),))
    assert parts_at_change(found, n, table, plan) == ()


def test_each_part_has_at_least_a_hundred_rows():
    table = changing()
    found = Assumptions((Violation("drifting", 1, 0, -50.0, 7),))
    before, after = (fix.plan for fix in parts_at_change(found, table.n, table, default_plan(table)))
    assert (before.rows, after.rows) == ((1, 100), (101, 600))


def test_data_of_other_rows_are_not_split():
    table = changing()
    found = Assumptions((Violation("drifting", 1, 0, -50.0, 300),))
    assert parts_at_change(found, table.n - 1, table, default_plan(table)) == ()
    assert parts_at_change(Assumptions(()), table.n, table, default_plan(table)) == ()


@pytest.mark.compiled
def test_fci_is_offered_where_hidden_causes_are_likely():
    """It is not offered without signs of them, nor after a run whose graph allows for them."""
    data = curved()
    result, latent = learn("boss", data), learn("fci", data)
    doubted = Assumptions((), hidden=HiddenCauses("causes", ()))
    assert run_of_hidden(doubted, result) == "fci"
    assert run_of_hidden(Assumptions(()), result) is None
    assert run_of_hidden(doubted, latent) is None
    assert all("learn with FCI" in one or "Learn with FCI" in one for one in doubted.sentences(data.names))
