"""Two graphs laid over one another, and what several agree on, for the graph component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.evaluation.comparison import Consensus, differences
from learners.graphs.graph import PDAG

from ..graph_data import Edge, GraphViewData, nodes
from ..text import count

MOST_DRAWN = 8_000


def difference_view(
    a: PDAG, b: PDAG, names: Sequence[str], positions: np.ndarray, called: tuple[str, str] = ("A", "B")
) -> GraphViewData:
    """Every edge of A or B, marked by whose it is; where both have it, with A's mark.

    Parameters
    ----------
    a, b : PDAG
        Over the same variables.
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    """
    told = differences(a, b)
    first, second = called
    edges = [
        {"id": k, "a": i, "b": j, "diff": kind, "spans": [[0, 1, (b if kind == "only_b" else a).mark(i, j)]]}
        for k, ((i, j), kind) in enumerate(list(told.items())[:MOST_DRAWN])
    ]
    kinds = list(told.values())
    return {
        "nodes": nodes(names, positions),
        "edges": edges,
        "steps": {
            "count": 1,
            "text": [
                f"{kinds.count('both'):,} alike, {kinds.count('only_a'):,} only in {first}, "
                f"{kinds.count('only_b'):,} only in {second}, "
                f"{kinds.count('direction_differs'):,} with another direction"
            ],
        },
        "file_name": "edgewise_difference",
    }


def consensus_view(agreed: Consensus, n_graphs: int, names: Sequence[str], positions: np.ndarray) -> GraphViewData:
    """The pairs joined in at least k of the graphs, k from 1 to all on the slider; opacity is the share."""
    marks = agreed.graph(0.0)
    joined = np.rint(agreed.joined * n_graphs).astype(int)
    pairs = np.argwhere(np.triu(joined > 0))
    if len(pairs) > MOST_DRAWN:
        keep = np.argsort(-joined[pairs[:, 0], pairs[:, 1]], kind="stable")[:MOST_DRAWN]
        pairs = pairs[np.sort(keep)]
    sizes = [int(np.triu(joined >= k).sum()) for k in range(1, n_graphs + 1)]
    return {
        "nodes": nodes(names, positions),
        "edges": [
            {
                "id": k,
                "a": i,
                "b": j,
                "opacity": float(agreed.joined[i, j]),
                "strength": float(agreed.joined[i, j]),
                "strength_text": f"in {joined[i, j]} of {n_graphs} graphs",
                "spans": [[0, int(joined[i, j]), marks.mark(i, j)]],
            }
            for k, (i, j) in enumerate(pairs.tolist())
        ],
        "steps": {
            "count": n_graphs,
            "offset": 1,
            "axis_label": "in at least",
            "text": [f"joined in at least {k} of {n_graphs}: {count(n, 'edge')}" for k, n in enumerate(sizes, 1)],
            "series": [{"label": "edges", "values": sizes}],
            "curve": 0,
            "choice": n_graphs // 2,  # more than half
        },
        "file_name": "edgewise_consensus",
    }


def with_truth(data: GraphViewData, truth: PDAG) -> GraphViewData:
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
