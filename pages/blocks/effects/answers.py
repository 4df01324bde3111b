"""Answers on two variables: open paths, adjustment sets, effects, and the fit of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count, Phrase
from learners.data.dataset import Dataset
from learners.effects.adjustment import Adjustment, adjustment_sets
from learners.effects.estimates import Effect, EffectDifference, adjusted_effect, effect_difference
from learners.effects.front_door import front_door_effect, front_door_sets
from learners.effects.held_out import HeldOutCalibration, held_out_calibration
from learners.effects.ida import possible_effects
from learners.effects.implications import (
    Implication,
    ImplicationResult,
    check_independences,
    observable_implications,
)
from learners.effects.instruments import instruments
from learners.effects.paths import mediators, separation
from learners.evaluation.comparison import fit
from learners.explaining.support import determination, relation_clause
from learners.graphs.graph import PDAG
from learners.independence.selection import ci_test_for
from pages.blocks.effects import drawing, model_fit, roles
from pages.blocks.effects.question import EffectQuestion, plain_picture, without_roles
from pages.blocks.effects.separation_answer import table, tell
from pages.blocks.inspect.measures import assumptions_of
from pages.session import state, verdicts
from pages.session.data_frame import show_table
from pages.session.state import Run
from pages.session.words import headings, run_title, t, table_title, worded_cells, written
from viz.effects import statements, tables, words
from viz.effects.picture import with_path, with_paths
from viz.graph_view import GraphViewData
from viz.text import as_sentence, escape_markdown, shorten

NEEDS_DATA = "An estimate needs data. Use a table with these variables, or simulate rows on Build."
MAX_FITTED = 200  # maximum number of variables of a network fitted to predict held-out rows
LEVEL_LABELS = {"from": "{cause} from", "to": "{cause} to"}


def _paths(question: EffectQuestion) -> GraphViewData:
    """Show d-separation; the slider moves through the paths."""
    found = separation(question.asked, question.x, question.y, question.given)
    names = (*question.names, t("(hidden cause)"))
    more = "" if question.graph.is_dag else t("All DAGs of the class share these paths and separations.")
    tell(found, question.asked, question.x, question.y, names, "effects_paths", more, question.undirected)
    return with_paths(plain_picture(question, is_symmetric=True), found, question.x, question.y, names)


def _refused(question: EffectQuestion, path: Sequence[int]) -> GraphViewData:
    """State that no effect follows along a path, and highlight it."""
    pair = next(step for step in pairwise(path) if frozenset(step) in question.undirected)
    relation = relation_clause(determination(question.run.result, *pair), question.names)
    sentence = words.no_direction_sentence(path, question.asked, question.names, question.undirected, relation)
    st.markdown(f"**{escape_markdown(written(sentence))}**")
    return with_path(plain_picture(question), path, sentence)


def _say_chosen(question: EffectQuestion) -> None:
    """Name the arrows of a single DAG that the effect rests on, although the class leaves them open."""
    if said := words.chosen_arrows_sentence(question.chosen_arrows, question.names):
        st.caption(escape_markdown(written(said)))


def _say_evidence(question: EffectQuestion, *, slope: bool) -> None:
    """State the evidence for or against an effect; `slope` if a regression estimates it."""
    said = words.cause_sentences(
        assumptions_of(question.run), verdicts.of(question.run), question.x, question.y, question.names,
        slope=slope,
    )  # fmt: skip
    for sentence in said:
        st.markdown(escape_markdown(written(sentence)))


def _adjustment(question: EffectQuestion) -> GraphViewData:
    """Show minimal adjustment sets, or the path that prevents one, and instruments."""
    if path := question.path_without_direction:
        return _refused(question, path)
    if question.run is not None:
        model_fit.warn(question.run, "effects")
    found = adjustment_sets(question.asked, question.x, question.y, unmeasured=question.hidden)
    sentence = words.adjustment_sentence(found, question.graph, question.x, question.y, question.names)
    if found.obstacle == "no effect" and question.run is not None:
        _say_no_effect(question, sentence)
    else:
        st.markdown(f"**{escape_markdown(written(sentence))}**")
    st.caption(t(words.GRAPH_IS_RIGHT if question.hidden else words.GRAPH_IS_CAUSAL))
    if question.run is not None:
        _say_evidence(question, slope=False)
        if found.obstacle != "no effect":  # its statement names the directions that it rests on
            _say_directions(question, causal=False)
    _say_chosen(question)
    lit = _instruments_and_mediators(question)
    data = plain_picture(question, lit)
    if any(found.sets):
        chosen = _pick_set(found.sets, question, "effects_set")
        data = plain_picture(replace(question, given=chosen), lit)
        several = "Each set is minimal and suffices. The graph marks the chosen one."
        one = "This set is minimal and suffices. The graph marks it."
        st.caption(t(one if len(found.sets) == 1 else several))
    elif found.path and max(found.path) < question.graph.p:  # the node of an assumed hidden cause is not drawn
        data = with_path(data, found.path, sentence)
    return data


def _say_directions(question: EffectQuestion, *, causal: bool) -> None:
    """State what follows if an uncertain direction, on which the effect rests, is wrong."""
    run, graph, names = question.run, question.graph, question.names
    judged = verdicts.of(run)
    for said in statements.direction_notes(run.result, judged, graph, question.x, question.y, names, causal=causal):
        st.caption(escape_markdown(written(said)))


def _instruments_and_mediators(question: EffectQuestion) -> dict[int, str]:
    """Name instruments and mediators, and return their roles for the picture; both need a DAG."""
    if not question.asked.is_dag:
        st.caption(t("Instrumental variables need a single DAG. Turn on *Single DAG*."))
        return {}
    helped = instruments(question.asked, question.x, question.y, unmeasured=question.hidden)
    between = mediators(question.asked, question.x, question.y)
    st.markdown(escape_markdown(written(words.instruments_sentence(helped, question.names))))
    st.markdown(escape_markdown(written(words.mediators_sentence(between, question.names))))
    through = front_door_sets(question.asked, question.x, question.y, unmeasured=question.hidden)
    st.markdown(escape_markdown(written(words.front_door_sentence(through, question.names))))
    if question.run is not None and question.graph != question.run.result.graph:
        st.caption(
            t("Instruments, mediators and the front door are those of this DAG. Others of the class may differ.")
        )
    return dict.fromkeys(between, "mediator") | {one.node: "instrument" for one in helped}


def _effect(question: EffectQuestion) -> GraphViewData:
    """Estimate the effect by an adjustment set, or else for each possible set of parents of the cause."""
    if path := question.path_without_direction:
        return _refused(question, path)
    run, x, y, names = question.run, question.x, question.y, question.names
    model_fit.warn(run, "effects")
    stated = st.checkbox(
        t("Assume: the graph is causal and has no hidden common causes"), key="effects_stated", persist_state="session"
    )
    st.caption(t(words.STATED if stated else words.UNSTATED))
    _say_evidence(question, slope=run.dataset.kinds[y] == "continuous")
    found = adjustment_sets(question.asked, x, y, unmeasured=question.hidden)
    if not found.identified and question.hidden:
        _say_chosen(question)
        st.markdown(escape_markdown(written(words.adjustment_sentence(found, question.graph, x, y, names))))
        return _front_door(question, state.completed(run), range(len(names)))
    if found.obstacle == "no effect":
        _say_no_effect(question, words.adjustment_sentence(found, question.graph, x, y, names), stated=stated)
    try:
        if found.obstacle == "no effect" and (stated or question.graph.mark(y, x) == "forward"):
            _say_of_class(question, causal=stated)
            return plain_picture(question)
        return _estimated(question, found, stated=stated)
    except LearnersError as error:
        st.info(escape_markdown(written(as_sentence(str(error)))), icon=":material/info:")
    return plain_picture(question)


def _say_no_effect(question: EffectQuestion, said: Phrase, *, stated: bool = False) -> None:
    """State that the graph has no effect, under the directions that this rests on, and lead to the first of them."""
    run, graph, x, y, names = question.run, question.graph, question.x, question.y, question.names
    if stated:
        said = statements.no_effect_statement(run.result, verdicts.of(run), graph, x, y, names)
    else:
        said = statements.under_arrows_against(said, run.result, graph, x, y, names)
    st.markdown(f"**{escape_markdown(written(said))}**")
    if against := statements.arrows_against(run.result, graph, x, y):
        _lead_to(question, *against[0])


def _lead_to(question: EffectQuestion, i: int, j: int) -> None:
    """Offer to open a pair on Inspect, where its edge can be forbidden or required."""
    st.caption(t("If you know better, forbid or require this edge on Inspect. The run is repeated with it."))
    if st.button(t("Show this edge on Inspect"), icon=":material/gavel:", key="effects_pair"):
        st.session_state.pair = (question.names[i], question.names[j])
        st.switch_page("pages/inspect.py")


def _levels(run: Run) -> list[Sequence[str] | None]:
    """Return the levels of each variable of a run; None for numbers."""
    return [run.dataset.levels[k] if kind == "categorical" else None
            for k, kind in zip(run.dataset.place, run.dataset.kinds, strict=True)]  # fmt: skip


def _say_of_class(question: EffectQuestion, *, causal: bool) -> None:
    """Name the directions that a single DAG chose, with the effects over its whole class."""
    _say_chosen(question)
    if question.chosen_arrows:
        run, x, y = question.run, question.x, question.y
        effects = possible_effects(run.result.graph, state.completed(run), x, y)
        levels, scales = _levels(run), state.scales_of(run)
        said = words.effect_sentence(effects, x, y, question.names, levels, scales, causal=causal)
        st.markdown(f"{t('All DAGs of the class:')} {escape_markdown(written(said))}")


def _estimated(question: EffectQuestion, found: Adjustment, *, stated: bool) -> GraphViewData:
    """Show the estimate of an effect with its interval, its assumptions and its tables."""
    run, x, y, names = question.run, question.x, question.y, question.names
    dataset = state.completed(run)
    numbers = (x, y, names, _levels(run), state.scales_of(run))
    headline = st.container()
    chosen = _pick_set(found.sets, question, "effects_by_set") if found.sets else ()
    if found.sets:
        effects = (adjusted_effect(dataset, x, y, chosen),)
    else:
        effects = possible_effects(question.graph, dataset, x, y)
    with headline:
        said = words.effect_sentence(effects, *numbers, causal=False)
        if stated:
            said = statements.effect_statement(run.result, verdicts.of(run), question.graph, effects, *numbers)
        st.markdown(f"**{escape_markdown(written(said))}**")
        _say_directions(question, causal=stated)
        if said := statements.open_effect_note(effects, x, y, names):
            st.markdown(escape_markdown(written(said)))
        _say_of_class(question, causal=stated)
        st.caption(t(words.estimator_sentence(effects, run.dataset.kinds, x)))
        st.caption(t("The intervals ignore that the graph was learned from the same rows."))
        if filled := words.filling_sentence(run.dataset, effects):
            st.caption(written(filled))
        if len(effects) > 1:
            st.caption(
                t("The interval covers the intervals of all {n} possible sets of parents of the cause.", n=len(effects))
            )
    rows = tables.effect_rows(effects, x, names, _levels(run), y)
    if not found.sets:
        if effects[0].measure in ("means", "shares"):
            _differences_by_set(question, dataset, effects)
        table(rows, "effects_numbers", t("Effects by sets of parents"))
        return plain_picture(question)
    is_slope = effects[0].measure in ("slope", "slopes")  # the headline is the difference
    if chosen or not is_slope:
        _difference(dataset, x, y, chosen, names[x], names[y], causal=False, is_said=not is_slope)
    if not (chosen and is_slope):
        table(rows, "effects_by_set_numbers", t("Effect by this set"))
    return plain_picture(replace(question, given=chosen))


def _front_door(question: EffectQuestion, dataset: Dataset | None, columns: Sequence[int] | None) -> GraphViewData:
    """Estimate the effect through a front-door set where no adjustment set exists.

    Parameters
    ----------
    question : EffectQuestion
    dataset : Dataset or None
        The table in use, if it has the measured variables.
    columns : sequence of int or None
        Column of each node in the table.
    """
    if not question.asked.is_dag:
        return plain_picture(question)
    sets = front_door_sets(question.asked, question.x, question.y, unmeasured=question.hidden)
    st.markdown(escape_markdown(written(words.front_door_sentence(sets, question.names))))
    if not sets:
        return plain_picture(question)
    if dataset is None:
        st.info(t(NEEDS_DATA), icon=":material/table_chart:")
    else:
        x, y, *through = (columns[k] for k in (question.x, question.y, *sets[0]))
        try:
            levels, of = _pick_levels(dataset, x, y, question.names[question.x], question.names[question.y])
            if levels[0] == levels[1]:
                st.caption(t("Choose two different levels of the cause."))
            else:
                found = front_door_effect(dataset, x, y, through, levels=levels, of=of)
                plain = effect_difference(dataset, x, y, levels=levels, of=of)
                st.markdown(f"**{escape_markdown(written(words.front_door_difference_sentence(found, plain)))}**")
        except LearnersError as error:
            st.info(escape_markdown(written(as_sentence(str(error)))), icon=":material/info:")
    return plain_picture(question, dict.fromkeys(sets[0], "mediator"))


def _difference(
    dataset: Dataset, x: int, y: int, given: tuple[int, ...], cause: str, effect: str, *,
    causal: bool, is_said: bool = True,
) -> None:  # fmt: skip
    """Show the adjusted difference between two chosen levels, next to the unadjusted one.

    It is the headline of the page if it is `causal`; unless `is_said`, only the table shows it.
    """
    levels, of = _pick_levels(dataset, x, y, cause, effect)
    if levels[0] == levels[1]:
        st.caption(t("Choose two different levels of the cause."))
        return
    adjusted = effect_difference(dataset, x, y, given, levels=levels, of=of)
    plain = effect_difference(dataset, x, y, levels=levels, of=of)
    if is_said:
        said = escape_markdown(written(words.difference_sentence(adjusted, plain, causal=causal)))
        st.markdown(f"**{said}**" if causal else said)
    rows = worded_cells(tables.difference_rows(adjusted, plain), "")
    table(rows, "effects_difference", t("Adjusted and unadjusted difference"))


def _differences_by_set(question: EffectQuestion, dataset: Dataset, effects: Sequence[Effect]) -> None:
    """Show the difference between two chosen levels, adjusted for each possible set of parents of the cause."""
    x, y, names = question.x, question.y, question.names
    levels, of = _pick_levels(dataset, x, y, names[x], names[y])
    if levels[0] == levels[1]:
        st.caption(t("Choose two different levels of the cause."))
        return
    by_set = [
        EffectDifference(0.0, 0.0, 0.0, one.given)  # a child cannot change its parent
        if y in one.given
        else effect_difference(dataset, x, y, one.given, levels=levels, of=of)
        for one in effects
    ]
    plain = effect_difference(dataset, x, y, levels=levels, of=of)
    st.markdown(escape_markdown(written(words.differences_sentence(by_set, plain))))
    table(
        tables.differences_by_set_rows(by_set, names), "effects_differences_by_set", t("Difference by sets of parents")
    )


def _pick_levels(dataset: Dataset, x: int, y: int, cause: str, effect: str) -> tuple[tuple[int, int], int]:
    """Let the user choose two levels of a categorical cause, and the level of a categorical effect."""
    levels, of = (0, 1), 0
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if dataset.kinds[x] == "categorical":
            own = dataset.levels[dataset.place[x]]
            picked = [
                st.selectbox(
                    escape_markdown(t(label, cause=shorten(cause))), range(len(own)), index=k,
                    format_func=own.__getitem__, key=f"effects_{word}_{x}_{len(own)}", width=150,
                )
                for k, (word, label) in enumerate(LEVEL_LABELS.items())
            ]  # fmt: skip
            levels = (picked[0], picked[1])
        if dataset.kinds[y] == "categorical":
            theirs = dataset.levels[dataset.place[y]]
            of = st.selectbox(
                escape_markdown(t("Probability of {effect} =", effect=shorten(effect))), range(len(theirs)),
                len(theirs) - 1, format_func=theirs.__getitem__, key=f"effects_of_{y}_{len(theirs)}", width=200,
            )  # fmt: skip
    return levels, of


def _effect_of_drawing(question: EffectQuestion) -> GraphViewData:
    """Estimate the effect in the drawn graph from the table in use, if that has its variables."""
    data = plain_picture(question)
    found = adjustment_sets(question.graph, question.x, question.y, unmeasured=question.hidden)
    sentence = words.adjustment_sentence(found, question.graph, question.x, question.y, question.names)
    st.markdown(f"**{escape_markdown(written(sentence))}**")
    dataset = drawing.data_of(question)
    if not found.sets:
        columns = (
            None if dataset is None else [dataset.names.index(n) if n in dataset.names else -1 for n in question.names]
        )
        return data if found.obstacle == "no effect" else _front_door(question, dataset, columns)
    chosen = _pick_set(found.sets, question, "effects_by_set")
    if dataset is None:
        st.info(
            t(NEEDS_DATA),
            icon=":material/table_chart:",
        )
        return plain_picture(replace(question, given=chosen))
    x, y, *given = (dataset.names.index(question.names[k]) for k in (question.x, question.y, *chosen))
    try:
        ends = question.names[question.x], question.names[question.y]
        of_table = t("The table is {title}.", title=shorten(table_title(state.source().title)))
        st.markdown(escape_markdown(of_table))
        _difference(dataset, x, y, tuple(given), *ends, causal=True)
        st.caption(t(words.STATED))
    except LearnersError as error:
        st.info(escape_markdown(written(as_sentence(str(error)))), icon=":material/info:")
    return plain_picture(replace(question, given=chosen))


def _implied_by_drawing(question: EffectQuestion) -> GraphViewData:
    """List the independences among measured variables that the drawn graph implies, tested if the table has them."""
    found = observable_implications(question.graph, question.latent)
    if not found:
        st.markdown(f"**{t('The graph implies no independence of measured variables.')}**")
        return plain_picture(question)
    results = _tests_of_drawing(question, found)
    if results is None:
        implied = Count(len(found), "independence")
        st.markdown(f"**{t('The graph implies {implied} of measured variables.', implied=implied)}**")
        st.caption(t("Tests need a table with these variables."))
        rows = worded_cells(tables.implied_rows(found, question.names), "independent given")
    else:
        st.markdown(f"**{escape_markdown(written(words.implied_sentence(results, len(found))))}**")
        rows = worded_cells(tables.implication_rows(results, question.names), "independent given", "p", "verdict")
        found = [one.implication for one in results]
    chosen = show_table(
        rows, hide_index=True, key="effects_implied_drawn", alt=t("Implied independences"), on_select="rerun",
        selection_mode="single-row", height=min(420, 38 + 35 * len(rows)), column_config=headings(rows),

    ).selection.rows  # fmt: skip
    st.caption(t("Select a row to see in the graph which nodes block the paths."))
    return _lit(question, found[chosen[0]]) if chosen else plain_picture(question)


def _tests_of_drawing(question: EffectQuestion, found: Sequence[Implication]) -> list[ImplicationResult] | None:
    """Return the tests of independences between drawn nodes on the table in use, the worst first; None without one."""
    dataset = drawing.data_of(question)
    if dataset is None:
        return None
    column = [dataset.names.index(n) if n in dataset.names else -1 for n in question.names]
    node = {j: k for k, j in enumerate(column)}
    asked = [Implication(column[x], column[y], tuple(sorted(column[k] for k in given))) for x, y, given in found]
    try:
        results = check_independences(asked, ci_test_for(dataset))
    except LearnersError as error:
        st.info(escape_markdown(written(as_sentence(str(error)))), icon=":material/info:")
        return None
    return [
        replace(one, implication=Implication(node[x], node[y], tuple(sorted(node[k] for k in given))))
        for one in results
        for x, y, given in [one.implication]
    ]


def _lit(question: EffectQuestion, one: Implication) -> GraphViewData:
    """Return the picture of an implied independence: its paths and the nodes that block them."""
    asked = replace(question, x=one.x, y=one.y, given=one.given)
    found = separation(question.graph, one.x, one.y, one.given)
    return with_paths(plain_picture(asked, is_symmetric=True), found, one.x, one.y, question.names)


def _fit(question: EffectQuestion) -> GraphViewData:
    """Test the independence implied by each missing edge, the worst first."""
    run, graph = question.run, question.graph
    n_implied = model_fit.n_implied(run, graph)
    if model_fit.known_tests(run, graph) is None and n_implied > model_fit.AT_ONCE:
        implied = Count(n_implied, "independence")
        st.caption(
            t("The graph implies {implied}. Testing takes up to {n} s.", implied=implied, n=int(model_fit.SECONDS))
        )
        if not st.button(t("Test independences"), key="effects_test", icon=":material/rule:"):
            return without_roles(question)
    with st.spinner(t("Testing the implied independences…")):
        found = model_fit.tests_of(run, graph)
    st.markdown(f"**{escape_markdown(written(words.implied_sentence(found, n_implied)))}**")
    if not found:
        _beside(question)
        return without_roles(question)
    st.caption(t("The graph was learned from these rows, which favours it. Not rejected does not mean confirmed."))
    rows = worded_cells(tables.implication_rows(found, question.names), "independent given", "p", "verdict")
    chosen = show_table(
        rows, hide_index=True, key=f"effects_implied_{run.number}", column_config=headings(rows),
        alt=t("Implied independences, the worst fit first"), on_select="rerun", selection_mode="single-row",
        height=min(420, 38 + 35 * len(rows)),
    ).selection.rows  # fmt: skip
    if chosen:
        implication = found[chosen[0]].implication
        st.session_state.pair = (question.names[implication.x], question.names[implication.y])
        st.page_link("pages/inspect.py", label=t("Explain this pair"), icon=":material/help:")
    else:
        st.caption(t("Select a row to highlight its paths and to explain its pair."))
    _beside(question)
    return _lit(question, found[chosen[0]].implication) if chosen else without_roles(question)


def _beside(question: EffectQuestion) -> None:
    """Show scores of this graph, of the empty graph and of other runs on the same data, and its calibration."""
    own, runs = question.run, st.session_state.runs
    graphs = {t("this graph"): question.graph, t("no edges"): PDAG.empty(question.graph.p)}
    graphs |= {
        shorten(run_title(other_run.label)): other_run.result.graph
        for other_run in runs
        if other_run is not own and other_run.dataset is own.dataset
    }
    rows, aside = state.made_once(own, "effects_beside", tuple(graphs.items()), lambda: _measured(question, graphs))
    st.markdown(f"**{t('Prediction, compared with other graphs')}**")
    st.caption(t("A graph that the data reject can predict well."))
    table(rows, "effects_beside", t("Scores of this graph and of others; higher is better"))
    held_out = "" if aside is None else t(words.HELD_OUT)
    st.caption(f"{t('Scores are per row, for a DAG of the class; higher is better.')} {held_out}")
    if aside is not None:
        st.markdown(f"**{escape_markdown(written(words.calibration_sentence(aside)))}**")
        alt = t("Predicted probabilities and observed frequencies")
        table(
            tables.calibration_rows(aside), "effects_calibration", alt, dict.fromkeys(("predicted", "observed"), "%.3f")
        )


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


PATHS = roles.VIEWS[0]  # the question whether two variables are separated
FIT = model_fit.FIT  # the question about the whole graph
VIEWS = dict(zip(roles.VIEWS, (_paths, _adjustment, _effect, _fit), strict=True))
DRAWN_VIEWS = {
    PATHS: _paths, "Adjustment": _adjustment, "Effect": _effect_of_drawing, "Implications": _implied_by_drawing,
}  # fmt: skip


def _pick_set(sets: Sequence[tuple[int, ...]], question: EffectQuestion, key: str) -> tuple[int, ...]:
    """Let the user choose an adjustment set; the empty set, which has no alternative, needs no choice."""
    if not any(sets):
        return ()
    options = [t(tables.set_or_nothing(one, question.names)) for one in sets]
    place = st.selectbox(
        t("Adjust for"), range(len(sets)), format_func=lambda k: options[k],
        key=f"{key}_{question.key}",
    )  # fmt: skip
    return sets[place]
