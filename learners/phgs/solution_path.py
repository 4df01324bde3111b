"""PATH: graphs of falling density from the largest p-values of one run, and the choice among them.

Huang and Zhou (2022), section 3.2 and algorithm 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from ..common.progress import Stopped, Tick
from ..common.step_cache import Once
from ..graphs.cpdags import Extension, consistent_extension
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..results.trace import TraceBuilder
from ..scores import Score
from ..search.orientation import orient_skeleton
from ..search.skeleton import PairEvidence

SOLUTION_PATH = "solution path"  # what the tick hears while graphs are scored


@dataclass(frozen=True, eq=False)
class SolutionPath:
    """The solutions of PATH, the densest first.

    Attributes
    ----------
    log_alphas : (t,) float64 array
        ln of each threshold, falling.
    graphs : tuple of PDAG
        Skeleton of the pairs with Φ at most the threshold, oriented.
    dags : tuple of PDAG
        A consistent extension of each graph, or its stand-in.
    scores : (t,) float64 array
        Of the DAGs.
    valid : (t,) bool array
        Whether the graph has a consistent extension.
    choice : int
        The best scored of the valid ones; of all, if none is valid.
    """

    log_alphas: np.ndarray
    graphs: tuple[PDAG, ...]
    dags: tuple[PDAG, ...]
    scores: np.ndarray
    valid: np.ndarray
    choice: int

    @property
    def n_differences(self) -> int:
        """Local score differences that lead from the first DAG to the last: families changed from each to the next."""
        return sum(int((a.amat != b.amat).any(axis=0).sum()) for a, b in pairwise(self.dags))


def thresholds(log_phi: np.ndarray, log_alpha: float, log_alpha_min: float, tau: int) -> np.ndarray:
    """ln of up to `tau` thresholds whose skeletons shrink in steps as equal as can be, equation 3.7.

    Parameters
    ----------
    log_phi : (p, p) float64 array
        ln Φ, symmetric; NaN where no test was done.
    log_alpha, log_alpha_min : float
        ln of the first and the last; the last may be -inf.
    tau : int
        At least 2.
    """
    values = log_phi[np.triu_indices(len(log_phi), 1)]
    values = np.sort(values[values <= log_alpha])
    inner = np.unique(values[(values > log_alpha_min) & (values < log_alpha)])[::-1]
    candidates = np.concatenate([[log_alpha], inner, [log_alpha_min]])
    n_edges = np.searchsorted(values, candidates, side="right")
    chosen = [log_alpha]
    for t in range(1, tau - 1):
        target = n_edges[0] - t * (n_edges[0] - n_edges[-1]) / (tau - 1)
        # The candidates fall, so of two equally near the first is the larger.
        chosen.append(candidates[int(np.argmin(np.abs(n_edges - target)))])
    return np.unique([*chosen, log_alpha_min])[::-1]


def skeleton_at(evidence: PairEvidence, log_alpha: float, knowledge: BoundKnowledge) -> tuple[np.ndarray, Sepsets]:
    """The pairs with Φ at most the threshold, and the sets that separate the others."""
    with np.errstate(invalid="ignore"):
        separated = evidence.log_phi > log_alpha
    separated &= ~knowledge.joined
    adjacency = ~separated & ~knowledge.apart
    np.fill_diagonal(adjacency, False)
    return adjacency, Sepsets(evidence.hardest.members, separated & evidence.hardest.present)


def solution_path(
    evidence: PairEvidence, score: Score, log_alphas: np.ndarray, knowledge: BoundKnowledge, tick: Tick, once: Once
) -> SolutionPath:
    """Orient the skeleton at each threshold and choose by score (algorithm 3).

    `once` keeps what each skeleton of this evidence becomes.

    Raises
    ------
    Stopped
        If cancelled.
    """

    def oriented(adjacency: np.ndarray, sepsets: Sepsets) -> tuple[PDAG, Extension]:
        ignored = TraceBuilder(PDAG(adjacency))
        graph = orient_skeleton(PDAG(adjacency), sepsets, evidence.log_phi, knowledge, ignored)
        return graph, consistent_extension(graph)

    def solved(adjacency: np.ndarray, sepsets: Sepsets) -> tuple[PDAG, PDAG, bool, float]:
        graph, found = once(("oriented", adjacency.tobytes()), partial(oriented, adjacency, sepsets))
        return graph, found.dag, found.valid, score.network(found.dag)

    return chosen_of(evidence, log_alphas, knowledge, solved, tick)


Solve = Callable[[np.ndarray, Sepsets], tuple[PDAG, PDAG, bool, float]]


def chosen_of(
    evidence: PairEvidence, log_alphas: np.ndarray, knowledge: BoundKnowledge, solve: Solve, tick: Tick
) -> SolutionPath:
    """`solve` each skeleton into (graph, DAG, valid, score), and choose."""
    solutions = []
    for t, log_alpha in enumerate(log_alphas.tolist()):
        if not tick(SOLUTION_PATH, t, len(log_alphas)):
            raise Stopped
        solutions.append(solve(*skeleton_at(evidence, log_alpha, knowledge)))
    graphs, dags, valid, scores = zip(*solutions, strict=True)
    valid, scores = np.array(valid), np.array(scores)
    choice = int(np.argmax(np.where(valid | ~valid.any(), scores, -math.inf)))
    for array in (log_alphas, valid, scores):
        array.flags.writeable = False
    return SolutionPath(log_alphas, graphs, dags, scores, valid, choice)
