"""The polish of a hybrid learner: GES from the class of its graph, free of the pairs that tests allow."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..common.progress import Tick
from ..graphs.knowledge import Knowledge, bind
from ..results.phases import Phase, Stage
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..score_based.equivalence import learn_by_classes
from ..scores import FamilyScore
from ..search import equivalence_search

PHASES = {"insert": Phase(Stage.POLISH_FORWARD), "delete": Phase(Stage.POLISH_BACKWARD)}


def polished(
    result: LearnResult,
    trace: TraceBuilder,
    score: FamilyScore,
    *,
    max_parents: int | None,
    knowledge: Knowledge | None,
    tick: Tick,
) -> LearnResult:
    """Go on from the class of a search by insertions, then deletions, as long as they gain; any pair may be joined.

    Parameters
    ----------
    result : LearnResult
        Of a search over DAGs.
    trace : TraceBuilder
        Has told it; hears of each step, in phases of its own.
    score : FamilyScore
    max_parents : int, optional
        Most parents of a node in the families scored. Default: no limit.
    knowledge, tick
        As for `ges`.

    Returns
    -------
    LearnResult
        Graph, DAG and score are those of the last class; the scores of `extra` go on. Of a run that was cancelled
        before, or that no step betters, it is `result`.
    """
    if not result.complete:
        return result
    bound = bind(knowledge, score.names)
    found = equivalence_search(score, start=result.extra.dag, max_parents=max_parents, knowledge=bound, tick=tick)
    if not found.operators and found.complete:
        return result
    told = learn_by_classes(
        score,
        lambda _bound: found,
        method="ges",
        params={},
        knowledge=knowledge,
        start=result.graph,
        trace=trace,
        phases=PHASES,
    )
    scores = np.concatenate([result.extra.scores[:-1], told.extra.scores])
    scores.flags.writeable = False
    return dataclasses.replace(
        result,
        graph=told.graph,
        score=told.score,
        strengths=told.strengths,
        trace=told.trace,
        warnings=told.warnings,
        complete=told.complete,
        extra=dataclasses.replace(result.extra, dag=told.extra.dag, scores=scores),
    )
