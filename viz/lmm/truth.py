"""A ranking compared with the true graph: ROC of the skeleton, and TPR and SHD of the CPDAGs at every size.

Mahdi and Mezey (2013), section 7.2 and appendix C.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from learners.common.wording import format_number, format_setting
from learners.evaluation.curves import partial_auroc, retrieval_of_graphs, roc
from learners.evaluation.metrics import skeleton_confusion
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.results.step_graphs import StepGraphs

from ..figures import BLUE, ORANGE

MAX_FPR = 0.035  # upper end of the partial ROC, figures 5 and 6
MAX_POINTS = 300  # maximum number of graphs on a curve


def roc_figure(result: LearnResult, truth: PDAG, shown: PDAG) -> tuple[go.Figure, str]:
    """Draw the ROC of the ranked pairs and mark the graph on screen; return the figure and a text.

    Parameters
    ----------
    result : LearnResult
        Result of `lmm`.
    truth, shown : PDAG
    """
    curve = roc(result.extra.pairs, truth)
    area = partial_auroc(curve, MAX_FPR)
    now = skeleton_confusion(shown, truth)
    absent = truth.p * (truth.p - 1) // 2 - truth.n_edges
    point = now.fp / max(absent, 1), now.tp / max(truth.n_edges, 1)
    figure = _curve(curve.fpr, curve.tpr, "false positives %{x:.3g}<br>true positives %{y:.3g}<extra></extra>")
    _mark(figure, *point)
    figure.update_xaxes(title="false positive rate", rangemode="tozero")
    figure.update_yaxes(title="true positive rate", range=[-0.03, 1.05])
    return figure, (
        f"ROC of the skeleton: partial auROC {area:.3f} of 1 for false positive rates up to {format_setting(MAX_FPR)}; "
        f"on screen {format_number(point[1])} of the true edges and {format_number(point[0])} of the absent pairs have "
        "an edge"
    )


def retrieval_figure(
    result: LearnResult, graphs: StepGraphs, truth: PDAG, shown: PDAG, what: str
) -> tuple[go.Figure, str]:
    """Draw TPR ("tpr") or SHD ("shd") of the CPDAGs of the elimination by number of edges; return figure and text.

    All numbers are divided by the number of true edges; the graph on screen is marked.
    """
    curves = retrieval_of_graphs(_eliminated(result, graphs), truth)
    now = retrieval_of_graphs([shown], truth)
    values, value = getattr(curves, what), float(getattr(now, what)[0])
    figure = _curve(curves.retrieved, values, "%{x:.2f} times the true number<br>%{y:.3g}<extra></extra>")
    if what == "tpr":
        # Best possible curve: every retrieved edge is correct until all are retrieved.
        figure.add_scatter(
            x=[0, 1, max(1.0, float(np.nanmax(curves.retrieved, initial=1.0)))],
            y=[0, 1, 1],
            mode="lines",
            line={"color": "#999999", "dash": "dot"},
            name="perfect",
            hoverinfo="skip",
        )
    _mark(figure, float(now.retrieved[0]), value)
    title = "edges right in presence and direction" if what == "tpr" else "structural Hamming distance"
    figure.update_xaxes(title="edges retrieved ÷ true edges", rangemode="tozero")
    figure.update_yaxes(title="right ÷ true edges" if what == "tpr" else "SHD ÷ true edges", rangemode="tozero")
    return (
        figure,
        f"{title[0].upper() + title[1:]} at every size of the elimination, ÷ true edges; on screen "
        f"{format_number(value)}",
    )


def _eliminated(result: LearnResult, graphs: StepGraphs) -> list[PDAG]:
    """Return the known graphs from the densest to the last, at most a few hundred."""
    first = max(result.extra.moves.n_forward, graphs.first)
    steps = np.unique(np.linspace(first, graphs.first + len(graphs.codes) - 1, MAX_POINTS).astype(int))
    return [graphs.at(int(step), len(result.names)) for step in steps if graphs.knows(int(step))]


def _curve(x: np.ndarray, y: np.ndarray, hover: str) -> go.Figure:
    figure = go.Figure(
        go.Scatter(x=x, y=y, mode="lines", line={"color": BLUE, "width": 2.5}, name="LMM", hovertemplate=hover)
    )
    figure.update_layout(height=320, showlegend=False, margin={"l": 10, "r": 20, "t": 20, "b": 10})
    return figure


def _mark(figure: go.Figure, x: float, y: float) -> None:
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker={"color": ORANGE, "size": 12, "symbol": "diamond", "line": {"width": 1.5, "color": "white"}},
        name="on screen",
        hovertemplate="on screen<extra></extra>",
    )
