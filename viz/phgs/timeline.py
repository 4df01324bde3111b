"""The slider over a run of PATH or pHGS: its solutions, or every level of alpha."""

from __future__ import annotations

import math

import numpy as np

from learners.common.sentences import phrase
from learners.families.phgs.alpha_steps import AlphaSteps, path_of
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.results.step_graphs import AGAINST, ALONG

from ..graph_data import SHD, EdgeData, GraphViewData, PointMark, Series, ThresholdLine, merged, nodes, outside, runs
from ..legend import line_texts
from ..text import LN10, format_p, format_set
from ..weak_evidence import with_doubts
from .words import Solutions, alpha_sentences, score_name, solution_sentences

MAX_EDGES = 8_000  # maximum number of drawn pairs; the strongest are kept
DIGITS = 6  # decimals of a logarithm
BELOW = 1.1  # lower end of the alpha line, as a multiple of log10 of the smallest Φ


def solution_timeline(
    result: LearnResult,
    steps: AlphaSteps,
    solutions: Solutions,
    positions: np.ndarray,
    *,
    truth: PDAG | None = None,
) -> GraphViewData:
    """Return the data of the graph component: one step per solution with its score, counted from 1 as in the paper.

    Parameters
    ----------
    result : LearnResult
        Result with a solution path.
    steps : AlphaSteps
        The `solution_steps` of the result.
    solutions : Solutions
    positions : (p, 2) float array
        In [0, 1].
    truth : PDAG, optional
        CPDAG of the true graph; adds the distance of each step from it.
    """
    path = path_of(result).path
    series: list[Series] = [
        {
            "label": phrase(score_name(result)),
            "values": [round(float(score), 1) if math.isfinite(score) else None for score in path.scores],
            "marks": marks_of(result),
        },
        *_counts(steps, truth),
    ]
    data = _drawn(result, steps, solutions, positions)
    data["steps"] |= {"offset": 1, "text": solution_sentences(result, solutions), "series": series}
    return data


def alpha_timeline(
    result: LearnResult,
    steps: AlphaSteps,
    solutions: Solutions,
    positions: np.ndarray,
    *,
    truth: PDAG | None = None,
) -> GraphViewData:
    """Return the data of the graph component for `alpha_steps`: a step for each Φ, and a line to drag for the level."""
    path = path_of(result).path
    top = math.log10(result.params["alpha"])
    ceilings = [top, *(steps.log_alphas[:-1] / LN10).tolist()]
    marks: list[PointMark | None] = [None] * len(steps)
    for log_alpha, mark in zip(path.log_alphas.tolist(), marks_of(result), strict=True):
        step = steps.step_of(log_alpha)
        marks[step] = mark if marks[step] is None or "star" in mark else marks[step]
    series: list[Series] = [
        {
            "label": phrase("alpha below"),
            "values": [round(value, DIGITS) for value in ceilings],
            "log_p": True,
            "marks": marks,
        },
        *_counts(steps, truth),
    ]
    low = round(BELOW * min(ceilings), DIGITS)
    line: ThresholdLine = {
        "label": "α",
        "name": phrase("significance level alpha"),
        "series": 0,
        "first": 0,
        "last": len(steps) - 1,
        "value": round(max(float(path.log_alphas[path.choice]) / LN10, low), DIGITS),
        "low": low,
        "high": round(top, DIGITS),
        "falling": True,
        "follows": True,
    }
    data = _drawn(result, steps, solutions, positions)
    events = sorted({0, *(step for step, mark in enumerate(marks) if mark), len(steps) - 1})
    data["steps"] |= {
        "text": alpha_sentences(result, steps),
        "series": series,
        "events": events,
        "threshold": line if len(steps) > 1 else None,
    }
    return data


def marks_of(result: LearnResult) -> list[PointMark]:
    """Return the mark of each solution: a star for the chosen one, hollow where no DAG fits."""
    path = path_of(result).path
    return [
        ("star" if step == path.choice else "dot") if valid else ("hollow star" if step == path.choice else "hollow")
        for step, valid in enumerate(path.valid.tolist())
    ]


def shd_by_step(steps: AlphaSteps, truth: PDAG) -> list[int | None]:
    """Return the structural Hamming distance of each step whose CPDAG was computed."""
    i, j = steps.graphs.pairs.T
    true = (ALONG * truth.amat[i, j] + AGAINST * truth.amat[j, i]).astype(np.uint8)
    never = truth.n_edges - int((true > 0).sum())
    return [
        int(((steps.codes(step) & (ALONG | AGAINST)) != true).sum()) + never if steps.graphs.knows(step) else None
        for step in range(len(steps))
    ]


def _drawn(result: LearnResult, steps: AlphaSteps, solutions: Solutions, positions: np.ndarray) -> GraphViewData:
    data: GraphViewData = {
        "nodes": nodes(result.names, positions),
        "edges": _edges(result, steps),
        "steps": {
            "count": len(steps),
            "offset": 0,
            "axis_label": phrase("step"),
            "curve": 0,
            "choice": steps.choice,
            "choice_label": phrase(solutions.choice),
            "blind": outside(steps.graphs.first, steps.graphs.first + len(steps.graphs.codes), len(steps)),
        },
        **line_texts(result),
        "file_name": "edgewise",
    }
    return with_doubts(data, result)


def _edges(result: LearnResult, steps: AlphaSteps) -> list[EdgeData]:
    evidence = path_of(result)
    finite = steps.log_phi[np.isfinite(steps.log_phi)]
    strongest = min(finite.min(initial=0.0), -1e-12)
    order = np.argsort(np.nan_to_num(steps.log_phi, nan=-np.inf), kind="stable")[:MAX_EDGES]
    edges: list[EdgeData] = []
    for m in np.sort(order).tolist():
        i, j = steps.graphs.pairs[m].tolist()
        edge: EdgeData = {"id": m, "a": i, "b": j, "spans": _spans(steps, m)}
        log_phi = float(steps.log_phi[m])
        if math.isnan(log_phi):
            edge["required"] = True
        else:
            given = format_set(evidence.hardest.between(i, j) or (), result.names)
            edge["strength"] = 1.0 if log_phi == -math.inf else math.sqrt(log_phi / strongest)
            edge["strength_text"] = phrase("largest p {p}, given {set}", p=format_p(log_phi), set=given)
        if edge["spans"]:
            edges.append(edge)
    return edges


def _spans(steps: AlphaSteps, m: int) -> list[list]:
    """Return ``[from, to, mark]`` of a pair; undirected where the CPDAG was not computed."""
    graphs, end, log_phi = steps.graphs, len(steps), steps.log_phi[m]
    first, beyond = graphs.first, graphs.first + len(graphs.codes)
    leaves = end if math.isnan(log_phi) else int((steps.log_alphas >= log_phi).sum())
    own = [[0, min(first, leaves), "undirected"], *runs(graphs.codes[:, m], first), [beyond, leaves, "undirected"]]
    return merged(own, end)


def _counts(steps: AlphaSteps, truth: PDAG | None) -> list[Series]:
    series: list[Series] = [
        {"label": phrase("edges"), "values": [int((steps.codes(step) > 0).sum()) for step in range(len(steps))]}
    ]
    if truth is not None:
        series.append({"label": SHD, "values": shd_by_step(steps, truth)})
    return series
