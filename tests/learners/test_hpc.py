"""HPC: the oracle, a twin that asks everything anew, bnlearn where the variant agrees, and the laws of its trace."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import PDAG, DSeparation
from learners.algorithms.hpc import hpc
from tests import naive, naive_tests, references

# --- the oracle -----------------------------------------------------------------------------------------------------


def blanket_of(dag: np.ndarray) -> np.ndarray:
    """(p, p) bool: parents, children and spouses."""
    together = dag | dag.T | (dag.astype(int) @ dag.T.astype(int) > 0)
    np.fill_diagonal(together, False)
    return together


def check_oracle(dag: np.ndarray, **settings: object) -> None:
    """Every target alone finds its true neighbours and blanket, within supersets; sets that are told separate."""
    result = hpc(DSeparation(PDAG(dag)), **settings)
    skeleton, found = dag | dag.T, result.extra
    np.testing.assert_array_equal(found.candidates, skeleton)
    np.testing.assert_array_equal(found.blanket, blanket_of(dag))
    assert not (skeleton & ~found.superset).any()
    assert not (blanket_of(dag) & ~(found.superset | found.spouses)).any()
    np.testing.assert_array_equal(result.graph.amat, skeleton)
    absent = {frozenset(pair) for pair in combinations(range(len(dag)), 2) if not skeleton[pair]}
    assert set(result.sepsets) == absent
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.warnings == ()


@pytest.mark.parametrize("seed", range(150))
def test_hpc_with_the_oracle_finds_the_neighbours_of_every_target(seed):
    """Before both ends are asked for: 150 random DAGs of 4 to 11 nodes, degrees of 1.5 to 4, none wrong."""
    rng = np.random.default_rng([seed, 99])
    p = int(rng.integers(4, 12))
    check_oracle(naive.random_dag(rng, p, int(rng.uniform(0.75, 2) * p)))


@pytest.mark.parametrize("name", ["asia_n2000", "survey_n2000", "sachs_n1000", "child_n2000"])
def test_hpc_with_the_oracle_finds_published_networks(name):
    """The same for networks of people."""
    check_oracle(references.true_dag(name).amat)
