"""Callouts: up to three true observations on a run."""

from __future__ import annotations

import pytest

from learners.graphs.rules import Rule
from learners.io.samples import load_sample
from learners.registry import learn
from learners.results.events import Action
from pages.session.state import FIRST_LEARNER
from tests.viz.cases import HOSTILE, SEEDS, judged, learnt, level, made, oriented
from viz.kinds import callouts
from viz.text import format_p

KEEP, REMOVE = Action.KEEP, Action.REMOVE


def test_callouts_of_a_rich_run_are_three():
    """The callouts are the first level, an edge removed by a conditioning set, and a v-structure."""
    result = made(
        [
            judged(REMOVE, 2, 3, -0.3),
            judged(KEEP, 0, 1, -30.0),
            judged(KEEP, 0, 3, -60.0),
            judged(REMOVE, 0, 1, -0.5, (3,), phase=level(1)),
            judged(REMOVE, 0, 3, -0.6, (1,), phase=level(1)),
            oriented(0, 2, Rule.V_STRUCTURE, (1,)),
        ],
        p=4,
    )
    first, away, collider = callouts(result)
    assert first.startswith("Of 6 adjacent pairs, the tests without a conditioning set remove 1.")
    assert "a and d are dependent (p = 8.76e-27)" in away
    assert "given {b} the test finds no dependence (p = 0.549)" in away
    assert "a and b both point at c: the set that separated them does not contain it" in collider


def test_callouts_of_an_eventless_run_are_none():
    assert callouts(made([])) == []


def test_pair_separated_at_once_was_not_explained_away():
    """Only a pair that passed the marginal test and lost its edge to a set counts as explained away."""
    assert not any("are dependent (p" in text for text in callouts(made([judged(REMOVE, 0, 1, -0.2)])))


def test_refused_v_structure_is_no_callout():
    result = made([oriented(0, 1, Rule.V_STRUCTURE_CYCLIC, (2,), Action.REFUSE)])
    assert not any("both point at" in text for text in callouts(result))


@pytest.mark.parametrize("seed", SEEDS)
def test_callouts_quote_the_trace(seed):
    """All p-values occur in the trace."""
    result = learnt(seed)
    for sentence in callouts(result):
        if "are dependent (p" in sentence:
            removed = [e for e in result.trace if e.action == REMOVE and e.cond and e.n_tests]
            assert any(f"(p = {format_p(e.log_p)})." in sentence for e in removed)
            first = {p: next(e for e in result.trace.of_pair(*p)) for p in {(e.i, e.j) for e in removed}}
            strongest = min(first.values(), key=lambda e: e.log_p)
            assert f"are dependent (p = {format_p(strongest.log_p)})" in sentence


def test_first_sample_has_all_callouts():
    assert len(callouts(learn(FIRST_LEARNER, load_sample("child").dataset))) == 3


def test_names_are_shortened():
    for a in range(0, len(HOSTILE) - 2, 3):
        events = [judged(REMOVE, a, a + 1, -0.3), oriented(a, a + 2, Rule.V_STRUCTURE, (a + 1,))]
        for sentence in callouts(made(events, p=len(HOSTILE), names=HOSTILE)):
            assert len(sentence) < 500
            assert "\n" not in sentence


def test_test_without_degrees_of_freedom_is_no_callout():
    """A test given a set that determines one of the variables, which is no evidence, gives no callout."""
    events = [judged(KEEP, 0, 1, -60.0), judged(REMOVE, 0, 1, 0.0, (2,), phase=level(1), statistic=0.0, dof=0.0)]
    assert callouts(made(events)) == []
    shown = callouts(learn("pc", load_sample("asia").dataset, alpha=0.001))
    assert not any("either and xray" in text for text in shown)


def test_no_callout_if_the_first_level_removes_no_edge():
    assert callouts(made([judged(KEEP, 0, 1, -9.0)])) == []


def test_explained_edges_of_learners_that_start_without_edges():
    """MMPC never draws the edge, but finds the marginal dependence and separates the pair by a set."""
    result = learn("mmpc", load_sample("child").dataset)
    away = next(text for text in callouts(result) if "are dependent (p" in text)
    assert any(f"(p = {format_p(event.log_p)})." in away for event in result.trace if event.action == Action.APART)
