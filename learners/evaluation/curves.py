"""Quality of a learner as a function of the number of retrieved edges, compared with the truth.

The curves of Mahdi and Mezey (2013), section 7.2 and appendix C. Edges come as a ranking, as graphs at several
thresholds, or as the changes of a trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import ParameterError
from ..graphs.graph import PDAG
from ..results.events import Action
from ..results.trace import Trace
from .metrics import shd, skeleton_confusion


@dataclass(frozen=True, eq=False)
class Roc:
    """Receiver operating characteristic of a skeleton: corners of a curve from (0, 0), fpr ascending.

    Attributes
    ----------
    fpr, tpr : (m,) float64 arrays
        False edges as a share of the pairs that are not adjacent in the truth, and true edges found as a share of all
        true edges; NaN if the truth has no such pairs.
    """

    fpr: np.ndarray
    tpr: np.ndarray

    def at(self, fpr: float) -> float:
        """Return the TPR at a false positive rate by linear interpolation; beyond the last corner, the TPR there."""
        before = int(np.searchsorted(self.fpr, fpr, side="right")) - 1
        if before + 1 == len(self.fpr):
            return float(self.tpr[-1])
        return float(np.interp(fpr, self.fpr[before : before + 2], self.tpr[before : before + 2]))


@dataclass(frozen=True, eq=False)
class Retrieval:
    """Quality by the number of retrieved edges; all counts are divided by the number of true edges.

    Attributes
    ----------
    retrieved : (m,) float64 array
        Retrieved edges, in the given order, not sorted.
    tpr : (m,) float64 array
        Edges that are correct in presence and mark. 1 - tpr are the false negatives and retrieved - tpr the false
        positives; an edge with a wrong mark is both.
    shd : (m,) float64 array
        Structural Hamming distance; an edge with a wrong mark counts once.
    """

    retrieved: np.ndarray
    tpr: np.ndarray
    shd: np.ndarray

    def tpr_at(self, retrieved: float) -> float:
        """Return the TPR at a number of edges by linear interpolation; NaN outside the observed range."""
        return self._at(retrieved, self.tpr)

    def shd_at(self, retrieved: float) -> float:
        """Return the structural Hamming distance at a number of edges, as `tpr_at`."""
        return self._at(retrieved, self.shd)

    def _at(self, retrieved: float, values: np.ndarray) -> float:
        order = np.argsort(self.retrieved, kind="stable")
        return float(np.interp(retrieved, self.retrieved[order], values[order], left=np.nan, right=np.nan))


def roc(ranked: np.ndarray, truth: PDAG) -> Roc:
    """Return the ROC of a ranking of pairs, one corner per pair.

    Parameters
    ----------
    ranked : (m, 2) integer array
        Distinct pairs, the strongest first; all other pairs count as never retrieved.
    truth : PDAG
        Only its skeleton matters.

    Raises
    ------
    ParameterError
        If an entry is not a pair of nodes, or is listed twice.

    Examples
    --------
    >>> curve = roc(np.array([[0, 1], [0, 2]]), PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 1.0], [0.0, 0.5, 0.5])
    """
    right = _is_true(ranked, truth)
    return Roc(_shares(~right, _n_absent(truth)), _shares(right, truth.n_edges))


def roc_of_graphs(graphs: Iterable[PDAG], truth: PDAG) -> Roc:
    """Return the ROC of a learner run at several thresholds, one corner per skeleton, connected by straight lines."""
    counts = [(0, 0)]
    for graph in graphs:
        counted = skeleton_confusion(graph, truth)
        counts.append((counted.fp, counted.tp))
    false, true = np.array(sorted(counts), dtype=float).T
    return Roc(_divided(false, _n_absent(truth)), _divided(true, truth.n_edges))


def partial_auroc(curve: Roc, max_fpr: float = 0.035) -> float:
    """Return the area under a ROC for FPR in [0, max_fpr], divided by `max_fpr`, so that it is in [0, 1].

    Parameters
    ----------
    curve : Roc
    max_fpr : float, default 0.035
        In (0, 1). Mahdi and Mezey (2013) use 0.035 against PC and MaxMin (figure 6), and 0.06 among variants of LMM
        (figure 4).

    Notes
    -----
    Corners are connected by straight lines, so the steps of a ranking give its exact area. If the curve ends before
    `max_fpr`, its last TPR continues, because edges that are never retrieved are not found. The paper does not define
    this case.
    """
    check_open_interval("max_fpr", max_fpr, 0.0, 1.0)
    inside = curve.fpr <= max_fpr
    fpr, tpr = np.append(curve.fpr[inside], max_fpr), np.append(curve.tpr[inside], curve.at(max_fpr))
    return float(np.trapezoid(tpr, fpr) / max_fpr)


def average_precision(strengths: np.ndarray, truth: PDAG) -> float:
    """Return the average precision: the mean, over the true edges, of the precision at the rank of each edge.

    Parameters
    ----------
    strengths : (p, p) float64 array
        Symmetric, larger is stronger; ties are retrieved together. NaN: never judged, never retrieved.
    truth : PDAG
        Its marks do not matter.

    Returns
    -------
    float
        In [0, 1]; NaN if the truth has no edge.

    Examples
    --------
    >>> truth = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    >>> average_precision(np.array([[0.0, 3, 2], [3, 0, 1], [2, 1, 0]]), truth)
    0.8333333333333333
    """
    above = np.triu_indices(truth.p, 1)
    values, right = strengths[above], truth.skeleton[above]
    judged = ~np.isnan(values)
    at = np.unique(-values[judged], return_inverse=True)[1]
    found, taken = np.bincount(at, right[judged]), np.bincount(at)
    if not right.any():
        return float("nan")
    precision = np.cumsum(found) / np.maximum(np.cumsum(taken), 1)
    return float(found @ precision / right.sum())


def retrieval(ranked: np.ndarray, truth: PDAG) -> Retrieval:
    """Return the curves of a ranking of pairs, compared by skeletons; see `roc` for the parameters."""
    right = _is_true(ranked, truth)
    found, steps = _counts(right), np.arange(len(right) + 1)
    return _retrieval(steps, found, truth.n_edges + steps - 2 * found, truth)


def retrieval_of_graphs(graphs: Iterable[PDAG], truth: PDAG) -> Retrieval:
    """Return the curves of several graphs, one point per graph; compare CPDAGs, or skeletons as undirected graphs."""
    rows = np.array([_point(graph, truth) for graph in graphs], dtype=np.int64)
    return _retrieval(*rows.reshape(-1, 3).T, truth)


def retrieval_of_trace(trace: Trace, truth: PDAG) -> Retrieval:
    """Return the curves over the steps of a run, from its start; each step updates one pair only.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.
    """
    amat, true = trace.start.amat.copy(), truth.amat
    row = np.array(_point(trace.start, truth))
    rows = [row]
    for t in trace.changes.tolist():
        i, j, action = trace.i[t], trace.j[t], trace.action[t]
        before = _about(amat, true, i, j)
        amat[i, j] = action != Action.REMOVE
        amat[j, i] = action in (Action.ADD, Action.UNORIENT)
        row = row + _about(amat, true, i, j) - before
        rows.append(row)
    return _retrieval(*np.array(rows).T, truth)


def _about(amat: np.ndarray, true: np.ndarray, i: int, j: int) -> np.ndarray:
    """Return one pair's contribution to the edges, the correct edges and the distance."""
    joined = amat[i, j] or amat[j, i]
    alike = amat[i, j] == true[i, j] and amat[j, i] == true[j, i]
    return np.array([joined, joined and alike, not alike], dtype=np.int64)


def _point(graph: PDAG, truth: PDAG) -> tuple[int, int, int]:
    """Return the number of edges, of edges with the same mark in both, and the distance."""
    distance = shd(graph, truth)
    alike = (graph.amat == truth.amat) & (graph.amat == truth.amat).T
    return graph.n_edges, int(np.triu(alike & truth.skeleton).sum()), distance


def _retrieval(retrieved: np.ndarray, found: np.ndarray, distance: np.ndarray, truth: PDAG) -> Retrieval:
    return Retrieval(*(_divided(count.astype(float), truth.n_edges) for count in (retrieved, found, distance)))


def _is_true(ranked: np.ndarray, truth: PDAG) -> np.ndarray:
    """Return a mask of the pairs that are adjacent in the truth."""
    pairs = np.sort(np.asarray(ranked, dtype=np.int64).reshape(-1, 2), axis=1)
    low, high = pairs.T
    if ((low < 0) | (high >= truth.p) | (low == high)).any():
        raise ParameterError(f"a ranking must hold pairs of different nodes of 0 .. {truth.p - 1}, got others")
    if len(np.unique(low * truth.p + high)) < len(pairs):
        raise ParameterError("a ranking must hold each pair once, got one again")
    return truth.skeleton[low, high]


def _n_absent(truth: PDAG) -> int:
    return truth.p * (truth.p - 1) // 2 - truth.n_edges


def _counts(hits: np.ndarray) -> np.ndarray:
    """Return the number of hits among the first 0, 1, ... m."""
    return np.concatenate([[0], np.cumsum(hits)])


def _shares(hits: np.ndarray, total: int) -> np.ndarray:
    return _divided(_counts(hits).astype(float), total)


def _divided(counts: np.ndarray, total: int) -> np.ndarray:
    shares = counts / total if total else np.full(len(counts), np.nan)
    shares.flags.writeable = False
    return shares
