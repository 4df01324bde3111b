"""Tests of the independences that a graph implies, and the warning where the data reject some."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from learners.common.errors import LearnersError
from learners.effects.implications import ImplicationResult, check_implications, implications
from learners.graphs.graph import PDAG
from learners.independence.selection import ci_test_for
from pages.blocks.effects import roles
from pages.session import state
from pages.session.state import Run
from pages.session.words import t, written
from viz.effects import words
from viz.text import escape_markdown

AT_ONCE = 1_000  # maximum number of implied independences tested without a click
MAX_CELLS = 2_000_000  # maximum number of rows times independences tested for a warning
SECONDS = 20.0  # time limit of the tests; the remaining ones are omitted
FIT = roles.VIEWS[3]


def n_implied(run: Run, graph: PDAG) -> int:
    """Return the number of independences that a graph of a run implies."""
    return len(state.made_once(run, "implied", graph, lambda: implications(graph)))


def tests_of(run: Run, graph: PDAG) -> list[ImplicationResult]:
    """Return the tested independences of a graph of a run, the worst first; cached with the run."""
    until = time.monotonic() + SECONDS
    return state.made_once(
        run, "implications", graph,
        lambda: check_implications(graph, ci_test_for(run.dataset), tick=lambda *_: time.monotonic() < until),
    )  # fmt: skip


def known_tests(run: Run, graph: PDAG) -> list[ImplicationResult] | None:
    """Return the tests of this graph that were done before, or None."""
    known = run.data.get("implications")
    return known[1] if known and known[0] == graph else None


def warn(run: Run, key: str) -> None:
    """Warn if the data reject independences that the graph of a run implies, with a button that lists them.

    Large tables are tested on Model fit only; the button is shown without a count then.
    """
    graph = run.result.graph
    try:
        n = n_implied(run, graph)
        if not n:
            return
        if known_tests(run, graph) is None and n * run.dataset.n_rows > MAX_CELLS:
            sentence, icon = t("Whether the data reject this graph has not been tested."), ":material/rule:"
        else:
            with st.spinner(t("Testing the implied independences…")):
                found: Sequence[ImplicationResult] = tests_of(run, graph)
            rejected = words.rejected_sentence(found, n)
            if rejected is None:
                return
            sentence, icon = escape_markdown(written(rejected)), ":material/warning:"
    except LearnersError:  # the page itself says why this graph has no answers
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_fit_warning"):
        st.markdown(f"{icon} {sentence}", width="content")
        if st.button(t("Open model fit"), key=f"{key}_fit", type="tertiary", on_click=_choose):
            st.switch_page("pages/effects.py")


def _choose() -> None:
    st.session_state[roles.SOURCE] = roles.LEARNED
    st.session_state[roles.VIEW] = FIT
