"""All slider modes; a new mode needs one line in `MODES`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.inspect import (
    alpha_modes,
    class_modes,
    cut_modes,
    lmm_mode,
    probability_mode,
    revision_mode,
    what_if,
)
from pages.blocks.inspect.cluster_labels import shown_labels
from pages.blocks.slider import SliderMode, key_of, mode_of, step_back
from pages.session import node_positions, revisions, state, sweeps
from pages.session.state import Run
from pages.session.words import labels_of, t
from viz.cluster_marks import grouped
from viz.compare.overlay import with_truth
from viz.graph_view import GraphViewData
from viz.kinds import kind_of, timeline
from viz.weak_evidence import always_determined, with_determined


def _replay_picture(run: Run, arrangement: str) -> GraphViewData:
    """Return the timeline of the run, change by change."""
    return state.made_once(run, arrangement, run.truth, lambda: _replay_drawn(run, arrangement))


def _replay_drawn(run: Run, arrangement: str) -> GraphViewData:
    positions = node_positions.computed(run, arrangement)
    return timeline(run.result, positions, truth=run.truth) | {"run": str(run.number)}


REPLAY = SliderMode(state.shown_graph, _replay_picture)
DIRECTING = ("class", "hand")  # modes that direct all edges, to show equivalent DAGs
MODES: Mapping[str, SliderMode] = {
    "run": REPLAY,
    "moves": lmm_mode.MODE,
    "solutions": alpha_modes.SOLUTIONS,
    "free": alpha_modes.FREE,
    "cuts": cut_modes.THRESHOLDS,
    "penalties": cut_modes.PENALTIES,
    "probable": probability_mode.MODE,
    "class": class_modes.MEMBERS,
    "hand": class_modes.BY_HAND,
    "values": what_if.MODE,
    "changes": revision_mode.MODE,
}


def current_mode(run: Run) -> SliderMode:
    """Return the chosen mode."""
    return MODES[mode_of(run)]


def mode_and_strip(run: Run) -> tuple[str, sweeps.Strip | None]:
    """Return an identifier of the graphs behind the steps; step numbers are comparable only if it is equal."""
    return mode_of(run), sweeps.current(run)


def shown_graph(run: Run) -> PDAG:
    """Return the graph at the step on screen."""
    return current_mode(run).graph(run)


def picture(run: Run, arrangement: str) -> GraphViewData:
    """Return the graph data of the run in a named arrangement."""
    mode, labels = mode_of(run), shown_labels(run)
    data = MODES[mode].picture(run, arrangement)
    if mode not in DIRECTING:
        runs = revisions.history(run).states if mode == "changes" else [run]
        data = with_determined(data, always_determined([one.result for one in runs]))
    if run.truth is not None:
        data = state.made_once(run, "held", (data, run.truth), partial(with_truth, data, run.truth))
    # Steps of one run or mode are meaningless in another, even where the slider does not replay the run.
    data = data if "run" in data else data | {"run": f"{run.number} {mode}"}
    return data if labels is None else grouped(data, labels)


def say(run: Run) -> None:
    """Show the note of the chosen mode."""
    current_mode(run).say(run)


def choose_mode(run: Run) -> None:
    """Let the user choose the slider mode and its edge annotations; the choice is remembered for the session."""
    modes, before, key = kind_of(run.result).slider_modes(run.result), mode_of(run), key_of(run)
    MODES[before].pick(run)
    if len(modes.labels) == 1:
        return
    st.session_state.setdefault(key, modes.default)

    def changed() -> None:
        """Stay at the alpha on screen, where both modes have one."""
        level = MODES[before].level(run)
        after = MODES[st.session_state[key]]
        step_back()
        st.session_state.line = None
        st.session_state.step = None if level is None else after.step_at(run, level)

    st.segmented_control(
        t("Slider moves through"),
        list(modes.labels),
        required=True,
        format_func=labels_of(modes.labels),
        key=key,
        persist_state="session",
        on_change=changed,
        help=t(modes.help),
    )
