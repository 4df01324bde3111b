"""The pair being explained, selected in a picture, table or chart."""

from __future__ import annotations

import streamlit as st

from pages.session.state import Run


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


def select(run: Run, pair: tuple[int, int] | None) -> None:
    """Select another pair to explain."""
    st.session_state.pair = None if pair is None or pair[0] == pair[1] else tuple(run.result.names[k] for k in pair)
