"""Views of runs that decide by tests."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from learners.common.sentences import Count, Node, Phrase, p_of, phrase
from learners.explaining.clauses import conditioned
from learners.explaining.events import event_of_tests
from learners.graphs.rules import ASIDES, Rule
from learners.results.events import Action
from learners.results.few_rows import few_row_events
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

from ..kind_contract import Kind
from ..replay import replay

PAIRS_ALONE = Phase(Stage.LEVEL, size=0)


def first_level(result: LearnResult) -> Phrase | None:
    """Count the edges that tests without a conditioning set remove."""
    trace = result.trace
    removed = trace.action == Action.REMOVE
    at_once = int((removed & trace.in_phase(PAIRS_ALONE)).sum())
    if not at_once:
        return None
    n = trace.start.n_edges
    template = "Of {pairs}, the tests without a conditioning set remove {n}. Drag the slider to watch."
    return phrase(template, pairs=Count(n, "adjacent pair"), n=at_once)


def explained_away(result: LearnResult) -> Phrase | None:
    """Name the pair with the strongest marginal dependence that a conditioning set nevertheless separated."""
    trace, p = result.trace, len(result.names)
    if Rule.CUT in trace.rules:  # edges were removed by a threshold, not by p-values
        return None
    of_pairs = ~trace.made_by(ASIDES)
    kept = np.flatnonzero((trace.action == Action.KEEP) & (trace.n_tests > 0) & of_pairs)[::-1]
    at_first = np.zeros((p, p))  # ln p of each pair's first test that did not remove it
    at_first[trace.i[kept], trace.j[kept]] = at_first[trace.j[kept], trace.i[kept]] = trace.log_p[kept]
    # A test without degrees of freedom separates every pair, so it gives no evidence.
    telling = (trace.n_tests > 0) & np.isfinite(trace.statistic) & ~(trace.dof <= 0) & ~few_row_events(result)
    removed = np.flatnonzero(np.isin(trace.action, (Action.REMOVE, Action.APART)) & telling & of_pairs)
    before = at_first[trace.i[removed], trace.j[removed]]
    if not (before < 0.0).any():
        return None
    best = trace[int(removed[before.argmin()])]
    return phrase(
        "{a} and {b} are dependent (p = {before}), yet have no edge: {given} the test finds no dependence (p = {p}).",
        result.names,
        a=Node(best.i),
        b=Node(best.j),
        before=p_of(float(before.min())),
        given=conditioned(best),
        p=p_of(best.log_p),
    )


def collider(result: LearnResult) -> Phrase | None:
    """Explain the first v-structure."""
    trace = result.trace
    by = {Rule.V_STRUCTURE, Rule.CHECKED_V_STRUCTURE}
    found = np.flatnonzero(trace.made_by(by) & (trace.action == Action.ORIENT))
    if not len(found):
        return None
    event = trace[int(found[0])]
    return phrase(
        "{a} and {b} both point at {child}: the set that separated them does not contain it, although both are "
        "adjacent to it. An edge without an arrowhead could point either way.",
        result.names,
        a=Node(event.i),
        b=Node(event.cond[0]),
        child=Node(event.j),
    )


TESTS = Kind(
    timeline=partial(replay, sentence=event_of_tests),
    callouts=(first_level, explained_away, collider),
)
KINDS = {"tests": TESTS, "skeleton": replace(TESTS, leaves_open=lambda _result: True)}
