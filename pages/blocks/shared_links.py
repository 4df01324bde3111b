"""Links that show a run or a comparison to others: create, follow and revoke."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from learners.common.errors import LearnersError
from learners.store import share_links
from pages.session import autosave, shared_link, storage, workspace
from pages.session.state import Run
from pages.session.words import labels_of, t, written
from viz.text import MAX_TITLE_LENGTH, as_sentence, escape_markdown, shorten

DAYS = {1: "a day", 7: "a week", 30: "a month", 365: "a year"}
MADE = "shared_address"
OF_TABLE = ("data", "learn", "query", "effects")  # pages that show rows, or work with them
WAY_OUT = "<a href='./' target='_self'>Open Edgewise</a>"
NO_TABLE = "The run was shared without its data."
WITHOUT = "Without the data, rows are hidden and the pages Data, Learn, Query and Effects are closed."


def banner() -> None:
    """Show that the page is shared, and when the link expires."""
    shared = shared_link.link()
    if shared is not None:
        st.info(
            t("This is a shared view until {ends}. Nothing that you do here is saved.", ends=_day(shared.ends)),
            icon=":material/visibility:",
        )


def needs_table(page: str) -> bool:
    """Return True, with a message, if a page needs rows that were not shared."""
    if page not in OF_TABLE or not shared_link.hides_table():
        return False
    st.title(t(page.capitalize()), anchor=False)
    st.info(f"{t(NO_TABLE)} {t('This page needs them.')}", icon=":material/table_chart:")
    st.html(WAY_OUT)
    return True


def refuse() -> None:
    """Report an invalid link and stop the page."""
    reason = shared_link.refused()
    if reason:
        st.title(t("Invalid link"), anchor=False)
        st.error(escape_markdown(written(as_sentence(reason))), icon=":material/link_off:")
        st.html(WAY_OUT)
        st.stop()


def offer(shown: Sequence[Run], page: str) -> None:
    """Show a button that creates a link to these runs as they are on screen."""
    if not workspace.is_kept():
        return
    with st.popover(t("Share result"), icon=":material/share:", key=f"share_{page}"):
        st.write(t("Anyone with the link can view this."))
        data = st.toggle(t("Include the data"), False, key=f"share_data_{page}", help=t(WITHOUT))
        days = st.selectbox(t("Expires after"), list(DAYS), 1, format_func=labels_of(DAYS), key=f"share_days_{page}")
        if st.button(t("Create link"), key=f"share_make_{page}", type="primary"):
            _make(shown, page, days, data=data)
        if st.session_state.get(MADE, ("",))[0] == page:
            st.code(st.session_state[MADE][1], language=None, wrap_lines=True)


def _make(shown: Sequence[Run], page: str, days: int, *, data: bool) -> None:
    autosave.note(at_work=True)  # saves even the initial state of a new session, so that it can be shared
    autosave.settle()
    here, name = workspace.place(), " and ".join(shorten(run.title, MAX_TITLE_LENGTH) for run in shown)
    query = [(key, value) for key in st.query_params if key not in ("w", "s") for value in st.query_params.get_all(key)]
    try:
        address = share_links.create(
            storage.store(), here.workspace, name, [run.ticket for run in shown], f"{page}?{urlencode(query)}", days,
            data=data,
        )  # fmt: skip
    except LearnersError as error:
        st.error(escape_markdown(written(str(error))))
        return
    root = (st.context.url or "/").rstrip("/").removesuffix(page).rstrip("/")
    st.session_state[MADE] = (page, f"{root}/{page}?{urlencode([(shared_link.QUERY, address), *query])}")


def links_here() -> None:
    """List the links of the workspace, each with a button that revokes it."""
    here, database = workspace.place(), storage.store()
    found = share_links.listed(database, here.workspace) if here.workspace else []
    if not found:
        return
    st.subheader(t("Shared links"), anchor=False)
    for shared in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            page = shared.place.partition("?")[0]
            st.markdown(
                escape_markdown(
                    t(
                        "{name}, on {page}, with data, until {ends}"
                        if shared.data
                        else "{name}, on {page}, without data, until {ends}",
                        name=shared.name,
                        page=t(page.capitalize()),
                        ends=_day(shared.ends),
                    )
                ),
                width="stretch",
            )
            if st.button(t("Revoke link"), key=f"share_withdraw_{shared.secret[:16]}"):
                share_links.withdraw(database, here.workspace, shared.secret)
                st.rerun()


def _day(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).strftime("%-d %B %Y, %H:%M")
