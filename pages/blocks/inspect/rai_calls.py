"""The recursive calls of RAI."""

from __future__ import annotations

import streamlit as st

from pages.blocks.slider import go_to_run
from pages.session import state
from pages.session.state import Run
from viz.brai.recursion import call_table
from viz.text import count


def all_calls(run: Run) -> None:
    """Show the calls of RAI."""
    _calls(run, "of this run")


def best_calls(run: Run) -> None:
    """Show the calls of B-RAI that led to its result."""
    _calls(run, "on the way to the best graph")


def _calls(run: Run, which: str) -> None:
    """Show the calls in a table; a click shows the graph after a call with its group boxed."""
    table = state.made_once(run, "calls", None, lambda: call_table(run.result))
    st.caption(
        f"{count(len(table), 'call')} {which}. Click a row to show the graph after a call, with its group boxed.",
        help="Each call tests its group given sets of one size, the level, orients edges, and splits the group for "
        "further calls.",
    )
    key = f"inspect_calls_{run.number}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            go_to_run(run, int(table["step"].iloc[rows[0]]))

    st.dataframe(
        table, key=key, hide_index=True, column_order=[name for name in table.columns if name != "step"],
        column_config={
            "call": st.column_config.NumberColumn(width=50),
            "called by": st.column_config.NumberColumn(width=70),
            "level": st.column_config.NumberColumn(width=50, help="Size of the conditioning sets"),
            "size": st.column_config.NumberColumn(width=50, help="Variables in the group"),
            "parents outside": st.column_config.TextColumn(
                help="Parents in other groups, on which tests may condition too"
            ),
            "splits into": st.column_config.TextColumn(help="Sizes of its subgroups, descendants last"),
            "changes": st.column_config.NumberColumn(width=70, help="Edges removed and oriented, steps of the slider"),
        },
        on_select=clicked, selection_mode="single-row", height=min(420, 38 + 35 * len(table)),
        alt="Calls of the recursion in order",
    )  # fmt: skip
