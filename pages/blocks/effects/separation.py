"""Separation of two variables, shown on several pages."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from learners.effects.paths import Separation
from learners.graphs.graph import PDAG
from viz.effects import tables, words
from viz.text import escape_markdown


def tell(found: Separation, graph: PDAG, x: int, y: int, names: Sequence[str], key: str, more: str = "") -> None:
    """Show the verdict, the separating sets, and what blocks each path; `more` is a note on the paths."""
    st.markdown(f"**{escape_markdown(words.separation_sentence(found, x, y, names))}**")
    st.markdown(escape_markdown(words.separating_sentence(found, names)), help=more or None)
    if found.paths:
        table(tables.path_rows(found, graph, names), key, "Paths and what blocks them")


def table(rows: pd.DataFrame, key: str, alt: str) -> None:
    """Show a table at full height, or scrolling if it is long."""
    st.dataframe(rows, hide_index=True, key=key, alt=alt, height=min(320, 38 + 35 * max(1, len(rows))))
