"""Edges and separated pairs in a table that is searched on the server."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.inspect.selection import select
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import counted, headings, labels_of, t, written
from viz.kinds import kind_of
from viz.rows import MAX_SENT, Rows
from viz.text import distinct_labels

ROW, MAX_HEIGHT = 35, 560  # pixels: height of a row, and maximum height of the table
IN_WORDS = ("type", "direction", "separated by", "rows", "level")  # columns whose cells are words
AS_THEY_COME = {"edge": "strongest first", "pair": "last separated first"}


def tables_of(run: Run, graph: PDAG) -> None:
    """Show edges or separated pairs; a click on a row selects the pair."""
    shown = kind_of(run.result).tables
    which = next(iter(shown))
    if len(shown) > 1:
        which = st.segmented_control(
            t("Rows"), list(shown), format_func=labels_of(), default=which, required=True, key="inspect_rows",
            persist_state="session", label_visibility="collapsed",
        )  # fmt: skip
    rows = state.made_once(run, f"rows_{which}", graph, lambda: shown[which](run.result, graph))
    asked = _asked(run, rows)
    positions = rows.matching(*asked[:2])
    frame = rows.make(rows.ordered(positions, asked[2])[:MAX_SENT])
    st.caption(_how_many(rows, len(positions), len(frame)))
    _table(run, frame, f"inspect_table_{which}_{run.number}_{hash(asked)}", t(f"Table of {which.lower()}"))


def _asked(run: Run, rows: Rows) -> tuple[str, int | None, str]:
    """Return the search text, a variable, and the sort order."""
    hidden = {"label_visibility": "collapsed", "persist_state": "session"}
    with st.container(horizontal=True, gap="small"):
        return (
            st.text_input(t("Search names"), key="inspect_search", placeholder=t("Search names"), width=200, **hidden),
            st.selectbox(
                t("Only pairs with"),
                range(len(rows.names)),
                index=None,
                placeholder=t("Only pairs with…"),
                width=240,
                format_func=distinct_labels(rows.names).__getitem__,
                key=f"inspect_with_{run.dataset.fingerprint[:12]}",
                **hidden,
            ),
            st.selectbox(
                t("Sort"),
                [AS_THEY_COME[rows.what], *rows.orders],
                format_func=labels_of(),
                width=200,
                key=f"inspect_sort_{rows.what}",
                **hidden,
            ),
        )


def _how_many(rows: Rows, matching: int, shown: int) -> str:
    """Return a sentence on the part of the table that is on screen."""
    total = counted(len(rows.i), rows.what)
    if matching < len(rows.i):
        total = t("{n} of {total} matches" if matching == 1 else "{n} of {total} match", n=matching, total=total)
    if shown < matching:
        return t("{total}; the first {n} are shown. Search or choose a variable to see others.", total=total, n=shown)
    return f"{total}."


def _table(run: Run, frame: pd.DataFrame, key: str, alt: str) -> None:
    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            select(run, (int(frame["i"].iloc[rows[0]]), int(frame["j"].iloc[rows[0]])))

    words = [column for column in IN_WORDS if column in frame]
    show_table(
        frame.assign(**{column: [written(str(word)) for word in frame[column]] for column in words}),
        key=key,
        column_config=headings(frame.columns),
        hide_index=True,
        column_order=[column for column in frame.columns if column not in ("i", "j")],
        on_select=clicked,
        selection_mode="single-row",
        height=min(MAX_HEIGHT, ROW * (1 + max(len(frame), 1)) + 3),
        alt=alt,
    )
