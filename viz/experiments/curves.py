"""Curves of ours, a panel for each setting and a line for each method."""

from __future__ import annotations

from operator import itemgetter

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ..figures import COLOURS, plain
from .words import cell_label

PANEL, AROUND = 250, 90  # pixels: of a row of panels, of axis and legend
MOST_COLUMNS = 3
LEGEND_LINE, LEGEND_COLUMNS = 22, 4
DASHES = ("solid", "dash", "dot", "dashdot")


def curves(table: pd.DataFrame, y: str, x: str, log: str = "") -> tuple[go.Figure, str]:
    """Lines through the means of points; and a text that says the same.

    Parameters
    ----------
    table : DataFrame
        With `cell`, `method`, `at`, `ours`, `spread` and `networks`. A line ends where a data set has no value any
        more: the mean of those that are left would jump.
    y, x : str
        Titles of the axes.
    log : str
        Axes to draw logarithmically, of "x" and "y".
    """
    cells, methods = list(table["cell"].unique()), list(table["method"].unique())
    n_columns = min(len(cells), MOST_COLUMNS if len(cells) > 4 else 2)
    n_rows = -(-len(cells) // n_columns)
    # Three panels beside each other are narrow on a phone: a line for each setting.
    narrow = n_columns == MOST_COLUMNS
    titles = [plain(cell_label(cell), 40) for cell in cells]
    figure = make_subplots(
        rows=n_rows,
        cols=n_columns,
        shared_xaxes="all",
        shared_yaxes="all",
        subplot_titles=[title.replace(", ", "<br>") for title in titles] if narrow else titles,
        horizontal_spacing=0.04,
        vertical_spacing=(0.42 if narrow else 0.3) / max(n_rows, 2) ** 1.5,
    )
    lines = []
    for (cell, method), points in table.groupby(["cell", "method"], sort=False):
        line = _whole(points)
        if len(line):
            number, k = cells.index(cell), methods.index(method)
            lines.append(((number, k), _trace(line, k, method, first=number == 0)))
    lines.sort(key=itemgetter(0))
    places = [divmod(number, n_columns) for (number, _), _ in lines]
    figure.add_traces(
        [trace for _, trace in lines], rows=[row + 1 for row, _ in places], cols=[column + 1 for _, column in places]
    )
    for letter, update in (("x", figure.update_xaxes), ("y", figure.update_yaxes)):
        if letter in log:
            update(type="log", dtick=1)
        else:
            update(rangemode="tozero")
    for column in range(n_columns):
        lowest = (len(cells) - 1 - column) // n_columns + 1
        figure.update_xaxes(title=plain(x, 60), showticklabels=True, row=lowest, col=column + 1)
    figure.update_yaxes(title=plain(y, 60), col=1)
    top = LEGEND_LINE * (-(-len(methods) // LEGEND_COLUMNS) + (4 if narrow else 2))
    figure.update_annotations(font_size=11 if narrow else 13)
    figure.update_layout(
        height=AROUND + top + PANEL * n_rows,
        margin={"l": 10, "r": 16, "t": top, "b": 10},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0, "traceorder": "normal"},
        showlegend=True,
        hovermode="closest",
    )
    return figure, f"{y} by {x} of {', '.join(methods)}, a curve each, in {len(cells)} settings"


def _whole(line: pd.DataFrame) -> pd.DataFrame:
    """The points that as many data sets have as any, in order."""
    return line[line["networks"] == max(line["networks"].max(), 1)].sort_values("at")


def _trace(line: pd.DataFrame, k: int, method: str, *, first: bool) -> go.Scatter:
    colour = COLOURS[k % len(COLOURS)]
    return go.Scatter(
        x=line["at"].tolist(),
        y=line["ours"].tolist(),
        mode="lines+markers",
        name=plain(method, 40),
        legendgroup=method,
        showlegend=first,
        line={"color": colour, "width": 2, "dash": DASHES[k % len(DASHES)]},
        marker={"color": colour, "size": 5},
        customdata=[f" ± {one:.3g}" if one == one else "" for one in line["spread"]],
        hovertemplate="%{y:.4g}%{customdata}<br>at %{x:.4g}<extra>%{fullData.name}</extra>",
    )
