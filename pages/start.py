"""Start: a finished result, and links to the next pages."""

import streamlit as st

from learners.io.samples import SAMPLES
from pages.blocks.inspect import graphs, panels
from pages.session import state
from pages.session.state import Run
from pages.session.words import counted, t, table_title, written
from viz.text import escape_markdown


def _remark(run: Run, number: int, sentence: str) -> None:
    """Show a remark on the run until the user dismisses it."""
    with st.container(border=True):
        st.markdown(escape_markdown(written(sentence)))
        st.button(
            t("Dismiss remark"), key=f"start_seen_{run.number}_{number}", type="tertiary",
            on_click=panels.dismiss_callout, args=(run, sentence),
        )  # fmt: skip


with st.container(horizontal=True, vertical_alignment="center", key="start_head"):
    st.title(t("Learn a Bayesian network from a table"), anchor=False, width="stretch")
    uploads = st.button(t("Upload a table"), type="primary", icon=":material/upload:", key="start_upload")
if uploads:
    st.switch_page("pages/data.py")
st.caption(t("Edgewise explains each edge. New here? [Ten-minute lesson](lessons?lesson=01-d-separation)."))

run = state.current_run()
if run is None:
    panels.no_run()
else:
    picture, notes = st.columns([3, 1], gap="medium")
    with picture:
        graphs.graph_fragment(run, "start")
        panels.caveat(run.result.graph, run.result)
    with notes:
        remarks = panels.callouts_of(run)
        if remarks:
            _remark(run, 0, remarks[0])
        if len(remarks) > 1:
            with st.expander(counted(len(remarks) - 1, "more remark"), key="start_remarks"):
                for number, sentence in enumerate(remarks[1:], 1):
                    _remark(run, number, sentence)

st.subheader(t("Samples"), anchor=False)
with st.container(horizontal=True):
    for key, sample in SAMPLES.items():
        if st.button(table_title(sample.title), help=escape_markdown(t(sample.description)), key=f"start_sample_{key}"):
            state.use_sample(key)
            st.switch_page("pages/learn.py" if state.source().dataset is not None else "pages/data.py")
