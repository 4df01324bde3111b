"""Background knowledge of one pair: constrain its edge and repeat the run, at once if it is quick."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from learners.graphs.knowledge import Knowledge
from pages.session import background_knowledge, revisions
from pages.session.background_knowledge import Said
from pages.session.jobs import runner
from pages.session.state import Run
from pages.session.words import t
from viz.text import escape_markdown, shorten


def offer_knowledge(run: Run, x: int, y: int) -> None:
    """Let the user forbid or require the edge of a pair, remove its constraints, and repeat the run."""
    names = run.result.names
    a, b = names[x], names[y]
    left, right = (escape_markdown(shorten(name)) for name in (a, b))
    with st.popover(t("Constrain edge"), icon=":material/gavel:", help=t("Forbid or require this edge")):
        st.caption(t("Adds a constraint and repeats the run (undo possible). A long run is repeated only on request."))
        for label, rule in (
            (t("Forbid {name}", name=f"{left} — {right}"), "apart"),
            (t("Forbid {name}", name=f"{left} → {right}"), "not_along"),
            (t("Forbid {name}", name=f"{right} → {left}"), "not_against"),
            (t("Require {name}", name=f"{left} → {right}"), "along"),
            (t("Require {name}", name=f"{right} → {left}"), "against"),
        ):
            st.button(label, key=f"know_{rule}", on_click=background_knowledge.say, args=(names, rule, x, y))
    show_refusal()
    of_pair = [edge for edge in background_knowledge.edges(names) if {edge[0], edge[1]} == {a, b}]
    if of_pair:
        _show(run, of_pair)
    run_again(run)


def show_refusal() -> None:
    """Show why the last constraint was not added, once."""
    if refused := st.session_state.pop("known_refused", ""):
        st.error(escape_markdown(refused), icon=":material/error:")


def _show(run: Run, edges: Sequence[Said]) -> None:
    constraints = ", ".join(
        t("{edge} is required", edge=f"{shorten(a)} → {shorten(b)}")
        if rule == "required"
        else t("{edge} is forbidden", edge=f"{shorten(a)} → {shorten(b)}")
        for a, b, rule in edges
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("Constraint: {constraints}.", constraints=escape_markdown(constraints)), width="content")
        st.button(
            t("Remove constraint"),
            key="know_back",
            on_click=background_knowledge.take_back,
            args=(run.result.names, edges),
        )


def run_again(run: Run) -> None:
    """Offer to repeat the run with the same settings if the background knowledge has changed since."""
    now = background_knowledge.knowledge(run.result.names)
    said_here = st.session_state.pop(background_knowledge.SAID_HERE, False)
    if now == (run.knowledge or Knowledge()):
        return
    if said_here and revisions.done_at_once(run):
        revisions.change_knowledge(run, now)
        st.rerun(scope="app")
    st.caption(t("This run does not use your constraints yet."))
    busy = bool(st.session_state.job)
    if st.button(t("Repeat run"), key="know_run", icon=":material/replay:", type="primary", disabled=busy):
        runner.start(run.result.method, run.dataset, now, run.result.params, run.source)
        st.session_state.rerun_of = (run.number, "your constraints", "other knowledge")
        st.rerun(scope="app")
