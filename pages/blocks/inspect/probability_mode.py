"""Slider mode: the edges with at least a probability or share."""

from __future__ import annotations

import streamlit as st

from learners.common.sentences import Count
from learners.evaluation.posterior import Posterior
from learners.families.averaging.probable_edges import ProbableEdges, of_frequencies, of_posterior
from learners.families.brai.bootstrap_run import BootstrapRun
from learners.graphs.graph import PDAG
from pages.blocks.slider import SliderMode
from pages.session import node_positions, state
from pages.session.state import Run
from pages.session.words import t, written
from viz.averaging.timeline import probable_timeline
from viz.averaging.words import EdgeMeasure, chains_sentence, posterior_sentence
from viz.graph_view import GraphViewData
from viz.kinds import kind_of


def number_of(run: Run) -> EdgeMeasure:
    """Return the meaning of the number on an edge."""
    return kind_of(run.result).special_part(EdgeMeasure, run.result)


def n_classes(run: Run) -> int:
    """Return the number of classes averaged over: the run's own or the chosen one."""
    return st.session_state.get(f"brai_k_{run.number}") or run.result.extra.k


def posterior_of(run: Run) -> Posterior:
    """Return the posterior over the chosen number of classes; for other runs, the posterior of the result."""
    if number_of(run).evidence != "classes":
        return run.result.posterior
    extra: BootstrapRun = run.result.extra
    return state.made_once(run, "posterior", n_classes(run), lambda: extra.posterior(n_classes(run)))


def probable_edges(run: Run) -> ProbableEdges:
    """Return the edges of a run with their probabilities or shares of resamples."""
    result = run.result
    if number_of(run).evidence != "resamples":
        return state.made_once(run, "probable", _averaged(run), lambda: of_posterior(posterior_of(run)))
    share = result.params["share"] if result.params["graph"] == "frequent" else None
    return state.made_once(run, "probable", None, lambda: of_frequencies(result.extra, result.graph, share))


def least_on_screen(run: Run) -> float:
    """Return the minimum probability, or share, of the edges on screen."""
    line, edges = st.session_state.get("line"), probable_edges(run)
    at = _step_among(edges)
    if line and line[0] == run.number and edges.step_of(line[1]) == at:
        return line[1]
    return edges.cut if at == edges.choice or not len(edges) else float(edges.levels[at])


def keep_least(run: Run, least: float) -> None:
    """Stay at a probability when the averages change."""
    edges = probable_edges(run)
    at = edges.step_of(least)
    st.session_state.step = None if at == edges.choice else at


def _step_among(edges: ProbableEdges) -> int:
    step = st.session_state.step
    return edges.choice if step is None else max(0, min(step, len(edges) - 1))


def _graph(run: Run) -> PDAG:
    edges = probable_edges(run)
    at = _step_among(edges)
    return state.made_once(run, "shown_probable", (at, _averaged(run)), lambda: edges.graph(at))


def _averaged(run: Run) -> int | None:
    """Return the number of classes that the probabilities average over; None for other probabilities."""
    return n_classes(run) if number_of(run).evidence == "classes" else None


def _picture(run: Run, arrangement: str) -> GraphViewData:
    k = _averaged(run)
    return state.made_once(run, f"{arrangement}_probable", (k, run.truth), lambda: _drawn(run, arrangement, k))


def _drawn(run: Run, arrangement: str, k: int | None) -> GraphViewData:
    places = node_positions.computed(run, arrangement)
    data = probable_timeline(run.result, probable_edges(run), number_of(run), places, truth=run.truth)
    return data | {"run": f"{run.number} probable {k}"}


def _say(run: Run) -> None:
    """Explain the numbers on the edges in a caption."""
    if number_of(run).evidence == "resamples":
        st.caption(
            t(
                "The number on an edge is the share of {resamples} that have it. Drag the slider or the line "
                "to set the minimum share.",
                resamples=Count(run.result.extra.n, "resample"),
            )
        )
        return
    if number_of(run).evidence == "sums":
        st.caption(
            t(
                "The number on an edge is its posterior probability P, summed over all DAGs; edges without a "
                "number have P near 1. P assumes that no common cause is hidden. Drag the slider or the line to "
                "set the minimum P."
            )
        )
        return
    st.caption(
        t(
            "The number on an edge is its probability P {run}; edges without a number have P near 1. P assumes that no "
            "common cause is hidden. "
            "Drag the slider or the line to set the minimum P.",
            run=over(run),
        )
        + _chains(run)
    )


def _chains(run: Run) -> str:
    """State how well the chains of a run agree, if it has chains."""
    return f" {written(chains_sentence(run.result.extra))}" if number_of(run).evidence == "chains" else ""


def over(run: Run) -> str:
    """Describe the graphs over which the probabilities are averaged."""
    evidence = number_of(run).evidence
    if evidence == "sums":
        return t("summed over all DAGs, exact")
    if evidence == "chains":
        return t("over the DAGs of {chains}", chains=Count(len(run.result.extra.agreement.directed), "chain"))
    return written(classes_sentence(run))


def classes_sentence(run: Run) -> str:
    """Return a sentence on the classes of B-RAI that the probabilities average over."""
    extra: BootstrapRun = run.result.extra
    n = len(posterior_of(run).classes)
    return posterior_sentence(n, n_classes(run), extra.n_draws, polished=bool(extra.polished))


MODE = SliderMode(_graph, _picture, say=_say)
