"""Heat maps of pairs of variables with clickable cells and names that thin out in large maps.

Variables have the positions 0, 1, ... in their order, and their names are only tick labels: as keys of an axis, names
such as ``__proto__`` have a special meaning in a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from .figures import ORANGE, named_axis

CELL, MAX_LABELLED = 17, 120  # pixels per variable, and maximum number of variables with a name in each row
MIN_HEIGHT, CROWDED_HEIGHT = 360, 820  # pixels: minimum height, and height of a map with too many variables for names
AROUND = 210  # pixels for the names on top and the colours below
DOT = 5  # pixels: minimum size of a cell that is visible among hundreds
MAX_TARGETS = 5_000  # maximum number of clickable cells drawn as SVG, which needs no graphics card
MAX_HOVERS = 20_000  # maximum number of cells with a hover text
NEAR = 25  # number of variables shown on either side of a searched variable
WEAK, STRONG = "#7ab5de", "#1566b4"  # both colours have enough contrast on white and on dark pages
NO_COLOURS = {"showscale": False, "zmin": 0.0, "zmax": 1.0}
TIGHT = {"l": 10, "r": 10, "t": 10, "b": 10}


@dataclass(frozen=True)
class MapCells:
    """The filled cells of a map.

    Attributes
    ----------
    i, j : (m,) int arrays
        Variables of row and column.
    values : (m,) float array
        Value that the colour shows.
    words : sequence of m or fewer str
        Hover texts; further cells have none.
    """

    i: np.ndarray
    j: np.ndarray
    values: np.ndarray
    words: Sequence[str]


def pair_map(
    cells: MapCells, labels: Sequence[str], rows: Sequence[int], columns: Sequence[int], **look: object
) -> go.Figure:
    """Draw the heat map of `cells` with the variables in a given order.

    Only filled cells are sent to the browser. The `customdata` of a cell is ``i * p + j``.

    Parameters
    ----------
    cells : MapCells
    labels : sequence of str
        Labels of all p variables, see `axis_labels`.
    rows, columns : sequence of int
        The variables on the axes, from the top and from the left.
    **look
        Colours and colour bar: arguments of `go.Heatmap`.
    """
    rows, columns = np.asarray(rows), np.asarray(columns)
    crowded = max(len(rows), len(columns)) > MAX_LABELLED
    if not len(cells.values):  # an empty map needs no colour bar
        look = look | NO_COLOURS
    figure = go.Figure(_colours(cells, rows, columns, 0 if crowded else 1, look))
    figure.add_trace(_targets(cells, len(labels), rows, columns, look if crowded else {}))
    # Without a fixed range, the points would add a margin around the cells.
    figure.update_xaxes(**named_axis([labels[k] for k in columns]), side="top", tickangle=-90)
    figure.update_xaxes(range=[-0.5, len(columns) - 0.5])
    figure.update_yaxes(**named_axis([labels[k] for k in rows]), autorange=False, range=[len(rows) - 0.5, -0.5])
    height = CROWDED_HEIGHT if crowded else max(MIN_HEIGHT, AROUND + CELL * len(rows))
    figure.update_layout(height=height, margin=TIGHT, clickmode="event+select", hovermode="closest", dragmode="zoom")
    return figure


def colour_bar(title: str) -> dict:
    """Return a colour bar below the map, because on narrow pages a bar beside it would take the cells' space."""
    below = {"orientation": "h", "x": 0.5, "y": 0, "yanchor": "top", "thickness": 10, "lenmode": "fraction", "len": 0.9}
    return below | {"title": {"text": title, "side": "bottom"}, "outlinewidth": 0}


def _places(order: np.ndarray, p: int) -> np.ndarray:
    """Return (p,) int: the position of each variable in `order`."""
    places = np.zeros(p, dtype=np.uint16 if p < 2**16 else np.int64)
    places[order] = np.arange(len(order))
    return places


def _colours(cells: MapCells, rows: np.ndarray, columns: np.ndarray, gap: int, look: dict) -> go.Heatmap:
    p = int(max(rows.max(initial=0), columns.max(initial=0))) + 1
    # Name every row and column once, because the browser omits those without a filled cell.
    n = max(len(rows), len(columns))
    anchors = np.arange(n).astype(np.uint16)
    return go.Heatmap(
        x=np.concatenate([np.minimum(anchors, max(len(columns) - 1, 0)), _places(columns, p)[cells.j]]),
        y=np.concatenate([np.minimum(anchors, max(len(rows) - 1, 0)), _places(rows, p)[cells.i]]),
        z=np.concatenate([np.full(n, np.nan), cells.values]).astype(np.float32),
        hoverinfo="skip",
        xgap=gap,
        ygap=gap,
        **look,
    )


def _targets(cells: MapCells, p: int, rows: np.ndarray, columns: np.ndarray, look: dict) -> go.Scatter | go.Scattergl:
    """Return the points that can be selected over the cells; with a `look`, dots that show tiny cells."""
    m = min(len(cells.words), MAX_HOVERS)
    i, j = cells.i[:m], cells.j[:m]
    kind = go.Scatter if m <= MAX_TARGETS else go.Scattergl
    marker = {"size": CELL - 6, "symbol": "square", "color": ORANGE, "opacity": 0}
    if look:
        colours = {key: look[key] for key in ("colorscale", "reversescale") if key in look}
        limits = {"cmin": look.get("zmin"), "cmax": look.get("zmax")}
        marker = {"size": DOT, "symbol": "square", "color": cells.values[:m].astype(np.float32)} | colours | limits
    return kind(
        x=_places(columns, p)[j],
        y=_places(rows, p)[i],
        mode="markers",
        marker=marker,
        selected_marker={"opacity": 1, "color": ORANGE, "size": CELL - 6},
        unselected_marker_opacity=1 if look else 0,
        customdata=(i * p + j).tolist(),
        text=list(cells.words[:m]),
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def add_borders(figure: go.Figure, groups_of_rows: np.ndarray, groups_of_columns: np.ndarray) -> None:
    """Draw lines between groups of variables."""
    for across, along, groups in (("y", "x", groups_of_rows), ("x", "y", groups_of_columns)):
        for place in (np.flatnonzero(np.diff(groups)) + 0.5).tolist():
            ends = {f"{along}ref": "paper", f"{along}0": 0, f"{along}1": 1, f"{across}0": place, f"{across}1": place}
            figure.add_shape(type="line", line={"color": ORANGE, "width": 1.5}, **ends)


def add_cross(figure: go.Figure, label: str, row: int, column: int) -> None:
    """Highlight the row and column of a variable, and zoom to it in a large map."""
    frame = {"type": "rect", "line": {"color": ORANGE, "width": 2}, "fillcolor": ORANGE, "opacity": 0.35}
    figure.add_shape(**frame, xref="paper", x0=0, x1=1, y0=row - 0.5, y1=row + 0.5)
    figure.add_shape(**frame, yref="paper", y0=0, y1=1, x0=column - 0.5, x1=column + 0.5)
    if len(figure.layout.yaxis.categoryarray) > MAX_LABELLED:
        figure.update_xaxes(range=[column - NEAR, column + NEAR])
        figure.update_yaxes(range=[row + NEAR, row - NEAR])
    badge = {"text": label, "showarrow": False, "bgcolor": ORANGE, "font": {"color": "#ffffff", "size": 11}}
    figure.add_annotation(**badge, xref="paper", x=1, xanchor="right", y=row)
    figure.add_annotation(**badge, yref="paper", y=1, yanchor="top", x=column, textangle=-90)
