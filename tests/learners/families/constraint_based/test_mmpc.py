"""Tests of MMPC: bnlearn's skeletons, a d-separation oracle, a reference implementation, and the trace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import G2, PDAG, Dataset, DSeparation, FisherZ, Knowledge, LearnResult, ParameterError, mmpc
from learners.common.progress import Tick
from learners.graphs.rules import Rule
from learners.independence.ci_test import CIResult, CITest
from learners.independence.set_search import NewSetSearch, Pools
from learners.results.events import Action
from learners.results.phases import Phase, Stage
from tests import naive, naive_max_min, naive_tests, references
from tests.cancelling import cut_short

RUNS = [
    pytest.param(name, run, id=f"{name} {run['test']}", marks=[pytest.mark.compiled] * (name in references.LARGE))
    for name, runs in references.load("max_min").items()
    for run in runs["mmpc"]
]


def g2_as(name: str, test: str) -> G2:
    """Return bnlearn's `mi` or `mi-adf` on a sample."""
    data = references.dataset(name)
    return G2(data, dof="plain") if test == "mi" else G2(data, dof="adjusted", rows_per_cell=5)


def final(result: LearnResult) -> PDAG:
    return result.trace.graph_at(len(result.trace.changes))


# --- bnlearn --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_mmpc_skeleton_equals_bnlearn(name, run):
    """Skeletons equal bnlearn's, except on alarm with plain degrees of freedom, where bnlearn's p-values underflow.

    See the README of the folder.
    """
    result = mmpc(g2_as(name, run["test"]), alpha=run["alpha"], max_cond_size=None)
    found = {frozenset((result.names[i], result.names[j])) for i, j in result.graph.edges()}
    expected = {frozenset(edge) for edge in run["edges"]}
    if (name, run["test"]) == ("alarm_n2000", "mi"):
        expected.remove(frozenset(("MINVOL", "VENTLUNG")))
    assert found == expected


# --- the oracle -----------------------------------------------------------------------------------------------------


def check_oracle(dag: np.ndarray) -> LearnResult:
    """Check that the skeleton is the true one, and that each absent pair has one set, which separates it."""
    result = mmpc(DSeparation(PDAG(dag)), max_cond_size=None)
    assert np.array_equal(result.graph.amat, dag | dag.T), dag
    assert set(result.sepsets) == {frozenset(pair) for pair in combinations(range(len(dag)), 2)} - {
        frozenset(edge) for edge in result.graph.edges()
    }
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)
    assert final(result) == result.graph
    assert result.warnings == ()
    return result


@pytest.mark.deep
def test_mmpc_with_the_oracle_finds_the_skeleton_of_all_dags_of_four_nodes():
    """With the oracle the skeleton is right; the symmetry correction removes descendants that are no neighbours."""
    results = [(dag, check_oracle(dag)) for dag in naive.all_dags(4)]
    assert len(results) == 543
    assert any((result.extra.candidates & ~(dag | dag.T)).any() for dag, result in results)


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("p", [5, 6, 7, 8, 9])
@pytest.mark.parametrize("seed", range(30))
def test_mmpc_with_the_oracle_finds_the_skeleton_of_random_dags(p, seed):
    """All neighbours are candidates, and other candidates are descendants (DAGs with up to 1.8 edges per node)."""
    dag = naive.random_dag(np.random.default_rng([seed, p]), p, int(1.8 * p))
    candidates = check_oracle(dag).extra.candidates
    assert (candidates | ~(dag | dag.T)).all()
    for t, x in np.argwhere(candidates & ~(dag | dag.T)).tolist():
        assert x in naive.reachable(dag, t)


@pytest.mark.parametrize("name", ["asia_n2000", "survey_n2000", "sachs_n1000"])
def test_mmpc_with_the_oracle_finds_the_skeleton_of_published_networks(name):
    """With the oracle, the skeletons of small networks are right.

    Larger networks take too long, because the oracle gives all dependences the same strength.
    """
    dag = references.true_dag(name)
    assert np.array_equal(mmpc(DSeparation(dag), max_cond_size=None).graph.amat, dag.skeleton)


# --- reference implementation and invariants on data ----------------------------------------------------------------


@st.composite
def ci_tests(draw):
    """Draw G² of either kind or Fisher's z on six columns with strong and weak dependences, copies and constants."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    values = rng.normal(size=(70, 6)) @ (np.eye(6) + np.triu(rng.normal(size=(6, 6)), 1) * (rng.random((6, 6)) < 0.5))
    odd = draw(st.sampled_from(["none", "none", "copy", "constant"]))
    if odd != "none":
        values[:, 5] = values[:, 0] if odd == "copy" else 3.0
    if draw(st.booleans()):
        return FisherZ(Dataset.from_values(values, list("abcdef")))
    codes = (values > np.median(values, axis=0)).T + (values > 0.7).T * (np.arange(6) % 2)[:, None]
    data = Dataset.from_codes(codes, [2, 3] * 3, list("abcdef"))
    return G2(data, dof=draw(st.sampled_from(["adjusted", "plain"])), rows_per_cell=draw(st.sampled_from([0, 2])))


@settings(max_examples=100, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.2, 0.05, 1e-4]), st.integers(0, 4), st.booleans())
def test_mmpc_agrees_with_its_definition(test, alpha, limit, knows):
    """Candidates, edges, separating sets, largest p-values and numbers of tests equal those without any cache."""
    known = Knowledge(required=(("a", "c"), ("b", "c")), forbidden=(("d", "e"), ("e", "d"))) if knows else None
    joined, apart = ([frozenset((0, 2)), frozenset((1, 2))], [frozenset((3, 4))]) if knows else ([], [])
    result = mmpc(test, alpha=alpha, max_cond_size=limit, knowledge=known)

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float]:
        answer = test.test(x, y, cond)
        return answer.log_p, answer.statistic

    targets, edges, n_tests = naive_max_min.mmpc(ask, 6, alpha, limit, joined, apart)
    for t, target in enumerate(targets):
        assert set(np.flatnonzero(result.extra.candidates[t])) == set(target.members)
    assert {frozenset(edge) for edge in result.graph.edges()} == edges
    assert result.n_tests == n_tests
    for x, y in combinations(range(6), 2):
        found = [target.hardest[k] for target, k in ((targets[x], y), (targets[y], x)) if k in target.hardest]
        assert result.extra.log_phi[x, y] == (max(found) if found else pytest.approx(math.nan, nan_ok=True))
        sets = [target.sepsets[k] for target, k in ((targets[x], y), (targets[y], x)) if k in target.sepsets]
        assert (frozenset((x, y)) in result.sepsets) == bool(sets)
        assert not sets or result.sepsets[frozenset((x, y))] in sets


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.05]), st.integers(0, 3))
def test_mmpc_trace_is_whole_and_consistent(test, alpha, limit):
    """Every pair has events, each test can be repeated, the counts add up, and the trace ends at the graph."""
    result = mmpc(test, alpha=alpha, max_cond_size=limit)
    assert final(result) == result.graph
    assert result.trace.start == PDAG.empty(6)
    assert result.n_tests == result.trace.n_tests.sum()
    for x, y in combinations(range(6), 2):
        events = result.trace.of_pair(x, y)
        assert events[0].phase == Phase(Stage.MARGINAL)
        assert max(event.log_p for event in events) == result.extra.log_phi[x, y]
        parted = [event for event in events if event.action in (Action.APART, Action.REMOVE)]
        assert bool(parted) == (not result.graph.skeleton[x, y]) == (frozenset((x, y)) in result.sepsets)
        assert all((event.log_p > math.log(alpha)) == (event in parted) for event in events)
        joined = False
        for event in events:
            assert event.threshold == alpha
            assert event.log_p == test.test(x, y, event.cond).log_p
            assert (event.action == Action.REMOVE) <= joined
            joined = event.action == Action.ADD or (joined and event.action != Action.REMOVE)
    apart = ~np.eye(6, dtype=bool)
    np.testing.assert_array_equal(result.strengths.values[apart], (result.extra.log_phi / math.log(10))[apart])
    assert np.isnan(result.strengths.values.diagonal()).all()


@pytest.mark.parametrize("name", references.each("child_n2000", "gauss_p12_n500", "gauss_p30_n100"))
def test_mmpc_does_not_depend_on_column_order(name):
    """Permuted columns give the permuted skeleton, candidates and largest p-values; exact ties do not occur here."""
    data = references.dataset(name)
    make = FisherZ if data.kind == "continuous" else G2
    whole = mmpc(make(data), alpha=0.1, max_cond_size=3)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(data.p).tolist()
        other = mmpc(make(data.select(order)), alpha=0.1, max_cond_size=3)
        grid = np.ix_(order, order)
        assert np.array_equal(other.graph.skeleton, whole.graph.skeleton[grid])
        assert np.array_equal(other.extra.candidates, whole.extra.candidates[grid])
        np.testing.assert_allclose(other.extra.log_phi, whole.extra.log_phi[grid], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", references.each("child_n2000", "gauss_p30_n100"))
def test_mmpc_does_not_depend_on_the_number_of_threads(name):
    """The events are equal, bit for bit, for any number of threads."""
    data = references.dataset(name)
    make = FisherZ if data.kind == "continuous" else G2
    one, five = (mmpc(make(data, threads=threads), alpha=0.2) for threads in (1, 5))
    assert [repr(event) for event in one.trace] == [repr(event) for event in five.trace]
    assert one.n_tests == five.n_tests


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.integers(0, 10**6), st.integers(1, 4))
def test_compiled_searches_of_new_sets_equal_single_tests(test, seed, most):
    """The hardest test, its set and the number of tests are equal for pools of any size with any known part."""
    rng = np.random.default_rng(seed)
    pools = Pools.empty(6)
    for _ in range(4):
        grow = np.array([t for t in range(6) if rng.random() < 0.7 and pools.sizes[t] < 4], dtype=np.int64)
        new = [rng.choice([k for k in range(6) if k != t and k not in pools.of(t)]) for t in grow]
        pools = pools.with_one_more(grow, np.array(new, dtype=np.int64))
    pools = pools._replace(known=np.minimum(pools.known, rng.integers(0, 4, 6)))
    edges = np.array([(t, x) for t in range(6) for x in range(6) if x != t and x not in pools.of(t)])
    walks = NewSetSearch(edges, pools, most)
    fast, slow = test.separate(walks, 0.3), CITest.separate(test, walks, 0.3)
    assert np.array_equal(fast.n_tests, slow.n_tests)
    done = fast.n_tests > 0
    for name in ("log_p", "tested", "cond"):
        np.testing.assert_array_equal(getattr(fast, name)[done], getattr(slow, name)[done])


def test_pools_offer_every_set_once():
    """The new sets of all steps are the subsets of the pool, each once; a removal keeps the other sets."""
    pools, seen = Pools.empty(3), []
    for new in (7, 2, 9, 4):
        pools = pools.with_one_more(np.array([1]), np.array([new]))
        seen += list(pools.new_sets(1, 3))
    every = [cond for size in (1, 2, 3) for cond in combinations((2, 4, 7, 9), size)]
    assert sorted(seen) == sorted(every)
    rest = pools.without(np.array([1]), np.array([1]))
    assert rest.of(1) == [7, 9, 4]
    assert list(rest.new_sets(1, 2)) == [(9,), (4,), (7, 9), (4, 7), (4, 9)]
    assert rest.of(0) == rest.of(2) == []
    assert rest.most_new(2) >= 5


# --- decisions of a scripted test -----------------------------------------------------------------------------------


class Scripted(CITest):
    """A test with given (p, statistic) by pair and set; p = 0.9 otherwise."""

    def __init__(self, p: int, answers: dict[tuple[int, int], tuple[float, float]]) -> None:
        self.names = tuple("abcdefgh"[:p])
        self.answers = {frozenset(pair): answer for pair, answer in answers.items()}

    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:  # noqa: ARG002
        self.n_tests += 1
        p_value, statistic = self.answers.get(frozenset((x, y)), (0.9, 0.1))
        return CIResult(statistic, math.nan, math.log(p_value), p_value)


def rounds_of(result: LearnResult) -> list[tuple[int, str]]:
    """Return the added edges in their order, with their rounds."""
    return [
        (event.phase.round, f"{result.names[event.i]}{result.names[event.j]}")
        for event in result.trace
        if event.action == Action.ADD
    ]


def test_mmpc_takes_the_strongest_first_and_breaks_ties_by_the_statistic():
    """Candidate d, with the smallest p, is added first, then c, whose |statistic| exceeds that of b at an equal p."""
    answers = {(0, 1): (1e-5, 2.0), (0, 2): (1e-5, -3.0), (0, 3): (1e-9, 1.0)}
    rounds = [(number, "".join(sorted(pair))) for number, pair in rounds_of(mmpc(Scripted(4, answers)))]
    assert rounds == [(1, "ad"), (2, "ac"), (3, "ab")]


def test_mmpc_edge_that_both_ends_give_up_at_once_leaves_once():
    """Variables a and b choose each other until c separates them later; only one removal is recorded."""

    class Late(Scripted):
        def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
            if {x, y} == {0, 1} and cond:
                self.n_tests += 1
                return CIResult(0.2, math.nan, math.log(0.8), 0.8)
            return super().test(x, y, cond)

    result = mmpc(Late(3, {(0, 1): (1e-9, 6.0), (0, 2): (1e-5, 4.0), (1, 2): (1e-5, 4.0)}))
    assert set(result.graph.edges()) == {(0, 2), (1, 2)}
    events = [(event.phase.stage, event.action) for event in result.trace.of_pair(0, 1) if event.action != Action.KEEP]
    assert events == [
        (Stage.ROUND, Action.ADD),
        (Stage.BACKWARD, Action.REMOVE),
        (Stage.BACKWARD, Action.APART),
    ]


def test_mmpc_keeps_an_edge_at_p_equal_to_alpha():
    """A pair with p = alpha stays adjacent, since it is independent iff p > alpha."""
    assert mmpc(Scripted(2, {(0, 1): (0.05, 1.0)}), alpha=0.05).graph.n_edges == 1
    assert mmpc(Scripted(2, {(0, 1): (0.050_001, 1.0)}), alpha=0.05).graph.n_edges == 0


def test_mmpc_warns_of_pairs_separated_without_a_test():
    """With few rows and the rule of five, the trace has untested pairs and a warning counts them."""
    data = references.dataset("alarm_n2000")
    few = Dataset.from_codes(data.codes[:8, :60], data.arity[:8], data.names[:8])
    result = mmpc(G2(few, rows_per_cell=5))
    untested = {frozenset((event.i, event.j)) for event in result.trace if event.rule is Rule.UNTESTED}
    assert untested
    assert result.warnings[0].startswith(f"{len(untested)} pairs were separated without a test")
    assert mmpc(G2(few)).warnings == ()


# --- knowledge, warnings and cancellation ---------------------------------------------------------------------------


def test_mmpc_respects_knowledge():
    """A required edge is oriented without a test, a forbidden pair is not tested, and a tier gives a direction."""
    dag = PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    known = Knowledge(required=(("3", "0"),), forbidden=(("1", "2"), ("2", "1"), ("1", "0")))
    result = mmpc(DSeparation(dag), knowledge=known)
    assert result.graph == PDAG.from_edges(4, directed=[(3, 0), (0, 1)], undirected=[(2, 3)])
    assert final(result) == result.graph
    assert [event.rule for event in result.trace.of_pair(0, 3)] == [Rule.REQUIRED]
    assert [event.rule for event in result.trace.of_pair(1, 2)] == [Rule.FORBIDDEN]
    assert result.trace.of_pair(0, 1)[-1].rule is Rule.FORBIDDEN
    assert set(result.extra.candidates[0].nonzero()[0]) >= {3}


def test_mmpc_warns_of_known_directions_that_form_a_cycle():
    """Three forbidden directions that form a cycle in a triangle give a warning."""
    known = Knowledge(forbidden=(("1", "0"), ("2", "1"), ("0", "2")))
    result = mmpc(DSeparation(PDAG.from_edges(3, directed=[(0, 1), (0, 2), (1, 2)])), knowledge=known)
    assert result.graph.has_directed_cycle()
    assert any("cycle" in warning for warning in result.warnings)


def test_mmpc_cancelled_at_any_tick_returns_partial_results():
    """If cancelled at any tick, the partial result has a warning; its trace ends at its graph and counts the tests."""
    dag = PDAG.from_edges(6, directed=[(0, 2), (1, 2), (2, 3), (3, 4), (1, 5)])
    heard, tests = [], []
    assert mmpc(DSeparation(dag), tick=lambda *event: heard.append(event) or True).complete
    assert {phase.split()[0] for phase, _, _ in heard} == {"marginal", "round", "backward"}

    def run(tick: Tick) -> LearnResult:
        tests.append(DSeparation(dag))
        return mmpc(tests[-1], tick=tick)

    for result in cut_short(run):
        assert result.n_tests == tests[-1].n_tests == result.trace.n_tests.sum()
        for pair, cond in result.sepsets.items():
            assert naive_tests.d_separated(dag.amat, *pair, cond)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, math.nan, "0.05", None])
def test_mmpc_refuses_alpha_outside_the_unit_interval(alpha):
    test = DSeparation(PDAG.empty(3))
    with pytest.raises(ParameterError, match=r"^alpha must be (in \(0, 1\)|a number), got "):
        mmpc(test, alpha=alpha)
    assert test.n_tests == 0


@pytest.mark.parametrize("limit", [-1, 1.5, True, "2"])
def test_mmpc_refuses_a_limit_that_is_not_a_count(limit):
    with pytest.raises(ParameterError, match="^max_cond_size must be a whole number (from 0 to 20|or None), got "):
        mmpc(DSeparation(PDAG.empty(3)), max_cond_size=limit)


@pytest.mark.parametrize("p", [1, 2])
def test_mmpc_takes_one_or_two_variables(p):
    result = mmpc(DSeparation(PDAG.empty(p)))
    assert result.graph == PDAG.empty(p)
    assert result.n_tests == math.comb(p, 2)


def test_mmpc_evidence_is_read_only():
    result = mmpc(DSeparation(PDAG.from_edges(3, directed=[(0, 1)])))
    for array in (result.strengths.values, result.extra.log_phi, result.sepsets.members, result.extra.candidates):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
