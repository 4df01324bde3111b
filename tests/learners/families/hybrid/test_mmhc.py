"""Tests of MMHC: bnlearn's runs, the restriction to its skeleton, its trace and evidence."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BIC, G2, BDeu, DSeparation, FisherZ, GaussianBIC, Knowledge, ParameterError, mmhc, mmpc, tabu
from learners.graphs.cpdag import cpdag
from learners.graphs.rules import Rule
from learners.results.events import Action
from tests import references

RUNS = [
    pytest.param(
        name, run, id=f"{name} {run['test']} {run['score']}", marks=[pytest.mark.compiled] * (name in references.LARGE)
    )
    for name, runs in references.load("max_min").items()
    for run in runs["mmhc"]
    # With plain degrees of freedom bnlearn's skeleton of alarm has one more edge (see the folder's README).
    if (name, run["test"]) != ("alarm_n2000", "mi")
]


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_mmhc_scores_at_least_what_bnlearn_reaches(name, run):
    """The score is at least bnlearn's, since tabu search continues where hill climbing ends in the same skeleton."""
    data = references.dataset(name)
    test = G2(data, dof="plain") if run["test"] == "mi" else G2(data, dof="adjusted", rows_per_cell=5)
    score = BIC(data) if run["score"] == "bic" else BDeu(data, ess=10.0)
    result = mmhc(test, score, alpha=run["alpha"], max_cond_size=None, polish=False)
    assert result.score >= run["value"] - 1e-9 * abs(run["value"])


@pytest.mark.parametrize("name", references.each("asia_n2000", "child_n2000", "gauss_p12_n500", "gauss_p30_n100"))
def test_mmhc_searches_within_the_skeleton_of_mmpc(name):
    """Tests and separating sets equal those of MMPC; a tabu search within the same pairs gives the same graph."""
    data = references.dataset(name)
    gaussian = data.kind == "continuous"
    test, score = (FisherZ(data), GaussianBIC(data)) if gaussian else (G2(data), BIC(data))
    result, skeleton = mmhc(test, score, alpha=0.1, polish=False), mmpc(test, alpha=0.1)
    assert not (result.graph.skeleton & ~skeleton.graph.skeleton).any()
    assert result.extra.skeleton == skeleton.graph
    assert result.n_tests == skeleton.n_tests
    assert dict(result.sepsets) == dict(skeleton.sepsets)
    np.testing.assert_array_equal(result.extra.evidence.log_phi, skeleton.extra.log_phi)
    alone = tabu(score, allowed=skeleton.graph.skeleton, patience=15, ties="data")
    assert result.graph == alone.graph == cpdag(result.extra.dag)
    assert result.score == alone.score


@pytest.mark.compiled
def test_mmhc_trace_records_the_tests_first_and_draws_only_moves():
    """The tests change no edge, every change has a score, and the counts add up."""
    data = references.dataset("child_n2000")
    result = mmhc(G2(data), BIC(data))
    trace = result.trace
    assert trace.n_tests.sum() == result.n_tests > 0
    tests = np.flatnonzero(trace.n_tests > 0)
    assert set(trace.action[tests].tolist()) == {Action.KEEP, Action.APART}
    assert tests.max() < trace.changes.min()
    assert len(result.extra.scores) == len(trace.changes) + 1
    assert trace.graph_at(len(trace.changes)) == result.graph


def test_mmhc_keeps_required_edges_that_tests_would_not():
    data = references.dataset("asia_n2000")
    known = Knowledge(required=(("xray", "asia"),), forbidden=(("bronc", "dysp"), ("dysp", "bronc")))
    result = mmhc(G2(data), BIC(data), knowledge=known, polish=False)
    at = result.names.index
    assert result.graph.mark(at("xray"), at("asia")) == "forward"
    assert result.graph.mark(at("bronc"), at("dysp")) == "none"
    assert [event.rule for event in result.trace.of_pair(at("xray"), at("asia"))] == [Rule.REQUIRED]


def test_mmhc_cancelled_during_the_tests_returns_no_edge():
    """A run that is cancelled before the search returns an empty graph with a warning."""
    data = references.dataset("asia_n2000")
    result = mmhc(G2(data), BIC(data), tick=lambda *_: False)
    assert (result.complete, result.graph.n_edges) == (False, 0)
    assert any("cancelled" in warning for warning in result.warnings)


def test_mmhc_needs_test_and_score_of_the_same_columns():
    data = references.dataset("asia_n2000")
    with pytest.raises(ParameterError, match="^test and score must be bound to the same columns"):
        mmhc(DSeparation(references.true_dag("sachs_n1000")), BIC(data))


@pytest.mark.parametrize(
    ("name", "value"), [("alpha", 0), ("max_cond_size", -1), ("tabu_length", 0), ("patience", 0), ("max_parents", 0)]
)
def test_mmhc_refuses_values_out_of_range(name, value):
    data = references.dataset("asia_n2000")
    with pytest.raises(ParameterError, match=f"^{name} must be"):
        mmhc(G2(data), BIC(data), **{name: value})
