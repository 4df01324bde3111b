"""ROC and retrieval curves of several runs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from learners.evaluation.curves import Retrieval, Roc

from ..figures import COLOURS, plain

DASHES = ("solid", "dash", "dot", "dashdot")
MAX_POINTS = 1_000
SHOWN_FPR = 0.2  # upper end of the axis at first; beyond it most edges of a skeleton are wrong


def roc_figure(curves: Mapping[str, Roc]) -> go.Figure:
    """Plot the ROC curve of the skeletons that each run's ranking of the pairs gives."""
    figure = _figure({label: (curve.fpr, curve.tpr) for label, curve in curves.items()})
    figure.update_xaxes(title="false positive rate", range=[0, SHOWN_FPR])
    figure.update_yaxes(title="true positive rate", range=[-0.03, 1.05])
    return figure


def retrieval_figure(curves: Mapping[str, Retrieval]) -> go.Figure:
    """Plot the share of correctly directed edges against the number of edges retrieved, both relative to the truth."""
    figure = _figure({label: (curve.retrieved, curve.tpr) for label, curve in curves.items()})
    figure.add_scatter(
        x=[0, 1, 2], y=[0, 1, 1], mode="lines", line={"color": "#999999", "dash": "dot"}, name="perfect",
        hoverinfo="skip",
    )  # fmt: skip
    figure.update_xaxes(title="retrieved edges ÷ true edges", range=[0, 2])
    figure.update_yaxes(title="correct edges ÷ true edges", range=[-0.03, 1.05])
    return figure


def _figure(lines: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> go.Figure:
    figure = go.Figure()
    for k, (label, (x, y)) in enumerate(lines.items()):
        keep = np.unique(np.linspace(0, len(x) - 1, min(len(x), MAX_POINTS)).astype(int))
        figure.add_scatter(
            x=x[keep],
            y=y[keep],
            mode="lines+markers" if len(keep) < 3 else "lines",
            name=plain(label, 40),
            line={"color": COLOURS[k % len(COLOURS)], "dash": DASHES[k % len(DASHES)], "width": 2.5},
            hovertemplate="%{x:.3g}, %{y:.3g}<extra>%{fullData.name}</extra>",
        )
    figure.update_layout(
        height=340, margin={"l": 10, "r": 20, "t": 20, "b": 10}, legend={"orientation": "h", "y": 1.15}
    )
    return figure
