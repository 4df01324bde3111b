"""Tests of the strongest-neighbours-first order of conditioning sets: order, compiled kernels, d-separation oracle."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import BIC, G2, PDAG, Dataset, DegenerateGaussian, DSeparation, FisherZ, cpdag, load_sample, path, ppc
from learners.families.phgs.phgs import phgs
from learners.independence.ci_test import CITest
from learners.independence.set_search import LevelSearch
from learners.results.events import Action
from tests import naive, references


def linear(seed: int, p: int = 9, n: int = 200) -> Dataset:
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < 0.5), 1)
    return Dataset.from_values(
        rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights), [f"x{k}" for k in range(p)]
    )


def test_neighbors_come_by_their_rank_then_in_order():
    """Neighbours of either node are ordered by its own ranks, then by column."""
    adjacency = np.zeros((5, 5), dtype=bool)
    adjacency[0, [1, 2, 3, 4]] = adjacency[1, [0, 3, 4]] = True
    first = np.zeros((5, 5))
    first[0, [2, 3, 4]] = 0.5, -1.0, 0.5
    first[1, [3, 4]] = 2.0, 1.0
    sets = lambda size: list(LevelSearch(np.array([[0, 1]]), adjacency, size, first).sets(0))  # noqa: E731
    assert sets(1) == [(3,), (2,), (4,)]
    assert sets(2) == [(3, 2), (3, 4), (2, 4)]


def one_by_one(test: CITest) -> CITest:
    """Return a copy of the test without its kernels."""
    test.separate = lambda *args, **options: CITest.separate(test, *args, **options)
    return test


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [FisherZ, DegenerateGaussian])
def test_kernels_test_in_the_order_of_the_definition(make, seed):
    """In every phase of pPC, kernels give the same tests, sets and counts as the definition."""
    fast, slow = ppc(make(linear(seed))), ppc(one_by_one(make(linear(seed))))
    assert (fast.graph, fast.n_tests) == (slow.graph, slow.n_tests)
    assert dict(fast.extra.hardest) == dict(slow.extra.hardest)
    for mine, other in zip(fast.trace, slow.trace, strict=True):
        assert (mine.i, mine.j, mine.cond, mine.n_tests) == (other.i, other.j, other.cond, other.n_tests)


@pytest.mark.parametrize("name", references.each("sachs_n1000", "insurance_n1000"))
def test_kernels_of_tables_test_in_the_order_of_the_definition(name):
    """The kernels of G² give the same tests, sets and counts as the definition in every phase of pPC."""
    data = references.dataset(name)
    fast, slow = ppc(G2(data)), ppc(one_by_one(G2(data)))
    assert (fast.graph, fast.n_tests) == (slow.graph, slow.n_tests)
    assert dict(fast.sepsets) == dict(slow.sepsets)


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("strongest_first", [True, False])
def test_with_the_oracle_either_order_leads_to_the_true_class(seed, strongest_first):
    """With the oracle, either order gives the true class for DAGs of 5 to 8 nodes in random clusters."""
    rng = np.random.default_rng([seed, 77])
    p = int(rng.integers(5, 9))
    dag = PDAG(naive.random_dag(rng, p, int(1.3 * p)))
    labels = rng.integers(0, 3, p).tolist()
    result = ppc(DSeparation(dag), max_cond_size=p, labels=labels, strongest_first=strongest_first)
    assert result.graph == cpdag(dag)


def test_sets_are_reported_ascending_and_separate():
    """Recorded sets are ascending, whatever the order of the search."""
    result = ppc(G2(load_sample("asia").dataset), alpha=0.1)
    for event in result.trace:
        if event.n_tests and event.action in (Action.KEEP, Action.REMOVE):
            assert list(event.cond) == sorted(event.cond)
    for x, y in combinations(range(8), 2):
        actual = result.extra.hardest.between(x, y)
        assert actual is None or list(actual) == sorted(actual)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["child_n2000", "alarm_n2000"])
def test_the_strongest_first_takes_fewer_tests(name):
    """With the strongest neighbours first, pairs are separated earlier, so pPC, PATH and pHGS do fewer tests."""
    data = references.dataset(name)
    for learner in (
        lambda **order: ppc(G2(data), **order),
        lambda **order: path(G2(data), BIC(data), **order),
        lambda **order: path(G2(data), BIC(data), skeleton="pc", **order),
        lambda **order: phgs(G2(data), BIC(data), **order),
    ):
        strongest, named = learner(strongest_first=True), learner(strongest_first=False)
        assert strongest.n_tests < named.n_tests
        assert (strongest.params["strongest_first"], named.params["strongest_first"]) == (True, False)
