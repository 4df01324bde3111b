"""The workspace: address, size and deletion."""

from __future__ import annotations

import streamlit as st

from learners.common.sentences import Count, Number, phrase
from learners.store import workspaces
from pages.session import shared_link, storage, workspace
from pages.session.guard import QUERY, TAKE
from pages.session.jobs import active_runs
from pages.session.storage import store
from pages.session.words import t

MEGABYTE = 1024**2


def nothing_is_kept() -> None:
    """Explain why nothing is saved, and how to change that."""
    here = workspace.place()
    if storage.fault() is not None:
        st.info(t("Your projects are unavailable until the server's storage is back."))
    elif store() is None:
        st.info(t("This server saves nothing. Your work is lost when you close or reload the page."))
    elif shared_link.link():
        st.info(t("This is a shared view, so nothing is saved. Open the app without the link to save your work."))
    elif not here.secret:
        st.info(t("Your browser blocks cookies, so nothing is saved. Allow them for this page and reload it."))
    else:
        st.info(t("Saving is switched off. Your work is deleted when you close or reload the page."))
        if st.button(t("Save my work"), key="projects_keep"):
            workspace.keep_again()
            st.rerun()


def say_whose(page: str) -> None:
    """Warn that the workspace was opened by its address, which anybody may know, and offer alternatives."""
    here = workspace.place()
    if not here.by_address:
        return
    st.query_params[QUERY] = here.secret  # kept for a reload, because links of the menu contain only the page
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="whose"):
        st.markdown(
            ":material/key: "
            + t("This workspace was opened by its address. Anyone with the address can view and change it."),
            width="stretch",
        )
        if st.button(t("Use my workspace"), key="whose_own"):
            workspace.use_own()
            st.switch_page("pages/start.py")
        keep = f"./{page}?{QUERY}={here.secret}&{TAKE}=1"
        st.html(f"<a href='{keep}' target='_self'>{t('Use it in this browser')}</a>", width="content")


def workspace_here() -> None:
    """Show address and size of the workspace, and delete it, in an expander."""
    with st.expander(t("Your workspace"), key="projects_workspace"):
        _workspace()


def _workspace() -> None:
    here, given = workspace.place(), storage.store().settings
    size, n_runs = workspaces.size(storage.store(), here.workspace) if here.workspace else (0, 0)
    st.caption(
        t(
            "{size} of {most} MB, {n} of {runs}. Deleted {days} days after your last visit.",
            size=Number(size / MEGABYTE),
            most=given.megabytes,
            n=n_runs,
            runs=Count(given.runs, "run"),
            days=Number(given.days),
        ),
        help=t("Only you can see it unless you share it."),
    )
    if here.secret == workspace.address():
        st.markdown(
            t("Private address, to continue in another browser:"),
            help=t("Anyone with this address can view and change your work."),
        )
        st.code(f"?w={workspace.address()}", language=None)
    with st.popover(t("Delete workspace"), icon=":material/delete_forever:", disabled=bool(st.session_state.job)):
        st.write(t("This deletes all projects, tables, runs and links. It cannot be undone."))
        if st.button(t("Delete everything"), type="primary", key="projects_forget"):
            _forget()
            st.switch_page("pages/start.py")
        if st.button(t("Delete and stop saving"), key="projects_keep_nothing"):
            _forget(keep_nothing=True)
            st.switch_page("pages/start.py")


def _forget(*, keep_nothing: bool = False) -> None:
    active_runs.end_all(workspace.place().secret, phrase("the run was ended because its workspace was deleted"))
    workspace.forget(keep_nothing=keep_nothing)
