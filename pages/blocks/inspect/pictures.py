"""The data of the graph component for a run, and the choice between the pictures that some runs have."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.lmm.steps import is_orientable, step_graphs
from learners.results.step_graphs import StepGraphs
from pages.blocks.inspect import walks
from pages.session import state
from pages.session.state import Run
from viz.averaging.timeline import probable_timeline
from viz.averaging.words import is_autonomous, is_brai, posterior_sentence
from viz.brai.recursion import boxed
from viz.cimap.timeline import cut_timeline
from viz.graph_view import GraphViewData
from viz.lmm.timeline import lmm_timeline
from viz.lmm.words import is_lmm
from viz.phgs.groups import grouped, partitioned
from viz.phgs.timeline import alpha_timeline, solution_timeline
from viz.phgs.words import is_search
from viz.text import count
from viz.timeline import timeline

LMM_VIEWS = {"skeleton": "Skeleton and awareness", "cpdag": "CPDAG at every step"}


def pick_picture(run: Run) -> None:
    """Of a run with several: which one."""
    if is_lmm(run.result):
        _pick_lmm_view()
    walks.pick_walk(run)


def _pick_lmm_view() -> None:
    """Dots of awareness, or directions; remembered for the session."""
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
    """Which steps show no directions, or other ones than the result, and why."""
    if is_lmm(run.result) and st.session_state.get("lmm_view") == "cpdag":
        _say_lmm(run)
    if walks.walk_of(run) == "free":
        _say_free(run)
    if walks.walk_of(run) == "probable":
        _say_probable(run)
    if walks.walk_of(run) == "cuts":
        st.caption(
            "Drag the slider, or the line: which pairs any threshold keeps, by the numbers that the run stored. Only "
            "joined or not: directions are those of the run."
        )


def _say_probable(run: Run) -> None:
    """What the numbers on the edges are, and where they come from."""
    result = run.result
    if not is_brai(result):
        st.caption(
            f"The number on an edge is the share of {count(result.extra.n, 'resample')} that have it. Drag the slider, "
            "or the line: the edges with at least that share."
        )
        return
    found = len(walks.posterior_of(run).classes)
    st.caption(
        f"The number on an edge is its probability P {posterior_sentence(found, walks.n_classes(run))}; no number "
        "is nearly 1. Drag the slider, or the line: the edges that have at least that P."
    )


def _say_lmm(run: Run) -> None:
    graphs, last = graphs_of(run), len(run.result.extra.moves)
    if len(graphs.codes) > last:
        return
    if is_orientable(run.result):
        _say_range(graphs, "the final graph")
    elif run.result.complete:
        st.caption("This way of finding directions was asked for the final graph only; other steps show none.")
    else:
        st.caption("The run was cancelled before any direction was found.")


def _say_free(run: Run) -> None:
    steps = walks.steps_of(run, "free")
    how = (
        " Directions come from separating sets, as PATH finds them; pHGS itself orients by score."
        if is_search(run.result)
        else ""
    )
    st.caption(
        f"Drag the slider, or the line α: the graph at any level up to {run.result.params['alpha']:g}, without a "
        f"rerun. A larger alpha needs one, on the Learn page: a pair once separated was not tested further.{how}"
    )
    if len(steps.graphs.codes) < len(steps):
        _say_range(steps.graphs, "the chosen solution")


def _say_range(graphs: StepGraphs, centre: str) -> None:
    st.caption(
        f"Directions are shown from step {graphs.first:,} to {graphs.first + len(graphs.codes) - 1:,}, the nearest "
        f"to {centre}; for all steps of so large a run they would take too long."
    )


def picture(run: Run, kind: str) -> GraphViewData:
    """The run with its nodes arranged in the way `kind`."""
    walk = walks.walk_of(run)
    if is_lmm(run.result):
        view = st.session_state.get("lmm_view", "skeleton")
        return state.made_once(run, f"{kind}_{view}", run.truth, lambda: _lmm_picture(run, kind, view))
    if walk == "cuts":
        data = state.made_once(run, f"{kind}_cuts", run.truth, lambda: _cut_picture(run, kind))
    elif walk == "probable":
        k = walks.n_classes(run) if is_brai(run.result) else None
        data = state.made_once(run, f"{kind}_probable", (k, run.truth), lambda: _probable_picture(run, kind, k))
    elif walk != "run":
        data = state.made_once(run, f"{kind}_{walk}", run.truth, lambda: _path_picture(run, kind, walk))
    else:
        data = state.made_once(run, kind, run.truth, lambda: _replay(run, kind))
    labels = shown_labels(run)
    return data if labels is None else grouped(data, labels)


def _replay(run: Run, kind: str) -> GraphViewData:
    data = timeline(run.result, state.places(run, kind), truth=run.truth) | {"run": str(run.number)}
    return boxed(data, run.result) if is_autonomous(run.result) else data


def _lmm_picture(run: Run, kind: str, view: str) -> GraphViewData:
    graphs = graphs_of(run) if view == "cpdag" else None
    return lmm_timeline(run.result, state.places(run, kind), graphs=graphs, truth=run.truth) | {"run": str(run.number)}


def _path_picture(run: Run, kind: str, walk: str) -> GraphViewData:
    make, steps = solution_timeline if walk == "solutions" else alpha_timeline, walks.steps_of(run, walk)
    data = make(run.result, steps, state.places(run, kind), truth=run.truth)
    return data | {"run": f"{run.number} {walk}"}  # the steps of another walk are others


def _cut_picture(run: Run, kind: str) -> GraphViewData:
    data = cut_timeline(run.result, walks.cuts_of_run(run), state.places(run, kind), truth=run.truth)
    return data | {"run": f"{run.number} cuts"}


def _probable_picture(run: Run, kind: str, k: int | None) -> GraphViewData:
    data = probable_timeline(run.result, walks.probable_edges(run), state.places(run, kind), truth=run.truth)
    return data | {"run": f"{run.number} probable {k}"}


def graphs_of(run: Run) -> StepGraphs:
    """The CPDAGs at the steps of a run of LMM."""
    return state.made_once(run, "step_graphs", None, lambda: step_graphs(run.result))
