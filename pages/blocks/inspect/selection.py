"""The pair being explained, selected in a picture, table or chart."""

from __future__ import annotations

import streamlit as st

from pages.session.state import Run

NODE = "why_node"  # session key of the selected variable while its partner is not selected


def number_clicked(key: str) -> int | None:
    """Return the `customdata` of the point clicked in a chart, or None."""
    points = st.session_state[key].selection.points
    if not points or "customdata" not in points[0]:
        return None
    data = points[0]["customdata"]
    return int(data[0] if isinstance(data, (list, tuple)) else data)


def selected(run: Run) -> tuple[int, int] | None:
    """Return the explained pair as nodes of this run, or None."""
    pair = st.session_state.pair
    if pair is None or not set(pair) <= set(run.result.names):
        return None
    return run.result.names.index(pair[0]), run.result.names.index(pair[1])


def single(run: Run) -> int | None:
    """Return the selected variable whose partner is not selected yet, or None."""
    name = st.session_state.get(NODE)
    return run.result.names.index(name) if selected(run) is None and name in run.result.names else None


def select_single(run: Run, node: int) -> None:
    """Select one variable; a former pair is no longer explained."""
    st.session_state.pair, st.session_state[NODE] = None, run.result.names[node]


def opened(run: Run) -> bool:
    """Return True if the panel is open, because a pair was selected or the user opened it."""
    if st.session_state.get("why_asked"):
        return True
    return selected(run) is not None and st.session_state.get("why_folded") != st.session_state.pair


def keep_open(run: Run) -> None:
    """Keep the panel as it is, open or closed, when its pair is deselected next."""
    st.session_state.why_asked = opened(run)


def select(run: Run, pair: tuple[int, int] | None) -> None:
    """Select another pair to explain."""
    st.session_state[NODE] = None
    st.session_state.pair = None if pair is None or pair[0] == pair[1] else tuple(run.result.names[k] for k in pair)
