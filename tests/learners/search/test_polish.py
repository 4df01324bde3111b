"""Tests of the polish of pHGS, MMHC and H2PC: its start, its restrictions, and its trace."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import (
    BIC,
    G2,
    BDeu,
    Dataset,
    FisherZ,
    GaussianBIC,
    Knowledge,
    LearnResult,
    ParameterError,
    ges,
    load_network,
    mmhc,
    sample,
)
from learners.families.h2pc.h2pc import h2pc
from learners.families.phgs.phgs import phgs
from learners.graphs.cpdag import cpdag
from learners.graphs.rules import Rule
from learners.results.phases import Phase, Stage
from learners.search.polish import default_min_gain
from tests import references
from tests.cancelling import cut_short

LEARNERS = {"phgs": phgs, "mmhc": mmhc, "h2pc": h2pc}
POLISH = {Phase(Stage.POLISH_FORWARD), Phase(Stage.POLISH_BACKWARD)}
SAMPLES = references.each("asia_n2000", "sachs_n1000", "insurance_n1000", "gauss_p12_n500")
CASES = [pytest.param(key, *one.values, id=f"{key} {one.id}", marks=one.marks) for key in LEARNERS for one in SAMPLES]


def run_of(key: str, data: Dataset, *, polish: bool = True, **settings: object) -> LearnResult:
    settings["polish"] = polish
    if data.kind == "continuous":
        return LEARNERS[key](FisherZ(data), GaussianBIC(data), **settings)
    return LEARNERS[key](G2(data, rows_per_cell=5), BDeu(data, ess=10.0), **settings)


@pytest.mark.parametrize(("key", "name"), CASES)
def test_polished_graph_is_that_of_ges_from_the_published_one(key, name):
    """If any gain suffices, graph and score equal those of GES from the published graph; the score is never lower.

    In the result only non-adjacent pairs have separating sets.
    """
    data = references.dataset(name)
    plain, result = run_of(key, data, polish=False), run_of(key, data, polish_gain=0.0)
    score = GaussianBIC(data) if data.kind == "continuous" else BDeu(data, ess=10.0)
    alone = ges(score, start=plain.extra.dag, turning=False)
    assert result.graph == alone.graph == cpdag(result.extra.dag)
    assert result.score == pytest.approx(alone.score, rel=1e-12)
    assert result.score >= plain.score - 1e-9 * abs(plain.score)
    assert result.n_tests == plain.n_tests
    for pair in result.sepsets:
        assert not result.graph.skeleton[tuple(pair)]
        assert result.sepsets[pair] == plain.sepsets[pair]


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize(("key", "name"), CASES)
@pytest.mark.parametrize("least", [None, pytest.param(30.0, marks=pytest.mark.compiled)])
def test_polish_ends_its_insertions_at_the_first_that_gains_too_little(key, name, least):
    """The insertions are those of GES up to the first with too small a gain, and no deletion gains at the end."""
    data = references.dataset(name)
    free, result = run_of(key, data, polish_gain=0.0), run_of(key, data, polish_gain=least)
    own = 0.0 if data.kind == "continuous" else 0.5 * np.log(data.n) + np.log(data.p)
    wanted = insertions(free)
    gains = [gain for *_, gain in wanted]
    enough = next((k for k, gain in enumerate(gains) if gain <= (own if least is None else least)), len(gains))
    assert insertions(result) == wanted[:enough]
    score = GaussianBIC(data) if data.kind == "continuous" else BDeu(data, ess=10.0)
    nothing = np.zeros((data.p, data.p), dtype=bool)
    assert result.graph == ges(score, start=result.extra.dag, turning=False, allowed=nothing).graph


def insertions(result: LearnResult) -> list[tuple[int, int, tuple[int, ...], float]]:
    """Return the insertions of the polish with their gains."""
    events = [e for e in result.trace if e.rule is Rule.INSERT]
    assert all(e.phase.stage is Stage.POLISH_FORWARD for e in events)
    return [(e.i, e.j, e.cond, e.statistic) for e in events]


@pytest.mark.compiled
@pytest.mark.parametrize("key", LEARNERS)
def test_bic_charges_for_parameters_and_any_gain_is_enough(key):
    """With BIC, which penalises parameters, the default minimum gain is 0."""
    data = references.dataset("insurance_n1000")
    free, result = (LEARNERS[key](G2(data), BIC(data), polish=True, polish_gain=least) for least in (0.0, None))
    assert insertions(result) == insertions(free)
    assert result.graph == free.graph


@pytest.mark.parametrize(("price", "left"), [(0.0, 1.0), (2.5, 1.0), (None, 0.0)])
def test_what_the_score_charges_for_an_edge_is_not_asked_for_again(price, left):
    """The minimum gain is ½ ln n + ln p minus the edge penalty of the score."""
    data = references.dataset("asia_n2000")
    asked = 0.5 * math.log(2_000) + math.log(8)
    assert default_min_gain(BDeu(data, edge_penalty=price)) == pytest.approx(left * (asked - (price or 0.0)))


@pytest.mark.parametrize("key", LEARNERS)
@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf"), "much"])
def test_min_gain_that_no_gain_can_be_held_against_is_refused(key, wrong):
    with pytest.raises(ParameterError, match="polish_gain must be"):
        run_of(key, references.dataset("asia_n2000"), polish_gain=wrong)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["alarm", "hepar2"])
def test_polish_does_not_join_what_few_rows_cannot_tell(name):
    """With rare levels BDeu rewards more parents: if any gain sufficed, there would be over twice as many edges."""
    network = load_network(name)
    data = sample(network, 50, seed=8_601)
    free, result = run_of("mmhc", data, polish_gain=0.0), run_of("mmhc", data)
    assert free.graph.n_edges > 2 * network.dag.n_edges
    assert result.graph.n_edges < network.dag.n_edges


@pytest.mark.parametrize(("key", "name"), CASES)
def test_polish_is_recorded_in_phases_of_its_own_after_the_published_run(key, name):
    """The trace starts with that of the published run; each step has a score, and each step of the polish raises it."""
    data = references.dataset(name)
    plain, result = run_of(key, data, polish=False), run_of(key, data)
    trace, n = result.trace, len(plain.trace)
    assert [repr(event) for event in trace][:n] == [repr(event) for event in plain.trace]
    later = np.arange(len(trace)) >= n
    polishing = np.logical_or.reduce([trace.in_phase(phase) for phase in POLISH])
    assert np.array_equal(later, polishing)
    assert not POLISH & set(plain.trace.phases)
    assert trace.graph_at(len(trace.changes)) == result.graph
    assert len(result.extra.scores) == len(trace.changes) + 1
    np.testing.assert_allclose(result.extra.scores[: len(plain.extra.scores)], plain.extra.scores, rtol=1e-12)
    assert result.extra.scores[-1] == pytest.approx(result.score, rel=1e-12)
    steps = trace.made_by({Rule.INSERT, Rule.DELETE}) & polishing
    assert (trace.statistic[steps] > 0).all()
    assert trace.statistic[steps].sum() == pytest.approx(result.score - plain.score, abs=1e-6 * abs(plain.score))


@pytest.mark.compiled
def test_polish_joins_pairs_that_tests_had_separated():
    result = run_of("mmhc", references.dataset("insurance_n1000"))
    assert (result.graph.skeleton & ~result.extra.skeleton.skeleton).any()


@pytest.mark.parametrize("key", LEARNERS)
@pytest.mark.parametrize("seed", range(4))
def test_polish_keeps_to_knowledge(key, seed):
    """Required edges stay, forbidden pairs stay non-adjacent, and no edge points against the tiers."""
    data = references.dataset("sachs_n1000")
    rng = np.random.default_rng(seed)
    free = run_of(key, data).graph
    forbidden = [(data.names[i], data.names[j]) for i, j in free.edges()[:3]]
    a, b = next((i, j) for i, j in rng.permutation(np.argwhere(~free.skeleton)).tolist() if i != j)
    known = Knowledge(
        required=((data.names[a], data.names[b]),),
        forbidden=tuple(forbidden) + tuple(pair[::-1] for pair in forbidden),
        tiers={data.names[a]: 0, data.names[b]: 1},
    )
    result = run_of(key, data, knowledge=known)
    at = result.names.index
    assert result.graph.mark(a, b) == "forward"
    for i, j in forbidden:
        assert result.graph.mark(at(i), at(j)) == "none"
    assert result.extra.dag.amat[a, b]
    assert result.trace.graph_at(len(result.trace.changes)) == result.graph


@pytest.mark.compiled
@pytest.mark.parametrize("key", ["mmhc", "h2pc"])
def test_polish_cancelled_at_any_moment_leads_to_the_graph_shown(key):
    data = references.dataset("asia_n2000")
    for result in cut_short(lambda tick: run_of(key, data, tick=tick)):
        assert result.n_tests == result.trace.n_tests.sum()
        assert result.trace.graph_at(len(result.trace.changes)) == result.graph
