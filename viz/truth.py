"""A run, step by step, held against the truth: what the picture has to know of each pair, once."""

from __future__ import annotations

from learners.graphs.graph import PDAG

from .graph_view.contract import Edge, GraphViewData


def held_against(data: GraphViewData, truth: PDAG) -> GraphViewData:
    """The same picture with the true edge of each pair, and with the true edges that no step draws.

    Parameters
    ----------
    data : GraphViewData
        Its nodes are positions in `truth`.
    truth : PDAG
        The true CPDAG.
    """
    left = {(i, j) if i < j else (j, i) for i, j in truth.edges()}
    edges: list[Edge] = []
    for edge in data["edges"]:
        left.discard((min(edge["a"], edge["b"]), max(edge["a"], edge["b"])))
        edges.append(edge | {"truth": truth.mark(edge["a"], edge["b"])})
    edges += [{"id": f"true {i} {j}", "a": i, "b": j, "spans": [], "truth": truth.mark(i, j)} for i, j in sorted(left)]
    return data | {"edges": edges, "truth": True}
