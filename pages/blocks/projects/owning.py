"""Whose a workspace is: its address, its size, and how it is forgotten."""

from __future__ import annotations

import streamlit as st

from learners.store import workspaces
from pages.session import keeper, sharing, work
from pages.session.keeper import store
from viz.text import count

MEGABYTE = 1024**2


def nothing_is_kept() -> None:
    """Why, and how to change that."""
    here = work.place()
    if store() is None:
        st.info("This server keeps nothing: what you make here is gone when you close or reload the page.")
    elif sharing.link():
        st.info("You opened a link that somebody shared: nothing is kept in this tab. Open the app by itself for that.")
    elif not here.secret:
        st.info("Your browser takes no cookies, so nothing is kept: allow them for this page, and reload it.")
    else:
        st.info("Nothing is kept, as you chose: what you make here is gone when you close or reload the page.")
        if st.button("Keep my work from now on", key="projects_keep"):
            work.keep_again()
            st.rerun()


def workspace_here() -> None:
    """Its address, its size, and how it is forgotten."""
    here, given = work.place(), keeper.store().settings
    st.subheader("Your workspace", anchor=False)
    size, n_runs = workspaces.size(keeper.store(), here.workspace) if here.workspace else (0, 0)
    st.caption(
        f"{size / MEGABYTE:,.1f} of {given.megabytes:,} MB, {n_runs:,} of {count(given.runs, 'run')}. It goes "
        f"{given.days:g} days after you opened it last. Nobody else sees it, unless you share it."
    )
    if here.secret == work.address():
        st.write("Whoever has this address has the workspace; open it in another browser to go on there.")
        st.code(f"?w={work.address()}", language=None)
    with st.popover("Forget this workspace", icon=":material/delete_forever:", disabled=bool(st.session_state.job)):
        st.write("All projects, tables, runs and links are deleted at once. They cannot be brought back.")
        if st.button("Forget it", type="primary", key="projects_forget"):
            work.forget()
            st.switch_page("pages/start.py")
        if st.button("Forget it, and keep nothing from now on", key="projects_keep_nothing"):
            work.forget(keep_nothing=True)
            st.switch_page("pages/start.py")
