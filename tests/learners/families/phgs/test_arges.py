"""Tests of ARGES: a d-separation oracle, allowed insertions, trace and evidence."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from learners import (
    BIC,
    G2,
    PDAG,
    DataError,
    Dataset,
    DSeparation,
    FisherZ,
    GaussianBIC,
    Knowledge,
    ParameterError,
    arges,
    cpdag,
    ges,
    load_sample,
    random_gaussian_network,
    sample,
)
from learners.graphs.rules import Rule
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from learners.search.ges_search import equivalence_search
from tests import naive, populations
from tests.cancelling import cut_short

WAYS = [
    pytest.param(restriction, start, id=f"{restriction} {start}")
    for restriction in ("skeleton", "cig")
    for start in ("hgi", "empty")
]


def gaussian(p: int = 10, n: int = 500, seed: int = 1) -> Dataset:
    return sample(random_gaussian_network(p, 2 * p, seed=seed), n, seed=seed)


class Oracle(DSeparation):
    """A d-separation oracle with random distances, so that its clusters are random."""

    def distances(self, statistic: np.ndarray) -> np.ndarray:
        distance = np.triu(np.random.default_rng(len(statistic)).uniform(size=statistic.shape), 1)
        return distance + distance.T


def graph_of(dag: np.ndarray, seed: int, **settings) -> PDAG:
    """Return the result with a perfect test and the score of a population."""
    score = populations.gaussian_score(dag, np.random.default_rng(seed))
    test = Oracle(PDAG(dag), score.names)
    return arges(test, score, max_cond_size=None, **settings).graph


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("restriction", "start"), WAYS)
def test_arges_finds_the_true_class_with_perfect_tests(restriction, start):
    """With perfect tests, ARGES finds the class of sixty random DAGs with up to nine variables."""
    for seed in range(60):
        dag = naive.random_dag(np.random.default_rng(seed), 3 + seed % 7, 12)
        assert graph_of(dag, seed, restriction=restriction, start=start) == cpdag(PDAG(dag)), seed


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("allowed", "beside"), [("skeleton", "triples"), ("moral", "colliders")])
def test_shielded_triples_are_what_makes_the_restriction_safe(allowed, beside):
    """Restricted to the pairs of the skeleton, the search misses some true classes; with the triples it misses none."""
    missed = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        dag = naive.random_dag(rng, 6, 10)
        score, truth = populations.gaussian_score(dag, rng), cpdag(PDAG(dag))
        married = (dag.astype(int) @ dag.T > 0) & ~np.eye(6, dtype=bool)
        pairs = dag | dag.T | (married if allowed == "moral" else False)
        missed += equivalence_search(score, allowed=pairs).graph != truth
        assert equivalence_search(score, allowed=pairs, beside=beside).graph == truth
    assert missed > 0 or allowed == "moral"


@pytest.mark.parametrize(("restriction", "start"), WAYS)
def test_arges_adds_only_admissible_or_shielding_edges(restriction, start):
    """Each insertion is allowed by the graph before it."""
    data = gaussian(p=14, n=300)
    result = arges(FisherZ(data), GaussianBIC(data), restriction=restriction, start=start, alpha=0.001)
    trace, pairs = result.trace, result.extra.restriction.skeleton
    steps = dict(zip(trace.changes.tolist(), range(len(trace.changes)), strict=True))
    inserted = [(steps[t], event) for t, event in enumerate(trace) if event.rule is Rule.INSERT]
    assert inserted or start == "hgi"
    for step, event in inserted:
        before = trace.graph_at(step)
        common = set(before.adjacent(event.i)) & set(before.adjacent(event.j))
        if restriction == "cig":
            common = {k for k in common if before.mark(event.i, k) == before.mark(event.j, k) == "forward"}
        assert pairs[event.i, event.j] or common


@pytest.mark.parametrize(("restriction", "start"), WAYS)
def test_arges_trace_rebuilds_the_graph_and_its_scores(restriction, start):
    """Scores are NaN before the first DAG, then the score of the class; the last one is that of the result."""
    data = gaussian()
    test, score = FisherZ(data), GaussianBIC(data)
    result = arges(test, score, restriction=restriction, start=start)
    trace, scores = result.trace, result.extra.scores
    assert trace.graph_at(len(trace.changes)) == result.graph
    assert len(scores) == len(trace.changes) + 1
    assert scores[-1] == pytest.approx(result.score)
    assert result.score == pytest.approx(score.network(result.extra.dag))
    assert result.n_tests == test.n_tests > 0
    assert bool(result.extra.steps) == (start == "hgi")
    assert not any(result.graph.skeleton[tuple(pair)] for pair in result.sepsets)


@pytest.mark.parametrize("restriction", ["skeleton", "cig"])
def test_greedy_start_is_never_left_for_a_lower_score(restriction):
    """The final class scores at least as high as the initial DAG."""
    for seed in range(5):
        data = gaussian(seed=seed)
        result = arges(FisherZ(data), GaussianBIC(data), restriction=restriction)
        first = next(t for t, event in enumerate(result.trace) if event.phase == Phase(Stage.INITIAL_GRAPH))
        begin = int((result.trace.changes < first).sum())
        actual = result.extra.scores[begin:]
        assert result.score >= actual[np.isfinite(actual)][0]
        assert all(step.gain >= 0 for step in result.extra.steps if step.op != "drop")


@pytest.mark.compiled
def test_arges_on_categorical_data_keeps_near_the_skeleton():
    """On categorical data ARGES computes fewer scores than GES, since it considers only pairs near the skeleton."""
    data = load_sample("alarm").dataset
    result, free = arges(G2(data), BIC(data)), ges(BIC(data))
    assert result.n_scores < free.n_scores
    assert result.score < free.score
    assert result.score > free.score - 0.02 * abs(free.score)


@pytest.mark.parametrize("start", ["hgi", "empty"])
def test_knowledge_beats_the_tests(start):
    """A required pair is adjacent although tests separate it; a forbidden pair is not, although it shields a triple."""
    data = gaussian()
    plain = arges(FisherZ(data), GaussianBIC(data), start=start).graph
    absent = next(pair for pair in combinations(range(10), 2) if not plain.skeleton[pair])
    present = next(pair for pair in plain.edges() if not set(pair) & set(absent))
    named = [tuple(data.names[k] for k in pair) for pair in (absent, present, present[::-1])]
    known = Knowledge(required=(named[0],), forbidden=tuple(named[1:]))
    graph = arges(FisherZ(data), GaussianBIC(data), start=start, knowledge=known).graph
    assert graph.mark(*absent) == "forward"
    assert graph.mark(*present) == "none"


@pytest.mark.parametrize(("restriction", "start"), WAYS)
def test_a_cancelled_run_hands_over_what_it_has(restriction, start):
    data = gaussian()
    options = {"restriction": restriction, "start": start}
    assert list(
        cut_short(lambda tick: arges(FisherZ(data), GaussianBIC(data), **options, tick=tick), at=range(1, 40, 4))
    )


# --- conditioning on all other variables ------------------------------------------------------------------------------


def test_tests_given_the_rest_are_those_done_one_by_one():
    """Tests by the inverse correlation matrix equal tests by partial correlation."""
    data = gaussian(p=7, n=80)
    one_by_one, at_once = FisherZ(data), FisherZ(data)
    log_p = at_once.log_p_given_rest()
    for x, y in combinations(range(7), 2):
        expected = one_by_one.test(x, y, [k for k in range(7) if k not in (x, y)]).log_p
        assert log_p[x, y] == log_p[y, x] == pytest.approx(expected, rel=1e-9)
    assert at_once.n_tests == one_by_one.n_tests == 21
    assert (np.diag(log_p) == -math.inf).all()


def test_dependence_given_the_rest_is_adjacency_in_the_moral_graph():
    """With perfect tests, the pairs that are dependent given all other variables are the edges of the moral graph."""
    dag = naive.random_dag(np.random.default_rng(3), 7, 9)
    log_p = DSeparation(PDAG(dag)).log_p_given_rest()
    moral = dag | dag.T | ((dag.astype(int) @ dag.T) > 0)
    off = ~np.eye(7, dtype=bool)
    np.testing.assert_array_equal((log_p < 0)[off], moral[off])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.random.default_rng(0).normal(size=(9, 8)), "at least 10 rows for 8 columns, found 9"),
        (np.repeat(np.random.default_rng(0).normal(size=(50, 2)), 2, axis=1), "linearly independent columns"),
    ],
    ids=["rows", "copies"],
)
def test_tests_given_the_rest_say_what_is_in_the_way(values, message):
    """Too few rows, and columns that determine one another, are refused with a clear message."""
    data = Dataset.from_values(values, [f"v{k}" for k in range(values.shape[1])])
    with pytest.raises(DataError, match=message):
        arges(FisherZ(data), GaussianBIC(data), restriction="cig", start="empty")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"restriction": "moral"}, "unknown restriction"),
        ({"start": "best"}, "unknown start"),
        ({"alpha": 1.0}, "alpha must be in"),
        ({"max_cond_size": 0}, "max_cond_size must be"),
        ({"max_parents": 0}, "max_parents must be"),
    ],
    ids=str,
)
def test_arges_refuses_wrong_parameters_with_a_sentence(settings, message):
    """Invalid values are refused with a message that names the parameter."""
    data = gaussian(p=6, n=50)
    with pytest.raises(ParameterError, match=message):
        arges(FisherZ(data), GaussianBIC(data), **settings)


def test_arges_distinguishes_tests_from_moves():
    """The phases of the trace are tests, the greedy start, its class, insertions and deletions."""
    data = gaussian()
    result = arges(FisherZ(data), GaussianBIC(data))
    phases = [result.trace.phases[k] for k in dict.fromkeys(result.trace.phase.tolist())]
    assert phases[0] == Phase(Stage.LEVEL, size=0)
    stages = [phase.stage for phase in phases]
    expected = (Stage.INITIAL_GRAPH, Stage.EQUIVALENCE_CLASS, Stage.INSERTIONS)
    order = [stages.index(stage) for stage in expected if stage in stages]
    assert order == sorted(order)
    marks = [event.action for event in result.trace if event.phase.stage is Stage.EQUIVALENCE_CLASS]
    assert Action.UNORIENT in marks
