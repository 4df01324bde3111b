"""Support of edge directions, as marks of the graph component."""

from __future__ import annotations

from learners.explaining.support import direction_of, support_reason
from learners.results.directions import Support
from learners.results.result import LearnResult

from .graph_data import Edge, GraphViewData


def direction_word(result: LearnResult, i: int, j: int, mark: str) -> str:
    """Return the support of the direction of an edge that is drawn with `mark`, for a table."""
    direction = direction_of(result, i, j, mark)
    return "" if direction is None else direction.support.value


def doubtful(result: LearnResult, i: int, j: int) -> bool:
    """Return True if the arrow i -> j of the result is drawn as uncertain."""
    direction = result.directions.get((i, j))
    return direction is not None and direction.support.is_doubtful


def with_doubts(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Mark the arrows whose direction is uncertain."""
    return data | {"edges": [_marked(edge, result) for edge in data["edges"]]}


def _marked(edge: Edge, result: LearnResult) -> Edge:
    mark = result.graph.mark(edge["a"], edge["b"])
    direction = direction_of(result, edge["a"], edge["b"], mark)
    if direction is None or not direction.support.is_doubtful:
        return edge
    lead = "direction weakly supported" if direction.support is Support.WEAK else "direction disputed"
    return edge | {"doubt": mark, "doubt_text": f"{lead}: {support_reason(direction).text(result.names)}"}
