"""Keep the address bar in step with the screen, so that Back, Forward and bookmarks work within a session.

``/inspect?sample=asia&run=2&step=14&view=Table&pair=lung&pair=smoke``; a missing part has its initial value: the first
sample, the only run, its result, the graph, no pair. ``/learn?learner=boss`` is a chosen learner,
``/lessons?lesson=03-pc-by-hand`` is a lesson, ``&present=1&slide=3`` one of its slides in presenter view.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from learners.io.samples import SAMPLES
from learners.registry import LEARNERS
from pages.blocks import presenter, slider
from pages.session import state
from pages.session.state import LEARNER, VIEWS, Run
from viz.snippet import of_sample
from viz.steps import choice_step, last_step

OF_A_RUN = ("", "inspect")  # pages that show the run on screen
PARTS = ("sample", "run", "step", "view", "pair", "learner", "lesson", "present", "slide")
WRITTEN = "address"  # the last page and parts in the address bar


def follow(page: str) -> None:
    """Show the state that the address names, after Back or Forward or from a bookmark.

    The menu names only a page, which then shows its last state.
    """
    asked, before = _asked(), st.session_state.get(WRITTEN, ("", {}))
    st.session_state[WRITTEN] = (page, asked)
    if asked == before[1] or (not asked and page != before[0]):
        return
    _use_sample(asked)
    if page == "learn":
        st.session_state[LEARNER] = next((key for key in asked.get("learner", ()) if key in LEARNERS), None)
    if page == "lessons":
        st.session_state.lesson = next(iter(asked.get("lesson", ())), None)
    _present(asked)
    if page in OF_A_RUN and state.current_run() is not None:
        _show_run(asked)
        _show_place(asked, state.current_run())


def write(page: str) -> None:
    """Write the state on screen to the address bar."""
    key = _sample()
    now = {"sample": [key]} if key not in ("", state.FIRST_SAMPLE) else {}
    now |= _place(page) if page in OF_A_RUN and state.current_run() is not None else {}
    if page == "learn" and st.session_state.get(LEARNER):
        now["learner"] = [st.session_state[LEARNER]]
    if page == "lessons" and st.session_state.get("lesson"):
        now["lesson"] = [st.session_state.lesson]
    if presenter.mode():
        now["present"] = [presenter.mode()]
        now |= {"slide": [str(presenter.slide() + 1)]} if page == "lessons" and presenter.slide() else {}
    st.session_state[WRITTEN] = (page, now)
    if now != _asked():
        others = {name: st.query_params.get_all(name) for name in st.query_params if name not in PARTS}
        st.query_params.from_dict(others | now)


def _present(asked: Mapping[str, Any]) -> None:
    """Enter or leave the presenter view, and show its slide."""
    mode = next((value for value in asked.get("present", ()) if value in presenter.MODES), "")
    slides = [
        int(value) - 1 for value in asked.get("slide", ()) if value.isascii() and value.isdigit() and 0 < len(value) < 4
    ]
    st.session_state[presenter.KEY] = mode
    st.session_state[presenter.SLIDE] = max(0, next(iter(slides), 0))


def _asked() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in PARTS if name in st.query_params}


def _sample() -> str:
    """Return the key of the sample in use; empty for another table."""
    here = state.source()
    return next((key for key in SAMPLES if here is not None and here.origin == of_sample(key)), "")


def _place(page: str) -> dict[str, list[str]]:
    """Return the parts of the address in which the run on screen differs from its initial state."""
    run, step, pair = state.current_run(), st.session_state.step, st.session_state.pair
    now = {} if len(st.session_state.runs) == 1 and run.number == 1 else {"run": [str(run.number)]}
    if slider.replays(run) and step not in (None, choice_step(run.result)):
        now["step"] = [str(step)]
    view = st.session_state.get("inspect_view", VIEWS[0])
    if page == "inspect" and view != VIEWS[0]:
        now["view"] = [view]
    return now | ({"pair": list(pair)} if pair is not None and set(pair) <= set(run.result.names) else {})


def _use_sample(asked: Mapping[str, Any]) -> None:
    """Replace a sample by another sample; keep any other table, which Forward could not restore."""
    now = _sample()
    for key in asked.get("sample", ()):
        if key in SAMPLES and now not in ("", key) and not state.source().steps:
            state.use_sample(key)


def _show_run(asked: Mapping[str, Any]) -> None:
    numbers = [str(run.number) for run in st.session_state.runs]
    for number in asked.get("run", ()):
        if number in numbers:
            st.session_state.current = numbers.index(number)


def _show_place(asked: Mapping[str, Any], run: Run) -> None:
    """Show step, view and pair, or initial values for those that the run lacks; close other slider modes."""
    slider.step_back()
    choice, last = choice_step(run.result), last_step(run.result)
    if slider.replays(run):
        steps = [int(text) for text in asked.get("step", ()) if text.isascii() and text.isdigit() and len(text) < 10]
        st.session_state.step = next((step for step in steps if step <= last), choice)
    else:  # the steps of another mode are no part of the address
        st.session_state.step = None
    st.session_state.inspect_view = next((view for view in asked.get("view", ()) if view in VIEWS), VIEWS[0])
    pair = tuple(asked.get("pair", ()))
    known = len(set(pair)) == 2 == len(pair) and set(pair) <= set(run.result.names)
    st.session_state.pair = pair if known else None
    st.session_state.visits = st.session_state.get("visits", 0) + 1
