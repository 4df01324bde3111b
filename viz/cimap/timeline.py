"""The slider over the threshold of CImap: a false discovery rate, or a minimum information."""

from __future__ import annotations

import math

import numpy as np

from learners.common.sentences import Phrase, phrase
from learners.families.cimap.cuts import Cuts
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..graph_data import EdgeData, GraphViewData, ThresholdLine, nodes, outside
from ..legend import line_texts
from ..text import LN10, edges, format_number, format_p, limited_clause, shorten
from ..weak_evidence import with_doubts

DIGITS = 6
MIN_LOG_Q = -400.0  # smallest log10 q that the threshold line reaches


def cut_timeline(result: LearnResult, cuts: Cuts, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Return the data of the graph component: each step removes one more pair, the weakest first.

    Parameters
    ----------
    result : LearnResult
        Result of `cimap`.
    cuts : Cuts
    positions : (p, 2) float array
        In [0, 1].
    truth : PDAG, optional
        CPDAG of the true graph; adds the errors of the skeleton at each step.
    """
    m, names = len(cuts), result.names
    values = _drawn_values(cuts)
    series = [
        {
            "label": phrase("q of the removed edge") if cuts.kind == "q" else phrase("mbit of the removed edge"),
            "values": [None, *values],
            **({"log_p": True} if cuts.kind == "q" else {}),
        },
        {"label": phrase("edges"), "values": list(range(m, -1, -1))},
    ]
    if truth is not None:
        series.append({"label": phrase("wrong and missing edges"), "values": _errors(cuts, truth)})
    data: GraphViewData = {
        "nodes": nodes(names, positions),
        "edges": _edges(result, cuts),
        "steps": {
            "count": m + 1,
            "offset": 0,
            "axis_label": phrase("step"),
            "text": _sentences(result, cuts),
            "series": series,
            "curve": 0,
            "choice": cuts.choice,
            "choice_label": phrase("Level of the run"),
            "events": sorted({0, cuts.choice, m}),
            "threshold": _line(cuts, values),
            "blind": outside(0, 0, m + 1),
        },
        **line_texts(result),
        "file_name": "edgewise",
    }
    return with_doubts(data, result)


def level_words(cuts: Cuts, value: float) -> str:
    """Write a threshold with its name: q = 0.05, μ = 10 mbit."""
    return f"q = {format_p(value)}" if cuts.kind == "q" else f"μ = {format_number(value)} mbit"


def _drawn_values(cuts: Cuts) -> list[float]:
    if cuts.kind == "q":
        return [round(max(value / LN10, MIN_LOG_Q), DIGITS) for value in np.minimum(cuts.values, 0.0).tolist()]
    return [round(value, DIGITS) for value in cuts.values.tolist()]


def _line(cuts: Cuts, values: list[float]) -> ThresholdLine | None:
    if not values:
        return None
    level = max(cuts.level / LN10, MIN_LOG_Q) if cuts.kind == "q" else cuts.level
    low, high = min(*values, level), max(*values, level)
    line: ThresholdLine = {
        "label": "q" if cuts.kind == "q" else "μ",
        "name": phrase("false discovery rate q") if cuts.kind == "q" else phrase("minimum information, in mbit"),
        "series": 0,
        "first": 0,
        "last": len(cuts),
        "value": round(level, DIGITS),
        "low": round(low, DIGITS),
        "high": round(0.0 if cuts.kind == "q" else high, DIGITS),
    }
    return line | ({"falling": True} if cuts.kind == "q" else {})


def _sentences(result: LearnResult, cuts: Cuts) -> list[Phrase]:
    sentences = [phrase("all edges that some threshold keeps: {edges}", edges=edges(len(cuts)))]
    for k, ((i, j), value) in enumerate(zip(cuts.pairs.tolist(), cuts.values.tolist(), strict=True), 1):
        values = {"pair": f"{shorten(result.names[i])} — {shorten(result.names[j])}", "left": edges(len(cuts) - k)}
        if cuts.kind == "q" and math.isinf(value):
            sentences.append(phrase("{pair} removed last: it was never tested; {left} left", **values))
        elif cuts.kind == "q":
            sentences.append(
                phrase("{pair} removed below {level}; {left} left", level=level_words(cuts, value), **values)
            )
        else:
            level = level_words(cuts, value)
            sentences.append(phrase("{pair} removed: present up to {level}; {left} left", level=level, **values))
    return sentences


def _edges(result: LearnResult, cuts: Cuts) -> list[EdgeData]:
    """Return each pair with the steps at which it is present; its width is its information."""
    extra = result.extra
    low, high = extra.interval()
    top = max(float(np.nanmax(np.where(result.graph.skeleton, extra.information, 0.0))), 1e-12)
    untested = extra.untested
    return [
        {
            "id": k,
            "a": i,
            "b": j,
            "spans": [[0, k + 1, "undirected"]],
            "strength": min(1.0, math.sqrt(max(float(extra.information[i, j]), 0.0) / top)),
            "strength_text": Phrase(
                limited_clause(result.strengths.label, extra.information[i, j], low[i, j], high[i, j])
            ),
            "untested": bool(untested[i, j]),
        }
        for k, (i, j) in enumerate(cuts.pairs.tolist())
    ]


def _errors(cuts: Cuts, truth: PDAG) -> list[int]:
    """Return the number of wrong and missing edges of the skeleton at each step."""
    right = truth.skeleton[cuts.pairs[:, 0], cuts.pairs[:, 1]]
    wrong_first = int((~right).sum()) + truth.n_edges - int(right.sum())
    return np.concatenate([[wrong_first], wrong_first + np.cumsum(np.where(right, 1, -1))]).tolist()
