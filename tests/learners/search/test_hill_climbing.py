"""Tests of hill climbing and tabu search: references, bnlearn, the tabu list, ties, knowledge and restarts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import BIC, PDAG, BDeu, Dataset, GaussianBIC, Knowledge, ParameterError, cpdag, hc, tabu
from learners.common import parallel
from learners.graphs.rules import Rule
from learners.kernels.scores.families import family_key, insert_score
from learners.kernels.search import hill_climbing
from learners.kernels.search.hill_climbing import ADD, DELETE, REVERSE, ClimbRules, ClimbState
from learners.networks.network import DiscreteNetwork
from learners.networks.random_networks import random_dag, random_gaussian_network
from learners.networks.sampling import sample
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from learners.scores.score import FamilyScore
from learners.search.climber import Climber
from learners.search.estimate import seconds_of_search
from learners.search.hill_climbing import Search, allowed_edges, greedy_search
from tests import naive, naive_scores, references
from tests.learners.scores.test_scores import dag_of

EXPECTED = references.load("bnlearn_scores")
RUNS = [
    pytest.param(
        name,
        run,
        id=f"{name} {run['algo']} {run['score']} {(run['options'] or {}).get('tabu', '')}",
        marks=[pytest.mark.compiled] * (name in references.LARGE),
    )
    for name, about in EXPECTED.items()
    for run in about["search"]
]


def score_of(name: str, key: str) -> FamilyScore:
    data = references.dataset(name)
    if data.kind == "continuous":
        return GaussianBIC(data)
    return BIC(data) if key == "bic" else BDeu(data, ess=float(key.removeprefix("bdeu")))


def continuous(p: int, n: int, seed: int, density: float = 0.5) -> Dataset:
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < density), 1)
    values = rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights)
    return Dataset.from_values(values[:, rng.permutation(p)], [f"v{k}" for k in range(p)])


def categorical(p: int, n: int, seed: int) -> Dataset:
    values = continuous(p, n, seed).values
    arity = 2 + np.arange(p) % 3
    codes = [np.searchsorted(np.quantile(values[:, k], np.arange(1, r) / r), values[:, k]) for k, r in enumerate(arity)]
    return Dataset.from_codes(codes, arity, [f"v{k}" for k in range(p)])


def score_for(kind: str, p: int, n: int, seed: int) -> FamilyScore:
    return GaussianBIC(continuous(p, n, seed)) if kind == "continuous" else BIC(categorical(p, n, seed))


class Table(FamilyScore):
    """A score whose family scores come from a function; its data are continuous noise."""

    def __init__(self, p: int, local) -> None:
        super().__init__(tuple("abcdefgh"[:p]), GaussianBIC(continuous(p, 50, 0)).sample)
        self.make_room(p * 2**p)
        for j in range(p):
            for mask in range(2**p):
                parents = [k for k in range(p) if mask >> k & 1]
                if j not in parents:
                    self._put(j, parents, local(j, tuple(parents)))

    def _put(self, j: int, parents: list[int], value: float) -> None:
        key = family_key(self.cache.edge_key, j, np.array(parents, dtype=np.int64))
        insert_score(self.cache, np.uint64(key), value)


def moves_of(search: Search) -> list[tuple[int, int, int]]:
    return [
        tuple(move) for one in search.phases if one.phase.stage is not Stage.BACK_TO_BEST for move in one.moves.tolist()
    ]


def check_replay(search: Search, score: FamilyScore) -> None:
    """Check that every move is legal and has the right gain, and that the phases end at the best DAG."""
    amat = search.start.amat.copy()
    for stage in search.phases:
        for (op, i, j), gain, after in zip(stage.moves.tolist(), stage.gains, stage.scores, strict=True):
            before = amat
            amat = naive_scores.moved(amat, op, i, j)
            if np.isfinite(gain):
                assert (op, i, j) in set(naive_scores.moves(before))
                assert score.network(PDAG(amat)) == pytest.approx(after, rel=1e-12)
                assert after - score.network(PDAG(before)) == pytest.approx(gain, abs=1e-7)
    assert PDAG(amat) == search.dag
    assert search.score == pytest.approx(score.network(search.dag), rel=1e-12)


def is_local_optimum(score: FamilyScore, dag: PDAG, allowed: np.ndarray | None = None) -> bool:
    own = score.network(dag)
    least = 1.001e-9 * max(1.0, abs(own))
    after = (naive_scores.moved(dag.amat, *move) for move in naive_scores.moves(dag.amat, allowed))
    return all(score.network(PDAG(amat)) <= own + least for amat in after)


def naive_best_move(score: FamilyScore, rules: ClimbRules, state: ClimbState, rounding: float) -> tuple:
    """Compare all moves one after another, child by child: edges into it added or removed, then reversed."""
    amat, p = state.parent.T.copy(), len(state.parent)
    single = state.toggled - state.local[:, None]
    best, best_place, chosen = -np.inf, 0, (-1, -1, -1, -np.inf)
    for j in range(p):
        changes = [(DELETE if state.parent[j, i] else ADD, i) for i in range(p)]
        for op, i in changes + [(REVERSE, i) for i in np.flatnonzero(state.parent[j])]:
            gain = single[j, i] + single[i, j] if op == REVERSE else single[j, i]
            place = (op * p + rules.order[i]) * p + rules.order[j]
            better = gain > best + rounding or (gain >= best - rounding and place < best_place)
            if gain == -np.inf or not better or hill_climbing.is_tabu(score.cache, state, op, i, j):
                continue
            if not amat[j, i] and naive.is_acyclic(naive_scores.moved(amat, op, i, j)):
                best, best_place, chosen = max(best, gain), place, (op, i, j, gain)
    return chosen


@pytest.mark.deep
@pytest.mark.parametrize(
    ("p", "length", "rounding"),
    [
        pytest.param(70, 0, 1e-7, marks=pytest.mark.compiled),
        pytest.param(70, 20, 1e-7, marks=pytest.mark.compiled),
        (9, 0, 1e-7),
        (9, 9, 0.5),
        (9, 0, 3.0),
        (9, 9, 40.0),
    ],
)
def test_bounds_hide_no_better_move(p, length, rounding):
    """The best move is that of a comparison of all moves, while edges are added, deleted and reversed.

    With 70 nodes ancestors take two words. With a large `rounding` many gains are equal in pairs but not all equal.
    """
    seed = length
    score = GaussianBIC(sample(random_gaussian_network(p, 2 * p, seed), 200, seed))
    order = np.random.default_rng(seed).permutation(p)
    rules = ClimbRules(~np.eye(p, dtype=bool), np.zeros((p, p), dtype=bool), 12, order, length)
    climber = Climber(score, rules, random_dag(p, 3, seed), length, "columns")
    state, no_stop, kinds = climber.state, np.zeros(1, dtype=np.int8), set()
    score.make_room(20_000)
    for step in range(150):
        hill_climbing.refresh(score.sample, score.cache, rules, state, no_stop)
        expected = naive_best_move(score, rules, state, rounding)
        found = hill_climbing.best_move(score.cache, rules, state, rounding)
        assert found == expected, step
        if found[0] < 0 or (not length and found[3] <= 0):
            break
        kinds.add(found[0])
        hill_climbing.apply_move(score.cache, state, *found)
        if step % 3 == 0:
            hill_climbing.keep_best(state, 0.0)
            assert np.array_equal(state.parent, state.best_parent)
    assert kinds == {ADD, DELETE, REVERSE} or p < 10
    ancestors = np.unpackbits(state.ancestors.view(np.uint8), axis=1, bitorder="little")[:, :p]
    reached = np.linalg.matrix_power(np.eye(p) + state.parent, p) > 0
    assert np.array_equal(ancestors, reached)
    assert (state.top < state.toggled.max(axis=1)).any() or p < 10


# --- reference runs and implementations -------------------------------------------------------------------------------


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize(("name", "run"), RUNS)
def test_search_by_columns_is_as_good_as_bnlearn(name, run):
    """With ties by columns hill climbing finds bnlearn's graph, and tabu search one at least as good."""
    score = score_of(name, run["score"])
    theirs = score.network(dag_of(run["modelstring"], score.names))
    if run["algo"] == "hc":
        found = hc(score, ties="columns")
    else:
        length = run["options"]["tabu"]
        found = tabu(score, tabu_length=length, patience=length, ties="columns")
    assert found.score >= theirs - 1e-9 * abs(theirs)


@pytest.mark.compiled
@pytest.mark.parametrize("ties", ["both", "data", "columns"])
@pytest.mark.parametrize("name", [name for name in references.load("exact_optimum") if name != "what"])
def test_search_never_exceeds_the_optimum_over_all_dags(name, ties):
    """The result is at least as good as the empty graph, and tabu search at least as good as hill climbing."""
    for key, best in references.load("exact_optimum")[name].items():
        score = score_of(name, "bic" if key.startswith("bic") else key)
        climbed = hc(score, ties=ties)
        searched = tabu(score, ties=ties)
        slack = 1e-9 * abs(best["value"])
        assert score.network(PDAG.empty(score.p)) < climbed.score <= searched.score + slack <= best["value"] + 2 * slack


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
@pytest.mark.parametrize(("length", "patience"), [(0, 0), (1, 4), (3, 12), (30, 30)], ids=str)
def test_search_makes_the_moves_of_its_reference(kind, length, patience, seed):
    """Moves, also those that lower the score, equal the reference's from any start, with some edges not allowed."""
    p = 5
    score = score_for(kind, p, 120, seed)
    rng = np.random.default_rng(seed)
    allowed = rng.random((p, p)) < 0.8 if seed % 2 else None
    start = random_dag(p, 1.5, seed) if seed % 3 == 0 else None
    found = greedy_search(score, start=start, allowed=allowed, tabu_length=length, patience=patience, ties="columns")
    best, best_score, moves = naive_scores.greedy_search(
        score.local,
        p,
        tabu_length=length,
        patience=patience,
        start=None if start is None else start.amat,
        allowed=allowed,
    )
    assert moves_of(found) == moves
    assert found.dag == PDAG(best)
    assert found.score == pytest.approx(best_score, rel=1e-12)
    check_replay(found, score)


# --- invariants -------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from(["continuous", "categorical"]),
    seed=st.integers(0, 1_000),
    p=st.integers(2, 7),
    most=st.sampled_from([None, 1, 2]),
    ties=st.sampled_from(["data", "reverse", "columns"]),
)
def test_hill_climbing_ends_at_a_local_optimum(kind, seed, p, most, ties):
    """Each move has a positive gain, the gains add up, and no further legal move gains."""
    score = score_for(kind, p, 100, seed)
    found = greedy_search(score, max_parents=most, ties=ties)
    check_replay(found, score)
    assert all(gain > 0 for stage in found.phases for gain in stage.gains)
    if most is None:
        assert is_local_optimum(score, found.dag)
    else:
        assert found.dag.amat.sum(axis=0).max() <= most


@pytest.mark.parametrize("learner", [hc, tabu])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
def test_greedy_graph_does_not_depend_on_the_order_of_the_columns(kind, seed, learner):
    """Permuted columns give the permuted graph, because the data break ties."""
    data = continuous(8, 300, seed) if kind == "continuous" else categorical(8, 300, seed)
    make = GaussianBIC if kind == "continuous" else BIC
    order = np.random.default_rng(seed).permutation(8).tolist()
    graph = learner(make(data)).graph
    assert learner(make(data.select(order))).graph == PDAG(graph.amat[np.ix_(order, order)])


@pytest.mark.parametrize("learner", [hc, tabu])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["continuous", "categorical"])
def test_of_two_searches_the_better_one_is_returned(kind, seed, learner):
    """The result has the moves, score and graph of the better search, and also records the score of the other one."""
    score = score_for(kind, 8, 150, seed)
    result = learner(score)
    bests = {ties: searched_with_one_order(learner, score, ties) for ties in ("data", "reverse")}
    kept = bests[result.extra.ties]
    (other,) = (one for ties, one in bests.items() if ties != result.extra.ties)
    assert result.score == kept.score >= other.score - 1e-9 * abs(other.score)
    assert result.extra.other_score == other.score
    assert result.extra.dag == kept.dag
    events = [event for event in result.trace if event.phase.stage is Stage.MOVES]
    assert len(events) == sum(len(one.moves) for one in kept.phases if one.phase.stage is Stage.MOVES)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph


def searched_with_one_order(learner, score: FamilyScore, ties: str) -> Search:
    """Run the search with a learner's defaults and one order of ties."""
    own = {"tabu_length": 100, "patience": 100} if learner is tabu else {}
    return greedy_search(score, max_parents=12, ties=ties, **own)


def test_the_other_way_to_settle_ties_is_kept_where_it_is_better():
    kept = [hc(score_for("categorical", 8, 150, seed)).extra.ties for seed in range(12)]
    assert set(kept) == {"data", "reverse"}


def test_of_a_search_cancelled_in_its_second_half_the_first_is_returned():
    """If the second search is cancelled, the graph of the first search is returned, marked as incomplete."""
    score = score_for("continuous", 8, 150, 3)
    alone, begun = greedy_search(score, max_parents=12, ties="data"), []

    def refuse(phase: str, _done: int, _total: int) -> bool:
        begun.append(phase) if phase == "moves" else None
        return len(begun) < 2

    result = hc(score, tick=refuse)
    assert not result.complete
    assert result.extra.dag == alone.dag


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_greedy_search_recovers_a_class_with_strong_dependence(seed):
    """With six variables, strong dependence and many rows, the search finds the true class."""
    network = strong_network(seed)
    data = sample(network, 20_000, seed)
    assert tabu(BIC(data)).graph == cpdag(network.dag)


def strong_network(seed: int) -> DiscreteNetwork:
    """Return binary variables whose probability of 1 rises with the configuration of the parents from 0.08 to 0.92."""
    rng = np.random.default_rng(seed)
    dag = PDAG.from_edges(6, directed=[(0, 1), (0, 2), (3, 2), (2, 4), (3, 5)])
    cpts = []
    for j in range(6):
        q = 2 ** len(dag.parents(j))
        one = (np.linspace(0.08, 0.92, q) if q > 1 else np.array([0.5])) + rng.uniform(-0.04, 0.04, q)
        cpts.append(np.column_stack([1 - one, one]))
    return DiscreteNetwork(tuple("abcdef"), (("0", "1"),) * 6, dag, tuple(cpts))


# --- ties and the tabu list, by hand --------------------------------------------------------------------------------


def test_ties_go_to_additions_first_and_to_the_smallest_columns():
    """All edges gain 1 in both directions, so the order is 0 -> 1, 0 -> 2, 1 -> 2."""
    found = greedy_search(Table(3, lambda _, parents: float(len(parents))), ties="columns")
    assert moves_of(found) == [(0, 0, 1), (0, 0, 2), (0, 1, 2)]


def test_ties_between_kinds_of_moves_prefer_additions_then_deletions():
    """Of three moves that gain 1, adding 0 -> 1 comes first, then deleting 1 -> 2, then reversing it."""
    values = {(1, (0,)): 1.0, (2, ()): 1.0}
    start = PDAG.from_edges(3, directed=[(1, 2)])

    def first_move() -> tuple[int, int, int]:
        score = Table(3, lambda j, parents: values.get((j, parents), -9.0 if len(parents) > 1 else 0.0))
        return moves_of(greedy_search(score, start=start, ties="columns"))[0]

    assert first_move() == (0, 0, 1)
    values[1, (0,)] = -9.0
    assert first_move() == (1, 1, 2)
    values[1, (2,)] = 0.5
    assert first_move() == (2, 1, 2)


def test_tabu_search_goes_downhill_and_returns_the_best():
    """If the only edge lowers the score, the search adds 0 -> 1, reverses it, and returns the empty graph."""
    score = Table(2, lambda _, parents: -float(len(parents)))
    found = greedy_search(score, tabu_length=5, patience=10, ties="columns")
    assert moves_of(found) == [(0, 0, 1), (2, 0, 1)]
    assert found.dag == PDAG.empty(2)
    assert found.score == 0.0
    assert found.phases[-1].phase == Phase(Stage.BACK_TO_BEST)
    assert found.phases[-1].moves.tolist() == [[1, 1, 0]]


def test_tabu_list_of_one_forbids_only_the_structure_it_stands_on():
    """With a tabu list of length one, the search alternates between two DAGs until its patience ends."""
    score = Table(2, lambda _, parents: -float(len(parents)))
    found = greedy_search(score, tabu_length=1, patience=4, ties="columns")
    assert moves_of(found) == [(0, 0, 1), (1, 0, 1), (0, 0, 1), (1, 0, 1)]


def test_tabu_list_forgets_the_oldest_structure():
    """A tabu list of length two contains the current and the previous DAG, but not the start two moves ago."""
    score = Table(2, lambda _, parents: -float(len(parents)))
    found = greedy_search(score, tabu_length=2, patience=6, ties="columns")
    assert moves_of(found) == [(0, 0, 1), (2, 0, 1), (1, 1, 0), (0, 0, 1), (2, 0, 1), (1, 1, 0)]


@pytest.mark.parametrize("patience", [1, 3, 7])
def test_tabu_patience_counts_moves_since_the_last_best(patience):
    """The search ends the given number of moves after the best DAG; an equal score is not a new best."""
    score = score_for("continuous", 6, 200, 3)
    found = greedy_search(score, tabu_length=50, patience=patience)
    scores = np.concatenate([stage.scores for stage in found.phases if stage.phase.stage is Stage.MOVES])
    best = int(np.argmax(scores > scores.max() - 1e-6))
    assert len(scores) - 1 - best == patience
    assert scores[best] == found.score


def test_tabu_visits_no_structure_twice_within_its_list():
    score = score_for("categorical", 5, 200, 1)
    found = greedy_search(score, tabu_length=20, patience=60)
    amat, visited = found.start.amat, [found.start.amat.tobytes()]
    for move in moves_of(found):
        amat = naive_scores.moved(amat, *move)
        assert amat.tobytes() not in visited[-20:]
        visited.append(amat.tobytes())


# --- restarts -------------------------------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.compiled
def test_restarts_are_the_same_for_the_same_seed_and_never_lose():
    """The same seed gives the same moves, another seed gives others; more restarts never lower the score."""
    score = BDeu(references.dataset("sachs_n1000"))
    plain = greedy_search(score)
    runs = [greedy_search(score, restarts=5, perturbations=6, seed=seed) for seed in (1, 1, 2)]
    assert moves_of(runs[0]) == moves_of(runs[1])
    assert moves_of(runs[0]) != moves_of(runs[2])
    for run in runs:
        check_replay(run, score)
        assert run.score >= plain.score
        perturbed = [stage for stage in run.phases if stage.phase.stage is Stage.PERTURBATION]
        assert [len(stage.moves) for stage in perturbed] == [6] * 5


@pytest.mark.compiled
def test_restarts_escape_a_local_optimum():
    """On sachs the best of 40 restarts scores higher than plain hill climbing."""
    score = BIC(references.dataset("sachs_n1000"))
    assert hc(score, restarts=40, seed=0, ties="columns").score > hc(score, ties="columns").score + 1.0


# --- knowledge and allowed edges ------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1_000),
    kind=st.sampled_from(["continuous", "categorical"]),
    learner=st.sampled_from([hc, tabu]),
    data=st.data(),
)
def test_greedy_search_respects_knowledge_in_every_graph(seed, kind, learner, data):
    """In every DAG and in the class, required edges are present from the first move and excluded edges are absent."""
    p = 6
    score = score_for(kind, p, 100, seed)
    names = score.names
    rng = np.random.default_rng(seed)
    order = rng.permutation(p).tolist()
    required = [(order[a], order[b]) for a in range(p) for b in range(a + 1, p) if rng.random() < 0.15]
    forbidden = [(i, j) for i in range(p) for j in range(p) if i != j and rng.random() < 0.2 and (i, j) not in required]
    tiers = {names[k]: int(rng.integers(0, 2)) for k in range(p)} if data.draw(st.booleans()) else {}
    required = [(i, j) for i, j in required if tiers.get(names[i], 0) <= tiers.get(names[j], 0)]
    known = Knowledge(
        required=tuple((names[i], names[j]) for i, j in required),
        forbidden=tuple((names[i], names[j]) for i, j in forbidden),
        tiers=tiers,
    )
    options = {"restarts": 2, "perturbations": 3} if learner is hc else {"patience": 20}
    result = learner(score, knowledge=known, **options)
    excluded = known.bind(names).excluded
    for step in range(len(required), len(result.trace.changes) + 1):
        graph = result.trace.graph_at(step)
        assert all(graph.amat[i, j] for i, j in required)
        assert not ((graph.amat & ~graph.amat.T) & excluded).any()
    assert all(result.graph.mark(i, j) == "forward" for i, j in required)
    assert not (result.graph.amat & ~result.graph.amat.T & excluded).any()
    assert np.array_equal(result.graph.skeleton, result.extra.dag.skeleton)
    directed = result.graph.amat & ~result.graph.amat.T
    assert not (directed & ~result.extra.dag.amat).any()


def test_greedy_search_adds_only_allowed_edges():
    """Only allowed edges are added, and the result is a local optimum among graphs of such edges."""
    score = score_for("continuous", 7, 300, 5)
    allowed = np.random.default_rng(5).random((7, 7)) < 0.4
    found = greedy_search(score, allowed=allowed)
    assert not (found.dag.amat & ~allowed).any()
    assert found.dag.n_edges > 0
    assert is_local_optimum(score, found.dag, allowed)


def test_greedy_search_begins_at_its_start():
    """A search that starts at an optimum makes no move; edges of the start that are not allowed may stay."""
    score = score_for("continuous", 6, 300, 2)
    best = greedy_search(score).dag
    again = greedy_search(score, start=best, allowed=np.zeros((6, 6), dtype=bool))
    assert again.phases == ()
    assert again.dag == best


# --- results --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [hc, tabu])
def test_greedy_result_records_the_whole_search(learner):
    """Trace, scores of every step, strengths and counts agree with the DAG."""
    score = BIC(references.dataset("child_n2000"))
    result = learner(score)
    dag, trace = result.extra.dag, result.trace
    assert result.graph == cpdag(dag)
    assert result.score == pytest.approx(score.network(dag))
    assert result.n_scores == score.n_scores
    assert result.n_tests == 0
    assert len(result.extra.scores) == len(trace.changes) + 1
    stages = [trace.phases[k].stage for k in dict.fromkeys(trace.phase.tolist())]
    assert stages == [Stage.MOVES, *([Stage.BACK_TO_BEST] if learner is tabu else []), Stage.EQUIVALENCE_CLASS]
    for step in range(0, len(trace.changes) + 1, 7):
        graph = trace.graph_at(step)
        if graph.is_dag and np.isfinite(result.extra.scores[step]):
            assert score.network(graph) == pytest.approx(result.extra.scores[step], rel=1e-12)
    for step, t in enumerate(trace.changes.tolist()):
        event = trace[t]
        if event.phase == Phase(Stage.MOVES):
            assert event.statistic == pytest.approx(result.extra.scores[step + 1] - result.extra.scores[step], abs=1e-7)
            assert event.action == (Action.REMOVE if event.rule is Rule.DELETE else Action.ORIENT)
            assert set(event.cond) == set(trace.graph_at(step).parents(event.j)) - {event.i}
    for i, j in dag.directed_edges():
        without = dag.amat.copy()
        without[i, j] = False
        loss = result.score - score.network(PDAG(without))
        assert result.strengths.values[i, j] == result.strengths.values[j, i] == pytest.approx(loss, abs=1e-6)
    assert np.isnan(result.strengths.values[~dag.skeleton]).all()


@pytest.mark.parametrize("learner", [hc, tabu])
@pytest.mark.parametrize("no_at", [1, 2, 3, 5])
def test_greedy_search_cancelled_keeps_the_best_so_far(learner, no_at, monkeypatch):
    """If the search is cancelled, the DAG is the best one so far, and the trace ends at its class."""
    monkeypatch.setattr(parallel, "TICK_SECONDS", 0.001)
    score = BIC(references.dataset("alarm_n2000"))
    asked = []

    def refuse(phase: str, done: int, total: int) -> bool:
        asked.append((phase, done, total))
        return len(asked) < no_at

    result = learner(score, tick=refuse)
    assert len(asked) <= no_at
    if len(asked) == no_at:
        assert not result.complete
        assert "cancelled" in result.warnings[0]
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph == cpdag(result.extra.dag)
    scores = result.extra.scores
    assert result.score == pytest.approx(np.nanmax(scores))
    if no_at == 1:
        assert result.graph.n_edges == 0


@pytest.mark.deep
def test_greedy_search_logs_more_moves_than_it_had_room_for():
    """The log of moves and the cache grow during the search without losing entries."""
    score = score_for("continuous", 6, 100, 0)
    found = greedy_search(score, tabu_length=1_500, patience=1_500)
    assert sum(len(stage.moves) for stage in found.phases) > 1_500
    check_replay(found, score)


def test_seconds_of_search_grow_with_the_moves():
    """The estimated time of a search is positive."""
    score = score_for("continuous", 6, 100, 0)
    assert seconds_of_search(score) > 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"restarts": -1}, "restarts must be a whole number from 0 to 1,000, got -1"),
        ({"perturbations": 0}, "perturbations must be a whole number from 1 to 1,000, got 0"),
        ({"max_parents": 0}, "max_parents must be a whole number from 1 to 100, got 0"),
        ({"ties": "coin"}, "unknown ties 'coin'"),
        ({"ties": "reverse"}, "unknown ties 'reverse'"),
        ({"start": PDAG.complete(4)}, "the graph must be a DAG"),
        ({"start": PDAG.empty(3)}, "start must have a node for each of 4 variables, got 3"),
        (
            {"start": PDAG.from_edges(4, directed=[(0, 3), (1, 3)]), "max_parents": 1},
            re.escape("at most 1 parents are possible, "),
        ),
        (
            {"start": PDAG.from_edges(4, directed=[(1, 0)]), "knowledge": Knowledge(required=(("v0", "v1"),))},
            "start must respect the knowledge, which rules out 'v1' -> 'v0'",
        ),
        (
            {"start": PDAG.from_edges(4, directed=[(1, 0)]), "knowledge": Knowledge(forbidden=(("v1", "v0"),))},
            "start must respect the knowledge, which rules out 'v1' -> 'v0'",
        ),
        (
            {
                "start": PDAG.from_edges(4, directed=[(1, 2), (2, 0)]),
                "knowledge": Knowledge(required=(("v0", "v1"),)),
            },
            "start and the required edges must not form a cycle",
        ),
    ],
    ids=["restarts", "moves", "parents", "ties", "way", "no dag", "size", "crowded", "reversed", "forbidden", "cycle"],
)
def test_hill_climbing_refuses_wrong_settings(options, message):
    with pytest.raises(ParameterError, match="^" + message):
        hc(score_for("continuous", 4, 50, 0), **options)


@pytest.mark.parametrize(("name", "value"), [("tabu_length", 0), ("patience", 0)])
def test_tabu_refuses_lists_and_patience_of_nothing(name, value):
    """A tabu list or a patience of 0 is refused, because either would turn the search into hill climbing."""
    with pytest.raises(ParameterError, match=f"^{name} must be a whole number from 1 to 100,000, got 0"):
        tabu(score_for("continuous", 4, 50, 0), **{name: value})


def test_greedy_search_takes_many_variables():
    """With 90 variables, whose ancestor sets need two words, the result is a DAG and optimal among sampled moves."""
    data = sample(random_gaussian_network(90, 150, seed=1), 400, seed=1)
    score = GaussianBIC(data)
    found = greedy_search(score)
    assert found.dag.is_dag
    assert found.dag.n_edges > 90
    own, rng = score.network(found.dag), np.random.default_rng(0)
    options = list(naive_scores.moves(found.dag.amat[:20, :20]))
    for op, i, j in (options[k] for k in rng.choice(len(options), 60)):
        after = PDAG(naive_scores.moved(found.dag.amat, op, i, j))
        if after.is_dag:
            assert score.network(after) <= own + 1e-6


@pytest.mark.parametrize("allowed", [[], [[1], [1, 2]], [(0, 1)], None])
def test_allowed_edges_are_a_square_matrix(allowed):
    if allowed is None:
        assert allowed_edges(None, 3).all()
    else:
        with pytest.raises(ParameterError, match="^allowed must be a matrix with 3 rows and 3 columns"):
            allowed_edges(allowed, 3)
