"""Small pictures of terms, drawn from graphs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from learners.teaching.lessons.graph_syntax import read_graph
from learners.teaching.lessons.lesson import LessonGraph

from ..layout.positions import layout
from ..report.picture import drawn_svg
from ..text import ARROWS

SCALE = 0.15  # size of a picture relative to a full-page graph
DRAWN: Mapping[str, tuple[str, ...]] = {
    "adjustment set": ("confounder -> cause -> effect", "confounder -> effect"),
    "back-door path": ("common -> cause -> effect", "common -> effect"),
    "chain": ("x -> z -> y",),
    "collider": ("x -> z <- y",),
    "compelled edge": ("x -> z <- y", "z -> w"),
    "CPDAG": ("x -> z <- y", "z -> w -- v"),
    "DAG": ("x -> z <- y", "z -> w -> v"),
    "equivalence class": ("x -- z -- y",),
    "fork": ("x <- z -> y",),
    "instrument": ("instrument -> cause -> effect", "cause <- hidden -> effect"),
    "Markov blanket": ("parent -> x -> child <- spouse",),
    "Meek's rules": ("x -> z -> y",),
    "skeleton": ("x -- z -- y", "z -- w"),
    "spouse": ("x -> child <- spouse",),
    "v-structure": ("x -> z <- y",),
}


@cache
def picture_of(term: str) -> str:
    """Return the picture of a term as SVG, or "" if it has none."""
    if term not in DRAWN:
        return ""
    graph = read_graph(DRAWN[term])
    return drawn_svg(graph.graph, graph.names, SCALE * layout(graph.graph), _alt_text(graph))


def _alt_text(graph: LessonGraph) -> str:
    """Return the edges of a graph as alternative text."""
    edges = [(graph.names[a], ARROWS[graph.graph.mark(a, b)], graph.names[b]) for a, b in graph.graph.edges()]
    return ", ".join(" ".join(edge) for edge in edges)
