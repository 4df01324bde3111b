"""Plotly figures. Each returns a figure; its text alternative is the caller's `alt`.

User text reaches Plotly only through `plain`, for Plotly reads some tags in labels as markup.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.data.dataset import Dataset
from learners.data.embedding import embedded_columns
from learners.data.scales import Scale

from .holes import MISSING, add_missing_bar, add_missing_box, add_rug, said_of_lacking
from .scales import with_unit
from .text import WORD_JOINER, distinct_labels, format_set, shorten

BLUE, ORANGE = "#0072B2", "#D55E00"
BINS = 60  # of a histogram
MOST_LEVELS = 12  # of a variable drawn; the rest are taken together
MOST_STRATA = 4  # strata of a conditioning set drawn below one another
# Okabe and Ito's colours, told apart also by those who see few; then Tol's for variables of very many levels.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
COLOURS += ("#332288", "#AA4499", "#88CCEE", "#117733")
BAR, PANEL, AROUND = 20, 30, 40  # pixels: a bar, what a panel needs besides, and the axis
LEGEND_LINE, LEGEND_WIDTH = 20, 240
# What is found in any JavaScript object, and what Streamlit renames.
_LOOKED_UP = re.compile(
    r"__\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|.*mapbox.*"
)
MOST_POINTS = 2_000  # of a scatter
STRIP = 200  # rows of a level up to which each is a point of its own


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
    return _framed(figure, plain(name), "rows")


def level_counts(levels: Sequence[str], counts: Sequence[int], name: str) -> go.Figure:
    """Frequencies of a categorical column, declared order."""
    figure = go.Figure(go.Bar(x=list(range(len(levels))), y=list(counts), marker_color=BLUE))
    figure.update_xaxes(**named_axis(axis_labels(levels)))
    return _framed(figure, plain(name), "rows")


def pair_data(
    dataset: Dataset, x: int, y: int, cond: Sequence[int], scales: Mapping[str, Scale]
) -> tuple[go.Figure, str]:
    """The data behind one test: shares of y for each level of x, boxes, or a scatter; and a caption.

    Of the rows that have x, y and the set; without a set, rows that lack x or y are drawn hollow beside them. Two
    categorical variables are drawn within groups of the categorical ones of the set alone. `scales` says what numbers
    are, by name, where that needs saying.
    """
    if dataset.kind == "categorical" and dataset.complete:
        return _shares(dataset, x, y, cond)
    if dataset.kind == "continuous" and dataset.complete:
        return _scatter(dataset, x, y, cond, scales)
    part = dataset.available((x, y, *cond))
    members = range(2, part.p)
    if part.kinds[0] == part.kinds[1] == "categorical":
        groups = [k for k in members if part.kinds[k] == "categorical"]
        figure, caption = _shares(part.select([0, 1, *groups]), 0, 1, range(2, 2 + len(groups)))
    else:
        draw = _scatter if part.kinds[0] == part.kinds[1] else _boxes
        figure, caption = draw(part, 0, 1, members, scales)
    if not len(cond):
        _draw_holes(figure, dataset, x, y)
        caption += said_of_lacking(dataset, x, y)
    return figure, caption


def _draw_holes(figure: go.Figure, dataset: Dataset, x: int, y: int) -> None:
    """Rows that lack one of the two, where their place says something."""
    kinds = dataset.kinds[x], dataset.kinds[y]
    if kinds == ("continuous", "continuous"):
        add_rug(figure, dataset, x, y)
    elif kinds == ("categorical", "categorical"):
        labels = dataset.levels[dataset.place[x]]
        few = max(len(labels), len(dataset.levels[dataset.place[y]])) <= MOST_LEVELS
        if few and add_missing_bar(figure, dataset, x, y):
            ticks = axis_labels([*labels, MISSING], 16)
            figure.update_yaxes(**named_axis(ticks))
            figure.update_layout(height=figure.layout.height + BAR)
    else:
        number, levels = (x, y) if kinds[0] == "continuous" else (y, x)
        add_missing_box(figure, dataset, number, levels)


def _shares(dataset: Dataset, x: int, y: int, cond: Sequence[int]) -> tuple[go.Figure, str]:
    stratum, strata = _strata(dataset, cond)
    codes_x, levels_x = _frequent(dataset, x)
    codes_y, levels_y = _frequent(dataset, y)
    weights = np.ones(dataset.n_rows) if dataset.shares is None else dataset.shares
    table = np.zeros((len(strata), len(levels_x), len(levels_y)))
    shown = stratum < len(strata)
    np.add.at(table, (stratum[shown], codes_x[shown], codes_y[shown]), weights[shown])
    totals = table.sum(axis=2)
    titles = [
        f"{name} (n = {rows:,.0f})"
        for name, rows in zip(axis_labels(strata, 60), table.sum(axis=(1, 2)).tolist(), strict=True)
    ]
    panel = PANEL + BAR * len(levels_x)
    figure = make_subplots(
        len(titles), 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=_gap(len(titles), panel)
    )
    for row, level in np.ndindex(len(titles), len(levels_y)):
        mine, all_of_x = table[row, :, level], totals[row]
        counts = [f"{m:,.0f} of {t:,.0f}" for m, t in zip(mine.tolist(), all_of_x.tolist(), strict=True)]
        figure.add_bar(
            x=(mine / np.where(all_of_x > 0, all_of_x, 1)).tolist(),
            y=list(range(len(levels_x))),
            orientation="h",
            name=levels_y[level],
            legendgroup=level,
            showlegend=row == 0,
            marker_color=COLOURS[level],
            customdata=counts,
            hovertemplate="%{customdata}",
            row=row + 1,
            col=1,
        )
    legend = {"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0, "traceorder": "normal"}
    figure.update_layout(barmode="stack", legend=legend | {"title_text": plain(dataset.names[y])})
    figure.update_annotations(font_size=12, x=0, xanchor="left")
    figure.update_xaxes(range=[0, 1])
    figure.update_xaxes(title=f"share of {plain(dataset.names[y])}", row=len(titles), col=1)
    figure.update_yaxes(**named_axis(levels_x), autorange="reversed", automargin=True, tickmode="linear", dtick=1)
    figure.update_yaxes(title=plain(dataset.names[x]), row=(len(titles) + 1) // 2, col=1)
    caption = f"Shares of {shorten(dataset.names[y])} by {shorten(dataset.names[x])}"
    if len(cond):
        caption += f", within groups of {format_set(cond, dataset.names)}"
    if not shown.all():
        caption += f"; the {len(strata):,} largest of {stratum.max() + 1:,} groups"
    top = 42 + LEGEND_LINE * _legend_lines(levels_y)
    figure.update_layout(height=AROUND + top + panel * len(titles), margin={"l": 10, "r": 16, "t": top, "b": 40})
    return figure, caption + "."


def _legend_lines(labels: Sequence[str]) -> int:
    """Lines that a legend on top takes in a narrow column: as many columns as its longest entry allows."""
    columns = max(1, LEGEND_WIDTH // (45 + 7 * max(map(len, labels), default=0)))
    return -(-len(labels) // columns)


def _gap(panels: int, height: int) -> float:
    """Share of the drawing between two panels: room for a title."""
    return PANEL / (height * panels) if panels > 1 else 0.0


def _strata(dataset: Dataset, cond: Sequence[int]) -> tuple[np.ndarray, list[str]]:
    """(n_rows,) int: the group of each row under the levels of `cond`, the largest first; names of the first few."""
    group = np.zeros(dataset.n_rows, dtype=np.int64)
    for k in cond:
        # Numbered anew at each variable, or many levels of many variables would overflow.
        group = np.unique(group * int(dataset.arity[k]) + dataset.codes[k], return_inverse=True)[1]
    order = np.argsort(-np.bincount(group, weights=dataset.weights), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    firsts = [int((group == g).argmax()) for g in order[:MOST_STRATA]]
    names = [
        ", ".join(
            f"{shorten(dataset.names[k], 14)}: {shorten(dataset.levels[k][dataset.codes[k][row]], 12)}" for k in cond
        )
        for row in firsts
    ]
    return rank[group], names if len(cond) else ["all rows"]


def _frequent(dataset: Dataset, k: int) -> tuple[np.ndarray, list[str]]:
    """Codes and labels of a variable whose rarest levels, beyond `MOST_LEVELS`, are taken together."""
    levels = dataset.levels[k]
    if len(levels) <= MOST_LEVELS:
        return dataset.codes[k], axis_labels(levels, 16)
    rows = np.bincount(dataset.codes[k], weights=dataset.weights, minlength=len(levels))
    kept = np.sort(np.argsort(-rows, kind="stable")[: MOST_LEVELS - 1])
    place = np.full(len(levels), MOST_LEVELS - 1)
    place[kept] = np.arange(len(kept))
    return place[dataset.codes[k]], axis_labels([*(levels[c] for c in kept), "all others"], 16)


def _scatter(
    dataset: Dataset, x: int, y: int, cond: Sequence[int], scales: Mapping[str, Scale]
) -> tuple[go.Figure, str]:
    columns = dataset.values[:, [dataset.place[x], dataset.place[y]]]
    caption = f"{with_unit(dataset.names[y], scales)} against {with_unit(dataset.names[x], scales)}"
    if len(cond):
        columns = _left(dataset, columns, cond)
        caption = f"What is left of both once {format_set(cond, dataset.names)} is accounted for (residuals)"
    fit = _line(columns)
    if dataset.n > MOST_POINTS:
        columns = columns[np.random.default_rng(0).choice(dataset.n, MOST_POINTS, replace=False)]
        caption += f"; {MOST_POINTS:,} of {dataset.n:,} rows"
    figure = go.Figure(
        go.Scattergl(x=columns[:, 0], y=columns[:, 1], mode="markers", marker={"size": 4, "color": BLUE})
    )
    figure.add_scattergl(x=fit[:, 0], y=fit[:, 1], mode="lines", line={"color": ORANGE, "width": 2}, hoverinfo="skip")
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title=with_unit(dataset.names[x], scales, plain))
    figure.update_yaxes(title=with_unit(dataset.names[y], scales, plain))
    return _sized(figure), caption + "."


def _line(columns: np.ndarray) -> np.ndarray:
    """(2, 2) or (0, 2): the ends of the line that fits (n, 2) numbers best; none where the first do not vary."""
    # Halved: sums of the largest numbers must not overflow.
    x, y = (column / (2 * max(np.abs(column).max(initial=0.0), np.finfo(float).tiny)) for column in columns.T)
    if len(x) < 2 or x.min() == x.max():
        return np.empty((0, 2))
    slope = float(np.mean((x - x.mean()) * (y - y.mean())) / np.var(x))
    ends = np.array([x.argmin(), x.argmax()])
    scale = 2 * np.abs(columns[:, 1]).max(initial=0.0)
    return np.column_stack([columns[ends, 0], (y.mean() + slope * (x[ends] - x.mean())) * scale])


def _left(dataset: Dataset, columns: np.ndarray, cond: Sequence[int]) -> np.ndarray:
    """What the set leaves of (n, k) numbers, its levels as indicators."""
    given, _ = embedded_columns(dataset.select(cond))
    design = np.column_stack([np.ones(dataset.n), given])
    return columns - design @ np.linalg.lstsq(design, columns, rcond=None)[0]


def _boxes(dataset: Dataset, x: int, y: int, cond: Sequence[int], scales: Mapping[str, Scale]) -> tuple[go.Figure, str]:
    """Of x and y one is a number, the other has levels."""
    number, levels = (x, y) if dataset.kinds[x] == "continuous" else (y, x)
    values, name = dataset.values[:, [dataset.place[number]]], with_unit(dataset.names[number], scales)
    caption = name
    if len(cond):
        values = _left(dataset, values, cond)
        caption = f"What is left of {name} once {format_set(cond, dataset.names)} is accounted for (residuals),"
    codes, labels = _frequent(dataset.select([levels]), 0)
    figure = go.Figure()
    for code, label in enumerate(labels):
        own = values[codes == code, 0]
        points = {"boxpoints": "all", "jitter": 0.6, "pointpos": 0} if len(own) <= STRIP else {"boxpoints": "outliers"}
        figure.add_box(x=own, name=label, marker={"color": BLUE, "size": 3}, **points)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title=with_unit(dataset.names[number], scales, plain))
    figure.update_yaxes(title=plain(dataset.names[levels]), automargin=True)
    return _sized(figure, AROUND + 40 + 2 * PANEL * len(labels)), f"{caption} by {shorten(dataset.names[levels])}."


def _framed(figure: go.Figure, x_title: str, y_title: str) -> go.Figure:
    figure.update_xaxes(title=x_title)
    figure.update_yaxes(title=y_title)
    return _sized(figure)


def _sized(figure: go.Figure, height: int = 280) -> go.Figure:
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10})
    return figure
