"""How far a learnt graph is from the truth.

Compare CPDAGs: two DAGs of one class say the same, yet their raw edges differ. Convert with
`learners.cpdag` first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..graphs.cpdags import v_structures
from ..graphs.graph import PDAG


class Confusion(NamedTuple):
    """Counts of found, invented and missed items, and the ratios made of them.

    Attributes
    ----------
    tp, fp, fn : int
        In both graphs, only in the learnt one, only in the true one.
    precision, recall, f1 : float
        tp / (tp + fp), tp / (tp + fn) and their harmonic mean; NaN where nothing was to be counted.
    """

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f1: float


@validated
def shd(a: PDAG, b: PDAG) -> int:
    """Structural Hamming distance: the number of pairs whose edge state differs.

    A missing, an extra, and a differently marked edge each count one. Compare CPDAGs.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm.
    Machine Learning 65, section 9.1.2.

    Examples
    --------
    >>> shd(PDAG.from_edges(3, directed=[(0, 1)]), PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    2
    """
    _check_same_nodes(a, b)
    differs = a.amat != b.amat
    return int(np.triu(differs | differs.T).sum())


@validated
def jaccard(a: PDAG, b: PDAG) -> float:
    """Jaccard index of two edge sets, in [0, 1]: common / (edges of a + edges of b - common).

    Common edges are alike in presence and mark. Compare CPDAGs. Two graphs without edges are alike: 1.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.

    References
    ----------
    Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
    section 5.1.

    Examples
    --------
    >>> jaccard(PDAG.from_edges(3, directed=[(0, 1)]), PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    0.5
    """
    _check_same_nodes(a, b)
    alike = (a.amat == b.amat) & (a.amat == b.amat).T
    tp = int(np.triu(alike & a.skeleton).sum())
    either = a.n_edges + b.n_edges - tp
    return tp / either if either else 1.0


@validated
def skeleton_confusion(learnt: PDAG, truth: PDAG) -> Confusion:
    """Adjacent pairs found, invented and missed, whatever their marks.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.
    """
    _check_same_nodes(learnt, truth)
    return _confusion(np.triu(learnt.skeleton), np.triu(truth.skeleton))


@validated
def arrowhead_confusion(learnt: PDAG, truth: PDAG) -> Confusion:
    """Directed edges found, invented and missed.

    A reversed arrow counts as invented and as missed; an undirected edge is no arrow. Compare CPDAGs.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.
    """
    _check_same_nodes(learnt, truth)
    return _confusion(learnt.amat & ~learnt.amat.T, truth.amat & ~truth.amat.T)


@validated
def v_structure_confusion(learnt: PDAG, truth: PDAG) -> Confusion:
    """V-structures i -> k <- j found, invented and missed.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.
    """
    _check_same_nodes(learnt, truth)
    found, true = set(v_structures(learnt)), set(v_structures(truth))
    return _summary(len(found & true), len(found - true), len(true - found))


def _confusion(found: np.ndarray, true: np.ndarray) -> Confusion:
    return _summary(int((found & true).sum()), int((found & ~true).sum()), int((true & ~found).sum()))


def _summary(tp: int, fp: int, fn: int) -> Confusion:
    return Confusion(tp, fp, fn, _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _check_same_nodes(a: PDAG, b: PDAG) -> None:
    if a.p != b.p:
        raise ParameterError(f"both graphs must have the same nodes, got {a.p} and {b.p} of them")
