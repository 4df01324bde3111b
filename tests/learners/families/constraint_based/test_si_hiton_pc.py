"""Tests of SI-HITON-PC: bnlearn's skeletons, a d-separation oracle, a reference implementation, and the trace."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, DSeparation, Knowledge, LearnResult, ParameterError, si_hiton_pc
from learners.common.progress import Tick
from learners.graphs.cpdag import cpdag
from tests import naive, naive_local, naive_tests, references
from tests.cancelling import cut_short
from tests.learners.families.constraint_based.test_mmpc import ci_tests, final, g2_as

RUNS = [
    pytest.param(name, run, id=f"{name} {run['test']}", marks=[pytest.mark.compiled] * (name in references.LARGE))
    for name, runs in references.load("local").items()
    for run in runs["si_hiton_pc"]
]


def edges_of(result: LearnResult) -> set[frozenset]:
    return {frozenset((result.names[i], result.names[j])) for i, j in result.graph.edges()}


@pytest.mark.parametrize(("name", "run"), [run for run in RUNS if not run.id.startswith("alarm")])
def test_si_hiton_pc_skeleton_equals_bnlearn(name, run):
    """Skeletons equal bnlearn's, except on alarm, where p-values underflow and refused members stay in sets."""
    result = si_hiton_pc(g2_as(name, run["test"]), alpha=run["alpha"], max_cond_size=None)
    assert edges_of(result) == {frozenset(edge) for edge in run["edges"]}


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_si_hiton_pc_reference_with_bnlearns_choices_finds_its_skeleton(name, run):
    """The reference implementation with bnlearn's choices gives bnlearn's skeleton.

    P-values that underflow are cut off, and refused members stay in the sets of the backward phase.
    """
    test = g2_as(name, run["test"])

    @cache
    def cut(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        log_p = test.test(x, y, cond).log_p
        return (log_p if math.exp(log_p) > 0 else -math.inf), 0.0

    candidates = naive_local.si_hiton_pc(cut, test.p, run["alpha"], test.p, as_bnlearn=True)
    pairs = combinations(range(test.p), 2)
    found = {frozenset((test.names[x], test.names[y])) for x, y in pairs if x in candidates[y] and y in candidates[x]}
    assert found == {frozenset(edge) for edge in run["edges"]}


def check_oracle(dag: np.ndarray) -> None:
    """Check that the CPDAG is the true one, and that every separating set separates in the moral graph."""
    result = si_hiton_pc(DSeparation(PDAG(dag)), max_cond_size=None)
    assert result.graph == cpdag(PDAG(dag)), dag
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)
    assert {(i, k, j) for i, k, j in result.extra.v_structures.tolist()} == set(naive.v_structures(dag))
    assert final(result) == result.graph
    assert result.warnings == ()


@pytest.mark.deep
@pytest.mark.compiled
def test_si_hiton_pc_with_the_oracle_finds_the_cpdag_of_all_dags_of_four_nodes():
    for dag in naive.all_dags(4):
        check_oracle(dag)


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("p", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("seed", range(30))
def test_si_hiton_pc_with_the_oracle_finds_the_cpdag_of_random_dags(p, seed):
    """With the oracle, the result is the true CPDAG for 150 random DAGs with up to 1.8 edges per node."""
    check_oracle(naive.random_dag(np.random.default_rng([seed, p]), p, int(1.8 * p)))


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.2, 0.05, 1e-4]), st.integers(0, 4), st.booleans())
def test_si_hiton_pc_agrees_with_its_definition(test, alpha, limit, knows):
    """Candidates, edges and v-structures equal those of a reference implementation; the trace has every test."""
    known = Knowledge(required=(("a", "c"), ("b", "c")), forbidden=(("d", "e"), ("e", "d"))) if knows else None
    joined, apart = ([frozenset((0, 2)), frozenset((1, 2))], [frozenset((3, 4))]) if knows else ([], [])
    before = test.n_tests
    result = si_hiton_pc(test, alpha=alpha, max_cond_size=limit, knowledge=known)
    assert result.n_tests == test.n_tests - before == result.trace.n_tests.sum()

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        answer = test.test(min(x, y), max(x, y), cond)
        return answer.log_p, np.nan_to_num(answer.statistic)

    candidates = naive_local.si_hiton_pc(ask, 6, alpha, limit, joined, apart)
    for t in range(6):
        assert set(np.flatnonzero(result.extra.candidates[t]).tolist()) == set(candidates[t])
    edges = {frozenset((x, y)) for x, y in combinations(range(6), 2) if x in candidates[y] and y in candidates[x]}
    assert {frozenset(edge) for edge in result.graph.edges()} == edges
    neighbors = [{x for x in range(6) if frozenset((t, x)) in edges} for t in range(6)]
    triples = naive_local.v_structures(ask, neighbors, alpha, limit)
    assert {tuple(triple) for triple in result.extra.v_structures.tolist()} == triples
    assert final(result) == result.graph
    judged = ~np.isnan(result.extra.log_phi) & ~np.eye(6, dtype=bool)
    assert (result.extra.log_phi[judged & result.graph.skeleton] <= math.log(alpha)).all()


def test_si_hiton_pc_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the partial result is not oriented, has a warning, and its trace ends at its graph."""
    dag = references.true_dag("survey_n2000")
    tests = []

    def run(tick: Tick) -> LearnResult:
        tests.append(DSeparation(dag))
        return si_hiton_pc(tests[-1], tick=tick)

    for result in cut_short(run):
        assert result.n_tests == tests[-1].n_tests == result.trace.n_tests.sum()


@pytest.mark.parametrize("alpha", [0, 1, -0.1, math.nan, "0.05", None])
def test_si_hiton_pc_refuses_alpha_outside_the_unit_interval(alpha):
    test = DSeparation(PDAG.empty(3))
    with pytest.raises(ParameterError, match=r"^alpha must be (in \(0, 1\)|a number), got "):
        si_hiton_pc(test, alpha=alpha)
    assert test.n_tests == 0


@pytest.mark.parametrize("limit", [-1, 1.5, True, "2"])
def test_si_hiton_pc_refuses_a_limit_that_is_not_a_count(limit):
    with pytest.raises(ParameterError, match="^max_cond_size must be a whole number (from 0 to 20|or None), got "):
        si_hiton_pc(DSeparation(PDAG.empty(3)), max_cond_size=limit)
