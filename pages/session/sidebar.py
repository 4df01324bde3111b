"""The sidebar: the data and the run on screen."""

from __future__ import annotations

import streamlit as st

from pages.session import state, workspace
from pages.session.jobs import runner
from viz.text import MAX_TITLE_LENGTH, count, escape_markdown, shorten


def show(*, watches: bool) -> None:
    """Show the data and the run on screen, and the run in progress unless the page itself `watches` it."""
    with st.sidebar:
        here, run = state.source(), state.current_run()
        st.caption("Data")
        if here is None:
            st.write("none yet")
        else:
            st.markdown(f"**{escape_markdown(shorten(here.title, MAX_TITLE_LENGTH))}**")
            if here.dataset is None:
                st.write("Fix the problems on the Data page.")
            else:
                st.write(f"{count(here.dataset.n, 'row')}, {count(here.dataset.p, 'variable')}, {here.dataset.kind}")
        st.caption("Run on screen")
        if run is None:
            st.write("none yet")
        else:
            st.markdown(escape_markdown(run.label))
        if workspace.problem():
            st.warning(
                escape_markdown(f"Your newest work is not saved: {workspace.problem()}."), icon=":material/save:"
            )
        # Only one timer at a time: a request of a second one, after the first has led to another page, would empty
        # that page.
        watched_there = watches and here is not None and here.dataset is not None
        if st.session_state.job is not None and not watched_there:
            runner.watch_from_elsewhere()
