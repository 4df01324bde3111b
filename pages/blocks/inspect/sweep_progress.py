"""A sweep that fills itself while it is looked at: how far it has come, and Cancel."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session import state
from pages.session.jobs.progress import in_line
from pages.session.sweeps import Strip
from viz.sweeping.strip import progress_sentence


def watch(strip: Strip, is_open: Callable[[], bool], key: str) -> None:
    """Nothing once the last has been drawn; until then the page is drawn anew when there is more.

    Parameters
    ----------
    strip : Strip
    is_open : callable
        Whether it has not been put away.
    key : str
        Of the button.
    """
    if strip.drawn is not None:
        st.fragment(_look, run_every=strip.pause)(strip, is_open, key)


def _look(strip: Strip, is_open: Callable[[], bool], key: str) -> None:
    """Looks at it; also while the page is drawn, which goes on to its end whatever has come since it began."""
    if not is_open():
        return
    if strip.is_due():
        if not strip.running:
            state.forget_timers()
        st.rerun(scope="app")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_how_far(strip), width="content")
        if st.button("Cancel", key=key, icon=":material/stop:", disabled=strip.job.cancelled):
            strip.job.cancel()


def _how_far(strip: Strip) -> str:
    return progress_sentence(strip.graphs) if strip.job.begun else in_line(strip.job.progress)
