"""List of the runs of a session: show, keep or remove each of them."""

from __future__ import annotations

import streamlit as st

from learners.store.runs import RunEntry
from pages.blocks import table_mismatch
from pages.blocks.run_effort import effort
from pages.session import autosave, history, restore, state
from pages.session.jobs import runner
from pages.session.state import Run
from pages.session.words import counted, run_title, t, written
from viz.text import escape_markdown


def runs_so_far() -> None:
    """List the runs, newest first, and announce which one the next run replaces."""
    st.subheader(t("Runs"), anchor=False)
    runs = st.session_state.runs
    _say_who_goes(runs)
    for entry in restore.stopped():
        with st.container(border=True):
            _stopped(entry)
    for position, run in reversed(list(enumerate(runs))):
        with st.container(border=True):
            _one_run(runs, run, position)


def _stopped(entry: RunEntry) -> None:
    """Show a run that was stopped before its end."""
    st.markdown(escape_markdown(f"{entry.number}. {run_title(entry.title)}") + " " + t("(stopped)"))
    why = t("The run was stopped early." if entry.has_result else "The server stopped during the run.")
    st.caption(escape_markdown(f"{why} {written(entry.said)}"))
    with st.container(horizontal=True):
        if entry.has_result and st.button(t("Show partial result"), key=f"learn_partial_{entry.id}"):
            if runner.is_done(lambda: restore.bring(entry)):
                st.switch_page("pages/inspect.py")
            st.rerun()
        if st.button(t("Repeat run"), key=f"learn_again_{entry.id}", disabled=bool(st.session_state.job)):
            runner.is_done(lambda: runner.start_again(entry))
            st.rerun()
        if st.button(t("Remove run"), type="tertiary", key=f"learn_give_up_{entry.id}"):
            restore.let_go(entry)
            st.rerun()


def _say_who_goes(runs: list[Run]) -> None:
    if history.gone():
        st.info(
            escape_markdown(
                t(
                    "The newest run replaced {gone}. A session keeps {n} runs.",
                    gone=run_title(history.gone()),
                    n=state.MAX_RUNS,
                )
            ),
            icon=":material/inventory_2:",
        )
    next_one = history.first_to_go(runs, state.MAX_RUNS)
    if next_one is not None:
        st.caption(
            escape_markdown(
                t(
                    "The next run replaces {label} and its pins. Keep runs that you need.",
                    label=run_title(next_one.label),
                )
            )
        )


def _one_run(runs: list[Run], run: Run, position: int) -> None:
    st.markdown(escape_markdown(run_title(run.label)) + ("" if run.result.complete else " " + t("(cancelled)")))
    spent = effort(run)[0 if run.result.n_tests else -1][0]
    st.caption(f"{counted(run.result.graph.n_edges, 'edge')}, {spent}")
    if table_mismatch.of_another_table(run):
        st.caption(escape_markdown(table_mismatch.of_another_table(run)))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(t("Show run"), key=f"learn_show_{run.number}"):
            st.session_state.current, st.session_state.step = position, None
            st.switch_page("pages/inspect.py")
        is_kept, most = run.number in history.kept(), state.MAX_RUNS
        wanted = st.toggle(
            t("Keep"), is_kept, key=f"learn_keep_{run.number}",
            help=t("A session keeps {n} runs. After that, a new run replaces the oldest one not marked “Keep”.",
                   n=most),
            disabled=not history.may_keep(run.number, most),
        )  # fmt: skip
        if wanted != is_kept:
            history.keep(run.number, wanted=wanted)
            st.rerun()
        if len(runs) > 1 and st.button(t("Remove run"), type="tertiary", key=f"learn_remove_{run.number}"):
            state.remove_run(run)
            autosave.drop(run.ticket)
            st.rerun()
