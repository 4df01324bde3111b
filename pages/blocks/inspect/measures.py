"""Measures of the graph on screen in one line."""

from __future__ import annotations

import streamlit as st

from learners.common.sentences import Count, phrase
from learners.common.wording import format_number
from learners.evaluation import metrics
from learners.explaining.support import directed_graph, edge_counts
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.verdict.assumptions import Assumptions, check_assumptions
from learners.verdict.trust import SURE
from pages.blocks import slider
from pages.blocks.inspect import slider_modes
from pages.blocks.run_effort import Numbers, effort
from pages.session import state, verdicts
from pages.session.state import Run
from pages.session.words import counted, t, written
from viz.kinds import kind_of
from viz.text import format_share
from viz.verdicts import well_supported
from viz.weak_evidence import few_rows_line

SHD_MEANS = (
    "structural Hamming distance: number of pairs whose edge differs from the true CPDAG (missing, "
    "extra or directed differently); 0 is perfect"
)


def numbers_line(run: Run, graph: PDAG, *, own: bool = True) -> None:
    """Show edges, effort and accuracy, with their meanings in a help text; without `own`, only those of the graph."""
    of_run = [*_judged(run), *_rows(run), *_few_rows(run), *effort(run)] if own else []
    cells = [*_edges(run, graph), *of_run, *_quality(run, graph)]
    n_warnings = len(all_warnings(run)) if own else 0
    below = ""
    if n_warnings:
        below = " · :material/warning: " + t("{warnings} below", warnings=Count(n_warnings, "warning"))
    st.caption(
        " · ".join(text for text, _ in cells) + below,
        help="\n".join(f"- **{text}**: {meaning}" for text, meaning in cells),
        width="content",
    )


def all_warnings(run: Run) -> list[str]:
    """Return the warnings of the learner, and evidence in the data against its assumptions."""
    return [*run.result.warnings, *assumptions_of(run).sentences(run.result.names)]


def assumptions_of(run: Run) -> Assumptions:
    """Return the results of the checks of the table, made once for each run."""
    return state.made_once(run, "assumptions", None, lambda: check_assumptions(state.grouped(run), run.result))


def _edges(run: Run, graph: PDAG) -> Numbers:
    directed, bidirected, is_open = edge_counts(run.result, graph)
    others = t("and {n} with open direction", n=is_open)
    if isinstance(graph, PAG):
        others = t("and {n} bidirected, {m} with an open end", n=bidirected, m=is_open)
    return [
        (counted(graph.n_edges, "edge"), t("edges at the step on screen")),
        (t("{n} directed", n=directed), others),
    ]


def _judged(run: Run) -> Numbers:
    """Return the number of arrows of the run that the reliability check supports, if it was asked for."""
    found, arrows = verdicts.of(run), directed_graph(run.result).directed_edges()
    if found is None or found.silent or not arrows:
        return []
    supported = t("{n} of {arrows} supported as causes", n=well_supported(found, run.result), arrows=len(arrows))
    return [(supported, t("by the reliability check below, with P of at least {sure}", sure=str(SURE)))]


def _rows(run: Run) -> Numbers:
    """State how many rows the run and its tests used."""
    use, tests = run.result.use, run.result.rows_used
    if use is None:
        return []
    of_tests = t("; its tests had from {low} to {high} rows", low=tests[0], high=tests[1]) if tests else ""
    return [
        (counted(use.rows, "row"), written(phrase("the run {uses}", uses=use.sentence)) + of_tests),
        *_completed(run),
    ]


def _completed(run: Run) -> Numbers:
    """Return the share of cells that the run imputed, or for which it used moments by EM."""
    completed = run.result.completed
    if completed is None:
        return []
    text = "{share}% of cells imputed" if completed.imputed else "{share}% of cells missing"
    return [(t(text, share=format_number(100 * completed.share)), written(completed.sentence))]


def few_rows(run: Run) -> str | None:
    """Describe how many pairs no test could decide, or return None."""
    return state.made_once(run, "few_rows", None, lambda: few_rows_line(run.result))


def _few_rows(run: Run) -> Numbers:
    line = few_rows(run)
    return [(written(line), t("separated by a test with more degrees of freedom or cells than rows"))] if line else []


def _quality(run: Run, graph: PDAG) -> Numbers:
    if run.truth is None:
        return []
    found = metrics.skeleton_confusion(graph, run.truth)
    mode = slider_modes.current_mode(run)
    step = st.session_state.step if slider.replays(run) else None
    distance = metrics.shd(kind_of(run.result).comparable(run.result, step, mode.held(run, graph)), run.truth)
    return [
        (f"SHD {distance:,}", t(SHD_MEANS)),
        (
            t("precision {share}", share=format_share(found.precision)),
            t("share of the found edges that are true, ignoring directions"),
        ),
        (
            t("recall {share}", share=format_share(found.recall)),
            t("share of the true edges that were found, ignoring directions"),
        ),
    ]
