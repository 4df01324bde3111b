"""Adjacency matrix as a heat map."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.families.phgs.ppc import PartitionedEvidence
from learners.graphs.graph import PDAG
from pages.blocks.inspect.selection import number_clicked, select
from pages.session import state
from pages.session.state import Run
from pages.session.words import labels_of, t, worded
from viz import matrix as pictures
from viz.kinds import kind_of
from viz.layout.seriation import alphabetical, seriate
from viz.text import distinct_labels

ORDERS = {"cluster": "By cluster", "table": "As in the table", "name": "By name"}
ORDERS_MEAN = {
    "cluster": "Adjacent variables and clusters are placed together.",
    "table": "",
    "name": "",
}


def matrix(run: Run, graph: PDAG) -> None:
    """Show the matrix in a chosen order, with a search for a variable; a click selects the pair."""
    names, key = run.result.names, f"inspect_matrix_{run.number}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        kind = st.segmented_control(
            t("Order"), list(ORDERS), default="cluster", required=True, format_func=labels_of(ORDERS),
            key="inspect_order", persist_state="session", label_visibility="collapsed",
        )  # fmt: skip
        found = st.selectbox(
            t("Find a variable"), range(len(names)), index=None, format_func=distinct_labels(names).__getitem__,
            placeholder=t("Find a variable"), label_visibility="collapsed", width=280,
            key=f"inspect_find_{run.dataset.fingerprint[:12]}", persist_state="session",
        )  # fmt: skip
    groups = _groups(run) if kind == "cluster" else None

    def clicked() -> None:
        cell = number_clicked(key)
        if cell is not None:
            select(run, divmod(cell, len(names)))

    figure = state.made_once(
        run,
        "matrix",
        (graph, kind, found),
        lambda: pictures.matrix(run.result, graph, _order(run, kind), groups, found),
    )
    st.plotly_chart(
        worded(figure), key=key, on_select=clicked, selection_mode="points",
        alt=t("Adjacency matrix: edges from the row's variable to the column's"),
    )  # fmt: skip
    st.caption(f"{t(ORDERS_MEAN[kind])} {t('Drag to zoom in, double-click to reset.')}".strip())


def _order(run: Run, kind: str) -> np.ndarray:
    """Return the order of the variables, that of the finished run at every step so that rows do not jump."""
    if kind == "name":
        return alphabetical(run.result.names)
    if kind == "table":
        return np.arange(len(run.result.names))
    return state.made_once(run, "seriation", None, lambda: seriate(run.result.graph, _groups(run)))


def _groups(run: Run) -> np.ndarray | None:
    """Return the cluster of each variable; None if the run made no clusters."""
    found = kind_of(run.result).special_part(PartitionedEvidence, run.result)
    return None if found is None else found.labels
