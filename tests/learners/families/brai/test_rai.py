"""Tests of RAI: an oracle, a reference implementation on misleading data, and invariants of its groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import G2, DSeparation, FisherZ, Knowledge, ParameterError, cpdag, learn, rai
from learners.data.dataset import Dataset
from learners.families.brai.rai import warnings_of
from learners.graphs.graph import PDAG
from learners.graphs.rules import Rule
from learners.networks.random_networks import random_dag
from learners.results.events import Action
from tests import naive, naive_rai
from tests.references import dataset as reference_sample
from tests.references import true_dag


def chain(p: int, n: int, seed: int, arity: int = 3) -> Dataset:
    """Draw columns that each copy an earlier column in 60 % of the rows and are random in the other rows."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, arity, n)]
    for k in range(1, p):
        source = codes[int(rng.integers(0, k))]
        codes.append(np.where(rng.random(n) < 0.6, source, rng.integers(0, arity, n)))
    return Dataset.from_codes(codes, [arity] * p, [f"v{k}" for k in range(p)])


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("p", [4, 5, 7, pytest.param(9, marks=pytest.mark.compiled)])
@pytest.mark.parametrize("mean_degree", [1.5, 2.5, 3.0])
def test_rai_recovers_the_class_with_perfect_tests(p, mean_degree):
    """The graph is the CPDAG of the true DAG, every separating set separates, and the trace ends at the graph."""
    for seed in range(8):
        dag = random_dag(p, mean_degree, seed)
        result = rai(DSeparation(dag), cut="alpha")
        assert np.array_equal(result.graph.amat, naive.cpdag(dag.amat))
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
        for pair, cond in result.sepsets.items():
            assert naive.d_separated(dag.amat, *pair, cond)
        assert result.warnings == ()


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("check", ["ends", "strict"])
@pytest.mark.parametrize("pools", ["parents", "neighbours"])
def test_rai_errs_in_none_of_600_random_dags(pools, check):
    """RAI finds the class of each of 600 random DAGs with 6 to 11 nodes and 2 to 4 neighbours per node on average."""
    wrong = 0
    for seed in range(600):
        dag = random_dag(6 + seed % 6, 2.0 + seed % 5 / 2, 1_000 + seed)
        wrong += rai(DSeparation(dag), cut="alpha", pools=pools, collider_check=check).graph != cpdag(dag)
    assert wrong == 0


@pytest.mark.deep
@pytest.mark.compiled
def test_rai_recovers_every_class_of_four_nodes():
    for dag in naive.all_dags(4):
        assert rai(DSeparation(PDAG(dag)), cut="alpha").graph == cpdag(PDAG(dag))


@pytest.mark.deep
@pytest.mark.compiled
def test_rai_without_the_collider_check_goes_wrong_now_and_then():
    """Without the collider check, early v-structures on edges that are removed later lead to wrong graphs."""
    wrong = 0
    for seed in range(50):
        dag = random_dag(11, 4.0, seed)
        wrong += rai(DSeparation(dag), cut="alpha", pools="parents", collider_check="off").graph != cpdag(dag)
    assert 1 <= wrong <= 25


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 8),
    st.integers(0, 10_000),
    st.sampled_from(["parents", "neighbours"]),
    st.sampled_from(["off", "ends", "strict"]),
    st.sampled_from([40, 100, 400]),
)
def test_rai_equals_its_reference_also_on_few_rows(p, seed, pools, check, n):
    """Graph, separating sets and tests by size are equal, also on misleading data."""
    data = chain(p, n, seed, arity=2 + seed % 2)
    test = G2(data, dof="plain")
    result = rai(test, cut="c1", pools=pools, collider_check=check)

    asked = G2(data, dof="plain")

    def independent(x, y, cond):
        one = asked.test(x, y, cond)
        return one.dof == 0 or -one.statistic / one.dof > -1.0

    amat, sepsets, counts = naive_rai.rai(p, independent, pools=pools, check=check, order=test.order())
    assert np.array_equal(result.graph.amat, naive_rai.completed(amat))
    assert {pair: set(cond) for pair, cond in result.sepsets.items()} == sepsets
    assert {size: n for size, n in enumerate(result.extra.n_tests[:, 0]) if n} == counts


@pytest.mark.compiled
def test_rai_groups_are_autonomous():
    """The groups of a call partition its nodes, no undirected edge connects groups, and arrows lead to descendants."""
    result = rai(G2(reference_sample("child_n2000"), dof="plain"))
    calls = result.extra.calls
    assert calls[0].parent == -1
    assert len(calls) > 3
    for call in calls:
        graph = result.trace.graph_at(call.end)
        together = sorted(node for group in call.groups for node in group)
        assert together == sorted(call.nodes)
        assert set(call.exogenous).isdisjoint(call.nodes)
        label = {node: g for g, group in enumerate(call.groups) for node in group}
        for i in call.nodes:
            for j in call.nodes:
                if graph.amat[i, j] and label[i] != label[j]:
                    assert not graph.amat[j, i]
                    assert label[j] == len(call.groups) - 1
        for e in call.exogenous:
            assert all(graph.mark(e, x) in ("none", "forward") for x in call.nodes)
        if call.parent >= 0:
            assert call.nodes in [tuple(group) for group in calls[call.parent].groups]
            assert call.size == calls[call.parent].size + 1
            assert call.begin >= calls[call.parent].end


def test_rai_trace_records_the_test_behind_each_removal():
    """Each event has the statistic, degrees of freedom and factor of C1 of its test; low factors remove edges."""
    data = reference_sample("asia_n2000")
    test = G2(data, dof="plain")
    result = rai(test, cut="c1")
    events = [event for event in result.trace if event.rule is Rule.C1]
    assert {event.action for event in events} == {Action.REMOVE, Action.KEEP}
    for event in events:
        again = test.test(event.i, event.j, event.cond)
        assert event.statistic == pytest.approx(again.statistic, rel=1e-9, abs=1e-9)
        assert event.dof == again.dof
        assert event.log_p == pytest.approx(again.log_p, rel=1e-6, abs=1e-9)
        assert event.threshold == 1.0
        assert (event.statistic < event.dof or event.dof == 0) == (event.action == Action.REMOVE)


@pytest.mark.parametrize(
    ("params", "is_independent"),
    [
        ({"cut": "c1", "c1_factor": 2.5}, lambda one: one.statistic < 2.5 * one.dof),
        ({"cut": "mi", "mi_bits": 0.02}, lambda one: one.statistic / (2 * 2_000 * np.log(2)) < 0.02),
        ({"cut": "alpha", "alpha": 0.01}, lambda one: one.p_value > 0.01),
    ],
    ids=["c1", "mi", "alpha"],
)
def test_rai_cut_decides_as_it_says(params, is_independent):
    """With empty sets only, exactly the pairs that the rule calls independent are removed."""
    data = reference_sample("survey_n2000")
    test = G2(data, dof="plain")
    result = rai(test, max_cond_size=0, **params)
    for i in range(data.p):
        for j in range(i):
            assert result.graph.skeleton[i, j] != is_independent(test.test(j, i))


def test_rai_takes_continuous_data_and_needs_alpha_there():
    """Continuous data require alpha, because Fisher's z supports only p-values."""
    values = np.random.default_rng(1).normal(size=(300, 5)).cumsum(axis=1)
    test = FisherZ(Dataset.from_values(values, list("abcde")))
    assert rai(test).graph.n_edges >= 4
    with pytest.raises(ParameterError, match="^cut must be 'alpha' where no rows are counted, got 'c1'"):
        rai(test, cut="c1")


def test_rai_never_tests_a_required_edge_nor_joins_a_forbidden_pair():
    """A required edge is never tested and a forbidden pair has no edge; knowledge directs edges from the start."""
    data = chain(6, 500, seed=3)
    free = rai(G2(data, dof="plain")).graph
    i, j = free.edges()[0]
    a, b = next((a, b) for a in range(6) for b in range(a) if not free.skeleton[a, b])
    known = Knowledge(
        required=((data.names[a], data.names[b]),),
        forbidden=((data.names[i], data.names[j]), (data.names[j], data.names[i])),
    )
    result = learn("rai", data, knowledge=known)
    assert result.graph.mark(a, b) == "forward"
    assert result.graph.mark(i, j) == "none"
    assert not any(event.n_tests for event in result.trace.of_pair(a, b) + result.trace.of_pair(i, j))


@pytest.mark.compiled
def test_rai_on_alarm_is_near_the_truth():
    """With 2 000 rows of alarm at least 38 edges are true and at most 12 are false."""
    data = reference_sample("alarm_n2000")
    truth = true_dag("alarm_n2000").skeleton
    found = learn("rai", data, cut="alpha", alpha=0.01).graph.skeleton
    assert (found & truth).sum() / 2 >= 38
    assert (found & ~truth).sum() / 2 <= 12


def test_a_cancelled_run_warns_of_a_directed_cycle():
    """If a run is cancelled between the refinement of two groups, a directed cycle in its graph gives a warning."""
    cycle = PDAG.from_edges(3, directed=[(0, 1), (1, 2), (2, 0)])
    cancelled, contradictory = warnings_of(cycle, complete=False)
    assert "cancelled" in cancelled
    assert "cycle" in contradictory
    assert warnings_of(PDAG.empty(3), complete=False) == (cancelled,)
    assert warnings_of(cycle, complete=True) == (contradictory,)
