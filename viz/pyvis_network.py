"""Graph as an offline HTML page with draggable nodes, made with pyvis.

Nodes and routes of edges are the same as in the other pictures: vis.js draws only the nodes, and `pyvis_routes.js`
draws the edges.

pyvis links to external style sheets even when it should inline everything, and renders a title that contains "href" as
HTML. Therefore external links are removed and checked, and user text reaches labels only, as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from html import escape
from pathlib import Path

import numpy as np

from learners.explaining.support import is_determined
from learners.graphs.graph import PDAG
from learners.graphs.pag import ARROW, CIRCLE, PAG
from learners.results.events import Action
from learners.results.result import LearnResult

from .bundle import bundle
from .cluster_marks import blend, mark
from .cluster_marks import colour as colour_of
from .layout.printed_graph import place
from .text import MAX_NAME_LENGTH, short_names, shorten
from .weak_evidence import doubtful

CHOSEN, CONFLICT = "#D55E00", "#CC79A7"
LEGEND = (
    "Arrow: same direction in all equivalent graphs. Plain line: direction open. "
    "Dashed arrow with ?: direction weakly supported. Line with =: linked (nearly) by a function, such as a copy. "
    "Dashed line with two arrowheads and !: conflicting evidence on the direction. Drag a node to move it."
)
OPTIONS = {
    "physics": {"enabled": False, "barnesHut": {"gravitationalConstant": -4000, "springLength": 110}},
    "interaction": {"hover": True, "keyboard": {"enabled": True, "bindToWindow": False}, "navigationButtons": True},
    "edges": {"smooth": False, "hidden": True},
}
TINT = 0.28  # share of the cluster colour in the fill of a node
ROUTES = Path(__file__).parent / "pyvis_routes.js"
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
    """Return an HTML page with inlined scripts that shows a graph with draggable nodes.

    While a node is dragged, springs move the others.

    Parameters
    ----------
    result : LearnResult
    graph : PDAG
    positions : (p, 2) float array
        In [0, 1].
    dark : bool
    height : int
        In pixels.
    selected : pair of int, optional
        Pair drawn in orange.
    fixed : collection of int
        Nodes that springs do not move.
    labels : (p,) int array, optional
        Cluster of each variable, shown by colour and letter.
    title : str
        Heading above the graph; a legend follows it.

    Raises
    ------
    RuntimeError
        If the page refers to another server.
    """
    from pyvis.network import Network  # imported late, because it loads IPython and would slow down the start

    arrow, text, background, fill = COLOURS[dark]
    network = Network(
        height=f"{height}px", width="100%", directed=True, cdn_resources="in_line", bgcolor=background, font_color=text
    )
    labelled = short_names(result.names, MAX_NAME_LENGTH)
    places = place(np.asarray(positions, dtype=float), labelled)
    looks = {"shape": "box"} if places.pills else {"shape": "dot", "size": float(places.size[0, 0]) / 2}
    looks["font"] = {"size": places.font, "color": text}
    for k, (x, y) in enumerate(places.xy.tolist()):
        label, border, ground = labelled[k], arrow, fill
        if labels is not None:
            cluster = int(labels[k])
            label, border = f"{mark(cluster)} · {label}", colour_of(cluster)
            ground = blend(border, background, TINT)
        border = CHOSEN if selected and k in selected else border
        colour = {"background": ground, "border": border}
        network.add_node(k, label=label, x=x, y=y, color=colour, physics=k not in fixed, **looks)
    clash, known = conflicts(result, graph), graph == result.graph
    for i, j in graph.edges():
        undirected = bool(graph.amat[j, i])
        colour = CHOSEN if selected and {i, j} == set(selected) else text if undirected else arrow
        if isinstance(graph, PAG):
            network.add_edge(i, j, arrows=_ends(graph, i, j), color=colour, width=2)
        elif is_determined(result, i, j):
            network.add_edge(i, j, arrows="", color=CHOSEN if colour == CHOSEN else text, width=2, label="=")
        elif known and not undirected and doubtful(result, i, j):
            network.add_edge(i, j, arrows="to", color=colour, width=2, dashes=True, label="?")
        elif undirected and frozenset((i, j)) in clash:
            network.add_edge(i, j, arrows="to, from", color=CONFLICT, width=2, dashes=True, label="!")
        else:
            network.add_edge(i, j, arrows="" if undirected else "to", color=colour, width=2)
    network.options = OPTIONS
    page = EXTERNAL.sub("", network.generate_html(notebook=False))
    page = _routed(page, springs=len(fixed) < len(result.names), ink=text, paper=background)
    if title:
        page = _titled(page, title, text)
    if OUTSIDE.search(page):
        raise RuntimeError("the page still refers to another server")
    return page


VIS_ENDS = {CIRCLE: "circle", ARROW: "arrow"}


def _ends(graph: PAG, i: int, j: int) -> dict[str, dict]:
    """Return the ends of an edge of a PAG as options of vis.js."""
    ends = {"from": int(graph.marks[j, i]), "to": int(graph.marks[i, j])}
    return {name: {"enabled": True, "type": VIS_ENDS[end]} for name, end in ends.items() if end in VIS_ENDS}


def conflicts(result: LearnResult, graph: PDAG) -> set[frozenset[int]]:
    """Return the pairs with conflicting evidence on their direction in the finished run."""
    if graph != result.graph:
        return set()
    hit = result.trace.action == Action.CONFLICT
    return {frozenset(pair) for pair in zip(result.trace.i[hit].tolist(), result.trace.j[hit].tolist(), strict=True)}


def _routed(page: str, **options: object) -> str:
    """Add the script that draws the edges."""
    draw = f"drawRoutes(network, nodes, edges, {json.dumps(options)});"
    before, end, after = page.rpartition("</body>")
    return f"{before}<script>(() => {{\n{bundle(ROUTES)}\n{draw}\n}})();</script>{end}{after}"


def _titled(page: str, title: str, colour: str) -> str:
    """Add a heading and a legend to the page, both as text."""
    shown = escape(shorten(title, 120))
    head = (
        f'<div style="color:{colour};font-family:sans-serif;margin:8px 12px">'
        f'<h1 style="font-size:1.3rem;margin:0">{shown}</h1><p style="margin:4px 0">{escape(LEGEND)}</p></div>'
    )
    page = page.replace("<head>", f"<head><title>{shown}</title>", 1)
    return page.replace("<body>", f"<body>{head}", 1)
