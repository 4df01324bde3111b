"""Slider modes along alpha: solution by solution, or at any level of significance."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import streamlit as st

from learners.common.wording import format_setting
from learners.families.phgs.alpha_steps import AlphaSteps, alpha_steps, path_of, solution_steps
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import BoundKnowledge, bind
from pages.blocks.inspect.lmm_mode import say_range
from pages.blocks.slider import SliderMode, key_of, mode_of, step_back
from pages.session import node_positions, state
from pages.session.state import Run
from pages.session.words import t
from viz.graph_view import GraphViewData
from viz.kinds import kind_of
from viz.phgs.timeline import alpha_timeline, solution_timeline
from viz.phgs.words import Solutions
from viz.text import LN10

STEPS = {"solutions": solution_steps, "free": alpha_steps}
TIMELINES = {"solutions": solution_timeline, "free": alpha_timeline}
FIRST_STEP = {"solutions": 1, "free": 0}


def solutions_of(run: Run) -> Solutions:
    """Describe the solutions of a run with a path."""
    return kind_of(run.result).special_part(Solutions, run.result)


def steps_of(run: Run, mode: str) -> AlphaSteps:
    """Return the graphs of a mode along alpha."""
    return state.made_once(run, f"{mode}_steps", None, lambda: STEPS[mode](run.result, _knowledge(run)))


def alpha_on_screen(run: Run) -> float | None:
    """Return ln of the level of the graph on screen; None in other slider modes."""
    mode = mode_of(run)
    return _level(mode, run) if mode in STEPS else None


def go_to_solution(run: Run, number: int) -> None:
    """Show a solution, counted from 1."""
    step_back()
    st.session_state[key_of(run)] = "solutions"
    st.session_state.step, st.session_state.line = number, None


def _graph(mode: str, run: Run) -> PDAG:
    steps, step = steps_of(run, mode), st.session_state.step
    return state.made_once(run, "shown_alpha", (mode, step), lambda: steps.at(_at(steps, mode), len(run.result.names)))


def _level(mode: str, run: Run) -> float:
    line, steps, path = st.session_state.get("line"), steps_of(run, mode), path_of(run.result).path
    if mode == "free" and line and line[0] == run.number:
        return line[1] * LN10
    at = _at(steps, mode)
    if at == steps.choice:
        return float(path.log_alphas[path.choice])
    return float(steps.log_alphas[at]) if at else math.log(run.result.params["alpha"])


def _at(steps: AlphaSteps, mode: str) -> int:
    """Return the step on screen as an index of `AlphaSteps`."""
    step = st.session_state.step
    return steps.choice if step is None else max(0, min(step - FIRST_STEP[mode], len(steps) - 1))


def _step_at(mode: str, run: Run, log_alpha: float) -> int:
    return steps_of(run, mode).step_of(log_alpha) + FIRST_STEP[mode]


def _picture(mode: str, run: Run, arrangement: str) -> GraphViewData:
    return state.made_once(run, f"{arrangement}_{mode}", run.truth, lambda: _drawn(run, arrangement, mode))


def _drawn(run: Run, arrangement: str, mode: str) -> GraphViewData:
    solutions, places = solutions_of(run), node_positions.computed(run, arrangement)
    data = TIMELINES[mode](run.result, steps_of(run, mode), solutions, places, truth=run.truth)
    return data | {"run": f"{run.number} {mode}"}  # steps differ between modes


def _say_free(run: Run) -> None:
    steps = steps_of(run, "free")
    how = (
        " " + t("Directions come from separating sets as in PATH; pHGS itself orients by score.")
        if solutions_of(run).begin_search
        else ""
    )
    st.caption(
        t(
            "Drag the slider or the line α to see the graph at any level up to {alpha}. A larger alpha "
            "needs a rerun on the Learn page.",
            alpha=format_setting(run.result.params["alpha"]),
        )
        + how
    )
    if len(steps.graphs.codes) < len(steps):
        say_range(steps.graphs, "the chosen solution")


def _knowledge(run: Run) -> BoundKnowledge:
    return bind(run.knowledge, run.result.names)


def _mode(name: str) -> SliderMode:
    graph, picture = partial(_graph, name), partial(_picture, name)
    return SliderMode(graph, picture, level=partial(_level, name), step_at=partial(_step_at, name))


SOLUTIONS = _mode("solutions")
FREE = replace(_mode("free"), say=_say_free)
