"""Plotly figures. Each returns a figure; its text alternative is the caller's `alt`.

User text reaches Plotly only through `plain`, for Plotly reads some tags in labels as markup.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.data.dataset import Dataset
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .text import distinct_labels, format_set, format_strength, shorten

BLUE, ORANGE = "#0072B2", "#D55E00"
BINS = 60  # of a histogram
MOST_LEVELS = 12  # of a variable drawn; the rest are taken together
MOST_STRATA = 4  # strata of a conditioning set drawn below one another
# Okabe and Ito's colours, told apart also by those who see few; then Tol's for variables of very many levels.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
COLOURS += ("#332288", "#AA4499", "#88CCEE", "#117733")
CELL, MOST_LABELLED = 17, 120  # pixels a variable of a matrix, and up to how many of them each name is shown
BAR, PANEL, AROUND = 20, 30, 40  # pixels: a bar, what a panel needs besides, and the axis
LEGEND_LINE, LEGEND_WIDTH = 20, 240
MOST_POINTS = 2_000  # of a scatter
MOST_TARGETS = 3_000  # cells to click drawn one by one
MOST_HOVERS = 20_000  # cells of a matrix that say more than their colour


def plain(text: str, longest: int = 24) -> str:
    """`text` shortened, and with the characters that Plotly would read as markup replaced."""
    return shorten(text, longest).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def axis_labels(names: Sequence[str], longest: int = 24) -> list[str]:
    """The names as `plain` text, no two alike: an axis would draw equal ones in the same place."""
    return [plain(label, longest) for label in distinct_labels(names, longest)]


def histogram(values: np.ndarray, name: str, cuts: Sequence[float] = ()) -> go.Figure:
    """Distribution of a numeric column, finite values only, with its cut points."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    # A weighted mean of the ends: their difference may overflow.
    share = np.linspace(0, 1, BINS + 1)
    edges = low * (1 - share) + high * share if low < high else np.array([low - 0.5, low + 0.5])
    counts = np.histogram(values, edges)[0]
    figure = go.Figure(go.Bar(x=edges[:-1], y=counts, width=np.diff(edges), offset=0, marker_color=BLUE))
    for cut in cuts:
        figure.add_vline(x=float(cut), line={"color": ORANGE, "dash": "dash"})
    return _framed(figure, plain(name), "rows")


def level_counts(levels: Sequence[str], counts: Sequence[int], name: str) -> go.Figure:
    """Frequencies of a categorical column, declared order."""
    figure = go.Figure(go.Bar(x=axis_labels(levels), y=list(counts), marker_color=BLUE))
    figure.update_xaxes(type="category")
    return _framed(figure, plain(name), "rows")


def matrix(result: LearnResult, graph: PDAG) -> go.Figure:
    """Adjacency matrix: strength where the row's variable points at, or is linked with, the column's."""
    labels, strengths = axis_labels(result.names), result.strengths
    judged = np.isfinite(strengths.values)
    kept = strengths.values[graph.amat & judged]
    # An edge too strong for a number, or required and never tested, is drawn as the strongest.
    strongest = kept.max(initial=0.0) if strengths.larger_is_stronger else kept.min(initial=0.0)
    words = np.full(graph.amat.shape, "", dtype=object)
    for i, j in np.argwhere(graph.amat)[:MOST_HOVERS].tolist():
        sign = "—" if graph.amat[j, i] else "→"
        number = plain(format_strength(strengths.label, float(strengths.values[i, j])), 60)
        words[i, j] = f"{labels[i]} {sign} {labels[j]}<br>{number}"
    figure = go.Figure(
        go.Heatmap(
            z=np.where(graph.amat, np.where(judged, strengths.values, strongest), np.nan),
            x=labels,
            y=labels,
            hoverinfo="skip",
            colorscale=[[0.0, "#9ecae1"], [1.0, "#08306b"]],  # the weakest edge still shows
            reversescale=not strengths.larger_is_stronger,
            colorbar={"title": {"text": strengths.label, "side": "right"}, "thickness": 12},
            xgap=1,
            ygap=1,
        )
    )
    add_targets(figure, labels, range(len(labels)), range(len(labels)), words)
    # Every name is shown: the picture grows with their number instead of leaving some out.
    figure.update_yaxes(title="from", type="category", dtick=1, tickfont_size=11)
    figure.update_xaxes(title="to", side="top", type="category", dtick=1, tickangle=-90, tickfont_size=11)
    if len(labels) > MOST_LABELLED:
        figure.update_xaxes(dtick=None)
        figure.update_yaxes(dtick=None)
    height = max(360, 170 + CELL * min(len(labels), MOST_LABELLED))
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 10, "b": 10})
    return figure


def add_targets(
    figure: go.Figure, labels: Sequence[str], rows: Sequence[int], columns: Sequence[int], words: np.ndarray
) -> None:
    """Something to click and to hover over in the cells of a heat map, which Plotly does not let one select.

    Parameters
    ----------
    figure : go.Figure
        With a heat map.
    labels : sequence of str
        Of all p variables.
    rows, columns : sequence of int
        The variables on its axes. Of a cell ``row * p + column`` is told as `customdata`.
    words : (r, c) array of str
        Shown on hover; where there are none there is nothing to click.
    """
    rows, columns = np.asarray(rows), np.asarray(columns)
    a, b = np.nonzero(words != "")
    kind = go.Scatter if len(a) <= MOST_TARGETS else go.Scattergl
    figure.add_trace(
        kind(
            x=[labels[k] for k in columns[b]],
            y=[labels[k] for k in rows[a]],
            mode="markers",
            marker={"size": CELL - 6, "symbol": "square", "color": ORANGE, "opacity": 0},
            selected_marker_opacity=1,
            unselected_marker_opacity=0,
            customdata=(rows[a] * len(labels) + columns[b]).tolist(),
            text=words[a, b],
            hovertemplate="%{text}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_layout(clickmode="event+select", hovermode="closest")
    # Points would make room for themselves around the cells.
    figure.update_xaxes(range=[-0.5, len(columns) - 0.5])
    figure.update_yaxes(autorange=False, range=[len(rows) - 0.5, -0.5])


def pair_data(dataset: Dataset, x: int, y: int, cond: Sequence[int]) -> tuple[go.Figure, str]:
    """The data behind one test: shares of y for each level of x, or a scatter, one panel a stratum; and a caption."""
    if dataset.kind == "continuous":
        return _scatter(dataset, x, y, cond)
    return _shares(dataset, x, y, cond)


def _shares(dataset: Dataset, x: int, y: int, cond: Sequence[int]) -> tuple[go.Figure, str]:
    stratum, strata = _strata(dataset, cond)
    codes_x, levels_x = _frequent(dataset, x)
    codes_y, levels_y = _frequent(dataset, y)
    weights = np.ones(dataset.n_rows, dtype=np.int64) if dataset.weights is None else dataset.weights
    table = np.zeros((len(strata), len(levels_x), len(levels_y)), dtype=np.int64)
    shown = stratum < len(strata)
    np.add.at(table, (stratum[shown], codes_x[shown], codes_y[shown]), weights[shown])
    totals = table.sum(axis=2)
    titles = [
        f"{name} (n = {rows:,})"
        for name, rows in zip(axis_labels(strata, 60), table.sum(axis=(1, 2)).tolist(), strict=True)
    ]
    panel = PANEL + BAR * len(levels_x)
    figure = make_subplots(
        len(titles), 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=_gap(len(titles), panel)
    )
    for row, level in np.ndindex(len(titles), len(levels_y)):
        mine, all_of_x = table[row, :, level], totals[row]
        counts = [f"{m:,} of {t:,}" for m, t in zip(mine.tolist(), all_of_x.tolist(), strict=True)]
        figure.add_bar(
            x=(mine / np.maximum(all_of_x, 1)).tolist(),
            y=levels_x,
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
    figure.update_yaxes(type="category", autorange="reversed", automargin=True, tickmode="linear", dtick=1)
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


def _scatter(dataset: Dataset, x: int, y: int, cond: Sequence[int]) -> tuple[go.Figure, str]:
    columns = dataset.values[:, [x, y]]
    caption = f"{shorten(dataset.names[y])} against {shorten(dataset.names[x])}"
    if len(cond):
        design = np.column_stack([np.ones(dataset.n), dataset.values[:, list(cond)]])
        columns = columns - design @ np.linalg.lstsq(design, columns, rcond=None)[0]
        caption = f"What is left of both once {format_set(cond, dataset.names)} is accounted for (residuals)"
    if dataset.n > MOST_POINTS:
        columns = columns[np.random.default_rng(0).choice(dataset.n, MOST_POINTS, replace=False)]
        caption += f"; {MOST_POINTS:,} of {dataset.n:,} rows"
    figure = go.Figure(
        go.Scattergl(x=columns[:, 0], y=columns[:, 1], mode="markers", marker={"size": 4, "color": BLUE})
    )
    figure.update_xaxes(title=plain(dataset.names[x]))
    figure.update_yaxes(title=plain(dataset.names[y]))
    return _sized(figure), caption + "."


def _framed(figure: go.Figure, x_title: str, y_title: str) -> go.Figure:
    figure.update_xaxes(title=x_title)
    figure.update_yaxes(title=y_title)
    return _sized(figure)


def _sized(figure: go.Figure, height: int = 280) -> go.Figure:
    figure.update_layout(height=height, margin={"l": 10, "r": 10, "t": 20, "b": 10})
    return figure
