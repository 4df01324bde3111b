"""What if: the slider walks the values of a parameter, and a strip below the graph says which."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.inspect.walk import Walk, step_aside, walk_of
from pages.session import arranging, state, sweeping
from pages.session.state import Run
from viz.graph_view import GraphViewData
from viz.sweeping.strip import progress_sentence, strip_view, value_text
from viz.text import escape_markdown

POLL_SECONDS = 0.7
HELP = (
    "Runs the learner at many values of one parameter. The slider then walks the values: edges that come are green "
    "with +, edges that go are dashed with −, and ↔ marks those that turned, all held against the value of this run "
    "or one that you hold."
)


def strip(run: Run) -> None:
    """Choose a parameter to walk, and leave; below the graph."""
    if not run.result.complete:
        return
    parameters = state.made_once(run, "swept", None, lambda: {one.name: one for one in sweeping.parameters_of(run)})
    if not parameters:
        return
    opened, key = _opened(run), f"what_if_{run.number}"
    if opened is None:
        leave(run)
        st.session_state[key] = None

    def changed() -> None:
        chosen = st.session_state[key]
        if chosen is None:
            leave(run)
        else:
            sweeping.enter(run, parameters[chosen])
            step_aside(run, "values")

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="what_if"):
        st.selectbox(
            "What if", list(parameters), index=None, format_func=lambda name: parameters[name].label, key=key,
            placeholder="What if … another value?", on_change=changed, help=HELP, width=320,
            label_visibility="collapsed",
        )  # fmt: skip
        if opened is not None:
            st.button("Back to the run", key="what_if_leave", icon=":material/close:", on_click=leave, args=(run,))
            if opened.running:
                _watch(opened.n_done)
    if opened is not None and not opened.running and None in opened.graphs:
        _missing(opened)


def _missing(strip: sweeping.Strip) -> None:
    """Why values are missing for good."""
    reason = strip.job.reason if strip.job else ""
    said = f"Hatched values are missing: {progress_sentence(strip.graphs)}"
    st.caption(escape_markdown(f"{said}; {reason}." if reason else f"{said}."))


def leave(run: Run) -> None:
    """Walk the run again, if the values of a parameter are walked; of this run or another."""
    sweeping.leave()
    aside = st.session_state.get("aside_walk")
    if aside and aside[1] == "values":
        step_aside(run, "")


@st.fragment(run_every=POLL_SECONDS)
def _watch(seen: int) -> None:
    """How far the values have come, and Cancel; the page is drawn anew when there are more."""
    strip = st.session_state.get("sweep")
    if strip is None:
        return
    if strip.n_done != seen or not strip.running:
        if not strip.running:
            state.forget_timers()
        st.rerun(scope="app")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(progress_sentence(strip.graphs), width="content")
        if st.button("Cancel", key="what_if_cancel", icon=":material/stop:", disabled=strip.job.cancelled):
            strip.job.cancel()


def _opened(run: Run) -> sweeping.Strip | None:
    return sweeping.current(run) if walk_of(run) == "values" else None


def _position(strip: sweeping.Strip) -> int:
    step = st.session_state.step
    return strip.base if step is None else max(0, min(step, len(strip.values) - 1))


def _graph(run: Run) -> PDAG:
    strip = sweeping.current(run)
    return strip.graphs[sweeping.nearest_done(strip, _position(strip))]


def _picture(run: Run, arrangement: str) -> GraphViewData:
    strip = sweeping.current(run)
    places = arranging.places(run, arrangement)

    def drawn() -> GraphViewData:
        graphs = list(strip.graphs)
        shown = (strip.parameter, strip.values, graphs, strip.base, run.result.names, places)
        return strip_view(*shown, strip.curves()) | {"run": f"{run.number} {strip.parameter.name}"}

    return state.made_once(run, f"{arrangement}_values", (strip.parameter.name, strip.n_done, run.truth), drawn)


def _called(run: Run) -> str:
    strip = sweeping.current(run)
    return f"{strip.parameter.label} {value_text(strip.parameter, strip.values[_position(strip)])}"


def _at(run: Run) -> Run:
    """The run at the value on screen, with what pages keep of it."""
    strip = sweeping.current(run)
    position = _position(strip)
    if position == strip.base or strip.graphs[position] is None:
        return run
    kept = strip.pages.setdefault(position, {})
    return replace(run, result=strip.result_at(position), data=kept)


WALK = Walk(_graph, _picture, where=_called, at=_at)
