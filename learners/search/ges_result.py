"""Results of searches over equivalence classes, with the operators as a trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.meek_closure import closure
from ..graphs.rules import Rule
from ..graphs.sepsets import Sepsets
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..scores.score import FamilyScore
from .dag_result import GreedySearch, excluded_by, strengths_of
from .ges_search import ClassSearch, Operator

CANCELLED = RunWarning("cancelled", say("the run was cancelled; the graph is the last one reached"))

# Phase, rule, and action where the pair is undirected afterwards, by `Operator.op`.
PHASES = {"insert": Phase(Stage.INSERTIONS), "delete": Phase(Stage.DELETIONS), "turn": Phase(Stage.TURNS)}
RULES = {"insert": Rule.INSERT, "delete": Rule.DELETE, "turn": Rule.TURN}
OPEN = {"insert": Action.ADD, "delete": Action.REMOVE, "turn": Action.UNORIENT}


@dataclass(frozen=True, eq=False)
class EquivalenceSearch(GreedySearch):
    """The `extra` of a result by a search over classes.

    Attributes
    ----------
    operators : tuple of Operator
        The steps from the first class to the last.
    """

    operators: tuple[Operator, ...]


def learn_by_classes(
    score: FamilyScore,
    search: Callable[[BoundKnowledge], ClassSearch],
    *,
    method: str,
    knowledge: Knowledge | None,
    start: PDAG,
    trace: TraceBuilder,
    phases: Mapping[str, Phase] = PHASES,
) -> LearnResult:
    """Run a search over equivalence classes and return its result.

    Parameters
    ----------
    score : FamilyScore
    search : callable
        ``search(knowledge)`` returns the `ClassSearch`.
    method, params
        Fields of the result.
    knowledge : Knowledge, optional
    start : PDAG
        The graph at the end of `trace`.
    trace : TraceBuilder
        Events before the search. The scores of `extra` begin after them.
    phases : mapping
        Phase of the steps by `Operator.op`.
    """
    began, scores_before = time.perf_counter(), score.n_scores
    bound = bind(knowledge, score.names)
    found = search(bound)
    n_events = [1 + _record_start(trace, start, found.start)]
    n_events += [_record_operator(trace, operator, phases[operator.op]) for operator in found.operators]
    graph, n_known = _orient_known(trace, found, bound)
    n_events[-1] += n_known
    gains = [operator.gain for operator in found.operators]
    scores = np.repeat(found.start_score + np.cumsum([0.0, *gains]), n_events)
    scores.flags.writeable = False
    return LearnResult(
        graph=graph,
        names=score.names,
        method=method,
        kind="ges",
        n_tests=0,
        n_scores=score.n_scores - scores_before,
        strengths=strengths_of(score, found.dag),
        seconds=time.perf_counter() - began,
        score=found.score,
        sepsets=Sepsets.from_entries(score.p, ()),
        trace=trace.build(),
        warnings=() if found.complete else (CANCELLED,),
        complete=found.complete,
        extra=EquivalenceSearch(found.dag, scores, found.operators),
        excluded=excluded_by(bound),
    )


def _record_start(trace: TraceBuilder, before: PDAG, start: PDAG) -> int:
    """Record the required edges and other differences of the first class from `before`; return the number of events."""
    differs = (before.amat != start.amat) | (before.amat.T != start.amat.T)
    pairs = np.argwhere(differs & start.amat & (np.triu(start.amat) | ~start.amat.T)).tolist()
    for i, j in pairs:
        is_open = bool(start.amat[j, i])
        if before.skeleton[i, j]:
            _record_mark(trace, Phase(Stage.EQUIVALENCE_CLASS), i, j, is_open)
        else:
            action = Action.ADD if is_open else Action.ORIENT
            trace.add(Phase(Stage.KNOWLEDGE), action, i, j, rule=Rule.REQUIRED)
    return len(pairs)


def _record_operator(trace: TraceBuilder, operator: Operator, phase: Phase) -> int:
    """Record the edge of an operator, then the other edges that it changes; return the number of events."""
    rule, action = RULES[operator.op], Action.ORIENT if operator.mark == "forward" else OPEN[operator.op]
    trace.add(phase, action, operator.x, operator.y, operator.nodes, rule=rule, statistic=operator.gain)
    for i, j, is_open in operator.marks.tolist():
        _record_mark(trace, phase, i, j, bool(is_open))
    return 1 + len(operator.marks)


def _record_mark(trace: TraceBuilder, phase: Phase, i: int, j: int, is_open: bool) -> None:
    """Record that an edge of the class became undirected, or compelled to i -> j."""
    if is_open:
        trace.add(phase, Action.UNORIENT, i, j, rule=Rule.EQUIVALENT)
    else:
        trace.add(phase, Action.ORIENT, i, j, rule=Rule.COMPELLED)


def _orient_known(trace: TraceBuilder, found: ClassSearch, known: BoundKnowledge) -> tuple[PDAG, int]:
    """Orient the last class by background knowledge and its implications; return it and the number of events."""
    amat, phase = found.graph.amat, Phase(Stage.KNOWLEDGE)
    settled = known.directions & amat & amat.T
    for i, j in np.argwhere(settled).tolist():
        rule = Rule.REQUIRED if known.required[i, j] else Rule.FORBIDDEN
        trace.add(phase, Action.ORIENT, i, j, rule=rule)
    implied: list[tuple] = []
    graph = closure(PDAG(amat & ~settled.T), record=lambda *orientation: implied.append(orientation))
    for i, j, _, witnesses in implied:
        trace.add(phase, Action.ORIENT, i, j, witnesses, rule=Rule.SETTLED)
    return graph, int(settled.sum()) + len(implied)
