"""Inspect: the graph with its scrubber, other views of it, and why each edge is, or is not, there."""

import streamlit as st

from pages.blocks.inspect import graphs, panels, walks
from pages.blocks.inspect.downloads import downloads
from pages.blocks.inspect.parts import show_parts
from pages.blocks.inspect.why import explain_pair
from pages.session import state

state.enter_through_app()
run = panels.pick_run("inspect")
if run is None:
    panels.no_run()
    st.stop()

panels.warnings_of(run)
panels.blanket_of(run)


@st.fragment
def inspect() -> None:
    """Numbers, picture and explanation at one step of the run; a click or a drag reruns only this."""
    numbers = st.container()
    view = panels.pick_view(run)
    picture, why = st.columns([3, 2], gap="medium")
    with picture:
        if view == "Graph":
            graphs.graph(run, "inspect")
        graph = walks.shown_graph(run)
        if view == "Network":
            graphs.network(run, graph)
        elif view == "Matrix":
            panels.matrix(run, graph)
        elif view == "Table":
            panels.tables_of(run, graph)
        panels.stale(run)
        show_parts(run)
    with numbers:
        panels.metrics_strip(run, graph)
        panels.pin(run, graph)
    with why:
        explain_pair(run)
    panels.in_words(run, graph)


inspect()
panels.equivalence_class(run)
downloads(run)
