"""Answers on two variables: open paths, adjustment sets, effects, and the fit of the graph."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.data.dataset import Dataset
from learners.effects.adjustment import adjustment_sets
from learners.effects.estimates import adjusted_effect, effect_difference
from learners.effects.held_out import HeldOutCalibration, held_out_calibration
from learners.effects.ida import possible_effects
from learners.effects.implications import Implication, check_implications, implications, observable_implications
from learners.effects.instruments import instruments
from learners.effects.paths import mediators, separation
from learners.evaluation.comparison import fit
from learners.graphs.graph import PDAG
from learners.independence.selection import ci_test_for
from pages.blocks.effects import drawing
from pages.blocks.effects.question import EffectQuestion, plain_picture
from pages.blocks.effects.separation import table, tell
from pages.blocks.inspect.measures import assumptions_of
from pages.session import state
from viz.effects import tables, words
from viz.effects.picture import with_path, with_paths
from viz.graph_view import GraphViewData
from viz.text import as_sentence, count, escape_markdown, shorten

AT_ONCE = 1_000  # maximum number of implied independences tested without a click
MAX_FITTED = 200  # maximum number of variables of a network fitted to predict held-out rows
OF_THE_CLASS = "All DAGs of the class share these paths and separations."
SECONDS = 20.0  # time limit of the tests; the remaining ones are omitted


def _paths(question: EffectQuestion) -> GraphViewData:
    """Show d-separation; the slider moves through the paths."""
    found = separation(question.asked, question.x, question.y, question.given)
    names = (*question.names, "(hidden cause)")
    more = "" if question.graph.is_dag else OF_THE_CLASS
    tell(found, question.asked, question.x, question.y, names, "effects_paths", more)
    return with_paths(plain_picture(question), found, question.x, question.y, names)


def _adjustment(question: EffectQuestion) -> GraphViewData:
    """Show minimal adjustment sets, or the path that prevents one, and instruments."""
    found = adjustment_sets(question.asked, question.x, question.y, unmeasured=question.hidden)
    sentence = words.adjustment_sentence(found, question.graph, question.x, question.y, question.names)
    st.markdown(f"**{escape_markdown(sentence)}**")
    lit = _instruments_and_mediators(question)
    data = plain_picture(question, lit)
    if found.sets:
        chosen = _pick_set(found.sets, question, "effects_set")
        data = plain_picture(replace(question, given=chosen), lit)
        st.caption("The chosen set is marked in the graph. All sets are minimal, and any of them suffices.")
    elif found.path and not set(found.path) & set(question.hidden):
        data = with_path(data, found.path, sentence)
    return data


def _instruments_and_mediators(question: EffectQuestion) -> dict[int, str]:
    """Name instruments and mediators, and return their roles for the picture; both need a DAG."""
    if not question.asked.is_dag:
        st.caption("Instruments need a DAG. Turn on *Single DAG*.")
        return {}
    helped = instruments(question.asked, question.x, question.y, unmeasured=question.hidden)
    between = mediators(question.asked, question.x, question.y)
    st.markdown(escape_markdown(words.instruments_sentence(helped, question.names)))
    st.markdown(escape_markdown(words.mediators_sentence(between, question.names)))
    return dict.fromkeys(between, "mediator") | {one.node: "instrument" for one in helped}


def _effect(question: EffectQuestion) -> GraphViewData:
    """Estimate the effect for each possible set of parents of the cause, and by an adjustment set."""
    stated = st.checkbox("Causal graph without hidden causes", key="effects_stated", persist_state="session")
    st.caption(words.STATED if stated else words.UNSTATED)
    run, x, y, names = question.run, question.x, question.y, question.names
    for sentence in words.cause_sentences(assumptions_of(run), run.data.get("trust"), x, y, names):
        st.markdown(escape_markdown(sentence))
    levels = [run.dataset.levels[k] if kind == "categorical" else None
              for k, kind in zip(run.dataset.place, run.dataset.kinds, strict=True)]  # fmt: skip
    data = plain_picture(question)
    found = adjustment_sets(question.asked, x, y, unmeasured=question.hidden)
    if not found.identified and question.hidden:
        st.markdown(escape_markdown(words.adjustment_sentence(found, question.graph, x, y, names)))
        return data
    try:
        scales = state.scales_of(run)
        effects = possible_effects(question.graph, state.completed(run), x, y)
        st.markdown(f"**{escape_markdown(words.effect_sentence(effects, x, y, names, levels, scales))}**")
        if filled := words.filling_sentence(run.dataset, effects):
            st.caption(filled)
        if len(effects) > 1:
            st.caption(f"One row per possible parent set of the cause in the class, {len(effects):,} in all (IDA).")
        if len(effects) > 1 or not found.sets:
            table(tables.effect_rows(effects, x, names, levels, y), "effects_numbers", "Effects by sets of parents")
        if found.sets:
            chosen = _pick_set(found.sets, question, "effects_by_set")
            effect = adjusted_effect(state.completed(run), x, y, chosen)
            table(tables.effect_rows([effect], x, names, levels, y), "effects_by_set_numbers", "Effect by this set")
            data = plain_picture(replace(question, given=chosen))
            _difference(state.completed(run), x, y, chosen, names[x], names[y])
    except LearnersError as error:
        st.info(escape_markdown(as_sentence(str(error))), icon=":material/info:")
    return data


def _difference(dataset: Dataset, x: int, y: int, given: tuple[int, ...], cause: str, effect: str) -> None:
    """Show the effect of a change between two chosen levels, next to the unadjusted difference."""
    levels, of = (0, 1), 0
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if dataset.kinds[x] == "categorical":
            own = dataset.levels[dataset.place[x]]
            picked = [
                st.selectbox(
                    f"{escape_markdown(shorten(cause))} {word}", range(len(own)), index=k, format_func=own.__getitem__,
                    key=f"effects_{word}_{x}_{len(own)}", width=150,
                )
                for k, word in enumerate(("from", "to"))
            ]  # fmt: skip
            levels = (picked[0], picked[1])
        if dataset.kinds[y] == "categorical":
            theirs = dataset.levels[dataset.place[y]]
            of = st.selectbox(
                f"Probability of {escape_markdown(shorten(effect))} =", range(len(theirs)), len(theirs) - 1,
                format_func=theirs.__getitem__, key=f"effects_of_{y}_{len(theirs)}", width=200,
            )  # fmt: skip
    if levels[0] == levels[1]:
        st.caption("Choose two different levels of the cause.")
        return
    adjusted = effect_difference(dataset, x, y, given, levels=levels, of=of)
    plain = effect_difference(dataset, x, y, levels=levels, of=of)
    st.markdown(f"**{escape_markdown(words.difference_sentence(adjusted, plain))}**")
    table(tables.difference_rows(adjusted, plain), "effects_difference", "Adjusted and unadjusted difference")


def _effect_of_drawing(question: EffectQuestion) -> GraphViewData:
    """Estimate the effect in the drawn graph from the table in use, if that has its variables."""
    data = plain_picture(question)
    found = adjustment_sets(question.graph, question.x, question.y, unmeasured=question.hidden)
    sentence = words.adjustment_sentence(found, question.graph, question.x, question.y, question.names)
    st.markdown(f"**{escape_markdown(sentence)}**")
    if not found.sets:
        return data
    chosen = _pick_set(found.sets, question, "effects_by_set")
    dataset = drawing.data_of(question)
    if dataset is None:
        st.info(
            "An estimate needs data. Use a table with these variables, or simulate rows on Build (*Learning curve*).",
            icon=":material/table_chart:",
        )
        return plain_picture(replace(question, given=chosen))
    x, y, *given = (dataset.names.index(question.names[k]) for k in (question.x, question.y, *chosen))
    try:
        _difference(dataset, x, y, tuple(given), question.names[question.x], question.names[question.y])
        st.caption(f"{words.STATED} {escape_markdown(f'The table is {shorten(state.source().title)}.')}")
    except LearnersError as error:
        st.info(escape_markdown(as_sentence(str(error))), icon=":material/info:")
    return plain_picture(replace(question, given=chosen))


def _implied_by_drawing(question: EffectQuestion) -> GraphViewData:
    """List the independences among measured variables that the drawn graph implies, tested if the table has them."""
    found = observable_implications(question.graph, question.latent)
    if not found:
        st.markdown("**The graph implies no independence of measured variables.**")
        return plain_picture(question)
    st.markdown(f"**The graph implies {count(len(found), 'independence')} of measured variables.**")
    dataset = drawing.data_of(question)
    results = None
    if dataset is not None:
        try:
            test, at = (
                ci_test_for(dataset),
                [dataset.names.index(n) if n in dataset.names else -1 for n in question.names],
            )
            results = [test.test(at[one.x], at[one.y], tuple(sorted(at[k] for k in one.given))) for one in found]
        except LearnersError as error:
            st.info(escape_markdown(as_sentence(str(error))), icon=":material/info:")
    rows = tables.implied_rows(found, results, question.names)
    chosen = st.dataframe(
        rows, hide_index=True, key="effects_implied_drawn", alt="Implied independences", on_select="rerun",
        selection_mode="single-row", height=min(420, 38 + 35 * len(rows)),
    ).selection.rows  # fmt: skip
    st.caption("Select a row to see in the graph which nodes block the paths.")
    return _lit(question, found[chosen[0]]) if chosen else plain_picture(question)


def _lit(question: EffectQuestion, one: Implication) -> GraphViewData:
    """Return the picture of an implied independence: its paths, and what blocks them."""
    asked = replace(question, x=one.x, y=one.y, given=one.given)
    found = separation(question.graph, one.x, one.y, one.given)
    return with_paths(plain_picture(asked), found, one.x, one.y, question.names)


def _fit(question: EffectQuestion) -> GraphViewData:
    """Test the independence implied by each missing edge, the worst first."""
    run, graph = question.run, question.graph
    n_implied = len(state.made_once(run, "implied", graph, lambda: implications(graph)))
    known = run.data.get("implications")
    if not (known and known[0] == graph) and n_implied > AT_ONCE:
        st.caption(f"The graph implies {count(n_implied, 'independence')}. Testing takes up to {SECONDS:.0f} s.")
        if not st.button("Test independences", key="effects_test", icon=":material/rule:"):
            return plain_picture(question)
    with st.spinner("Testing the implied independences…"):
        until = time.monotonic() + SECONDS
        found = state.made_once(
            run, "implications", graph,
            lambda: check_implications(graph, ci_test_for(run.dataset), tick=lambda *_: time.monotonic() < until),
        )  # fmt: skip
    st.markdown(f"**{escape_markdown(words.implied_sentence(found, n_implied))}**")
    if not found:
        _beside(question)
        return plain_picture(question)
    rows = tables.implication_rows(found, question.names)
    chosen = st.dataframe(
        rows, hide_index=True, key=f"effects_implied_{run.number}", alt="Implied independences, the worst fit first",
        on_select="rerun", selection_mode="single-row", height=min(420, 38 + 35 * len(rows)),
    ).selection.rows  # fmt: skip
    if chosen:
        implication = found[chosen[0]].implication
        st.session_state.pair = (question.names[implication.x], question.names[implication.y])
        st.page_link("pages/inspect.py", label="Explain this pair", icon=":material/help:")
    else:
        st.caption("Select a row to light its paths, and to explain its pair on Inspect.")
    _beside(question)
    return _lit(question, found[chosen[0]].implication) if chosen else plain_picture(question)


def _beside(question: EffectQuestion) -> None:
    """Show scores of this graph, of the empty graph and of other runs on the same data, and its calibration."""
    own, runs = question.run, st.session_state.runs
    graphs = {"this graph": question.graph, "no edges": PDAG.empty(question.graph.p)}
    graphs |= {
        shorten(other_run.label): other_run.result.graph
        for other_run in runs
        if other_run is not own and other_run.dataset is own.dataset
    }
    rows, aside = state.made_once(own, "effects_beside", tuple(graphs.items()), lambda: _measured(question, graphs))
    st.markdown("**Comparison with other graphs**")
    table(rows, "effects_beside", "Scores of this graph and of others; higher is better")
    st.caption("Scores are per row, for a DAG of the class; higher is better. " + words.HELD_OUT * (aside is not None))
    if aside is not None:
        st.markdown(f"**{escape_markdown(words.calibration_sentence(aside))}**")
        table(tables.calibration_rows(aside), "effects_calibration", "Predicted probabilities and observed frequencies")


def _measured(question: EffectQuestion, graphs: dict[str, PDAG]) -> tuple[pd.DataFrame, HeldOutCalibration | None]:
    """Return scores of the graphs, and the predictions of the first on held-out rows."""
    own = question.run
    data = state.completed(own)
    rows = [fit(graph, data) for graph in graphs.values()]
    asides = [_aside(graph, own.dataset) for graph in graphs.values()]
    for row, prediction in zip(rows, asides, strict=True):
        if prediction is not None:
            row["log-likelihood"] = prediction.log_likelihood
    return pd.DataFrame(rows, index=list(graphs)).reset_index(names="graph"), asides[0]


def _aside(graph: PDAG, dataset: Dataset) -> HeldOutCalibration | None:
    """Return the predictions of a graph on held-out rows, or None if fitting a network is slow."""
    if dataset.p > MAX_FITTED:
        return None
    try:
        return held_out_calibration(graph, dataset)
    except LearnersError:
        return None


VIEWS = {"Paths": _paths, "Adjustment": _adjustment, "Effect": _effect, "Fit": _fit}
DRAWN_VIEWS = {
    "Paths": _paths, "Adjustment": _adjustment, "Effect": _effect_of_drawing, "Implications": _implied_by_drawing,
}  # fmt: skip


def _pick_set(sets: Sequence[tuple[int, ...]], question: EffectQuestion, key: str) -> tuple[int, ...]:
    place = st.selectbox(
        "Adjust for", range(len(sets)), format_func=lambda k: tables.set_or_nothing(sets[k], question.names),
        key=f"{key}_{question.key}",
    )  # fmt: skip
    return sets[place]
