"""Meek's rules R1 to R4: the interface of `kernels.graphs.meek_rules`, which applies them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..common.arrays import frozen
from ..kernels.graphs.meek_rules import close
from .graph import PDAG

Record = Callable[[int, int, int, tuple[int, ...]], None]


def closure(pdag: PDAG, *, record: Record | None = None, far: bool = False) -> PDAG:
    """Orient all edges whose directions Meek's rules R1 to R4 imply.

    Each sweep judges every undirected edge on the same graph, then orients those with exactly one implied direction. An
    edge with both directions implied stays undirected.

    Parameters
    ----------
    pdag : PDAG
    record : callable, optional
        ``record(i, j, rule, witnesses)``, called once for each orientation i -> j in the order made, with the rule's
        number (1 to 4, the first that applies) and the nodes that imply it; then once, with the number `CONFLICT` of
        the kernel, for each edge i < j left undirected although a sweep implied both directions, with the witnesses of
        both.
    far : bool, default False
        True: rule R2 takes a directed path of any length from i to j, not only of two arrows. This changes nothing if
        the orientations agree with each other, and otherwise avoids more cycles.

    Returns
    -------
    PDAG

    Notes
    -----
    The result does not depend on the order of the nodes. On the v-structures of a DAG it is the DAG's CPDAG, and with
    true orientations added it is maximally oriented [1]_.

    References
    ----------
    .. [1] Meek (1995), Causal inference and causal explanation with background knowledge. UAI, theorems 3 and 4.

    Examples
    --------
    >>> closure(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]))
    PDAG(p=3: 0->1, 1->2)
    """
    amat, log = close_adjacencies(pdag.amat, far)
    if record is not None:
        for orientation in orientations(log):
            record(*orientation)
    return PDAG(amat)


def orientations(log: np.ndarray) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
    """Yield the arguments of `closure`'s `record`, one orientation at a time."""
    for i, j, rule, *witnesses in log.tolist():
        yield i, j, rule, tuple(k for k in witnesses if k >= 0)


def close_adjacencies(amat: np.ndarray, far: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Apply `closure` to an adjacency matrix.

    Parameters
    ----------
    amat : (p, p) bool array
    far : bool, default False

    Returns
    -------
    (p, p) bool array
    (m, 7) int64 array
        The orientations, see `orientations`.
    """
    rows, adjacent = np.nonzero(amat | amat.T)
    begin = np.searchsorted(rows, np.arange(len(amat) + 1))
    return close(frozen(np.array(amat)), frozen(begin), frozen(adjacent), far, np.zeros(1, dtype=np.int8))
