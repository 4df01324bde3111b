"""Tests of HPC: a d-separation oracle, a reference implementation, bnlearn's variant, and invariants of the trace."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import (
    G2,
    PDAG,
    DSeparation,
    Knowledge,
    LearnResult,
    ParameterError,
    hpc,
    hpc_target,
    load_network,
    mmpc,
    sample,
)
from learners.graphs.rules import Rule
from learners.independence.ci_test import CITest
from learners.results.events import Action
from tests import naive, naive_hpc, naive_tests, references
from tests.cancelling import cut_short
from tests.learners.families.constraint_based.test_mmpc import ci_tests

VARIANTS = [
    {"unreliable": unreliable, "pc_method": method} for unreliable in ("literal", "skip") for method in ("plain", "fdr")
]

# --- the oracle -----------------------------------------------------------------------------------------------------


def blanket_of(dag: np.ndarray) -> np.ndarray:
    """Return a (p, p) bool array that marks parents, children and spouses of each node."""
    together = dag | dag.T | (dag.astype(int) @ dag.T.astype(int) > 0)
    np.fill_diagonal(together, False)
    return together


def check_oracle(dag: np.ndarray, **settings: object) -> None:
    """Check that each target has its true neighbours and blanket within the supersets, and that the sets separate."""
    result = hpc(DSeparation(PDAG(dag)), **settings)
    skeleton, found = dag | dag.T, result.extra
    np.testing.assert_array_equal(found.candidates, skeleton)
    np.testing.assert_array_equal(found.blanket, blanket_of(dag))
    assert not (skeleton & ~found.superset).any()
    assert not (blanket_of(dag) & ~(found.superset | found.spouses)).any()
    np.testing.assert_array_equal(result.graph.amat, skeleton)
    absent = {frozenset(pair) for pair in combinations(range(len(dag)), 2) if not skeleton[pair]}
    assert set(result.sepsets) == absent
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.warnings == ()


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("seed", range(150))
def test_hpc_with_the_oracle_finds_the_neighbours_of_every_target(seed):
    """HPC with the oracle finds all neighbours before the symmetry correction.

    Tested on 150 random DAGs of 4 to 11 nodes with mean degrees of 1.5 to 4.
    """
    rng = np.random.default_rng([seed, 99])
    p = int(rng.integers(4, 12))
    check_oracle(naive.random_dag(rng, p, int(rng.uniform(0.75, 2) * p)))


@pytest.mark.parametrize("name", references.each("asia_n2000", "survey_n2000", "sachs_n1000", "child_n2000"))
def test_hpc_with_the_oracle_finds_published_networks(name):
    check_oracle(references.true_dag(name).amat)


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("method", ["plain", "fdr"])
@pytest.mark.parametrize("seed", range(20))
def test_search_around_one_variable_with_the_oracle(seed, method):
    """A search around one variable finds its neighbours and blanket in the full search before symmetry correction."""
    rng = np.random.default_rng([seed, 98])
    dag = naive.random_dag(rng, 9, 12)
    test = DSeparation(PDAG(dag))
    for t, name in enumerate(test.names):
        result = hpc_target(test, name, pc_method=method)
        assert set(result.graph.adjacent(t)) == set(np.flatnonzero(dag[t] | dag[:, t]).tolist())
        assert result.extra.blanket_of_target == tuple(np.flatnonzero(blanket_of(dag)[t]).tolist())
        assert result.extra.target == t
        assert result.graph.n_edges == len(result.graph.adjacent(t))
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph


# --- bnlearn --------------------------------------------------------------------------------------------------------


def g2_as(name: str, test: str) -> G2:
    """Return bnlearn's `mi` or `mi-adf` on a sample."""
    data = references.dataset(name)
    return G2(data, dof="plain") if test == "mi" else G2(data, dof="adjusted", rows_per_cell=5)


def asked(test: CITest):
    """Return a cached test for the reference implementation."""
    known = {}

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float, bool]:
        key = (min(x, y), max(x, y), cond)
        if key not in known:
            answer = test.test(*key)
            known[key] = answer.log_p, answer.statistic, answer.tested
        return known[key]

    return ask


RUNS = [
    pytest.param(name, run, id=f"{name} {run['test']}", marks=[pytest.mark.compiled] * (name in references.LARGE))
    for name, runs in references.load("hpc").items()
    for run in runs
]


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_reference_with_bnlearns_choices_finds_its_skeleton(name, run):
    """The reference implementation with bnlearn's choices finds bnlearn's skeleton.

    Only samples for which the differences of the two programs are known are used (see the folder's README).
    """
    test = g2_as(name, run["test"])
    ask = asked(test)
    targets = [naive_hpc.Bnlearn(ask, test.p, t, run["alpha"], fdr=True) for t in range(test.p)]
    found = {frozenset(test.names[k] for k in pair) for pair in naive_hpc.skeleton(targets)}
    assert found == {frozenset(edge) for edge in run["edges"]}


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_hpc_finds_what_bnlearn_finds_and_more(name, run):
    """HPC finds all edges of bnlearn.

    It finds more on all samples but survey, since bnlearn's decentralised search misses some neighbours.
    """
    result = hpc(g2_as(name, run["test"]), alpha=run["alpha"], pc_method="fdr")
    found = {frozenset((result.names[i], result.names[j])) for i, j in result.graph.edges()}
    expected = {frozenset(edge) for edge in run["edges"]}
    assert found >= expected
    assert (found == expected) == (name == "survey_n2000")


# --- reference implementations and invariants on data ---------------------------------------------------------------


@pytest.mark.deep
@settings(max_examples=150, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.2, 0.05, 1e-4]), st.sampled_from(VARIANTS))
def test_hpc_agrees_with_its_definition(test, alpha, variant):
    """Supersets, blankets, neighbours and edges equal those of a reference implementation without a cache."""
    result, ask = hpc(test, alpha=alpha, **variant), asked(test)
    skip, fdr = variant["unreliable"] == "skip", variant["pc_method"] == "fdr"
    targets = [naive_hpc.Target(ask, 6, t, alpha, skip=skip, fdr=fdr) for t in range(6)]
    found = result.extra
    for t, target in enumerate(targets):
        for mine, its in (
            (found.superset, set(target.strength)),
            (found.spouses, target.spouses),
            (found.blanket, target.blanket),
            (found.candidates, target.partners),
        ):
            assert set(np.flatnonzero(mine[t]).tolist()) == its
    assert {frozenset(edge) for edge in result.graph.edges()} == naive_hpc.skeleton(targets)


def check_laws(result: LearnResult, test: CITest, alpha: float) -> None:
    """Check that trace, counts and evidence agree, and that every recorded test can be repeated."""
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph
    assert result.n_tests == result.trace.n_tests.sum()
    found = result.extra
    np.testing.assert_array_equal(result.graph.skeleton, found.candidates & found.candidates.T)
    np.testing.assert_array_equal(found.log_phi, found.log_phi.T)
    for event in result.trace:
        if event.rule is Rule.TEST and event.n_tests:
            answer = test.test(event.i, event.j, event.cond)
            assert (answer.log_p, answer.tested) == (pytest.approx(event.log_p, abs=1e-12), True)
    for x, y in combinations(range(len(result.names)), 2):
        assert (frozenset((x, y)) in result.sepsets) <= (not result.graph.skeleton[x, y])
        if frozenset((x, y)) in result.sepsets:
            assert found.log_phi[x, y] > math.log(alpha)


@settings(max_examples=60, deadline=None)
@given(ci_tests(), st.sampled_from([0.5, 0.05]), st.sampled_from(VARIANTS), st.sampled_from([None, 0, 1, 2]))
def test_hpc_trace_is_whole_and_consistent(test, alpha, variant, limit):
    """The trace is consistent for every variant and limit, and no set is larger than the limit."""
    result = hpc(test, alpha=alpha, max_cond_size=limit, **variant)
    check_laws(result, test, alpha)
    if limit is not None:
        assert max((len(event.cond) for event in result.trace), default=0) <= limit


@settings(max_examples=30, deadline=None)
@given(ci_tests(), st.sampled_from(VARIANTS))
def test_knowledge_is_above_the_tests(test, variant):
    """Required pairs are adjacent without a test; forbidden pairs are never adjacent, but are tested as spouses."""
    known = Knowledge(required=(("a", "c"), ("b", "c")), forbidden=(("d", "e"), ("e", "d")))
    result = hpc(test, alpha=0.2, knowledge=known, **variant)
    assert (result.graph.mark(0, 2), result.graph.mark(1, 2)) == ("forward", "forward")
    assert not result.graph.skeleton[3, 4]
    assert result.n_tests == result.trace.n_tests.sum()
    for pair in ((0, 2), (1, 2)):
        assert all(event.rule in (Rule.REQUIRED, Rule.FORBIDDEN) for event in result.trace.of_pair(*pair))
    assert all(event.action is Action.APART for event in result.trace.of_pair(3, 4))
    assert not result.extra.candidates[3, 4]
    assert not result.extra.candidates[4, 3]


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("seed", range(60))
def test_forbidden_pairs_may_be_spouses(seed):
    """With the oracle, forbidding absent pairs leaves the blankets complete.

    Pairs with common children are forbidden first.
    """
    rng = np.random.default_rng([seed, 77])
    p = int(rng.integers(4, 10))
    dag = naive.random_dag(rng, p, int(rng.uniform(0.9, 2) * p))
    spouses = blanket_of(dag) & ~(dag | dag.T)
    absent = ~(dag | dag.T | np.eye(p, dtype=bool))
    barred = np.argwhere(spouses | (absent & np.triu(rng.random((p, p)) < 0.3)))
    pairs = {(int(i), int(j)) for i, j in barred} | {(int(j), int(i)) for i, j in barred}
    ci_test = DSeparation(PDAG(dag))
    known = Knowledge(forbidden=tuple((ci_test.names[i], ci_test.names[j]) for i, j in sorted(pairs)))
    result = hpc(ci_test, knowledge=known)
    np.testing.assert_array_equal(result.extra.blanket, blanket_of(dag))
    np.testing.assert_array_equal(result.extra.candidates, dag | dag.T)


@pytest.mark.compiled
def test_hpc_does_not_depend_on_the_threads():
    """The results of HPC are equal with one thread and with two."""
    data = references.dataset("insurance_n1000")
    one, two = (hpc(G2(data, rows_per_cell=5, threads=threads)) for threads in (1, 2))
    assert one.n_tests == two.n_tests
    assert repr(list(one.trace)) == repr(list(two.trace))
    for name in ("rule", "candidates", "blanket", "spouses"):
        np.testing.assert_array_equal(getattr(one.extra, name), getattr(two.extra, name))
    np.testing.assert_array_equal(one.extra.log_phi, two.extra.log_phi)


@pytest.mark.compiled
def test_hpc_follows_the_columns():
    """Reversed columns give the same neighbours, rules and blankets under the new indices."""
    data = references.dataset("child_n2000")
    order = np.random.default_rng(1).permutation(data.p)
    one, other = (hpc(G2(each, rows_per_cell=5)).extra for each in (data, data.select(order.tolist())))
    for name in ("candidates", "rule", "superset", "spouses", "blanket"):
        np.testing.assert_array_equal(getattr(other, name), getattr(one, name)[np.ix_(order, order)])


@pytest.mark.compiled
def test_hpc_target_is_the_row_of_hpc():
    """The search around one variable equals its part of the search around all variables."""
    data = references.dataset("child_n2000")
    whole = hpc(G2(data, rows_per_cell=5)).extra
    for t, name in enumerate(data.names):
        found = hpc_target(G2(data, rows_per_cell=5), name).extra
        for part in ("candidates", "rule", "superset", "spouses", "blanket"):
            np.testing.assert_array_equal(getattr(found, part)[t], getattr(whole, part)[t])


def test_skipped_tests_separate_nothing_and_literal_ones_do():
    """With few rows, "literal" loses neighbours that "skip" keeps, and the result has a warning."""
    data = sample(load_network("insurance"), 200, 3)
    literal, skip = (hpc(G2(data, rows_per_cell=5), unreliable=rule) for rule in ("literal", "skip"))
    assert literal.graph.n_edges < skip.graph.n_edges
    assert any("too few rows" in warning for warning in literal.warnings)


@pytest.mark.compiled
def test_hpc_finds_more_neighbours_than_mmpc_in_large_samples():
    """HPC has a higher recall than MMPC with few additional false edges, as the paper claims.

    Tested on alarm with 5 000 rows.
    """
    network = load_network("alarm")
    test, truth = G2(sample(network, 5000, 0), rows_per_cell=5), network.dag.skeleton
    one, other = hpc(test).graph.skeleton, mmpc(test).graph.skeleton
    assert (one & truth).sum() >= (other & truth).sum()
    assert (one & ~truth).sum() // 2 <= 5


def test_hpc_cancelled_at_any_tick_returns_partial_results():
    """A run cancelled at any tick returns a partial result with a warning.

    Its trace ends at its graph, and the counts add up.
    """
    data = references.dataset("survey_n2000")
    for result in cut_short(lambda tick: hpc(G2(data), tick=tick)):
        assert result.n_tests == result.trace.n_tests.sum()
        assert not result.graph.skeleton[~result.extra.searched].any()


@pytest.mark.parametrize(
    ("name", "value"), [("alpha", 0), ("max_cond_size", -1), ("unreliable", "maybe"), ("pc_method", "iamb")]
)
@pytest.mark.parametrize("learner", [hpc, hpc_target], ids=["hpc", "hpc_target"])
def test_hpc_refuses_values_out_of_range(learner, name, value):
    with pytest.raises(ParameterError, match=f"{name} "):
        learner(G2(references.dataset("asia_n2000")), **{name: value})


def test_hpc_target_names_the_column_it_does_not_know():
    """An unknown target raises an error that suggests a similar column name."""
    with pytest.raises(ParameterError, match="^target must be a column of the data, got 'smok'; did you mean 'smoke'"):
        hpc_target(G2(references.dataset("asia_n2000")), "smok")
