"""Settings of the run on screen: a change is applied at once if the run is quick, and can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from learners.common.errors import ParameterError
from learners.registry import LEARNERS
from pages.blocks import parameter_widgets
from pages.blocks.inspect import reasons
from pages.blocks.inspect.selection import selected
from pages.session import revisions
from pages.session.state import Run
from pages.session.words import t, written
from viz.labels import with_labels
from viz.text import escape_markdown

FORM = "live_form_of"


@dataclass
class _Form:
    """State of the form: run and settings shown, version, and the last values."""

    shown: tuple[int, dict[str, Any]] | None
    version: int
    said: dict[str, Any] | None = None


def settings(run: Run) -> None:
    """Show the form behind a button, and Undo and Redo once there is a change."""
    if not run.result.complete or run.aside is not None:
        return
    with st.popover(t("Change settings"), icon=":material/tune:", key="live_form"):
        if not revisions.done_at_once(run):
            st.caption(t("This run takes too long to rerun here. Change its settings on the Learn page."))
            st.page_link("pages/learn.py", label=t("Open Learn"), icon=":material/play_arrow:")
        else:
            st.caption(t("Changes apply at once. The graph marks added, removed and reversed edges."))
            form = _form_of(run)
            if changed := _form(run, form):
                _carry_out(run, changed, form)
    _undo_and_redo(run)


def refused(run: Run) -> None:
    """Show below the graph the effect of the last change, or the reason why it failed."""
    if sentence := st.session_state.get(revisions.REFUSED):
        st.error(escape_markdown(written(sentence)), icon=":material/error:")
    revised = revisions.history(run)
    if revised.position and st.session_state.get("temporary_mode") == (run.number, "changes"):
        _why(revised)


def _why(one: revisions.History) -> None:
    before, after = (one.states[one.position + by] for by in (-1, 0))
    if before.result.graph == after.result.graph:
        st.caption(escape_markdown(t("{change}: the graph is unchanged.", change=one.labels[one.position])))
        return
    st.toggle(t("Reasons for the change"), key=reasons.SHOW, persist_state="session")
    if st.session_state.get(reasons.SHOW):
        labels = (one.labels[one.position - 1], one.labels[one.position])
        reasons.why(before.result, after.result, labels, selected(after))


def _undo_and_redo(run: Run) -> None:
    revised = revisions.history(run)
    if len(revised.states) == 1:
        return
    back, on = revised.position > 0, revised.position + 1 < len(revised.states)
    st.button(
        t("Undo"), key="live_undo", icon=":material/undo:", shortcut="Ctrl+Z", disabled=not back,
        on_click=revisions.undo, args=(run,), help=revised.labels[revised.position] if back else None,
    )  # fmt: skip
    st.button(
        t("Redo"), key="live_redo", icon=":material/redo:", shortcut="Ctrl+Shift+Z", disabled=not on,
        on_click=revisions.redo, args=(run,), help=revised.labels[revised.position + 1] if on else None,
    )  # fmt: skip


def _form(run: Run, form: _Form) -> dict[str, Any] | None:
    """Return the settings changed since the form was last applied; None if they are invalid."""
    learner, values = LEARNERS[run.result.method], {}
    for parameter in learner.parameters_of(run.dataset):
        own = run.result.params[parameter.name]
        start = parameter.example if own is None else own
        values[parameter.name] = parameter_widgets.widget(
            parameter, learner, st, start, run.dataset.names, idle=not parameter.counts(values),
            by_hand=own is not None, page=f"live{form.version}",
        )  # fmt: skip
    before, form.said = form.said or values, values
    changed = {name: value for name, value in values.items() if value != before[name]}
    try:
        learner.checked(run.dataset.kind, {**run.result.params, **changed})
    except ParameterError as error:
        form.said = before
        st.error(escape_markdown(written(with_labels(str(error), learner))), icon=":material/error:")
        return None
    return changed


def _form_of(run: Run) -> _Form:
    """Return the form, reset if the settings of the run were changed elsewhere."""
    known: _Form | None = st.session_state.get(FORM)
    shown = (run.number, dict(run.result.params))
    if known is None or known.shown != shown:
        known = st.session_state[FORM] = _Form(shown, known.version + 1 if known else 0)
    return known


def _carry_out(run: Run, changed: Mapping[str, Any], form: _Form) -> None:
    wanted = {**run.result.params, **changed}
    if revisions.change_parameters(run, wanted):
        form.shown = (run.number, wanted)
    else:
        form.shown = None
    st.rerun(scope="app")
