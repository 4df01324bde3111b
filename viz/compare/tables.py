"""Tables of the edges and of the accuracy of several graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from learners.evaluation.comparison import quality
from learners.graphs.graph import PDAG

from ..text import ARROWS

EQUAL, DIFFERENT = "equal", "different"


def edge_by_edge(graphs: Mapping[str, PDAG], names: Sequence[str], truth: PDAG | None = None) -> pd.DataFrame:
    """Return one row for each pair that is adjacent in some graph; pairs on which the graphs differ come first.

    Columns: x, y, the mark in each graph, "truth" if it is known, "in" (number of graphs with the edge), "verdict", and
    the indices of the nodes as ``i`` and ``j``.
    """
    known = {"truth": truth} if truth is not None else {}
    either = np.any([graph.skeleton for graph in (*graphs.values(), *known.values())], axis=0)
    rows = []
    for i, j in np.argwhere(np.triu(either)).tolist():
        marks = {label: mark_between(graph, i, j) for label, graph in (graphs | known).items()}
        own = [marks[label] for label in graphs]
        rows.append(
            {
                "x": names[i],
                "y": names[j],
                **marks,
                "in": sum(map(bool, own)),
                "verdict": EQUAL if len(set(own)) == 1 else DIFFERENT,
                "i": i,
                "j": j,
            }
        )
    columns = ["x", "y", *graphs, *known, "in", "verdict", "i", "j"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values(
        ["verdict", "in"], key=lambda column: column == EQUAL if column.name == "verdict" else -column,
        kind="stable", ignore_index=True,
    )  # fmt: skip


def mark_between(graph: PDAG, i: int, j: int) -> str:
    """Return the sign of the edge from i to j, or ""."""
    return ARROWS[graph.mark(i, j)] if graph.skeleton[i, j] else ""


def quality_rows(graphs: Mapping[str, PDAG], truth: PDAG) -> pd.DataFrame:
    """Return precision, recall, distance from a perfect result, SHD and Jaccard index of each graph."""
    rows = {label: quality(graph, truth) for label, graph in graphs.items()}
    return pd.DataFrame(
        {
            "precision": {label: one.precision for label, one in rows.items()},
            "recall": {label: one.recall for label, one in rows.items()},
            "distance from perfect": {label: one.distance for label, one in rows.items()},
            "SHD": {label: one.shd for label, one in rows.items()},
            "Jaccard": {label: one.jaccard for label, one in rows.items()},
        },
        index=list(graphs),
    )
