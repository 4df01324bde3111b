"""Edges and separated pairs in a table that is searched on the server."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.inspect.selection import select
from pages.session import state
from pages.session.state import Run
from viz.kinds import kind_of
from viz.rows import MAX_SENT, Rows
from viz.text import count, distinct_labels

ROW, MAX_HEIGHT = 35, 560  # pixels of a row, and of the table
AS_THEY_COME = {"edge": "strongest first", "pair": "last separated first"}


def tables_of(run: Run, graph: PDAG) -> None:
    """Show edges or separated pairs; a click on a row selects the pair."""
    shown = kind_of(run.result).tables
    which = next(iter(shown))
    if len(shown) > 1:
        which = st.segmented_control(
            "Rows", list(shown), default=which, required=True, key="inspect_rows", persist_state="session",
            label_visibility="collapsed",
        )  # fmt: skip
    rows = state.made_once(run, f"rows_{which}", graph, lambda: shown[which](run.result, graph))
    asked = _asked(run, rows)
    positions = rows.matching(*asked[:2])
    frame = rows.make(rows.ordered(positions, asked[2])[:MAX_SENT])
    st.caption(_how_many(rows, len(positions), len(frame)))
    _table(run, frame, f"inspect_table_{which}_{run.number}_{hash(asked)}", f"Table of {which.lower()}")


def _asked(run: Run, rows: Rows) -> tuple[str, int | None, str]:
    """Return the search text, a variable, and the sort order."""
    hidden = {"label_visibility": "collapsed", "persist_state": "session"}
    with st.container(horizontal=True, gap="small"):
        return (
            st.text_input("Search names", key="inspect_search", placeholder="Search names", width=200, **hidden),
            st.selectbox(
                "Only pairs with", range(len(rows.names)), index=None, placeholder="Only pairs with…", width=240,
                format_func=distinct_labels(rows.names).__getitem__,
                key=f"inspect_with_{run.dataset.fingerprint[:12]}", **hidden,
            ),
            st.selectbox(
                "Sort", [AS_THEY_COME[rows.what], *rows.orders], width=200, key=f"inspect_sort_{rows.what}", **hidden,
            ),
        )  # fmt: skip


def _how_many(rows: Rows, matching: int, shown: int) -> str:
    """Return how much of the table is on screen."""
    total = count(len(rows.i), rows.what)
    if matching < len(rows.i):
        total = f"{matching:,} of {total} {'matches' if matching == 1 else 'match'}"
    if shown < matching:
        return f"{total}; the first {shown:,} are shown. Search or choose a variable to see others."
    return f"{total}."


def _table(run: Run, frame: pd.DataFrame, key: str, alt: str) -> None:
    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        column_order=[column for column in frame.columns if column not in ("i", "j")],
        on_select=clicked,
        selection_mode="single-row",
        height=min(MAX_HEIGHT, ROW * (1 + max(len(frame), 1)) + 3),
        alt=alt,
    )
