"""Three things worth noticing in a run, read off its trace."""

from __future__ import annotations

import numpy as np

from learners.result import LearnResult
from learners.trace import Action

from .explain import given
from .lmm.callouts import lmm_callouts
from .lmm.words import is_lmm
from .text import count, format_p, shorten


def callouts(result: LearnResult) -> list[str]:
    """Up to three plain sentences for a newcomer; none that the run does not bear out."""
    if is_lmm(result):
        return lmm_callouts(result)
    return [sentence for sentence in (_first_level(result), _explained_away(result), _collider(result)) if sentence]


def _first_level(result: LearnResult) -> str | None:
    trace = result.trace
    if "level 0" not in trace.phases:
        return None
    removed = trace.action == Action.REMOVE
    at_once = int((removed & (trace.phase == trace.phases.index("level 0"))).sum())
    if not at_once:
        return None
    return (
        f"At the start all {count(trace.start.n_edges, 'pair')} of variables are joined. "
        f"{'One edge leaves' if at_once == 1 else f'{at_once:,} edges leave'} first: the test finds no link between "
        "their two variables even before anything else is considered. Drag the slider to watch."
    )


def _explained_away(result: LearnResult) -> str | None:
    """The pair most strongly linked at first that a conditioning set nevertheless separated."""
    trace, p = result.trace, len(result.names)
    of_pairs = trace.rule != (trace.rules.index("middle") if "middle" in trace.rules else -1)
    kept = np.flatnonzero((trace.action == Action.KEEP) & (trace.n_tests > 0) & of_pairs)[::-1]
    at_first = np.zeros((p, p))  # ln p of each pair's first test that kept it
    at_first[trace.i[kept], trace.j[kept]] = at_first[trace.j[kept], trace.i[kept]] = trace.log_p[kept]
    # A test without degrees of freedom had nothing to see: it separated the pair and says nothing about it.
    telling = (trace.n_tests > 0) & np.isfinite(trace.statistic) & ~(trace.dof <= 0)
    removed = np.flatnonzero(np.isin(trace.action, (Action.REMOVE, Action.APART)) & telling)
    before = at_first[trace.i[removed], trace.j[removed]]
    if not (before < 0.0).any():
        return None
    best = trace[int(removed[before.argmin()])]
    x, y = shorten(result.names[best.i]), shorten(result.names[best.j])
    return (
        f"{x} and {y} go together (p = {format_p(float(before.min()))}), yet they are not joined: "
        f"{given(best, result.names)} the test finds no link (p = {format_p(best.log_p)})."
    )


def _collider(result: LearnResult) -> str | None:
    trace = result.trace
    if "v-structure" not in trace.rules:
        return None
    found = np.flatnonzero((trace.rule == trace.rules.index("v-structure")) & (trace.action == Action.ORIENT))
    if not len(found):
        return None
    event = trace[int(found[0])]
    parent, child, other = (shorten(result.names[k]) for k in (event.i, event.j, event.cond[0]))
    return (
        f"Arrows come from pairs that are not joined: {parent} and {other} were separated without {child}, "
        f"although both are linked with it. So both point at {child}. Edges without an arrowhead could point "
        "either way."
    )
