"""Warnings that a run belongs to another table than the one in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from learners.data.plan.plan import default_plan
from pages.session import state, tables
from pages.session.state import Run
from pages.session.words import t, table_title, written
from viz.text import MAX_TITLE_LENGTH, escape_markdown, shorten


def of_another_table(run: Run) -> str:
    """Return one sentence if the run does not belong to the table in use as it is now; else an empty text."""
    here, own = state.source(), run.source
    if here is None or own.dataset is not None and here.dataset is not None and _same(run):
        return ""
    was, now = (shorten(table_title(one.title), MAX_TITLE_LENGTH) for one in (own, here))
    if own.table is here.table:
        return t("This run used {was} before it was changed on the Data page.", was=was)
    if own.title == here.title:
        return t("This run used another table of the same name, {was}.", was=was)
    return t("This run used {was}; the table in use is {now}.", was=was, now=now)


def say(run: Run, key: str) -> None:
    """Warn that a run belongs to another table, with a button to learn from the table in use."""
    sentence = of_another_table(run)
    if sentence:
        _tell([sentence], key, run)


def say_of_all(runs: Sequence[Run], key: str) -> None:
    """Warn about several runs, each sentence once, with a button to use their table if it is one."""
    others = [run for run in runs if of_another_table(run)]
    if others:
        sentences = [t("Run {n}: {mismatch}", n=run.number, mismatch=of_another_table(run)) for run in others]
        one_table = all(tables.same(run.source, others[0].source) for run in others)
        _tell(list(dict.fromkeys(sentences)), key, others[-1] if one_table else None)


def truth_is_gone(run: Run) -> None:
    """Explain why the known truth is not compared with a run."""
    if run.source.truth is not None and run.truth is None:
        st.info(escape_markdown(written(run.source.why_no_truth(run.result.names))), icon=":material/help:")


def _same(run: Run) -> bool:
    return (run.source.base or run.source.dataset).fingerprint == state.source().dataset.fingerprint


def _use_its_table(run: Run) -> None:
    """Use the table of a run, with the settings of the run; Undo restores the current settings."""
    own, known = run.source, tables.find(run.source.table)
    if own.base is not None:  # the plan of the run was made for this run only
        state.set_source(known or state.with_plan(replace(own, base=None, alone=""), default_plan(own.table)))
    elif known is not None and known.plan != own.plan:
        state.set_source(replace(own, steps=(*known.steps, (f"settings of run {run.number}", known.plan))))
    else:
        state.set_source(known or own)


def _tell(sentences: Sequence[str], key: str, run: Run | None = None) -> None:
    here = state.source()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning("  \n".join(map(escape_markdown, sentences)), icon=":material/table_chart:")
        if run is not None and run.source.table is not None:
            own = shorten(table_title(run.source.title))
            st.button(
                escape_markdown(t("Use {own}", own=own)), key=f"{key}_use_its_table", icon=":material/table_chart:",
                on_click=_use_its_table, args=(run,), help=t("Uses the table of this run, prepared as for the run."),
            )  # fmt: skip
        label = t(
            "Learn from {table}" if here.dataset is not None else "Prepare {table}",
            table=shorten(table_title(here.title)),
        )
        if st.button(escape_markdown(label), key=f"{key}_learn_from_this"):
            st.switch_page("pages/learn.py" if here.dataset is not None else "pages/data.py")
