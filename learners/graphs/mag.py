"""MAGs: their separations, their equivalence class, and graphs with hidden variables.

Richardson and Spirtes (2002), Ancestral graph Markov models. Annals of Statistics 30.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations

import numpy as np

from ..common.checks import check_positions, check_type
from ..common.errors import ParameterError
from ..common.validation import validated
from .consistent_extension import consistent_extension
from .d_separation import d_connected
from .graph import PDAG, ancestors
from .pag import ARROW, NONE, PAG, TAIL
from .pag_orientation import orient


@validated
def mag_of_dag(dag: PDAG, hidden: Collection[int]) -> PAG:
    """Return the MAG over the variables of a DAG that are not hidden, in their order.

    Two variables are adjacent iff no set of the others separates them. An edge has a tail at a cause and an arrowhead
    elsewhere.

    Parameters
    ----------
    dag : PDAG
    hidden : collection of int
        Nodes of the DAG.

    Raises
    ------
    ParameterError
        If the graph is not a DAG or has no such node.

    Examples
    --------
    >>> from learners import PDAG
    >>> mag_of_dag(PDAG.from_edges(3, directed=[(0, 1), (0, 2)]), hidden=[0])
    PAG(p=2: 0 <-> 1)
    """
    if not dag.is_dag:
        raise ParameterError("only a DAG has a MAG; orient every edge first")
    check_positions("hidden", hidden, dag.p)
    kept = np.array([k for k in range(dag.p) if k not in set(hidden)], dtype=np.int64)
    reach = ancestors(dag) | np.eye(dag.p, dtype=bool)
    parents, children = [dag.parents(k) for k in range(dag.p)], [dag.children(k) for k in range(dag.p)]
    marks = np.zeros((len(kept), len(kept)), dtype=np.int8)
    for i, x in enumerate(kept.tolist()):
        for j, y in enumerate(kept[:i].tolist()):
            given = set(kept[reach[kept, x] | reach[kept, y]].tolist()) - {x, y}
            if y in d_connected(parents, children, x, given):
                marks[i, j] = TAIL if reach[y, x] else ARROW
                marks[j, i] = TAIL if reach[x, y] else ARROW
    return PAG(marks)


@validated
def canonical_dag(mag: PAG) -> PDAG:
    """Return a DAG with one more node for each edge i <-> j, a common cause of i and j, after the nodes of the MAG.

    It has the separations of the MAG among the nodes of the MAG.

    Parameters
    ----------
    mag : PAG
        Without circles.

    Raises
    ------
    ParameterError
        If an end has a circle.
    """
    check_mag(mag)
    shared = np.argwhere(np.triu((mag.marks == ARROW) & (mag.marks.T == ARROW)))
    amat = np.zeros((mag.p + len(shared),) * 2, dtype=bool)
    amat[: mag.p, : mag.p] = mag.amat & ~mag.amat.T
    for k, (i, j) in enumerate(shared.tolist()):
        amat[mag.p + k, [i, j]] = True
    return PDAG(amat)


def with_inducing_edges(mag: PAG) -> tuple[PAG, tuple[tuple[int, int], ...]]:
    """Return the MAG with an edge between each pair that no set separates, and these pairs, i < j.

    Such a pair has a path on which every other node is a collider and a cause of one of the two (Richardson and Spirtes
    2002, section 4.2). All these colliders are in one district, a set connected by edges <->.

    Raises
    ------
    ParameterError
        If an end has a circle.
    """
    check_mag(mag)
    shared = (mag.marks == ARROW) & (mag.marks.T == ARROW)
    added, left = set(), set(np.flatnonzero(shared.any(axis=0)).tolist())
    while left:
        district = _reached(shared, {left.pop()})
        left -= district
        ends = district | {int(k) for v in district for k in np.flatnonzero(mag.marks[:, v] == ARROW)}
        pairs = [pair for pair in combinations(sorted(ends), 2) if mag.marks[pair] == NONE]
        added |= {pair for pair in pairs if _is_induced(mag, shared, district, *pair)}
    marks = mag.marks.copy()
    for i, j in added:
        marks[j, i], marks[i, j] = (TAIL if mag.causes[pair] else ARROW for pair in ((i, j), (j, i)))
    return PAG(marks), tuple(sorted(added))


def _is_induced(mag: PAG, shared: np.ndarray, district: set[int], x: int, y: int) -> bool:
    """Return True if a path of colliders in a district, each a cause of x or y, joins x and y."""
    inside = {v for v in district - {x, y} if mag.causes[v, x] or mag.causes[v, y]}
    first = {v for v in inside if mag.marks[x, v] == ARROW}
    return any(mag.marks[y, v] == ARROW for v in _reached(shared, first, inside))


def _reached(steps: np.ndarray, start: set[int], inside: set[int] | None = None) -> set[int]:
    """Return the nodes of `start` and those reachable from them within `inside`; `steps` is a (p, p) bool array."""
    found, todo = set(start), list(start)
    while todo:
        new = set(np.flatnonzero(steps[todo.pop()]).tolist()) - found
        new = new if inside is None else new & inside
        found |= new
        todo.extend(new)
    return found


@validated
def pag_of_mag(mag: PAG) -> PAG:
    """Return the PAG of the MAGs with the same separations: marks that they do not share are circles.

    Parameters
    ----------
    mag : PAG
        Without circles; every pair that is not adjacent can be separated.

    Returns
    -------
    PAG

    Raises
    ------
    ParameterError
        If an end has a circle.

    Notes
    -----
    The ancestors of two variables separate them if any set does, so b is between d and c iff it causes one of them.

    Examples
    --------
    >>> pag_of_mag(PAG.from_ends(3, [(0, "->", 1), (1, "->", 2)]))
    PAG(p=3: 0 o-o 1, 1 o-o 2)
    """
    check_mag(mag)
    causes = mag.causes
    return orient(mag.marks > NONE, lambda d, b, c: bool(causes[b, d] or causes[b, c]))[0]


@lru_cache(maxsize=16)
def pag_without_hidden(graph: PDAG) -> PAG:
    """Return the PAG of a DAG or CPDAG whose variables have no hidden common cause; a PAG is returned as it is.

    For a graph that no DAG fits, the PAG is that of its stand-in; see `consistent_extension`.
    """
    if isinstance(graph, PAG):
        return graph
    dag = consistent_extension(graph).dag
    return pag_of_mag(PAG.from_edges(dag.p, directed=dag.directed_edges()))


def check_mag(mag: PAG) -> None:
    """Raise ParameterError if the graph is not a MAG."""
    check_type("mag", mag, PAG, "a PAG without circles")
    if not mag.is_mag:
        raise ParameterError(f"a MAG has no circles, found {mag.n_circles}; orient them first")
