"""Tests of PATH: thresholds of an independent program, invariants of the solution path, and the trace."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import BIC, G2, Dataset, FisherZ, GaussianBIC, ParameterError, cpdag, path, pc, ppc
from learners.families.phgs.partitioned import CallKind
from learners.families.phgs.solution_path import thresholds
from learners.graphs.rules import Rule
from tests import references
from tests.cancelling import cut_short

SAMPLES = references.each(*references.DISCRETE)


def bound_to(name: str) -> tuple[G2, BIC]:
    """Return the test and the score on a sample."""
    data = references.dataset(name)
    return G2(data), BIC(data)


@pytest.mark.parametrize("name", SAMPLES)
def test_thresholds_equal_an_independent_program(name):
    """Thresholds from alpha 0.05 to 1e-5, at most ten, and their edge counts equal those of an independent program."""
    expected = references.load("path_thresholds")[name]
    at = {column: k for k, column in enumerate(references.dataset(name).names)}
    phi = np.zeros((len(at), len(at)))
    for a, b, p_value in expected["phi"]:
        phi[at[a], at[b]] = phi[at[b], at[a]] = p_value
    with np.errstate(divide="ignore"):
        log_phi = np.log(phi)
    found = thresholds(log_phi, math.log(0.05), math.log(1e-5), 10)
    np.testing.assert_allclose(np.exp(found), expected["sizes"], rtol=1e-9)
    upper = log_phi[np.triu_indices(len(at), 1)]
    assert [int((upper <= log_alpha + 1e-12).sum()) for log_alpha in found] == expected["sizes_edges"]


def test_thresholds_reach_zero_one_edge_at_a_time():
    """With one step per edge, no ties and alpha_min = 0, the sizes of the solutions are E, E - 1, ..., 0."""
    log_phi = np.zeros((4, 4))
    log_phi[np.triu_indices(4, 1)] = [-5.0, -900.0, -20.0, -0.1, -7.0, -3_000.0]
    log_phi += log_phi.T
    found = thresholds(log_phi, math.log(0.05), -math.inf, 6)
    upper = log_phi[np.triu_indices(4, 1)]
    assert [int((upper <= log_alpha).sum()) for log_alpha in found] == [5, 4, 3, 2, 1, 0]


@pytest.mark.compiled
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("skeleton", ["ppc", "pc"])
def test_path_counts_its_calls_by_phase_as_the_paper_does(name, skeleton):
    """The calls are the tests of the run plus one local score difference per family that changes between DAGs."""
    test, score = bound_to(name)
    extra = path(test, score, skeleton=skeleton).extra
    calls = dict(extra.calls)
    dags = extra.path.dags
    changed = sum(a.parents(j) != b.parents(j) for a, b in zip(dags, dags[1:], strict=False) for j in range(score.p))
    assert calls.pop(CallKind.SOLUTION_PATH) == changed
    below = (
        ppc(G2(references.dataset(name)), alpha=0.1).extra.calls
        if skeleton == "ppc"
        else {CallKind.TESTS: test.n_tests}
    )
    assert calls == below


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("skeleton", ["ppc", "pc"])
def test_path_solutions_are_nested_scored_and_chosen_by_score(name, skeleton):
    """Solutions are nested and have the scores of their DAGs; the densest of the best valid solutions is chosen."""
    test, score = bound_to(name)
    result = path(test, score, skeleton=skeleton)
    found = result.extra.path
    assert 2 <= len(found.graphs) <= 10
    assert found.log_alphas[0] == math.log(0.1)
    assert found.log_alphas[-1] == math.log(1e-5)
    for denser, sparser in zip(found.graphs, found.graphs[1:], strict=False):
        assert not (sparser.skeleton & ~denser.skeleton).any()
    for graph, dag, value, valid in zip(found.graphs, found.dags, found.scores, found.valid, strict=True):
        assert not dag.has_directed_cycle()
        assert value == pytest.approx(score.network(dag), rel=1e-12)
        assert not valid or np.array_equal(dag.skeleton, graph.skeleton)
    among = np.flatnonzero(found.valid) if found.valid.any() else np.arange(len(found.valid))
    assert found.choice == among[np.argmax(found.scores[among])]
    assert result.graph == found.graphs[found.choice]
    assert result.score == found.scores[found.choice]


@pytest.mark.compiled
@pytest.mark.parametrize("skeleton", ["ppc", "pc"])
def test_path_begins_where_its_run_ended(skeleton):
    """The first solution is the graph of the run; no test follows it, and the trace begins with the run."""
    test, score = bound_to("insurance_n1000")
    # PC orders its conditioning sets by the order of the columns.
    result = path(test, score, skeleton=skeleton, strongest_first=skeleton == "ppc")
    learner = ppc if skeleton == "ppc" else pc
    run = learner(G2(references.dataset("insurance_n1000")), alpha=0.1, max_cond_size=3)
    assert result.extra.path.graphs[0] == run.graph
    assert result.n_tests == run.n_tests
    np.testing.assert_array_equal(result.extra.log_phi, run.extra.log_phi)
    assert np.array_equal(result.trace.graph_at(result.extra.n_before).skeleton, run.graph.skeleton)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    taken = [event for event in result.trace if event.rule is Rule.THRESHOLD]
    assert len(taken) == run.graph.n_edges - result.graph.n_edges > 0
    for event in taken:
        assert event.log_p > math.log(event.threshold)
        assert event.cond == result.extra.hardest.between(event.i, event.j)


@pytest.mark.compiled
def test_path_finds_more_of_alarm_than_its_run():
    """With 2 000 rows the chosen threshold gives a graph closer to the truth than alpha = 0.1."""
    name = "alarm_n2000"
    truth = cpdag(references.true_dag(name))
    result = path(*bound_to(name))

    def jaccard(graph):
        right = sum(graph.mark(*edge) == truth.mark(*edge) for edge in truth.edges())
        return right / (truth.n_edges + graph.n_edges - right)

    assert jaccard(result.graph) > jaccard(result.extra.path.graphs[0])


def test_path_of_numbers():
    """PATH accepts continuous data, with Fisher's z and the Gaussian BIC."""
    data = references.dataset("gauss_p12_n500")
    result = path(FisherZ(data), GaussianBIC(data))
    assert result.complete
    assert result.extra.path.scores.max() >= result.score
    assert result.n_scores > 0


def test_path_cancelled_at_any_moment_hands_over_what_it_has():
    """Cancelled at any tick, the trace rebuilds the graph, and the result has no path."""
    data = references.dataset("survey_n2000")
    for result in cut_short(lambda tick: path(G2(data), BIC(data), tick=tick)):
        assert result.extra.path is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha_min": 0.1}, r"^alpha_min must be below alpha = 0.1, got 0.1; lower it"),
        ({"alpha_min": -1.0}, r"^alpha_min must be in \[0, 1\], got -1.0"),
        ({"tau": 1}, "^tau must be a whole number from 2 to 10,000, got 1"),
        ({"alpha": 0.0}, r"^alpha must be in \(0, 1\), got 0"),
        ({"skeleton": "mmpc"}, "^unknown skeleton 'mmpc'; did you mean"),
    ],
    ids=["equal", "negative", "tau", "alpha", "skeleton"],
)
def test_path_refuses_wrong_settings_with_a_sentence(settings, message):
    """Invalid settings are refused with a message that states the requirement, the value and the fix."""
    with pytest.raises(ParameterError, match=message):
        path(*bound_to("asia_n2000"), **settings)


def test_path_refuses_a_score_of_other_columns():
    """A score of other columns is refused, because it would give values for the wrong families."""
    data = references.dataset("asia_n2000")
    other = Dataset.from_codes(data.codes, data.arity, [f"v{k}" for k in range(data.p)])
    with pytest.raises(ParameterError, match="^test and score must be bound to the same columns"):
        path(G2(data), BIC(other))
