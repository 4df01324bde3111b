"""Tests of sparse candidates: limits, non-decreasing scores, and k = p as plain hill climbing."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BIC, PDAG, BDeu, GaussianBIC, Knowledge, ParameterError, hc, sca
from learners.common.progress import silent
from learners.graphs.knowledge import BoundKnowledge
from learners.search.sparse_candidate import choose_candidates
from tests import references
from tests.cancelling import cut_short


def score_of(name: str):
    data = references.dataset(name)
    return GaussianBIC(data) if data.kind == "continuous" else BIC(data)


@pytest.mark.parametrize("name", ["asia_n2000", "gauss_p12_n500"])
def test_candidates_are_the_parents_and_those_that_gain_most_beside_them(name):
    score = score_of(name)
    dag = PDAG.from_edges(score.p, directed=[(0, 2), (1, 2), (2, 4)])
    found = choose_candidates(score, dag, 3, BoundKnowledge.none(score.p), "", silent)
    for j in range(score.p):
        parents = list(dag.parents(j))
        gains = {i: score.local(j, [*parents, i]) for i in range(score.p) if i != j and i not in parents}
        best = sorted(gains, key=lambda i: (-gains[i], i))[: 3 - len(parents)]
        assert set(np.flatnonzero(found[:, j]).tolist()) == {*parents, *best}


@pytest.mark.parametrize("name", references.each("child_n2000", "alarm_n2000", "insurance_n1000", "gauss_p30_n100"))
@pytest.mark.parametrize("k", [1, 2, 5])
def test_sca_keeps_within_its_candidates_and_raises_the_score(name, k):
    """No node has more than k parents, no round lowers the score, and the trace ends at the graph and its score."""
    score = score_of(name)
    result = sca(score, n_candidates=k)
    assert result.extra.dag.is_dag
    assert result.extra.dag.amat.sum(axis=0).max() <= k
    assert (result.extra.dag.amat <= result.extra.rounds[-1].candidates).all()
    assert all((one.candidates.sum(axis=0) <= k).all() for one in result.extra.rounds)
    assert (np.diff([one.score for one in result.extra.rounds]) >= -1e-9).all()
    assert result.score == pytest.approx(score.network(result.extra.dag), rel=1e-12)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.extra.scores[-1] == pytest.approx(result.score, rel=1e-9)


@pytest.mark.parametrize("name", ["asia_n2000", "sachs_n1000", "gauss_p12_n500"])
def test_sca_with_all_variables_as_candidates_is_hill_climbing(name):
    """With all variables as candidates, the result is that of hill climbing after a single round."""
    score = score_of(name)
    result, plain = sca(score, n_candidates=score.p - 1), hc(score, max_parents=score.p - 1, ties="data")
    assert result.graph == plain.graph
    assert result.score == pytest.approx(plain.score, rel=1e-12)
    assert len(result.extra.rounds) == 1


def test_sca_finds_the_truth_of_learning_data():
    """On survey, BDeu with five candidates is at least as high as with plain hill climbing."""
    score = BDeu(references.dataset("survey_n2000"), ess=10.0)
    assert sca(score).score >= hc(score).score - 1e-9


def test_sca_respects_knowledge():
    """Required parents are candidates whatever their gain, and excluded parents never are."""
    score = score_of("asia_n2000")
    a, b, c = score.names[:3]
    known = Knowledge(required=((a, b),), forbidden=((a, c), (c, a)))
    result = sca(score, n_candidates=2, knowledge=known)
    assert result.extra.dag.amat[0, 1]
    assert not any(one.candidates[0, 2] or one.candidates[2, 0] for one in result.extra.rounds)
    with pytest.raises(ParameterError, match="^at most 1 parents are possible"):
        sca(score, n_candidates=1, knowledge=Knowledge(required=((a, c), (b, c))))


def test_sca_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the result is incomplete with a warning, and the tick is not called again."""
    whole = sca(score_of("asia_n2000"))
    for result in cut_short(lambda tick: sca(score_of("asia_n2000"), tick=tick)):
        assert len(result.extra.rounds) <= len(whole.extra.rounds)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_candidates": 0}, "^n_candidates must be a whole number from 1 to 100, got 0"),
        ({"max_rounds": 0}, "^max_rounds must be a whole number from 1 to 1,000, got 0"),
        ({"ties": "chance"}, "^unknown ties 'chance'"),
    ],
    ids=["candidates", "rounds", "ties"],
)
def test_sca_refuses_wrong_options(options, message):
    with pytest.raises(ParameterError, match=message):
        sca(score_of("asia_n2000"), **options)
