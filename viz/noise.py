"""Residuals of the two directions of an undirected edge, side by side."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.common.sentences import Node, Phrase, only_if, phrase, say
from learners.data.dataset import Dataset
from learners.verdict.assumptions import complete_rows
from learners.verdict.noise_directions import NoiseDirection, residual

from .figures import BLUE, plain, sized
from .pair_figures import MAX_POINTS

HEIGHT = 460
TITLE = 16  # maximum number of characters of a name above a plot


def residual_plots(dataset: Dataset, edge: NoiseDirection) -> tuple[go.Figure, Phrase]:
    """Plot the residual of the target against the source, and vice versa; return a caption too.

    Parameters
    ----------
    dataset : Dataset
        The data of the run, its columns in the order of the result. Rows with missing cells are left out.
    edge : NoiseDirection
    """
    rows = complete_rows(dataset)
    step = -(-rows.n_rows // MAX_POINTS)
    sides = ((edge.source, edge.target, edge.parents), (edge.target, edge.source, edge.other_parents))
    titles = [f"{plain(rows.names[x], TITLE)} → {plain(rows.names[y], TITLE)}" for x, y, _ in sides]
    figure = make_subplots(2, 1, subplot_titles=titles, vertical_spacing=0.24)
    for k, (x, y, parents) in enumerate(sides, start=1):
        values = rows.values[:, rows.place[x]][::step]
        figure.add_trace(_points(values, residual(rows, y, parents)[::step]), k, 1)
        figure.update_xaxes(title_text=plain(rows.names[x]), row=k, col=1)
        figure.update_yaxes(title_text=f"residual of {plain(rows.names[y])}", row=k, col=1)
    sized(figure, HEIGHT).update_layout(margin_t=30).update_annotations(font_size=13)
    others = {*edge.parents, *edge.other_parents} - {edge.source, edge.target}
    caption = phrase(
        "Residual of each variable given the other{given}. In the true direction it is independent of the cause. "
        "Above: {source} as the cause. The learner itself assumes normal noise.",
        rows.names,
        given=only_if(others, say(" and {n} more", n=len(others))),
        source=Node(edge.source),
    )
    return figure, caption


def _points(x: np.ndarray, y: np.ndarray) -> go.Scatter:
    return go.Scatter(
        x=x, y=y, mode="markers", marker={"size": 4, "color": BLUE, "opacity": 0.5}, hoverinfo="skip", showlegend=False
    )  # fmt: skip
