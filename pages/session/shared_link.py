"""A session that somebody shared: it shows the runs of a link, and nothing that is done in it is kept or told."""

from __future__ import annotations

from functools import partial

import streamlit as st

from learners.common.errors import DataError, LearnersError
from learners.store import links, runs
from learners.store.links import Link
from pages.session import restore, storage, workspace
from pages.session.serialize import Reader
from pages.session.storage import Place

QUERY = "s"
LINK, REFUSED = "shared_link", "shared_refused"


def link() -> Link | None:
    """The link that this session was opened by; None of all others."""
    return st.session_state.get(LINK)


def refused() -> str:
    """Why the link that was asked for leads nowhere; empty if none was, or it does not."""
    return st.session_state.get(REFUSED, "")


def hides_table() -> bool:
    """Whether this session may show runs, but no rows."""
    return link() is not None and not link().data


def look() -> None:
    """Follow the link of the address bar, as the first thing that a session does."""
    asked = st.query_params.get(QUERY, "")
    if not asked or LINK in st.session_state or workspace.PLACE in st.session_state:
        return
    st.session_state[workspace.PLACE] = Place("")  # nothing of it goes to the workspace of who looks
    try:
        if not storage.health().keeps:
            raise DataError(links.GONE)
        st.session_state[LINK] = links.find(storage.opened(), asked)
    except LearnersError as error:
        st.session_state[REFUSED] = str(error)


def restore_session() -> bool:
    """Show what was shared, or else what the workspace holds; False if there is neither."""
    shared, one = link(), storage.store()
    if shared is None:
        return restore.restore_workspace()
    reader = Reader(partial(one.part, shared.workspace))
    try:
        shown = [restore.run_of(reader, kept) for kept in runs.read(one, shared.workspace, shared.runs)]
    except LearnersError as error:
        shown, st.session_state[REFUSED] = [], str(error)
    if not shown:
        st.session_state.setdefault(REFUSED, links.GONE)
        return False
    st.session_state.update(source=shown[-1].source, runs=shown, current=0)
    st.session_state.compare_moments = [run.label for run in shown]
    return True
