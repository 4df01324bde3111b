"""Tests of hybrid greedy initialization: perfect information, a reference implementation, and invariants."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BIC, G2, PDAG, Dataset, GaussianBIC, Knowledge, cpdag, pc
from learners.common.progress import Stopped
from learners.networks.random_networks import random_dag, random_discrete_network
from learners.networks.sampling import sample
from learners.search.hgi import hgi
from learners.search.v_structures import ranked_v_structures
from tests import naive, naive_hgi, references

SAMPLES = references.each(*references.DISCRETE)


def population(p: int, seed: int) -> tuple[PDAG, GaussianBIC]:
    """Return a random DAG and a score of its exact covariance with a negligible penalty."""
    rng = np.random.default_rng([p, seed])
    order = rng.permutation(p)
    arrows = np.triu(rng.random((p, p)) < rng.uniform(1.5, 3.5) / (p - 1), 1)
    dag = arrows[np.ix_(order, order)]
    weights = dag * rng.uniform(0.5, 1.2, (p, p)) * rng.choice([-1, 1], (p, p))
    noise = rng.normal(size=(200, p))
    noise, _ = np.linalg.qr(noise - noise.mean(axis=0))
    values = noise @ np.linalg.inv(np.eye(p) - weights)
    return PDAG(dag), GaussianBIC(Dataset.from_values(values, [f"x{k}" for k in range(p)]), penalty=1e-6)


def start_of(name: str) -> tuple[BIC, np.ndarray, np.ndarray]:
    """Return the score on a sample, and the skeleton and v-structures of a run of PC."""
    data = references.dataset(name)
    run = pc(G2(data), alpha=0.05, max_cond_size=3)
    triples = ranked_v_structures(PDAG(run.graph.skeleton), run.sepsets, run.extra.log_phi)
    return BIC(data), run.graph.skeleton, triples


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("p", range(4, 9))
@pytest.mark.parametrize("seed", range(20))
def test_hgi_with_perfect_information_finds_the_class(p, seed):
    """With the true skeleton, true v-structures and the exact covariance, the DAG is equivalent to the true DAG."""
    dag, score = population(p, seed)
    triples = np.array(sorted(naive.v_structures(dag.amat)), dtype=np.int64).reshape(-1, 3)
    assert cpdag(hgi(score, dag.skeleton, triples).dag) == cpdag(dag)


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("seed", range(60))
def test_hgi_agrees_with_naive(seed):
    """All steps equal the reference's, also for skeletons with errors and triples that are not all v-structures."""
    rng = np.random.default_rng([4, seed])
    dag, score = population(int(rng.integers(3, 9)), seed)
    p = dag.p
    wrong = np.triu(rng.random((p, p)) < rng.choice([0.0, 0.3]), 1)
    skeleton = dag.skeleton ^ (wrong | wrong.T)
    triples = [
        (i, k, j)
        for k in range(p)
        for i in np.flatnonzero(skeleton[k]).tolist()
        for j in np.flatnonzero(skeleton[k]).tolist()
        if i < j and not skeleton[i, j] and rng.random() < 0.6
    ]

    def gain(node: int, parents: frozenset[int], more: frozenset[int]) -> float:
        return score.local(node, parents | more) - score.local(node, parents)

    alone = [score.local(j) for j in range(p)]
    place = np.argsort(sorted(range(p), key=lambda j: -round(alone[j], 6))).tolist()  # scores of roots tie within 1e-6
    edges = {(i, j) for i, j in np.argwhere(skeleton).tolist()}
    actual = naive_hgi.initialization(edges, triples, gain, place, 1e-12 * max(abs(sum(alone)), score.sample.n))
    found = hgi(score, skeleton, np.array(triples, dtype=np.int64).reshape(-1, 3))
    assert [(step.op, frozenset(step.arrows)) for step in found.steps] == actual


@pytest.mark.parametrize("name", SAMPLES)
def test_hgi_adds_only_what_gains(name):
    """The DAG lies within the skeleton, added edges raise the score, dropped edges would not, and the gains add up."""
    score, skeleton, triples = start_of(name)
    found = hgi(score, skeleton, triples)
    assert not found.dag.has_directed_cycle()
    assert not (found.dag.skeleton & ~skeleton).any()
    assert found.score == pytest.approx(score.network(found.dag), rel=1e-12)
    total, amat = score.network(PDAG.empty(score.p)), np.zeros_like(skeleton)
    for step in found.steps:
        if step.op == "drop":
            assert step.gain <= 0
            continue
        assert step.gain > 0
        for i, j in step.arrows:
            assert not amat[i, j]
            amat[i, j] = True
        total += step.gain
        assert total == pytest.approx(score.network(PDAG(amat)), rel=1e-9)
    assert PDAG(amat) == found.dag


@pytest.mark.parametrize("name", SAMPLES)
def test_hgi_takes_v_structures_first_and_the_best_of_them(name):
    """The first step is the v-structure with the largest gain among the candidates."""
    score, skeleton, triples = start_of(name)
    ops = [step.op for step in hgi(score, skeleton, triples).steps]
    n_first = ops.count("v-structure")
    assert ops[:n_first] == ["v-structure"] * n_first
    gains = [score.local(k, (i, j)) - score.local(k) for i, k, j in triples.tolist()]
    if max(gains, default=0.0) > 0:
        assert hgi(score, skeleton, triples).steps[0].gain == pytest.approx(max(gains), rel=1e-9)


@pytest.mark.gate_cases(8)
@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(40))
def test_hgi_does_not_depend_on_the_order_of_the_columns(seed):
    """In a complete skeleton most edges gain the same in both directions; permuted columns give the same DAG."""
    data = sample(random_discrete_network(random_dag(8, 2.0, seed), 2, seed), 5000, seed)
    complete, no_triples = ~np.eye(8, dtype=bool), np.empty((0, 3), dtype=np.int64)
    order = np.random.default_rng(seed).permutation(8)
    found = hgi(BIC(data.select(order.tolist())), complete, no_triples).dag.amat
    np.testing.assert_array_equal(found, hgi(BIC(data), complete, no_triples).dag.amat[np.ix_(order, order)])


def test_hgi_respects_knowledge_and_the_limit_on_parents():
    score, skeleton, triples = start_of("child_n2000")
    names = score.names
    free = hgi(score, skeleton, triples).dag
    i, j = free.directed_edges()[0]
    x, y = next((x, y) for x in range(score.p) for y in range(x + 1, score.p) if not skeleton[x, y])
    known = Knowledge(required=((names[x], names[y]),), forbidden=((names[i], names[j]),)).bind(names)
    found = hgi(score, skeleton, triples, knowledge=known).dag
    assert found.mark(x, y) == "forward"
    assert found.mark(i, j) != "forward"
    assert hgi(score, skeleton, triples, max_parents=1).dag.amat.sum(axis=0).max() == 1


def test_hgi_stops_when_cancelled():
    """The first tick that returns False ends the run."""
    score, skeleton, triples = start_of("asia_n2000")
    with pytest.raises(Stopped):
        hgi(score, skeleton, triples, tick=lambda *_: False)


@pytest.mark.parametrize("edges", [[(0, 1), (1, 2), (2, 3), (0, 3)], []], ids=["square", "empty"])
def test_hgi_takes_skeletons_without_a_consistent_extension(edges):
    """A chordless square without v-structures has no consistent extension; its DAG still has the same skeleton."""
    _, score = population(4, 1)
    skeleton = PDAG.from_edges(4, undirected=edges).skeleton
    found = hgi(score, skeleton, np.empty((0, 3), dtype=np.int64))
    assert not found.dag.has_directed_cycle()
    assert not (found.dag.skeleton & ~skeleton).any()
