"""Paths between two nodes of a DAG, and d-separation."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..common.checks import check_count
from ..common.validation import validated
from ..graphs.graph import PDAG
from .checks import check_nodes, representative_dag
from .separators import minimal_separators, with_ancestors

MAX_PATHS = 100
MAX_PREFIXES = 50_000  # maximum number of path prefixes that are explored; there may be exponentially many paths
MAX_SETS = 100
Passes = Callable[[int, int, int], bool]  # True if a path a, k, b is open at k


@dataclass(frozen=True)
class Path:
    """A path between two nodes.

    Attributes
    ----------
    nodes : tuple of int
        Nodes from x to y.
    colliders : tuple of int
        Nodes where both arrowheads meet.
    closed_at : tuple of int
        Nodes that block the path: non-colliders in the set, and colliders without a descendant in it, themselves
        included. Empty if the path is open.
    causal : bool
        True if all arrows point from x to y.
    """

    nodes: tuple[int, ...]
    colliders: tuple[int, ...]
    closed_at: tuple[int, ...]
    causal: bool

    @property
    def open(self) -> bool:
        """True if the path is open."""
        return not self.closed_at

    @property
    def closers(self) -> tuple[int, ...]:
        """Nodes that would block the path if they were conditioned on."""
        return tuple(k for k in self.nodes[1:-1] if k not in self.colliders)


@dataclass(frozen=True)
class Separation:
    """Result of a d-separation query, with the paths that explain it.

    Attributes
    ----------
    separated : bool
    paths : tuple of Path
        Open paths first, then short ones.
    complete : bool
        True if all paths are listed.
    sets : tuple of tuple of int
        Minimal separating sets, the smallest first; empty if the nodes are adjacent.
    given : tuple of int
        The conditioning set to which `separated` and `paths` refer, in ascending order.
    """

    separated: bool
    paths: tuple[Path, ...]
    complete: bool
    sets: tuple[tuple[int, ...], ...]
    given: tuple[int, ...] = ()


@validated
def separation(graph: PDAG, x: int, y: int, given: Collection[int] = (), *, most: int = MAX_PATHS) -> Separation:
    """Determine whether `given` d-separates x and y, with the paths between them.

    Parameters
    ----------
    graph : PDAG
        A DAG, or a graph that represents some, such as a CPDAG; the paths are those of one of its DAGs. All have the
        same paths and d-separations, but an arrow of a path may have another direction.
    x, y : int
    given : collection of int
    most : int, default 100
        Maximum number of open paths, and of blocked ones.

    Raises
    ------
    ParameterError
        If the graph represents no DAG, or x, y and the members of the set are not different nodes.

    References
    ----------
    Pearl (2009), Causality, definition 1.2.3.

    Examples
    --------
    >>> from learners import PDAG
    >>> fork_and_collider = PDAG.from_edges(4, directed=[(0, 1), (0, 2), (1, 3), (2, 3)])
    >>> separation(fork_and_collider, 1, 2, [0]).separated, separation(fork_and_collider, 1, 2, [0, 3]).separated
    (True, False)
    """
    dag = representative_dag(graph)
    given = check_nodes(dag, x, y, given)
    check_count("most", most, 1)
    opened = with_ancestors(dag.amat, given)

    def passes(a: int, k: int, b: int) -> bool:
        collider = dag.amat[a, k] and dag.amat[b, k]
        return (k in opened) if collider else (k not in given)

    kept, all_open = _listed(dag, x, y, passes, most)
    closed, all_closed = _listed(dag, x, y, lambda _a, _k, _b: True, most + len(kept))
    found = dict.fromkeys([*kept, *closed])
    paths = tuple(_path(dag, nodes, given, opened) for nodes in list(found)[: len(kept) + most])
    sets = separating_sets(dag, x, y)
    return Separation(not kept, paths, all_open and all_closed, sets, tuple(sorted(given)))


def mediators(dag: PDAG, x: int, y: int) -> tuple[int, ...]:
    """Return the inner nodes of the directed paths from x to y in a DAG, in ascending order."""
    return tuple(sorted((with_ancestors(dag.amat, [y]) & with_ancestors(dag.amat.T, [x])) - {x, y}))


def separating_sets(dag: PDAG, x: int, y: int, most: int = MAX_SETS) -> tuple[tuple[int, ...], ...]:
    """Return at most `most` minimal sets that d-separate two nodes of a DAG, the smallest first."""
    found = islice(minimal_separators(dag.amat, x, y, set(range(dag.p)) - {x, y}), most)
    return tuple(sorted(found, key=lambda one: (len(one), one)))


def _path(dag: PDAG, nodes: tuple[int, ...], given: Collection[int], opened: Collection[int]) -> Path:
    triples = list(zip(nodes, nodes[1:], nodes[2:], strict=False))
    colliders = tuple(k for a, k, b in triples if dag.amat[a, k] and dag.amat[b, k])
    closed = tuple(k for _, k, _ in triples if (k not in opened if k in colliders else k in given))
    return Path(nodes, colliders, closed, all(dag.amat[a, b] for a, b in zip(nodes, nodes[1:], strict=False)))


def _listed(dag: PDAG, x: int, y: int, passes: Passes, most: int) -> tuple[list[tuple[int, ...]], bool]:
    """Return the first `most` paths, and True if there are no more."""
    search = PathSearch(dag.skeleton, x, y, passes)
    found = list(islice(search, most + 1))
    return found[:most], len(found) <= most and not search.cut


class PathSearch:
    """Iterate over the paths from x to y of an undirected graph that pass every inner node, short ones first.

    Parameters
    ----------
    skeleton : (p, p) bool array
    x, y : int
    passes : callable
        ``passes(a, k, b)``.

    Attributes
    ----------
    cut : bool
        True if the search stopped early because there were too many prefixes.
    """

    def __init__(self, skeleton: np.ndarray, x: int, y: int, passes: Passes) -> None:
        self.around = [np.flatnonzero(row).tolist() for row in skeleton]
        self.x, self.y, self.passes = x, y, passes
        self.cut = False

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield each path as a tuple of nodes; only prefixes that can reach y are extended."""
        ends = self._ends()
        waiting = deque((self.x, k) for k in self.around[self.x] if (self.x, k) in ends)
        begun = 0
        while waiting:
            path = waiting.popleft()
            if path[-1] == self.y:
                yield path
                continue
            begun += 1
            if begun > MAX_PREFIXES:
                self.cut = True
                return
            a, k = path[-2:]
            waiting += [(*path, b) for b in self.around[k] if b not in path and (k, b) in ends and self.passes(a, k, b)]

    def _ends(self) -> set[tuple[int, int]]:
        """Return the steps (a, k) from which y can be reached."""
        found = {(k, self.y) for k in self.around[self.y]}
        todo = list(found)
        while todo:
            k, b = todo.pop()
            if k == self.x:
                continue
            for a in self.around[k]:
                if a not in (b, self.y) and (a, k) not in found and self.passes(a, k, b):
                    found.add((a, k))
                    todo.append((a, k))
        return found
