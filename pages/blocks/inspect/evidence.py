"""Evidence of all runs on this table on one pair."""

from __future__ import annotations

import streamlit as st

from learners.registry import LEARNERS
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.averaging import evidence
from viz.text import escape_markdown

FIRST_OR_DRAWN = ("run", "exactly", "value")  # columns that come first in the table or appear only in the picture


def side_by_side(run: Run, x: int, y: int) -> None:
    """Show evidence as a picture and a table, if there are several runs and one gives a probability."""
    a, b = run.result.names[x], run.result.names[y]
    runs = [other_run for other_run in st.session_state.runs if _has(other_run, run, a, b)]
    if len(runs) < 2 or all(other_run.result.posterior is None for other_run in runs):
        return
    numbers = tuple(other_run.number for other_run in runs)
    table = state.made_once(
        run,
        "evidence",
        (a, b, numbers),
        lambda: evidence.side_by_side([(_title(other_run), other_run.result) for other_run in runs], a, b),
    )
    with st.expander(t("Evidence of {n} runs", n=len(runs)), expanded=True, key="why_evidence_fold"):
        figure, alt = evidence.evidence_figure(table)
        st.plotly_chart(worded(figure), key="why_evidence", alt=written(alt), config={"displayModeBar": False})
        shown = table.assign(**{name: table[name].map(t) for name in ("number", "in its graph")})
        show_table(
            shown, key="why_evidence_table", hide_index=True, alt=t("What each run says about the pair"),
            column_order=["run", "exactly", *(name for name in evidence.COLUMNS if name not in FIRST_OR_DRAWN)],
            column_config={
                "run": st.column_config.TextColumn(t("run"), width="small"),
                "exactly": st.column_config.TextColumn(t("says"), width="small"),
                "forward": st.column_config.NumberColumn("x → y", format="%.2f"),
                "backward": st.column_config.NumberColumn("y → x", format="%.2f"),
                "95% from": st.column_config.NumberColumn(t("95% from"), format="%.2f"),
                "to at most": st.column_config.NumberColumn(t("to at most"), format="%.2f"),
                "calibrated": st.column_config.NumberColumn(t("calibrated"), format="%.2f"),
                "in its graph": st.column_config.TextColumn(t("in its graph")),
                "number": st.column_config.TextColumn(t("number")),
            },
        )  # fmt: skip
        st.caption(
            escape_markdown(
                t(
                    "x is {a}, y is {b}. A probability says how likely the edge is; a p-value says how surprising the "
                    "data would be without it.",
                    a=a,
                    b=b,
                )
            )
        )


def _title(one: Run) -> str:
    """Return number and learner of a run; the table is common to all."""
    return f"{one.number}. {LEARNERS[one.result.method].label}"


def _has(one: Run, run: Run, a: str, b: str) -> bool:
    """Return True if a run learned from the same table, with both variables."""
    return one.dataset.fingerprint == run.dataset.fingerprint and {a, b} <= set(one.result.names)
