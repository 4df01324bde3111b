"""Rows that lack one of two variables, drawn as holes beside the rows that have both."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from learners.data.dataset import Dataset

from .text import count, shorten

MISSING = "missing"
BESIDE = 0.06  # of the range of an axis: how far outside of it the holes are
HOLE = {"size": 6, "symbol": "circle-open", "color": "#999999"}
MOST_HOLES = 500  # points; more of them are one stripe


def said_of_lacking(dataset: Dataset, x: int, y: int) -> str:
    """How many rows lack one of the two, for a caption; nothing if none does."""
    lacking = int((~(dataset.is_there(x) & dataset.is_there(y))).sum())
    names = f"{shorten(dataset.names[x])} or {shorten(dataset.names[y])}"
    return f" {count(lacking, 'row')} without {names}: hollow, and not counted." if lacking else ""


def add_rug(figure: go.Figure, dataset: Dataset, x: int, y: int) -> None:
    """To a scatter: below it the rows that have x alone, left of it those that have y alone."""
    known = [dataset.values[:, dataset.place[k]] for k in (x, y)]
    there = [dataset.is_there(k) for k in (x, y)]
    for own, (value, other) in enumerate(((known[0], known[1]), (known[1], known[0]))):
        rows = np.flatnonzero(there[own] & ~there[1 - own])[:MOST_HOLES]
        low, high = np.nanmin(other), np.nanmax(other)
        edge = np.full(len(rows), low - BESIDE * (high - low))
        place = {"x": value[rows], "y": edge} if own == 0 else {"x": edge, "y": value[rows]}
        if len(rows):
            figure.add_scattergl(**place, mode="markers", marker=HOLE, name=MISSING, showlegend=False)


def add_missing_box(figure: go.Figure, dataset: Dataset, number: int, levels: int) -> None:
    """To boxes by level: the numbers of the rows whose level is missing."""
    rows = dataset.is_there(number) & ~dataset.is_there(levels)
    if rows.any():
        values = dataset.values[rows, dataset.place[number]]
        hollow = {"fillcolor": "rgba(0,0,0,0)", "line_color": "#999999"}
        figure.add_box(x=values, name=MISSING, boxpoints="outliers", **hollow)


def add_missing_bar(figure: go.Figure, dataset: Dataset, x: int, y: int) -> bool:
    """To shares of y by x, of few levels: those of the rows that lack x. Whether there are any."""
    own, levels = dataset.codes[dataset.place[y]], int(dataset.arity[dataset.place[y]])
    rows = dataset.is_there(y) & ~dataset.is_there(x)
    counts = np.bincount(own[rows], minlength=levels)[:levels]
    total = int(counts.sum())
    colours = [trace.marker.color for trace in figure.data[:levels]]
    for level in range(levels) if total else ():
        figure.add_bar(
            x=[counts[level] / total],
            y=[int(dataset.arity[dataset.place[x]])],
            orientation="h",
            showlegend=False,
            marker={"color": "rgba(0,0,0,0)", "line": {"color": colours[level], "width": 2}},
            customdata=[f"{counts[level]:,} of {total:,}"],
            hovertemplate="%{customdata}",
        )
    return bool(total)
