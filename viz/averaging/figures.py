"""Charts of probabilities: the matrix of pairs, the bar of one pair, and the number of classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ..figures import BLUE, ORANGE, axis_labels, plain
from ..pair_map import STRONG, MapCells, colour_bar, pair_map
from ..text import count, format_probability, format_share, with_relation
from .features import Feature
from .words import kind_words

GREY = "#999999"
SKY = "#56B4E9"
# Colour and pattern of each kind of edge; the pattern distinguishes them without colour.
KINDS = {"->": (BLUE, ""), "<-": (ORANGE, "/"), "-": (SKY, "x"), "none": ("#bbbbbb", ".")}
ROOM_FOR_NUMBER = 0.08  # minimum share of the bar with a printed number


def feature_matrix(
    feature: Feature, values: np.ndarray, names: Sequence[str], number: str = "P"
) -> tuple[go.Figure, str]:
    """Draw a heat map of a feature's probabilities with clickable cells; return the figure and a text.

    Parameters
    ----------
    feature : Feature
    values : (p, p) float64 array
    names : sequence of str
    number : str
        Name of the values, for the colour bar.
    """
    labels = axis_labels(names)
    i, j = np.nonzero(values > 0.0)
    words = [
        f"{feature.words.format(x=labels[a], y=labels[b])}<br>{number} {with_relation(format_probability(value))}"
        for a, b, value in zip(i.tolist(), j.tolist(), values[i, j].tolist(), strict=True)
    ]
    figure = pair_map(
        MapCells(i, j, values[i, j], words), labels, range(len(labels)), range(len(labels)), zmin=0.0, zmax=1.0,
        colorscale=[[0.0, "#c6dbef"], [1.0, STRONG]],
        colorbar=colour_bar(number),
    )  # fmt: skip
    figure.update_yaxes(title="x")
    figure.update_xaxes(title="y")
    some = int((np.triu(values, 1) > 0.0).sum() if feature.symmetric else (values > 0.0).sum())
    return figure, f"Matrix of P({feature.words.format(x='x', y='y')}): {count(some, 'pair')} above 0"


def pair_bar(shares: dict[str, float], x: str, y: str) -> tuple[go.Figure, str]:
    """Draw the probabilities of all marks of one pair as a stacked bar; return the figure and a text."""
    figure = go.Figure()
    for kind, value in shares.items():
        hue, pattern = KINDS[kind]
        words = plain(kind_words(kind, x, y), 60)
        figure.add_bar(
            x=[value], y=[""], orientation="h", name=words, marker={"color": hue, "line": {"color": GREY, "width": 1}},
            marker_pattern_shape=pattern, hovertemplate=f"{words}: {format_probability(value)}<extra></extra>",
        )  # fmt: skip
    before = np.cumsum([0.0, *shares.values()])
    for begin, value in zip(before, shares.values(), strict=False):
        if value >= ROOM_FOR_NUMBER:
            figure.add_annotation(
                x=begin + value / 2, y="", text=format_share(value), showarrow=False, bgcolor="#ffffff", borderpad=2,
                font={"color": "#000000", "size": 12},
            )  # fmt: skip
    figure.update_xaxes(range=[0, 1], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(showticklabels=False)
    figure.update_layout(
        barmode="stack", height=150, margin={"l": 10, "r": 14, "t": 10, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
    )  # fmt: skip
    parts = [f"{kind_words(kind, x, y)} {format_probability(value)}" for kind, value in shares.items()]
    return figure, "; ".join(parts)


def classes_figure(sizes: Sequence[int], counts: Sequence[int], cap: int) -> tuple[go.Figure, str]:
    """Draw the number of classes in trees learned from increasing numbers of rows; return the figure and a text."""
    figure = go.Figure(
        go.Scatter(
            x=list(sizes), y=list(counts), mode="lines+markers+text", line={"color": BLUE, "width": 2.5},
            text=[f"{n:,}{'+' if n >= cap else ''}" for n in counts], textposition="top center", cliponaxis=False,
            hovertemplate="%{x:,} rows: %{text} classes<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(title="rows", type="log", tickvals=list(sizes), ticktext=[f"{n:,}" for n in sizes])
    figure.update_yaxes(title="different CPDAGs in the tree", type="log", dtick=1)
    figure.update_layout(height=300, margin={"l": 10, "r": 20, "t": 30, "b": 10})
    text = ", ".join(
        f"{size:,} rows: {n:,}{' or more' if n >= cap else ''}" for size, n in zip(sizes, counts, strict=True)
    )
    return figure, f"Different CPDAGs in the tree, {text}"
