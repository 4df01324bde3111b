"""The graph that probabilities say, how it settles, and the result that both make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..evaluation.frequencies import surest_arrows, wilson
from ..evaluation.posterior import Posterior
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.result import LearnResult, Strengths
from ..results.rules import Rule
from ..results.trace import Trace, TraceBuilder

EVEN = 0.5  # pairs at least as probable are joined; in so much of that an arrow is compelled, or none is drawn


def probable_graph(posterior: Posterior, least: float = EVEN) -> PDAG:
    """The pairs with P >= `least`, and > 0; as arrows those that are compelled in at least half of that.

    Not those whose probability lies on one direction: of two DAGs that no data tell apart one may have more orders, and
    so be likelier.
    """
    adjacent, compelled = posterior.adjacent, posterior.compelled
    joined = (adjacent >= least) & (adjacent > 0.0)
    # Those of the graph first, so that with less probable pairs these have the same arrows.
    arrows = surest_arrows(joined & (compelled >= EVEN * adjacent), compelled + (adjacent >= EVEN))
    return PDAG(joined & ~arrows.T)


def told_settling(settling: Iterable[np.ndarray], posterior: Posterior | None, known: BoundKnowledge) -> Trace:
    """The pairs joined after each part of a run, whose P(i -> j) are `settling`; in the end the graph of it all."""
    graph, t = PDAG.empty(len(known.required)), 0
    trace = TraceBuilder(graph)
    if posterior is None:
        return trace.build()
    for t, directed in enumerate(settling, 1):
        after = PDAG(directed + directed.T >= EVEN)
        _tell(trace, t, graph, after, directed + directed.T)
        graph = after
    after = probable_graph(posterior)
    _tell(trace, t + 1, graph, PDAG(after.skeleton), posterior.adjacent)
    for a, b in after.directed_edges():
        share = posterior.compelled[a, b] / posterior.adjacent[a, b]
        phase = Phase(Stage.SETTLING, round=t + 1)
        trace.add(phase, Action.ORIENT, a, b, rule=Rule.PROBABLE, statistic=share, threshold=EVEN)
    return trace.build()


def _tell(trace: TraceBuilder, t: int, before: PDAG, after: PDAG, adjacent: np.ndarray) -> None:
    """The pairs, none of them directed, that the t-th part joined or parted."""
    for i, j in np.argwhere(np.triu(before.amat != after.amat)).tolist():
        action = Action.ADD if after.amat[i, j] else Action.REMOVE
        phase = Phase(Stage.SETTLING, round=t)
        trace.add(phase, action, i, j, rule=Rule.PROBABLE, statistic=adjacent[i, j], threshold=EVEN)


def result_of(posterior: Posterior | None, *, trace: Trace, draws: int, **others: Any) -> LearnResult:
    """The result of a run that gives probabilities, each as sure as a mean over so many draws; exact ones have 0."""
    p = trace.start.p
    adjacent = np.full((p, p), np.nan) if posterior is None else posterior.adjacent.copy()
    np.fill_diagonal(adjacent, np.nan)
    limits = wilson(adjacent, draws) if draws else None
    for array in (adjacent, *(limits or ())):
        array.flags.writeable = False
    return LearnResult(
        graph=trace.graph_at(len(trace.changes)),
        n_tests=0,
        score=None,
        sepsets=Sepsets.from_entries(p, []),
        strengths=Strengths("posterior probability of an edge", adjacent, larger_is_stronger=True, limits=limits),
        trace=trace,
        posterior=posterior,
        **others,
    )
