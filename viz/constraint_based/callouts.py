"""What is worth noticing in a run by tests."""

from __future__ import annotations

import numpy as np

from learners.explaining.statistics import conditioned
from learners.results.events import Action
from learners.results.few_rows import few_row_events
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult
from learners.results.rules import ASIDES, Rule

from ..text import format_p, shorten

PAIRS_ALONE = Phase(Stage.LEVEL, size=0)


def first_level(result: LearnResult) -> str | None:
    """How many edges leave before anything is held fixed."""
    trace = result.trace
    removed = trace.action == Action.REMOVE
    at_once = int((removed & trace.in_phase(PAIRS_ALONE)).sum())
    if not at_once:
        return None
    n = trace.start.n_edges
    every = f"all {n:,} pairs of variables are" if n > 1 else "the two variables are"
    return (
        f"At the start {every} joined. "
        f"{'One edge leaves' if at_once == 1 else f'{at_once:,} edges leave'} first: the test finds no link between "
        "their two variables even before anything else is considered. Drag the slider to watch."
    )


def explained_away(result: LearnResult) -> str | None:
    """The pair most strongly linked at first that a conditioning set nevertheless separated."""
    trace, p = result.trace, len(result.names)
    if Rule.CUT in trace.rules:  # no p decided
        return None
    of_pairs = ~trace.made_by(ASIDES)
    kept = np.flatnonzero((trace.action == Action.KEEP) & (trace.n_tests > 0) & of_pairs)[::-1]
    at_first = np.zeros((p, p))  # ln p of each pair's first test that kept it
    at_first[trace.i[kept], trace.j[kept]] = at_first[trace.j[kept], trace.i[kept]] = trace.log_p[kept]
    # A test without degrees of freedom had nothing to see: it separated the pair and says nothing about it.
    telling = (trace.n_tests > 0) & np.isfinite(trace.statistic) & ~(trace.dof <= 0) & ~few_row_events(result)
    removed = np.flatnonzero(np.isin(trace.action, (Action.REMOVE, Action.APART)) & telling & of_pairs)
    before = at_first[trace.i[removed], trace.j[removed]]
    if not (before < 0.0).any():
        return None
    best = trace[int(removed[before.argmin()])]
    x, y = shorten(result.names[best.i]), shorten(result.names[best.j])
    return (
        f"{x} and {y} go together (p = {format_p(float(before.min()))}), yet they are not joined: "
        f"{conditioned(best).text(result.names)} the test finds no link (p = {format_p(best.log_p)})."
    )


def collider(result: LearnResult) -> str | None:
    """The first v-structure."""
    trace = result.trace
    by = {Rule.V_STRUCTURE, Rule.CHECKED_V_STRUCTURE}
    found = np.flatnonzero(trace.made_by(by) & (trace.action == Action.ORIENT))
    if not len(found):
        return None
    event = trace[int(found[0])]
    parent, child, other = (shorten(result.names[k]) for k in (event.i, event.j, event.cond[0]))
    return (
        f"Arrows come from pairs that are not joined: {parent} and {other} were separated without {child}, "
        f"although both are linked with it. So both point at {child}. Edges without an arrowhead could point "
        "either way."
    )
