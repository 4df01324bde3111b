"""Tests of PC-stable: bnlearn's runs, a d-separation oracle, a reference implementation, and its evidence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import G2, PDAG, Dataset, DSeparation, FisherZ, LearnResult, ParameterError, pc
from learners.common.progress import Tick
from learners.graphs.cpdag import cpdag
from learners.graphs.meek_closure import closure
from learners.graphs.rules import Rule
from learners.graphs.sepsets import Sepsets
from learners.independence.ci_test import CIResult, CITest
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from learners.search.v_structures import ranked_v_structures
from tests import naive, naive_tests, references
from tests.cancelling import cut_short

CONFLICT_FREE = ("asia_n2000", "survey_n2000", "sachs_n1000", "insurance_n1000")
RUNS = [
    pytest.param(
        name,
        run,
        id=f"{name} alpha={run['alpha']} max={run['max_sx']}",
        marks=[pytest.mark.compiled] * (name in references.LARGE),
    )
    for name in references.DISCRETE + references.GAUSSIAN
    for run in references.load(f"bnlearn/{name}")["pc_stable"]
    if run["test"] != "cor"
]


def run_of(name: str, run: dict) -> LearnResult:
    """Run PC with the settings of a run of bnlearn."""
    data = references.dataset(name)
    test = G2(data, dof="plain") if data.kind == "categorical" else FisherZ(data)
    return pc(test, alpha=run["alpha"], max_cond_size=run["max_sx"])


def named(result: LearnResult, edges: Sequence[tuple[int, int]]) -> list[tuple[str, str]]:
    return [(result.names[i], result.names[j]) for i, j in edges]


def final(result: LearnResult) -> PDAG:
    """Return the graph at the end of the trace."""
    return result.trace.graph_at(len(result.trace.changes))


# --- bnlearn --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_pc_skeleton_and_sepsets_equal_bnlearn(name, run):
    """The edges equal bnlearn's, and so do the set and p-value of every removed edge."""
    result = run_of(name, run)
    assert {frozenset(edge) for edge in named(result, result.graph.edges())} == {frozenset(e) for e in run["skeleton"]}
    expected = {frozenset((x, y)): (p, set(cond)) for x, y, p, cond in run["sepsets_xypz"]}
    ours = {frozenset(result.names[k] for k in pair): pair for pair in result.sepsets}
    assert ours.keys() == expected.keys()
    for pair, nodes in ours.items():
        p_value, cond = expected[pair]
        assert {result.names[k] for k in result.sepsets[nodes]} == cond
        assert math.exp(result.extra.log_phi[tuple(nodes)]) == pytest.approx(p_value, rel=1e-8)


@pytest.mark.parametrize(("name", "run"), [run for run in RUNS if run.values[0] in CONFLICT_FREE])
def test_pc_cpdag_equals_bnlearn_where_no_v_structures_conflict(name, run):
    """CPDAGs equal bnlearn's on samples without conflicts, which are resolved differently (see the folder's README)."""
    result = run_of(name, run)
    assert set(named(result, result.graph.directed_edges())) == {tuple(edge) for edge in run["cpdag"]["directed"]}
    lines = {frozenset(edge) for edge in named(result, result.graph.undirected_edges())}
    assert lines == {frozenset(edge) for edge in run["cpdag"]["undirected"]}


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_pc_does_each_test_once(name, run):
    """Each level tests distinct sets up to the first that separates; the counts of the trace add up to these tests."""
    plain = references.load("pc_stable")[f"{name} {run['test']} alpha={run['alpha']} max_sx={run['max_sx']}"]
    result = run_of(name, run)
    tests = Counter()
    for event in result.trace:
        tests[event.phase.size] += event.n_tests
    per_level = [tests[size] for size in range(len(plain["distinct_sets_per_level"]))]
    assert per_level == plain["distinct_sets_per_level"]
    assert result.n_tests == sum(per_level)


PHI = [name for name, plain in references.load("pc_stable").items() if plain.get("phi")]


@pytest.mark.parametrize("key", PHI)
def test_pc_largest_p_of_every_pair_equals_an_independent_program(key):
    """Φ and its set equal those of an independent program, for kept and removed edges."""
    name, _, alpha, _ = key.split()
    result = run_of(name, {"alpha": float(alpha.removeprefix("alpha=")), "max_sx": 3})
    at = {column: k for k, column in enumerate(result.names)}
    phi = references.load("pc_stable")[key]["phi"]
    assert len(phi) == math.comb(len(at), 2)
    for pair, (p_value, cond) in phi.items():
        x, y = (at[column] for column in pair.split(","))
        assert {result.names[k] for k in result.extra.hardest.between(x, y)} == set(cond)
        if p_value > 1e-290:
            assert math.exp(result.extra.log_phi[x, y]) == pytest.approx(p_value, rel=1e-8)
        else:
            assert result.extra.log_phi[x, y] < math.log(1e-290)


# --- the oracle -----------------------------------------------------------------------------------------------------


def check_sepsets(result: LearnResult, dag: np.ndarray) -> None:
    """Check that each absent edge, and no other pair, has a set that separates in the moral graph."""
    absent = {frozenset(pair) for pair in combinations(range(len(dag)), 2) if not result.graph.skeleton[pair]}
    assert set(result.sepsets) == absent
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)


def test_pc_with_the_oracle_finds_the_cpdag_of_all_dags_of_four_nodes():
    """With the oracle, the CPDAGs of all 543 DAGs equal brute force; every set separates, and nothing is refused."""
    count = 0
    for dag in naive.all_dags(4):
        result = pc(DSeparation(PDAG(dag)), max_cond_size=None)
        assert np.array_equal(result.graph.amat, naive.cpdag(dag)), dag
        check_sepsets(result, dag)
        assert final(result) == result.graph
        assert result.warnings == ()
        assert not {event.action for event in result.trace} & {Action.REFUSE, Action.CONFLICT}
        count += 1
    assert count == 543


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("p", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("seed", range(30))
def test_pc_with_the_oracle_finds_the_cpdag_of_random_dags(p, seed):
    """With the oracle, CPDAGs of random DAGs with up to 1.8 edges per node are right, and every set separates."""
    dag = naive.random_dag(np.random.default_rng([seed, p]), p, int(1.8 * p))
    result = pc(DSeparation(PDAG(dag)), max_cond_size=None)
    assert result.graph == cpdag(PDAG(dag))
    check_sepsets(result, dag)
    assert final(result) == result.graph


@pytest.mark.parametrize("name", references.each("asia_n2000", "sachs_n1000", "child_n2000", "alarm_n2000"))
def test_pc_with_the_oracle_finds_the_cpdag_of_published_networks(name):
    """With the oracle, the result is the CPDAG stored with the sample, for networks of up to 37 nodes."""
    names, expected = references.dataset(name).names, references.load(f"data/{name}")["cpdag"]
    result = pc(DSeparation(references.true_dag(name), names), max_cond_size=None)
    assert {frozenset(e) for e in named(result, result.graph.undirected_edges())} == {
        frozenset(e) for e in expected["undirected"]
    }
    assert set(named(result, result.graph.directed_edges())) == {tuple(e) for e in expected["directed"]}


def test_pc_limits_the_size_of_conditioning_sets():
    """Only both parents together separate x and y, so size 2 suffices and size 1 does not; None is no limit."""
    dag = PDAG.from_edges(4, directed=[(0, 1), (0, 2), (1, 3), (2, 3)])
    for limit, separated in ((0, False), (1, False), (2, True), (None, True)):
        result = pc(DSeparation(dag), max_cond_size=limit)
        assert (frozenset((0, 3)) in result.sepsets) == separated
        sizes = {len(event.cond) for event in result.trace if event.rule is Rule.TEST}
        assert max(sizes) <= (2 if limit is None else limit)


# --- reference implementation and invariants on data ----------------------------------------------------------------


@st.composite
def ci_tests(draw):
    """Draw G² or Fisher's z on six columns with strong and weak dependences, copies and constants."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    values = rng.normal(size=(70, 6)) @ (np.eye(6) + np.triu(rng.normal(size=(6, 6)), 1) * (rng.random((6, 6)) < 0.5))
    odd = draw(st.sampled_from(["none", "copy", "constant"]))
    if odd != "none":
        values[:, 5] = values[:, 0] if odd == "copy" else 3.0
    if draw(st.booleans()):
        return FisherZ(Dataset.from_values(values, list("abcdef")))
    return G2(Dataset.from_codes((values > np.median(values, axis=0)).T + 0, [2] * 6, list("abcdef")))


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.05, 1e-4]), st.integers(0, 4))
def test_pc_agrees_with_its_definition(test, alpha, limit):
    """Skeleton, separating sets, Φ with its sets and number of tests equal those of a reference implementation."""
    result = pc(test, alpha=alpha, max_cond_size=limit)
    edges, sepsets, hardest, counts = naive_tests.pc_stable(
        lambda x, y, cond: test.test(x, y, cond).log_p, 6, alpha, limit
    )
    assert {frozenset(edge) for edge in result.graph.edges()} == edges
    assert dict(result.sepsets) == sepsets
    assert result.n_tests == sum(counts)
    for pair, (log_p, cond) in hardest.items():
        x, y = pair
        assert result.extra.log_phi[x, y] == result.extra.log_phi[y, x] == log_p
        assert result.extra.hardest[pair] == cond


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.05, 1e-4]))
def test_pc_evidence_is_whole_and_consistent(test, alpha):
    """Every pair has events, Φ is the largest recorded p, removals have p > alpha, and the trace ends at the graph."""
    result = pc(test, alpha=alpha, max_cond_size=2)
    assert final(result) == result.graph
    for x, y in combinations(range(6), 2):
        events = [event for event in result.trace.of_pair(x, y) if event.rule in (Rule.TEST, Rule.UNTESTED)]
        assert events[0].phase == Phase(Stage.LEVEL, size=0)
        assert max(event.log_p for event in events) == result.extra.log_phi[x, y]
        assert [event.action for event in events[:-1]] == [Action.KEEP] * (len(events) - 1)
        removed = events[-1].action == Action.REMOVE
        assert removed == (events[-1].log_p > math.log(alpha)) == (not result.graph.skeleton[x, y])
        assert removed == (frozenset((x, y)) in result.sepsets)
        if removed:
            assert events[-1].cond == result.sepsets[frozenset((x, y))]
        for event in events:
            assert event.threshold == alpha
            assert event.phase == Phase(Stage.LEVEL, size=len(event.cond))
            again = test.test(x, y, event.cond)
            assert event.log_p == pytest.approx(again.log_p, rel=1e-12)
            assert event.statistic == pytest.approx(again.statistic, rel=1e-12)
    apart = ~np.eye(6, dtype=bool)
    np.testing.assert_array_equal(result.strengths.values[apart], (result.extra.log_phi / math.log(10))[apart])
    assert np.isnan(result.strengths.values.diagonal()).all()  # a variable is never tested against itself
    assert np.isneginf(result.extra.log_phi.diagonal()).all()


@settings(max_examples=40, deadline=None)
@given(ci_tests(), st.permutations(range(6)))
def test_pc_skeleton_does_not_depend_on_column_order(test, order):
    """Permuted columns give the permuted skeleton."""
    if isinstance(test, FisherZ):
        values = np.linalg.cholesky(test._corr + 1e-3 * np.eye(6)).T
        data = Dataset.from_values(np.vstack([values, -values]), list("abcdef"))
    else:
        data = Dataset.from_codes(test._sample.codes, test._sample.arity, list("abcdef"))
    make = type(test)
    skeleton = pc(make(data), max_cond_size=None).graph.skeleton
    permuted = pc(make(data.select(order)), max_cond_size=None).graph.skeleton
    assert np.array_equal(permuted, skeleton[np.ix_(order, order)])


def test_pc_removes_the_weakest_edge_of_a_level_first():
    """Within a level removals are in descending order of p."""
    result = pc(G2(references.dataset("child_n2000")), alpha=0.01, max_cond_size=2)
    for size in range(3):
        removals = [
            e.log_p for e in result.trace if e.phase == Phase(Stage.LEVEL, size=size) and e.action == Action.REMOVE
        ]
        assert len(removals) > 3
        assert removals == sorted(removals, reverse=True)


# --- decisions of a scripted test -----------------------------------------------------------------------------------


class Scripted(CITest):
    """A test with given p-values by pair and set; p = 1e-9 otherwise."""

    def __init__(self, names: str, answers: dict[tuple[str, str], float]) -> None:
        self.names = tuple(names)
        self.answers = {(frozenset(pair), frozenset(cond)): p for (pair, cond), p in answers.items()}

    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        self.n_tests += 1
        key = frozenset((self.names[x], self.names[y])), frozenset(self.names[k] for k in cond)
        p_value = self.answers.get(key, 1e-9)
        return CIResult(math.nan, math.nan, math.log(p_value), p_value)


@pytest.mark.parametrize(("p_ac", "p_bd", "arrows"), [(0.9, 0.5, ["ab", "cb"]), (0.5, 0.9, ["bc", "dc"])], ids=str)
def test_pc_gives_conflicting_v_structures_to_the_larger_p(p_ac, p_bd, arrows):
    """In a-b-c-d both colliders orient b - c; the one with the larger p-value of its outer pair wins."""
    answers = {("ac", ""): p_ac, ("bd", ""): p_bd, ("ad", ""): 0.7}
    result = pc(Scripted("abcd", answers))
    oriented = {f"{a}{b}" for a, b in named(result, result.graph.directed_edges())}
    assert set(arrows) <= oriented
    refused = [event for event in result.trace if event.action == Action.REFUSE]
    assert {event.rule for event in refused} == {Rule.V_STRUCTURE_CONTRADICTED}
    assert len(refused) == 2
    assert final(result) == result.graph


def test_pc_accepts_v_structures_that_share_an_arrow():
    """The v-structures a -> b <- c and c -> b <- d, which share c -> b, are both accepted."""
    answers = {("ac", ""): 0.9, ("cd", ""): 0.8, ("ad", ""): 0.7}
    result = pc(Scripted("abcd", answers))
    assert set(named(result, result.graph.directed_edges())) == {("a", "b"), ("c", "b"), ("d", "b")}
    oriented = [(event.i, event.j) for event in result.trace if event.action == Action.ORIENT]
    assert len(oriented) == len(set(oriented)) == 3
    assert not [event for event in result.trace if event.action == Action.REFUSE]


def test_ranked_v_structures_are_unshielded_and_need_a_separating_set():
    """Only the triple with non-adjacent ends and a set without node 1 is a v-structure, of four around node 1."""
    skeleton = PDAG.from_edges(5, undirected=[(1, 0), (1, 2), (1, 3), (1, 4), (0, 2)])
    sepsets = Sepsets.from_entries(5, [(0, 2, ()), (0, 3, (1,)), (2, 4, ()), (3, 4, (1, 2)), (2, 3, (1,))])
    assert ranked_v_structures(skeleton, sepsets, np.zeros((5, 5))).tolist() == [[2, 1, 4]]


def test_pc_refuses_a_v_structure_that_would_close_a_directed_cycle():
    """The weakest of three v-structures that would direct the cycle a, b, c is refused."""
    # c -> a <- u is the strongest, then a -> b <- v; b -> c <- w would close a -> b -> c -> a.
    answers = {("cu", ""): 0.9, ("av", ""): 0.8, ("bw", ""): 0.7}
    # A node of the cycle separates its successor from its outer parent, so no other v-structure arises.
    answers |= {("bu", "a"): 0.6, ("cv", "b"): 0.6, ("aw", "c"): 0.6}
    answers |= {("uv", ""): 0.6, ("uw", ""): 0.6, ("vw", ""): 0.6}
    result = pc(Scripted("abcuvw", answers))
    arrows = {f"{a}{b}" for a, b in named(result, result.graph.directed_edges())}
    assert {"ca", "ua", "ab", "vb"} <= arrows
    assert not result.graph.has_directed_cycle()
    refused = {(event.i, event.j) for event in result.trace if event.action == Action.REFUSE}
    assert refused == {(1, 2), (5, 2)}
    assert {event.rule for event in result.trace if event.action == Action.REFUSE} == {Rule.V_STRUCTURE_CYCLIC}
    assert final(result) == result.graph


def test_pc_keeps_an_edge_at_p_equal_to_alpha():
    """A pair with p = alpha stays adjacent, since it is independent iff p > alpha."""
    assert pc(Scripted("ab", {("ab", ""): 0.05}), alpha=0.05).graph.n_edges == 1
    assert pc(Scripted("ab", {("ab", ""): 0.050_001}), alpha=0.05).graph.n_edges == 0


def test_pc_freezes_neighbourhoods_within_a_level():
    """The nodes of an edge that is removed early still occur in later sets of the same level (order independence)."""
    answers = {("ab", "c"): 0.9, ("cd", "a"): 0.8, ("bd", "a"): 0.7}
    result = pc(Scripted("abcd", answers))
    assert result.sepsets[frozenset((1, 3))] == (0,)
    assert result.sepsets[frozenset((0, 1))] == (2,)
    assert set(result.graph.edges()) == {(0, 2), (0, 3), (1, 2)}


def test_pc_says_which_rule_oriented_an_edge():
    """The trace first lists the arrows of the v-structure, then rule R1 with the nodes that imply its arrow."""
    dag = PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])
    result = pc(DSeparation(dag), max_cond_size=None)
    events = [(e.phase.stage, e.rule, e.i, e.j, e.cond) for e in result.trace if e.action == Action.ORIENT]
    assert events == [
        (Stage.V_STRUCTURES, Rule.V_STRUCTURE, 0, 2, (1,)),
        (Stage.V_STRUCTURES, Rule.V_STRUCTURE, 1, 2, (0,)),
        (Stage.MEEK_RULES, Rule.R1, 2, 3, (0,)),
    ]


@pytest.mark.compiled
def test_pc_result_is_closed_under_meeks_rules():
    """Applying Meek's rules to the result again changes nothing, even on noisy data."""
    for name in references.DISCRETE:
        graph = pc(G2(references.dataset(name)), alpha=0.1, max_cond_size=2).graph
        assert closure(graph) == graph


def test_pc_warns_of_pairs_separated_without_a_test():
    """With few rows and the rule of five, the trace has untested pairs and a warning counts them."""
    data = references.dataset("alarm_n2000")
    few = Dataset.from_codes(data.codes[:8, :60], data.arity[:8], data.names[:8])
    result = pc(G2(few, rows_per_cell=5))
    untested = [event for event in result.trace if event.rule is Rule.UNTESTED]
    assert untested
    assert all(event.action == Action.REMOVE and event.log_p == 0.0 for event in untested)
    assert any(
        warning.startswith(f"{len(untested)} pairs were separated without a test") for warning in result.warnings
    )
    assert pc(G2(few)).warnings == ()


# --- cancellation, progress and results -----------------------------------------------------------------------------


def test_pc_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the partial result is not oriented, has a warning, and its trace ends at its graph."""
    dag = PDAG.from_edges(6, directed=[(0, 2), (1, 2), (2, 3), (3, 4), (1, 5)])
    whole, tests = pc(DSeparation(dag), max_cond_size=None), []

    def run(tick: Tick) -> LearnResult:
        tests.append(DSeparation(dag))
        return pc(tests[-1], max_cond_size=None, tick=tick)

    for result in cut_short(run):
        assert result.graph.directed_edges() == []
        assert result.n_tests == tests[-1].n_tests == sum(event.n_tests for event in result.trace)
        assert {pair: whole.sepsets[pair] for pair in result.sepsets} == dict(result.sepsets)
        missing = {frozenset(pair) for pair in combinations(range(6), 2)} - set(map(frozenset, result.graph.edges()))
        assert set(result.sepsets) == missing


def test_pc_ticks_with_the_level_and_rising_counts():
    """Each level is one phase that ends with all edges done; orientation follows."""
    heard: list[tuple[str, int, int]] = []
    pc(
        DSeparation(PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])),
        tick=lambda *event: heard.append(event) or True,
    )
    levels = list(dict.fromkeys(phase for phase, _, _ in heard))
    assert levels == ["level 0", "level 1", "orienting"]
    for level in levels:
        steps = [(done, total) for phase, done, total in heard if phase == level]
        assert [done for done, _ in steps] == list(range(1, steps[-1][1] + 1))
        assert len({total for _, total in steps}) == 1


@pytest.mark.parametrize("alpha", [0, 1, 1.0, -0.1, math.nan, "0.05", None])
def test_pc_refuses_alpha_outside_the_unit_interval(alpha):
    test = DSeparation(PDAG.empty(3))
    with pytest.raises(ParameterError, match=r"^alpha must be (in \(0, 1\)|a number), got "):
        pc(test, alpha=alpha)
    assert test.n_tests == 0


@pytest.mark.parametrize("limit", [-1, 1.5, True, "2"])
def test_pc_refuses_a_limit_that_is_not_a_count(limit):
    with pytest.raises(ParameterError, match="^max_cond_size must be a whole number (from 0 to 20|or None), got "):
        pc(DSeparation(PDAG.empty(3)), max_cond_size=limit)


@pytest.mark.parametrize("p", [1, 2])
def test_pc_takes_one_or_two_variables(p):
    result = pc(DSeparation(PDAG.empty(p)))
    assert result.graph == PDAG.empty(p)
    assert result.n_tests == math.comb(p, 2)


def test_pc_counts_its_own_tests_only():
    """A second run with the same test object counts only its own tests."""
    test = DSeparation(PDAG.from_edges(3, directed=[(0, 1)]))
    first, second = pc(test), pc(test)
    assert first.n_tests == second.n_tests > 0
    assert test.n_tests == 2 * first.n_tests


def test_pc_evidence_is_read_only():
    result = pc(DSeparation(PDAG.from_edges(3, directed=[(0, 1)])))
    arrays = [result.strengths.values, result.extra.log_phi, result.sepsets.members, result.extra.hardest.members]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_pc_finds_a_strong_structure_in_data():
    """A collider with strong effects is found in 4 000 rows of discrete and of Gaussian data."""
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 4_000))
    c = a + b + 0.5 * rng.normal(size=4_000)
    values = np.column_stack([a, b, c, c + 0.5 * rng.normal(size=4_000)])
    expected = PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])
    assert pc(FisherZ(Dataset.from_values(values, list("abcd"))), alpha=0.01).graph == expected
    yes = rng.random((2, 4_000)) < 0.5
    either = yes.any(axis=0) ^ (rng.random(4_000) < 0.05)
    echo = either ^ (rng.random(4_000) < 0.1)
    codes = np.array([*yes, either, echo], dtype=int)
    assert pc(G2(Dataset.from_codes(codes, [2] * 4, list("abcd"))), alpha=0.01).graph == expected


@pytest.mark.compiled
def test_pc_with_adjusted_dof_finds_far_more_of_alarm_than_with_plain():
    """Adjusted degrees of freedom find far more edges of alarm than plain ones, which count empty strata."""
    name = "alarm_n2000"
    truth = cpdag(references.true_dag(name))
    found = {}
    for dof in ("adjusted", "plain"):
        graph = pc(G2(references.dataset(name), dof=dof), max_cond_size=3).graph
        right = sum(graph.mark(*edge) == truth.mark(*edge) for edge in truth.edges())
        found[dof] = right / (truth.n_edges + graph.n_edges - right)
    assert found["adjusted"] > found["plain"] + 0.25, found
