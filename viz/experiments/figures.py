"""Dot plots of published values and those of Edgewise, with their spread over data sets."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from learners.common.wording import format_number

from ..figures import COLOURS, plain
from ..language import ENGLISH, Language
from .words import cell_label

LINE, AROUND, MIN_HEIGHT = 15, 60, 260  # pixels: height per method of a cell; height of axis and margins; minimum
LEGEND_LINE, LEGEND_COLUMNS = 22, 4
LOG_FROM = 100.0  # ratio of the largest to the smallest positive value from which the axis is logarithmic
SYMBOLS = ("circle", "square", "triangle-up", "star")


def dots(table: pd.DataFrame, metric: str, language: Language = ENGLISH) -> tuple[go.Figure, str]:
    """Return a dot plot of one metric, one row per cell (ours filled, the paper's hollow), and an alternative text.

    Parameters
    ----------
    table : DataFrame
        With `cell`, `method`, `ours`, `spread`, `paper` and `paper's spread`.
    metric : str
        Title of the axis.
    language : Language
        Language of the cells.
    """
    cells, methods = list(table["cell"].unique()), list(table["method"].unique())
    figure = go.Figure()
    for k, method in enumerate(methods):
        mine = table[table["method"] == method]
        # Methods of one cell are stacked, the first on top.
        y = [cells.index(cell) + 0.8 * ((k + 0.5) / len(methods) - 0.5) for cell in mine["cell"]]
        for whose, spread, filled in (("ours", "spread", True), ("paper", "paper's spread", False)):
            if mine[whose].notna().any():
                figure.add_trace(_trace(mine, y, k, method, whose, spread, filled=filled))
                in_legend = filled or bool(mine["ours"].isna().all())
                figure.data[-1].update(legendgroup=method, showlegend=in_legend)
    values = pd.concat([table["ours"], table["paper"]]).dropna()
    if len(values) and values.min() > 0 and values.max() > LOG_FROM * values.min():
        figure.update_xaxes(type="log", dtick=1)
    figure.update_xaxes(title=plain(metric, 60))
    figure.update_yaxes(
        tickvals=list(range(len(cells))), automargin=True,
        ticktext=[plain(cell_label(cell, language), 40) for cell in cells],
        range=[len(cells) - 0.5, -0.5], zeroline=False,
    )  # fmt: skip
    top = LEGEND_LINE * -(-len(methods) // LEGEND_COLUMNS) + LEGEND_LINE
    figure.update_layout(
        height=max(MIN_HEIGHT, AROUND + top + LINE * len(cells) * (1 + len(methods))),
        margin={"l": 10, "r": 16, "t": top, "b": 10},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0, "traceorder": "normal"},
        showlegend=True,
        hovermode="closest",
    )
    whose = ": our values and the published ones" if table["paper"].notna().any() else ""
    return figure, f"{metric} for {', '.join(methods)} in {len(cells)} settings{whose}"


def _trace(
    mine: pd.DataFrame, y: list[float], k: int, method: str, whose: str, spread: str, *, filled: bool
) -> go.Scatter:
    colour, symbol = COLOURS[k % len(COLOURS)], SYMBOLS[k // len(COLOURS) % len(SYMBOLS)]
    errors = [None if pd.isna(error) else float(error) for error in mine[spread]]  # None draws no error bar
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
        customdata=[
            f"{cell_label(cell)}<br>± {format_number(error)}" if error else cell_label(cell)
            for cell, error in zip(mine["cell"], errors, strict=True)
        ],
        hovertemplate="%{x:.3g}<br>%{customdata}<extra>%{fullData.name}</extra>",
    )  # fmt: skip
