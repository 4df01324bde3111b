"""The data of the graph component for a run, and the choice between the pictures that some runs have."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.algorithms.lmm_steps import StepGraphs, is_orientable, step_graphs
from pages import state
from pages.state import Run
from viz.graph_view import GraphViewData
from viz.lmm.timeline import lmm_timeline
from viz.lmm.words import is_lmm
from viz.partition.groups import grouped, partitioned
from viz.timeline import timeline

LMM_VIEWS = {"skeleton": "Skeleton and awareness", "cpdag": "CPDAG at every step"}


def pick_lmm_view(run: Run) -> None:
    """Of a run of LMM: dots of awareness, or directions; remembered for the session."""
    if not is_lmm(run.result):
        return
    st.segmented_control(
        "What the edges show", list(LMM_VIEWS), default="skeleton", required=True, format_func=LMM_VIEWS.get,
        key="lmm_view", persist_state="session", label_visibility="collapsed",
        help="A dot at an end: that variable is aware of the other, and conditions on it. CPDAG: arrows where the "
        "direction shows.",
    )  # fmt: skip


def pick_groups(run: Run) -> None:
    """Of a run that clustered its variables: whether the nodes show it; remembered for the session."""
    if partitioned(run.result) is not None:
        st.toggle(
            "Colour by cluster", key="by_cluster", persist_state="session",
            help="A colour and a letter for each group of variables that this run took first by itself.",
        )  # fmt: skip


def shown_labels(run: Run) -> np.ndarray | None:
    """The cluster of each variable, if the nodes are to show it."""
    found = partitioned(run.result)
    return found.labels if found is not None and st.session_state.get("by_cluster") else None


def say_what_is_missing(run: Run) -> None:
    """Which steps of a CPDAG view show no directions, and why."""
    if not is_lmm(run.result) or st.session_state.get("lmm_view") != "cpdag":
        return
    graphs, last = graphs_of(run), len(run.result.extra.moves)
    if len(graphs.codes) > last:
        return
    if is_orientable(run.result):
        st.caption(
            f"Directions are shown from step {graphs.first:,} to {graphs.first + len(graphs.codes) - 1:,}, the nearest "
            "to the final graph; for all steps of so large a run they would take too long."
        )
    elif run.result.complete:
        st.caption("This way of finding directions was asked for the final graph only; other steps show none.")
    else:
        st.caption("The run was cancelled before any direction was found.")


def picture(run: Run, kind: str) -> GraphViewData:
    """The run with its nodes arranged in the way `kind`."""
    if is_lmm(run.result):
        view = st.session_state.get("lmm_view", "skeleton")
        return state.made_once(run, f"{kind}_{view}", run.truth, lambda: _lmm_picture(run, kind, view))
    data = state.made_once(
        run,
        kind,
        run.truth,
        lambda: timeline(run.result, state.places(run, kind), truth=run.truth) | {"run": str(run.number)},
    )
    labels = shown_labels(run)
    return data if labels is None else grouped(data, labels)


def _lmm_picture(run: Run, kind: str, view: str) -> GraphViewData:
    graphs = graphs_of(run) if view == "cpdag" else None
    return lmm_timeline(run.result, state.places(run, kind), graphs=graphs, truth=run.truth) | {"run": str(run.number)}


def graphs_of(run: Run) -> StepGraphs:
    """The CPDAGs at the steps of a run of LMM."""
    return state.made_once(run, "step_graphs", None, lambda: step_graphs(run.result))
