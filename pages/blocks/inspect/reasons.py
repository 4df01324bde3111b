"""Reasons why a graph changed: for each edge a chain of sentences back to its first cause."""

from __future__ import annotations

import streamlit as st

from learners.common.sentences import Count
from learners.results.result import LearnResult
from learners.sweeping.causes import causes
from learners.sweeping.changes import changes
from learners.sweeping.links import Cause
from learners.sweeping.reasons import difference
from pages.blocks.inspect.selection import selected
from pages.session import state, sweeps
from pages.session.state import Run
from pages.session.words import t, written
from viz.sweeping.strip import changes_between, left_out_sentences
from viz.text import escape_markdown
from viz.translation.sentences import catalog

MAX_EDGES = 12
SHOW = "what_changed"  # key of a toggle


def what_changed(run: Run, strip: sweeps.Strip, position: int) -> None:
    """Explain how the value on screen differs from the reference value."""
    held = strip.base if strip.held is None else strip.held
    if held == position or strip.graphs[held] is None or strip.graphs[position] is None:
        return
    found, texts = changes_between(strip.axis, strip.graphs, held, position), strip.axis.texts
    if not len(found):
        return
    if gone := strip.axis.lacking(held, position):
        if not strip.axis.lacking(held):  # compared with the table of all columns
            names = run.result.names
            for sentence in left_out_sentences(names, names[gone[0]], found, MAX_EDGES):
                st.caption(escape_markdown(written(sentence)))
        return
    label = t("Why: {changes}", changes=", ".join(t(f"{{n}} {word}", n=n) for word, n in found.numbers.items()))
    st.toggle(
        label, key=SHOW, persist_state="session",
        help=t("The first cause of each difference from the run at the reference value."),
    )  # fmt: skip
    if st.session_state.get(SHOW):
        (before, _), (after, _) = strip.at(held), strip.at(position)
        why(before, after, tuple(f"{strip.axis.label} {texts[k]}" for k in (held, position)), selected(run))


def why(before: LearnResult, after: LearnResult, labels: tuple[str, str], first: tuple[int, int] | None = None) -> None:
    """Show for each changed edge the chain to its first cause, beginning with the chosen pair."""
    if before.names != after.names:
        st.caption(t("The two runs have different columns, so differences cannot be explained."))
        return
    found = changes(before.graph, after.graph)
    order = sorted(
        (*found.more, *found.fewer, *found.turned), key=lambda pair: (first is None or set(pair) != set(first), pair)
    )
    chains, words = causes(before, after, order[:MAX_EDGES]), catalog(state.language())
    first_step = next((link for links in chains.values() for link in links if link.cause is Cause.RUNS_PART), None)
    if first_step is not None:  # the same for all pairs
        _, *sentences = difference((first_step,), before, after, labels).written(words)
        st.markdown(escape_markdown(" ".join(sentences)))
    for pair in order[:MAX_EDGES]:
        own = [link for link in chains[pair] if link.cause is not Cause.RUNS_PART]
        if own:
            lead, *others = difference(own, before, after, labels).written(words)
            st.markdown(f"**{escape_markdown(lead)}** {escape_markdown(' '.join(others))}")
    if len(order) > MAX_EDGES:
        st.caption(
            t(
                "{edges}; select one in the graph to see why it changed.",
                edges=Count(len(order) - MAX_EDGES, "more edge"),
            )
        )
