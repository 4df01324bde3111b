"""Start: a finished result, and the ways to continue."""

import streamlit as st

from learners.io.samples import SAMPLES
from pages.blocks.inspect import graphs, panels
from pages.session import state
from viz.text import escape_markdown

with st.container(horizontal=True, vertical_alignment="center", key="start_head"):
    st.title("Which variables depend on one another, and why?", anchor=False, width="stretch")
    uploads = st.button("Upload my CSV", type="primary", icon=":material/upload:", key="start_upload")
if uploads:
    st.switch_page("pages/data.py")
st.caption(
    "Edgewise learns the structure of a Bayesian network from a table, shows how it came about step by step, "
    "and tells you why each edge is there. "
    "New here? [Begin with a lesson of ten minutes](lessons?lesson=01-d-separation)."
)

run = state.current_run()
if run is None:
    panels.no_run()
else:
    picture, notes = st.columns([3, 1], gap="medium")
    with picture:
        graphs.graph_fragment(run, "start")
        panels.caveat(run.result.graph)
    with notes:
        st.page_link("pages/inspect.py", label="Ask an edge why it is there", icon=":material/help:")
        for number, sentence in enumerate(panels.callouts_of(run)):
            with st.container(border=True):
                st.markdown(escape_markdown(sentence))
                st.button(
                    "Got it",
                    key=f"start_seen_{run.number}_{number}",
                    type="tertiary",
                    on_click=panels.dismiss_callout,
                    args=(run, sentence),
                )

st.subheader("Or a sample", anchor=False)
with st.container(horizontal=True):
    for key, sample in SAMPLES.items():
        if st.button(sample.title, help=escape_markdown(sample.description), key=f"start_sample_{key}"):
            state.use_sample(key)
            st.switch_page("pages/learn.py" if state.source().dataset is not None else "pages/data.py")
