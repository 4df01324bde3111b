"""Everything that can be taken home from a run."""

from __future__ import annotations

import re
from functools import partial

import streamlit as st

from learners.io import interchange
from learners.io.edge_csv import to_adjacency_csv, to_edge_csv
from learners.results.result import about
from pages.session import arranging, by_hand
from pages.session.state import Run
from viz.network import network_html


def downloads(run: Run) -> None:
    """One button a format; each file is made when it is asked for."""
    graph, names, strengths = run.result.graph, run.result.names, run.result.strengths
    # Now: a file is made outside the session, which cannot be asked then.
    places = by_hand.places(run, arranging.chosen(run))
    page = partial(network_html, run.result, graph, places, title=run.title)
    stem = "edgewise_" + re.sub(r"\W+", "_", run.title)[:40].strip("_")
    files = [
        ("Edges (CSV)", "csv", "text/csv", lambda: to_edge_csv(graph, names, strengths, run.result.directions)),
        ("Adjacency (CSV)", "matrix.csv", "text/csv", lambda: to_adjacency_csv(graph, names)),
        ("Graph (JSON)", "json", "application/json", lambda: interchange.to_json(graph, names, about(run.result))),
        ("DAGitty", "dagitty.txt", "text/plain", lambda: interchange.to_dagitty(graph, names)),
        ("DOT", "dot", "text/vnd.graphviz", lambda: interchange.to_dot(graph, names)),
        ("GraphML", "graphml", "application/xml", lambda: interchange.to_graphml(graph, names, strengths)),
        ("Interactive page (HTML)", "html", "text/html", page),
    ]
    st.caption("Take it home. The picture as shown (SVG, PNG) is saved from the graph's own toolbar.")
    with st.container(horizontal=True):
        for label, suffix, mime, make in files:
            st.download_button(
                label,
                make,
                f"{stem}.{suffix}",
                mime,
                key=f"download_{suffix.replace('.', '_')}",
                on_click="ignore",
                icon=":material/download:",
            )
