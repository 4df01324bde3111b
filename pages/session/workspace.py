"""The workspace of a session: that of its browser or of its account.

A browser stores the address of its workspace in a cookie, which `guard.py` sets; another browser receives it as
``?w=…``. `autosave` saves the work as it arises, `restore` shows it again.
"""

from __future__ import annotations

import streamlit as st

from learners.store import workspaces
from learners.store.faults import StoreFault
from learners.store.workspaces import Workspace
from pages.session import login, storage
from pages.session.guard import COOKIE, QUERY, TAKE, is_address
from pages.session.jobs import ownership
from pages.session.storage import Place

PLACE = "work_place"
PROBLEM = "work_problem"  # session key of the reason why saved work cannot be shown


def place() -> Place:
    """Return the location at which this session saves its work."""
    if PLACE not in st.session_state:
        st.session_state[PLACE] = _entered()
    return st.session_state[PLACE]


def _entered() -> Place:
    """Return the workspace of the login, of the address bar, or of the browser, in this order of precedence."""
    key = login.account() or address()
    return Place(key, by_address=bool(key) and st.query_params.get(QUERY) == key)


def address() -> str:
    """Return the address of the workspace; empty without a workspace or if an account owns it."""
    asked, own = st.query_params.get(QUERY, ""), own_address()
    if asked and asked == own:  # the cookie has it, so the address bar need not show it
        _clear_query()
    return next(filter(is_address, (asked, own)), "")


def own_address() -> str:
    """Return the workspace address in the browser's cookie, or an empty text."""
    return next(filter(is_address, (st.context.cookies.get(COOKIE, ""),)), "")


def use_own() -> None:
    """Switch from a workspace opened by its address to the workspace of the login or the browser."""
    _clear_query()
    start_over(_entered())


def _clear_query() -> None:
    for name in {QUERY, TAKE} & set(st.query_params):
        del st.query_params[name]


def is_wanted() -> bool:
    """Return True if this session's work is saved, now or when the store is available again."""
    return bool(place().secret) and place().keeps and storage.health().keeps


def is_kept() -> bool:
    """Return True if another session can show the work of this one."""
    return is_wanted() and storage.store() is not None


def found() -> Workspace | None:
    """Return the workspace; None if there is none, StoreFault if the store cannot be read."""
    return workspaces.find(storage.opened(), place().secret) if is_wanted() else None


def may_be_there() -> bool:
    """Return True if an earlier session saved work that this one shows, or would show if the store were readable."""
    try:
        known_workspace = found()
    except StoreFault:
        return True
    return known_workspace is not None and bool(known_workspace.opened)


def document() -> str:
    """Return the ticket for the state that this session saves in addition to its runs."""
    return f"{place().secret} {ownership.session()} document"


def problem() -> str:
    """Return the reason why the newest work is not saved although the store works; empty if it is saved."""
    tickets = [*(run.ticket for run in st.session_state.get("runs", ())), document()]
    left = [one.reason for ticket in tickets if (one := storage.unkept.get(ticket)) and not one.by_fault]
    failed = map(storage.writer().failed, (place().secret, document()) if is_kept() else ())
    return next(filter(None, (*left, *failed)), st.session_state.get(PROBLEM, ""))


def workspace() -> str:
    """Return the id of the workspace, and create it if necessary."""
    here = place()
    if not here.workspace:
        here.workspace = workspaces.make(storage.opened(), here.secret).id
    return here.workspace


def keep_again() -> None:
    """Switch saving on again."""
    here = place()
    _forget_all(here)
    st.session_state[PLACE] = _as_at_first(here)


def start_over(there: Place | None = None) -> None:
    """Clear the session; the next run shows the content of its workspace, or of another one."""
    there = there or _as_at_first(place())
    for key in list(st.session_state):
        del st.session_state[key]
    st.session_state[PLACE] = there


def _as_at_first(here: Place) -> Place:
    return Place(here.secret, by_address=here.by_address)


def forget(*, keep_nothing: bool = False) -> None:
    """Delete the workspace with all its content at once, optionally switching saving off."""
    here, database = place(), storage.store()
    here.keeps = False  # discards pending writes
    try:
        storage.writer().wait()
        _forget_all(here)
        if keep_nothing:
            workspaces.make(database, here.secret, keeps=False)
    except StoreFault:
        here.keeps = True
        raise
    start_over()


def _forget_all(here: Place) -> None:
    """Delete the workspace, even if another session created it after this one began."""
    storage.forget_all_of(here.secret)
    known_workspace = workspaces.find(storage.store(), here.secret)
    for workspace in {here.workspace, known_workspace.id if known_workspace else ""} - {""}:
        workspaces.forget(storage.store(), workspace)
