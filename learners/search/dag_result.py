"""From a greedy search over DAGs to a result: equivalence class, strengths, trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..common.arrays import frozen
from ..graphs.cpdags import agreeing, cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..graphs.sepsets import Sepsets
from ..kernels.search.climbing import ADD, DELETE, REVERSE
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.result import LearnResult, Strengths
from ..results.rules import Rule
from ..results.trace import Trace, TraceBuilder
from ..scores import FamilyScore
from .climber import PhaseMoves, Ties
from .hill_climbing import Search

RULE_OF = {ADD: Rule.ADD, DELETE: Rule.DELETE, REVERSE: Rule.REVERSE}


@dataclass(frozen=True, eq=False)
class GreedySearch:
    """What a score-based search knows beside its result.

    Attributes
    ----------
    dag : PDAG
        The best DAG met; `graph` of the result is its equivalence class.
    scores : (n_changes + 1,) float64 array
        Network score after each change of the trace, the start first. NaN while required edges are put in and on the
        way back to the best DAG.
    ties : "data", "reverse" or "columns", optional
        How the search settled ties, where it was asked to.
    other_score : float, optional
        Of the DAG by a second search that settled ties the other way round, where there was one; it is not better.
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
    params: Mapping[str, Any],
    knowledge: Knowledge | None,
    start: PDAG | None,
    trace: TraceBuilder | None = None,
) -> LearnResult:
    """Run `search` and tell its story, after what `trace` tells without a change of the graph."""
    began, scores_before = time.perf_counter(), score.n_scores
    bound = bind(knowledge, score.names)
    found = search(bound)
    graph = equivalence_class(found.dag, bound)
    start = start or PDAG.empty(score.p)
    told, scores = _story(found, start, graph, score, trace or TraceBuilder(start))
    strengths = strengths_of(score, found.dag)
    return LearnResult(
        graph=graph,
        names=score.names,
        method=method,
        kind="score",
        params=params,
        n_tests=0,
        n_scores=score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        score=found.score,
        sepsets=Sepsets.from_entries(score.p, ()),
        strengths=strengths,
        trace=told,
        warnings=() if found.complete else ("the run was cancelled; the graph is the best one met until then",),
        complete=found.complete,
        extra=GreedySearch(found.dag, scores),
    )


def equivalence_class(dag: PDAG, known: BoundKnowledge) -> PDAG:
    """The CPDAG of `dag` with the directions that background knowledge gives, and what they imply."""
    return agreeing(cpdag(dag), known)


def _story(
    found: Search, start: PDAG, graph: PDAG, score: FamilyScore, trace: TraceBuilder
) -> tuple[Trace, np.ndarray]:
    """One event a move, then one for each edge of the DAG whose direction is open; and the score after each."""
    required = np.argwhere(found.start.amat & ~start.amat)
    _tell(trace, Phase(Stage.KNOWLEDGE), Action.ORIENT, required, rule=Rule.REQUIRED)
    amat = found.start.amat.copy()
    scores = [np.full(len(required), np.nan), [score.network(found.start)]]
    for made in found.phases:
        _tell_moves(trace, made, amat)
        scores.append(made.scores)
    open_edges = np.argwhere(found.dag.amat & graph.amat.T)
    _tell(trace, Phase(Stage.EQUIVALENCE_CLASS), Action.UNORIENT, open_edges, rule=Rule.EQUIVALENT)
    scores.append(np.full(len(open_edges), scores[-1][-1]))
    return trace.build(), frozen(np.concatenate(scores))


def _tell_moves(trace: TraceBuilder, made: PhaseMoves, amat: np.ndarray) -> None:
    """Append the moves of a phase to the trace, in runs of one kind, and make them in `amat`."""
    ops = made.moves[:, 0]
    bounds = [0, *(np.flatnonzero(np.diff(ops)) + 1).tolist(), len(ops)]
    for begin, end in zip(bounds[:-1], bounds[1:], strict=True):
        op = int(ops[begin])
        # An edge is told by its new direction, so a reversal of i -> j speaks of j -> i.
        pairs = made.moves[begin:end, :0:-1] if op == REVERSE else made.moves[begin:end, 1:]
        others = [_move(amat, op, i, j) for i, j in pairs.tolist()]
        cond = np.full((len(others), max(map(len, others))), -1, dtype=np.int32)
        for row, members in zip(cond, others, strict=True):
            row[: len(members)] = members
        action = Action.REMOVE if op == DELETE else Action.ORIENT
        trace.extend(made.phase, action, pairs, cond, rule=RULE_OF[op], statistic=made.gains[begin:end])


def _move(amat: np.ndarray, op: int, i: int, j: int) -> list[int]:
    """Make the move in `amat`, with i -> j the direction told; return the other parents of j."""
    amat[i, j] = False
    others = np.flatnonzero(amat[:, j]).tolist()
    amat[i, j] = op != DELETE
    amat[j, i] = False
    return [k for k in others if k != i]


def _tell(trace: TraceBuilder, phase: Phase, action: Action, pairs: np.ndarray, *, rule: Rule) -> None:
    if len(pairs):
        trace.extend(phase, action, pairs, np.empty((len(pairs), 0), dtype=np.int32), rule=rule)


def strengths_of(score: FamilyScore, dag: PDAG) -> Strengths:
    """What the DAG's score loses when an edge is taken out."""
    values = np.full((score.p, score.p), np.nan)
    for j in np.flatnonzero(dag.amat.any(axis=0)).tolist():
        parents = dag.parents(j)
        own = score.local(j, parents)
        for i in parents:
            values[i, j] = values[j, i] = own - score.local(j, [k for k in parents if k != i])
    return Strengths("score lost without the edge", frozen(values), larger_is_stronger=True)
