"""A run as something to drag through, and the part of it around one variable."""

from __future__ import annotations

import math

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .directions import with_doubts
from .few_rows import told_in_steps
from .graph_view.contract import GraphViewData
from .kinds import kind_of


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Data of the graph component for one run, as its kind tells it; parameters as for `replay`."""
    data = kind_of(result).timeline(result, positions, truth=truth)
    return told_in_steps(with_doubts(data, result), result)


def focus(data: GraphViewData, keep: set[int]) -> GraphViewData:
    """The same picture with only the nodes `keep` and the edges between them."""
    return data | {
        "nodes": [node for node in data["nodes"] if node["id"] in keep],
        "edges": [edge for edge in data["edges"] if edge["a"] in keep and edge["b"] in keep],
    }


def nearest(result: LearnResult, centre: int, hops: int) -> list[int]:
    """Nodes at most `hops` edges from `centre`, the nearest first and of equally near ones the strongest linked."""
    sign = -1.0 if result.strengths.larger_is_stronger else 1.0
    reached, frontier = {centre: None}, [centre]
    for _ in range(hops):
        rank: dict[int, float] = {}
        for node in frontier:
            for k in result.graph.adjacent(node):
                value = float(result.strengths.values[node, k])
                if k not in reached:
                    rank[k] = min(rank.get(k, math.inf), math.inf if math.isnan(value) else sign * value)
        frontier = sorted(rank, key=lambda k: (rank[k], k))
        reached |= dict.fromkeys(frontier)
    return list(reached)
