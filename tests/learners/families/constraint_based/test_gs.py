"""Tests of GS: a d-separation oracle, a reference implementation, the order of the columns, and the trace."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import (
    G2,
    PDAG,
    Dataset,
    DSeparation,
    FisherZ,
    Knowledge,
    LearnResult,
    ParameterError,
    gs,
    random_gaussian_network,
    sample,
)
from learners.common.progress import Tick
from learners.graphs.cpdag import cpdag
from learners.graphs.rules import Rule
from tests import naive, naive_local, naive_tests, references
from tests.cancelling import cut_short
from tests.learners.families.constraint_based.test_mmpc import ci_tests, final


def reference_blanket(test, rows, p: int, t: int, log_alpha: float, required: list[int]) -> list[int]:
    """Return the blanket: add dependent variables in a fixed order, then remove independent ones until none is left."""
    order = naive_local.by_strength(test, t, [x for x in range(p) if x != t and x not in required], ())
    members, before = list(required), None
    while members != before:
        before = list(members)
        for x in [x for x in order if x not in before]:
            if test(t, x, tuple(sorted(members)))[0] <= log_alpha:
                if rows(t, x, members) < 5:
                    break
                members.append(x)
    while True:
        kept = list(members)
        for x in [x for x in members if x not in required]:
            if test(t, x, tuple(sorted(k for k in kept if k != x)))[0] > log_alpha:
                kept.remove(x)
        if kept == members:
            return members
        members = kept


def check_oracle(dag: np.ndarray, learner: Callable[..., LearnResult] = gs) -> None:
    """Check that the CPDAG and the blankets are the true ones, and that every separating set separates."""
    result = learner(DSeparation(PDAG(dag)), max_cond_size=None)
    assert result.graph == cpdag(PDAG(dag)), dag
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)
    children = dag.astype(int)
    moral = dag | dag.T | (children @ children.T > 0)
    np.fill_diagonal(moral, False)
    np.testing.assert_array_equal(result.extra.blankets, moral)
    assert {(i, k, j) for i, k, j in result.extra.v_structures.tolist()} == set(naive.v_structures(dag))
    assert final(result) == result.graph
    assert result.warnings == ()


@pytest.mark.deep
@pytest.mark.compiled
def test_gs_with_the_oracle_finds_the_cpdag_of_all_dags_of_four_nodes():
    for dag in naive.all_dags(4):
        check_oracle(dag)


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("p", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("seed", range(30))
def test_gs_with_the_oracle_finds_the_cpdag_of_random_dags(p, seed):
    """With the oracle, the result is the true CPDAG for 150 random DAGs with up to 1.8 edges per node."""
    check_oracle(naive.random_dag(np.random.default_rng([seed, p, 1]), p, int(1.8 * p)))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", references.each("asia_n2000", "child_n2000", "insurance_n1000", "alarm_n2000"))
def test_gs_with_the_oracle_finds_the_cpdag_of_published_networks(name):
    """With the oracle, CPDAGs are right although most variables depend on more than ten others."""
    dag = references.true_dag(name)
    assert gs(DSeparation(dag), max_cond_size=None).graph == cpdag(dag)


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.2, 0.05, 1e-4]), st.integers(0, 4), st.booleans())
def test_gs_agrees_with_its_definition(test, alpha, limit, knows):
    """Blankets, edges and v-structures equal those of a reference implementation.

    The trace has every test, and Φ is at most alpha for tested edges.
    """
    known = Knowledge(required=(("a", "c"), ("b", "c")), forbidden=(("d", "e"), ("e", "d"))) if knows else None
    joined, apart = ([frozenset((0, 2)), frozenset((1, 2))], [frozenset((3, 4))]) if knows else ([], [])
    before = test.n_tests
    result = gs(test, alpha=alpha, max_cond_size=limit, knowledge=known)
    assert result.n_tests == test.n_tests - before == result.trace.n_tests.sum()

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        answer = test.test(min(x, y), max(x, y), cond)
        return answer.log_p, np.nan_to_num(answer.statistic)

    log_alpha = math.log(alpha)
    required = [sorted(x for x in range(6) if frozenset((t, x)) in joined) for t in range(6)]
    blankets = [reference_blanket(ask, test.rows_for_each_cell, 6, t, log_alpha, required[t]) for t in range(6)]
    for t in range(6):
        assert set(np.flatnonzero(result.extra.blankets[t]).tolist()) == set(blankets[t])
    edges = naive_local.edges_within(ask, blankets, log_alpha, limit, joined, apart)
    assert {frozenset(edge) for edge in result.graph.edges()} == edges
    neighbors = [{x for x in range(6) if frozenset((t, x)) in edges} for t in range(6)]
    triples = naive_local.v_structures(ask, neighbors, alpha, limit)
    triples = {(i, k, j) for i, k, j in triples if frozenset((i, j)) in {*result.sepsets, *apart}}
    assert {tuple(triple) for triple in result.extra.v_structures.tolist()} == triples
    assert final(result) == result.graph
    judged = ~np.isnan(result.extra.log_phi) & ~np.eye(6, dtype=bool)
    assert (result.extra.log_phi[judged & result.graph.skeleton] <= log_alpha).all()


@pytest.mark.parametrize("seed", range(6))
def test_gs_of_many_columns_has_the_blankets_of_its_definition(seed):
    """Blankets equal the definition for few rows and more partners than one batch, where the order of tests matters."""
    test = FisherZ(sample(random_gaussian_network(30, 60, seed=seed), 60, seed=seed))

    @cache
    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        answer = test.test(min(x, y), max(x, y), cond)
        return answer.log_p, answer.statistic

    blankets = gs(test, alpha=0.1).extra.blankets
    for t in range(30):
        expected = reference_blanket(ask, test.rows_for_each_cell, 30, t, math.log(0.1), [])
        assert set(np.flatnonzero(blankets[t]).tolist()) == set(expected)


@pytest.mark.parametrize("seed", range(5))
def test_gs_does_not_depend_on_the_order_of_the_columns(seed):
    """Permuted columns give the permuted edges and blankets, unlike a search that adds the first dependent column."""
    data = sample(random_gaussian_network(12, 20, seed=seed), 150, seed=seed)
    order = np.random.default_rng(seed).permutation(12).tolist()
    one, other = gs(FisherZ(data)), gs(FisherZ(data.select(order)))
    np.testing.assert_array_equal(other.extra.blankets, one.extra.blankets[np.ix_(order, order)])
    np.testing.assert_array_equal(other.graph.amat, one.graph.amat[np.ix_(order, order)])


@pytest.mark.parametrize("seed", [70, 114, 175, 204])
def test_gs_shrinks_until_every_member_depends_on_the_target(seed):
    """Shrinking is repeated: a single pass would keep a member that the removal of another one has made independent."""
    test = FisherZ(sample(random_gaussian_network(8, 14, seed=seed), 40, seed=seed))
    for t, inside in enumerate(gs(test, alpha=0.1).extra.blankets):
        members = np.flatnonzero(inside).tolist()
        for x in members:
            assert test.test(min(t, x), max(t, x), [k for k in members if k != x]).p_value <= 0.1


def test_gs_leaves_out_what_the_rows_do_not_allow():
    """With six rows per pair of levels, a blanket has one member; in the trace, all other variables lack rows."""
    rng = np.random.default_rng(3)
    base = rng.integers(0, 3, 60)
    codes = [np.where(rng.random(60) < 0.9, base, rng.integers(0, 3, 60)) for _ in range(4)]
    result = gs(G2(Dataset.from_codes(codes, [3] * 4, list("abcd"))))
    assert result.extra.blankets.sum(axis=1).max() == 1
    short = [event for event in result.trace if event.rule is Rule.NO_ROOM]
    assert short
    assert not any(result.graph.skeleton[event.i, event.j] for event in short)
    assert any("too few rows" in warning for warning in result.warnings)


def test_gs_of_forbidden_neighbours_keeps_their_sides_but_no_edge():
    """The variables of a forbidden pair get no edge, but can be in each other's blankets."""
    dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    result = gs(DSeparation(dag), knowledge=Knowledge(forbidden=(("1", "2"), ("2", "1"))))
    assert not result.graph.skeleton[1, 2]
    assert result.graph.skeleton[0, 1]
    assert result.extra.blankets[1, 2]


def test_gs_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the partial result is not oriented, has a warning, and its trace ends at its graph."""
    dag = references.true_dag("survey_n2000")
    tests = []

    def run(tick: Tick) -> LearnResult:
        tests.append(DSeparation(dag))
        return gs(tests[-1], tick=tick)

    for result in cut_short(run):
        assert result.n_tests == tests[-1].n_tests == result.trace.n_tests.sum()


@pytest.mark.parametrize(("name", "value"), [("alpha", 0), ("alpha", "0.05"), ("max_cond_size", -1)])
def test_gs_refuses_values_out_of_range(name, value):
    test = DSeparation(PDAG.empty(3))
    with pytest.raises(ParameterError, match=f"^{name} must be "):
        gs(test, **{name: value})
    assert test.n_tests == 0


@pytest.mark.parametrize("p", [1, 2])
def test_gs_of_one_or_two_variables(p):
    result = gs(DSeparation(PDAG.empty(p)))
    assert result.graph == PDAG.empty(p)
    assert result.n_tests == math.comb(p, 2)
