"""Steps of a run whose graph is a DAG of the search, which represents its equivalence class."""

from __future__ import annotations

import numpy as np

from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult

CLASSES = (Stage.EQUIVALENCE_CLASS, Stage.POLISH_FORWARD, Stage.POLISH_BACKWARD)  # stages with graphs of classes
MAX_WORK = 30_000  # maximum of steps times variables; more would take seconds


def search_steps(result: LearnResult) -> range:
    """Return the slider steps from the first DAG of a search to its last."""
    trace = result.trace
    of_classes = np.logical_or.reduce([trace.in_phase(Phase(stage))[trace.changes] for stage in CLASSES])
    first = int(np.flatnonzero(np.isfinite(result.extra.scores))[0])
    return range(first, int(of_classes.argmax()) if of_classes.any() else len(of_classes))


def comparable(result: LearnResult, step: int | None, graph: PDAG) -> PDAG:
    """Return the graph to compare with a true CPDAG: for a DAG of the search, its equivalence class."""
    return cpdag(graph) if step is not None and step in search_steps(result) and graph.is_dag else graph


def classes_of_steps(result: LearnResult) -> dict[int, PDAG | None]:
    """Return the class of each DAG of a search; None if this would take too long, or if the graph is not a DAG."""
    steps = search_steps(result)
    if len(steps) * len(result.names) > MAX_WORK:
        return dict.fromkeys(steps)
    graphs = ((step, result.trace.graph_at(step)) for step in steps)
    return {step: cpdag(graph) if graph.is_dag else None for step, graph in graphs}
