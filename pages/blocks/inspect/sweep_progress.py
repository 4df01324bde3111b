"""Progress of a sweep, with Cancel."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session import state
from pages.session.jobs.progress_with_cancel import in_line
from pages.session.sweeps import Strip
from pages.session.words import t, written
from viz.sweeping.strip import progress_sentence


def watch(strip: Strip, is_open: Callable[[], bool], key: str) -> None:
    """Show the progress until the last result is drawn, and redraw the page when new results have arrived.

    Parameters
    ----------
    strip : Strip
    is_open : callable
        Returns True if the sweep is still open.
    key : str
        Key of the button.
    """
    if strip.drawn is not None:
        st.fragment(_look, run_every=strip.pause)(strip, is_open, key)


def _look(strip: Strip, is_open: Callable[[], bool], key: str) -> None:
    """Poll the sweep. A call during a page run does not interrupt that run."""
    if not is_open():
        return
    if strip.is_due():
        if not strip.running:
            state.forget_timers()
        st.rerun(scope="app")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_how_far(strip), width="content")
        if st.button(t("Cancel"), key=key, icon=":material/stop:", disabled=strip.job.cancelled):
            strip.job.cancel()


def _how_far(strip: Strip) -> str:
    return written(progress_sentence(strip.graphs)) if strip.job.begun else in_line(strip.job.progress)
