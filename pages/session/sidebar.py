"""The sidebar: tables with their runs, each one click away, and the run in progress."""

from __future__ import annotations

import streamlit as st

from pages.session import shared_link, state, tables, workspace
from pages.session.jobs import runner
from pages.session.state import Run, Source
from pages.session.words import LANGUAGE, counted, run_title, t, table_title, written
from viz.text import MAX_TITLE_LENGTH, escape_markdown, shorten
from viz.translation.sentences import LANGUAGES

MAX_RECENT = 6  # maximum number of runs with a button


def show(*, watches: bool) -> None:
    """Show the tables and runs, and the run in progress unless the page itself `watches` it."""
    with st.sidebar:
        here, run = state.source(), state.current_run()
        tables.remember(here)
        st.caption(t("Table in use"))
        _in_use(here)
        st.caption(t("Run shown"))
        st.markdown(t("none yet") if run is None else escape_markdown(run_title(run.label)))
        _others(here, run)
        if workspace.problem():
            st.warning(
                escape_markdown(t("Your newest work is not saved: {problem}.", problem=written(workspace.problem()))),
                icon=":material/save:",
            )
        # Only one timer at a time: if the first has led to another page, a request of a second timer would empty
        # that page.
        watched_there = watches and here is not None and here.dataset is not None
        if st.session_state.job is not None and not watched_there:
            runner.watch_from_elsewhere()
        _choose_language()


def _choose_language() -> None:
    """Let the user choose the language of all pages."""
    default = None if LANGUAGE in st.session_state else "en"
    st.segmented_control(
        t("Language"), list(LANGUAGES), default=default, required=True, key=LANGUAGE, format_func=LANGUAGES.get,
        persist_state="session",
    )  # fmt: skip


def _in_use(here: Source | None) -> None:
    """Show the table in use with its size."""
    if here is None:
        st.markdown(t("none yet"))
        return
    st.markdown(f"**{escape_markdown(shorten(table_title(here.title), MAX_TITLE_LENGTH))}**")
    if here.dataset is None:
        st.markdown(t("Fix the problems on the Data page."))
    else:
        st.markdown(f"{counted(here.dataset.n, 'row')}, {counted(here.dataset.p, 'variable')}, {t(here.dataset.kind)}")


def _others(here: Source | None, shown: Run | None) -> None:
    """Show buttons for the other recent runs under their tables, and for the other tables."""
    recent = [run for run in st.session_state.runs if run is not shown][-MAX_RECENT:]
    known = () if shared_link.hides_table() else tables.listed()
    others = [source for source in known if here is None or not tables.same(source, here)]
    if not others and not recent:
        return
    with st.container(key="sidebar_tables", gap=None):
        st.caption(t("Other tables and runs") if others else t("Other runs"))
        _runs([run for run in recent if not any(tables.same(run.source, source) for source in others)])
        for position, source in enumerate(others):
            _table(source, position)
            _runs([run for run in recent if tables.same(run.source, source)])


def _table(source: Source, position: int) -> None:
    """Show a table; a click uses it. The tooltip gives the size, since two readings of a file have one name."""
    size = f"{counted(source.table.n, 'row')}, {counted(source.table.p, 'column')}"
    if st.button(
        f"**{escape_markdown(shorten(table_title(source.title), MAX_TITLE_LENGTH))}**", key=f"sidebar_table_{position}",
        icon=":material/table_chart:", type="tertiary", width="stretch", help=f"{t('Use this table')}: {size}",
    ):  # fmt: skip
        state.set_source(source)
        st.session_state.pair = None
        st.rerun()


def _runs(runs: list[Run]) -> None:
    """Show runs, the newest first; a click opens one on Inspect."""
    for run in reversed(runs):
        label = escape_markdown(shorten(run_title(run.label), MAX_TITLE_LENGTH))
        if st.button(label, key=f"sidebar_run_{run.number}", icon=":material/hub:", type="tertiary", width="stretch"):
            st.session_state.update(current=st.session_state.runs.index(run), step=None)
            st.switch_page("pages/inspect.py")
