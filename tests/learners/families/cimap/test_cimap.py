"""Tests of CImap: an independent program, an oracle, a reference implementation, and invariants of its options."""

from __future__ import annotations

import math
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_ndtr
from scipy.stats import norm

from learners import (
    LEARNERS,
    PDAG,
    Dataset,
    Knowledge,
    LearnResult,
    MutualInformation,
    ParameterError,
    learn,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.common.progress import Tick
from learners.evaluation.held_out_likelihood import held_out_log_likelihood
from learners.families.cimap.cimap import cimap
from learners.families.cimap.effect_choice import EFFECTS, EffectScore, Folds, best_effect
from learners.families.cimap.evidence import InformationEvidence
from learners.families.cimap.presets import PRESETS
from learners.families.cimap.twf_pc import deviations
from learners.graphs.rules import Rule
from learners.independence import InformationOracle, InformationTest
from learners.kernels.cimap.sequential_tests import KEPT, MAX_LISTED, SEPARATED, SKIPPED
from learners.results.events import Action
from tests import naive, naive_cimap, naive_tests, references
from tests.cancelling import cut_short

RUNS = [
    pytest.param(name, run, id=f"{name} {run}", marks=[pytest.mark.compiled] * (name in references.LARGE))
    for name, runs in references.load("cimap").items()
    if name != "what"
    for run in runs
]


def normal_log_p(evidence: InformationEvidence, cut: float) -> np.ndarray:
    """Return (p, p) ln p of the normal approximation around any cut, in mbit."""
    return log_ndtr(-deviations(evidence.information, evidence.spread, cut))


def options_of(run: str) -> dict:
    """Return the options of a run of the independent program, from its name."""
    if run.startswith("PN"):
        options = {"max_cond_size": None, "preset": "PN1" if run == "PN 0.01" else "PN2"}
    else:
        options = {"max_cond_size": None, "preset": "MI2" if run.startswith("MI") else "P-1"}
    for word, option in (
        ("sFDR", {"fdr": "sfdr"}),
        ("iFDR", {"fdr": "ifdr"}),
        ("BH", {"fdr_method": "bh"}),
        ("max order 2", {"max_cond_size": 2}),
        ("max order 3", {"max_cond_size": 3}),
    ):
        options |= option if word in run else {}
    if effect := re.search(r"w=([\d.]+)", run):
        options |= {"fnr": "on", "effect": float(effect[1]), "max_cond_size": 4}
    return options


def final(result: LearnResult) -> PDAG:
    return result.trace.graph_at(len(result.trace.changes))


def skeleton_of(result: LearnResult) -> set[frozenset]:
    return {frozenset(edge) for edge in result.graph.edges()}


# --- an independent program -----------------------------------------------------------------------------------------


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize(("name", "run"), RUNS)
def test_cimap_equals_an_independent_program(name, run):
    """Edges and test counts equal the program's for χ², cuts, the normal approximation, FNR and both types of FDR."""
    expected = references.load("cimap")[name][run]
    result = cimap(MutualInformation(references.dataset(name)), collider_check="off", **options_of(run))
    found = {frozenset((result.names[i], result.names[j])) for i, j in result.graph.edges()}
    assert found == {frozenset(edge) for edge in expected["edges"]}
    assert result.n_tests == sum(expected["calls"]) == result.trace.n_tests.sum()
    if bound := re.search(r"bound (\d+)", run):
        assert result.extra.bound == int(bound[1])


@pytest.mark.parametrize("name", ["asia_n2000", "survey_n2000"])
def test_normal_approximation_equals_high_precision(name):
    """Information, spread and p-values at two cuts equal high-precision values for every pair."""
    result = cimap(MutualInformation(references.dataset(name)), preset="PN1")
    at = {column: k for k, column in enumerate(result.names)}
    for pair in references.load("cimap_formulas")["pn"][name]:
        where = at[pair["x"]], at[pair["y"]]
        assert result.extra.information[where] == pytest.approx(1e3 * pair["m"], rel=1e-9, abs=1e-9)
        assert result.extra.spread[where] == pytest.approx(1e3 * pair["s"], rel=1e-9, abs=1e-9)
        for cut in (10, 5):
            log_p = normal_log_p(result.extra, cut)[where]
            assert math.exp(log_p) == pytest.approx(pair[f"p_{cut / 1e3:g}"], rel=1e-7, abs=1e-300)


# --- the oracle -----------------------------------------------------------------------------------------------------


def check_oracle(dag: np.ndarray, preset: str) -> LearnResult:
    """Check that the graph is the true CPDAG, and that each absent pair has a set that d-separates it."""
    result = cimap(InformationOracle(PDAG(dag)), preset=preset, max_cond_size=None)
    assert np.array_equal(result.graph.amat, naive.cpdag(dag)), dag
    assert set(result.sepsets) == {frozenset(pair) for pair in combinations(range(len(dag)), 2)} - skeleton_of(result)
    for pair, cond in result.sepsets.items():
        assert naive_tests.d_separated(dag, *pair, cond)
    assert final(result) == result.graph
    return result


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("p", [4, 5, 6, 7, pytest.param(8, marks=pytest.mark.compiled)])
def test_cimap_with_the_oracle_finds_the_class_of_random_dags(p, preset):
    """With the oracle, the result is the true CPDAG for 30 sparse or dense DAGs of each size."""
    for seed in range(30):
        rng = np.random.default_rng([seed, p])
        check_oracle(naive.random_dag(rng, p, min(int(rng.uniform(0.8, 1.8) * p), p * (p - 1) // 2)), preset)


@pytest.mark.deep
def test_cimap_with_the_oracle_finds_the_class_of_all_dags_of_four_nodes():
    """With the oracle, the result is the true CPDAG for all 543 DAGs of four nodes."""
    for dag in naive.all_dags(4):
        check_oracle(dag, "P-1")


def test_cimap_with_the_oracle_is_right_by_the_normal_approximation_given_others():
    """With the oracle the graph is right, since an information of one or zero bits is far above or below the cut."""
    for seed in range(20):
        dag = naive.random_dag(np.random.default_rng(seed), 7, 9)
        result = cimap(InformationOracle(PDAG(dag)), test="pn-all", max_cond_size=None)
        assert np.array_equal(result.graph.amat, naive.cpdag(dag))


@pytest.mark.parametrize("fdr", ["sfdr", "ifdr", "pefdr"])
@pytest.mark.parametrize("method", ["bh", "by"])
def test_cimap_with_the_oracle_is_right_under_every_control(fdr, method):
    """With the oracle every family is decided correctly, because its p-values are 0 or 1."""
    for seed in range(20):
        dag = naive.random_dag(np.random.default_rng(seed), 7, 9)
        result = cimap(InformationOracle(PDAG(dag)), fdr=fdr, fdr_method=method, max_cond_size=None, orient=False)
        assert np.array_equal(result.graph.amat, dag | dag.T)


# --- reference implementations --------------------------------------------------------------------------------------


def samples(seed: int, n: int = 120, p: int = 6) -> Dataset:
    """Draw columns with 2 to 4 levels and with strong and weak dependences."""
    rng = np.random.default_rng(seed)
    mixing = np.eye(p) + np.triu(rng.normal(size=(p, p)), 1) * (rng.random((p, p)) < 0.5)
    values = rng.normal(size=(n, p)) @ mixing
    arity = rng.integers(2, 5, p)
    codes = [np.searchsorted(np.quantile(v, np.arange(1, r) / r), v) for v, r in zip(values.T, arity, strict=True)]
    if rng.random() < 0.2:
        codes[-1] = np.zeros(n, dtype=np.int64)
    return Dataset.from_codes(codes, arity, list("abcdefgh"[:p]))


@st.composite
def choices(draw):
    """Draw a valid combination of options."""
    test = draw(st.sampled_from(["p", "p", "mi", "pn", "pn-all"]))
    return {
        "test": test,
        "twf": draw(st.sampled_from(["on", "on", "off"])),
        "fdr": "none" if test == "mi" else draw(st.sampled_from(["none", "sfdr", "ifdr", "pefdr", "pefdr"])),
        "fnr": "off" if test in ("mi", "pn-all") else draw(st.sampled_from(["on", "off"])),
        "effect": draw(st.sampled_from([0.2, 0.3, 0.6])),
        "alpha": draw(st.sampled_from([0.3, 0.05])),
        "q": draw(st.sampled_from([0.2, 0.05])),
        "fdr_method": draw(st.sampled_from(["bh", "by"])),
        "literal": draw(st.booleans()),
        "cut": draw(st.sampled_from([2.0, 20.0, 60.0])),
        "max_cond_size": draw(st.sampled_from([0, 1, 2, 3])),
    }


class OneByOne(MutualInformation):
    """The conditioning-set search of the base class, which runs one test at a time."""

    separate_in_turn = InformationTest.separate_in_turn


@pytest.mark.deep
@pytest.mark.compiled
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), choices(), st.sampled_from(["plain", "adjusted"]))
def test_cimap_agrees_with_its_definition(seed, chosen, dof):
    """Edges, largest p-values and the tests in their order equal those of a reference, with and without kernels."""
    data = samples(seed)
    ci_test = MutualInformation(data, dof=dof)
    result = cimap(ci_test, orient=False, **chosen)
    extra = result.extra

    def ask(x: int, y: int, cond: tuple[int, ...]) -> tuple[float, float, float]:
        found = ci_test.test(x, y, cond)
        return found.p_value, found.statistic / (2 * data.n * math.log(2)), ci_test.declared_dof(x, y, cond)

    def normal(x: int, y: int, cond: tuple[int, ...]) -> float:
        m, s = (1e3 * bits for bits in naive_tests.information(data.codes, x, y, cond))
        return float(norm.sf((m - chosen["cut"]) / s)) if s > 0 else float(m <= chosen["cut"])

    reference = naive_cimap.cimap(6, ask, normal, naive_cimap.Options(
        test=chosen["test"], twf=chosen["twf"] == "on", fdr=chosen["fdr"], method=chosen["fdr_method"],
        alpha=chosen["alpha"], q=chosen["q"], cut=chosen["cut"] / 1e3, bound=extra.bound, literal=chosen["literal"],
        limit=chosen["max_cond_size"],
    ))  # fmt: skip
    assert skeleton_of(result) == reference.edges
    assert result.n_tests == reference.tests == result.trace.n_tests.sum()
    for pair in combinations(range(6), 2):
        largest = reference.largest.get(frozenset(pair))
        assert np.isnan(extra.hardest_information[pair]) == (largest is None)
        if largest is not None and chosen["test"] != "mi":
            assert math.exp(extra.log_phi[pair]) == pytest.approx(largest, rel=1e-8, abs=1e-300)
    taken = [
        (level.size, *map(int, edge))
        for level in extra.levels
        for edge, state in zip(level.edges, level.turns.state, strict=True)
        if state in (SKIPPED, KEPT, SEPARATED)
    ]
    # The reference implementation does not stop where no test has enough power.
    assert taken == reference.order[: len(taken)]
    slow = cimap(OneByOne(data, dof=dof), orient=False, **chosen)
    assert [repr(event) for event in slow.trace] == [repr(event) for event in result.trace]
    for one, other in zip(slow.extra.levels, extra.levels, strict=True):
        for name in ("state", "n_tests", "n_skipped", "log_line", "listed"):
            np.testing.assert_allclose(getattr(one.turns, name), getattr(other.turns, name), rtol=1e-12)


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), choices())
def test_cimap_trace_is_whole_and_consistent(seed, chosen):
    """Each test can be repeated, the trace ends at the graph, and absent pairs have a removal and a separating set."""
    data = samples(seed)
    ci_test = MutualInformation(data)
    result = cimap(ci_test, **chosen)
    assert final(result) == result.graph
    by_normal = chosen["test"] == "pn-all"
    for x, y in combinations(range(6), 2):
        events = result.trace.of_pair(x, y)
        parted = [event for event in events if event.action == Action.REMOVE]
        assert len(parted) == (not result.graph.skeleton[x, y]) == (frozenset((x, y)) in result.sepsets)
        for event in events:
            if event.rule in (Rule.TEST, Rule.CUT) or (event.rule is Rule.FAMILY and not by_normal):
                again = ci_test.test(x, y, event.cond)
                assert event.log_p == pytest.approx(again.log_p, rel=1e-12)
                mbit = 1e3 * again.statistic / (2 * data.n * math.log(2))
                assert event.statistic == pytest.approx(mbit if event.rule is Rule.CUT else again.statistic)
            elif event.rule is Rule.NORMAL or (event.rule is Rule.FAMILY and by_normal):
                bits, spread = naive_tests.information(data.codes, x, y, event.cond)
                z = (bits - chosen["cut"] / 1e3) / spread if spread > 0 else -math.inf
                assert event.statistic == pytest.approx(z, rel=1e-6)
                assert event.log_p == pytest.approx(norm.logsf(z), rel=1e-5, abs=1e-12)
                assert math.isnan(event.dof)
            if event.action == Action.REMOVE and event.rule is Rule.CUT:
                assert event.statistic < event.threshold
            elif event.action == Action.REMOVE and event.rule is not Rule.FAMILY:
                assert event.p_value > event.threshold or event.log_p > math.log(event.threshold)


# --- invariants of the options --------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("preset", ["P-1", "P-2", "P-3", "P-4", "MI2", "PN1", "PN2"])
@pytest.mark.parametrize("name", ["child_n2000", "sachs_n1000"])
def test_cimap_weakest_first_does_not_depend_on_column_order(name, preset):
    """Permuted columns give the permuted skeleton; exact ties do not occur here."""
    data = references.dataset(name)
    whole = cimap(MutualInformation(data), preset=preset, max_cond_size=2).graph.skeleton
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(data.p).tolist()
        other = cimap(MutualInformation(data.select(order)), preset=preset, max_cond_size=2).graph.skeleton
        assert np.array_equal(other, whole[np.ix_(order, order)])


@pytest.mark.compiled
def test_cimap_in_the_order_of_the_columns_depends_on_it():
    """With `twf="off"`, permuting the columns changes the skeleton."""
    data = references.dataset("insurance_n1000")
    counts = set()
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(data.p).tolist()
        counts.add(cimap(MutualInformation(data.select(order)), twf="off").graph.n_edges)
    assert len(counts) > 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.2, 0.05]), st.sampled_from(["bh", "by"]))
def test_standard_fdr_only_takes_edges_away(seed, q, method):
    """Standard FDR control only removes edges of the plain run, and its tests are the same."""
    data = samples(seed)
    options = {"q": q, "fdr_method": method, "collider_check": "off"}
    plain, controlled = (cimap(MutualInformation(data), fdr=fdr, **options) for fdr in ("none", "sfdr"))
    assert skeleton_of(controlled) <= skeleton_of(plain)
    assert controlled.n_tests == plain.n_tests


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.3, 0.05]))
def test_per_edge_fdr_of_benjamini_and_hochberg_is_the_plain_run(seed, alpha):
    """Per-edge Benjamini-Hochberg control at q = alpha gives the plain graph; only the number of tests differs."""
    data = samples(seed)
    plain = cimap(MutualInformation(data), alpha=alpha, orient=False)
    families = cimap(MutualInformation(data), alpha=alpha, fdr="pefdr", fdr_method="bh", orient=False)
    assert skeleton_of(families) == skeleton_of(plain)
    assert families.n_tests >= plain.n_tests


def test_per_edge_fdr_lists_the_largest_p_of_each_family():
    """The list is in descending order with one p-value per test; the first is compared with the last threshold."""
    result = cimap(MutualInformation(references.dataset("insurance_n1000")), fdr="pefdr", max_cond_size=2)
    for level in result.extra.levels:
        turns = level.turns
        for t in np.flatnonzero(turns.n_tests):
            listed = turns.listed[t][: turns.n_tests[t]]
            assert (np.diff(listed) <= 0).all()
            assert np.isfinite(turns.listed[t]).sum() <= min(turns.n_tests[t], MAX_LISTED)
            assert listed[0] == turns.log_p[t]
            m = turns.n_tests[t]
            assert turns.log_line[t] == pytest.approx(math.log(0.05 / (1 / np.arange(1, m + 1)).sum()))
            assert (turns.state[t] == SEPARATED) == (turns.log_p[t] > turns.log_line[t])


@pytest.mark.parametrize("cut", [5.0, 10.0, 0.0])
def test_normal_approximation_keeps_what_is_surely_above_the_cut(cut):
    """A pair is kept iff m >= μ + z s, with z the upper quantile of the level; the evidence gives any other cut."""
    data = references.dataset("alarm_n2000")
    result = cimap(MutualInformation(data), test="pn", cut=cut, max_cond_size=0, orient=False)
    extra, z = result.extra, norm.isf(0.05)
    kept = extra.information >= cut + z * extra.spread
    kept[extra.spread == 0] = False
    np.fill_diagonal(kept, False)
    assert np.array_equal(result.graph.skeleton, kept)
    other = cimap(MutualInformation(data), test="pn", cut=cut + 1, max_cond_size=0, orient=False)
    stays = normal_log_p(extra, cut + 1) <= math.log(0.05)
    np.fill_diagonal(stays, False)
    np.testing.assert_array_equal(other.graph.skeleton, stays)


@pytest.mark.compiled
def test_normal_approximation_given_others_is_as_sure_as_it_says():
    """With the true conditional information as the cut, about 5 % of samples lie significantly above it."""
    table = np.array([[[0.2, 0.05], [0.1, 0.15]], [[0.05, 0.15], [0.15, 0.15]]])  # z, x, y
    of_z, of_xz, of_yz = (table.sum(axis, keepdims=True) for axis in ((1, 2), 2, 1))
    truth = (table * np.log2(table * of_z / (of_xz * of_yz))).sum()
    rng, above, runs = np.random.default_rng(5), 0, 1_000
    for _ in range(runs):
        z, x, y = np.unravel_index(rng.choice(8, 5_000, p=table.ravel()), table.shape)
        bits, spread = MutualInformation(Dataset.from_codes([x, y, z], [2] * 3, list("xyz"))).information_given(
            0, 1, [2]
        )
        above += norm.sf((bits - truth) / spread) <= 0.05
    # Estimates of the information are too large by about 1/(2 n ln 2) bits per degree of freedom.
    assert abs(above - 0.05 * runs) < 5 * math.sqrt(0.05 * 0.95 * runs)


@pytest.mark.compiled
def test_normal_approximation_given_others_keeps_what_is_surely_above_the_cut():
    """Every edge passes given its hardest set, unlike some edges that are kept by χ² tests given others."""
    data, z = references.dataset("alarm_n2000"), norm.isf(0.05)
    weak = {}
    for test in ("pn", "pn-all"):
        result = cimap(MutualInformation(data), test=test, orient=False)
        hardest = {(i, j): result.extra.hardest.between(i, j) for i, j in result.graph.edges()}
        information = [naive_tests.information(data.codes, i, j, cond) for (i, j), cond in hardest.items()]
        weak[test] = sum(bits <= 0.01 + z * spread for bits, spread in information)
    assert weak["pn-all"] == 0 < weak["pn"]


def test_power_bound_leaves_untested_edges_in_place():
    """Pairs above the bound stay adjacent, belong to no family, and are reported in the trace and in a warning."""
    data = references.dataset("child_n2000")
    result = cimap(MutualInformation(data), preset="P-2", effect=0.1)
    extra = result.extra
    assert extra.bound == 14
    dof = (data.arity - 1)[:, None] * (data.arity - 1)
    untested = np.triu((dof > 14), 1)
    assert np.array_equal(np.triu(extra.untested), untested)
    assert result.graph.skeleton[untested].all()
    assert np.isnan(extra.families[0].log_p[untested]).all()
    for i, j in np.argwhere(untested).tolist():
        assert {event.rule for event in result.trace.of_pair(i, j) if event.action == Action.KEEP} == {Rule.POWER}
    assert result.warnings[-1].startswith(f"{untested.sum()} edges are untested: with 2,000 rows only")
    curve_dof, curve = extra.power_curve()
    assert (np.diff(curve) <= 1e-12).all()
    assert curve[curve_dof <= 14].min() >= 0.95 > curve[curve_dof > 14].max()


def test_weakest_first_prunes_the_weak_edge_of_the_papers_figure():
    """The weakest edge i - k is tested first and separated by j, so the strong edges i - j and j - k stay."""
    rng = np.random.default_rng(3)
    k = rng.integers(0, 2, 3_000)
    flip = lambda column, share: np.where(rng.random(3_000) < share, 1 - column, column)  # noqa: E731
    j = flip(k, 0.15)
    i = flip(j, 0.15)
    result = cimap(MutualInformation(Dataset.from_codes([i, k, j], [2, 2, 2], list("ikj"))))
    assert skeleton_of(result) == {frozenset((0, 2)), frozenset((1, 2))}
    level = result.extra.levels[0]
    strength = level.strength[level.nodes]
    assert (np.diff(strength) >= 0).all()
    assert set(level.edges[0].tolist()) == {0, 1}


@pytest.mark.compiled
def test_strengths_are_information_with_limits_that_hold_the_truth():
    """The 95 % limits of a dependent pair cover the true information in about 95 of 100 samples (binomial, 5 sigma)."""
    table = np.array([[0.3, 0.1], [0.2, 0.4]])
    truth = 1e3 * (table * np.log2(table / np.outer(table.sum(1), table.sum(0)))).sum()
    rng, hits, runs = np.random.default_rng(5), 0, 400
    for _ in range(runs):
        cells = rng.choice(4, 2_000, p=table.ravel())
        result = cimap(MutualInformation(Dataset.from_codes([cells // 2, cells % 2], [2, 2], ["a", "b"])))
        low, high = result.extra.interval()
        hits += low[0, 1] <= truth <= high[0, 1]
        assert result.strengths.values[0, 1] == result.extra.information[0, 1]
    assert abs(hits - 0.95 * runs) < 5 * math.sqrt(0.95 * 0.05 * runs)
    assert result.strengths.label == "mutual information in mbit"


# --- knowledge, cancellation and arguments --------------------------------------------------------------------------


@pytest.mark.parametrize("orient", [True, False])
def test_cimap_respects_knowledge(orient):
    """A required edge is oriented without a test, a forbidden pair stays separated, and neither enters a family."""
    data = samples(7, n=400)
    known = Knowledge(required=(("f", "a"),), forbidden=(("b", "c"), ("c", "b")), tiers={"d": 0, "e": 1})
    result = cimap(MutualInformation(data), preset="P-4", knowledge=known, orient=orient)
    assert result.graph.mark(5, 0) == "forward"
    assert result.graph.mark(1, 2) == "none"
    assert result.graph.mark(3, 4) in ("forward", "none")
    assert final(result) == result.graph
    families = result.extra.families[0].log_p
    assert np.isnan([families[0, 5], families[1, 2]]).all()


def test_cimap_cancelled_at_any_moment_hands_over_what_it_has():
    """If cancelled at any tick, the partial result counts its tests."""
    dag = PDAG.from_edges(6, directed=[(0, 2), (1, 2), (2, 3), (3, 4), (1, 5)])
    tests = []

    def run(tick: Tick) -> LearnResult:
        tests.append(InformationOracle(dag))
        return cimap(tests[-1], tick=tick)

    for result in cut_short(run):
        assert result.n_tests == tests[-1].n_tests == result.trace.n_tests.sum()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "P-5"}, "^unknown preset 'P-5'; did you mean"),
        ({"test": "chi"}, "^unknown test 'chi'; choose one of"),
        ({"twf": True}, "^unknown twf True"),
        ({"fdr": "fdr"}, "^unknown fdr 'fdr'; did you mean"),
        ({"alpha": 0}, r"^alpha must be in \(0, 1\), got 0"),
        ({"beta": 1.0}, r"^beta must be in \(0, 1\), got 1.0"),
        ({"q": 2.0}, r"^q must be in \(0, 1\), got 2.0"),
        ({"cut": -1.0}, r"^cut must be in \[0, 10000\], got -1.0"),
        ({"cut": math.nan}, r"^cut must be in \[0, 10000\], got nan"),
        ({"effect": 0}, r"^effect must be in \[0.0001, 10\], got 0"),
        ({"scale": "nats"}, "^unknown scale 'nats'"),
        ({"fdr_method": "holm"}, "^unknown fdr_method 'holm'"),
        ({"collider_check": "on"}, "^unknown collider_check 'on'"),
        ({"max_cond_size": -1}, "^max_cond_size must be a whole number from 0 to 20, got -1"),
        ({"preset": "MI2", "fdr": "ifdr"}, "^a cut of the mutual information has no p-values"),
        ({"preset": "P-2", "test": "mi"}, "^a cut of the mutual information has no p-values"),
        ({"test": "pn-all", "fnr": "on"}, "^fnr needs the power of χ² tests"),
    ],
    ids=lambda one: None if isinstance(one, str) else " ".join(f"{name}={value}" for name, value in one.items()),
)
def test_cimap_refuses_wrong_options_with_a_sentence(options, message):
    """Invalid options are refused before the first test."""
    test = InformationOracle(PDAG.empty(3))
    with pytest.raises(ParameterError, match=message):
        cimap(test, **options)
    assert test.n_tests == 0


@pytest.mark.parametrize(
    "parameter", [one for one in LEARNERS["cimap"].parameters if one.choices], ids=lambda one: one.name
)
def test_cimap_takes_every_word_that_its_form_offers(parameter):
    """Every choice that the form offers is accepted, and the form offers every preset."""
    for word in parameter.choices:
        assert learn("cimap", samples(3), **{parameter.name: word}).params[parameter.name] == word
    if parameter.name == "preset":
        assert parameter.choices == tuple(PRESETS)


@pytest.mark.parametrize("p", [1, 2])
def test_cimap_takes_one_or_two_variables(p):
    """One variable, or two independent ones, give a graph without edges."""
    assert cimap(InformationOracle(PDAG.empty(p))).graph == PDAG.empty(p)


def test_cimap_evidence_is_read_only():
    result = cimap(MutualInformation(samples(1)), preset="P-4")
    extra = result.extra
    for array in (
        result.strengths.values, extra.information, extra.spread, extra.marginal_log_p, extra.skipped,
        extra.families[0].log_p, extra.families[0].log_threshold, extra.levels[0].edges, extra.levels[0].turns.log_p,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_information_of_tables_too_large_to_be_filled_is_that_of_their_cells():
    """The information of two columns of 300 levels is a sum over the occurring cells, with and without weights."""
    rng = np.random.default_rng(5)
    codes, weights = rng.integers(0, 300, (3, 400)), rng.integers(0, 4, 400)
    codes[1, ::2] = codes[0, ::2]
    for given_weights in (None, weights):
        data = Dataset.from_codes(codes, [300] * 3, list("abc"), weights=given_weights)
        bits, spread = MutualInformation(data).pair_information()
        rows = np.repeat(codes, weights, axis=1) if given_weights is not None else codes
        for x, y in combinations(range(3), 2):
            table, n = np.zeros((300, 300)), rows.shape[1]
            np.add.at(table, (rows[x], rows[y]), 1)
            at = table > 0
            surprise = np.log2(table * n, where=at, out=np.zeros_like(table))
            surprise -= np.log2(np.outer(table.sum(1), table.sum(0)), where=at, out=np.zeros_like(table))
            mean = (table * surprise).sum() / n
            assert bits[x, y] == bits[y, x] == pytest.approx(mean)
            variance = ((table * surprise**2).sum() / n - mean**2) / n
            assert spread[x, y] == pytest.approx(math.sqrt(variance))


def test_information_given_others_is_that_of_the_rows():
    """Information given other columns equals that of the rows, for any number of levels and strata and with weights."""
    rng = np.random.default_rng(6)
    arity = [300, 250, 3, 40, 2]
    codes = np.array([rng.integers(0, r, 500) for r in arity])
    codes[1, ::2] = codes[0, ::2] % 250
    weights = rng.integers(0, 3, 500)
    for given_weights in (None, weights):
        data = Dataset.from_codes(codes, arity, list("abcde"), weights=given_weights)
        rows = codes if given_weights is None else np.repeat(codes, weights, axis=1)
        test = MutualInformation(data)
        for x, y, *cond in [(0, 1), (0, 1, 2), (2, 4, 0), (0, 3, 1, 2), (2, 4, 3), (1, 2, 0, 3, 4)]:
            found = test.information_given(x, y, cond)
            assert found == test.information_given(y, x, cond)
            assert found == pytest.approx(naive_tests.information(rows, x, y, cond), rel=1e-9)


# --- the effect size by cross-validation ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["categories", "mixed"])
def test_the_effect_size_by_cross_validation_predicts_held_out_rows_best(kind):
    """The run equals one with the chosen effect; the scores are those of runs on the training rows of each split."""
    network = load_network("asia") if kind == "categories" else random_mixed_network(6, 7, 2)
    data = sample(network, 300, 1)
    result = learn("cimap", data, preset="P-2", effect_by="cv")
    scores = result.extra.effects
    assert [one.effect for one in scores] == list(EFFECTS)[-len(scores) :]
    assert result.extra.settings.effect == best_effect(scores)
    given = learn("cimap", data, preset="P-2", effect=best_effect(scores))
    assert result.graph == given.graph
    assert given.extra.effects == ()
    data = data.in_name_order
    expected = [
        held_out_log_likelihood(learn("cimap", train, preset="P-2", effect=EFFECTS[-2]).graph, train, aside)
        for train, aside in Folds(data).splits()
    ]
    assert scores[-2].log_likelihood == pytest.approx(np.mean(expected))


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("n", [60, 300, 600, 5_000])
@pytest.mark.parametrize("kind", ["categories", "mixed", "numbers"])
def test_an_effect_size_by_cross_validation_tests_every_pair(kind, n):
    """Too small an effect leaves every pair adjacent, untested; such graphs predict well but must not win."""
    makers = {"mixed": random_mixed_network, "numbers": random_gaussian_network}
    network = load_network("asia") if kind == "categories" else makers[kind](9, 13, 47_471)
    result = learn("cimap", sample(network, n, 3), preset="P-2", effect_by="cv")
    assert result.extra.effects or n == 60
    assert not result.extra.untested.any()


def test_a_cross_validation_needs_its_rows_and_a_power_bound():
    data = sample(load_network("asia"), 200, 1)
    with pytest.raises(ParameterError, match="needs the rows"):
        cimap(MutualInformation(data), preset="P-2", effect_by="cv")
    assert learn("cimap", data, preset="P-1", effect_by="cv").extra.effects == ()
    largest = tuple(EffectScore(effect, -1.0) for effect in (0.1, 0.3, 0.2))
    assert best_effect(largest) == 0.3
