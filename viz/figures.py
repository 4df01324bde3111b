"""Plotly figures of single columns, and helpers for all figures.

User text reaches Plotly only through `plain`, because Plotly interprets some tags in labels as markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from .text import WORD_JOINER, distinct_labels, shorten

BLUE, ORANGE = "#0072B2", "#D55E00"
BINS = 60  # number of bins of a histogram
# Okabe and Ito's colours, which colour-blind readers can distinguish; then Tol's for variables with many levels.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
COLOURS += ("#332288", "#AA4499", "#88CCEE", "#117733")
# Properties of every JavaScript object, and keys that Streamlit renames.
_LOOKED_UP = re.compile(
    r"__\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|.*mapbox.*"
)


def plain(text: str, longest: int = 24) -> str:
    """Return shortened text that Plotly does not read as markup and Streamlit does not read as a key.

    Streamlit looks up every text of a layout in an object of old map names, where a browser also finds the properties
    of all objects.
    """
    shown = shorten(text, longest)
    ending = WORD_JOINER if _LOOKED_UP.fullmatch(shown) else ""
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + ending


def axis_labels(names: Sequence[str], longest: int = 24) -> list[str]:
    """Return distinct plain labels, because an axis draws equal labels at the same position."""
    return [plain(label, longest) for label in distinct_labels(names, longest)]


def named_axis(labels: Sequence[str]) -> dict:
    """Return a category axis with label ``labels[k]`` at position k; ticks without space are omitted.

    Categories are numbers, because a browser would confuse a name such as ``constructor`` with a property.
    """
    positions = range(len(labels))
    aliases = {str(k): label for k, label in zip(positions, labels, strict=True)}
    return {"type": "category", "categoryorder": "array", "categoryarray": list(positions), "labelalias": aliases} | {
        "tickfont_size": 11
    }


def histogram(values: np.ndarray, name: str, cuts: Sequence[float] = ()) -> go.Figure:
    """Plot a histogram of finite values with vertical lines at the cut points."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    # Interpolate between the ends, because their difference may overflow. If they are close, rounding may equate edges.
    share = np.linspace(0, 1, BINS + 1)
    edges = np.unique(low * (1 - share) + high * share)
    if len(edges) < 2:
        edges = low + max(abs(low), 1.0) * np.array([-0.5, 0.5])
    counts = np.histogram(values, edges)[0]
    figure = go.Figure(go.Bar(x=edges[:-1], y=counts, width=np.diff(edges), offset=0, marker_color=BLUE))
    for cut in cuts:
        figure.add_vline(x=float(cut), line={"color": ORANGE, "dash": "dash"})
    return framed(figure, plain(name), "rows")


def level_counts(levels: Sequence[str], counts: Sequence[int], name: str) -> go.Figure:
    """Plot the frequencies of a categorical column in declared order."""
    figure = go.Figure(go.Bar(x=list(range(len(levels))), y=list(counts), marker_color=BLUE))
    figure.update_xaxes(**named_axis(axis_labels(levels)))
    return framed(figure, plain(name), "rows")


def framed(figure: go.Figure, x_title: str, y_title: str) -> go.Figure:
    """Set the titles of both axes and the size of a figure, and return it."""
    figure.update_xaxes(title=x_title)
    figure.update_yaxes(title=y_title)
    return sized(figure)


def sized(figure: go.Figure, height: int = 280) -> go.Figure:
    """Set height (pixels) and margins of a figure, and return it."""
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10})
    return figure
