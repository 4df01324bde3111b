"""A session opened by a shared link: it shows the runs of the link and saves nothing."""

from __future__ import annotations

from functools import partial

import streamlit as st

from learners.common.errors import DataError, LearnersError
from learners.store import runs, share_links
from learners.store.share_links import ShareLink
from pages.session import restore, storage, workspace
from pages.session.serialize import Reader
from pages.session.storage import Place

QUERY = "s"
LINK, REFUSED = "shared_link", "shared_refused"


def link() -> ShareLink | None:
    """Return the link that opened this session; None in all other sessions."""
    return st.session_state.get(LINK)


def refused() -> str:
    """Return the reason why the link in the address bar is invalid; empty if it is valid or missing."""
    return st.session_state.get(REFUSED, "")


def hides_table() -> bool:
    """Return True if this session may show runs but no rows."""
    return link() is not None and not link().data


def look() -> None:
    """Follow the link in the address bar, at the very beginning of a session."""
    asked = st.query_params.get(QUERY, "")
    if not asked or LINK in st.session_state or workspace.PLACE in st.session_state:
        return
    st.session_state[workspace.PLACE] = Place("")  # so that nothing is saved to the viewer's own workspace
    try:
        if not storage.health().keeps:
            raise DataError(share_links.GONE)
        st.session_state[LINK] = share_links.find(storage.opened(), asked)
    except LearnersError as error:
        st.session_state[REFUSED] = str(error)


def restore_session() -> bool:
    """Show the content of the link, else that of the workspace; return False if there is neither."""
    shared, database = link(), storage.store()
    if shared is None:
        return restore.restore_workspace()
    reader = Reader(partial(database.part, shared.workspace))
    try:
        shown = [restore.run_of(reader, kept) for kept in runs.read(database, shared.workspace, shared.runs)]
    except LearnersError as error:
        shown, st.session_state[REFUSED] = [], str(error)
    if not shown:
        st.session_state.setdefault(REFUSED, share_links.GONE)
        return False
    st.session_state.update(source=shown[-1].source, runs=shown, current=0)
    st.session_state.compare_follow = len(shown)
    return True
