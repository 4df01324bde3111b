"""Tests of pPC: partitions, calls and evidence of independent programs, an oracle, and invariants of its evidence."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from learners import G2, PDAG, Dataset, DSeparation, FisherZ, Knowledge, LearnResult, ParameterError, cpdag, pc, ppc
from learners.common.progress import Stopped
from learners.families.phgs.clustering import partition
from learners.families.phgs.partitioned import CallKind
from learners.independence.ci_test import CITest
from learners.independence.set_search import PoolSearch
from learners.kernels.ci.pair_pools import PairPools
from tests import references
from tests.cancelling import cut_short

SAMPLES = references.each(*references.DISCRETE)


def run_of(name: str, **settings) -> LearnResult:
    """Run pPC with the settings of the reference run."""
    return ppc(G2(references.dataset(name), dof="plain"), strongest_first=False, **settings)


def random_dag(p: int, seed: int) -> PDAG:
    """Draw a DAG with two to three neighbours per node on average and with nodes in random order."""
    rng = np.random.default_rng([p, seed])
    order = rng.permutation(p)
    arrows = np.triu(rng.random((p, p)) < rng.uniform(1.5, 4.0) / (p - 1), 1)
    return PDAG(arrows[np.ix_(order, order)])


def linear(p: int, n: int, seed: int) -> Dataset:
    """Draw rows of a random linear network."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < 0.3), 1)
    return Dataset.from_values(
        rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights), [f"x{k}" for k in range(p)]
    )


# --- the paper ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_partition_equals_the_reference(name):
    """Distances, merge heights, the cut, and the clusters after merging small ones equal those of the reference."""
    expected = references.load("clustering")[name]
    found = run_of(name).extra.partition
    names = references.dataset(name).names
    if "d" in expected:
        np.testing.assert_allclose(found.distance[np.tril_indices(len(names), -1)], expected["d"], atol=1e-12)
        np.testing.assert_allclose(found.tree[:, 2], expected["heights"], atol=1e-12)
    assert (found.n_cut, found.large) == (expected["cut"], expected["large"])
    clusters = {frozenset(names[k] for k in np.flatnonzero(found.labels == c)) for c in range(found.n_clusters)}
    assert clusters == {frozenset(cluster) for cluster in expected["partition"]}


@pytest.mark.parametrize("name", SAMPLES)
def test_ppc_calls_skeleton_and_evidence_equal_an_independent_program(name):
    """The calls of each phase, the edges, and the largest p of each pair with its set equal those of the program."""
    expected = references.load("ppc_paper")[name]["ppc"]
    result = run_of(name)
    assert list(result.extra.calls.values()) == expected["calls"]
    assert result.n_tests == sum(expected["calls"]) - len(result.names)
    edges = {frozenset(result.names[k] for k in edge) for edge in result.graph.edges()}
    assert edges == {frozenset(edge) for edge in expected["skeleton"]}
    at = {column: k for k, column in enumerate(result.names)}
    for a, b, p_value, cond in expected.get("phi", ()):
        x, y = at[a], at[b]
        assert {result.names[k] for k in result.extra.hardest.between(x, y)} == set(cond)
        if p_value > 1e-290:
            assert math.exp(result.extra.log_phi[x, y]) == pytest.approx(p_value, rel=1e-8)


@pytest.mark.parametrize("name", SAMPLES)
def test_ppc_with_one_cluster_is_pc(name):
    """With one cluster, the graph, tests, Φ and S are those of PC."""
    data = references.dataset(name)
    one = ppc(G2(data), labels=[0] * data.p, strongest_first=False)
    whole = pc(G2(data), max_cond_size=3)
    assert one.graph == whole.graph
    assert one.n_tests == whole.n_tests
    np.testing.assert_array_equal(one.extra.log_phi, whole.extra.log_phi)
    assert dict(one.extra.hardest) == dict(whole.extra.hardest)
    assert dict(one.sepsets) == dict(whole.sepsets)


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("p", range(4, 10))
@pytest.mark.parametrize("seed", range(25))
def test_ppc_with_the_oracle_finds_the_cpdag_whatever_the_clusters(p, seed):
    """With the oracle and sets of any size, the result is the true CPDAG for random DAGs and clusters."""
    dag = random_dag(p, seed)
    labels = np.random.default_rng([seed, p]).integers(0, 3, p).tolist()
    result = ppc(DSeparation(dag), max_cond_size=p, labels=labels)
    assert result.graph == cpdag(dag)
    assert result.warnings == ()


# --- invariants -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", references.each("child_n2000", "insurance_n1000"))
def test_ppc_evidence_is_symmetric_and_at_least_marginal(name):
    """Φ_ij = Φ_ji is at least the p-value of the marginal test; edges are the pairs with Φ at most alpha."""
    data = references.dataset(name)
    result, test = ppc(G2(data), alpha=0.1), G2(data)
    log_phi = result.extra.log_phi
    np.testing.assert_array_equal(log_phi, log_phi.T)
    for x, y in combinations(range(data.p), 2):
        assert log_phi[x, y] >= test.test(x, y).log_p - 1e-9
        assert (log_phi[x, y] <= math.log(0.1)) == result.graph.skeleton[x, y]


@pytest.mark.parametrize("kind", [pytest.param("categorical", marks=pytest.mark.compiled), "continuous"])
def test_ppc_evidence_can_be_tested_again(kind):
    """Every Φ is the p-value of the test with its recorded set."""
    data = references.dataset("child_n2000") if kind == "categorical" else linear(15, 300, 3)
    result = ppc(G2(data) if kind == "categorical" else FisherZ(data))
    again = G2(data) if kind == "categorical" else FisherZ(data)
    for x, y in combinations(range(data.p), 2):
        actual = result.extra.hardest.between(x, y)
        assert result.extra.log_phi[x, y] == pytest.approx(again.test(x, y, actual).log_p, rel=1e-8, abs=1e-9)
        assert list(actual) == sorted(actual)


def test_clusters_of_numbers_follow_their_correlations():
    """Two independent blocks of columns are two clusters, with few tests between them."""
    rng = np.random.default_rng(2)
    blocks = [rng.normal(size=(500, 1)) + 0.5 * rng.normal(size=(500, 4)) for _ in range(2)]
    values = np.hstack(blocks)[:, [0, 4, 1, 5, 2, 6, 3, 7]]
    result = ppc(FisherZ(Dataset.from_values(values, list("abcdefgh"))))
    assert result.extra.labels.tolist() == [0, 1] * 4
    assert result.extra.calls[CallKind.PARTITION] == math.comb(8, 2) + 8


def test_partition_of_few_variables_is_one_cluster():
    """With fewer variables than a large cluster needs, there is only one cluster."""
    for p in (1, 2, 3):
        assert partition(1.0 - np.eye(p)).labels.tolist() == [0] * p


@pytest.mark.compiled
def test_ppc_respects_knowledge():
    """Neither forbidden pairs nor required edges are tested, and the graph agrees with both."""
    data = references.dataset("child_n2000")
    found = run_of("child_n2000").graph
    i, j = found.edges()[0]
    x, y = next((x, y) for x, y in combinations(range(data.p), 2) if not found.skeleton[x, y])
    names = data.names
    known = Knowledge(required=((names[x], names[y]),), forbidden=((names[i], names[j]), (names[j], names[i])))
    result = run_of("child_n2000", knowledge=known)
    assert result.graph.mark(x, y) == "forward"
    assert result.graph.mark(i, j) == "none"
    assert result.extra.calls[CallKind.PARTITION] == math.comb(data.p, 2) - 2 + data.p


@pytest.mark.deep
def test_ppc_cancelled_at_any_moment_hands_over_what_it_has():
    """Cancelled at any tick, the result is incomplete without directions, and its trace rebuilds the graph."""
    dag = random_dag(7, 1)
    labels = [0, 1, 0, 1, 2, 0, 1]
    for result in cut_short(lambda tick: ppc(DSeparation(dag), labels=labels, tick=tick)):
        assert result.graph.directed_edges() == []
        assert result.n_tests == sum(event.n_tests for event in result.trace) == sum(result.extra.calls.values())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 1.0}, r"^alpha must be in \(0, 1\), got 1"),
        ({"max_cond_size": 0}, "^max_cond_size must be a whole number from 1 to 20, got 0"),
        ({"labels": [0, 1]}, "^labels must name a cluster for each of 3 variables, got 2"),
        ({"labels": None}, "^this test knows no distance between variables, so clusters must be given; pass labels"),
    ],
    ids=["alpha", "size", "labels", "no distance"],
)
def test_ppc_refuses_wrong_settings_with_a_sentence(settings, message):
    """Invalid settings are refused with a message that states the requirement, the value and the fix."""
    with pytest.raises(ParameterError, match=message):
        ppc(DSeparation(PDAG.empty(3)), **{"labels": [0, 0, 1], **settings})


# --- searches over pools ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("kind", ["categorical", "continuous"])
def test_set_searches_of_pools_equal_single_tests(kind, size):
    """The hardest set, its p-value and the number of tests are equal for pools in any order and with skipped rows."""
    data = references.dataset("child_n2000") if kind == "categorical" else linear(20, 200, 1)
    rng = np.random.default_rng(size)
    edges = np.array([sorted(rng.choice(data.p, 2, replace=False)) for _ in range(40)])
    lists = [
        np.setdiff1d(rng.permutation(data.p)[: rng.integers(0, 8)], edge, assume_unique=True)[::-1] for edge in edges
    ]
    begin = np.concatenate([[0], np.cumsum([len(pool) for pool in lists])]).astype(np.int64)
    pools = PairPools(begin, np.concatenate(lists).astype(np.int32))
    skip = rng.random((len(edges), 3, data.p)) < 0.5
    fast, slow = (G2(data), G2(data)) if kind == "categorical" else (FisherZ(data), FisherZ(data))
    walks = PoolSearch(edges, pools, size, skip)
    found, expected = fast.separate(walks, 0.3), CITest.separate(slow, walks, 0.3)
    np.testing.assert_array_equal(found.n_tests, expected.n_tests)
    assert fast.n_tests == slow.n_tests == expected.n_tests.sum() > 0
    np.testing.assert_array_equal(found.cond, expected.cond)
    np.testing.assert_allclose(found.log_p, expected.log_p, rtol=1e-9, atol=1e-12)


def test_set_searches_of_pools_can_be_cancelled():
    """A stopped search over pools raises an exception that carries the results so far."""
    test = DSeparation(PDAG.empty(4))
    edges = np.array([[0, 1], [2, 3]])
    pools = PairPools(np.array([0, 1, 2]), np.array([2, 0], dtype=np.int32))
    with pytest.raises(Stopped) as stopped:
        test.separate(PoolSearch(edges, pools, 1), 0.05, tick=lambda *_: False)
    assert stopped.value.partial.n_tests.tolist() == [1, 0]
