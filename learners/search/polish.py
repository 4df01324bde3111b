"""The polish of a hybrid learner: GES from the class of its graph, free of the pairs that tests allow."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..common.checks import check_number
from ..common.progress import Tick
from ..graphs.knowledge import Knowledge, bind
from ..results.phases import Phase, Stage
from ..results.result import LearnResult
from ..results.trace import TraceBuilder
from ..scores import BDeu, FamilyScore
from ..scores.bdeu import automatic_edge_price
from .class_result import learn_by_classes
from .equivalence import equivalence_search

PHASES = {"insert": Phase(Stage.POLISH_FORWARD), "delete": Phase(Stage.POLISH_BACKWARD)}


def polished(
    result: LearnResult,
    trace: TraceBuilder,
    score: FamilyScore,
    *,
    least_gain: float,
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
    least_gain : float
        What an insertion must gain more than.
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
    found = equivalence_search(
        score,
        start=result.extra.dag,
        least_gain=least_gain,
        max_parents=max_parents,
        knowledge=bound,
        tick=tick,
    )
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


def least_gain_of(score: FamilyScore, polish_gain: float | None) -> float:
    """What the polish holds a gain against: the number given, or `own_least_gain`; ParameterError if it is none."""
    if polish_gain is None:
        return own_least_gain(score)
    check_number("polish_gain", polish_gain, 0.0, math.inf, ends="[)")
    return polish_gain


def own_least_gain(score: FamilyScore) -> float:
    """What an edge must gain by this score that no test asked for.

    BIC charges for each parameter, and that is enough. By BDeu parents gain through the prior alone: they spread it
    thinner, and a thinner prior foretells rows that are all alike better. Few rows and rare levels make that pay for
    hundreds of edges; so each costs what extended BIC charges for a parameter, less what the score itself charges.
    """
    return (
        max(automatic_edge_price(score.sample.n, score.p) - score.edge_price, 0.0) if isinstance(score, BDeu) else 0.0
    )
