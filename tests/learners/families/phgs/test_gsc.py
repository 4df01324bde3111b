"""Tests of GSC: skeletons and starts, restrictions of the search, MMHC as a special case, and trace invariants."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from learners import (
    BIC,
    G2,
    Dataset,
    DSeparation,
    FisherZ,
    GaussianBIC,
    Knowledge,
    LearnResult,
    ParameterError,
    fast_iamb,
    gsc,
    hpc,
    mmhc,
    mmpc,
    pc,
    ppc,
    si_hiton_pc,
)
from learners.families.phgs.gsc import SKELETONS as BY_NAME
from learners.families.phgs.settings import SKELETON
from learners.graphs.cpdag import cpdag
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from tests import references
from tests.cancelling import cut_short

SKELETONS = tuple(BY_NAME)
ALONE = {"ppc": ppc, "pc": pc, "mmpc": mmpc, "fast_iamb": fast_iamb, "si_hiton_pc": si_hiton_pc, "hpc": hpc}


def run_of(name: str, **settings) -> LearnResult:
    """Run GSC on a sample, with a test and a score for its columns."""
    data = references.dataset(name)
    if data.kind == "continuous":
        return gsc(FisherZ(data), GaussianBIC(data), **settings)
    return gsc(G2(data), BIC(data), **settings)


def test_gsc_form_offers_every_skeleton():
    """The choices declared for the form are the skeletons that the searches offer."""
    assert SKELETON.choices == SKELETONS


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("start", ["empty", "hgi"])
@pytest.mark.parametrize("skeleton", ALONE)
@pytest.mark.parametrize("name", references.each("asia_n2000", "insurance_n1000", "gauss_p12_n500"))
def test_gsc_keeps_within_the_skeleton_of_its_learner(name, skeleton, start):
    """Skeleton and separating sets equal the learner's; edges lie in the skeleton; the score is that of the DAG."""
    data = references.dataset(name)
    gaussian = data.kind == "continuous"
    test, score = (FisherZ(data), GaussianBIC(data)) if gaussian else (G2(data), BIC(data))
    result, alone = gsc(test, score, skeleton=skeleton, start=start), ALONE[skeleton](test, max_cond_size=3)
    np.testing.assert_array_equal(result.extra.skeleton.skeleton, alone.graph.skeleton)
    assert dict(result.sepsets) == dict(alone.sepsets)
    np.testing.assert_array_equal(result.extra.evidence.log_phi, alone.extra.log_phi)
    assert not (result.graph.skeleton & ~alone.graph.skeleton).any()
    assert result.graph == cpdag(result.extra.dag)
    assert result.score == pytest.approx(score.network(result.extra.dag), rel=1e-12)


@pytest.mark.gate_cases(11)
@pytest.mark.parametrize("skeleton", SKELETONS)
@pytest.mark.parametrize("name", references.each(*references.DISCRETE))
def test_gsc_from_a_greedy_start_scores_at_least_that(name, skeleton):
    """The trace has the skeleton, the initial DAG with a gain at each step, then the moves; scores match."""
    result, score = run_of(name, skeleton=skeleton, start="hgi"), BIC(references.dataset(name))
    trace, extra = result.trace, result.extra
    first = int(np.flatnonzero(np.isfinite(extra.scores))[0])
    initial = [event for event in trace if event.phase == Phase(Stage.INITIAL_GRAPH)]
    assert trace.graph_at(first).skeleton.tolist() == extra.skeleton.skeleton.tolist()
    started = trace.graph_at(first + len(initial))
    assert started.is_dag
    assert not (started.skeleton & ~extra.skeleton.skeleton).any()
    assert {arrow for step in extra.steps if step.op != "drop" for arrow in step.arrows} == set(
        started.directed_edges()
    )
    assert all((step.gain <= 0) == (step.op == "drop") for step in extra.steps)
    assert extra.scores[first + len(initial)] == pytest.approx(score.network(started), rel=1e-9)
    assert result.score >= score.network(started) - 1e-9 * abs(result.score)
    assert len(extra.scores) == len(trace.changes) + 1
    assert trace.graph_at(len(trace.changes)) == result.graph
    assert trace.n_tests.sum() == result.n_tests


@pytest.mark.compiled
@pytest.mark.parametrize("skeleton", SKELETONS)
def test_gsc_from_the_empty_graph_draws_only_moves(skeleton):
    """From the empty graph, tests change no edge, and every change has a score."""
    result = run_of("child_n2000", skeleton=skeleton, start="empty")
    trace = result.trace
    assert trace.start.n_edges == 0
    tests = np.flatnonzero(trace.n_tests > 0)
    assert set(trace.action[tests].tolist()) == {Action.KEEP, Action.APART}
    assert tests.max() < trace.changes.min()
    assert len(result.extra.scores) == len(trace.changes) + 1
    assert np.isfinite(result.extra.scores[0])
    assert result.extra.steps == ()
    assert trace.n_tests.sum() == result.n_tests


@pytest.mark.parametrize("name", references.each("asia_n2000", "child_n2000", "gauss_p12_n500", "gauss_p30_n100"))
def test_mmhc_is_gsc_with_mmpc_from_the_empty_graph(name):
    """GSC with MMPC from the empty graph has the same trace as MMHC."""
    data = references.dataset(name)
    gaussian = data.kind == "continuous"
    test, score = (FisherZ(data), GaussianBIC(data)) if gaussian else (G2(data), BIC(data))
    settings = {"alpha": 0.1, "max_cond_size": 4, "tabu_length": 20, "patience": 15}
    one = mmhc(test, score, polish=False, **settings)
    other = gsc(test, score, skeleton="mmpc", start="empty", **settings)
    assert one.graph == other.graph
    assert (one.score, one.n_tests) == (other.score, other.n_tests)
    for field in fields(one.trace):
        mine, its = getattr(one.trace, field.name), getattr(other.trace, field.name)
        if isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, its)
        else:
            assert mine == its
    np.testing.assert_array_equal(one.extra.scores, other.extra.scores)


@pytest.mark.compiled
def test_gsc_restarts_may_only_raise_the_score():
    """Restarts never lower the score, and follow the seed."""
    plain = run_of("insurance_n1000", start="empty", patience=1)
    once, again = (run_of("insurance_n1000", start="empty", patience=1, restarts=5, seed=3) for _ in range(2))
    assert once.score >= plain.score
    assert once.graph == again.graph
    assert any(phase.stage is Stage.RESTART for phase in once.trace.phases)


@pytest.mark.parametrize("start", ["empty", "hgi"])
@pytest.mark.parametrize("skeleton", SKELETONS)
def test_gsc_keeps_required_edges_that_tests_would_not(skeleton, start):
    """Background knowledge takes precedence over the tests and over the score."""
    known = Knowledge(required=(("xray", "asia"),), forbidden=(("bronc", "dysp"), ("dysp", "bronc")))
    result = run_of("asia_n2000", skeleton=skeleton, start=start, knowledge=known)
    at = result.names.index
    assert result.graph.mark(at("xray"), at("asia")) == "forward"
    assert result.graph.mark(at("bronc"), at("dysp")) == "none"
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert len(result.extra.scores) == len(result.trace.changes) + 1


@pytest.mark.gate_cases(3)
@pytest.mark.compiled
@pytest.mark.parametrize("start", ["empty", "hgi"])
@pytest.mark.parametrize("skeleton", SKELETONS)
def test_gsc_cancelled_at_any_moment_hands_over_what_it_has(skeleton, start):
    """Cancelled at any tick, the result is incomplete with a warning; trace, graph and counts agree."""
    for result in cut_short(lambda tick: run_of("survey_n2000", skeleton=skeleton, start=start, tick=tick)):
        assert result.trace.n_tests.sum() == result.n_tests


def test_gsc_needs_test_and_score_of_the_same_columns():
    data = references.dataset("asia_n2000")
    other = Dataset.from_codes(data.codes, data.arity, [f"v{k}" for k in range(data.p)])
    with pytest.raises(ParameterError, match="^test and score must be bound to the same columns"):
        gsc(DSeparation(references.true_dag("sachs_n1000")), BIC(other))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("alpha", 0),
        ("alpha", 1.0),
        ("max_cond_size", 0),
        ("tabu_length", 0),
        ("patience", 0),
        ("restarts", -1),
        ("perturbations", 0),
        ("max_parents", 0),
        ("skeleton", "iamb"),
        ("start", "full"),
        ("ties", "coin"),
    ],
)
def test_gsc_refuses_values_out_of_range(name, value):
    """A value out of range is refused before any test with a message that names the parameter."""
    data = references.dataset("asia_n2000")
    test = G2(data)
    with pytest.raises(ParameterError, match=f"^({name} must be|unknown {name} )"):
        gsc(test, BIC(data), **{name: value})
    assert test.n_tests == 0
