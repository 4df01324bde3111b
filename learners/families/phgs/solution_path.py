"""The solution path of PATH: graphs of decreasing density from the largest p-values of one run.

Huang and Zhou (2022), section 3.2 and algorithm 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...common.progress import Stopped, Tick
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.sepsets import Sepsets
from ...search.skeleton_levels import PairEvidence

SOLUTION_PATH = "solution path"  # name of the phase for the progress listener


@dataclass(frozen=True, eq=False)
class SolutionPath:
    """The solutions of PATH, the densest first.

    Attributes
    ----------
    log_alphas : (t,) float64 array
        ln of the thresholds α^(t), decreasing.
    graphs : tuple of PDAG
        G^(t): the oriented skeleton of the pairs with Φ up to the threshold.
    dags : tuple of PDAG
        A consistent extension of each graph, or a DAG near it if there is none.
    scores : (t,) float64 array
        Scores of the DAGs.
    valid : (t,) bool array
        True if the graph has a consistent extension.
    choice : int
        t*: the valid solution with the best score, or the best of all if none is valid.
    """

    log_alphas: np.ndarray
    graphs: tuple[PDAG, ...]
    dags: tuple[PDAG, ...]
    scores: np.ndarray
    valid: np.ndarray
    choice: int

    @property
    def n_differences(self) -> int:
        """Number of local score differences along the path: the families changed from each DAG to the next."""
        return sum(int((a.amat != b.amat).any(axis=0).sum()) for a, b in pairwise(self.dags))


def thresholds(log_phi: np.ndarray, log_alpha: float, log_alpha_min: float, tau: int) -> np.ndarray:
    """Return ln of up to `tau` thresholds whose skeletons lose edges in nearly equal steps: line 3, equation 3.7.

    Parameters
    ----------
    log_phi : (p, p) float64 array
        ln Φ, symmetric; NaN if untested.
    log_alpha, log_alpha_min : float
        ln of the first and the last threshold; the last may be -inf.
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
        # The candidates decrease, so the first of two equally near ones is the larger.
        chosen.append(candidates[int(np.argmin(np.abs(n_edges - target)))])
    return np.unique([*chosen, log_alpha_min])[::-1]


def skeleton_at(evidence: PairEvidence, log_alpha: float, knowledge: BoundKnowledge) -> tuple[np.ndarray, Sepsets]:
    """Return the pairs with Φ up to the threshold, and separating sets of all other pairs: lines 5 and 6."""
    with np.errstate(invalid="ignore"):
        separated = evidence.log_phi > log_alpha
    separated &= ~knowledge.joined
    adjacency = ~separated & ~knowledge.apart
    np.fill_diagonal(adjacency, False)
    return adjacency, Sepsets(evidence.hardest.members, separated & evidence.hardest.present)


Solve = Callable[[np.ndarray, Sepsets], tuple[PDAG, PDAG, bool, float]]


def solution_path(
    evidence: PairEvidence, log_alphas: np.ndarray, knowledge: BoundKnowledge, solve: Solve, tick: Tick
) -> SolutionPath:
    """Solve the skeleton at each threshold, and choose the solution with the best score: algorithm 3, lines 4 to 15.

    Parameters
    ----------
    evidence : PairEvidence
    log_alphas : (t,) float64 array
        ln of the thresholds, decreasing.
    knowledge : BoundKnowledge
    solve : callable
        ``solve(adjacency, sepsets)`` returns the graph of a skeleton, a DAG, whether this DAG is a consistent
        extension of the graph, and its score.
    tick : Tick

    Raises
    ------
    Stopped
        If cancelled.
    """
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
