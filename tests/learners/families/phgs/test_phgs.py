"""Tests of pHGS: its start, its restrictions, and the trace of all its phases."""

from __future__ import annotations

import numpy as np
import pytest

from learners import BIC, G2, Dataset, FisherZ, GaussianBIC, LearnResult, ParameterError, ppc
from learners.families.phgs.partitioned import CallKind
from learners.families.phgs.phgs import phgs
from learners.results.phases import Phase, Stage
from tests import references
from tests.cancelling import cut_short

SAMPLES = references.each(*references.DISCRETE)


def run_of(name: str, **settings) -> LearnResult:
    """Run pHGS on a sample."""
    data = references.dataset(name)
    return phgs(G2(data), BIC(data), **settings)


@pytest.mark.parametrize("name", SAMPLES)
def test_phgs_scores_at_least_its_start_within_the_skeleton_of_ppc(name):
    """pHGS starts from the best initial DAG of the path; its edges lie within E(alpha); its tests are those of pPC."""
    result, score = run_of(name, polish=False), BIC(references.dataset(name))
    run = ppc(G2(references.dataset(name)))
    found = result.extra.evidence.path
    assert result.n_tests == run.n_tests
    np.testing.assert_array_equal(result.extra.skeleton.skeleton, run.graph.skeleton)
    assert not (result.graph.skeleton & ~run.graph.skeleton).any()
    assert found.valid.all()
    assert found.choice == int(np.argmax(found.scores))
    for dag, value in zip(found.dags, found.scores, strict=True):
        assert value == pytest.approx(score.network(dag), rel=1e-12)
    assert result.score >= found.scores.max()
    assert result.score == pytest.approx(score.network(result.extra.dag), rel=1e-12)


@pytest.mark.parametrize("name", SAMPLES)
def test_phgs_trace_replays_tests_start_and_moves(name):
    """The trace has the skeleton of pPC, the initial DAG with its score, and the result."""
    result = run_of(name)
    extra, trace = result.extra, result.trace
    assert np.array_equal(trace.graph_at(extra.evidence.n_before).skeleton, extra.skeleton.skeleton)
    assert len(extra.scores) == len(trace.changes) + 1
    initial = [event for event in trace if event.phase == Phase(Stage.INITIAL_GRAPH)]
    n_start = int(np.flatnonzero(np.isfinite(extra.scores))[0]) + len(initial)
    found = extra.evidence.path
    assert trace.graph_at(n_start) == found.dags[found.choice]
    assert extra.scores[n_start] == pytest.approx(found.scores[found.choice], rel=1e-12)
    assert trace.graph_at(len(trace.changes)) == result.graph
    arrows = {arrow for step in extra.steps if step.op != "drop" for arrow in step.arrows}
    assert arrows == set(found.dags[found.choice].directed_edges())


@pytest.mark.parametrize("name", SAMPLES)
def test_phgs_counts_its_calls_by_phase_as_the_paper_does(name):
    """The calls are the tests of pPC and each local score of a node with parents, in the phase of its first use."""
    data = references.dataset(name)
    score = BIC(data)
    result = phgs(G2(data), score)
    calls = dict(result.extra.evidence.calls)
    after = [CallKind.SOLUTION_PATH, CallKind.SEARCH, CallKind.POLISH]
    assert list(calls) == list(CallKind)[:4] + after
    assert {kind: calls[kind] for kind in list(calls)[:4]} == ppc(G2(data)).extra.calls
    assert sum(calls[kind] for kind in after) == result.n_scores - data.p
    assert calls[CallKind.SOLUTION_PATH] >= len({arrow for step in result.extra.steps for arrow in step.arrows}) // 2


def test_phgs_counts_no_score_that_the_caller_knew_already():
    """A score object with a full cache makes the score differences free, but not the tests."""
    data = references.dataset("survey_n2000")
    score = BIC(data)
    first, again = (phgs(G2(data), score).extra.evidence.calls for _ in range(2))
    assert not any(again[kind] for kind in (CallKind.SOLUTION_PATH, CallKind.SEARCH, CallKind.POLISH))
    assert again[CallKind.WITHIN] == first[CallKind.WITHIN]


def test_phgs_of_numbers():
    """pHGS accepts continuous data, with Fisher's z and the Gaussian BIC."""
    data = references.dataset("gauss_p12_n500")
    result = phgs(FisherZ(data), GaussianBIC(data))
    assert result.complete
    assert result.score >= result.extra.evidence.path.scores.max() - 1e-9  # one value is a sum of score differences


def test_phgs_cancelled_at_any_moment_hands_over_what_it_has():
    """Cancelled at any tick, the result is incomplete with a warning, and its trace rebuilds the graph."""
    for result in cut_short(lambda tick: run_of("survey_n2000", tick=tick)):
        assert result.n_tests == result.trace.n_tests.sum()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha_min": 0.05}, "^alpha_min must be below alpha = 0.05, got 0.05; lower it"),
        ({"tau": 1}, "^tau must be a whole number from 2 to 10,000, got 1"),
        ({"patience": 0}, "^patience must be a whole number from 1 to 100,000, got 0"),
        ({"labels": [0]}, "^labels must name a cluster for each of 8 variables, got 1"),
    ],
    ids=["alpha_min", "tau", "patience", "labels"],
)
def test_phgs_refuses_wrong_settings_with_a_sentence(settings, message):
    """Invalid settings are refused with a message that states the requirement, the value and the fix."""
    with pytest.raises(ParameterError, match=message):
        run_of("asia_n2000", **settings)


def test_phgs_refuses_a_score_of_other_columns():
    """A score of other columns is refused, because it would give values for the wrong families."""
    data = references.dataset("asia_n2000")
    other = Dataset.from_codes(data.codes, data.arity, [f"v{k}" for k in range(data.p)])
    with pytest.raises(ParameterError, match="^test and score must be bound to the same columns"):
        phgs(G2(data), BIC(other))
