"""Plotly figures. Each returns a figure; its text alternative is the caller's `alt`.

User text reaches Plotly only through `plain`, for Plotly reads some tags in labels as markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from .text import WORD_JOINER, distinct_labels, shorten

BLUE, ORANGE = "#0072B2", "#D55E00"
BINS = 60  # of a histogram
# Okabe and Ito's colours, told apart also by those who see few; then Tol's for variables of very many levels.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
COLOURS += ("#332288", "#AA4499", "#88CCEE", "#117733")
# What is found in any JavaScript object, and what Streamlit renames.
_LOOKED_UP = re.compile(
    r"__\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|.*mapbox.*"
)


def plain(text: str, longest: int = 24) -> str:
    """`text` shortened, with the characters that Plotly would read as markup replaced, and never a word that is a key.

    Streamlit looks every text of a layout up among old names of maps, where a browser also finds what all objects have.
    """
    shown = shorten(text, longest)
    ending = WORD_JOINER if _LOOKED_UP.fullmatch(shown) else ""
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + ending


def axis_labels(names: Sequence[str], longest: int = 24) -> list[str]:
    """The names as `plain` text, no two alike: an axis would draw equal ones in the same place."""
    return [plain(label, longest) for label in distinct_labels(names, longest)]


def named_axis(labels: Sequence[str]) -> dict:
    """An axis on which position k is called ``labels[k]``; ticks that have no room are left out.

    Names are no keys here: a browser would take ``constructor`` for something that it knows already.
    """
    places = range(len(labels))
    aliases = {str(k): label for k, label in zip(places, labels, strict=True)}
    return {"type": "category", "categoryorder": "array", "categoryarray": list(places), "labelalias": aliases} | {
        "tickfont_size": 11
    }


def histogram(values: np.ndarray, name: str, cuts: Sequence[float] = ()) -> go.Figure:
    """Distribution of a numeric column, finite values only, with its cut points."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    # A weighted mean of the ends: their difference may overflow, and between near ones rounding makes edges equal.
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
    """Frequencies of a categorical column, declared order."""
    figure = go.Figure(go.Bar(x=list(range(len(levels))), y=list(counts), marker_color=BLUE))
    figure.update_xaxes(**named_axis(axis_labels(levels)))
    return framed(figure, plain(name), "rows")


def framed(figure: go.Figure, x_title: str, y_title: str) -> go.Figure:
    figure.update_xaxes(title=x_title)
    figure.update_yaxes(title=y_title)
    return sized(figure)


def sized(figure: go.Figure, height: int = 280) -> go.Figure:
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10})
    return figure
