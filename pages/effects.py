"""Effects: paths, adjustment sets and effects between two variables, and the fit of the graph to the data."""

import streamlit as st

from pages.blocks import table_mismatch
from pages.blocks.effects import answers, question
from pages.blocks.inspect import panels
from pages.session import state
from viz.text import as_sentence, escape_markdown

run = state.current_run()
if run is None:
    panels.no_run()
    st.stop()

table_mismatch.say(run, "effects")


@st.fragment
def effects() -> None:
    """Show graph and answers; a click reruns only this fragment."""
    if state.current_run() is not run:  # another one was picked
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="effects_head"):
        st.title("Effects", anchor=False, width="content")
        panels.pick_run("effects")
        view = st.segmented_control(
            "Ask", list(answers.VIEWS), default="Paths", required=True, key="effects_view", persist_state="session",
            label_visibility="collapsed",
        )  # fmt: skip
        graph, refusal = question.graph_to_ask(run)
    if graph is None:
        st.info(escape_markdown(as_sentence(refusal)), icon=":material/call_split:")
        return
    asked = question.roles(run, graph)
    picture, words = st.columns([3, 2], gap="medium")
    with words:
        data = answers.VIEWS[view](asked)
    with picture:
        question.picture(asked, data)


effects()
