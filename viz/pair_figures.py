"""Figures of the data behind one test: stacked bars, boxes or a scatter plot; incomplete rows are drawn hollow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from learners.common.sentences import ENGLISH, FROM_TAIL, Catalog, Count, Sentence, only_if, say
from learners.data.dataset import Dataset
from learners.data.embedding import embedded_columns
from learners.data.plan.scales import Scale
from learners.graphs.graph import PDAG

from .figures import BLUE, COLOURS, ORANGE, axis_labels, named_axis, plain, sized
from .labels import with_unit
from .text import format_set, shorten

MAX_LEVELS = 12  # maximum number of levels drawn; the rarest are merged
MAX_STRATA = 4  # maximum number of strata of the conditioning set drawn
BAR, PANEL, AROUND = 20, 30, 40  # pixels: height of a bar, of the other parts of a panel, of the axis
LEGEND_LINE, LEGEND_WIDTH = 20, 240
MAX_POINTS = 2_000  # maximum number of points in a scatter plot
STRIP = 200  # maximum number of rows of a level for which a box shows every point
MISSING = "missing"
BESIDE = 0.06  # distance of hollow points from the data, as a share of the axis range
HOLLOW = {"size": 6, "symbol": "circle-open", "color": "#999999"}
MAX_HOLLOW = 500  # maximum number of hollow points; more would merge into a stripe


def pair_data(
    dataset: Dataset,
    x: int,
    y: int,
    cond: Sequence[int],
    scales: Mapping[str, Scale],
    catalog: Catalog = ENGLISH,
    *,
    imputed: bool = False,
) -> tuple[go.Figure, str]:
    """Plot the data behind one test: shares of y by level of x, boxes, or a scatter plot; return a caption too.

    Only rows complete for x, y and the set are used. Without a set, rows that lack x or y are drawn hollow. Two
    categorical variables are drawn within strata of the categorical members of the set.

    Parameters
    ----------
    dataset : Dataset
    x, y : int
    cond : sequence of int
        Conditioning set.
    scales : mapping of str to Scale
        Scales of the variables whose numbers are not plain, by name.
    catalog : Catalog
        Language of caption and axes.
    imputed : bool
        True if the run used all observed cells; otherwise its tests left out rows that lack x or y.
    """
    figure, caption = _drawn(dataset, x, y, cond, scales, catalog)
    if not dataset.complete and not len(cond):
        caption = say("{caption}{note}", caption=caption, note=_incomplete(dataset, x, y, imputed=imputed))
    return figure, caption.text((), catalog)


def cause_first(graph: PDAG, x: int, y: int) -> tuple[int, int]:
    """Return the pair with the tail of its arrow first, so that figures show the effect given the cause."""
    return (y, x) if graph.mark(x, y) in FROM_TAIL else (x, y)


def _drawn(
    dataset: Dataset, x: int, y: int, cond: Sequence[int], scales: Mapping[str, Scale], catalog: Catalog
) -> tuple[go.Figure, Sentence]:
    if dataset.kind == "categorical" and dataset.complete:
        return _shares(dataset, x, y, cond, catalog)
    if dataset.kind == "continuous" and dataset.complete:
        return _scatter(dataset, x, y, cond, scales)
    part = dataset.available((x, y, *cond))
    members = range(2, part.p)
    if part.kinds[0] == part.kinds[1] == "categorical":
        groups = [k for k in members if part.kinds[k] == "categorical"]
        figure, caption = _shares(part.select([0, 1, *groups]), 0, 1, range(2, 2 + len(groups)), catalog)
    else:
        draw = _scatter if part.kinds[0] == part.kinds[1] else _boxes
        figure, caption = draw(part, 0, 1, members, scales)
    if not len(cond):
        _add_incomplete(figure, dataset, x, y)
    return figure, caption


def _add_incomplete(figure: go.Figure, dataset: Dataset, x: int, y: int) -> None:
    """Add the rows that lack one of the two variables, if their position is informative."""
    kinds = dataset.kinds[x], dataset.kinds[y]
    if kinds == ("continuous", "continuous"):
        add_rug(figure, dataset, x, y)
    elif kinds == ("categorical", "categorical"):
        if _has_hollow(dataset, x, y) and add_missing_bar(figure, dataset, x, y):
            ticks = axis_labels([*dataset.levels[dataset.place[x]], MISSING], 16)
            figure.update_yaxes(**named_axis(ticks))
            figure.update_layout(height=figure.layout.height + BAR)
    else:
        number, levels = (x, y) if kinds[0] == "continuous" else (y, x)
        add_missing_box(figure, dataset, number, levels)


def _shares(dataset: Dataset, x: int, y: int, cond: Sequence[int], catalog: Catalog) -> tuple[go.Figure, Sentence]:
    stratum, strata = _strata(dataset, cond, catalog)
    codes_x, levels_x = _frequent(dataset, x)
    codes_y, levels_y = _frequent(dataset, y)
    weights = np.ones(dataset.n_rows) if dataset.shares is None else dataset.shares
    table = np.zeros((len(strata), len(levels_x), len(levels_y)))
    shown = stratum < len(strata)
    np.add.at(table, (stratum[shown], codes_x[shown], codes_y[shown]), weights[shown])
    totals = table.sum(axis=2)
    titles = [
        say("{name} (n = {n})", name=name, n=round(rows)).text((), catalog)
        for name, rows in zip(axis_labels(strata, 60), table.sum(axis=(1, 2)).tolist(), strict=True)
    ]
    panel = PANEL + BAR * len(levels_x)
    figure = make_subplots(
        len(titles), 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=_gap(len(titles), panel)
    )
    for row, level in np.ndindex(len(titles), len(levels_y)):
        mine, all_of_x = table[row, :, level], totals[row]
        counts = [
            say("{n} of {total}", n=round(m), total=round(t)).text((), catalog)
            for m, t in zip(mine.tolist(), all_of_x.tolist(), strict=True)
        ]
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
    figure.update_xaxes(
        title=say("share of {name}", name=plain(dataset.names[y])).text((), catalog), row=len(titles), col=1
    )
    figure.update_yaxes(**named_axis(levels_x), autorange="reversed", automargin=True, tickmode="linear", dtick=1)
    figure.update_yaxes(title=plain(dataset.names[x]), row=(len(titles) + 1) // 2, col=1)
    caption = say("Shares of {b} for each level of {a}", a=shorten(dataset.names[x]), b=shorten(dataset.names[y]))
    if len(cond):
        caption = say("{caption}, stratified by {set}", caption=caption, set=format_set(cond, dataset.names))
    if not shown.all():
        n = int(stratum.max()) + 1
        caption = say("{caption}; the {k} largest of {n} strata", caption=caption, k=len(strata), n=n)
    top = 42 + LEGEND_LINE * _legend_lines(levels_y)
    figure.update_layout(height=AROUND + top + panel * len(titles), margin={"l": 10, "r": 16, "t": top, "b": 40})
    return figure, say("{caption}.", caption=caption)


def _legend_lines(labels: Sequence[str]) -> int:
    """Return the number of lines of a horizontal legend in a narrow column."""
    columns = max(1, LEGEND_WIDTH // (45 + 7 * max(map(len, labels), default=0)))
    return -(-len(labels) // columns)


def _gap(panels: int, height: int) -> float:
    """Return the space between two panels, which contains a title, as a share of the figure."""
    return PANEL / (height * panels) if panels > 1 else 0.0


def _strata(dataset: Dataset, cond: Sequence[int], catalog: Catalog) -> tuple[np.ndarray, list[str]]:
    """Return the (n_rows,) int stratum of each row, largest first, and the names of the first strata."""
    group = np.zeros(dataset.n_rows, dtype=np.int64)
    for k in cond:
        # Renumber after each variable, because the product of many level counts would overflow.
        group = np.unique(group * int(dataset.arity[k]) + dataset.codes[k], return_inverse=True)[1]
    order = np.argsort(-np.bincount(group, weights=dataset.weights), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    firsts = [int((group == g).argmax()) for g in order[:MAX_STRATA]]
    names = [
        ", ".join(
            f"{shorten(dataset.names[k], 14)}: {shorten(dataset.levels[k][dataset.codes[k][row]], 12)}" for k in cond
        )
        for row in firsts
    ]
    return rank[group], names if len(cond) else [say("rows with both").text((), catalog)]


def _frequent(dataset: Dataset, k: int) -> tuple[np.ndarray, list[str]]:
    """Return codes and labels of a variable; its rarest levels beyond `MAX_LEVELS` are merged."""
    levels = dataset.levels[k]
    if len(levels) <= MAX_LEVELS:
        return dataset.codes[k], axis_labels(levels, 16)
    rows = np.bincount(dataset.codes[k], weights=dataset.weights, minlength=len(levels))
    kept = np.sort(np.argsort(-rows, kind="stable")[: MAX_LEVELS - 1])
    place = np.full(len(levels), MAX_LEVELS - 1)
    place[kept] = np.arange(len(kept))
    return place[dataset.codes[k]], axis_labels([*(levels[c] for c in kept), "all others"], 16)


def _scatter(
    dataset: Dataset, x: int, y: int, cond: Sequence[int], scales: Mapping[str, Scale]
) -> tuple[go.Figure, Sentence]:
    columns = dataset.values[:, [dataset.place[x], dataset.place[y]]]
    a, b = (with_unit(dataset.names[k], scales) for k in (x, y))
    caption = say("{b} against {a}", a=a, b=b)
    if len(cond):
        columns = _residuals(dataset, columns, cond)
        caption = say("Residuals of both after regression on {set}", set=format_set(cond, dataset.names))
    fit = _line(columns)
    if dataset.n > MAX_POINTS:
        columns = columns[np.random.default_rng(0).choice(dataset.n, MAX_POINTS, replace=False)]
        caption = say("{caption}; sample of {k} of {n} rows", caption=caption, k=MAX_POINTS, n=dataset.n)
    # Use SVG, because machines without a graphics card cannot draw WebGL.
    figure = go.Figure(go.Scatter(x=columns[:, 0], y=columns[:, 1], mode="markers", marker={"size": 4, "color": BLUE}))
    figure.add_scatter(x=fit[:, 0], y=fit[:, 1], mode="lines", line={"color": ORANGE, "width": 2}, hoverinfo="skip")
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title=with_unit(dataset.names[x], scales, plain))
    figure.update_yaxes(title=with_unit(dataset.names[y], scales, plain))
    return sized(figure), say("{caption}.", caption=caption)


def _line(columns: np.ndarray) -> np.ndarray:
    """Return the (2, 2) end points of the least-squares line through (n, 2) numbers; (0, 2) if x does not vary."""
    # Scale to at most 1/2, because sums of the largest numbers may overflow.
    x, y = (column / (2 * max(np.abs(column).max(initial=0.0), np.finfo(float).tiny)) for column in columns.T)
    if len(x) < 2 or x.min() == x.max():
        return np.empty((0, 2))
    slope = float(np.mean((x - x.mean()) * (y - y.mean())) / np.var(x))
    ends = np.array([x.argmin(), x.argmax()])
    scale = 2 * np.abs(columns[:, 1]).max(initial=0.0)
    return np.column_stack([columns[ends, 0], (y.mean() + slope * (x[ends] - x.mean())) * scale])


def _residuals(dataset: Dataset, columns: np.ndarray, cond: Sequence[int]) -> np.ndarray:
    """Return the residuals of (n, k) numbers after regression on the set, with levels as indicators."""
    given, _ = embedded_columns(dataset.select(cond))
    design = np.column_stack([np.ones(dataset.n), given])
    return columns - design @ np.linalg.lstsq(design, columns, rcond=None)[0]


def _boxes(
    dataset: Dataset, x: int, y: int, cond: Sequence[int], scales: Mapping[str, Scale]
) -> tuple[go.Figure, Sentence]:
    """Plot boxes of the numeric variable by the levels of the other one."""
    number, levels = (x, y) if dataset.kinds[x] == "continuous" else (y, x)
    values, name = dataset.values[:, [dataset.place[number]]], with_unit(dataset.names[number], scales)
    by, given = shorten(dataset.names[levels]), format_set(cond, dataset.names)
    caption = say("{a} by {b}.", a=name, b=by)
    if len(cond):
        values = _residuals(dataset, values, cond)
        caption = say("Residuals of {a} after regression on {set}, by {b}.", a=name, b=by, set=given)
    codes, labels = _frequent(dataset.select([levels]), 0)
    figure = go.Figure()
    for code, label in enumerate(labels):
        own = values[codes == code, 0]
        points = {"boxpoints": "all", "jitter": 0.6, "pointpos": 0} if len(own) <= STRIP else {"boxpoints": "outliers"}
        figure.add_box(x=own, name=label, marker={"color": BLUE, "size": 3}, **points)
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title=with_unit(dataset.names[number], scales, plain))
    figure.update_yaxes(title=plain(dataset.names[levels]), automargin=True)
    return sized(figure, AROUND + 40 + 2 * PANEL * len(labels)), caption


def _incomplete(dataset: Dataset, x: int, y: int, *, imputed: bool) -> Sentence:
    """State the numbers of rows drawn hollow and not drawn, and how the run uses them."""
    there = dataset.is_there(x), dataset.is_there(y)
    a, b = (shorten(dataset.names[k]) for k in (x, y))
    lacking = int((~(there[0] & there[1])).sum())
    if dataset.kinds[x] == dataset.kinds[y] == "continuous":
        hollow = int((there[0] ^ there[1]).sum())
        drawn = say(" Hollow: {rows} with only one of {a} and {b}.", rows=Count(hollow, "row"), a=a, b=b)
    else:
        levels, other = (y, x) if dataset.kinds[x] == "continuous" else (x, y)
        hollow = int((~dataset.is_there(levels) & dataset.is_there(other)).sum()) if _has_hollow(dataset, x, y) else 0
        drawn = say(" Hollow: {rows} without {a}.", rows=Count(hollow, "row"), a=shorten(dataset.names[levels]))
    rest = lacking - hollow
    return say(
        "{drawn}{rest}{fate}",
        drawn=only_if(hollow, drawn),
        rest=only_if(rest, say(" Not drawn: {more} with a missing cell.", more=Count(rest, "row"))),
        fate=only_if(
            lacking,
            say(
                " The run uses the other cells of these rows; the chart shows observed ones."
                if imputed
                else " Tests leave these out."
            ),
        ),
    )


def _has_hollow(dataset: Dataset, x: int, y: int) -> bool:
    """Return False for two categorical variables with too many levels for a bar of missing cells."""
    if not dataset.kinds[x] == dataset.kinds[y] == "categorical":
        return True
    return max(len(dataset.levels[dataset.place[k]]) for k in (x, y)) <= MAX_LEVELS


def add_rug(figure: go.Figure, dataset: Dataset, x: int, y: int) -> None:
    """Add to a scatter plot: rows with x only below it, rows with y only to its left."""
    known = [dataset.values[:, dataset.place[k]] for k in (x, y)]
    there = [dataset.is_there(k) for k in (x, y)]
    for own, (value, other) in enumerate(((known[0], known[1]), (known[1], known[0]))):
        rows = np.flatnonzero(there[own] & ~there[1 - own])[:MAX_HOLLOW]
        low, high = np.nanmin(other), np.nanmax(other)
        edge = np.full(len(rows), low - BESIDE * (high - low))
        place = {"x": value[rows], "y": edge} if own == 0 else {"x": edge, "y": value[rows]}
        if len(rows):
            figure.add_scatter(**place, mode="markers", marker=HOLLOW, name=MISSING, showlegend=False)


def add_missing_box(figure: go.Figure, dataset: Dataset, number: int, levels: int) -> None:
    """Add a box for the rows whose level is missing."""
    rows = dataset.is_there(number) & ~dataset.is_there(levels)
    if rows.any():
        values = dataset.values[rows, dataset.place[number]]
        hollow = {"fillcolor": "rgba(0,0,0,0)", "line_color": "#999999"}
        figure.add_box(x=values, name=MISSING, boxpoints="outliers", **hollow)


def add_missing_bar(figure: go.Figure, dataset: Dataset, x: int, y: int) -> bool:
    """Add a bar with the shares of y in the rows that lack x; return True if there are such rows."""
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
