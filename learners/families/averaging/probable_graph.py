"""The convergence of the probable edges in the trace, and the result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...common.run_warning import RunWarning
from ...evaluation.frequencies import wilson
from ...evaluation.posterior import Posterior
from ...evaluation.probable_graph import EVEN, probable_graph, warnings_of_probable
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult, Strengths
from ...results.trace import Trace, TraceBuilder


def recorded_settling(settling: Iterable[np.ndarray], posterior: Posterior | None, known: BoundKnowledge) -> Trace:
    """Record the probable edges after each part of a run, with P(i -> j) in `settling`, then the final graph."""
    graph, t = PDAG.empty(len(known.required)), 0
    trace = TraceBuilder(graph)
    if posterior is None:
        return trace.build()
    for t, directed in enumerate(settling, 1):
        after = PDAG(directed + directed.T >= EVEN)
        _record(trace, t, graph, after, directed + directed.T)
        graph = after
    after = probable_graph(posterior)
    _record(trace, t + 1, graph, PDAG(after.skeleton), posterior.adjacent)
    for a, b in after.directed_edges():
        share = posterior.compelled[a, b] / posterior.adjacent[a, b]
        phase = Phase(Stage.SETTLING, round=t + 1)
        trace.add(phase, Action.ORIENT, a, b, rule=Rule.PROBABLE, statistic=share, threshold=EVEN)
    return trace.build()


def _record(trace: TraceBuilder, t: int, before: PDAG, after: PDAG, adjacent: np.ndarray) -> None:
    """Record the undirected edges that the t-th part adds or removes."""
    for i, j in np.argwhere(np.triu(before.amat != after.amat)).tolist():
        action = Action.ADD if after.amat[i, j] else Action.REMOVE
        phase = Phase(Stage.SETTLING, round=t)
        trace.add(phase, action, i, j, rule=Rule.PROBABLE, statistic=adjacent[i, j], threshold=EVEN)


def result_of(
    posterior: Posterior | None, *, trace: Trace, draws: int, warnings: tuple[RunWarning, ...], **others: Any
) -> LearnResult:
    """Return the result of a run with probabilities, each a mean over `draws` draws; exact ones have 0 draws."""
    p = trace.start.p
    adjacent = np.full((p, p), np.nan) if posterior is None else posterior.adjacent.copy()
    np.fill_diagonal(adjacent, np.nan)
    limits = wilson(adjacent, draws) if draws else None
    for array in (adjacent, *(limits or ())):
        array.flags.writeable = False
    graph = trace.graph_at(len(trace.changes))
    own = () if posterior is None else warnings_of_probable(graph, posterior)
    return LearnResult(
        graph=graph,
        n_tests=0,
        score=None,
        sepsets=Sepsets.from_entries(p, []),
        strengths=Strengths("posterior probability of an edge", adjacent, larger_is_stronger=True, limits=limits),
        trace=trace,
        posterior=posterior,
        warnings=(*warnings, *own),
        **others,
    )
