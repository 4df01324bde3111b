"""Three things worth noticing in a run, read off its trace."""

from __future__ import annotations

import numpy as np

from learners.results.events import Action
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult
from learners.results.rules import ASIDES, Rule
from learners.score_based.greedy import GreedySearch

from .brai.callouts import autonomy_callouts
from .explain import given
from .h2pc.callouts import hpc_callout
from .lmm.callouts import lmm_callouts
from .lmm.words import is_lmm
from .phgs.callouts import path_callout
from .phgs.groups import partitioned
from .phgs.words import has_path
from .score_based.moves import NO_GAIN, move_sentence
from .text import count, format_p, shorten

MOST = 3
MOVES, PAIRS_ALONE = Phase(Stage.MOVES), Phase(Stage.LEVEL, size=0)


def callouts(result: LearnResult) -> list[str]:
    """Up to three plain sentences for a newcomer; none that the run does not bear out."""
    if is_lmm(result):
        return lmm_callouts(result)
    first = path_callout(result) if has_path(result) else _first_level(result)
    told = (
        *autonomy_callouts(result),
        first,
        hpc_callout(result),
        _clusters(result),
        _climb(result),
        _explained_away(result),
        _collider(result),
    )
    return [sentence for sentence in told if sentence][:MOST]


def _climb(result: LearnResult) -> str | None:
    """How a search began, and when it was at its best."""
    trace = result.trace
    if not isinstance(result.extra, GreedySearch) or MOVES not in trace.phases:
        return None
    changes = trace.changes
    moves = np.flatnonzero(trace.in_phase(MOVES)[changes])
    scores = result.extra.scores[[moves[0], *(moves + 1)]]
    best = int(np.flatnonzero(scores >= np.nanmax(scores) - NO_GAIN)[0])
    further = count(len(moves) - best, "move")
    if best == 0:
        return f"The search by score begins with the best graph that it meets: {further} lead to none better."
    first = move_sentence(trace[int(changes[moves[0]])], result.names)
    on = "" if best == len(moves) else f"; it went on for {further}, also downhill, and found none better"
    return (
        f"The search by score begins with the change that gains most: {first}. After {count(best, 'move')} the score "
        f"is at its best{on}. Drag the slider to watch."
    )


def _clusters(result: LearnResult) -> str | None:
    """What a partitioned run began with."""
    found = partitioned(result)
    if found is None or found.partition.n_clusters < 2:
        return None
    return (
        f"The {len(result.names):,} variables fall into {count(found.partition.n_clusters, 'cluster')} that tell much "
        "of one another. Tests begin inside them, so that fewer are needed between them. Colour by cluster shows who "
        "belongs where."
    )


def _first_level(result: LearnResult) -> str | None:
    trace = result.trace
    removed = trace.action == Action.REMOVE
    at_once = int((removed & trace.in_phase(PAIRS_ALONE)).sum())
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
    if Rule.CUT in trace.rules:  # no p decided
        return None
    of_pairs = ~trace.made_by(ASIDES)
    kept = np.flatnonzero((trace.action == Action.KEEP) & (trace.n_tests > 0) & of_pairs)[::-1]
    at_first = np.zeros((p, p))  # ln p of each pair's first test that kept it
    at_first[trace.i[kept], trace.j[kept]] = at_first[trace.j[kept], trace.i[kept]] = trace.log_p[kept]
    # A test without degrees of freedom had nothing to see: it separated the pair and says nothing about it.
    telling = (trace.n_tests > 0) & np.isfinite(trace.statistic) & ~(trace.dof <= 0)
    removed = np.flatnonzero(np.isin(trace.action, (Action.REMOVE, Action.APART)) & telling & of_pairs)
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
    found = np.flatnonzero(trace.made_by({Rule.V_STRUCTURE}) & (trace.action == Action.ORIENT))
    if not len(found):
        return None
    event = trace[int(found[0])]
    parent, child, other = (shorten(result.names[k]) for k in (event.i, event.j, event.cond[0]))
    return (
        f"Arrows come from pairs that are not joined: {parent} and {other} were separated without {child}, "
        f"although both are linked with it. So both point at {child}. Edges without an arrowhead could point "
        "either way."
    )
