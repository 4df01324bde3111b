"""The slider over a search by score: its score at each step, and its DAGs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from learners.common.sentences import Sentence, phrase
from learners.evaluation import metrics
from learners.explaining.events import event_of_search
from learners.explaining.moves import placement_sentence
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.results.events import Placements
from learners.results.phases import Phase, Stage
from learners.results.result import LearnResult
from learners.results.step_graphs import coded

from ..graph_data import SHD, GraphViewData, runs
from ..replay import replay

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


DIRECTED_EARLY = phrase("directed at this step; a later step may reverse it")


def class_timeline(
    result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None, sentence=event_of_search
) -> GraphViewData:
    """Return the replay with the score of each step; parameters as for `replay`."""
    data = replay(result, positions, truth=truth, sentence=sentence)
    steps = data["steps"]
    scores = result.extra.scores[steps["offset"] :].tolist()
    score = {"label": phrase("score"), "values": [round(v, 3) if math.isfinite(v) else None for v in scores]}
    return data | {"steps": steps | {"series": [score, *steps["series"]]}}


def dag_timeline(
    result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None, sentence=event_of_search
) -> GraphViewData:
    """Return the replay of a search over DAGs with its scores; the classes of the DAGs are compared with the truth."""
    data = class_timeline(result, positions, truth=truth, sentence=sentence)
    if truth is not None:
        skipped = data["steps"]["offset"]
        classes = {step - skipped: one for step, one in classes_of_steps(result).items() if step >= skipped}
        distance = next(one["values"] for one in data["steps"]["series"] if one["label"] == SHD)
        for step, graph in classes.items():
            distance[step] = None if graph is None else metrics.shd(graph, truth)
        data = _held_by_class(data, classes)
    searched = search_steps(result)
    until = searched.stop - data["steps"]["offset"]
    return data | ({"early": {"until": until, "directed": DIRECTED_EARLY}} if searched and until > 0 else {})


def order_timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Return the replay of a search over orders with its scores; each step names the variable that was moved."""
    data = dag_timeline(result, positions, truth=truth)
    steps, text = data["steps"], list(data["steps"]["text"])
    placed = result.extra.placements
    for q, (begin, end) in enumerate(zip(placed.begins.tolist(), placed.ends.tolist(), strict=True)):
        several = end > begin + 1
        template = "{placement} in all; this step {step}" if several else "{placement}: {step}"
        moved = placement(placed, q, with_gain=several)
        for step in range(max(begin + 1 - steps["offset"], 1), end + 1 - steps["offset"]):
            text[step] = phrase(template, result.names, placement=moved, step=text[step].sentence)
    return data | {"steps": steps | {"text": text}}


def placement(placed: Placements, q: int, *, with_gain: bool = True) -> Sentence:
    """Return the sentence on the move of a variable in a search over orders; a single change has the same gain."""
    steps = int(placed.places[q] - placed.homes[q])
    return placement_sentence(int(placed.nodes[q]), steps, float(placed.gains[q]) if with_gain else math.nan)


def _held_by_class(data: GraphViewData, classes: Mapping[int, PDAG | None]) -> GraphViewData:
    """Compare the class of each DAG with the truth; at steps with an unknown class, compare no directions."""
    edges, known = data["edges"], {step: one for step, one in classes.items() if one is not None}
    if not known or not edges:
        return data | {"steps": data["steps"] | {"blind": [[step, step + 1] for step in classes]}}
    first, pairs = min(classes), np.array([(edge["a"], edge["b"]) for edge in edges])
    codes = np.zeros((len(classes), len(edges)), dtype=np.uint8)
    for step, graph in known.items():
        codes[step - first] = coded(graph, pairs, ())
    held = [edge | {"comparable": runs(codes[:, k], first)} for k, edge in enumerate(edges)]
    return data | {
        "edges": held,
        "steps": data["steps"] | {"blind": [[step, step + 1] for step in classes if step not in known]},
    }
