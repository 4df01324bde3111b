"""The panel that explains why an edge is, or is not, in the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from learners.explaining.explanation import explanation
from learners.explaining.explanation_record import Explanation
from pages.blocks import next_focus, slider
from pages.blocks.inspect import (
    alpha_path,
    edge_constraints,
    edge_directions,
    evidence,
    probabilities,
    report_files,
    selection,
    slider_modes,
    verdict,
)
from pages.blocks.shared_links import NO_TABLE
from pages.session import shared_link, state
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import t, written
from viz import pair_figures
from viz.evidence_table import evidence_table
from viz.glossary.terms import with_terms
from viz.kinds import choice_step, interval, kind_of, last_step
from viz.text import distinct_labels, escape_markdown
from viz.translation.sentences import catalog

# Functions that show a picture next to the explanation of a pair, by the names in `beside` of a kind.
BESIDE: Mapping[str, Callable[[Run, int, int], None]] = {
    "survival": alpha_path.survival,
    "probabilities": probabilities.pair_probabilities,
}


def unfold() -> None:
    """Open the panel, with or without a pair."""
    st.session_state.why_asked, st.session_state.why_folded = True, None
    next_focus.request(".st-key-inspect_why h3")


def fold() -> None:
    """Close the panel until another pair is selected or it is opened again."""
    st.session_state.why_asked, st.session_state.why_folded = False, st.session_state.pair
    next_focus.request(".st-key-why_unfold button")


def panel(run: Run, at: Run) -> None:
    """Ask for a pair, explain it, offer actions on it, and show the evidence.

    `at` is the run itself, or the run at another value of a parameter, which is then explained.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(t("Explain a pair"), anchor=False, width="stretch")
        st.button(
            t("Close panel"), key="why_fold", type="tertiary", icon=":material/right_panel_close:", on_click=fold,
            help=t("The pair stays selected."),
        )  # fmt: skip
    pair = _pick_pair(run)
    if pair is None:
        st.caption(t("Click an edge, or choose any two variables here."))
        return
    if at is not run:
        st.caption(
            escape_markdown(
                t("At a different value: {value}", value=written(slider_modes.current_mode(run).where(run)))
            )
        )
    there = _pair_there(at, [run.result.names[k] for k in pair])
    if there is None:
        st.markdown(t("One of the variables is not used here. Choose another pair."))
        return
    found = explain_pair(at, there)
    if at is run:
        verdict.show_beside_support(run, *pair)
    actions(run, pair, of_run=at is run)
    _evidence(run, at, pair, there, found)


def explain_pair(at: Run, pair: tuple[int, int]) -> Explanation:
    """Explain why a pair is adjacent or not."""
    found = explanation(at.result, pair, at.dataset)
    show(found)
    return found


def show(found: Explanation) -> None:
    """Write an explanation in the chosen language: the claim, then its evidence and caveats."""
    language = state.language()
    claim, *sentences = found.written(catalog(language))
    st.markdown(f"**{escape_markdown(claim)}**")
    for sentence in sentences:
        st.markdown(with_terms(sentence, language))


def actions(run: Run, pair: tuple[int, int], *, of_run: bool) -> None:
    """Offer the actions on a pair: put it in the report, direct it, forbid or require it.

    Without `of_run`, the graph on screen belongs to another value than the run's, and only background knowledge is
    offered.
    """
    if of_run:
        report_files.pick_explanation(run, *pair)
        edge_directions.offer_turns(run, *pair)
    edge_constraints.offer_knowledge(run, *pair)


def _evidence(run: Run, at: Run, pair: tuple[int, int], there: tuple[int, int], found: Explanation) -> None:
    """Show pictures and tables behind an explanation: numbers of the pair, its steps, its tests and its rows."""
    for name in kind_of(at.result).beside(at.result) if at is run else ():
        BESIDE[name](run, *pair)
    evidence.side_by_side(run, *pair)
    edge_directions.show_noise(at, *there)
    if at is run:
        verdict.of_pair(run, *pair)
    if slider.replays(run):
        _presence(run, interval(at.result, *there))
    if found.tests:
        _tests(found)
    _data_behind(at, *pair_figures.cause_first(at.result.graph, *there), found.decisive.cond if found.decisive else ())


def _tests(found: Explanation) -> None:
    """Show the table of the tests of a pair."""
    language = state.language()
    show_table(
        evidence_table(found, catalog(language)),
        hide_index=True,
        alt=t("Tests of this pair, the largest p first"),
        column_config={
            t("p"): st.column_config.TextColumn(width="small"),
            t("verdict"): st.column_config.TextColumn(width="small"),
            t("largest p, given"): st.column_config.TextColumn(help=t("The set of that size with the largest p")),
        },
    )


def _pair_there(at: Run, names: Sequence[str]) -> tuple[int, int] | None:
    """Return two variables in a result that may have fewer columns; None if one is missing."""
    if not set(names) <= set(at.result.names):
        return None
    return at.result.names.index(names[0]), at.result.names.index(names[1])


def _pick_pair(run: Run) -> tuple[int, int] | None:
    """Return the pair chosen in two select boxes, which are synchronized with the picture."""
    labels, chosen = distinct_labels(run.result.names), selection.selected(run)
    alone = selection.single(run)
    left_meanwhile = "why_x" not in st.session_state  # a visit to another page dropped the boxes
    if left_meanwhile or st.session_state.get("why_synced") != (run.number, chosen, alone):
        st.session_state.why_synced = (run.number, chosen, alone)
        st.session_state.why_x, st.session_state.why_y = chosen or (alone, None)

    def changed() -> None:
        x, y = st.session_state.why_x, st.session_state.why_y
        if x is not None and y is not None and x != y:
            selection.select(run, (x, y))
            st.session_state.why_synced = (run.number, (x, y), None)

    boxes = [
        column.selectbox(
            label,
            range(len(labels)),
            format_func=labels.__getitem__,
            key=key,
            index=None,
            placeholder=t("a variable"),
            on_change=changed,
        )
        for column, label, key in zip(st.columns(2), (t("Between"), t("and")), ("why_x", "why_y"), strict=True)
    ]
    return None if None in boxes or boxes[0] == boxes[1] else (boxes[0], boxes[1])


def _presence(run: Run, span: tuple[int, int]) -> None:
    """Show in which steps the edge is present, and whether it is present at the step on screen."""
    n_steps = last_step(run.result) + 1
    first, last = span
    if first >= n_steps:
        return
    step = choice_step(run.result) if st.session_state.step is None else st.session_state.step
    values = {"first": first, "last": min(last, n_steps) - 1, "n": n_steps - 1, "step": step}
    template = "In the graph from step {first} to {last} of {n}, but not at the step shown ({step})."
    if first <= step < last:
        template = (
            "In the graph from step {first} to {last} of {n}."
            if last < n_steps
            else "In the graph at every step from {first} to {n}."
            if first
            else "In the graph at every step."
        )
    text = t(template, **values)
    st.progress(min(1.0, (last - first) / n_steps), text=text)


def _data_behind(run: Run, x: int, y: int, cond: Sequence[int]) -> None:
    """Show the rows, grouped by the decisive conditioning set."""
    language = state.language()
    if shared_link.hides_table():
        st.caption(f"{t(NO_TABLE)} {t('Its rows are hidden.')}")
        return
    figure, caption = state.made_once(
        run,
        "why",
        (x, y, cond, language),
        lambda: pair_figures.pair_data(
            run.dataset, x, y, cond, state.scales_of(run), catalog(language), imputed=run.result.completed is not None
        ),
    )
    with st.expander(t("Data"), expanded=True, key="why_data_fold"):
        st.plotly_chart(figure, key="why_data", alt=caption)
        st.caption(escape_markdown(caption))
