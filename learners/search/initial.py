"""A greedily initialised DAG, told move by move: one event an arrow, and the score after each.

The graph drawn is the skeleton being oriented; the score is that of its arrows alone, which is the DAG built so far.
"""

from __future__ import annotations

import numpy as np

from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from ..results.trace import TraceBuilder
from .hgi import Initialization, Step

PHASE = Phase(Stage.INITIAL_GRAPH)
RULES = {"required": Rule.REQUIRED, "knowledge": Rule.KNOWN, "sink": Rule.SINK, "rule": Rule.IMPLIED}  # by `Step.op`
COLLIDER = {1: (Rule.COLLIDER_COMPLETED,), 2: (Rule.COLLIDER_BEGUN, Rule.COLLIDER)}  # by the number of new arrows


def tell_initialization(trace: TraceBuilder, start: Initialization, skeleton: np.ndarray) -> np.ndarray:
    """Append the steps to a trace whose graph is the skeleton; edges that no step settled leave at the end.

    Parameters
    ----------
    trace : TraceBuilder
        Hears of each arrow by one event with the gain of its step, by the rules `DRAWN` and REQUIRED; the arrows of a
        v-structure each have the other parent. An edge leaves by one of `LEFT_OUT`: NO_GAIN, with the gain it would
        have had, or UNSETTLED.
    start : Initialization
    skeleton : (p, p) bool array
        The edges drawn.

    Returns
    -------
    (n_events + 1,) float64 array
        Score of the arrows after each event, that without any first. Halfway through a step it is the score before it.
    """
    score = start.score - sum(step.gain for step in start.steps if step.op != "drop")
    scores = [score]
    unsettled = np.triu(skeleton & ~start.dag.skeleton)
    for step in start.steps:
        if step.op == "drop":
            ((i, j),) = step.arrows
            trace.add(PHASE, Action.REMOVE, i, j, rule=Rule.NO_GAIN, statistic=step.gain)
            unsettled[min(i, j), max(i, j)] = False
            scores.append(score)
            continue
        _tell_arrows(trace, step)
        scores += [score] * (len(step.arrows) - 1)
        score += step.gain
        scores.append(score)
    left = np.argwhere(unsettled).tolist()
    for i, j in left:
        trace.add(PHASE, Action.REMOVE, i, j, rule=Rule.UNSETTLED)
    scores += [score] * len(left)
    return np.array(scores)


def _tell_arrows(trace: TraceBuilder, step: Step) -> None:
    """The arrows of one step; of a v-structure with its other parent."""
    rules = COLLIDER[len(step.arrows)] if step.op == "v-structure" else (RULES[step.op],)
    for rule, (i, j) in zip(rules, step.arrows, strict=True):
        others = tuple(k for k in step.parents if k != i)
        trace.add(PHASE, Action.ORIENT, i, j, others, rule=rule, statistic=step.gain)
