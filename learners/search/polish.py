"""Polish of a hybrid learner: GES from the class of its graph, without the restriction to its skeleton."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..common.progress import Tick
from ..graphs.knowledge import Knowledge, bind
from ..results.phases import Phase, Stage
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..scores import BDeu
from ..scores.bdeu import default_edge_penalty
from ..scores.score import FamilyScore
from .ges_result import learn_by_classes
from .ges_search import equivalence_search

PHASES = {"insert": Phase(Stage.POLISH_FORWARD), "delete": Phase(Stage.POLISH_BACKWARD)}


def polished(
    result: LearnResult,
    trace: TraceBuilder,
    score: FamilyScore,
    *,
    min_gain: float,
    max_parents: int | None,
    knowledge: Knowledge | None,
    tick: Tick,
) -> LearnResult:
    """Continue from the class of a DAG by insertions, then deletions, while they raise the score.

    Parameters
    ----------
    result : LearnResult
        Result of a search over DAGs.
    trace : TraceBuilder
        Trace of that search; it records the further steps in phases of their own.
    score : FamilyScore
    min_gain : float
        An insertion must gain more than this. Any pair may become adjacent.
    max_parents : int, optional
        Maximum number of parents in the families scored. Default: no limit.
    knowledge, tick
        As for `ges`.

    Returns
    -------
    LearnResult
        Result with graph, DAG and score of the last class; the scores of `extra` continue. It is `result` itself if
        that run was cancelled, or if no step raises the score.
    """
    if not result.complete:
        return result
    bound = bind(knowledge, score.names)
    found = equivalence_search(
        score,
        start=result.extra.dag,
        min_gain=min_gain,
        max_parents=max_parents,
        knowledge=bound,
        tick=tick,
    )
    if not found.operators and found.complete:
        return result
    continued = learn_by_classes(
        score,
        lambda _bound: found,
        method="ges",
        knowledge=knowledge,
        start=result.graph,
        trace=trace,
        phases=PHASES,
    )
    scores = np.concatenate([result.extra.scores[:-1], continued.extra.scores])
    scores.flags.writeable = False
    return dataclasses.replace(
        result,
        graph=continued.graph,
        score=continued.score,
        strengths=continued.strengths,
        trace=continued.trace,
        warnings=continued.warnings,
        complete=continued.complete,
        extra=dataclasses.replace(result.extra, dag=continued.extra.dag, scores=scores),
    )


def min_gain_of(score: FamilyScore, polish_gain: float | None) -> float:
    """Return the threshold of the polish: `polish_gain`, or `default_min_gain`."""
    return default_min_gain(score) if polish_gain is None else polish_gain


def default_min_gain(score: FamilyScore) -> float:
    """Return the gain by this score that an edge without support from tests must exceed.

    BIC penalizes each parameter, which is enough. BDeu raises the score of additional parents by the prior alone: they
    spread the equivalent sample size over more configurations, and a weaker prior predicts near-constant rows better.
    With few rows or rare levels this pays for hundreds of edges. So each edge must gain the penalty of a parameter in
    extended BIC, minus the edge penalty that the score itself has.
    """
    return (
        max(default_edge_penalty(score.sample.n, score.p) - score.edge_penalty, 0.0) if isinstance(score, BDeu) else 0.0
    )
