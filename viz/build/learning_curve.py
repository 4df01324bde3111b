"""Learning curve: a network relearned from increasing numbers of its own rows, compared with the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from learners.common.sentences import Listed, phrase, say
from learners.graphs.graph import PDAG
from learners.sweeping.curves import Curve, truth_curves

from ..compare.overlay import with_truth
from ..figures import COLOURS
from ..graph_data import GraphViewData, nodes
from ..sweeping.strip import edges_along

COUNTED = {
    "right": ("correct", "{n} correct"),
    "missing": ("missing", "{n} missing"),
    "too many": ("extra", "{n} extra"),
    "another direction": ("different direction", "{n} with a different direction"),
}


def learning_curve_view(
    graphs: Sequence[PDAG | None], sizes: Sequence[str], truth: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    """Return the data of the graph component; the slider moves through the numbers of rows.

    Parameters
    ----------
    graphs : sequence of CPDAG or None
        None where no graph was learned.
    sizes : sequence of str
        Number of rows of each graph.
    truth : PDAG
        The true CPDAG.
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    """
    curves = truth_curves(graphs, truth)
    counts = [[None if np.isnan(value) else int(value) for value in curve.values] for curve in curves]
    texts = [
        phrase("{parts}", parts=_counted(curves, counts, k))
        if graphs[k] is not None
        else phrase("not learned: time limit reached")
        for k in range(len(sizes))
    ]
    data: GraphViewData = {
        "nodes": nodes(names, positions),
        "edges": edges_along(graphs),
        "steps": {
            "count": len(sizes),
            "offset": 0,
            "axis_label": phrase("rows"),
            "ticks": list(sizes),
            "text": texts,
            "series": [
                {"label": phrase(COUNTED[curve.name][0]), "values": values}
                for curve, values in zip(curves, counts, strict=True)
            ],
            "curve": 0,
            "events": list(range(len(sizes))),
        },
        "file_name": "edgewise_growth",
        "allow_pins": False,
    }
    return with_truth(data, truth) | {"truth": "always"}


def _counted(curves: Sequence[Curve], counts: Sequence[Sequence[int | None]], k: int) -> Listed:
    return Listed([say(COUNTED[curve.name][1], n=values[k]) for curve, values in zip(curves, counts, strict=True)])


def curves_figure(data: GraphViewData) -> go.Figure:
    """Plot all series of a `learning_curve_view` against the number of rows."""
    figure, rows = go.Figure(), [int(tick.replace(",", "")) for tick in data["steps"]["ticks"]]
    for series, colour in zip(data["steps"]["series"], COLOURS, strict=False):
        figure.add_scatter(
            x=rows, y=series["values"], name=series["label"], mode="lines+markers", line={"color": colour}
        )
    figure.update_layout(
        height=260,
        margin={"l": 40, "r": 10, "t": 10, "b": 40},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    figure.update_xaxes(type="log", title="rows")
    figure.update_yaxes(title="pairs", rangemode="tozero")
    return figure
