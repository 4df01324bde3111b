"""The adjacency matrix of a graph as a heat map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from learners.explaining.support import is_determined
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .figures import axis_labels, plain
from .pair_map import MAX_HOVERS, STRONG, WEAK, MapCells, add_borders, add_cross, colour_bar, pair_map
from .text import ARROWS, strength_clause


def matrix(
    result: LearnResult,
    graph: PDAG,
    order: Sequence[int] | None = None,
    groups: np.ndarray | None = None,
    found: int | None = None,
) -> go.Figure:
    """Plot the adjacency matrix: strength of the edge from the row variable to the column variable, or undirected.

    Parameters
    ----------
    result : LearnResult
    graph : PDAG
    order : sequence of int, optional
        Order of the variables. Default: the order of the table.
    groups : (p,) int array, optional
        Cluster of each variable; lines separate the clusters.
    found : int, optional
        Index of the variable whose row and column are highlighted.
    """
    labels = axis_labels(result.names)
    order = np.arange(graph.p) if order is None else np.asarray(order)
    figure = pair_map(
        _cells(result, graph, labels),
        labels,
        order,
        order,
        colorscale=[[0.0, WEAK], [1.0, STRONG]],
        reversescale=not result.strengths.larger_is_stronger,
        colorbar=colour_bar(result.strengths.label),
    )
    figure.update_yaxes(title="from")
    figure.update_xaxes(title="to")
    if groups is not None:
        add_borders(figure, groups[order], groups[order])
    if found is not None:
        place = int(np.flatnonzero(order == found)[0])
        add_cross(figure, labels[found], place, place)
    # Keep the zoom while the slider moves.
    figure.update_layout(uirevision=f"{order.tolist()} {found}")
    return figure


def _cells(result: LearnResult, graph: PDAG, labels: Sequence[str]) -> MapCells:
    strengths = result.strengths
    amat, fixed = graph.amat.copy(), set()
    for a, b in graph.edges():
        # If one of two variables determines the other, the edge has no direction, so both cells are filled.
        if is_determined(result, a, b):
            amat[a, b] = amat[b, a] = True
            fixed |= {(a, b), (b, a)}
    i, j = np.nonzero(amat)
    values = np.where(np.isfinite(strengths.values[i, j]), strengths.values[i, j], strengths.values[j, i])
    judged = values[np.isfinite(values)]
    # Edges without a finite strength (p underflows, or required and never tested) get the strongest colour.
    strongest = judged.max(initial=0.0) if strengths.larger_is_stronger else judged.min(initial=0.0)
    words = [
        f"{labels[a]} {'=' if (a, b) in fixed else ARROWS[graph.mark(a, b)]} {labels[b]}"
        f"<br>{plain(strength_clause(strengths.label, value).text(()), 60)}"
        for a, b, value in zip(i[:MAX_HOVERS].tolist(), j[:MAX_HOVERS].tolist(), values.tolist(), strict=False)
    ]
    return MapCells(i, j, np.where(np.isfinite(values), values, strongest), words)
