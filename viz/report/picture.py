"""The graph of a result as an SVG, with the marks of the picture on screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape

import numpy as np

from learners.common.wording import format_setting
from learners.explaining.support import is_determined
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..layout.printed_graph import PILLS, Places, place, text_width
from ..layout.routing import EdgeRoute, Point, Router, towards
from ..pyvis_network import conflicts
from ..replay import relative_strengths
from ..text import ARROWS, PROBABILITIES, format_share, one_line, short_names
from ..weak_evidence import doubtful
from .notes import Note, note_spots, place_notes, width_of

MAX_LETTERS = {True: 20, False: 14}  # maximum number of letters of a name in a pill, and below a dot
MARGIN = 12.0
PLAIN_WIDTH = 2.0  # line width of an edge without a strength
NEARLY_SURE = 0.995
# A stand-alone picture is dark on white.
STYLE = """
.graph { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; background: var(--paper, #fff); }
.graph path { fill: none; stroke: var(--ink, #31333f); }
.graph .directed path { stroke: var(--arrow, #0072b2); }
.graph .directed .head { fill: var(--arrow, #0072b2); }
.graph .bidirected path { stroke: var(--warm, #d55e00); }
.graph .bidirected .head { fill: var(--warm, #d55e00); }
.graph .circle-forward path, .graph .circle-backward path { stroke: var(--arrow, #0072b2); }
.graph .circle-forward .head, .graph .circle-backward .head { fill: var(--arrow, #0072b2); }
.graph .open-end { fill: var(--paper, #fff); stroke: var(--ink, #31333f); stroke-width: 1.5; }
.graph .conflict path { stroke: var(--pink, #a8487f); }
.graph .conflict .head, .graph .doubt .head { fill: var(--paper, #fff); }
.graph .head { stroke-width: 1.5; stroke-linejoin: round; }
.graph rect { fill: var(--fill, #f0f2f6); stroke: var(--ink, #31333f); stroke-opacity: 0.55; stroke-width: 1.2; }
.graph text { fill: var(--ink, #31333f); text-anchor: middle; }
.graph .note { font-weight: 600; font-size: 12px; stroke: var(--paper, #fff); stroke-width: 4; paint-order: stroke; }
"""
WORDS = {"directed": "→", "undirected": "—", "conflict": "—", "directed doubt": "→", "determined": "="}
ENDS = {  # shapes at the start and at the end of the edges of a PAG
    "circles": ("circle", "circle"),
    "circle-forward": ("circle", "head"),
    "circle-backward": ("head", "circle"),
    "bidirected": ("head", "head"),
}
CIRCLE_RADIUS = 4.5


def graph_svg(result: LearnResult, positions: np.ndarray) -> str:
    """Draw the graph of a result.

    Parameters
    ----------
    result : LearnResult
    positions : (p, 2) float array
        In [0, 1], y downwards.
    """
    description = f"graph of {len(result.names)} variables and {result.graph.n_edges} edges"
    return _svg(result.graph, result.names, positions, description, partial(_edges, result), f"<style>{STYLE}</style>")


def drawn_svg(graph: PDAG, names: Sequence[str], positions: np.ndarray, description: str) -> str:
    """Draw a graph that was not learned; the page supplies the style (`STYLE`).

    Parameters
    ----------
    graph : PDAG
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1], y downwards.
    description : str
        Alternative text of the picture.
    """
    return _svg(graph, names, positions, description, partial(_plain_edges, graph, names))


def _svg(
    graph: PDAG,
    names: Sequence[str],
    positions: np.ndarray,
    description: str,
    edges: Callable[[dict[tuple[int, int], EdgeRoute]], Iterator[tuple[str, str]]],
    style: str = "",
) -> str:
    labels = short_names(names, MAX_LETTERS[len(names) <= PILLS])
    places = place(np.asarray(positions, dtype=float), labels)
    router = Router(places)
    lines = {edge: router.route(*edge, lane=k) for k, edge in enumerate(sorted(graph.edges()))}
    drawn = [*_with_notes(edges(lines), router, list(lines.values())), *_nodes(places, names, labels)]
    x, y, width, height = _frame(places, labels, lines.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-label="{escape(description)}" '
        f'viewBox="{x:.0f} {y:.0f} {width:.0f} {height:.0f}">{style}\n' + "\n".join(drawn) + "\n</svg>"
    )


def _with_notes(edges: Iterable[tuple[str, str]], router: Router, lines: Sequence[EdgeRoute]) -> Iterator[str]:
    """Yield the edges with their labels, which lie clear of other edges, boxes and labels."""
    drawn = list(edges)
    points = [line.points for line in lines]
    notes = [Note(k, width_of(text), note_spots(points[k])) for k, (_, text) in enumerate(drawn) if text]
    places = {note.line: at for note, at in zip(notes, place_notes(notes, router.boxes(), points), strict=True)}
    for k, (edge, text) in enumerate(drawn):
        yield f"{edge}{_note(places[k], text) if text else ''}</g>"


def _plain_edges(
    graph: PDAG, names: Sequence[str], lines: dict[tuple[int, int], EdgeRoute]
) -> Iterator[tuple[str, str]]:
    for (i, j), line in lines.items():
        yield _edge(names, (i, j), line, _kind(graph, i, j), PLAIN_WIDTH, None)


def _frame(places: Places, labels: Sequence[str], lines: Iterable[EdgeRoute]) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the drawing."""
    half = places.size / 2
    if not places.pills:
        half = np.array([[text_width(label, places.font) / 2, 2.2 * places.font] for label in labels])
    bows = [line.points for line in lines]
    low = np.vstack([places.xy - half, *bows]).min(axis=0) - MARGIN
    high = np.vstack([places.xy + half, *bows]).max(axis=0) + MARGIN
    return (*low.tolist(), *(high - low).tolist())


def _edges(result: LearnResult, lines: dict[tuple[int, int], EdgeRoute]) -> Iterator[tuple[str, str]]:
    weights, clash = relative_strengths(result), conflicts(result, result.graph)
    shares = result.strengths.values if result.strengths.label.startswith(PROBABILITIES) else None
    for (i, j), line in lines.items():
        arrow = not result.graph.amat[j, i]
        kind = _kind(result.graph, i, j)
        kind = "conflict" if kind == "undirected" and frozenset((i, j)) in clash else kind
        kind += " doubt" if arrow and doubtful(result, i, j) else ""
        kind = "determined" if is_determined(result, i, j) else kind
        share = None if shares is None or np.isnan(shares[i, j]) else float(shares[i, j])
        yield _edge(result.names, (i, j), line, kind, 1 + 4 * (weights(i, j) or 0.0), share)


def _kind(graph: PDAG, i: int, j: int) -> str:
    """Return the CSS class of the edge i, j; an edge with a single arrowhead points at j."""
    mark = graph.mark(i, j)
    return "directed" if mark == "forward" else mark


def _edge(
    names: Sequence[str], edge: tuple[int, int], line: EdgeRoute, kind: str, width: float, share: float | None
) -> tuple[str, str]:
    """Return the SVG of an edge without its closing tag, and its label."""
    size = 8 + 1.6 * width
    start, end = line.start, line.end
    heads = []
    for drawn, tip, origin in zip(ENDS.get(kind, ()), (start, end), (line.first, line.last), strict=False):
        heads.append(_head(tip, origin, size) if drawn == "head" else _circle(tip, origin))
    if kind in ENDS:
        start, end = towards(start, line.first, 0.8 * size), towards(end, line.last, 0.8 * size)
    elif kind not in ("undirected", "determined"):
        heads.append(_head(end, line.last, size))
        end = towards(end, line.last, 0.8 * size)
    if kind == "conflict":
        heads.append(_head(start, line.first, size))
        start = towards(start, line.first, 0.8 * size)
    bends = "".join(f"L{_xy(begin)}Q{_xy(bend)} {_xy(stop)}" for begin, bend, stop in line.curves)
    faint = "" if share is None else f' opacity="{max(0.25, share):.2f}"'
    notes = [
        note
        for note, shown in (("!", kind == "conflict"), ("?", "doubt" in kind), ("=", kind == "determined"))
        if shown
    ]
    if share is not None and share < NEARLY_SURE:
        notes.append(format_share(share))
    ends = f" {WORDS.get(kind) or ARROWS[kind]} ".join(names[k] for k in edge)
    drawn = (
        f'<g class="{kind}" data-edge="{edge[0]} {edge[1]}"{faint}><title>{escape(one_line(ends))}</title>'
        f'<path d="M{_xy(start)}{bends}L{_xy(end)}" stroke-width="{width:.2f}"/>{"".join(heads)}'
    )
    return drawn, " ".join(notes)


def _circle(tip: Point, origin: Point) -> str:
    x, y = towards(tip, origin, CIRCLE_RADIUS)
    return f'<circle class="open-end" cx="{x:.1f}" cy="{y:.1f}" r="{CIRCLE_RADIUS}"/>'


def _head(tip: Point, origin: Point, size: float) -> str:
    x, y = towards(tip, origin, size)
    dx, dy = (tip[1] - y) * 0.42, (x - tip[0]) * 0.42
    corners = [tip, (x + dx, y + dy), (x - dx, y - dy)]
    return f'<path class="head" d="M{"L".join(map(_xy, corners))}Z"/>'


def _note(at: Point, text: str) -> str:
    return f'<text class="note" x="{at[0]:.1f}" y="{at[1] + 4:.1f}">{text}</text>'


def _nodes(places: Places, names: Sequence[str], labels: Sequence[str]) -> Iterator[str]:
    for (x, y), (w, h), name, label in zip(places.xy.tolist(), places.size.tolist(), names, labels, strict=True):
        below = 0.34 * places.font if places.pills else 1.55 * places.font
        yield (
            f'<g transform="translate({x:.1f} {y:.1f})"><title>{escape(one_line(name))}</title>'
            f'<rect x="{-w / 2:.1f}" y="{-h / 2:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{h / 2:.1f}"/>'
            f'<text y="{below:.1f}" font-size="{format_setting(places.font)}">{escape(label)}</text></g>'
        )


def _xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
