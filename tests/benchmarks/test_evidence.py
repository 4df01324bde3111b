"""Tests of the measurements of knowledge, gates, estimated durations and hidden causes."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import cost_estimates, gates, true_knowledge
from benchmarks.hidden_causes import ALARMS, thresholds
from benchmarks.latent_arrows import percent
from benchmarks.true_knowledge import KNOWN, TABLES, class_with, errors
from learners import PDAG, Dataset, Knowledge, cpdag
from learners.verdict.logistic_model import LogisticModel


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", KNOWN)
def test_the_knowledge_is_true(kind, name):
    """The true DAG agrees with the knowledge, and the class that is left has its known directions."""
    data, dag = TABLES[kind](3)
    names = list(data.names)
    known = KNOWN[name](dag, names, np.random.default_rng(3))
    bound = known.bind(names)
    assert bool(known)
    assert not (bound.excluded & dag.amat).any()
    assert not (bound.required & ~dag.amat).any()
    left = class_with(dag, known, names)
    assert (left.skeleton == dag.skeleton).all()
    assert not (bound.directions & left.amat & left.amat.T).any()
    assert errors(left, left) == 0


def test_a_class_without_knowledge_is_the_cpdag():
    dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (3, 2)])
    assert class_with(dag, Knowledge(), list("abcd")) == cpdag(dag)


@pytest.mark.deep
def test_each_network_gives_a_change_for_each_kind_of_knowledge():
    found = true_knowledge.changes(["boss"], range(2))
    assert {len(numbers) for numbers in found.values()} == {2}
    assert set(found) == {("boss", kind, name) for kind in TABLES for name in KNOWN}


def test_a_gate_is_named():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((500, 2))
    bent = Dataset.from_values(np.column_stack([x[:, 0], x[:, 0] ** 2 + x[:, 1]]), ["x", "y"])
    assert gates.gate(bent) == "nonlinear"
    assert gates.gate(Dataset.from_values(x, ["x", "y"])) == "not checked"
    assert gates.gate(gates.serial(0.9)(0)) == "serial"
    assert gates.gate(gates.drifting(0)) == "drifting"


def test_shares_have_the_error_of_their_tables():
    assert percent(np.array([1.0, 0.0]), np.array([2.0, 2.0])) == "25.0 ± 25.0"
    assert percent(np.zeros(2), np.zeros(2)) == "–"


def test_an_estimate_lies_in_the_range_of_the_form():
    estimate, (low, high), taken = cost_estimates.measured("pc", true_knowledge.numbers(1)[0])
    assert 0.0 < low < estimate < high
    assert taken > 0.0


def test_thresholds_are_a_quantile_that_is_linear_in_the_logarithm_of_the_columns():
    """Sizes have equal weights, however many tables they have."""
    rng = np.random.default_rng(0)
    model = LogisticModel(("x",), np.zeros(1), np.ones(1), np.ones(1), 0.0)
    tables = [
        {"p": p, "n": 100, "features": np.array([np.log(p) + rng.uniform(-1.0, 1.0)])}
        for p, times in ((10, 300), (20, 900), (100, 300))
        for _ in range(times)
    ]
    top = np.log([10, 20, 50, 100]) + 1.0 - 2.0 * ALARMS
    found = dict(thresholds(tables, model))
    assert list(found) == [10, 20, 50, 100]
    assert np.log([one / (1.0 - one) for one in found.values()]) == pytest.approx(top, abs=0.12)
