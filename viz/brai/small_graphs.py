"""Small pictures of graphs, each compared with a reference graph."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.evaluation.comparison import differences
from learners.graphs.graph import PDAG

from ..figures import BLUE, ORANGE, plain

GREY = "#8c8c8c"
# Colour, dash and words of each kind of edge in comparison with the reference graph.
KINDS = {
    "both": (GREY, "solid", "as in the best graph"),
    "only_b": (ORANGE, "solid", "only here"),
    "only_a": (BLUE, "dot", "only in the best graph"),
    "direction_differs": ("#CC79A7", "dash", "other direction"),
}
MAX_LABELLED = 40  # maximum number of variables with a name
HEAD = 0.66  # position of the arrowhead along the edge, clear of both ends


def small_graphs(
    graphs: Sequence[PDAG],
    names: Sequence[str],
    positions: np.ndarray,
    reference: PDAG,
    titles: Sequence[str],
    *,
    columns: int = 4,
    height: int = 210,
    labelled: bool = False,
    marked: Sequence[int] = (),
) -> go.Figure:
    """Draw one panel per graph with the same layout; colours show the differences from the reference.

    Parameters
    ----------
    graphs : sequence of PDAG
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1], y downwards.
    reference : PDAG
    titles : sequence of str
        Title of each graph.
    columns : int
    height : int
        Height of a row in pixels.
    labelled : bool
        True if names are shown.
    marked : sequence of int
        Nodes drawn in orange.
    """
    columns = min(columns, len(graphs))
    rows = -(-len(graphs) // columns)
    figure = make_subplots(
        rows, columns, subplot_titles=list(titles), horizontal_spacing=0.02, vertical_spacing=28 / (height * rows)
    )
    x, y = positions[:, 0], 1.0 - positions[:, 1]
    shape = height / (680 / columns)
    hues = [ORANGE if k in marked else GREY for k in range(len(names))]
    seen: set[str] = set()
    for k, graph in enumerate(graphs):
        place = {"row": k // columns + 1, "col": k % columns + 1}
        for kind, (hue, dash, words) in KINDS.items():
            pairs = [pair for pair, other in differences(reference, graph).items() if other == kind]
            if not pairs:
                continue
            width = 1.0 if kind == "both" else 2.8
            figure.add_scatter(
                **_lines(pairs, x, y), mode="lines", line={"color": hue, "dash": dash, "width": width}, name=words,
                legendgroup=kind, showlegend=kind not in seen, hoverinfo="skip", **place,
            )  # fmt: skip
            seen.add(kind)
            drawn = graph if kind != "only_a" else reference
            heads = _heads([pair for pair in pairs if drawn.mark(*pair) != "undirected"], drawn, x, y, shape)
            marker = {"symbol": "triangle-up", "size": 8, "color": hue, "angle": heads.pop("angle")}
            figure.add_scatter(**heads, mode="markers", marker=marker, hoverinfo="skip", showlegend=False, **place)
        figure.add_scatter(
            x=x, y=y, mode="markers+text" if labelled and len(names) <= MAX_LABELLED else "markers",
            marker={"size": 9 if labelled else 6, "color": hues},
            text=[plain(name, 16) for name in names], textposition="top center", textfont={"size": 10},
            hovertemplate="%{text}<extra></extra>", showlegend=False, **place,
        )  # fmt: skip
    figure.update_xaxes(visible=False, range=[-0.08, 1.08])
    figure.update_yaxes(visible=False, range=[-0.08, 1.12])
    figure.update_annotations(font_size=12)
    legend = {"orientation": "h", "y": 0, "yanchor": "top", "x": 0}
    figure.update_layout(height=60 + height * rows, margin={"l": 5, "r": 5, "t": 26, "b": 10}, legend=legend)
    return figure


def _lines(pairs: Sequence[tuple[int, int]], x: np.ndarray, y: np.ndarray) -> dict[str, list]:
    across: list[float | None] = []
    down: list[float | None] = []
    for i, j in pairs:
        across += [float(x[i]), float(x[j]), None]
        down += [float(y[i]), float(y[j]), None]
    return {"x": across, "y": down}


def _heads(
    pairs: Sequence[tuple[int, int]], graph: PDAG, x: np.ndarray, y: np.ndarray, shape: float
) -> dict[str, list]:
    """Return positions and angles of the arrowheads; `shape` is height by width of a panel."""
    heads: dict[str, list] = {"x": [], "y": [], "angle": []}
    for pair in pairs:
        i, j = pair if graph.mark(*pair) == "forward" else pair[::-1]
        dx, dy = float(x[j] - x[i]), float(y[j] - y[i])
        heads["x"].append(float(x[i]) + HEAD * dx)
        heads["y"].append(float(y[i]) + HEAD * dy)
        heads["angle"].append(math.degrees(math.atan2(dx, dy * shape)))
    return heads
