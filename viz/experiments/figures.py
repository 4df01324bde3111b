"""Dots of a paper's figures and ours, with their spread over data sets."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from ..figures import COLOURS, plain
from .words import cell_label

LINE, AROUND, LEAST = 15, 60, 260  # pixels: of one method in one cell, of the axis, of a picture
LEGEND_LINE, LEGEND_COLUMNS = 22, 4
LOG_FROM = 100.0  # times between the smallest and the largest, all above 0
SYMBOLS = ("circle", "square", "triangle-up", "star")


def dots(table: pd.DataFrame, metric: str) -> tuple[go.Figure, str]:
    """Figures of one metric, a row a cell: ours filled, the paper's hollow; and a text that says the same.

    Parameters
    ----------
    table : DataFrame
        With `cell`, `method`, `ours`, `spread`, `paper` and `paper's spread`.
    metric : str
        Title of the axis.
    """
    cells, methods = list(table["cell"].unique()), list(table["method"].unique())
    figure = go.Figure()
    for k, method in enumerate(methods):
        mine = table[table["method"] == method]
        # Methods of one cell lie below one another, the first on top.
        y = [cells.index(cell) + 0.8 * ((k + 0.5) / len(methods) - 0.5) for cell in mine["cell"]]
        for whose, spread, filled in (("ours", "spread", True), ("paper", "paper's spread", False)):
            if mine[whose].notna().any():
                figure.add_trace(_trace(mine, y, k, method, whose, spread, filled=filled))
                alone = filled or bool(mine["ours"].isna().all())
                figure.data[-1].update(legendgroup=method, showlegend=alone)
    values = pd.concat([table["ours"], table["paper"]]).dropna()
    if len(values) and values.min() > 0 and values.max() > LOG_FROM * values.min():
        figure.update_xaxes(type="log", dtick=1)
    figure.update_xaxes(title=plain(metric, 60))
    figure.update_yaxes(
        tickvals=list(range(len(cells))), ticktext=[plain(cell_label(cell), 40) for cell in cells], automargin=True,
        range=[len(cells) - 0.5, -0.5], zeroline=False,
    )  # fmt: skip
    top = LEGEND_LINE * -(-len(methods) // LEGEND_COLUMNS) + LEGEND_LINE
    figure.update_layout(
        height=max(LEAST, AROUND + top + LINE * len(cells) * (1 + len(methods))),
        margin={"l": 10, "r": 16, "t": top, "b": 10},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0, "traceorder": "normal"},
        showlegend=True,
        hovermode="closest",
    )
    whose = ": ours and the paper's" if table["paper"].notna().any() else ""
    return figure, f"{metric} of {', '.join(methods)} in {len(cells)} settings{whose}"


def _trace(
    mine: pd.DataFrame, y: list[float], k: int, method: str, whose: str, spread: str, *, filled: bool
) -> go.Scatter:
    colour, symbol = COLOURS[k % len(COLOURS)], SYMBOLS[k // len(COLOURS) % len(SYMBOLS)]
    errors = [None if pd.isna(one) else float(one) for one in mine[spread]]  # no bar at all where there is no spread
    return go.Scatter(
        x=mine[whose],
        y=y,
        mode="markers",
        name=plain(method, 40) + ("" if filled else ", paper"),
        marker={
            "color": colour,
            "symbol": symbol if filled else f"{'diamond' if symbol == 'circle' else symbol}-open",
            "size": 9,
            "line": {"color": colour, "width": 0 if filled else 2},
        },
        error_x={"type": "data", "array": errors, "color": colour, "thickness": 1.2, "width": 3},
        customdata=[f"{cell_label(cell)}<br>± {one:.3g}" if one else cell_label(cell) for cell, one in zip(
            mine["cell"], errors, strict=True
        )],
        hovertemplate="%{x:.4g}<br>%{customdata}<extra>%{fullData.name}</extra>",
    )  # fmt: skip
