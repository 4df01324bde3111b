"""Tests of LMM: recorded traces, a reference implementation, the oracle, and invariants of moves and ranking."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import (
    G2,
    PDAG,
    DataError,
    Dataset,
    DegenerateGaussian,
    DependenceOracle,
    DependencePosterior,
    FisherZ,
    Knowledge,
    LearnResult,
    ParameterError,
    learn,
    random_mixed_network,
    sample,
)
from learners.families.lmm import resumable_run
from learners.families.lmm.lmm import lmm
from learners.families.lmm.orientation import Orienter, separating_sets
from learners.families.lmm.ranking import Moves
from learners.families.lmm.resumable_run import Elimination
from learners.families.lmm.settings import OMEGA
from learners.graphs.cpdag import cpdag
from learners.graphs.knowledge import BoundKnowledge
from learners.kernels.lmm.dependence import joint_key
from learners.kernels.lmm.elimination import DONE, advance, start_pairs
from learners.kernels.lmm.state import N_EDGES, N_LOG, NEXT, LMMRules
from learners.results.trace import TraceBuilder
from learners.search.orientation import orient_skeleton
from tests import naive, naive_lmm, references

NAMES = {Moves.ADDED: "added", Moves.DROPPED: "dropped", Moves.AWARE: "aware"} | {
    Moves.UNAWARE: "unaware",
    Moves.ELIMINATED: "eliminated",
}


def gaussian(p: int, n: int, seed: int, density: float = 0.5) -> np.ndarray:
    """Draw a sample of a random linear network."""
    rng = np.random.default_rng([seed, p, n])
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < density), 1)
    return rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights)


def posterior(values: np.ndarray, prior: float | None = None) -> DependencePosterior:
    names = [f"v{k}" for k in range(values.shape[1])]
    return DependencePosterior(Dataset.from_values(values, names), prior=prior)


def moves_of(result: LearnResult) -> list[tuple]:
    """Return the moves in order as (action, i, j, iteration, i is aware of j, j is aware of i)."""
    moves = result.extra.moves
    return [
        (NAMES[int(what)], int(i), int(j), int(iteration), bool(aware[0]), bool(aware[1]))
        for what, i, j, iteration, aware in zip(moves.what, moves.i, moves.j, moves.iteration, moves.aware, strict=True)
    ]


def final(result: LearnResult) -> PDAG:
    return result.trace.graph_at(len(result.trace.changes))


# --- recorded runs --------------------------------------------------------------------------------------------------

RECORDED = [
    pytest.param(name, run, id=f"{name} {run['label']}")
    for name in references.GAUSSIAN
    for run in references.load(f"lmm_trace_{name}")["runs"]
]


def recorded_run(name: str, run: dict) -> LearnResult:
    return lmm(
        DependencePosterior(references.dataset(name)),
        omega=run["omega"],
        max_size=run["MaxSize"],
        criterion="product" if run["joint"] == "product" else "minimum",
    )


@pytest.mark.parametrize(("name", "run"), RECORDED)
def test_lmm_makes_the_moves_of_an_independent_program(name, run):
    """Additions (with their aware ends) and optimisations occur in the recorded order."""
    result = recorded_run(name, run)
    column, trace = result.names, []
    for what, i, j, _, i_knows, j_knows in moves_of(result)[: result.extra.moves.n_forward]:
        if what == "added":
            trace.append(["add", column[i], column[j], int(i_knows), int(j_knows)])
        elif what == "dropped":
            trace.append(["opt1", column[i], column[j]])
        else:
            trace.append(["opt2" if what == "aware" else "opt3", column[j], column[i]])
    assert trace == run["trace"]


@pytest.mark.parametrize(("name", "run"), RECORDED)
def test_lmm_ranking_equals_an_independent_program(name, run):
    """The ranking is the reverse order of elimination, with the recorded keys.

    The awareness at the end of the selection is the recorded one.
    """
    result = recorded_run(name, run)
    column, moves = result.names, result.extra.moves
    assert [[column[i], column[j]] for i, j in result.extra.pairs] == [entry[:2] for entry in run["rank"]]
    for move, entry in zip(result.extra.ranked, run["rank"], strict=True):
        if len(entry) > 2:
            assert moves.key[move] == pytest.approx(entry[2], rel=1e-9)
    knows = {name: [] for name in column}
    for move in result.extra.ranked:
        i, j = column[moves.i[move]], column[moves.j[move]]
        for end, other, aware in ((i, j, moves.aware[move, 0]), (j, i, moves.aware[move, 1])):
            if aware:
                knows[end].append(other)
    assert {name: sorted(others) for name, others in knows.items()} == run["CP_after_forward"]


@pytest.mark.parametrize(("name", "run"), RECORDED)
def test_lmm_keys_at_the_end_of_selection_equal_an_independent_program(name, run):
    """The first eliminated edge is the one with the smallest recorded key, and every selected edge is ranked."""
    result = recorded_run(name, run)
    column, moves = result.names, result.extra.moves
    expected = {frozenset(entry[:2]): entry[2] for entry in run["edges_after_forward"]}
    assert {frozenset(column[k] for k in pair) for pair in result.extra.pairs} == expected.keys()
    first = moves.n_forward
    pair = frozenset((column[moves.i[first]], column[moves.j[first]]))
    assert expected[pair] == min(expected.values())
    assert moves.key[first] == pytest.approx(expected[pair], rel=1e-9)


@pytest.mark.parametrize("name", references.GAUSSIAN)
def test_lmm_eo_on_the_true_skeleton_equals_an_independent_program(name):
    """The CDs of the triples in order, the accepted triples and all directions equal the recorded ones."""
    expected, dataset = (
        references.load(f"lmm_trace_{name}")["edge_orientation_on_true_skeleton"],
        references.dataset(name),
    )
    skeleton = references.true_dag(name).skeleton
    graph, found = Orienter(DependencePosterior(dataset).evidence(4), skeleton, 4).cpdag()
    column = dataset.names
    assert [[column[k] for k in triple] for triple in found.triples] == [entry[:3] for entry in expected["triples"]]
    np.testing.assert_allclose(found.induced, [entry[3] for entry in expected["triples"]], atol=2e-12)
    assert found.accepted.tolist() == [entry[4] for entry in expected["triples"]]
    assert {(column[i], column[j]) for i, j in graph.directed_edges()} == {tuple(e) for e in expected["directed"]}
    assert {frozenset((column[i], column[j])) for i, j in graph.undirected_edges()} == {
        frozenset(e) for e in expected["undirected"]
    }


# --- the naive reference implementation -----------------------------------------------------------------------------


def random_problem(seed: int) -> tuple[np.ndarray, dict]:
    """Draw a problem with up to 9 variables, 8 to 200 rows, and any options."""
    rng = np.random.default_rng([seed, 77])
    p, n = int(rng.integers(3, 10)), int(rng.choice([8, 12, 20, 40, 100, 200]))
    options = {
        "omega": float(rng.choice([1e-6, 0.01, 0.3, 1.0])),
        "gamma": float(rng.choice([0.0, 0.0, 0.1, 0.5, 0.9])),
        "max_size": [None, 2 * p, p, 3][rng.integers(4)],
        "min_size": int(rng.choice([0, 0, 1, 3])),
        "max_cond_size": int(rng.integers(0, 5)),
        "opt_every": [None, 1, 3][rng.integers(3)],
        "cooldown": int(rng.choice([0, 3, 10])),
        "criterion": str(rng.choice(["product", "minimum"])),
        "orientation": str(rng.choice(["lmm_eo", "lmm_eo", "pc", "none"])),
    }
    return gaussian(p, n, seed, float(rng.choice([0.2, 0.4, 0.7]))), options


def twin_of(values: np.ndarray, options: dict, prior: float, required: tuple = (), barred: tuple = ()) -> naive_lmm.LMM:
    p = values.shape[1]
    corr = np.eye(p)
    varying = values.std(axis=0) > 1e-12
    corr[np.ix_(varying, varying)] = np.corrcoef(values[:, varying].T)
    most = options["max_size"]
    if most is None:
        most = p * p if options["gamma"] else max(round(2.5 * p), options["min_size"])
    return naive_lmm.LMM(
        value=naive_lmm.from_data(corr, len(values), prior),
        p=p,
        omega=options["omega"],
        gamma=options["gamma"],
        max_size=most,
        cap=options["max_cond_size"],
        opt_every=options["opt_every"],
        cooldown=options["cooldown"],
        product=options["criterion"] == "product",
        required=frozenset(map(frozenset, required)),
        barred=frozenset(map(frozenset, barred)),
    ).run()


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed < 12 else pytest.mark.compiled) for seed in range(200)]
)
def test_lmm_equals_its_reference(seed):
    """Moves, awareness, keys, one-sided values, ranking, chosen skeleton and directions equal the reference."""
    values, options = random_problem(seed)
    data = posterior(values)
    result = lmm(data, **options)
    reference = twin_of(values, options, data.prior.dependent)
    assert moves_of(result) == [move[:6] for move in reference.moves]
    moves = result.extra.moves
    numbers = np.array([move[6:] for move in reference.moves]).reshape(-1, 3)
    np.testing.assert_allclose(np.column_stack([moves.key, moves.one_sided]), numbers, rtol=1e-7, atol=1e-9)
    threshold = 0.03 if not options["gamma"] and not options["min_size"] else options["gamma"]
    skeleton = reference.skeleton(threshold, options["min_size"])
    assert np.array_equal(result.graph.skeleton, skeleton)
    expected = skeleton
    if options["orientation"] == "lmm_eo":
        expected = naive_lmm.lmm_eo(reference.value, skeleton, options["max_cond_size"])
    elif options["orientation"] == "pc":
        expected = oriented_by_sepsets(result, reference, skeleton).amat
    assert np.array_equal(result.graph.amat, expected)
    assert final(result) == result.graph


def oriented_by_sepsets(result: LearnResult, reference: naive_lmm.LMM, skeleton: np.ndarray) -> PDAG:
    """Orient the skeleton by PC's rules, which have their own tests.

    The separating set of a pair is the hardest set of either end, and must equal that of the reference.
    """
    sepsets, log_phi, _ = separating_sets(result.extra.evidence, skeleton, reference.cap, np.zeros(1, dtype=np.int8))
    for pair, cond in sepsets.items():
        x, y = sorted(pair)
        near = [frozenset(np.flatnonzero(skeleton[k]).tolist()) for k in (x, y)]
        hardest = min(reference.least(x, y, near[0]), reference.least(y, x, near[1]))
        assert reference.value(x, y, frozenset(cond)) == pytest.approx(hardest, rel=1e-7, abs=1e-9)
        assert -log_phi[x, y] == pytest.approx(hardest, rel=1e-7, abs=1e-9)
    none, trace = BoundKnowledge.none(reference.p), TraceBuilder(PDAG(skeleton))
    return orient_skeleton(PDAG(skeleton), sepsets, log_phi, none, trace, lambda *_: True)


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed < 6 else pytest.mark.compiled) for seed in range(40)]
)
def test_lmm_with_knowledge_equals_its_reference(seed):
    """Required pairs are adjacent from the start, with both ends aware; forbidden pairs are never added."""
    values, options = random_problem(1000 + seed)
    options |= {"orientation": "lmm_eo", "max_size": [1, 3, None][seed % 3], "min_size": seed % 2}
    p, data = values.shape[1], posterior(values)
    pairs = np.random.default_rng(seed).permutation(np.argwhere(np.triu(np.ones((p, p)), 1))).tolist()
    required, barred = pairs[: seed % 4], pairs[seed % 4 : seed % 4 + 2]
    known = Knowledge(
        required=tuple((data.names[i], data.names[j]) for i, j in required),
        forbidden=tuple((data.names[i], data.names[j]) for a, b in barred for i, j in ((a, b), (b, a))),
    )
    if len(pairs) < 6 or len(barred) < 2:
        required, barred, known = [], [], None
    result = lmm(data, **options, knowledge=known)
    reference = twin_of(values, options, data.prior.dependent, required, barred)
    start = [("added", *sorted(pair), 0) for pair in sorted(map(sorted, required))]
    moves = moves_of(result)
    assert [move[:4] for move in moves[: len(start)]] == start
    assert moves[len(start) :] == [move[:6] for move in reference.moves]
    threshold = 0.03 if not options["gamma"] and not options["min_size"] else options["gamma"]
    skeleton = reference.skeleton(threshold, options["min_size"])
    directions = frozenset(map(tuple, required))
    assert np.array_equal(
        result.graph.amat, naive_lmm.lmm_eo(reference.value, skeleton, options["max_cond_size"], directions)
    )
    assert final(result) == result.graph
    for i, j in required:
        assert result.graph.mark(i, j) == "forward"
    for i, j in barred:
        assert result.graph.mark(i, j) == "none"


@pytest.mark.parametrize("seed", range(12))
def test_lmm_of_singular_data_never_meets_nan(seed):
    """With a sum, a difference and a constant among the columns, all values are finite and belong to their sets."""
    values = gaussian(7, 40, seed, 0.5)
    values[:, 4] = values[:, 0] + values[:, 1]
    values[:, 5] = values[:, 2] - 0.5 * values[:, 3]
    values[:, 6] = 3.0
    data = posterior(values)
    result = lmm(data, omega=[1e-6, 1.0][seed % 2], cooldown=3)
    moves, value = result.extra.moves, naive_lmm.from_data(result.extra.evidence.corr, 40, data.prior.dependent)
    assert np.isfinite(moves.key).all()
    for move in range(len(moves)):
        i, j = int(moves.i[move]), int(moves.j[move])
        for side in (0, 1):
            expected = value(i, j, frozenset(moves.hardest_set(move, side)))
            assert moves.one_sided[move, side] == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert np.isfinite(result.extra.v_structures.induced).all()
    assert np.array_equal(result.graph.amat, naive_lmm.lmm_eo(value, result.graph.skeleton, 4))


# --- the oracle -----------------------------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("cooldown", [1, 3, 10])
@pytest.mark.parametrize("opt_every", [3, None], ids=["optimised", "plain"])
@pytest.mark.parametrize("omega", [1e-6, 0.3, 1.0])
@pytest.mark.parametrize("first", range(0, 300, 60))
def test_lmm_with_the_oracle_finds_the_cpdag_of_random_dags(first, omega, opt_every, cooldown):
    """For 300 DAGs of 4 to 9 nodes, every skeleton and CPDAG is right, and all probabilities are 0 or 1."""
    for seed in range(first, first + 60):
        p = 4 + seed % 6
        oracle, truth = perfect(seed, p)
        result = lmm(
            oracle, omega=omega, opt_every=opt_every, cooldown=cooldown, max_cond_size=p - 2, max_size=p * (p - 1) // 2
        )
        assert result.graph == truth, seed
        assert set(np.round(result.extra.moves.joint, 12)) <= {0.0, 1.0}


ORACLES: dict = {}


def perfect(seed: int, p: int) -> tuple[DependenceOracle, PDAG]:
    """Return an oracle and the CPDAG of its DAG, cached."""
    if seed not in ORACLES:
        dag = PDAG(naive.random_dag(np.random.default_rng([seed, p, 1]), p, 2 * p))
        ORACLES[seed] = DependenceOracle(dag), cpdag(dag)
    return ORACLES[seed]


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_lmm_with_the_oracle_equals_its_reference(seed):
    """With the oracle, where keys are often tied and the first pair wins, all moves equal those of the reference."""
    p = 4 + seed % 6
    dag = naive.random_dag(np.random.default_rng([seed, p, 1]), p, 2 * p)
    result = lmm(DependenceOracle(PDAG(dag)), max_cond_size=p - 2, cooldown=3)
    reference = naive_lmm.LMM(naive_lmm.from_dag(dag), p, 1e-6, 0.0, round(2.5 * p), p - 2, 3, 3, product=True).run()
    assert moves_of(result) == [move[:6] for move in reference.moves]


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize("orientation", ["pc", "lmm_eo_random"])
def test_other_orientations_are_right_with_the_oracle_too(orientation):
    """With the oracle, every orientation method gives the CPDAG."""
    for seed in range(60):
        oracle, truth = perfect(seed, 4 + seed % 6)
        p = oracle.p
        result = lmm(oracle, orientation=orientation, max_cond_size=p - 2, max_size=p * (p - 1) // 2, seed=seed)
        assert result.graph == truth


# --- invariants of the moves ----------------------------------------------------------------------------------------


def turn_by_turn(values: np.ndarray, terms: LMMRules, knowledge: BoundKnowledge | None = None) -> Iterator[Elimination]:
    """Yield the state of a run after each unit of work."""
    p = values.shape[1]
    run = Elimination(
        posterior(values, 0.05).evidence(max(terms.max_cond_size, 1)), terms, knowledge or BoundKnowledge.none(p)
    )
    start_pairs(run._evidence, terms, run._state, run._knowledge.apart, 0, p)
    yield run
    while advance(run._evidence, terms, run._state, 0):
        run._state.counters[N_LOG] = 0
        yield run
    assert run._state.counters[NEXT] == DONE


def terms_for(p: int, **changed: object) -> LMMRules:
    usual = LMMRules(1e-6, -math.inf, 3 * p, 3, 3, 3, True, np.zeros((p, p), dtype=bool))
    return usual._replace(**changed)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(
    "changed",
    [{}, {"omega": 1.0}, {"omega": 0.3, "opt_every": 1, "cooldown": 0}, {"product": False, "max_cond_size": 1}],
    ids=["usual", "omega 1", "busy", "minimum"],
)
@pytest.mark.parametrize("seed", range(4))
def test_keys_are_upper_bounds_at_every_moment(changed, seed):
    """Keys are upper bounds at every moment, as the search requires.

    At least one end is aware of each edge, and the maxima of the rows are right.
    """
    values, p = gaussian(8, 60, seed), 8
    terms = terms_for(p, **changed)
    value = naive_lmm.from_data(np.corrcoef(values.T), 60, 0.05)
    reference = naive_lmm.LMM(value, p, 1.0, 0.0, 0, terms.max_cond_size, None, 0, terms.product)
    seen = set()
    for run in turn_by_turn(values, terms):
        state = run._state
        seen.add(int(state.counters[NEXT]))
        reference.knows = {i: set(np.flatnonzero(state.knows[i]).tolist()) for i in range(p)}
        edges = {tuple(pair) for pair in state.edges[: state.counters[N_EDGES]].tolist()}
        for i in range(p):
            assert set(state.aware[i, : state.n_aware[i]].tolist()) == reference.knows[i]
            assert state.top[i] == max([*state.key[i], -np.inf])
            if state.top[i] > -np.inf:
                assert state.top_at[i] == np.argmax(state.key[i])
        for i in range(p):
            for j in range(i + 1, p):
                if (i, j) in edges:
                    assert state.key[i, j] == -np.inf
                    assert state.knows[i, j] or state.knows[j, i]
                    if terms.omega == 1.0:
                        assert state.knows[i, j]
                        assert state.knows[j, i]
                    continue
                assert not state.knows[i, j]
                assert not state.knows[j, i]
                assert state.key[i, j] == joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)
                assert state.key[i, j] >= reference.key((i, j)) - 1e-9
                if state.seen[i, j] == state.n_aware[i] and state.seen[j, i] == state.n_aware[j]:
                    assert state.key[i, j] == pytest.approx(reference.key((i, j)), rel=1e-9, abs=1e-9)
    assert len(seen) >= (5 if terms.opt_every else 2)


@pytest.mark.parametrize("seed", range(5))
def test_additions_only_lower_one_sided_values(seed):
    """Without optimisations, one-sided values never increase and awareness only grows until the selection ends."""
    values = gaussian(9, 50, seed)
    last, known = None, None
    for run in turn_by_turn(values, terms_for(9, opt_every=0)):
        state = run._state
        if int(state.counters[NEXT]) > 0:
            break
        if last is not None:
            assert (state.one_sided <= last).all()
            assert (state.knows >= known).all()
        last, known = state.one_sided.copy(), state.knows.copy()
    assert known.any()


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000), p=st.integers(2, 10), n=st.integers(8, 120), omega=st.sampled_from([1e-9, 0.1, 1.0])
)
def test_ranking_is_a_permutation_of_the_edges_selected(seed, p, n, omega):
    """Every selected edge is ranked once; when it is eliminated, one end is aware of it, or both with omega 1."""
    result = lmm(posterior(gaussian(p, n, seed)), omega=omega)
    moves = result.extra.moves
    selected = set()
    for what, i, j, *_ in moves_of(result)[: moves.n_forward]:
        if what == "added":
            assert (i, j) not in selected
            selected.add((i, j))
        elif what == "dropped":
            selected.remove((i, j))
    pairs = [tuple(pair) for pair in result.extra.pairs.tolist()]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == selected
    aware = moves.aware[(moves.what == Moves.ADDED) | (moves.what == Moves.ELIMINATED)]
    assert (aware.all(axis=1) if omega == 1.0 else aware.any(axis=1)).all()
    values = result.strengths.values
    ranks = [values[pair] for pair in pairs]
    assert ranks == sorted(ranks, reverse=True)
    assert np.isfinite(values).sum() == 2 * len(pairs)


def test_an_edge_is_known_to_an_end_however_small_omega_is():
    """At least one end is aware of an added edge, even if both sides have probability 1."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 1))
    moves = lmm(posterior(x + 0.1 * rng.normal(size=(500, 4))), omega=OMEGA.low).extra.moves
    assert moves.joint[0] == 1.0
    assert moves.aware[moves.what == Moves.ADDED].any(axis=1).all()


@pytest.mark.compiled
@pytest.mark.parametrize("seed", [5, 21, 26, 36, 39, 61])
def test_selection_ends_even_with_a_round_of_optimisations_after_every_addition(seed):
    """At most every second edge is dropped, even in samples whose edges would alternate forever."""
    rng = np.random.default_rng([seed, 5])
    p, n = int(rng.integers(5, 12)), int(rng.choice([20, 50, 200, 1000]))
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < 0.5), 1)
    data = posterior(rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights))
    for cooldown in (0, 3):
        for omega in (1e-6, 1.0):
            for max_size in range(p, 3 * p, 3):
                moves = lmm(data, omega=omega, opt_every=1, cooldown=cooldown, max_size=max_size).extra.moves
                n_added, n_dropped = (int((moves.what == what).sum()) for what in (Moves.ADDED, Moves.DROPPED))
                assert 2 * n_dropped <= n_added + 1
                assert n_added <= 2 * max_size + 2


# --- work units, ticks and cancelling -------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", ["lmm_eo", "lmm_eo_random", "pc", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_lmm_does_not_depend_on_where_its_turns_end(monkeypatch, orientation, seed):
    """The result is the same if every unit of work ends a turn and the log has few rows.

    The tick is called between turns, in the order of the phases.
    """
    data, options = posterior(gaussian(12, 40, seed)), {"omega": 0.01, "cooldown": 3, "orientation": orientation}
    whole = lmm(data, **options)
    monkeypatch.setattr(resumable_run, "BUDGET", 0)
    monkeypatch.setattr(resumable_run, "LOG_ROWS", 3)
    monkeypatch.setattr(resumable_run, "PAIRS_PER_TICK", 1)
    heard = []
    result = lmm(data, **options, tick=lambda *event: heard.append(event) or True)
    assert moves_of(result) == moves_of(whole)
    assert result.n_tests == whole.n_tests
    assert result.graph == whole.graph
    phases = list(dict.fromkeys(phase for phase, *_ in heard))
    expected = ["forward selection", "backward elimination"] + ["orienting"] * (orientation != "none")
    assert phases == expected
    assert all(0 <= done <= total for _, done, total in heard)
    assert len(heard) > len(whole.extra.moves)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("orientation", ["lmm_eo", "pc", "none"])
def test_lmm_cancelled_at_any_tick_keeps_the_moves_made(monkeypatch, orientation):
    """A cancelled run keeps the first moves of the complete run and their undirected skeleton, with a warning.

    The tick is not called again.
    """
    data = posterior(gaussian(7, 40, 1))
    whole = moves_of(lmm(data, cooldown=3))
    monkeypatch.setattr(resumable_run, "BUDGET", 0)
    lengths, complete, limit = set(), False, 0
    while not complete:
        limit += 1
        count = 0

        def tick(*_: object, limit: int = limit) -> bool:
            nonlocal count
            count += 1
            return count < limit

        result = lmm(data, cooldown=3, orientation=orientation, tick=tick)
        complete = result.complete
        made = moves_of(result)
        assert made == whole[: len(made)]
        assert final(result) == result.graph
        if not complete:
            assert count == limit
            assert not result.graph.directed_edges()
            assert any("cancelled" in warning for warning in result.warnings)
            if len(made) < len(whole):
                left = [move[0] for move in made]
                n_gone = left.count("dropped") + left.count("eliminated")
                assert result.graph.n_edges == left.count("added") - n_gone
            lengths.add(len(made))
    assert {0, len(whole)} <= lengths
    assert len(lengths) > len(whole) / 2


# --- symmetry -------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 100_000),
    p=st.integers(2, 10),
    n=st.integers(12, 200),
    omega=st.sampled_from([1e-6, 0.1, 1.0]),
    criterion=st.sampled_from(["product", "minimum"]),
)
def test_lmm_follows_the_columns(seed, p, n, omega, criterion):
    """Reordered, scaled and flipped columns give the same moves, ranking and directions under the new indices."""
    values, rng = gaussian(p, n, seed), np.random.default_rng(seed)
    order = rng.permutation(p)
    factors = rng.choice([-1.0, 1.0], p) * np.exp(rng.normal(size=p) * 3)
    data = posterior(values)
    first = lmm(data, omega=omega, criterion=criterion)
    second = lmm(
        posterior((values * factors + rng.normal(size=p))[:, order], data.prior.dependent),
        omega=omega,
        criterion=criterion,
    )
    new = np.argsort(order)

    def renamed(what: str, i: int, j: int, iteration: int, i_knows: bool, j_knows: bool) -> tuple:
        flipped = new[i] > new[j] and what not in ("aware", "unaware")
        i, j, i_knows, j_knows = (j, i, j_knows, i_knows) if flipped else (i, j, i_knows, j_knows)
        return what, int(new[i]), int(new[j]), iteration, i_knows, j_knows

    assert [renamed(*move) for move in moves_of(first)] == moves_of(second)
    assert np.array_equal(first.graph.amat[np.ix_(order, order)], second.graph.amat)


# --- contents of the result -----------------------------------------------------------------------------------------


def test_choice_keeps_edges_above_gamma_and_no_fewer_than_min_size():
    """`gamma` and `min_size` choose edges from the same ranking.

    Gamma 0 with `min_size` selects a number of edges; gamma 0 alone selects edges with at least even odds.
    """
    data = posterior(gaussian(9, 60, 4))
    ranking = lmm(data, max_size=20)
    moves = ranking.extra.moves
    assert ranking.extra.threshold == 0.03
    for min_size in (1, 5, 20):
        result = lmm(data, max_size=20, min_size=min_size)
        assert result.graph.n_edges == min_size
        assert result.extra.pairs.tolist() == ranking.extra.pairs.tolist()
        kept = {tuple(pair) for pair in result.extra.pairs[:min_size].tolist()}
        assert {tuple(sorted(edge)) for edge in result.graph.edges()} == kept
    for gamma in (0.1, 0.5, 0.9):
        result = lmm(data, max_size=20, gamma=gamma)
        strong = result.extra.moves
        first_kept = next((k for k in range(strong.n_forward, len(strong)) if strong.joint[k] > gamma), len(strong))
        assert result.graph.n_edges == len(strong) - first_kept
        added = strong.what == Moves.ADDED
        assert (strong.joint[added] >= gamma).all()
        both = lmm(data, max_size=20, gamma=gamma, min_size=4)
        assert both.graph.n_edges == max(min(4, len(both.extra.pairs)), result.graph.n_edges)
    assert (moves.what == Moves.ADDED).sum() - (moves.what == Moves.DROPPED).sum() == 20


@pytest.mark.parametrize("kind", ["continuous", "categorical", "mixed"])
@pytest.mark.parametrize("q", [0.001, 0.05, 0.5])
def test_q_keeps_the_most_edges_of_which_that_share_is_false(kind, q):
    """Edges are kept by Benjamini and Hochberg, from the largest p given the hardest sets of the edges left."""
    share, test = {"continuous": (0.0, FisherZ), "categorical": (1.0, G2), "mixed": (0.5, DegenerateGaussian)}[kind]
    data = sample(random_mixed_network(7, 8, 3, categorical=share), 300, seed=3)
    assert data.kind == kind
    a, b, c, d = data.names[:4]
    knowledge = Knowledge(required=[(a, b)], forbidden=[(c, d), (d, c)])
    result = learn("lmm", data, q=q, knowledge=knowledge)
    moves, pairs = result.extra.moves, 7 * 6 // 2 - 2
    kept, largest = 0, 0.0
    for k, move in enumerate(result.extra.ranked.tolist(), 1):
        side = int(moves.one_sided[move].argmin())
        p_value = test(data).test(int(moves.i[move]), int(moves.j[move]), moves.hardest_set(move, side)).p_value
        largest = max(largest, p_value)
        expected = min(pairs * largest / k, 1.0)
        # The distributions of Fisher's z and of -m ln(1 - ρ²) differ a little, most in the tail.
        assert result.extra.false_shares[move] == pytest.approx(expected, rel=0.25, abs=1e-9)
        if expected <= q:
            kept = k
    assert result.graph.n_edges == kept + 1
    assert result.extra.threshold == 0.0


def test_gamma_without_a_maximum_does_not_limit_the_edges():
    """With gamma, all pairs of a dense sample may be added; without it, 2.5 edges per variable."""
    x = np.random.default_rng(1).normal(size=(400, 1))
    data = posterior(x + np.random.default_rng(2).normal(size=(400, 12)))
    assert len(lmm(data).extra.pairs) == 30
    assert len(lmm(data, gamma=1e-9, max_cond_size=0).extra.pairs) == 66
    assert len(lmm(data, min_size=40).extra.pairs) == 40


def test_sepsets_are_the_hardest_sets_of_pairs_that_left():
    """The separating set of a pair is the hardest set of its less dependent end when the pair was removed last."""
    values = gaussian(9, 40, 7)
    result = lmm(posterior(values), cooldown=0, omega=0.1)
    moves, expected = result.extra.moves, {}
    for move in range(len(moves)):
        if moves.what[move] in (Moves.DROPPED, Moves.ELIMINATED):
            pair = frozenset((int(moves.i[move]), int(moves.j[move])))
            side = int(np.argmin(moves.one_sided[move]))
            expected[pair] = tuple(sorted(moves.hardest_set(move, side)))
            value = naive_lmm.log_odds(
                naive_lmm.squared_partial_correlation(np.corrcoef(values.T), *sorted(pair), frozenset(expected[pair])),
                40,
                len(expected[pair]),
                result.extra.prior.dependent,
            )
            assert moves.one_sided[move, side] == pytest.approx(value, rel=1e-8, abs=1e-9)
    apart = {pair: cond for pair, cond in expected.items() if not result.graph.skeleton[tuple(pair)]}
    assert dict(result.sepsets) == apart


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_cond_size", [0, 1, 4])
def test_lmm_needs_four_rows_more_than_its_largest_set(max_cond_size):
    """Sets of m variables need m + 4 rows, and v-structures need sets of at least one variable.

    With one row fewer the run is refused.
    """
    n = max(max_cond_size, 1) + 4
    result = lmm(posterior(gaussian(7, n, 1)), max_cond_size=max_cond_size)
    assert np.isfinite(result.extra.moves.key).all()
    with pytest.raises(DataError, match="rows, found"):
        lmm(posterior(gaussian(7, n - 1, 1)), max_cond_size=max_cond_size)


def test_lmm_without_sets_ranks_by_marginal_dependence():
    """With max_cond_size 0 the ranking is the order of absolute correlations.

    For candidate v-structures, tests given the middle node are still done.
    """
    values = gaussian(6, 100, 3)
    result = lmm(posterior(values), max_cond_size=0, max_size=15)
    corr = np.abs(np.corrcoef(values.T))
    strengths = [corr[tuple(pair)] for pair in result.extra.pairs.tolist()]
    assert strengths == sorted(strengths, reverse=True)
    assert result.extra.v_structures.sets_with.shape[2] == 0
    assert np.array_equal(result.graph.amat, lmm(posterior(values), max_cond_size=0, max_size=15).graph.amat)


@pytest.mark.parametrize("kind", ["two columns", "constant", "all constant", "more columns than rows"])
def test_lmm_copes_with_small_and_odd_tables(kind):
    """All keys are finite, constants have no edges, and the trace ends at the graph."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 6))
    if kind == "two columns":
        values = values[:, :2] + 2 * values[:, 2:3]
    elif kind == "constant":
        values[:, 2] = 7.0
    elif kind == "all constant":
        values[:] = 1.5
    else:
        values = rng.normal(size=(9, 40))
    result = lmm(posterior(values))
    assert np.isfinite(result.extra.moves.key).all()
    assert final(result) == result.graph
    if kind == "constant":
        assert not result.graph.skeleton[2].any()
    if kind == "all constant":
        assert result.graph.n_edges == 0
    if kind == "two columns":
        assert result.graph.n_edges == 1


@pytest.mark.compiled
def test_long_sets_are_judged_in_portions_with_the_same_result():
    """A hub with 18 neighbours, too many for one chunk, gets the minimum over all sets of neighbours."""
    rng = np.random.default_rng(2)
    hub = rng.normal(size=(60, 1))
    values = np.hstack([hub, hub + rng.normal(size=(60, 18))])
    terms = terms_for(19, omega=1.0, max_size=18, max_cond_size=2, opt_every=0)
    data = posterior(values, 0.05)
    star = Knowledge(required=tuple(("v0", f"v{k}") for k in range(1, 19))).bind(data.names)
    run = Elimination(data.evidence(2), terms._replace(required=star.joined), star)
    run.finish(lambda *_: True)
    state = run._state
    assert state.n_aware[0] == 18
    value = naive_lmm.from_data(np.corrcoef(values.T), 60, 0.05)
    reference = naive_lmm.LMM(value, 19, 1.0, 0.0, 0, 2, None, 0, True)
    for e in range(18):
        i, j = state.edges[e].tolist()
        assert state.edge_sided[e, 0] == pytest.approx(reference.least(i, j, frozenset(range(1, 19)) - {j}), rel=1e-9)


def test_required_edges_may_outnumber_max_size():
    """More required edges than `max_size` are all present; nothing is added, and no edge is ranked."""
    data = posterior(gaussian(6, 50, 2))
    known = Knowledge(required=(("v0", "v1"), ("v1", "v2"), ("v2", "v3")))
    result = lmm(data, max_size=1, knowledge=known)
    assert sorted(result.graph.directed_edges()) == [(0, 1), (1, 2), (2, 3)]
    assert len(result.extra.pairs) == 0
    assert (result.extra.moves.iteration == 0).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"omega": 0}, r"omega must be in \[1e-12, 1\], got 0"),
        ({"omega": 1.01}, r"omega must be in \[1e-12, 1\], got 1.01"),
        ({"gamma": 1.0}, r"gamma must be in \[0, 0.999999\], got 1.0"),
        ({"gamma": math.nan}, r"gamma must be in \[0, 0.999999\], got nan"),
        ({"max_size": 0}, "max_size"),
        ({"max_size": 3, "min_size": 4}, "min_size must be at most max_size = 3, got 4; lower it"),
        ({"max_cond_size": -1}, "max_cond_size"),
        ({"opt_every": 0}, "opt_every"),
        ({"cooldown": -1}, "cooldown"),
        ({"criterion": "sum"}, "unknown criterion"),
        ({"orientation": "any"}, "unknown orientation"),
    ],
)
def test_lmm_refuses_wrong_settings_with_a_sentence(wrong, message):
    """Invalid settings are refused before the run starts."""
    with pytest.raises(ParameterError, match="^" + message):
        lmm(posterior(gaussian(4, 20, 1)), **wrong)


def test_registry_runs_lmm_with_its_prior():
    """A run from the registry makes the same moves as a direct call."""
    values = gaussian(6, 40, 1)
    data = Dataset.from_values(values, [f"v{k}" for k in range(6)])
    assert moves_of(learn("lmm", data, prior=0.01)) == moves_of(lmm(posterior(values, 0.01)))
    assert moves_of(learn("lmm", data)) == moves_of(lmm(posterior(values)))
