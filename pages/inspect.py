"""Inspect: the graph with its slider, other views of it, and the explanation of a pair of variables."""

import streamlit as st

from pages.blocks import address, next_focus, presenter, shared_links, table_mismatch
from pages.blocks.inspect import (
    explanation,
    graphs,
    heat_map,
    panels,
    quiz,
    report_files,
    selection,
    settings_form,
    slider_modes,
    verdict,
    what_if,
)
from pages.blocks.inspect.edge_table import tables_of
from pages.blocks.inspect.exports import downloads
from pages.blocks.inspect.matrix import matrix
from pages.blocks.inspect.measures import numbers_line
from pages.blocks.inspect.parts import show_parts
from pages.session import autosave, notes, quizzes, state
from pages.session.state import Run
from pages.session.words import language, t

run = state.current_run()
if run is None:
    panels.no_run()
    st.stop()

if presenter.mode():
    graphs.for_hall(run)
    st.stop()
table_mismatch.say(run, "inspect")
report_files.say_verdict(run)


def of_the_run(run: Run) -> None:
    """Show what holds for the run itself, but not for the graph at another value of a sweep."""
    panels.chosen_by(run)
    panels.warnings_of(run)
    verdict.fixes_of(run)
    verdict.run_with_curves(run)
    verdict.run_with_hidden(run)
    verdict.compare_parts(run)
    verdict.card(run)
    panels.blanket_of(run)
    show_parts(run)


@st.fragment
def inspect() -> None:
    """Show numbers, picture and explanation at one step of the run; a click or a drag reruns only this fragment."""
    verdict.collect(run)
    if state.current_run() is not run:  # the user picked another run
        st.rerun()
    if under_way := quizzes.current(run):
        quiz.show(run, under_way)
        address.write("inspect")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect_head"):
        st.title(t("Inspect"), anchor=False, width="content")
        panels.pick_run("inspect")
        numbers = st.container(key="inspect_numbers")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inspect_tools"):
        view, options = panels.pick_view(run)
        ways_on = st.container(horizontal=True, width="content", vertical_alignment="center", gap="small")
    panels.nothing_left(run)
    room = st.container(horizontal=True, key="inspect_room")
    with room.container(key="inspect_picture"):
        if view == "Graph":
            graphs.graph(run, "inspect")
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="what_if"):
                what_if.pick(run)
                settings_form.settings(run)
            what_if.below(run)
            settings_form.refused(run)
            heat_map.show(run)
        graph, own = slider_modes.shown_graph(run), not what_if.shows_another(run)
        if view == "Network":
            graphs.network(run, graph)
        elif view == "Matrix":
            matrix(run, graph)
        elif view == "Table":
            tables_of(run, graph)
    with numbers:
        numbers_line(run, graph, own=own)
    with ways_on:
        if not selection.opened(run):
            st.button(t("Explain a pair"), key="why_unfold", icon=":material/help:", on_click=explanation.unfold)
        panels.pin(run, graph)
    with options:
        quiz.offer(run)
        presenter.offer("inspect", language())
    if selection.opened(run):
        with room.container(key="inspect_why"):
            explanation.panel(run, slider_modes.current_mode(run).at(run))
    next_focus.place()
    panels.caveat(graph, run.result)
    panels.stale(run)
    if own:
        of_the_run(run)
    panels.in_words(run, graph)
    panels.equivalence_class(run, graph)
    address.write("inspect")
    autosave.note()


inspect()
table_mismatch.truth_is_gone(run)
notes.ask(t("Run note"), run.ticket)
downloads(run)
shared_links.offer([run], "inspect")
