"""From a search over equivalence classes to a result: its steps as a trace, one class after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph import PDAG, closure
from ..knowledge import BoundKnowledge, Knowledge
from ..result import LearnResult
from ..scores import FamilyScore
from ..search import ClassSearch, Operator
from ..sepsets import Sepsets
from ..trace import Action, TraceBuilder
from .greedy import GreedySearch, strengths_of


@dataclass(frozen=True, eq=False)
class EquivalenceSearch(GreedySearch):
    """What a search over classes knows beside its result.

    Attributes
    ----------
    operators : tuple of Operator
        Its steps.
    """

    operators: tuple[Operator, ...]


def learn_by_classes(
    score: FamilyScore,
    search: Callable[[BoundKnowledge], ClassSearch],
    *,
    method: str,
    params: Mapping[str, Any],
    knowledge: Knowledge | None,
    start: PDAG,
    trace: TraceBuilder,
) -> LearnResult:
    """Run `search` and tell its story, after what `trace` tells, which ends with the graph `start`."""
    began, scores_before = time.perf_counter(), score.n_scores
    bound = knowledge.bind(score.names) if knowledge else BoundKnowledge.none(score.p)
    found = search(bound)
    scores = [found.start_score] * (trace.n_changes + 1)
    scores[: trace.n_changes] = [np.nan] * trace.n_changes
    _tell_start(trace, start, found.start)
    scores += [found.start_score] * (trace.n_changes + 1 - len(scores))
    for operator in found.operators:
        _tell_operator(trace, operator)
        scores += [scores[-1] + operator.gain] * (trace.n_changes + 1 - len(scores))
    graph = _settle(trace, found, bound)
    scores += [scores[-1]] * (trace.n_changes + 1 - len(scores))
    told = np.array(scores)
    told.flags.writeable = False
    return LearnResult(
        graph=graph,
        names=score.names,
        method=method,
        params=params,
        n_tests=0,
        n_scores=score.n_scores - scores_before,
        strengths=strengths_of(score, found.dag),
        seconds=time.perf_counter() - began,
        score=found.score,
        sepsets=Sepsets.from_entries(score.p, ()),
        trace=trace.build(),
        warnings=() if found.complete else ("the run was cancelled; the graph is the one reached until then",),
        complete=found.complete,
        extra=EquivalenceSearch(found.dag, told, found.operators),
    )


def _tell_start(trace: TraceBuilder, before: PDAG, start: PDAG) -> None:
    """The required edges, and what they change of the graph to begin with."""
    for i, j in np.argwhere(np.triu(before.skeleton != start.skeleton)).tolist():
        mark = start.mark(i, j)
        a, b = (j, i) if mark == "backward" else (i, j)
        trace.add("knowledge", Action.ADD if mark == "undirected" else Action.ORIENT, a, b, rule="required")
    marks = np.argwhere(np.triu(before.skeleton & start.skeleton)).tolist()
    for i, j in marks:
        if before.mark(i, j) != start.mark(i, j):
            _tell_mark(trace, "knowledge", *((j, i) if start.mark(i, j) == "backward" else (i, j)), start.amat[j, i])


def _tell_operator(trace: TraceBuilder, operator: Operator) -> None:
    """The edge first, then the others that change with the class."""
    phase = "forward" if operator.op == "insert" else "backward"
    action = {"none": Action.REMOVE, "undirected": Action.ADD}.get(operator.mark, Action.ORIENT)
    trace.add(phase, action, operator.x, operator.y, operator.nodes, rule=operator.op, statistic=operator.gain)
    for i, j, is_open in operator.marks.tolist():
        _tell_mark(trace, phase, i, j, is_open)


def _tell_mark(trace: TraceBuilder, phase: str, i: int, j: int, is_open: bool) -> None:
    if is_open:
        trace.add(phase, Action.UNORIENT, i, j, rule="equivalent")
    else:
        trace.add(phase, Action.ORIENT, i, j, rule="compelled")


def _settle(trace: TraceBuilder, found: ClassSearch, known: BoundKnowledge) -> PDAG:
    """The class with the directions that background knowledge gives, and what they imply; all told."""
    graph = found.graph
    settled = known.directions & graph.amat & graph.amat.T
    for i, j in np.argwhere(settled).tolist():
        trace.add("knowledge", Action.ORIENT, i, j, rule="required" if known.required[i, j] else "forbidden")

    def record(i: int, j: int, _rule: str, witnesses: tuple[int, ...]) -> None:
        trace.add("knowledge", Action.ORIENT, i, j, witnesses, rule="settled")

    return closure(PDAG(graph.amat & ~settled.T), record=record)
