"""What the calls on one route did, told to a trace, and which groups they had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.relabeling import as_nodes
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..kernels.tests.deciding import BITS, LOG_P, PER_DOF
from ..kernels.tests.levels import KEPT, SEPARATED, UNTESTED
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import OF_ARROWS, Rule
from ..results.trace import TraceBuilder
from .calls import Call, Story

FATES = ((SEPARATED, Action.REMOVE), (UNTESTED, Action.REMOVE), (KEPT, Action.KEEP))
RULE_OF_CUT = {LOG_P: Rule.TEST, BITS: Rule.MI, PER_DOF: Rule.C1}


@dataclass(frozen=True)
class CallRecord:
    """One call of the recursion, for whoever draws it.

    Attributes
    ----------
    size : int
        Members of the sets it tested given: its level.
    parent : int
        Position of the call that called it; -1 for the first.
    nodes, exogenous : tuple of int
        Its group, and the parents of its members outside.
    groups : tuple of tuples of int
        The autonomous groups it found, the descendants last.
    begin, end : int
        It made the changes ``begin <= step < end`` of the trace.
    n_tests : (int, int)
        Tests of edges, and of v-structures.
    """

    size: int
    parent: int
    nodes: Annotated[tuple[int, ...], as_nodes]
    exogenous: Annotated[tuple[int, ...], as_nodes]
    groups: Annotated[tuple[tuple[int, ...], ...], as_nodes]
    begin: int
    end: int
    n_tests: tuple[int, int]


def begin_trace(start: np.ndarray, knowledge: BoundKnowledge) -> TraceBuilder:
    """A trace that begins with every pair joined and hears what is known; `start` is what that leaves."""
    p = len(start)
    trace = TraceBuilder(PDAG.complete(p))
    apart = np.argwhere(np.triu(knowledge.apart))
    trace.add_pairs(Phase(Stage.KNOWLEDGE), Action.REMOVE, apart, rule=Rule.FORBIDDEN)
    for i, j in np.argwhere(start & ~start.T).tolist():
        rule = Rule.REQUIRED if knowledge.required[i, j] else Rule.FORBIDDEN
        trace.add(Phase(Stage.KNOWLEDGE), Action.ORIENT, i, j, rule=rule)
    return trace


def tell(trace: TraceBuilder, calls: list[Call]) -> tuple[CallRecord, ...]:
    """Tell the calls of a route in order."""
    place = {call.path: t for t, call in enumerate(calls)}
    records = []
    for call in calls:
        begin = trace.n_changes
        _tell_tests(trace, call, slice(0, call.story.n_first))
        _tell_arrows(trace, call, call.story.arrows_first)
        _tell_tests(trace, call, slice(call.story.n_first, None))
        _tell_arrows(trace, call, call.story.arrows)
        records.append(
            CallRecord(
                call.size,
                place.get(call.path[:-2], -1) if call.path else -1,
                tuple(sorted(call.nodes.tolist())),
                tuple(sorted(call.exogenous.tolist())),
                tuple(tuple(group.tolist()) for group in call.story.groups),
                begin,
                trace.n_changes,
                tuple(call.n_tests.tolist()),
            )
        )
    return tuple(records)


def tell_completion(trace: TraceBuilder, before: np.ndarray, graph: PDAG) -> None:
    """Tell how the graph differs from what the trace has come to."""
    after = graph.amat
    for action, changed in (
        (Action.REMOVE, np.triu((before | before.T) & ~graph.skeleton)),
        (Action.UNORIENT, before & ~before.T & after & after.T),
        (Action.ORIENT, after & ~after.T & before.T),
    ):
        trace.add_pairs(Phase(Stage.PATTERN), action, np.argwhere(changed), rule=Rule.PATTERN)


def sepsets_of(calls: list[Call], p: int) -> Sepsets:
    """The separating sets that the calls found."""
    parted = [(call.story, call.story.fates != KEPT) for call in calls]
    return Sepsets.from_blocks(p, [(story.pairs[gone], story.cond[gone]) for story, gone in parted])


def tests_by_size(calls: list[Call]) -> np.ndarray:
    """(levels, 2) int64: tests of edges, and of v-structures, at each size of set."""
    counts = np.zeros((1 + max((call.size for call in calls), default=-1), 2), dtype=np.int64)
    for call in calls:
        counts[call.size] += call.n_tests
    return counts


def log_phi_of(calls: list[Call], p: int) -> np.ndarray:
    """(p, p) ln of the largest p among the hardest tests of each pair; NaN where none was done."""
    log_phi = np.full((p, p), np.nan)
    for call in calls:
        i, j = call.story.pairs.T
        log_phi[i, j] = np.fmax(log_phi[i, j], call.story.log_p)
        log_phi[j, i] = log_phi[i, j]
    return log_phi


def _tell_tests(trace: TraceBuilder, call: Call, rows: slice) -> None:
    story: Story = call.story
    cut = call.cut
    for fate, action in FATES:
        at = np.flatnonzero(story.fates[rows] == fate) + (rows.start or 0)
        rule = Rule.UNTESTED if fate == UNTESTED else RULE_OF_CUT[cut.kind]
        trace.extend(
            Phase(Stage.LEVEL, size=call.size),
            action,
            story.pairs[at],
            story.cond[at],
            rule=rule,
            statistic=story.statistic[at],
            dof=story.dof[at],
            log_p=story.log_p[at],
            threshold=np.exp(cut.limit) if cut.kind == LOG_P else -cut.limit,
            n_tests=story.n_tests[at],
        )


def _tell_arrows(trace: TraceBuilder, call: Call, arrows: np.ndarray) -> None:
    phase = Phase(Stage.LEVEL, size=call.size)
    for i, j, number, *witnesses in arrows.tolist():
        rule = OF_ARROWS[number]
        action = Action.CONFLICT if rule is Rule.CONFLICT else Action.ORIENT
        trace.add(phase, action, i, j, [k for k in witnesses if k >= 0], rule=rule)
