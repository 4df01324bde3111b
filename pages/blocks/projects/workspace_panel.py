"""The workspace: address, size and deletion."""

from __future__ import annotations

import streamlit as st

from learners.store import workspaces
from pages.guard import QUERY, TAKE
from pages.session import shared_link, storage, workspace
from pages.session.jobs import active_runs
from pages.session.storage import store
from viz.text import count

MEGABYTE = 1024**2


def nothing_is_kept() -> None:
    """Explain why nothing is saved, and how to change that."""
    here = workspace.place()
    if storage.fault() is not None:
        st.info("Your projects cannot be shown until the server's storage is back.")
    elif store() is None:
        st.info("This server keeps nothing: what you make here is gone when you close or reload the page.")
    elif shared_link.link():
        st.info("You opened a link that somebody shared: nothing is kept in this tab. Open the app by itself for that.")
    elif not here.secret:
        st.info("Your browser takes no cookies, so nothing is kept: allow them for this page, and reload it.")
    else:
        st.info("Nothing is kept, as you chose: what you make here is gone when you close or reload the page.")
        if st.button("Keep my work from now on", key="projects_keep"):
            workspace.keep_again()
            st.rerun()


def say_whose(page: str) -> None:
    """Warn that the workspace was opened by its address, which anybody may know, and offer alternatives."""
    here = workspace.place()
    if not here.by_address:
        return
    st.query_params[QUERY] = here.secret  # kept for a reload, as the menu names only a page
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="whose"):
        st.markdown(
            ":material/key: You are in a workspace that was opened by its address. Whoever has that address sees what "
            "you do here, and can change it.",
            width="stretch",
        )
        if st.button("Use my own instead", key="whose_own"):
            workspace.use_own()
            st.switch_page("pages/start.py")
        keep = f"./{page}?{QUERY}={here.secret}&{TAKE}=1"
        st.html(f"<a href='{keep}' target='_self'>Keep it on this browser</a>", width="content")


def workspace_here() -> None:
    """Show address and size of the workspace, and delete it."""
    here, given = workspace.place(), storage.store().settings
    st.subheader("Your workspace", anchor=False)
    size, n_runs = workspaces.size(storage.store(), here.workspace) if here.workspace else (0, 0)
    st.caption(
        f"{size / MEGABYTE:,.1f} of {given.megabytes:,} MB, {n_runs:,} of {count(given.runs, 'run')}. It goes "
        f"{given.days:g} days after you opened it last. Nobody else sees it, unless you share it."
    )
    if here.secret == workspace.address():
        st.write("Whoever has this address has the workspace; open it in another browser to go on there.")
        st.code(f"?w={workspace.address()}", language=None)
    with st.popover("Forget this workspace", icon=":material/delete_forever:", disabled=bool(st.session_state.job)):
        st.write("All projects, tables, runs and links are deleted at once. They cannot be brought back.")
        if st.button("Forget it", type="primary", key="projects_forget"):
            _forget()
            st.switch_page("pages/start.py")
        if st.button("Forget it, and keep nothing from now on", key="projects_keep_nothing"):
            _forget(keep_nothing=True)
            st.switch_page("pages/start.py")


def _forget(*, keep_nothing: bool = False) -> None:
    active_runs.end_all(workspace.place().secret, "the run was ended because its workspace was forgotten")
    workspace.forget(keep_nothing=keep_nothing)
