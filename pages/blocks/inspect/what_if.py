"""Slider mode: the values of a parameter or variants of the table, with a strip of results below the graph."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from learners.graphs.graph import PDAG
from pages.blocks.inspect import heat_map, reasons, sweep_progress
from pages.blocks.slider import SliderMode, mode_of, step_aside
from pages.session import node_positions, state, sweep_axes, sweeps
from pages.session.state import Run
from pages.session.words import labels_of, t, written
from viz.graph_view import GraphViewData
from viz.sweeping.strip import criteria_sentences, progress_sentence, strip_view
from viz.text import escape_markdown

HELP = (
    "Runs the learner at many values of a parameter or on variants of the table. Compared with the reference value, "
    "added edges are green with +, removed edges dashed with −, and other directions marked ↔."
)


def pick(run: Run) -> None:
    """Let the user choose the parameters to sweep, or close the sweep, in the line below the graph."""
    if not run.result.complete:
        return
    parameters = state.made_once(run, "swept", None, lambda: sweep_axes.parameters_of(run))
    data = state.made_once(run, "other_data", None, lambda: sweep_axes.other_data_of(run))
    labels = {name: parameter.label for name, parameter in parameters.items()} | data
    if not labels:
        return
    opened, key = _opened(run), f"what_if_{run.number}"
    if opened is None:
        leave(run)
        st.session_state[key] = None

    def changed() -> None:
        chosen = st.session_state[key]
        leave(run)
        if chosen in parameters:
            _enter(run, sweep_axes.of_parameter(run, parameters[chosen]))
        elif chosen is not None:
            _enter(run, sweep_axes.of_other_data(run, chosen, next(iter(sweep_axes.columns_of(run, chosen)), "")))

    chosen = st.selectbox(
        t("What if"), list(labels), index=None, format_func=labels_of(labels), key=key,
        placeholder=t("What if …"), on_change=changed, help=t(HELP), width=320,
        label_visibility="collapsed",
    )  # fmt: skip
    if chosen in data and sweep_axes.columns_of(run, chosen):
        _pick_column(run, chosen)
    if opened is not None:
        if opened.swept.parameter:
            heat_map.offer(run, opened.swept.parameter, parameters)
        st.button(t("Close sweep"), key="what_if_leave", icon=":material/close:", on_click=leave, args=(run,))
        sweep_progress.watch(opened, lambda: sweeps.current(run) is opened, "what_if_cancel")


def below(run: Run) -> None:
    """Show the values that failed, and why the value on screen differs from the reference."""
    opened = _opened(run)
    if opened is None:
        return
    if not opened.running and (None in opened.graphs or opened.refused):
        _missing(opened)
    if not opened.running and (sentences := criteria_sentences(opened.axis, opened.graphs, opened.curves())):
        st.caption(escape_markdown(" ".join(map(written, sentences))))
    reasons.what_changed(run, opened, _position(opened))


def _pick_column(run: Run, chosen: str) -> None:
    """Let the user choose the column whose groups are left out or whose bins change."""
    key = f"what_if_column_{run.number}_{chosen}"

    def changed() -> None:
        _enter(run, sweep_axes.of_other_data(run, chosen, st.session_state[key]))

    st.selectbox(
        t("of"), sweep_axes.columns_of(run, chosen), key=key, on_change=changed, width=220, label_visibility="collapsed"
    )


def _enter(run: Run, swept: sweep_axes.Swept) -> None:
    sweeps.enter(run, swept)
    step_aside(run, "values")


def _missing(strip: sweeps.Strip) -> None:
    """Show why values, or their held-out likelihoods, failed."""
    reason = strip.refused or (strip.job.reason if strip.job else "")
    caption = t("The likelihood of held-out rows is missing at some values")
    if None in strip.graphs:
        caption = t("Hatched values are missing: {values}", values=written(progress_sentence(strip.graphs)))
    st.caption(escape_markdown(f"{caption}; {written(reason)}." if reason else f"{caption}."))


def leave(run: Run) -> None:
    """Close any sweep and return to the run."""
    sweeps.leave()
    aside = st.session_state.get("temporary_mode")
    if aside and aside[1] == "values":
        step_aside(run, "")


def shows_another(run: Run) -> bool:
    """Return True if the graph on screen is that of another value than the run's own."""
    opened = _opened(run)
    return opened is not None and _position(opened) != opened.base


def _opened(run: Run) -> sweeps.Strip | None:
    return sweeps.current(run) if mode_of(run) == "values" else None


def _position(strip: sweeps.Strip) -> int:
    step = st.session_state.step
    return strip.base if step is None else max(0, min(step, len(strip.graphs) - 1))


def _graph(run: Run) -> PDAG:
    strip = sweeps.current(run)
    return strip.graphs[sweeps.nearest_done(strip, _position(strip))]


def _picture(run: Run, arrangement: str) -> GraphViewData:
    strip = sweeps.current(run)
    strip.note_drawn()
    places = node_positions.computed(run, arrangement)

    def drawn() -> GraphViewData:
        shown = (strip.axis, strip.directed_graphs(), strip.base, run.result.names, places)
        return strip_view(*shown, strip.curves(), reference=run.result) | {"run": f"{run.number} {strip.axis.label}"}

    return state.made_once(run, f"{arrangement}_values", (strip.axis.label, strip.n_done, run.truth), drawn)


def _called(run: Run) -> str:
    strip = sweeps.current(run)
    return f"{strip.axis.label} {strip.axis.texts[_position(strip)]}"


def _at(run: Run) -> Run:
    """Return the run at the value on screen, with its cached objects."""
    strip = sweeps.current(run)
    position = _position(strip)
    if position == strip.base or strip.graphs[position] is None:
        return run
    kept = strip.pages.setdefault(position, {})
    result, dataset = strip.at(position)
    return replace(run, result=result, dataset=dataset, data=kept)


def _hold(run: Run, position: int | None) -> None:
    """Set the reference value."""
    sweeps.current(run).held = position


MODE = SliderMode(_graph, _picture, where=_called, at=_at, hold=_hold)
