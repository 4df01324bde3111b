"""A banner on every page while nothing can be saved."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from learners.store.faults import Fault, StoreFault
from pages.blocks.projects import project_list
from pages.session import autosave, state, storage, workspace
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown

SHOWN = "outage_shown"
POLL_SECONDS = 5.0
SOON = 0.3  # seconds of waiting for a save, so that its fault is shown at once


def banner(page: str) -> None:
    """Warn that nothing is saved; afterwards, show where the unsaved work is."""
    fault, here = storage.fault(), workspace.place()
    is_shown = st.session_state[SHOWN] = fault is not None and workspace.is_wanted() and "runs" in st.session_state
    if is_shown:
        with st.container(key="outage"):
            _warn(fault)
        _poll(fault)
    elif not here.was_read and here.project:
        st.info(
            t("Saving works again. The work of this tab is a separate project; earlier work is on the Projects page."),
            icon=":material/cloud_done:",
        )
        here.was_read = page == "projects"  # that page shows the earlier work, so the notice is shown no longer


def _warn(fault: Fault) -> None:
    reason = escape_markdown(t("Your work is not being saved: {reason}.", reason=written(fault.said)))
    advice = t("It will be saved once the storage is back. Keep this tab open, or export the project.")
    earlier = "" if workspace.place().was_read else t("Your earlier work will be shown then.")
    remedy = escape_markdown(t("If you run this server: {remedy}", remedy=written(fault.remedy)))
    st.warning(
        f"**{reason}** {advice} {earlier}\n\n{remedy}",
        icon=":material/cloud_off:",
    )
    data = st.toggle(t("Include the data"), key="outage_data", help=t(project_list.WITHOUT))
    name, file = autosave.exported(data=data)
    st.download_button(
        t("Export project"), file, project_list.file_name(name), "application/zip",
        icon=":material/download:", on_click="ignore", key="outage_export",
    )  # fmt: skip


@st.fragment(run_every=POLL_SECONDS)
def _poll(fault: Fault) -> None:
    """Redraw the page once the outage is over or has another reason."""
    if storage.fault() != fault:
        state.forget_timers()
        st.rerun()


def show_new(*, has_saved: bool) -> None:
    """Redraw the page if an outage began while it was drawn."""
    if has_saved:
        with suppress(TimeoutError):
            storage.writer().wait(SOON)
    if storage.fault() is not None and workspace.is_wanted() and not st.session_state[SHOWN]:
        st.rerun()


def refuse(error: StoreFault) -> None:
    """Show why a page or an action is unavailable."""
    sentence = str(error)
    st.error(escape_markdown(written(as_sentence(sentence))), icon=":material/cloud_off:")
