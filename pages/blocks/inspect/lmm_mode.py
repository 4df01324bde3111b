"""Slider mode: a run of LMM as skeletons with marks of awareness, or as CPDAGs."""

from __future__ import annotations

import streamlit as st

from learners.families.lmm.step_graphs import is_orientable, skeleton_at, step_graphs
from learners.graphs.graph import PDAG
from learners.registry import as_seen
from learners.results.step_graphs import StepGraphs
from pages.blocks.slider import SliderMode
from pages.session import node_positions, state
from pages.session.state import Run
from pages.session.words import labels_of, t
from viz.graph_view import GraphViewData
from viz.lmm.timeline import lmm_timeline

VIEWS = {"skeleton": "Skeleton and awareness", "cpdag": "CPDAG at every step"}


def graphs_of(run: Run) -> StepGraphs:
    """Return the CPDAGs at the steps of a run."""
    return state.made_once(
        run, "step_graphs", None, lambda: step_graphs(run.result, dataset=as_seen(run.result, run.dataset))
    )


def say_range(graphs: StepGraphs, centre: str) -> None:
    """Show which steps have directions, if some have none."""
    st.caption(
        t(
            "Directions are shown only from step {first} to {last}, around {centre}; all steps would take too long.",
            first=graphs.first,
            last=graphs.first + len(graphs.codes) - 1,
            centre=t(centre),
        )
    )


def _pick(_run: Run) -> None:
    """Let the user choose marks of awareness or directions; the choice is remembered for the session."""
    st.segmented_control(
        t("Edge marks"), list(VIEWS), default="skeleton", required=True, format_func=labels_of(VIEWS),
        key="lmm_view", persist_state="session", label_visibility="collapsed",
        help=t(
            "A dot at an end: that variable conditions on the other. The final graph has arrows; “CPDAG at every step” "
            "shows them throughout."
        ),
    )  # fmt: skip


def _say(run: Run) -> None:
    if st.session_state.get("lmm_view") != "cpdag":
        return
    graphs, last = graphs_of(run), len(run.result.extra.moves)
    if len(graphs.codes) > last:
        return
    if is_orientable(run.result, with_data=True):
        say_range(graphs, "the final graph")
    elif run.result.complete:
        st.caption(t("This orientation method applies to the final graph only."))
    else:
        st.caption(t("The run was cancelled before it found directions."))


def _picture(run: Run, arrangement: str) -> GraphViewData:
    view = st.session_state.get("lmm_view", "skeleton")
    return state.made_once(run, f"{arrangement}_{view}", run.truth, lambda: _drawn(run, arrangement, view))


def _drawn(run: Run, arrangement: str, view: str) -> GraphViewData:
    graphs, places = graphs_of(run) if view == "cpdag" else None, node_positions.computed(run, arrangement)
    return lmm_timeline(run.result, places, graphs=graphs, truth=run.truth) | {"run": str(run.number)}


def _shown(run: Run) -> PDAG:
    """Return the graph on screen: the result, a CPDAG in the view of CPDAGs, or a skeleton."""
    step = st.session_state.step
    if step in (None, run.result.extra.choice):
        return state.shown_graph(run)
    if st.session_state.get("lmm_view") == "cpdag" and (graphs := graphs_of(run)).knows(step):
        return graphs.at(step, len(run.result.names))
    return _skeleton(run, step)


def _skeleton(run: Run, step: int) -> PDAG:
    def made() -> PDAG:
        return PDAG(skeleton_at(run.result.extra.moves, step, len(run.result.names)))

    return state.made_once(run, "shown_skeleton", step, made)


MODE = SliderMode(_shown, _picture, pick=_pick, say=_say)
