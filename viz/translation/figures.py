"""Words of a finished figure in another language: titles of axes, legends, notes and hover texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import plotly.graph_objects as go

from .sentences import translated

_BETWEEN = re.compile(r"(<br>|</?extra>)")
NAMED = ("name", "hovertemplate", "text", "hovertext")  # properties of a trace that contain text


def in_language(figure: go.Figure, language: str) -> go.Figure:
    """Return the figure in a language; in English, the figure itself.

    Each line of a text is translated like a message of the library, see `translated`: lines without an entry, such as
    names of variables, stay as they are.
    """
    if language == "en":
        return figure
    figure = go.Figure(figure)
    for holder in _titles(figure):
        if holder.text:
            holder.text = words(holder.text, language)
    for trace in figure.data:
        for key in NAMED:
            if key in trace and trace[key] is not None:
                own = trace[key]
                trace[key] = words(own, language) if isinstance(own, str) else [words(one, language) for one in own]
    return figure


def words(text: str, language: str) -> str:
    """Translate a text of a figure line by line."""
    parts = _BETWEEN.split(str(text))
    return "".join(part if k % 2 or not part else translated(part, language) for k, part in enumerate(parts))


def _titles(figure: go.Figure) -> Iterator[object]:
    """Yield the titles of axes and colour bars, and the notes."""
    bars = (getattr(place, "colorbar", None) for one in figure.data for place in (one, getattr(one, "marker", None)))
    axes = chain(figure.select_xaxes(), figure.select_yaxes())
    yield from (one.title for one in chain(axes, (bar for bar in bars if bar is not None)))
    yield from figure.layout.annotations
