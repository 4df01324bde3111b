"""Results of greedy searches over DAGs: equivalence class, strengths of the edges, trace."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..common.arrays import frozen
from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..graphs.cpdag import add_known_directions, cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.rules import Rule
from ..graphs.sepsets import Sepsets
from ..kernels.search.hill_climbing import ADD, DELETE, REVERSE
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.result import LOSS, LearnResult, Strengths
from ..results.trace import Trace, TraceBuilder
from ..scores.score import FamilyScore
from .climber import PhaseMoves, Ties
from .hill_climbing import Search

CANCELLED = RunWarning("cancelled", say("the run was cancelled; the graph is the best one found so far"))

RULE_OF = {ADD: Rule.ADD, DELETE: Rule.DELETE, REVERSE: Rule.REVERSE}


@dataclass(frozen=True, eq=False)
class GreedySearch:
    """The `extra` of a score-based result.

    Attributes
    ----------
    dag : PDAG
        The best DAG visited; `graph` of the result is its equivalence class.
    scores : (n_changes + 1,) float64 array
        Network score at the start and after each change of the trace. NaN while required edges are added and on the way
        back to the best DAG.
    ties : "data", "reverse" or "columns", optional
        How the search broke ties, for learners that offer a choice.
    other_score : float, optional
        Best score of a second search with the opposite order of ties; it is not better.
    """

    dag: PDAG
    scores: np.ndarray
    ties: Ties | None = field(default=None, kw_only=True)
    other_score: float | None = field(default=None, kw_only=True)


def learn_greedily(
    score: FamilyScore,
    search: Callable[[BoundKnowledge], Search],
    *,
    method: str,
    knowledge: Knowledge | None,
    start: PDAG | None,
    trace: TraceBuilder | None = None,
) -> LearnResult:
    """Run a search over DAGs and return its result.

    Parameters
    ----------
    score : FamilyScore
    search : callable
        ``search(knowledge)`` returns the `Search`.
    method, params
        Fields of the result.
    knowledge : Knowledge, optional
    start : PDAG, optional
        The graph that the trace begins with. Default: the empty graph.
    trace : TraceBuilder, optional
        Events before the search, none of which changes the graph. Default: none.
    """
    began, scores_before = time.perf_counter(), score.n_scores
    bound = bind(knowledge, score.names)
    found = search(bound)
    graph = equivalence_class(found.dag, bound)
    start = start or PDAG.empty(score.p)
    recorded, scores = _recorded(found, start, graph, score, trace or TraceBuilder(start))
    strengths = strengths_of(score, found.dag)
    return LearnResult(
        graph=graph,
        names=score.names,
        method=method,
        kind="score",
        n_tests=0,
        n_scores=score.n_scores - scores_before,
        strengths=strengths,
        seconds=time.perf_counter() - began,
        score=found.score,
        sepsets=Sepsets.from_entries(score.p, ()),
        trace=recorded,
        warnings=() if found.complete else (CANCELLED,),
        complete=found.complete,
        extra=GreedySearch(found.dag, scores),
        excluded=excluded_by(bound),
    )


def excluded_by(known: BoundKnowledge) -> np.ndarray | None:
    """Return the arrows that knowledge forbids, or requires in the opposite direction; None if there are none."""
    excluded = known.excluded | known.required.T
    return frozen(excluded) if excluded.any() else None


def equivalence_class(dag: PDAG, known: BoundKnowledge) -> PDAG:
    """Return the CPDAG of `dag` with the directions of background knowledge and their implications."""
    return add_known_directions(cpdag(dag), known)


def strengths_of(score: FamilyScore, dag: PDAG) -> Strengths:
    """Return the loss of score when each single edge is removed from the DAG."""
    values = np.full((score.p, score.p), np.nan)
    for j in np.flatnonzero(dag.amat.any(axis=0)).tolist():
        parents = dag.parents(j)
        own = score.local(j, parents)
        for i in parents:
            values[i, j] = values[j, i] = own - score.local(j, [k for k in parents if k != i])
    return Strengths(LOSS, frozen(values), larger_is_stronger=True)


def _recorded(
    found: Search, start: PDAG, graph: PDAG, score: FamilyScore, trace: TraceBuilder
) -> tuple[Trace, np.ndarray]:
    """Return the trace and the score after each event: required edges, moves, edges that the class leaves open."""
    required = np.argwhere(found.start.amat & ~start.amat)
    _record_edges(trace, Phase(Stage.KNOWLEDGE), Action.ORIENT, required, rule=Rule.REQUIRED)
    amat = found.start.amat.copy()
    scores = [np.full(len(required), np.nan), [score.network(found.start)]]
    for phase_moves in found.phases:
        _record_moves(trace, phase_moves, amat)
        scores.append(phase_moves.scores)
    open_edges = np.argwhere(found.dag.amat & graph.amat.T)
    _record_edges(trace, Phase(Stage.EQUIVALENCE_CLASS), Action.UNORIENT, open_edges, rule=Rule.EQUIVALENT)
    scores.append(np.full(len(open_edges), scores[-1][-1]))
    return trace.build(), frozen(np.concatenate(scores))


def _record_moves(trace: TraceBuilder, phase_moves: PhaseMoves, amat: np.ndarray) -> None:
    """Record the moves of a phase, with consecutive moves of one kind at once, and apply them to `amat`."""
    ops = phase_moves.moves[:, 0]
    bounds = [0, *(np.flatnonzero(np.diff(ops)) + 1).tolist(), len(ops)]
    for begin, end in zip(bounds[:-1], bounds[1:], strict=True):
        op = int(ops[begin])
        # An event names an edge by its new direction, so the reversal of i -> j is recorded as j -> i.
        pairs = phase_moves.moves[begin:end, :0:-1] if op == REVERSE else phase_moves.moves[begin:end, 1:]
        others = [_move(amat, op, i, j) for i, j in pairs.tolist()]
        cond = np.full((len(others), max(map(len, others))), -1, dtype=np.int32)
        for row, members in zip(cond, others, strict=True):
            row[: len(members)] = members
        action = Action.REMOVE if op == DELETE else Action.ORIENT
        trace.extend(phase_moves.phase, action, pairs, cond, rule=RULE_OF[op], statistic=phase_moves.gains[begin:end])


def _move(amat: np.ndarray, op: int, i: int, j: int) -> list[int]:
    """Make the move in `amat`, with i -> j its recorded direction, and return the other parents of j."""
    amat[i, j] = False
    others = np.flatnonzero(amat[:, j]).tolist()
    amat[i, j] = op != DELETE
    amat[j, i] = False
    return [k for k in others if k != i]


def _record_edges(trace: TraceBuilder, phase: Phase, action: Action, pairs: np.ndarray, *, rule: Rule) -> None:
    """Record one event for each pair."""
    if len(pairs):
        trace.extend(phase, action, pairs, np.empty((len(pairs), 0), dtype=np.int32), rule=rule)
