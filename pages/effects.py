"""Effects: paths, adjustment sets and effects between two variables, and the fit of the graph to the data."""

import streamlit as st

from pages.blocks import address, table_mismatch
from pages.blocks.effects import answers, drawing, question, roles
from pages.blocks.inspect import panels
from pages.session import network_draft, state
from pages.session.initial_value import initial
from pages.session.words import labels_of, t, written
from viz.text import as_sentence, escape_markdown

SOURCES = {roles.LEARNED: "Learned", roles.DRAWN: "From Build"}
run = state.current_run()
is_drawn = st.session_state.get(roles.SOURCE) == roles.DRAWN
if run is None and not is_drawn:
    panels.no_run()
    st.page_link("pages/build.py", label=t("Draw or paste a graph"), icon=":material/draw:")
    st.stop()

if run is not None and not is_drawn:
    table_mismatch.say(run, "effects")


@st.fragment
def effects() -> None:
    """Show graph and answers; a click reruns only this fragment."""
    if state.current_run() is not run:  # the user picked another run
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="effects_head"):
        st.title(t("Effects"), anchor=False, width="content")
        chosen = st.segmented_control(
            t("Graph"), list(SOURCES), default=initial(roles.SOURCE, roles.LEARNED), required=True,
            key=roles.SOURCE, format_func=labels_of(SOURCES), persist_state="session", label_visibility="collapsed",
        )  # fmt: skip
        drawn = chosen == roles.DRAWN or run is None
        if not drawn:
            panels.pick_run("effects")
        views = answers.DRAWN_VIEWS if drawn else answers.VIEWS
        key = "effects_view_drawn" if drawn else roles.VIEW
        view = st.segmented_control(
            t("Question"), list(views), default=initial(key, answers.PATHS), required=True, format_func=labels_of(),
            persist_state="session", key=key, label_visibility="collapsed",
        )  # fmt: skip
        if not drawn:
            graph, refusal = question.graph_to_ask(run)
    if drawn:
        _of_drawing(view)
        return
    if graph is None:
        st.info(escape_markdown(written(as_sentence(refusal))), icon=":material/call_split:")
        return
    asked = question.roles(run, graph, is_symmetric=view == answers.PATHS, of_pair=view != answers.FIT)
    picture, words = st.columns([3, 2], gap="medium")
    with words:
        data = answers.VIEWS[view](asked)
    with picture:
        question.picture(asked, data)
    address.write("effects")


def _of_drawing(view: str) -> None:
    """Show answers on the drawn graph."""
    here = network_draft.sheet()
    if len(here.draft.names) < 2:
        st.info(t("A question needs two variables. Draw or paste a graph on Build."), icon=":material/draw:")
        st.page_link("pages/build.py", label=t("Open Build"), icon=":material/draw:")
        return
    asked = drawing.ask(here, is_symmetric=view == answers.PATHS)
    picture, words = st.columns([3, 2], gap="medium")
    with words:
        data = answers.DRAWN_VIEWS[view](asked)
    with picture:
        drawing.picture(here, asked, data)


effects()
