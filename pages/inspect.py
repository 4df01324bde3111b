"""Inspect: the graph with its scrubber, other views of it, and why each edge is, or is not, there."""

import streamlit as st

from pages.blocks import address, belonging, presenting, sharing
from pages.blocks.inspect import graphs, heat_map, live_form, panels, papers, quizzing, walks, what_if, why
from pages.blocks.inspect.downloads import downloads
from pages.blocks.inspect.matrix import matrix
from pages.blocks.inspect.numbers import numbers_line
from pages.blocks.inspect.parts import show_parts
from pages.blocks.inspect.tables import tables_of
from pages.session import notes, saving, state

run = state.current_run()
if run is None:
    panels.no_run()
    st.stop()

if presenting.mode():
    graphs.for_hall(run)
    st.stop()
belonging.say(run, "inspect")
papers.say_verdict(run)


@st.fragment
def inspect() -> None:
    """Numbers, picture and explanation at one step of the run; a click or a drag reruns only this."""
    if state.current_run() is not run:  # another one was picked
        st.rerun()
    if quiz := quizzing.current(run):
        quizzing.show(run, quiz)
        address.write("inspect")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect_head"):
        panels.pick_run("inspect")
        numbers = st.container(width="content")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect_tools"):
        view = panels.pick_view(run)
        ways_on = st.container(horizontal=True, width="content", vertical_alignment="center", gap="small")
    panels.nothing_left(run)
    room = st.container(horizontal=True, key="inspect_room")
    with room.container(key="inspect_picture"):
        if view == "Graph":
            graphs.graph(run, "inspect")
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="what_if"):
                what_if.pick(run)
                live_form.settings(run)
            what_if.below(run)
            live_form.refused(run)
            heat_map.show(run)
        graph = walks.shown_graph(run)
        if view == "Network":
            graphs.network(run, graph)
        elif view == "Matrix":
            matrix(run, graph)
        elif view == "Table":
            tables_of(run, graph)
    with numbers:
        numbers_line(run, graph)
    with ways_on:
        if not why.opened(run):
            st.button("Explain a pair", key="why_unfold", icon=":material/help:", on_click=why.unfold)
        panels.pin(run, graph)
        quizzing.offer(run)
        presenting.offer("inspect")
    if why.opened(run):
        with room.container(key="inspect_why"):
            why.explain_pair(run, walks.current_walk(run).at(run))
    panels.caveat(graph)
    panels.stale(run)
    panels.warnings_of(run)
    panels.blanket_of(run)
    show_parts(run)
    panels.in_words(run, graph)
    address.write("inspect")
    saving.note()


inspect()
belonging.truth_is_gone(run)
panels.equivalence_class(run)
notes.ask("Your note on this run", run.ticket)
downloads(run)
sharing.offer([run], "inspect")
