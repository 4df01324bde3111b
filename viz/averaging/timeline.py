"""The slider over a minimum probability of the edges."""

from __future__ import annotations

import numpy as np

from learners.common.sentences import Count, Phrase, Sentence, phrase, say
from learners.common.wording import format_setting
from learners.evaluation.metrics import shd
from learners.families.averaging.probable_edges import ProbableEdges
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..graph_data import SHD, EdgeData, GraphViewData, ThresholdLine, nodes
from ..legend import line_texts
from ..text import format_probability, shorten
from ..weak_evidence import with_doubts
from .words import EdgeMeasure, draws_of, interval_clause

MAX_NAMED = 3  # maximum number of named pairs with the same probability
MAX_COMPARED = 600  # maximum number of steps compared with the true graph


def probable_timeline(
    result: LearnResult, edges: ProbableEdges, number: EdgeMeasure, positions: np.ndarray, *, truth: PDAG | None = None
) -> GraphViewData:
    """Return the data of the graph component: each step removes the least probable remaining pairs.

    Parameters
    ----------
    result : LearnResult
        Result of `brai` or `bootstrap`.
    edges : ProbableEdges
    number : EdgeMeasure
    positions : (p, 2) float array
        In [0, 1].
    truth : PDAG, optional
        CPDAG of the true graph; adds the distance of each step from it.
    """
    # A pair stays if the cut equals its own value, so the value that removes it is the next larger float.
    values = np.nextafter(edges.levels[:-1], 2.0).tolist()
    left = [int((edges.probability >= level).sum()) for level in edges.levels] or [0]
    series = [
        {
            "label": phrase("{number} of the removed edges", number=say(number.symbol)),
            "values": [None, *values],
            "probability": True,
        },
        {"label": phrase("edges"), "values": left},
    ]
    if truth is not None and len(edges) <= MAX_COMPARED:
        series.append({"label": SHD, "values": [shd(edges.graph(step), truth) for step in range(len(left))]})
    data: GraphViewData = {
        "nodes": nodes(result.names, positions),
        "edges": _edges(edges, number, draws_of(result.extra)),
        "directed": number.directed,
        "steps": {
            "count": len(left),
            "offset": 0,
            "axis_label": phrase("step"),
            "text": removal_sentences(result, edges, number),
            "series": series,
            "curve": 0,
            "choice": edges.choice,
            "choice_label": phrase("{number} ≥ {cut}", number=say(number.symbol), cut=format_setting(edges.cut)),
            "events": list(range(len(left))),
            "threshold": _line(edges, number),
        },
        **line_texts(result),
        "file_name": "edgewise",
    }
    return with_doubts(data, result)


def _line(edges: ProbableEdges, number: EdgeMeasure) -> ThresholdLine | None:
    if len(edges) < 2:
        return None
    return {
        "label": phrase("{number} ≥", number=say(number.symbol)),
        "name": phrase("minimum {number} of an edge", number=say(number.name)),
        "series": 0,
        "first": 0,
        "last": len(edges) - 1,
        "value": edges.cut,
        "low": 0.0,
        "high": 1.0,
        "follows": True,
    }


def _edges(edges: ProbableEdges, number: EdgeMeasure, draws: int | None) -> list[EdgeData]:
    """Return each pair with the steps at which it is present; its opacity is its probability."""
    drawn = []
    steps = np.searchsorted(edges.levels, edges.probability, side="right")
    numbers = zip(edges.pairs.tolist(), steps.tolist(), edges.probability.tolist(), strict=True)
    for k, ((i, j), end, probability) in enumerate(numbers):
        drawn.append(
            {
                "id": k,
                "a": i,
                "b": j,
                "spans": [[0, end, edges.marks.mark(i, j)]],
                "opacity": probability,
                "opacity_text": _with_interval(_measured(number, probability), probability, draws),
            }
        )
    return drawn


def _with_interval(measured: Sentence, probability: float, draws: int | None) -> Phrase:
    """Return a number with its 95% interval, if it has one."""
    if draws is None:
        return Phrase(measured)
    return phrase("{number} ({interval})", number=measured, interval=interval_clause(probability, draws, ".2f"))


def _measured(number: EdgeMeasure, value: float) -> Sentence:
    return say("{number} = {value}", number=say(number.symbol), value=format_probability(value))


def removal_sentences(result: LearnResult, edges: ProbableEdges, number: EdgeMeasure) -> list[Phrase]:
    """Return a sentence for the start and one for each probability: the pairs that it removes."""
    first = say("{pairs}, none removed yet", pairs=Count(len(edges.pairs), "pair"))
    sentences = [Phrase(first)]
    for level in edges.levels[:-1].tolist():
        gone = edges.pairs[edges.probability == level]
        named = [f"{shorten(result.names[i])} — {shorten(result.names[j])}" for i, j in gone[:MAX_NAMED].tolist()]
        words = {"edges": ", ".join(named), "number": _measured(number, level)}
        n_more = len(gone) - MAX_NAMED
        one = (
            say("{edges} and {more} more removed: {number}", **words, more=n_more)
            if n_more > 0
            else say("{edges} removed: {number}", **words)
        )
        sentences.append(Phrase(one))
    return sentences
