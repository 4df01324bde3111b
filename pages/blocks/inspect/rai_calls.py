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
        f"The {count(len(table), 'call')} {which}: each tests its group given sets of one size, the level, directs "
        "what it can and splits the group for the calls after it, ancestors first and descendants last. Click a row to "
        "see the graph as the call left it, with its group boxed; play the slider to watch them all."
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
            "level": st.column_config.NumberColumn(width=50, help="How many variables its tests hold fixed"),
            "size": st.column_config.NumberColumn(width=50, help="Variables in the group"),
            "parents outside": st.column_config.TextColumn(
                help="Parents of the group's variables in other groups; tests may hold them fixed too"
            ),
            "splits into": st.column_config.TextColumn(help="Sizes of the groups it found, the descendants last"),
            "changes": st.column_config.NumberColumn(width=70, help="Edges removed and directed: steps of the slider"),
        },
        on_select=clicked, selection_mode="single-row", height=min(420, 38 + 35 * len(table)),
        alt="Calls of the recursion in order",
    )  # fmt: skip
