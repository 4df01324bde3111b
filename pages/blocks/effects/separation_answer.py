"""Separation of two variables, shown on several pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd
import streamlit as st

from learners.effects.paths import Separation
from learners.graphs.graph import PDAG
from pages.session.data_frame import show_table
from pages.session.words import headings, t, worded_cells, written
from viz.effects import tables, words
from viz.text import escape_markdown


def tell(
    found: Separation, graph: PDAG, x: int, y: int, names: Sequence[str], key: str, more: str = "",
    undirected: Collection[frozenset[int]] = (),
) -> None:  # fmt: skip
    """Show the verdict, the separating sets, and the nodes that block each path.

    Parameters
    ----------
    found : Separation
    graph : PDAG
    x, y : int
    names : sequence of str
    key : str
        Key of the table.
    more : str, default ""
        Note on the paths.
    undirected : collection of pairs, default ()
        Pairs of variables without a direction; no path through them is causal.
    """
    st.markdown(f"**{escape_markdown(written(words.separation_sentence(found, x, y, names)))}**")
    sets, all_sets = (written(one(found, names)) for one in (words.separating_sentence, words.separating_sets))
    notes = [escape_markdown(all_sets)] * (all_sets != sets) + [more] * bool(more)
    st.markdown(escape_markdown(sets), help="  \n".join(notes) or None)
    if found.paths:
        rows = worded_cells(tables.path_rows(found, graph, names, undirected), "state", "type", tables.BLOCKED_AT)
        table(rows, key, t("Paths and what blocks them"))


def table(rows: pd.DataFrame, key: str, alt: str, formats: Mapping[str, str] | None = None) -> None:
    """Show a table at full height, or scrolling if it is long; `formats` are those of its columns of numbers."""
    rows = worded_cells(rows, "adjusted for", "set to")
    config = headings(rows)
    for name, form in (formats or {}).items():
        config[name] = st.column_config.NumberColumn(config.get(name, name), format=form)
    height = min(320, 38 + 35 * max(1, len(rows)))
    show_table(rows, hide_index=True, key=key, alt=alt, height=height, column_config=config)
