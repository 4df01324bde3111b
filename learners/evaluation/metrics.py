"""Distance of a learned graph from the truth.

Compare CPDAGs, because two DAGs of one equivalence class may have different arrows. Convert with `learners.cpdag`
first. A PAG is compared by its ends, with the PAG of the other graph: a circle that no data could settle is then right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from ..graphs.graph import PDAG
from ..graphs.mag import pag_without_hidden
from ..graphs.pag import PAG


class Confusion(NamedTuple):
    """Counts of true positive, false positive and false negative items, and ratios of these counts.

    Attributes
    ----------
    tp, fp, fn : int
        Items in both graphs, in the learned one only, and in the true one only.
    precision, recall, f1 : float
        tp / (tp + fp), tp / (tp + fn) and their harmonic mean; NaN if undefined.
    """

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f1: float


@validated
def shd(a: PDAG, b: PDAG) -> int:
    """Return the structural Hamming distance: the number of pairs whose edge differs.

    A missing, an extra, and a differently marked edge each count one. Compare CPDAGs, or PAGs: if one graph is a PAG,
    the other stands for the PAG of its DAGs without hidden variables.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm.
    Machine Learning 65, section 9.1.2.
    """
    _check_same_nodes(a, b)
    differs = np.not_equal(*_marks(a, b))
    return int(np.triu(differs | differs.T).sum())


@validated
def jaccard(a: PDAG, b: PDAG) -> float:
    """Return the Jaccard index of two edge sets, common / (edges of a + edges of b - common), in [0, 1].

    Common edges agree in presence and mark. Compare CPDAGs or PAGs, as for `shd`. The index of two graphs without
    edges is 1.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.

    References
    ----------
    Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111, section
    5.1.
    """
    _check_same_nodes(a, b)
    same = np.equal(*_marks(a, b))
    alike = same & same.T
    tp = int(np.triu(alike & a.skeleton).sum())
    either = a.n_edges + b.n_edges - tp
    return tp / either if either else 1.0


@validated
def skeleton_confusion(learnt: PDAG, truth: PDAG) -> Confusion:
    """Compare the adjacent pairs of two graphs; marks do not count.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.
    """
    _check_same_nodes(learnt, truth)
    return _confusion(np.triu(learnt.skeleton), np.triu(truth.skeleton))


def _confusion(found: np.ndarray, true: np.ndarray) -> Confusion:
    tp, fp, fn = (int(edges.sum()) for edges in (found & true, found & ~true, true & ~found))
    return Confusion(tp, fp, fn, _ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _marks(a: PDAG, b: PDAG) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, p) codes of the marks in two graphs; a pair has equal codes in both orders iff its marks are equal."""
    if isinstance(a, PAG) or isinstance(b, PAG):
        return pag_without_hidden(a).marks, pag_without_hidden(b).marks
    return a.amat, b.amat


def _check_same_nodes(a: PDAG, b: PDAG) -> None:
    if a.p != b.p:
        raise ParameterError(f"both graphs must have the same nodes, got {a.p} and {b.p} of them")
