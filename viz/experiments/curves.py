"""Curves of the values of Edgewise: one panel per setting and one line per method."""

from __future__ import annotations

from operator import itemgetter

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.common.wording import format_number

from ..figures import COLOURS, plain
from ..language import ENGLISH, Language
from .words import cell_label

PANEL, AROUND = 250, 90  # pixels: height of a row of panels; height of axis and legend
MAX_COLUMNS = 3
LEGEND_LINE, LEGEND_COLUMNS = 22, 4
DASHES = ("solid", "dash", "dot", "dashdot")


def curves(table: pd.DataFrame, y: str, x: str, log: str = "", language: Language = ENGLISH) -> tuple[go.Figure, str]:
    """Return a figure of lines through the means of the points, and an alternative text.

    Parameters
    ----------
    table : DataFrame
        With `cell`, `method`, `at`, `ours`, `spread` and `networks`. A line ends where a data set has no value,
        because the mean over the others would jump.
    y, x : str
        Titles of the axes.
    log : str
        Logarithmic axes: letters of "xy".
    language : Language
        Language of the cells.
    """
    cells, methods = list(table["cell"].unique()), list(table["method"].unique())
    n_columns = min(len(cells), MAX_COLUMNS if len(cells) > 4 else 2)
    n_rows = -(-len(cells) // n_columns)
    # Three panels in a row are narrow, so their titles have one line per parameter.
    narrow = n_columns == MAX_COLUMNS
    titles = [plain(cell_label(cell, language), 40) for cell in cells]
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
    return figure, f"{y} by {x} for {', '.join(methods)} in {len(cells)} settings"


def _whole(line: pd.DataFrame) -> pd.DataFrame:
    """Return the points for which all data sets have values, sorted."""
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
        customdata=[f" ± {format_number(spread)}" if spread == spread else "" for spread in line["spread"]],
        hovertemplate="%{y:.3g}%{customdata}<br>at %{x:.3g}<extra>%{fullData.name}</extra>",
    )
