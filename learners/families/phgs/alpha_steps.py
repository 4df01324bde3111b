"""Graphs of one run of PATH or pHGS at decreasing thresholds: its solutions, and all graphs between them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from ...common.arrays import frozen
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...results.events import Action
from ...results.result import LearnResult, as_learned
from ...results.step_graphs import OPEN, StepGraphs, coded
from ...results.trace import TraceBuilder
from ...search.dag_result import equivalence_class
from ...search.orientation import orient_skeleton
from ...search.skeleton_levels import PairEvidence
from .path import PathEvidence
from .phgs import PartitionedHybridSearch
from .solution_path import skeleton_at

DEFAULT_SECONDS = 2.0  # default time limit for the CPDAGs of a run


@dataclass(frozen=True, eq=False)
class AlphaSteps:
    """The graphs at decreasing significance levels, computed without new tests.

    Attributes
    ----------
    log_alphas : (k,) float64 array
        ln of the threshold of each step, decreasing; the last may be -inf.
    choice : int
        The step of the chosen solution.
    log_phi : (m,) float64 array
        ln Φ of each pair of `graphs`; NaN for a required edge, which is never removed.
    graphs : StepGraphs
        The CPDAGs computed within the time, those nearest to the choice first.
    """

    log_alphas: np.ndarray
    choice: int
    log_phi: np.ndarray
    graphs: StepGraphs

    def __len__(self) -> int:
        return len(self.log_alphas)

    def step_of(self, log_alpha: float) -> int:
        """Return the first step with a threshold of at most `log_alpha`, or the last step."""
        return min(int((self.log_alphas > log_alpha).sum()), len(self) - 1)

    def codes(self, step: int) -> np.ndarray:
        """Return (m,) uint8 codes as in `StepGraphs`, without directions if the CPDAG was not computed."""
        if self.graphs.knows(step):
            return self.graphs.codes[step - self.graphs.first]
        return np.where(self.log_phi > self.log_alphas[step], 0, OPEN).astype(np.uint8)

    def at(self, step: int, p: int) -> PDAG:
        """Return the graph of a step."""
        return StepGraphs(self.graphs.pairs, step, self.codes(step)[None]).at(step, p)


def path_of(result: LearnResult) -> PathEvidence | None:
    """Return Φ, S and the solution path of a run of PATH or pHGS; None for other runs and without a path."""
    found = result.extra.evidence if isinstance(result.extra, PartitionedHybridSearch) else result.extra
    return found if isinstance(found, PathEvidence) and found.path is not None else None


def solution_steps(result: LearnResult, knowledge: BoundKnowledge) -> AlphaSteps:
    """Return the solutions of a run, one step each, the densest first.

    Parameters
    ----------
    result : LearnResult
        A result with a solution path.
    knowledge : BoundKnowledge
        The knowledge of the run.

    Returns
    -------
    AlphaSteps
        For PATH the scored CPDAGs, for pHGS those of the DAGs by HGI.
    """
    return as_learned(result, _solution_steps, knowledge)


def _solution_steps(result: LearnResult, knowledge: BoundKnowledge) -> AlphaSteps:
    evidence = path_of(result)
    path, pairs = evidence.path, _pairs(result, knowledge)
    if isinstance(result.extra, PartitionedHybridSearch):
        codes = [coded(equivalence_class(dag, knowledge), pairs, ()) for dag in path.dags]
    else:
        codes = [_oriented(evidence, log_alpha, knowledge, pairs) for log_alpha in path.log_alphas.tolist()]
    return _steps(evidence, path.log_alphas, path.choice, StepGraphs(pairs, 0, frozen(np.stack(codes))))


def alpha_steps(result: LearnResult, knowledge: BoundKnowledge, seconds: float = DEFAULT_SECONDS) -> AlphaSteps:
    """Return all skeletons between the level of the run and 0, one step for each distinct Φ, oriented as by PATH.

    Parameters
    ----------
    result, knowledge
        As for `solution_steps`.
    seconds : float
        Time after which no further step is oriented.

    Returns
    -------
    AlphaSteps
        The graph of a step holds for all thresholds from its own up to that of the step before, exclusive.

    Notes
    -----
    There are no steps above the level of the run, since the tests of a pair end when one separates it.
    """
    return as_learned(result, _alpha_steps, knowledge, seconds)


def _alpha_steps(result: LearnResult, knowledge: BoundKnowledge, seconds: float) -> AlphaSteps:
    evidence = path_of(result)
    pairs = _pairs(result, knowledge)
    log_phi = evidence.log_phi[pairs[:, 0], pairs[:, 1]]
    log_alphas = np.unique(log_phi[~np.isnan(log_phi)])[::-1]
    if not len(log_alphas) or log_alphas[-1] > -math.inf:
        log_alphas = np.append(log_alphas, -math.inf)
    choice = int((log_alphas > evidence.path.log_alphas[evidence.path.choice]).sum())
    until, codes = time.perf_counter() + seconds, {}
    for step in sorted(range(len(log_alphas)), key=lambda step: abs(step - choice)):
        if codes and time.perf_counter() >= until:
            break
        codes[step] = _oriented(evidence, float(log_alphas[step]), knowledge, pairs)
    made = np.stack([codes[step] for step in sorted(codes)])
    return _steps(evidence, log_alphas, choice, StepGraphs(pairs, min(codes), frozen(made)))


def _steps(evidence: PathEvidence, log_alphas: np.ndarray, choice: int, graphs: StepGraphs) -> AlphaSteps:
    i, j = graphs.pairs.T
    return AlphaSteps(frozen(log_alphas), choice, frozen(evidence.log_phi[i, j]), graphs)


def _pairs(result: LearnResult, knowledge: BoundKnowledge) -> np.ndarray:
    """Return (m, 2) int64 pairs i < j that are adjacent at the level of the run."""
    adjacency, _ = skeleton_at(path_of(result), math.log(result.params["alpha"]), knowledge)
    return frozen(np.argwhere(np.triu(adjacency)))


def _oriented(evidence: PairEvidence, log_alpha: float, knowledge: BoundKnowledge, pairs: np.ndarray) -> np.ndarray:
    """Return the edge codes of the graph at a threshold, including conflicts."""
    adjacency, sepsets = skeleton_at(evidence, log_alpha, knowledge)
    builder = TraceBuilder(PDAG(adjacency))
    graph = orient_skeleton(PDAG(adjacency), sepsets, evidence.log_phi, knowledge, builder)
    trace = builder.build()
    t = np.flatnonzero(trace.action == Action.CONFLICT)
    return coded(graph, pairs, set(zip(trace.i[t].tolist(), trace.j[t].tolist(), strict=True)))
