"""Small pictures of terms, each drawn from a graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from learners.lessons.graph_syntax import read_graph
from learners.lessons.lesson import LessonGraph

from ..layout.positions import layout
from ..report.picture import drawn_svg
from ..text import ARROWS

NEAR = 0.15  # of the room that a graph gets on a page of its own
DRAWN: Mapping[str, tuple[str, ...]] = {
    "adjustment set": ("held -> cause -> effect", "held -> effect"),
    "back-door path": ("other -> cause -> effect", "other -> effect"),
    "chain": ("x -> z -> y",),
    "collider": ("x -> z <- y",),
    "compelled edge": ("x -> z <- y", "z -> w"),
    "CPDAG": ("x -> z <- y", "z -> w -- v"),
    "DAG": ("x -> z <- y", "z -> w -> v"),
    "equivalence class": ("x -- z -- y",),
    "fork": ("x <- z -> y",),
    "instrument": ("instrument -> cause -> effect", "cause <- hidden -> effect"),
    "Markov blanket": ("parent -> it -> child <- spouse",),
    "Meek's rules": ("x -> z -> y",),
    "skeleton": ("x -- z -- y", "z -- w"),
    "spouse": ("it -> child <- spouse",),
    "v-structure": ("x -> z <- y",),
}


@cache
def picture_of(term: str) -> str:
    """The term as an SVG, to be put in a page; empty for those that no graph shows."""
    if term not in DRAWN:
        return ""
    graph = read_graph(DRAWN[term])
    return drawn_svg(graph.graph, graph.names, NEAR * layout(graph.graph), _said(graph))


def _said(graph: LessonGraph) -> str:
    """The picture in words: its edges."""
    edges = [(graph.names[a], ARROWS[graph.graph.mark(a, b)], graph.names[b]) for a, b in graph.graph.edges()]
    return ", ".join(" ".join(edge) for edge in edges)
