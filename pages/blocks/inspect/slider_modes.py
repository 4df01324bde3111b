"""All slider modes; a new mode needs one line in `WALKS`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.inspect import (
    alpha_modes,
    class_modes,
    lmm_mode,
    penalty_mode,
    probability_mode,
    revision_mode,
    threshold_mode,
    what_if,
)
from pages.blocks.inspect.cluster_labels import shown_labels
from pages.blocks.slider import Walk, key_of, step_back, walk_of
from pages.session import node_positions, state, sweeps
from pages.session.state import Run
from viz.cluster_marks import grouped
from viz.compare.overlay import with_truth
from viz.graph_view import GraphViewData
from viz.kinds import kind_of
from viz.timeline import timeline


def _replay_picture(run: Run, arrangement: str) -> GraphViewData:
    """Return the timeline of the run, change by change."""
    return state.made_once(run, arrangement, run.truth, lambda: _replay_drawn(run, arrangement))


def _replay_drawn(run: Run, arrangement: str) -> GraphViewData:
    positions = node_positions.computed(run, arrangement)
    return timeline(run.result, positions, truth=run.truth) | {"run": str(run.number)}


REPLAY = Walk(state.shown_graph, _replay_picture)
WALKS: Mapping[str, Walk] = {
    "run": REPLAY,
    "moves": lmm_mode.WALK,
    "solutions": alpha_modes.SOLUTIONS,
    "free": alpha_modes.FREE,
    "cuts": threshold_mode.WALK,
    "penalties": penalty_mode.WALK,
    "probable": probability_mode.WALK,
    "class": class_modes.MEMBERS,
    "hand": class_modes.BY_HAND,
    "values": what_if.WALK,
    "changes": revision_mode.WALK,
}


def current_walk(run: Run) -> Walk:
    """Return the chosen mode."""
    return WALKS[walk_of(run)]


def walked(run: Run) -> tuple[str, sweeps.Strip | None]:
    """Return an identifier of the graphs behind the steps; step numbers are comparable only if it is equal."""
    return walk_of(run), sweeps.current(run)


def shown_graph(run: Run) -> PDAG:
    """Return the graph at the step on screen."""
    return current_walk(run).graph(run)


def picture(run: Run, arrangement: str) -> GraphViewData:
    """Return the graph data of the run in a named arrangement."""
    data, labels = current_walk(run).picture(run, arrangement), shown_labels(run)
    if run.truth is not None:
        data = state.made_once(run, "held", (data, run.truth), partial(with_truth, data, run.truth))
    # Steps of one run or mode mean nothing in another, also where the slider does not replay the run.
    data = data if "run" in data else data | {"run": f"{run.number} {walk_of(run)}"}
    return data if labels is None else grouped(data, labels)


def say(run: Run) -> None:
    """Show the note of the chosen mode."""
    current_walk(run).say(run)


def pick_walk(run: Run) -> None:
    """Choose the slider mode, and its edge annotations, where a run has several; remembered for the session."""
    walks, before, key = kind_of(run.result).slider_modes(run.result), walk_of(run), key_of(run)
    WALKS[before].pick(run)
    if len(walks.labels) == 1:
        return
    st.session_state.setdefault(key, walks.default)

    def changed() -> None:
        """Stay at the alpha on screen, where both modes have one."""
        level = WALKS[before].level(run)
        after = WALKS[st.session_state[key]]
        step_back()
        st.session_state.line = None
        st.session_state.step = None if level is None else after.step_at(run, level)

    st.segmented_control(
        "Slider moves through", list(walks.labels), required=True, format_func=walks.labels.get, key=key,
        persist_state="session", on_change=changed, help=walks.help,
    )  # fmt: skip
