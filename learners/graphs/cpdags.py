"""CPDAGs and what leads to and from them: Meek's closure, consistent extensions, the DAGs of a class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import islice
from typing import NamedTuple

import numpy as np

from ..common.arrays import frozen
from ..common.errors import ParameterError
from ..common.validation import validated
from ..kernels.graphs.meek import close
from .graph import PDAG, check_dag, rows_of
from .knowledge import BoundKnowledge

Record = Callable[[int, int, int, tuple[int, ...]], None]


class Extension(NamedTuple):
    """A DAG made from a PDAG.

    Attributes
    ----------
    dag : PDAG
    valid : bool
        True if `dag` keeps every arrow and has exactly the v-structures of the PDAG; False if no such DAG exists and
        `dag` is only a stand-in.
    """

    dag: PDAG
    valid: bool


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Triples (i, k, j), i < j, with i -> k <- j and i, j not adjacent; ascending."""
    triples = [
        (int(parents[a]), k, int(parents[b]))
        for k, parents, unshielded in _colliders(pdag)
        for a, b in np.argwhere(np.triu(unshielded))
    ]
    return sorted(triples)


def closure(pdag: PDAG, *, record: Record | None = None, far: bool = False) -> PDAG:
    """Orient all that Meek's rules R1 to R4 imply.

    Each sweep judges every undirected edge on the same graph, then orients those with exactly one implied direction.
    An edge with both directions implied stays undirected.

    Parameters
    ----------
    pdag : PDAG
    record : callable, optional
        ``record(i, j, rule, witnesses)``, called once per orientation i -> j in the order made, with the rule's number
        (1 to 4, the first that applies) and the nodes that imply it; then once, with the number `CONFLICT` of the
        kernel, per edge i < j left undirected although a sweep implied both directions, with the witnesses of both.
    far : bool, default False
        Rule R2 takes a directed path of any length from i to j, not of two arrows only. That changes nothing where the
        orientations agree with one another, and else keeps more of them free of cycles.

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
    amat, log = closed(pdag.amat, far)
    if record is not None:
        for orientation in orientations(log):
            record(*orientation)
    return PDAG(amat)


def orientations(log: np.ndarray) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
    """What `closure` tells its `record`, one by one."""
    for i, j, rule, *witnesses in log.tolist():
        yield i, j, rule, tuple(k for k in witnesses if k >= 0)


@validated
def cpdag(dag: PDAG) -> PDAG:
    """The CPDAG of a DAG: an edge is directed iff it points the same way in every equivalent DAG.

    Raises
    ------
    ParameterError
        If `dag` has an undirected edge or a directed cycle.

    Examples
    --------
    >>> cpdag(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    PDAG(p=3: 0-1, 1-2)
    """
    check_dag(dag)
    amat = dag.skeleton.copy()
    for k, parents, unshielded in _colliders(dag):
        amat[k, parents[unshielded.any(axis=1)]] = False
    return PDAG(closed(amat)[0])


def agreeing(graph: PDAG, known: BoundKnowledge) -> PDAG:
    """A CPDAG with the directions that background knowledge gives, and what they imply."""
    settled = known.directions & graph.amat
    return closure(PDAG(graph.amat & ~settled.T)) if settled.any() else graph


@validated
def consistent_extension(pdag: PDAG) -> Extension:
    """A DAG with the skeleton, arrows and v-structures of `pdag`, if there is one.

    Of several possible sinks the smallest is taken. If there is no such DAG the stand-in keeps what was oriented so
    far, then every arrow that closes no cycle with smaller ones (so each cycle loses its largest edge), and orients the
    other edges in index order without closing a cycle.

    Notes
    -----
    `valid` is True iff a consistent extension exists [1]_, also when nothing is undirected: then it says "acyclic".
    The DAG depends on the order of the nodes, its validity does not.

    References
    ----------
    .. [1] Dor and Tarsi (1992), A simple algorithm to construct a consistent extension of a partially oriented graph.
       Technical report R-185, UCLA.
    """
    amat, removed = _peel_sinks(pdag)
    if removed.all():
        return Extension(PDAG(amat), True)
    return Extension(_acyclic(PDAG(amat)), False)


@validated
def dags_of_class(cpdag: PDAG, cap: int = 10_000) -> list[PDAG]:
    """Every DAG that `cpdag` stands for: same skeleton, same v-structures, no arrow reversed.

    Parameters
    ----------
    cpdag : PDAG
        A CPDAG, or any PDAG that has a consistent extension.
    cap : int, default 10000
        Most members to list.

    Returns
    -------
    list of PDAG
        Distinct, in a fixed order.

    Raises
    ------
    ParameterError
        If there are more than `cap` members, or none.

    Notes
    -----
    Branches on an undirected edge and closes each branch under Meek's rules, so that no branch is in vain (Meek 1995,
    theorem 4).
    """
    members = list(islice(each_dag(cpdag), cap + 1))
    if not members:
        raise ParameterError("the graph must have a consistent extension, but no DAG has its arrows and v-structures")
    if len(members) > cap:
        raise ParameterError(f"the class has more than {cap} members; raise the cap or count fewer variables")
    return members


def each_dag(cpdag: PDAG) -> Iterator[PDAG]:
    """The DAGs of `dags_of_class`, one by one; none if there is none."""
    stack = [closed(cpdag.amat)[0]] if consistent_extension(cpdag).valid else []
    while stack:
        amat = stack.pop()
        undirected = np.argwhere(amat & amat.T)
        if not len(undirected):
            yield PDAG(amat)
            continue
        i, j = undirected[0]
        for parent, child in ((j, i), (i, j)):
            branch = amat.copy()
            branch[child, parent] = False
            stack.append(closed(branch)[0])


def closed(amat: np.ndarray, far: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """As `closure`, on adjacencies.

    Parameters
    ----------
    amat : (p, p) bool array
    far : bool, default False

    Returns
    -------
    (p, p) bool array
    (m, 7) int64 array
        What was oriented: see `orientations`.
    """
    rows, adjacent = np.nonzero(amat | amat.T)
    begin = np.searchsorted(rows, np.arange(len(amat) + 1))
    return close(frozen(np.array(amat)), frozen(begin), frozen(adjacent), far, np.zeros(1, dtype=np.int8))


def _colliders(pdag: PDAG) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """For each node k in the middle of a v-structure: its parents and which pairs of them are not adjacent."""
    into = np.ascontiguousarray((pdag.amat & ~pdag.amat.T).T)
    for k in np.flatnonzero(into.sum(axis=1) > 1):
        parents = np.flatnonzero(into[k])
        unshielded = ~pdag.skeleton[np.ix_(parents, parents)]
        np.fill_diagonal(unshielded, False)
        if unshielded.any():
            yield int(k), parents, unshielded


def _peel_sinks(pdag: PDAG) -> tuple[np.ndarray, np.ndarray]:
    """Dor and Tarsi: take sinks away one by one, pointing their undirected edges at them; and which nodes went."""
    amat = np.array(pdag.amat)
    adjacent, neighbors, children = (
        [set(row) for row in rows_of(mask)] for mask in (pdag.skeleton, amat & amat.T, amat & ~amat.T)
    )

    def is_sink(j: int) -> bool:
        return not children[j] and all(adjacent[j] - {i} <= adjacent[i] for i in neighbors[j])

    # Taking a node away can only make others sinks, so each node is queued once.
    queued = np.array([is_sink(j) for j in range(pdag.p)], dtype=bool)
    removed = np.zeros(pdag.p, dtype=bool)
    sinks = np.flatnonzero(queued).tolist()
    while sinks:
        j = heappop(sinks)
        removed[j] = True
        amat[j, list(neighbors[j])] = False
        for i in adjacent[j]:
            adjacent[i].discard(j)
            neighbors[i].discard(j)
            children[i].discard(j)
        for i in adjacent[j]:
            if not queued[i] and is_sink(i):
                queued[i] = True
                heappush(sinks, i)
    return amat, removed


def _acyclic(pdag: PDAG) -> PDAG:
    """Arrows in ascending order unless they close a cycle, then undirected edges whichever way does not."""
    amat = np.zeros_like(pdag.amat)
    reach = np.eye(pdag.p, dtype=bool)
    for edges, reversible in ((pdag.directed_edges(), False), (pdag.undirected_edges(), True)):
        for i, j in edges:
            if reach[j, i]:
                if not reversible:
                    continue
                i, j = j, i
            amat[i, j] = True
            reach[reach[:, i]] |= reach[j]
    return PDAG(amat)
