"""The slider over a run of LMM: forward selection, then backward elimination down to the empty graph.

Step s shows the graph after the first s moves. A change of a node's awareness of a neighbour is a move too, so each
change of a dot is a step with its own sentence.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from learners.common.sentences import Phrase, phrase, say
from learners.families.lmm.ranking import EdgeRanking, Moves
from learners.families.lmm.step_graphs import changes_skeleton, conflicts_of
from learners.families.lmm.words import format_support, move_sentences, ranks
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.results.step_graphs import AGAINST, ALONG, StepGraphs

from ..graph_data import SHD, EdgeData, GraphViewData, Series, ThresholdLine, merged, nodes, outside, runs
from ..legend import line_texts
from ..weak_evidence import with_doubts

View = Literal["skeleton", "cpdag"]
MAX_EDGES = 8_000  # maximum number of drawn pairs; the highest ranked are kept
MIN_CPPD, MAX_CPPD = 1e-6, 0.999999  # limits of the threshold


def lmm_timeline(
    result: LearnResult, positions: np.ndarray, *, graphs: StepGraphs | None = None, truth: PDAG | None = None
) -> GraphViewData:
    """Return the data of the graph component for a run of LMM.

    Parameters
    ----------
    result : LearnResult
    positions : (p, 2) float array
        In [0, 1].
    graphs : StepGraphs, optional
        The CPDAGs to draw. Default: the skeleton of each step, with the dots of awareness; the choice has the
        directions of the result, too.
    truth : PDAG, optional
        CPDAG of the true graph; adds the distance of each step from it.

    Returns
    -------
    GraphViewData
    """
    ranking: EdgeRanking = result.extra
    moves, last = ranking.moves, len(ranking.moves)
    spans = _with_result(_skeleton_spans(moves), result) if graphs is None else _cpdag_spans(graphs, moves)
    known = (0, 0) if graphs is None else (graphs.first, graphs.first + len(graphs.codes))
    dropped = (np.flatnonzero(moves.what == Moves.DROPPED) + 1).tolist()
    data: GraphViewData = {
        "nodes": nodes(result.names, positions),
        "edges": _edges(ranking, spans),
        "steps": {
            "count": last + 1,
            "offset": 0,
            "axis_label": phrase("step"),
            "text": [Phrase(one, result.names) for one in move_sentences(result)],
            "series": _series(result, graphs, truth),
            "curve": 0,
            "choice": ranking.choice,
            "events": sorted({0, *dropped, moves.n_forward, ranking.choice, last}),
            "phases": [
                {"label": phrase("forward selection"), "from": 0},
                {"label": phrase("backward elimination"), "from": moves.n_forward},
            ],
            "threshold": _threshold(result),
            "blind": outside(*known, last + 1),
        },
        **line_texts(result),
        "file_name": "edgewise",
    }
    return with_doubts(data, result)


def _threshold(result: LearnResult) -> ThresholdLine:
    """Return the line of gamma: the step at which this elimination would stop for each threshold."""
    ranking: EdgeRanking = result.extra
    gamma, fewest = result.params["gamma"], result.params["min_size"]
    if ranking.tested:
        return _threshold_of_margins(ranking, gamma, fewest)
    return {
        "label": "γ",
        "name": phrase("threshold γ of the joint CPPD"),
        "series": 0,
        "first": ranking.moves.n_forward,
        "last": max(len(ranking.moves) - fewest, ranking.moves.n_forward),
        "value": min(max(ranking.threshold, MIN_CPPD), MAX_CPPD) if ranking.threshold > 0 else None,
        # Forward selection with a threshold stopped there, so weaker pairs were never added.
        "low": max(gamma, MIN_CPPD),
        "high": MAX_CPPD,
    }


def _threshold_of_margins(ranking: EdgeRanking, gamma: float, fewest: int) -> ThresholdLine | None:
    """Return the line of the margin for a run whose joint CPPD is not a probability."""
    moves = ranking.moves
    margins = ranking.margin(moves.key[_settled(moves)])
    if not len(margins):
        return None
    return {
        "label": phrase("margin"),
        "name": phrase("minimum margin"),
        "series": 0,
        "first": moves.n_forward,
        "last": max(len(moves) - fewest, moves.n_forward),
        "value": 0.0 if ranking.threshold > 0 else None,
        "low": 0.0 if gamma > 0 else min(float(margins.min()), 0.0),
        "high": max(float(margins.max()), 0.0),
    }


def _skeleton_spans(moves: Moves) -> dict[tuple[int, int], list[list]]:
    """Return per pair ``[from, to, "undirected", i aware, j aware]``; `to` is exclusive."""
    end, spans = len(moves) + 1, {}
    for step, (what, i, j) in enumerate(zip(moves.what.tolist(), moves.i.tolist(), moves.j.tolist(), strict=True), 1):
        aware = moves.aware[step - 1].tolist()
        pair, aware = ((i, j), aware) if i < j else ((j, i), aware[::-1])
        own = spans.setdefault(pair, [])
        if own and own[-1][1] == end:
            own[-1][1] = step
        if what not in (Moves.DROPPED, Moves.ELIMINATED):
            own.append([step, end, "undirected", *aware])
    return spans


def _with_result(spans: dict[tuple[int, int], list[list]], result: LearnResult) -> dict[tuple[int, int], list[list]]:
    """Return the spans with the marks of the result at the choice, which keeps its dots."""
    choice, conflicts = result.extra.choice, conflicts_of(result)
    found: dict[tuple[int, int], list[list]] = {}
    for pair, own in spans.items():
        mark = "conflict" if pair in conflicts else result.graph.mark(*pair)
        found[pair] = []
        for begin, end, plain, *aware in own:
            parts = (begin, min(end, choice), plain), (max(begin, choice), min(end, choice + 1), mark)
            parts = (*parts, (max(begin, choice + 1), end, plain))
            found[pair] += [[a, b, one, *aware] for a, b, one in parts if a < b]
    return found


def _cpdag_spans(graphs: StepGraphs, moves: Moves) -> dict[tuple[int, int], list[list]]:
    """Return per pair ``[from, to, mark]`` as in `graphs`; undirected at steps without a computed CPDAG."""
    first, beyond, end = graphs.first, graphs.first + len(graphs.codes), len(moves) + 1
    plain = _skeleton_spans(moves)
    spans = {}
    for k, pair in enumerate(map(tuple, graphs.pairs.tolist())):
        outside = [[a, b, "undirected"] for a, b, *_ in plain[pair]]
        own = [[a, min(b, first), mark] for a, b, mark in outside if a < first]
        own += runs(graphs.codes[:, k], first)
        own += [[max(a, beyond), b, mark] for a, b, mark in outside if b > beyond]
        spans[pair] = merged(own, end)
    return spans


def _edges(ranking: EdgeRanking, spans: dict[tuple[int, int], list[list]]) -> list[EdgeData]:
    rank_of, n = ranks(ranking), len(ranking.ranked)
    key_of = dict(zip(rank_of, ranking.moves.key[ranking.ranked].tolist(), strict=True))
    required = set(_required(ranking.moves))
    pairs = sorted(spans, key=lambda pair: rank_of.get(pair, 0 if pair in required else math.inf))[:MAX_EDGES]
    edges: list[EdgeData] = []
    for k, (i, j) in enumerate(sorted(pairs)):
        edge: EdgeData = {"id": k, "a": i, "b": j, "spans": spans[i, j]}
        rank = rank_of.get((i, j))
        if rank is not None:
            edge["strength"] = 1 - (rank - 1) / n
            edge["strength_text"] = phrase(
                "rank {rank} of {n}, {number} {value}",
                rank=rank,
                n=n,
                number=say(ranking.value_name),
                value=format_support(ranking, key_of[i, j]),
            )
        if (i, j) in required:
            edge["required"] = True
        edges.append(edge)
    return edges


def _required(moves: Moves) -> list[tuple[int, int]]:
    given = np.flatnonzero((moves.what == Moves.ADDED) & (moves.iteration == 0))
    return list(zip(moves.i[given].tolist(), moves.j[given].tolist(), strict=True))


def _series(result: LearnResult, graphs: StepGraphs | None, truth: PDAG | None) -> list[Series]:
    moves: Moves = result.extra.moves
    ranking: EdgeRanking = result.extra
    settled, values = _settled(moves), ranking.margin(moves.key) if ranking.tested else moves.joint
    joint = [value if known else None for value, known in zip(values.tolist(), settled.tolist(), strict=True)]
    gained = np.where(moves.what == Moves.ADDED, 1, -1) * changes_skeleton(moves)
    series: list[Series] = [
        {"label": phrase(ranking.value_name), "values": [None, *joint]}
        | ({} if ranking.tested else {"probability": True}),
        {"label": phrase("edges"), "values": [0, *np.cumsum(gained).tolist()]},
        {"label": phrase("false discovery rate"), "values": _false_shares(ranking), "probability": True},
    ]
    if truth is None:
        return series
    if graphs is None:
        return [*series, {"label": phrase("wrong edges"), "values": _wrong_edges(moves, truth)}]
    return [*series, {"label": SHD, "values": _shd(graphs, len(moves), truth)}]


def _false_shares(ranking: EdgeRanking) -> list[float | None]:
    """Return the expected share of false edges at each step; None before backward elimination and without edges."""
    return [None if np.isnan(share) else share for share in [*ranking.false_shares.tolist(), math.nan]]


def _settled(moves: Moves) -> np.ndarray:
    """Return (m,) bool: True for the moves at which their pair has a value."""
    return (moves.what == Moves.ADDED) & (moves.iteration > 0) | (moves.what == Moves.ELIMINATED)


def _wrong_edges(moves: Moves, truth: PDAG) -> list[int]:
    """Return the number of edges to add or remove to reach the true skeleton."""
    true = truth.skeleton[moves.i, moves.j]
    better = np.where(true == (moves.what == Moves.ADDED), -1, 1) * changes_skeleton(moves)
    return [truth.n_edges, *(truth.n_edges + np.cumsum(better)).tolist()]


def _shd(graphs: StepGraphs, last: int, truth: PDAG) -> list[int | None]:
    """Return the structural Hamming distance of each step; None where the CPDAG is unknown."""
    i, j = graphs.pairs.T
    true = (ALONG * truth.amat[i, j] + AGAINST * truth.amat[j, i]).astype(np.uint8)
    never = truth.n_edges - int((true > 0).sum())
    distance = ((graphs.codes & (ALONG | AGAINST)) != true).sum(axis=1) + never
    after = last - graphs.first - len(graphs.codes) + 1
    return [None] * graphs.first + distance.tolist() + [None] * after


def wider_graph(result: LearnResult, surplus: int) -> PDAG:
    """Return the graph of the result with the last `surplus` removed edges as undirected edges, for the layout."""
    ranking: EdgeRanking = result.extra
    gone = np.flatnonzero(ranking.moves.what[: ranking.choice] == Moves.ELIMINATED)[-surplus:]
    amat = result.graph.amat.copy()
    i, j = ranking.moves.i[gone], ranking.moves.j[gone]
    amat[i, j] = amat[j, i] = True
    return PDAG(amat)


def interval_of(result: LearnResult, x: int, y: int) -> tuple[int, int]:
    """Return the steps ``first <= step < last`` at which x and y are adjacent for the last time."""
    spans = _skeleton_spans(result.extra.moves).get((min(x, y), max(x, y)))
    end = len(result.extra.moves) + 1
    if not spans:
        return end, end
    first, last = spans[-1][:2]
    for begin, stop, *_ in reversed(spans):
        first = begin if stop == first else first  # adjoining spans differ only in their dots
    return first, last
