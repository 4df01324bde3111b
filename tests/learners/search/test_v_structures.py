"""Tests of v-structures by tests given the middle: a d-separation oracle, a reference, and sets of both ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, DSeparation
from learners.common.progress import Stopped
from learners.graphs.sepsets import Sepsets
from learners.independence.ci_test import CITest
from learners.results.events import Action
from learners.results.trace import Trace, TraceBuilder
from learners.search.skeleton_levels import PairEvidence
from learners.search.v_structures import tested_v_structures as find
from tests import naive, naive_local
from tests.learners.families.constraint_based.test_mmpc import ci_tests


def found_in(
    test: CITest, skeleton: np.ndarray, alpha: float = 0.05, limit: int | None = None, tick=lambda *_: True
) -> tuple[np.ndarray, Trace]:
    """Return the v-structures found and the trace; every non-adjacent pair counts as separated."""
    p = len(skeleton)
    log_phi = np.where(skeleton, -5.0, -np.arange(p * p).reshape(p, p) / p**2)
    evidence = PairEvidence(np.maximum(log_phi, log_phi.T), Sepsets.from_entries(p, []))
    separated = ~skeleton & ~np.eye(p, dtype=bool)
    trace = TraceBuilder(PDAG(skeleton))
    return find(test, skeleton, separated, evidence, alpha, limit, trace, tick), trace.build()


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("p", [4, 5, 6, 7, 8])
@pytest.mark.parametrize("seed", range(30))
def test_v_structures_with_the_oracle_are_those_of_the_dag(p, seed):
    """With the oracle and true skeletons, the v-structures are those of the DAG, for 150 random DAGs."""
    dag = naive.random_dag(np.random.default_rng([seed, p, 2]), p, int(1.6 * p))
    triples, trace = found_in(DSeparation(PDAG(dag)), dag | dag.T)
    assert {tuple(triple) for triple in triples.tolist()} == set(naive.v_structures(dag))
    assert not len(trace.changes)


def test_v_structures_are_tested_given_neighbours_of_both_ends():
    """In 0 -> 3 <- 1 -> 2 <- 3, nodes 0 and 2 are dependent given the only neighbour of 0, but not given those of 2."""
    dag = PDAG.from_edges(4, directed=[(0, 3), (1, 3), (1, 2), (3, 2)])
    triples, trace = found_in(DSeparation(dag), dag.skeleton)
    assert triples.tolist() == [[0, 3, 1]]
    asked = [(event.i, event.j, event.cond, event.action) for event in trace.of_pair(0, 2)]
    assert asked == [(0, 2, (3,), Action.KEEP), (2, 0, (3, 1), Action.REFUSE)]


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.05, 1e-4]), st.integers(0, 4), st.integers(0, 2**15 - 1))
def test_v_structures_agree_with_their_definition(test, alpha, limit, edges):
    """Triples on random skeletons of six nodes equal the reference's, in descending order of p, as do all tests."""
    skeleton = np.zeros((6, 6), dtype=bool)
    skeleton[np.triu_indices(6, 1)] = [edges >> bit & 1 for bit in range(15)]
    skeleton |= skeleton.T
    before = test.n_tests
    triples, trace = found_in(test, skeleton, alpha, limit)
    assert trace.n_tests.sum() == test.n_tests - before

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        answer = test.test(x, y, cond)
        return answer.log_p, answer.statistic

    neighbors = [set(np.flatnonzero(row).tolist()) for row in skeleton]
    assert {tuple(triple) for triple in triples.tolist()} == naive_local.v_structures(ask, neighbors, alpha, limit)
    for event in trace:
        assert event.cond[0] in neighbors[event.i] & neighbors[event.j]
        assert set(event.cond) <= neighbors[event.i]
        assert (event.action == Action.REFUSE) == (event.log_p > math.log(alpha))
        assert event.log_p == pytest.approx(test.test(event.i, event.j, event.cond).log_p, rel=1e-9)


def test_v_structures_stop_when_cancelled():
    """The first tick that returns False ends the run; the trace has the tests done so far."""
    dag = naive.random_dag(np.random.default_rng(5), 8, 12)
    test = DSeparation(PDAG(dag))
    with pytest.raises(Stopped):
        found_in(test, dag | dag.T, tick=lambda *_: False)
    assert test.n_tests > 0
