"""Tests of the support of arrows: Bayes factors of triples, and arrows that follow from other arrows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import PAG, PDAG, BDeu, learn
from learners.data.dataset import Dataset, LeftOut
from learners.evaluation.directions import STRONG_EVIDENCE, TripleEvidence, direction_support
from learners.graphs.cpdag import cpdag
from learners.graphs.knowledge import Knowledge
from learners.graphs.sepsets import Sepsets
from learners.io.samples import load_sample
from learners.networks.random_networks import random_gaussian_network
from learners.networks.sampling import sample
from learners.registry import LEARNERS
from learners.results.directions import Support
from learners.scores.selection import score_for
from tests import naive_mixed
from tests.tiers import family

DATA = {
    "categorical": load_sample("child").dataset,
    "continuous": sample(random_gaussian_network(9, 14, seed=3), 250, seed=3),
}
FEW = {"bootstrap": {"n_resamples": 4}}
CASES = [pytest.param(key, kind, id=f"{key} {kind}") for key, one in LEARNERS.items() for kind in one.kinds]


def coins(effect: float, n: int = 400, copied: float = 0.9) -> Dataset:
    """Draw two coins, a column that depends on them with strength `effect`, and a copy of `copied` of its cells."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, (2, n))
    c = np.where(rng.random(n) < 0.5 + effect / 2, a | b, rng.integers(0, 2, n))
    d = np.where(rng.random(n) < copied, c, 1 - c)
    return Dataset.from_codes(np.array([a, b, c, d]), [2] * 4, ["a", "b", "c", "d"])


def test_bayes_factor_of_a_triple_is_that_of_the_two_graphs():
    """The evidence of a triple is the score of a -> c <- b minus the score of the best graph without the collider."""
    data = coins(0.8)
    score = BDeu(data)
    found = TripleEvidence(PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)]), Sepsets.from_entries(4, []), score)
    collider = score.local(0) + score.local(1) + score.local(2, [0, 1])
    chain = score.local(0) + score.local(2, [0]) + score.local(1, [2])
    assert found.of(1, 2, 0, collider=True).evidence == pytest.approx(collider - chain)
    assert found.of(0, 2, 1, collider=False).evidence == pytest.approx(chain - collider)


def test_arrow_is_as_sure_as_its_weakest_premise():
    """An arrow that follows by rule R1 is no more strongly supported than the v-structure that it follows from."""
    result = learn("ges", coins(0.8))
    assert result.graph == PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])
    directions = result.directions
    assert all(one.support is Support.CLEAR for one in directions.values())
    assert (directions[2, 3].steps, directions[0, 2].steps) == (1, 0)
    assert directions[2, 3].premise.evidence == min(
        directions[0, 2].premise.evidence, directions[2, 3].premise.evidence
    )


def test_arrow_that_the_data_hardly_ask_for_is_weak():
    """Arrows of a graph are weakly supported or contested if the data hardly determine them."""
    weak, graph = coins(-0.7, 120), PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])
    result = learn("ges", coins(0.8))
    directions = direction_support(result, BDeu(weak))
    assert result.graph == graph
    assert {one.support for one in directions.values()} <= {Support.WEAK, Support.CONTESTED}
    assert all(one.premise.evidence <= STRONG_EVIDENCE for one in directions.values())


@pytest.mark.compiled
def test_arrow_against_the_data_is_contested():
    """The arrows that PC reverses at the hub of the child sample are all contested or weakly supported."""
    loaded = load_sample("child")
    result, truth = learn("pc", loaded.dataset), cpdag(loaded.truth)
    hub = result.names.index("Disease")
    doubted = {arrow for arrow, one in result.directions.items() if one.support.is_doubtful}
    wrong = {(i, j) for i, j in result.graph.directed_edges() if truth.amat[j, i]}
    assert len([arrow for arrow in wrong if hub in arrow]) >= 5
    assert {arrow for arrow in wrong if hub in arrow} <= doubted
    assert result.directions[next(iter(wrong & doubted))].support is Support.CONTESTED


DATA["mixed"] = naive_mixed.with_holes(naive_mixed.mixed_rows(7, 400, seed=1), 0.05, seed=1)


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_every_learner_reports_the_support_of_every_arrow(key, kind):
    """Every learner reports the support of exactly the arrows of its graph; for a PAG, the pairs have no direction."""
    result = learn(key, DATA[kind], **FEW.get(key, {}))
    arrows = set(result.graph.directed_edges())
    if isinstance(result.graph, PAG):
        arrows = {edge for edge in result.graph.edges() if tuple(sorted(edge)) in result.undirected_pairs}
    assert set(result.directions) == arrows
    assert all(isinstance(one.support, Support) for one in result.directions.values())
    for one in result.directions.values():
        if one.support is Support.CLEAR and one.share is None:
            assert one.premise.evidence > STRONG_EVIDENCE
        if one.premise is not None:
            assert math.isfinite(one.premise.evidence)


def follows(graph, sure, i, j):
    """Return True if i -> j is in a v-structure, or follows by Meek's rules R1 to R3 from the arrows in `sure`."""
    nodes, joined = range(graph.p), graph.skeleton
    if any(k != i and not joined[i, k] for k in graph.parents(j)):
        return True
    into = [k for k in nodes if joined[i, k] and (k, j) in sure]
    return (
        any((k, i) in sure and not joined[k, j] for k in nodes)
        or any((i, k) in sure for k in into)
        or any(not joined[k, l] for k in into for l in into if k != l)
    )


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_no_direction_is_surer_than_those_it_follows_from(key, kind):
    """Strong support of an arrow outside v-structures needs a rule whose arrows have strong support themselves."""
    data = DATA[kind]
    result = learn(key, data, **FEW.get(key, {}))
    if isinstance(result.graph, PAG):
        return
    for column in data.names[:4]:
        score = score_for(data, score="bdeu" if kind == "categorical" else "bic")
        found = direction_support(result, score, [LeftOut("gone", (column,))])
        sure = {arrow for arrow, one in found.items() if one.support in (Support.CLEAR, Support.KNOWN)}
        for (i, j), one in found.items():
            if one.support is Support.CLEAR and one.steps:
                assert follows(result.graph, sure, i, j)
            if one.follows_from:
                assert one.support is Support.WEAK
                assert one.follows_from not in sure


def test_a_direction_that_follows_from_a_weak_one_names_it():
    """If a column could replace a, so could the v-structure; c -> d then follows from an arrow that is not sure."""
    data = coins(0.9, copied=0.7)
    result = learn("ges", data)
    assert result.graph == PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])
    found = direction_support(result, BDeu(data), [LeftOut("sum", ("a",))])
    assert {arrow: one.support for arrow, one in found.items()} == dict.fromkeys(found, Support.WEAK)
    assert found[0, 2].left_out == "sum"
    assert found[2, 3].follows_from in {(0, 2), (1, 2)}


def test_knowledge_is_known():
    """A required arrow has support "known"."""
    data = coins(0.8)
    result = learn("pc", data, knowledge=Knowledge(required=[("d", "c")]))
    assert result.directions[3, 2].support is Support.KNOWN


def test_cancelled_run_reports_no_directions():
    """A cancelled run reports no support, since its arrows are not final."""
    result = learn("pc", DATA["categorical"], tick=lambda *_: False)
    assert not result.complete
    assert dict(result.directions) == {}
