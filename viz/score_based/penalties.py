"""The slider over the penalties of a score path, with sparser graphs to the right."""

from __future__ import annotations

import math

import numpy as np

from learners.common.sentences import Listed, Number, Phrase, only_if, phrase, say
from learners.evaluation import metrics
from learners.families.score_based.explaining import rank_clause
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.results.step_graphs import coded

from ..graph_data import SHD, EdgeData, GraphViewData, Series, nodes, runs
from ..legend import line_texts
from ..text import edges
from ..weak_evidence import with_doubts

MODES_HELP = "Penalties: the graph at each penalty. Run: the search at the penalty of the result, step by step."
FAINTEST = 0.1  # relative strength of the edge that is removed first


def penalty_timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Return the data of the graph component: the class found at each penalty; parameters as for `replay`."""
    path = result.extra
    series: list[Series] = [
        {
            "label": phrase("penalty, times BIC"),
            "values": [round(value, 3) for value in path.penalties.tolist()],
            "log": True,
        },
        {"label": phrase("edges"), "values": [graph.n_edges for graph in path.graphs]},
    ]
    if truth is not None:
        series.append({"label": SHD, "values": [metrics.shd(graph, truth) for graph in path.graphs]})
    data: GraphViewData = {
        "nodes": nodes(result.names, positions),
        "edges": _edges(result),
        "steps": {
            "count": len(path.graphs),
            "offset": 1,
            "axis_label": phrase("step"),
            "text": _sentences(result),
            "series": series,
            "curve": 1,
            "choice": path.choice,
            "choice_label": phrase("Final graph"),
            "events": list(range(len(path.graphs))),
        },
        **line_texts(result),
        "file_name": "edgewise",
    }
    return with_doubts(data, result)


def _edges(result: LearnResult) -> list[EdgeData]:
    path = result.extra
    pairs = np.argwhere(np.triu(np.isfinite(path.survives)))
    codes = np.stack([coded(graph, pairs, ()) for graph in path.graphs])
    span = max(math.log(path.penalties[-1] / path.penalties[0]), 1e-12)
    return [
        {
            "id": m,
            "a": i,
            "b": j,
            "spans": runs(codes[:, m], 0),
            "strength": FAINTEST + (1 - FAINTEST) * math.log(path.survives[i, j] / path.penalties[0]) / span,
            "strength_text": Phrase(rank_clause(result, i, j)),
        }
        for m, (i, j) in enumerate(pairs.tolist())
    ]


def _sentences(result: LearnResult) -> list[Phrase]:
    """Return a sentence for each penalty with the changes from the one before."""
    path, sentences = result.extra, []
    for step, (value, graph) in enumerate(zip(path.penalties.tolist(), path.graphs, strict=True)):
        words = [say("penalty {value} × BIC", value=Number(value))]
        if step:
            before = path.graphs[step - 1].skeleton
            for template, changed in (
                ("{edges} fewer", before & ~graph.skeleton),
                ("{edges} new", graph.skeleton & ~before),
            ):
                words += [say(template, edges=edges(int(np.triu(changed).sum())))] if changed.any() else []
        chosen = only_if(step == path.choice, say("; the graph of the result"))
        sentences.append(phrase("{parts}{chosen}", parts=Listed(words), chosen=chosen))
    return sentences
