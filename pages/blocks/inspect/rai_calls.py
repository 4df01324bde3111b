"""The recursive calls of RAI."""

from __future__ import annotations

import streamlit as st

from learners.common.sentences import Count
from pages.blocks.slider import go_to_run
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import t
from viz.brai.recursion import call_table


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
        t(
            "{calls} {which}. Click a row to show the graph after a call, with its group boxed.",
            calls=Count(len(table), "call"),
            which=t(which),
        ),
        help=t(
            "Each call tests its group given sets of one size, the level. It then orients edges and splits "
            "the group for further calls."
        ),
    )
    key = f"inspect_calls_{run.number}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            go_to_run(run, int(table["step"].iloc[rows[0]]))

    show_table(
        table,
        key=key,
        hide_index=True,
        column_order=[name for name in table.columns if name != "step"],
        column_config={
            "call": st.column_config.NumberColumn(width=50),
            "called by": st.column_config.NumberColumn(width=70),
            "level": st.column_config.NumberColumn(width=50, help=t("Size of the conditioning sets")),
            "size": st.column_config.NumberColumn(width=50, help=t("Variables in the group")),
            "parents outside": st.column_config.TextColumn(
                help=t("Parents in other groups, on which tests may condition too")
            ),
            "splits into": st.column_config.TextColumn(help=t("Sizes of its subgroups, descendants last")),
            "changes": st.column_config.NumberColumn(
                width=70, help=t("Edges removed and oriented, steps of the slider")
            ),
        },
        on_select=clicked,
        selection_mode="single-row",
        height=min(420, 38 + 35 * len(table)),
        alt=t("Calls of the recursion in order"),
    )
