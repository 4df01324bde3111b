"""The calls on one route as events of a trace, and records of their groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ...common.relabeling import as_nodes
from ...evaluation.posterior import Posterior
from ...evaluation.probable_graph import EVEN, probable_graph
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import OF_ARROWS, Rule
from ...graphs.sepsets import Sepsets
from ...kernels.ci.evidence import BITS, LOG_P, PER_DOF
from ...kernels.ci.level_results import KEPT, SEPARATED, UNTESTED
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.trace import TraceBuilder
from .calls import Call

FATES = ((SEPARATED, Action.REMOVE), (UNTESTED, Action.REMOVE), (KEPT, Action.KEEP))
SMALLEST = np.finfo(np.float64).tiny
RULE_OF_CUT = {LOG_P: Rule.TEST, BITS: Rule.MI, PER_DOF: Rule.C1}


@dataclass(frozen=True)
class CallRecord:
    """A record of one call of the recursion.

    Attributes
    ----------
    size : int
        Size of its conditioning sets: its level.
    parent : int
        Position of its parent; -1 for the first call.
    nodes, exogenous : tuple of int
        Its group, and the parents of its members outside of it.
    groups : tuple of tuples of int
        The autonomous groups after the split, the descendants last.
    begin, end : int
        Its changes are the steps ``begin <= step < end`` of the trace.
    n_tests : (int, int)
        Numbers of tests of edges, and of v-structures.
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
    """Return a trace that starts with the complete graph and records the knowledge, which leads to `start`."""
    p = len(start)
    trace = TraceBuilder(PDAG.complete(p))
    apart = np.argwhere(np.triu(knowledge.apart))
    trace.add_pairs(Phase(Stage.KNOWLEDGE), Action.REMOVE, apart, rule=Rule.FORBIDDEN)
    for i, j in np.argwhere(start & ~start.T).tolist():
        rule = Rule.REQUIRED if knowledge.required[i, j] else Rule.FORBIDDEN
        trace.add(Phase(Stage.KNOWLEDGE), Action.ORIENT, i, j, rule=rule)
    return trace


def record_calls(trace: TraceBuilder, calls: list[Call], apart: np.ndarray) -> tuple[CallRecord, ...]:
    """Record the calls of a route in order; `apart` (p, p) bool marks the pairs that knowledge separates."""
    position = {call.path: t for t, call in enumerate(calls)}
    records = []
    for call in calls:
        begin = trace.n_changes
        _record_tests(trace, call, slice(0, call.log.n_first), apart)
        _record_arrows(trace, call, call.log.arrows_first, apart)
        _record_tests(trace, call, slice(call.log.n_first, None), apart)
        _record_arrows(trace, call, call.log.arrows, apart)
        records.append(
            CallRecord(
                call.size,
                position.get(call.path[:-2], -1) if call.path else -1,
                tuple(sorted(call.nodes.tolist())),
                tuple(sorted(call.exogenous.tolist())),
                tuple(tuple(group.tolist()) for group in call.log.groups),
                begin,
                trace.n_changes,
                tuple(call.n_tests.tolist()),
            )
        )
    return tuple(records)


def record_completion(trace: TraceBuilder, before: np.ndarray, graph: PDAG) -> None:
    """Record the differences between the graph and the current graph of the trace."""
    after = graph.amat
    for action, changed in (
        (Action.REMOVE, np.triu((before | before.T) & ~graph.skeleton)),
        (Action.UNORIENT, before & ~before.T & after & after.T),
        (Action.ORIENT, after & ~after.T & before.T),
    ):
        trace.add_pairs(Phase(Stage.PATTERN), action, np.argwhere(changed), rule=Rule.PATTERN)


def record_after_tabu(trace: TraceBuilder, before: PDAG, posterior: Posterior) -> PDAG:
    """Record the way from the best graph of the first tree to the probable graph after the tabu search; return that."""
    after, adjacent, phase = probable_graph(posterior), posterior.adjacent, Phase(Stage.AFTER_TABU)
    arrows_before, arrows = before.amat & ~before.amat.T, after.amat & ~after.amat.T
    open_after = after.skeleton & ~(arrows | arrows.T)
    changes = (
        (Action.REMOVE, np.triu(before.skeleton & ~after.skeleton), adjacent),
        (Action.ADD, np.triu(after.skeleton & ~before.skeleton), adjacent),
        (Action.UNORIENT, arrows_before & open_after, posterior.compelled / np.maximum(adjacent, SMALLEST)),
        (Action.ORIENT, arrows & ~arrows_before, posterior.compelled / np.maximum(adjacent, SMALLEST)),
    )
    for action, changed, values in changes:
        for i, j in np.argwhere(changed).tolist():
            trace.add(phase, action, i, j, rule=Rule.PROBABLE, statistic=float(values[i, j]), threshold=EVEN)
    return after


def sepsets_of(calls: list[Call], p: int) -> Sepsets:
    """Return the separating sets of the calls."""
    removed = [(call.log, call.log.fates != KEPT) for call in calls]
    return Sepsets.from_blocks(p, [(log.pairs[rows], log.cond[rows]) for log, rows in removed])


def tests_by_size(calls: list[Call]) -> np.ndarray:
    """Return (levels, 2) int64 numbers of tests of edges, and of v-structures, by size of the conditioning set."""
    counts = np.zeros((1 + max((call.size for call in calls), default=-1), 2), dtype=np.int64)
    for call in calls:
        counts[call.size] += call.n_tests
    return counts


def log_phi_of(calls: list[Call], p: int) -> np.ndarray:
    """Return (p, p) ln of the largest p-value of each pair; NaN if untested."""
    log_phi = np.full((p, p), np.nan)
    for call in calls:
        i, j = call.log.pairs.T
        log_phi[i, j] = np.fmax(log_phi[i, j], call.log.log_p)
        log_phi[j, i] = log_phi[i, j]
    return log_phi


def _record_tests(trace: TraceBuilder, call: Call, rows: slice, apart: np.ndarray) -> None:
    log, cut = call.log, call.cut
    for fate, action in FATES:
        at = np.flatnonzero(log.fates[rows] == fate) + (rows.start or 0)
        rule = Rule.UNTESTED if fate == UNTESTED else RULE_OF_CUT[cut.kind]
        trace.extend(
            Phase(Stage.LEVEL, size=call.size),
            np.where(apart[tuple(log.pairs[at].T)], Action.APART, action),
            log.pairs[at],
            log.cond[at],
            rule=rule,
            statistic=log.statistic[at],
            dof=log.dof[at],
            log_p=log.log_p[at],
            threshold=np.exp(cut.limit) if cut.kind == LOG_P else -cut.limit,
            n_tests=log.n_tests[at],
        )


def _record_arrows(trace: TraceBuilder, call: Call, arrows: np.ndarray, apart: np.ndarray) -> None:
    phase = Phase(Stage.LEVEL, size=call.size)
    for i, j, number, *witnesses in arrows[~apart[arrows[:, 0], arrows[:, 1]]].tolist():
        rule = OF_ARROWS[number]
        action = Action.CONFLICT if rule is Rule.CONFLICT else Action.ORIENT
        trace.add(phase, action, i, j, [k for k in witnesses if k >= 0], rule=rule)
