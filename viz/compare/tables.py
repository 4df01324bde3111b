"""The edges of several graphs, and how good each graph is, in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from learners.evaluation.comparison import quality
from learners.graphs.graph import PDAG

from ..text import ARROWS

ALIKE, UNLIKE = "alike", "differs"


def edge_by_edge(graphs: Mapping[str, PDAG], names: Sequence[str], truth: PDAG | None = None) -> pd.DataFrame:
    """A row for each pair that some graph joins, those on which the graphs differ first.

    Columns: x, y, one a graph with the mark it has, "in" (how many join it), "verdict", "truth" where one is known;
    the nodes' positions as ``i`` and ``j``.
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
                "verdict": ALIKE if len(set(own)) == 1 else UNLIKE,
                "i": i,
                "j": j,
            }
        )
    columns = ["x", "y", *graphs, *known, "in", "verdict", "i", "j"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values(
        ["verdict", "in"], key=lambda column: column == ALIKE if column.name == "verdict" else -column,
        kind="stable", ignore_index=True,
    )  # fmt: skip


def mark_between(graph: PDAG, i: int, j: int) -> str:
    """The edge from i to j as a sign; empty if there is none."""
    return ARROWS[graph.mark(i, j)] if graph.skeleton[i, j] else ""


def quality_rows(graphs: Mapping[str, PDAG], truth: PDAG) -> pd.DataFrame:
    """Precision, recall, distance from perfect, SHD and Jaccard index of each graph."""
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
