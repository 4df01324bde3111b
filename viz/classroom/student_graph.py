"""The graph of a question on a student's phone: an SVG whose nodes and edges can be tapped."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from math import hypot

from ..graph_data import EdgeData, GraphViewData, NodeData
from ..text import shorten

WIDTH, HEIGHT, MARGIN_X, MARGIN_Y = 340, 250, 46, 28
HALF_HEIGHT, LETTER, PADDING = 16, 4.2, 12  # half the height of a node, half the width of a letter, and padding
HEAD = 10  # length of an arrowhead
MAX_NODES = 14  # a larger graph is not legible on a phone
MAX_NAME = 14


def student_graph(data: GraphViewData | None, parts: str = "", label: str = "") -> str:
    """Return a graph as SVG without style attributes, which the page's policy forbids; "" if it is too large.

    Parameters
    ----------
    data : GraphViewData or None
        Its last step is drawn.
    parts : str
        What can be tapped: "nodes", "edges", "marks" (edges that turn), or "" for nothing.
    label : str
        Accessible name.
    """
    if data is None or not 0 < len(data["nodes"]) <= MAX_NODES:
        return ""
    half = {node["id"]: PADDING + LETTER * len(shorten(node["label"], MAX_NAME)) for node in data["nodes"]}
    margin = max(MARGIN_X, *(width + 3 for width in half.values()))
    at = {node["id"]: _place(node, margin) for node in data["nodes"]}
    last = data["steps"]["count"] - 1
    edges = "".join(_edge(edge, last, at, half, parts) for edge in data["edges"])
    marks = {k: group["mark"] for k, group in enumerate(data.get("groups", ()))}
    nodes = "".join(_node(node, at, half, marks, parts) for node in data["nodes"])
    name = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" {name}>{edges}{nodes}</svg>'


def _place(node: NodeData, margin: float) -> tuple[float, float]:
    return margin + node["x"] * (WIDTH - 2 * margin), MARGIN_Y + node["y"] * (HEIGHT - 2 * MARGIN_Y)


def _node(node: NodeData, at: dict, half: dict, marks: dict[int, str], parts: str) -> str:
    (x, y), width = at[node["id"]], half[node["id"]]
    part = f' data-part="{node["id"]}"' if parts == "nodes" else ""
    badge = marks.get(node.get("group", -1), "")
    corner = (
        f'<circle class="badge" cx="{x + width:.1f}" cy="{y - HALF_HEIGHT:.1f}" r="9"/>'
        f'<text class="badge-text" x="{x + width:.1f}" y="{y - HALF_HEIGHT + 4:.1f}">{escape(badge)}</text>'
        if badge
        else ""
    )
    return (
        f'<g class="node"{part}><rect x="{x - width:.1f}" y="{y - HALF_HEIGHT:.1f}" width="{2 * width:.1f}" '
        f'height="{2 * HALF_HEIGHT}" rx="{HALF_HEIGHT}"/><text x="{x:.1f}" y="{y + 5:.1f}">'
        f"{escape(shorten(node['label'], MAX_NAME))}</text>{corner}</g>"
    )


def _edge(edge: EdgeData, step: int, at: dict, half: dict, parts: str) -> str:
    mark = next((span[2] for span in edge["spans"] if span[0] <= step < span[1]), "")
    if not mark:
        return ""
    a, b = sorted((edge["a"], edge["b"]))
    if edge["a"] != a:
        mark = {"forward": "backward", "backward": "forward"}.get(mark, mark)
    start, end = _border(at[a], at[b], half[a]), _border(at[b], at[a], half[b])
    turn = next((turn[2] for turn in edge.get("turns", ()) if turn[0] <= step < turn[1]), "")
    part = f' data-part="{a}-{b}"' if parts in ("edges", "marks") else ""
    line = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    heads = "".join(
        f'<path class="head {name}" d="{_head(tip, tail)}"/>'
        for name, tip, tail in (("to-b", end, start), ("to-a", start, end))
    )
    classes = " ".join(filter(None, ("edge", mark, turn)))
    return f'<g class="{classes}"{part}><line class="hit" {line}/><line class="line" {line}/>{heads}</g>'


def _border(inner: tuple[float, float], outer: tuple[float, float], width: float) -> tuple[float, float]:
    """Return the point where the line between two nodes leaves the box of the inner one."""
    dx, dy = outer[0] - inner[0], outer[1] - inner[1]
    scale = min(width / abs(dx) if dx else 9.0, HALF_HEIGHT / abs(dy) if dy else 9.0, 1.0)
    return inner[0] + dx * scale, inner[1] + dy * scale


def _head(tip: tuple[float, float], tail: tuple[float, float]) -> str:
    """Return the path of an arrowhead."""
    length = hypot(tip[0] - tail[0], tip[1] - tail[1]) or 1.0
    ux, uy = (tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length
    bx, by = tip[0] - HEAD * ux, tip[1] - HEAD * uy
    corners = [tip, (bx - HEAD * uy / 2, by + HEAD * ux / 2), (bx + HEAD * uy / 2, by - HEAD * ux / 2)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


def tables_html(tables: Collection[tuple[list[str], list[list[str]]]]) -> str:
    """Return tables of probabilities, each with its column heads and rows."""
    return "".join(_table(heads, rows) for heads, rows in tables)


def _table(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f'<div class="table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
