"""Tests of BOSS: known populations, a reference implementation swap by swap, knowledge, orders and trace."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import (
    BIC,
    PDAG,
    BDeu,
    Dataset,
    GaussianBIC,
    Knowledge,
    ParameterError,
    boss,
    cpdag,
    ges,
    learn,
    load_network,
    load_sample,
    sample,
)
from learners.common.progress import silent
from learners.graphs.knowledge import BoundKnowledge
from learners.kernels.search.hill_climbing import DELETE, REVERSE
from learners.networks.random_networks import random_gaussian_network
from learners.results.phases import Phase, Stage
from learners.scores import score as cached_score
from learners.search import order_climber as order_memory
from learners.search.ges_search import equivalence_search
from learners.search.order_climber import order_climber
from learners.search.order_search import order_search
from tests import naive, naive_orders, populations
from tests.cancelling import cut_short
from tests.learners.families.score_based.test_ges import SCORES, small_data


class Turns:
    """A random generator that draws as `np.random.Generator` does and records the drawn orders."""

    def __init__(self, seed: int) -> None:
        self.drawn: list[np.ndarray] = []
        self._rng = np.random.default_rng(seed)

    def permutation(self, n: int) -> np.ndarray:
        self.drawn.append(self._rng.permutation(n))
        return self.drawn[-1]


def parents_before(dag: PDAG, order: tuple[int, ...]) -> bool:
    """Return True if each edge points forward."""
    place = np.argsort(order)
    return all(place[i] < place[j] for i, j in np.argwhere(dag.amat))


# --- the truth ------------------------------------------------------------------------------------------------------


def test_by_default_categories_are_scored_by_bdeu_of_ten_rows_with_an_edge_penalty():
    """The default score is BDeu (ess 10) with an edge penalty; the reported score is that of the graph."""
    data = load_sample("asia").dataset
    settings = ({}, {"edge_penalty": 0.0, "ess": 1.0}, {"score": "bic"})
    scores = BDeu(data, ess=10.0, edge_penalty=None), BDeu(data), BIC(data)
    for own, score in zip(settings, scores, strict=True):
        result = learn("boss", data, **own)
        assert result.graph == boss(score).graph
        assert result.score == pytest.approx(score.network(result.extra.dag), rel=1e-12)


@pytest.mark.compiled
@pytest.mark.parametrize("key", ["hc", "tabu", "ges", pytest.param("boss", marks=pytest.mark.deep)])
def test_an_edge_penalty_prevents_edges_that_few_rows_do_not_support(key):
    """With rare levels plain BDeu adds far too many edges, which an edge penalty prevents."""
    network = load_network("hepar2")
    data = sample(network, 50, seed=8_601)
    plain, priced = (learn(key, data, score="bdeu", ess=10.0, edge_penalty=price) for price in (0.0, None))
    assert plain.graph.n_edges > 2 * network.dag.n_edges
    assert priced.graph.n_edges < network.dag.n_edges


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("seed", range(40))
def test_boss_finds_the_true_class_of_a_gaussian_population(seed):
    """BOSS finds the true class of DAGs with up to nine variables and a dozen strong edges.

    `python -m benchmarks orders` searches 200 of them.
    """
    rng = np.random.default_rng(seed)
    dag = naive.random_dag(rng, 3 + seed % 7, 12)
    assert boss(populations.gaussian_score(dag, rng), restarts=0).graph == cpdag(PDAG(dag))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("score", [BIC, BDeu])
def test_boss_finds_the_true_class_of_a_binary_population(score, seed):
    """BOSS finds the true class if the weighted rows are the exact joint distribution."""
    rng = np.random.default_rng(seed)
    dag = naive.random_dag(rng, 3 + seed % 3, 6)
    assert boss(score(populations.binary_rows(dag, rng)), restarts=0).graph == cpdag(PDAG(dag))


# --- the reference implementation -------------------------------------------------------------------------------------


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", SCORES)
def test_each_variable_moves_as_in_the_reference(kind, seed):
    """Positions, gains and parents equal the reference's, from a bad order and with the same random orders."""
    score, local = small_data(kind, 6 + seed % 2, seed)
    walk, turns, phase = order_climber(score, BoundKnowledge.none(score.p), 3), Turns(seed), Phase(Stage.MOVES)
    order = np.random.default_rng(seed).permutation(score.p)
    walk.arrange(order)
    walk.settle(phase, silent)
    walk.climb(phase, turns, silent)
    drawn = iter([turn.tolist() for turn in turns.drawn])
    reference, made = naive_orders.search(local, order.tolist(), lambda: next(drawn), 3)
    assert next(drawn, None) is None
    placed = walk.placements[-1]
    assert list(zip(*(one.tolist() for one in placed[:3]), strict=True)) == [move[:3] for move in made]
    assert placed.gains == pytest.approx([gain for *_, gain in made], abs=1e-6)
    assert walk.state.order.tolist() == reference.order
    parent = walk.point().parent
    assert {v: set(np.flatnonzero(parent[v]).tolist()) for v in reference.order} == {
        v: set(parents) for v, parents in reference.parents.items()
    }


def test_variables_of_the_reference_move():
    """From a bad order, variables of the reference implementation move in both directions."""
    ways = set()
    for seed in range(8):
        _, local = small_data("gaussian", 6, seed)
        order = np.random.default_rng(seed).permutation(6).tolist()
        _, made = naive_orders.search(local, order, lambda: range(6), 3)
        ways |= {place > home for _, home, place, _ in made}
    assert ways == {True, False}


# --- invariants -------------------------------------------------------------------------------------------------------


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", SCORES)
def test_no_single_change_betters_what_is_found(kind, seed):
    """No move of a variable, change of a parent set or deletion in the class gains, and the order fits the DAG."""
    score, local = small_data(kind, 6, seed)
    found = order_search(score, restarts=2, seed=seed)
    assert parents_before(found.dag, found.order)
    assert found.score == pytest.approx(score.network(found.dag))
    reference = naive_orders.Orders(local, [], 5)
    reference.order = list(found.order)
    reference.parents = {v: found.dag.parents(v) for v in found.order}
    for at, v in enumerate(found.order):
        parents = naive_orders.grown_and_shrunk(local, v, found.dag.parents(v), found.order[:at], 5)
        assert set(parents) == set(found.dag.parents(v))
        assert reference.tried(v)[0] == 0.0
    nothing = np.zeros((score.p, score.p), dtype=bool)
    assert equivalence_search(score, start=found.dag, allowed=nothing).operators == ()


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["bdeu", "gaussian"])
def test_result_does_not_depend_on_the_order_of_the_columns(kind, seed):
    """Permuted columns give the permuted graph, including directions and restarts."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(7)
    values = rng.normal(size=(150, 7)) @ (np.eye(7) + np.triu(rng.normal(size=(7, 7)) * (rng.random((7, 7)) < 0.5), 1))
    names = [f"v{k}" for k in range(7)]
    if kind == "gaussian":
        score = GaussianBIC(Dataset.from_values(values, names))
        other = GaussianBIC(Dataset.from_values(values[:, order], [names[k] for k in order]))
    else:
        codes = (values > 0.1 * np.arange(7)).T.astype(int)
        score = BDeu(Dataset.from_codes(codes, [2] * 7, names))
        other = BDeu(Dataset.from_codes(codes[order], [2] * 7, [names[k] for k in order]))
    found = boss(score, seed=seed)
    np.testing.assert_array_equal(boss(other, seed=seed).graph.amat, found.graph.amat[np.ix_(order, order)])
    assert len(found.extra.placements.nodes)


def test_restarts_only_better_the_score():
    """Restarts never lower the score, because the best order is kept; the seed determines them."""
    score = small_data("bdeu", 9, 1)[0]
    plain, more = boss(score, restarts=0), boss(score, restarts=4)
    assert more.score >= plain.score - 1e-6
    assert any(phase.stage is Stage.RESTART for phase in more.trace.phases)
    one, other = (boss(score, restarts=2, seed=seed).extra.placements.nodes.tolist() for seed in (1, 2))
    assert one != other


def test_max_parents_limits_the_families():
    score = small_data("gaussian", 8, 1)[0]
    assert boss(score, restarts=0).extra.dag.amat.sum(axis=0).max() > 1
    assert boss(score, restarts=1, max_parents=1).extra.dag.amat.sum(axis=0).max() == 1


@pytest.mark.deep
@pytest.mark.compiled
def test_more_variables_than_rows_are_searched():
    """With more variables than rows, the graph is sparse, and no family has more parents than the rows allow."""
    rng = np.random.default_rng(0)
    data = Dataset.from_values(rng.normal(size=(12, 30)), [f"v{k}" for k in range(30)])
    plain, priced = boss(GaussianBIC(data), max_parents=None), boss(GaussianBIC(data, penalty=4.0))
    assert plain.extra.dag.amat.sum(axis=0).max() <= 9
    assert priced.graph.n_edges < plain.graph.n_edges


# --- knowledge ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_knowledge_bounds_every_order_on_the_way(seed):
    """Required edges are present from the start; tiers and forbidden edges are respected at each step."""
    score, _ = small_data(SCORES[seed % 3], 7, seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(score.p)
    edges = [(score.names[order[a]], score.names[order[b]]) for a, b in combinations(range(score.p), 2)]
    chosen = rng.permutation(len(edges))[:4]
    known = Knowledge(
        required=(edges[chosen[0]], edges[chosen[1]]),
        forbidden=(edges[chosen[2]], edges[chosen[3]][::-1]),
        tiers={score.names[k]: int(place > 2) for place, k in enumerate(order)} if seed % 2 else {},
    )
    bound = known.bind(score.names)
    result = boss(score, knowledge=known, restarts=3, seed=seed)
    assert not (bound.required & ~result.extra.dag.amat).any()
    assert parents_before(result.extra.dag, result.extra.order)
    trace = result.trace
    for step in range(int(bound.required.sum()), len(trace.changes) + 1):
        amat = trace.graph_at(step).amat
        assert not (bound.required & ~amat).any()
        assert not (bound.excluded & amat & ~amat.T).any()
    place = np.argsort(result.extra.order)
    if seed % 2:  # each variable has a tier
        tier = np.array([known.tiers[name] for name in score.names])
        assert all(place[i] < place[j] for i, j in np.argwhere(tier[:, None] < tier[None, :]))


def test_tiers_of_some_variables_leave_ways_around_them():
    """If a variable has no tier, a later tier may precede an earlier one, so no order is excluded."""
    known = Knowledge(tiers={"a": 0, "b": 1}).bind(("a", "b", "c"))
    assert not order_climber(small_data("bic", 3, 0)[0], known, 2).rules.ahead.any()
    full = Knowledge(tiers={"a": 0, "b": 1, "c": 1}).bind(("a", "b", "c"))
    np.testing.assert_array_equal(
        np.argwhere(order_climber(small_data("bic", 3, 0)[0], full, 2).rules.ahead), [(0, 1), (0, 2)]
    )


# --- the trace ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SCORES)
def test_trace_moves_over_dags_and_records_each_gain(kind):
    """Each step is a DAG except deletions in the class and steps back; gains are differences of scores."""
    score, local = small_data(kind, 8, 3)
    result = boss(score, restarts=3)
    trace, scores = result.trace, result.extra.scores
    assert trace.graph_at(len(trace.changes)) == result.graph
    assert len(scores) == len(trace.changes) + 1
    for step, t in enumerate(trace.changes.tolist()):
        event = trace[t]
        if event.phase.stage in (Stage.MOVES, Stage.PERTURBATION, Stage.RESTART):
            after = trace.graph_at(step + 1)
            assert after.is_dag
            total = sum(local(j, after.parents(j)) for j in range(score.p))
            assert scores[step + 1] == pytest.approx(total, abs=1e-6)
            before = trace.graph_at(step)
            assert event.statistic == pytest.approx(total - sum(local(j, before.parents(j)) for j in range(score.p)))
    placed = result.extra.placements
    for begin, end, gain in zip(placed.begins, placed.ends, placed.gains, strict=True):
        assert scores[end] - scores[begin] == pytest.approx(gain, abs=1e-6)
    assert (placed.ends[:-1] <= placed.begins[1:]).all()


def test_deletions_in_the_class_are_recorded():
    """Deletions start at a DAG with too many edges and go through its class.

    One of the perturbed orders leads to such a DAG.
    """
    rng = np.random.default_rng(5)
    for seed in range(60):
        dag = naive.random_dag(np.random.default_rng(seed), 7, 12)
        found = order_search(populations.gaussian_score(dag, rng), restarts=5, seed=seed)
        phases = [made for made in found.phases if made.phase.stage is Stage.DELETIONS]
        if phases:
            ops = phases[0].moves[:, 0]
            assert ops[-1] == DELETE
            assert set(ops.tolist()) <= {DELETE, REVERSE}
            assert phases[0].gains.sum() > 0
            return
    raise AssertionError("no search deleted anything")


@pytest.mark.compiled
def test_growth_of_the_cache_changes_no_score(monkeypatch):
    """A cache that grows by quarters gives the same moves and number of scores as one that doubles."""
    data = sample(load_network("child"), 300, seed=1)
    monkeypatch.setattr(cached_score, "FIRST_SLOTS", 64)
    monkeypatch.setattr(cached_score, "LARGE_CACHE", 64)
    found = []
    for very_large in (64, 1 << 40):
        monkeypatch.setattr(cached_score, "VERY_LARGE_CACHE", very_large)
        found.append(order_search(BIC(data), restarts=1))
    by_quarters, doubled = found
    assert by_quarters.n_scores == doubled.n_scores
    assert by_quarters.score == doubled.score
    for one, other in zip(by_quarters.phases, doubled.phases, strict=True):
        np.testing.assert_array_equal(one.moves, other.moves)
        np.testing.assert_array_equal(one.scores, other.scores)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["categorical", "continuous"])
def test_what_the_search_remembers_changes_no_result(monkeypatch, kind):
    """A memory that is emptied all the time leads to the same moves and scores, up to rounding for numbers."""
    if kind == "categorical":
        score, tolerance = BDeu(sample(load_network("child"), 300, seed=2)), 0.0
    else:
        score, tolerance = GaussianBIC(sample(random_gaussian_network(70, 140, 2), 300, seed=2)), 1e-12
    found = []
    for candidates, scores in ((order_memory.N_REMEMBERED, order_memory.N_FAMILIES), (4, 1)):
        monkeypatch.setattr(order_memory, "N_REMEMBERED", candidates)
        monkeypatch.setattr(order_memory, "N_FAMILIES", scores)
        found.append(order_search(score.emptied(), restarts=1))
    remembered, forgotten = found
    assert remembered.n_scores < forgotten.n_scores
    assert remembered.order == forgotten.order
    assert remembered.score == pytest.approx(forgotten.score, rel=tolerance, abs=0.0)
    for one, other in zip(remembered.phases, forgotten.phases, strict=True):
        np.testing.assert_array_equal(one.moves, other.moves)
        np.testing.assert_allclose(one.scores, other.scores, rtol=tolerance)


def test_boss_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the result is incomplete with a warning, and the tick is not called again."""
    score = small_data("bic", 6, 2)[0]
    whole = boss(score, restarts=2)
    for result in cut_short(lambda tick: boss(score, restarts=2, tick=tick)):
        assert result.kind == "order"
        assert result.score <= whole.score + 1e-6


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["asia", "child", "insurance", "alarm"])
def test_boss_scores_at_least_what_ges_reaches(name):
    """BOSS scores at least as high as GES on these samples; no theorem guarantees it."""
    data = load_sample(name).dataset
    assert boss(BIC(data)).score >= ges(BIC(data)).score - 1e-6


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda score: boss(score, max_parents=0), "max_parents must be"),
        (lambda score: boss(score, restarts=-1), "restarts must be"),
        (
            lambda score: boss(score, max_parents=1, knowledge=Knowledge(required=(("asia", "xray"), ("tub", "xray")))),
            "at most 1 parents are possible",
        ),
    ],
    ids=["max_parents", "restarts", "required"],
)
def test_boss_refuses_wrong_parameters(call, message):
    score = BIC(load_sample("asia").dataset)
    with pytest.raises(ParameterError, match=message):
        call(score)
