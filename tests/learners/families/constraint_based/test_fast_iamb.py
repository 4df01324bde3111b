"""Tests of Fast-IAMB: bnlearn's skeletons, a d-separation oracle, a reference implementation, and the trace."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import G2, PDAG, Dataset, DSeparation, FisherZ, Knowledge, LearnResult, ParameterError, fast_iamb
from learners.common.progress import Tick
from learners.graphs.cpdag import cpdag
from learners.graphs.rules import Rule
from learners.results.events import Action
from tests import naive, naive_local, references
from tests.cancelling import cut_short
from tests.learners.families.constraint_based.test_gs import check_oracle
from tests.learners.families.constraint_based.test_mmpc import ci_tests, final, g2_as
from tests.learners.families.constraint_based.test_si_hiton_pc import edges_of

RUNS = [
    pytest.param(name, run, id=f"{name} {run['test']}", marks=[pytest.mark.compiled] * (name in references.LARGE))
    for name, runs in references.load("local").items()
    for run in runs["fast_iamb"]
]
SMALL = ("asia", "survey", "sachs")


@pytest.mark.parametrize(("name", "run"), [run for run in RUNS if run.id.startswith(SMALL)])
def test_fast_iamb_skeleton_equals_bnlearn(name, run):
    """Skeletons equal bnlearn's on small samples; on larger ones bnlearn grows and shrinks blankets differently."""
    assert edges_of(fast_iamb(g2_as(name, run["test"]), alpha=run["alpha"], max_cond_size=None)) == {
        frozenset(e) for e in run["edges"]
    }


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_fast_iamb_reference_with_bnlearns_choices_finds_its_skeleton(name, run):
    """The reference implementation with bnlearn's choices gives bnlearn's skeleton.

    Removed members do not return, the last member is not tested, and p-values that underflow are cut off.
    """
    test = g2_as(name, run["test"])

    @cache
    def cut(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        log_p = test.test(x, y, cond).log_p
        return (log_p if math.exp(log_p) > 0 else -math.inf), 0.0

    _, found = naive_local.fast_iamb(cut, test.rows_for_each_cell, test.p, run["alpha"], test.p, as_bnlearn=True)
    assert {frozenset(test.names[x] for x in pair) for pair in found} == {frozenset(edge) for edge in run["edges"]}


@pytest.mark.deep
@pytest.mark.compiled
def test_fast_iamb_with_the_oracle_finds_the_cpdag_of_all_dags_of_four_nodes():
    for dag in naive.all_dags(4):
        check_oracle(dag, fast_iamb)


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("p", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("seed", range(30))
def test_fast_iamb_with_the_oracle_finds_the_cpdag_of_random_dags(p, seed):
    """With the oracle, the result is the true CPDAG for 150 random DAGs with up to 1.8 edges per node."""
    check_oracle(naive.random_dag(np.random.default_rng([seed, p]), p, int(1.8 * p)), fast_iamb)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", references.each("asia_n2000", "child_n2000", "insurance_n1000", "alarm_n2000"))
def test_fast_iamb_with_the_oracle_finds_the_skeleton_of_published_networks(name):
    """With the oracle, skeletons are right although most variables depend on more than ten others."""
    dag = references.true_dag(name)
    assert fast_iamb(DSeparation(dag), max_cond_size=None).graph == cpdag(dag)


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.2, 0.05, 1e-4]), st.integers(0, 4), st.booleans())
def test_fast_iamb_agrees_with_its_definition(test, alpha, limit, knows):
    """Blankets, edges and v-structures equal those of a reference implementation.

    The trace has every test, and Φ is at most alpha for tested edges.
    """
    known = Knowledge(required=(("a", "c"), ("b", "c")), forbidden=(("d", "e"), ("e", "d"))) if knows else None
    joined, apart = ([frozenset((0, 2)), frozenset((1, 2))], [frozenset((3, 4))]) if knows else ([], [])
    before = test.n_tests
    result = fast_iamb(test, alpha=alpha, max_cond_size=limit, knowledge=known)
    assert result.n_tests == test.n_tests - before == result.trace.n_tests.sum()

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        answer = test.test(min(x, y), max(x, y), cond)
        return answer.log_p, np.nan_to_num(answer.statistic)

    blankets, edges = naive_local.fast_iamb(ask, test.rows_for_each_cell, 6, alpha, limit, joined, apart)
    for t in range(6):
        assert set(np.flatnonzero(result.extra.blankets[t]).tolist()) == set(blankets[t])
    assert {frozenset(edge) for edge in result.graph.edges()} == edges
    neighbors = [{x for x in range(6) if frozenset((t, x)) in edges} for t in range(6)]
    triples = naive_local.v_structures(ask, neighbors, alpha, limit)
    triples = {(i, k, j) for i, k, j in triples if frozenset((i, j)) in {*result.sepsets, *apart}}
    assert {tuple(triple) for triple in result.extra.v_structures.tolist()} == triples
    assert final(result) == result.graph
    judged = ~np.isnan(result.extra.log_phi) & ~np.eye(6, dtype=bool)
    assert (result.extra.log_phi[judged & result.graph.skeleton] <= math.log(alpha)).all()


def test_fast_iamb_leaves_out_what_the_rows_do_not_allow():
    """With six rows per pair of levels, a blanket has one member; in the trace, all other variables lack rows."""
    rng = np.random.default_rng(3)
    base = rng.integers(0, 3, 60)
    codes = [np.where(rng.random(60) < 0.9, base, rng.integers(0, 3, 60)) for _ in range(4)]
    result = fast_iamb(G2(Dataset.from_codes(codes, [3] * 4, list("abcd"))))
    assert result.extra.blankets.sum(axis=1).max() == 1
    short = [event for event in result.trace if event.rule is Rule.NO_ROOM]
    assert short
    for event in short:
        assert event.action == Action.REMOVE
        assert not result.graph.skeleton[event.i, event.j]
        assert frozenset((event.i, event.j)) not in result.sepsets
    assert any("too few rows" in warning for warning in result.warnings)


def test_rows_for_each_cell_count_the_table():
    """Rows per cell are n / product of levels, or n / number of continuous columns; the oracle has infinitely many."""
    data = Dataset.from_codes(np.zeros((3, 60), dtype=int), [2, 3, 5], list("abc"))
    assert G2(data).rows_for_each_cell(0, 1, (2,)) == 2.0
    assert FisherZ(Dataset.from_values(np.eye(60)[:, :4], list("abcd"))).rows_for_each_cell(0, 1, (2,)) == 20.0
    assert DSeparation(PDAG.empty(2)).rows_for_each_cell(0, 1, ()) == math.inf


def test_fast_iamb_of_forbidden_neighbours_keeps_their_sides_but_no_edge():
    """The variables of a forbidden pair get no edge, but can be in each other's blankets."""
    dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    known = Knowledge(forbidden=(("1", "2"), ("2", "1")))
    result = fast_iamb(DSeparation(dag), knowledge=known)
    assert not result.graph.skeleton[1, 2]
    assert result.graph.skeleton[0, 1]
    assert result.extra.blankets[1, 2]


def test_fast_iamb_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the partial result is not oriented, has a warning, and its trace ends at its graph."""
    dag = references.true_dag("survey_n2000")
    tests = []

    def run(tick: Tick) -> LearnResult:
        tests.append(DSeparation(dag))
        return fast_iamb(tests[-1], tick=tick)

    for result in cut_short(run):
        assert result.n_tests == tests[-1].n_tests == result.trace.n_tests.sum()


@pytest.mark.parametrize("alpha", [0, 1, -0.1, math.nan, "0.05", None])
def test_fast_iamb_refuses_alpha_outside_the_unit_interval(alpha):
    test = DSeparation(PDAG.empty(3))
    with pytest.raises(ParameterError, match=r"^alpha must be (in \(0, 1\)|a number), got "):
        fast_iamb(test, alpha=alpha)
    assert test.n_tests == 0


@pytest.mark.parametrize("limit", [-1, 1.5, True, "2"])
def test_fast_iamb_refuses_a_limit_that_is_not_a_count(limit):
    with pytest.raises(ParameterError, match="^max_cond_size must be a whole number (from 0 to 20|or None), got "):
        fast_iamb(DSeparation(PDAG.empty(3)), max_cond_size=limit)


def test_fast_iamb_of_one_or_two_variables():
    for p in (1, 2):
        result = fast_iamb(DSeparation(PDAG.empty(p)))
        assert result.graph == PDAG.empty(p)
        assert result.n_tests == math.comb(p, 2) == len(list(combinations(range(p), 2)))
