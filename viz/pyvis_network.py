"""The pyvis view: a network to drag, and a page that works offline.

pyvis asks for styles from a content network even when told to inline everything, and shows a title that contains
"href" as HTML. So outside links are removed and checked for, and user text only ever reaches labels, as text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.events import Action
from learners.results.result import LearnResult

from .cluster_marks import blend, mark
from .cluster_marks import colour as colour_of
from .text import shorten

CHOSEN, CONFLICT = "#D55E00", "#CC79A7"
LEGEND = (
    "Arrow: the direction is the same in every graph that fits. Plain line: the direction is open. "
    "Dashed line with two arrowheads and !: conflicting evidence on the direction. Drag a node to move it."
)
OPTIONS = {
    "physics": {"enabled": True, "barnesHut": {"gravitationalConstant": -4000, "springLength": 110}},
    "interaction": {"hover": True, "keyboard": {"enabled": True, "bindToWindow": False}, "navigationButtons": True},
    "edges": {"smooth": False},
}
TINT = 0.28  # of a cluster's colour in its nodes
SCALE = 900  # pixels a layout unit
COLOURS = {False: ("#0072B2", "#31333F", "#ffffff", "#e8f1f8"), True: ("#56B4E9", "#fafafa", "#0e1117", "#1f3a4d")}
EXTERNAL = re.compile(r"<(script|link)\b[^>]*\b(src|href)\s*=\s*[\"'](https?:)?//[^>]*>(\s*</script>)?", re.I)
OUTSIDE = re.compile(r"(?:src|href)\s*=\s*[\"'](?:https?:)?//", re.I)


def network_html(
    result: LearnResult,
    graph: PDAG,
    positions: np.ndarray,
    *,
    dark: bool = False,
    height: int = 600,
    selected: tuple[int, int] | None = None,
    fixed: Collection[int] = (),
    labels: np.ndarray | None = None,
    title: str = "",
) -> str:
    """One HTML page, scripts inlined, that shows `graph` with nodes to drag and springs between them.

    The pair `selected` is drawn in orange, and no spring moves the nodes `fixed`. With `labels`, the cluster of each
    variable, a node has its colour and letter. A `title` is set on top, with a line that says what the marks mean.

    Raises
    ------
    RuntimeError
        If the page would ask anything of another server.
    """
    from pyvis.network import Network  # it loads IPython, for which no start should wait

    arrow, text, background, fill = COLOURS[dark]
    network = Network(
        height=f"{height}px", width="100%", directed=True, cdn_resources="in_line", bgcolor=background, font_color=text
    )
    for k in range(len(result.names)):
        x, y = (positions[k] * SCALE).tolist()
        label, border, ground = shorten(result.names[k]), arrow, fill
        if labels is not None:
            cluster = int(labels[k])
            label, border = f"{mark(cluster)} · {label}", colour_of(cluster)
            ground = blend(border, background, TINT)
        border = CHOSEN if selected and k in selected else border
        colour = {"background": ground, "border": border}
        network.add_node(k, label=label, x=x, y=y, shape="box", color=colour, physics=k not in fixed)
    clash = conflicts(result, graph)
    for i, j in graph.edges():
        undirected = bool(graph.amat[j, i])
        colour = CHOSEN if selected and {i, j} == set(selected) else text if undirected else arrow
        if undirected and frozenset((i, j)) in clash:
            network.add_edge(i, j, arrows="to, from", color=CONFLICT, width=2, dashes=True, label="!")
        else:
            network.add_edge(i, j, arrows="" if undirected else "to", color=colour, width=2)
    network.options = OPTIONS
    page = EXTERNAL.sub("", network.generate_html(notebook=False))
    if title:
        page = _titled(page, title, text)
    if OUTSIDE.search(page):
        raise RuntimeError("the page still refers to another server")
    return page


def conflicts(result: LearnResult, graph: PDAG) -> set[frozenset[int]]:
    """Pairs whose direction the evidence of the finished run contradicts."""
    if graph != result.graph:
        return set()
    hit = result.trace.action == Action.CONFLICT
    return {frozenset(pair) for pair in zip(result.trace.i[hit].tolist(), result.trace.j[hit].tolist(), strict=True)}


def _titled(page: str, title: str, colour: str) -> str:
    """The page under a heading and a legend, both as text."""
    shown = escape(shorten(title, 120))
    head = (
        f'<div style="color:{colour};font-family:sans-serif;margin:8px 12px">'
        f'<h1 style="font-size:1.3rem;margin:0">{shown}</h1><p style="margin:4px 0">{escape(LEGEND)}</p></div>'
    )
    page = page.replace("<head>", f"<head><title>{shown}</title>", 1)
    return page.replace("<body>", f"<body>{head}", 1)
