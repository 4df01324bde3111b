"""The graph that probabilities say, how it settles, and the result that both make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..graphs.graph import PDAG, acyclic_arrows
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.result import LearnResult, Strengths
from ..results.rules import Rule
from ..results.trace import Trace, TraceBuilder
from .posterior import Posterior
from .shares import wilson

EVEN = 0.5  # pairs at least as probable are joined
SURE = 0.95  # of an edge's probability: so much on one direction makes it an arrow


def surest_arrows(wanted: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(p, p) bool: those of the wanted arrows that close no cycle with larger ones."""
    surest = sorted(np.argwhere(wanted).tolist(), key=lambda arrow: (-values[tuple(arrow)], arrow))
    return acyclic_arrows(len(wanted), surest)


def probable_graph(directed: np.ndarray) -> PDAG:
    """The pairs with P >= ½, of probabilities (p, p) of i -> j; those with one direction nearly sure as arrows."""
    adjacent = directed + directed.T
    joined = adjacent >= EVEN
    arrows = surest_arrows(joined & (directed >= SURE * adjacent), directed)
    return PDAG(joined & ~arrows.T)


def told_settling(settling: Iterable[np.ndarray], known: BoundKnowledge) -> Trace:
    """The graph after each part of a run, as what changed in it; `settling` are its P(i -> j)."""
    graph = PDAG.empty(len(known.required))
    trace = TraceBuilder(graph)
    for t, directed in enumerate(settling, 1):
        phase, after = Phase(Stage.SETTLING, round=t), probable_graph(directed)
        adjacent = directed + directed.T
        for i, j in np.argwhere(np.triu((graph.amat != after.amat) | (graph.amat != after.amat).T)).tolist():
            before, mark = graph.mark(i, j), after.mark(i, j)
            told = {"rule": Rule.PROBABLE, "statistic": adjacent[i, j], "threshold": EVEN}
            if mark == "none":
                trace.add(phase, Action.REMOVE, i, j, **told)
                continue
            if before == "none":
                trace.add(phase, Action.ADD, i, j, **told)
            elif mark == "undirected":
                trace.add(phase, Action.UNORIENT, i, j, **told)
            if mark != "undirected":
                a, b = (i, j) if mark == "forward" else (j, i)
                trace.add(phase, Action.ORIENT, a, b, rule=Rule.PROBABLE, statistic=directed[a, b], threshold=SURE)
        graph = after
    return trace.build()


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
