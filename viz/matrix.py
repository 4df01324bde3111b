"""The adjacency matrix of a graph as a heat map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .figures import axis_labels, plain
from .pair_map import MOST_HOVERS, STRONG, WEAK, Cells, add_borders, add_cross, colour_bar, pair_map
from .text import format_strength


def matrix(
    result: LearnResult,
    graph: PDAG,
    order: Sequence[int] | None = None,
    groups: np.ndarray | None = None,
    found: int | None = None,
) -> go.Figure:
    """Adjacency matrix: strength where the row's variable points at, or is linked with, the column's.

    Parameters
    ----------
    result : LearnResult
    graph : PDAG
    order : sequence of int, optional
        The variables from the top and from the left. Default: as in the table.
    groups : (p,) int array, optional
        The cluster of each variable: lines part them.
    found : int, optional
        The variable whose row and column stand out.
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
    # What one has zoomed to stays while the graph is dragged through.
    figure.update_layout(uirevision=f"{order.tolist()} {found}")
    return figure


def _cells(result: LearnResult, graph: PDAG, labels: Sequence[str]) -> Cells:
    strengths = result.strengths
    i, j = np.nonzero(graph.amat)
    values = strengths.values[i, j]
    judged = values[np.isfinite(values)]
    # An edge too strong for a number, or required and never tested, is drawn as the strongest.
    strongest = judged.max(initial=0.0) if strengths.larger_is_stronger else judged.min(initial=0.0)
    words = [
        f"{labels[a]} {'—' if graph.amat[b, a] else '→'} {labels[b]}"
        f"<br>{plain(format_strength(strengths.label, value), 60)}"
        for a, b, value in zip(i[:MOST_HOVERS].tolist(), j[:MOST_HOVERS].tolist(), values.tolist(), strict=False)
    ]
    return Cells(i, j, np.where(np.isfinite(values), values, strongest), words)
