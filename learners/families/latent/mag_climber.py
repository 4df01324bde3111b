"""Moves of a greedy search over MAGs, and their gains in the Gaussian BIC.

A DAG explains a hidden common cause of two variables by edges that it should not have. Two moves repair that: an edge
is removed and some common neighbours of its ends become colliders, or the marks of an edge change. A move changes only
the districts of its nodes (sets connected by edges i <-> j), so only these are fitted again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...common.progress import Tick, check_cancelled, silent
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.pag import ARROW, NONE, PAG, TAIL
from ...kernels.latent.district_fit import fit_district
from ...results.phases import Phase, Stage

PHASE = Phase(Stage.MOVES)
MIN_GAIN = 5e-4  # minimum gain of a move, in nats
MAX_COLLIDERS = 5  # maximum number of common neighbours that a removal may turn into colliders
MAX_COLUMNS = 40  # maximum number of columns of a district and its parents; larger districts are not tried
MIN_FREE_ROWS = 2  # minimum number of rows minus columns of a district, so that the likelihood has a maximum
KINDS = ((TAIL, ARROW), (ARROW, TAIL), (ARROW, ARROW))  # marks at i and at j
Change = tuple[int, int, int, int]  # i, j, and the new marks at i and at j


@dataclass(frozen=True)
class MAGMove:
    """One move of the search.

    Attributes
    ----------
    changes : tuple of (int, int, int, int)
        Nodes i and j, and the marks at i and at j afterwards; 0 without an edge.
    gain : float
        Gain of the score, in nats.
    """

    changes: tuple[Change, ...]
    gain: float

    def relabeled(self, new: np.ndarray) -> MAGMove:
        """Relabel the nodes; see `common.relabeling`."""
        return MAGMove(tuple((int(new[i]), int(new[j]), at_i, at_j) for i, j, at_i, at_j in self.changes), self.gain)


@dataclass(frozen=True, eq=False)
class GaussianColumns:
    """Correlations of the columns of the variables.

    Attributes
    ----------
    corr : (q, q) float64 array
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``.
    n : int
        Number of rows.
    """

    corr: np.ndarray
    first: np.ndarray
    n: int

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.first) - 1

    def of(self, v: int) -> range:
        """Return the columns of a variable."""
        return range(int(self.first[v]), int(self.first[v + 1]))


class MAGClimber:
    """State of a search over MAGs: the graph, and the gains of its moves.

    Parameters
    ----------
    columns : GaussianColumns
    dag : PDAG
        A DAG.
    penalty : float
        Penalty of one parameter, in nats.
    max_district : int
        Maximum number of variables of a district; moves that make a larger one are not tried.
    knowledge : BoundKnowledge, optional
        Required edges stay, and no move makes an edge i -> j that is excluded.

    Attributes
    ----------
    moves : list of MAGMove
        Moves made so far.
    n_fits : int
        Number of fitted districts.
    reached_limit : bool
        True if a district was too large to be tried.
    """

    def __init__(
        self,
        columns: GaussianColumns,
        dag: PDAG,
        penalty: float,
        *,
        max_district: int,
        knowledge: BoundKnowledge | None = None,
    ) -> None:
        self._columns, self._penalty, self._max_district = columns, penalty, max_district
        self._corr = np.ascontiguousarray(columns.corr, dtype=np.float64)
        self._knowledge = knowledge or BoundKnowledge.none(dag.p)
        self._p = dag.p
        self._parents = [set(dag.parents(k)) for k in range(dag.p)]
        self._children = [set(dag.children(k)) for k in range(dag.p)]
        self._spouses: list[set[int]] = [set() for _ in range(dag.p)]
        self._scores: dict[tuple, float] = {}
        self._gains: dict[tuple[int, int], list[MAGMove]] = {}  # moves of each edge that gain, the best first
        self.moves: list[MAGMove] = []
        self.n_fits = 0
        self.reached_limit = False

    @property
    def mag(self) -> PAG:
        """The MAG so far; some of its nonadjacent pairs may not be separated by any set."""
        marks = np.zeros((self._p, self._p), dtype=np.int8)
        for j in range(self._p):
            for i in self._parents[j]:
                marks[i, j], marks[j, i] = ARROW, TAIL
            for i in self._spouses[j]:
                marks[i, j] = ARROW
        return PAG(marks)

    def step(self, tick: Tick = silent) -> MAGMove | None:
        """Make the best legal move, and return it; None if none gains.

        Raises
        ------
        Stopped
            If cancelled; the MAG has not changed.
        """
        for edge in self._edges():
            if edge not in self._gains:
                check_cancelled(tick, str(PHASE))
                self._gains[edge] = self._gains_of(*edge)
        moves = sorted((move for own in self._gains.values() for move in own), key=lambda move: -move.gain)
        move = next((move for move in moves if self._is_legal(move.changes)), None)
        if move is None:
            return None
        touched = self._district_of(_nodes(move.changes))
        self._apply(move.changes)
        touched |= self._district_of(touched)
        self._forget(touched)
        self.moves.append(move)
        return move

    def _forget(self, touched: set[int]) -> None:
        """Drop the gains of the edges whose nodes, districts or common neighbours changed."""
        for x, y in list(self._gains):
            seen = {x, y} | self._near(x) | self._near(y) | self._district_of({x, y})
            if seen & touched:
                del self._gains[x, y]

    def _edges(self) -> Iterator[tuple[int, int]]:
        return ((i, j) for i in range(self._p) for j in sorted(self._near(i)) if i < j)

    def _near(self, i: int) -> set[int]:
        return self._parents[i] | self._children[i] | self._spouses[i]

    def _gains_of(self, x: int, y: int) -> list[MAGMove]:
        """Return the changes of an edge that raise the score, the best first."""
        found = []
        for changes in self._candidates(x, y):
            gain = self._gain(changes)
            if gain > MIN_GAIN:
                found.append(MAGMove(changes, gain))
        return sorted(found, key=lambda move: -move.gain)

    def losses(self) -> Iterator[tuple[int, int, float]]:
        """Yield the nodes of each edge, and the score, in nats, lost if only that edge is removed."""
        for x, y in self._edges():
            yield x, y, -self._gain(((x, y, NONE, NONE),))

    def _candidates(self, x: int, y: int) -> Iterator[tuple[Change, ...]]:
        """Yield other marks of an edge, and its removal with each set of common neighbours as colliders."""
        own = self._ends(x, y)
        if self._knowledge.joined[x, y]:
            return
        yield from (((x, y, *ends),) for ends in KINDS if ends != own)
        middles = [c for c in sorted(self._near(x) & self._near(y)) if not self._is_collider(x, c, y)][:MAX_COLLIDERS]
        for size in range(len(middles) + 1):
            for chosen in combinations(middles, size):
                ends = [(v, c, self._ends(v, c)[0] if self._ends(v, c)[1] == ARROW else ARROW, ARROW)
                        for c in chosen for v in (x, y)]  # fmt: skip
                changed = tuple(change for change in ends if self._ends(*change[:2]) != change[2:])
                yield ((x, y, NONE, NONE), *changed)

    def _is_collider(self, x: int, c: int, y: int) -> bool:
        return self._ends(x, c)[1] == ARROW == self._ends(y, c)[1]

    def _ends(self, i: int, j: int) -> tuple[int, int]:
        """Return the marks at i and at j of an edge."""
        if j in self._spouses[i]:
            return ARROW, ARROW
        return (TAIL, ARROW) if j in self._children[i] else (ARROW, TAIL) if j in self._parents[i] else (NONE, NONE)

    def _apply(self, changes: Iterable[Change]) -> list[Change]:
        """Change marks; return the changes that undo it."""
        before = []
        for i, j, at_i, at_j in changes:
            before.append((i, j, *self._ends(i, j)))
            for a, b in ((i, j), (j, i)):
                self._spouses[a].discard(b)
                self._parents[a].discard(b)
                self._children[a].discard(b)
            if (at_i, at_j) == (ARROW, ARROW):
                self._spouses[i].add(j)
                self._spouses[j].add(i)
            elif at_j == ARROW:
                self._children[i].add(j)
                self._parents[j].add(i)
            elif at_i == ARROW:
                self._children[j].add(i)
                self._parents[i].add(j)
        return before

    def _gain(self, changes: tuple[Change, ...]) -> float:
        """Return the gain of the score; minus infinity if a district would be too large."""
        nodes = self._district_of(_nodes(changes))
        before = self._score(nodes)
        undo = self._apply(changes)
        after = self._score(nodes)
        self._apply(undo)
        return before - after

    def _district_of(self, nodes: Iterable[int]) -> set[int]:
        """Return the nodes of the districts of some nodes."""
        found, todo = set(nodes), list(nodes)
        while todo:
            new = self._spouses[todo.pop()] - found
            found |= new
            todo.extend(new)
        return found

    def _score(self, nodes: set[int]) -> float:
        """Return minus the score of whole districts, in nats; infinity if one is too large."""
        left, total = set(nodes), 0.0
        while left:
            district = self._district_of({min(left)})
            left -= district
            total += self._score_of_district(sorted(district))
        return total

    def _score_of_district(self, district: list[int]) -> float:
        key = tuple((k, frozenset(self._parents[k]), frozenset(self._spouses[k])) for k in district)
        if key not in self._scores:
            self._scores[key] = self._fit(district)
        return self._scores[key]

    def _fit(self, district: list[int]) -> float:
        """Return the negated score of a district; the errors of one variable's columns may correlate."""
        others = sorted(set().union(*(self._parents[k] for k in district)) - set(district))
        owner = [node for node in (*district, *others) for _ in self._columns.of(node)]
        columns = np.array([at for node in (*district, *others) for at in self._columns.of(node)], dtype=np.int64)
        most = min(MAX_COLUMNS, self._columns.n - MIN_FREE_ROWS)
        if len(district) > self._max_district or len(district) > 1 and len(columns) > most:
            self.reached_limit = True
            return math.inf
        self.n_fits += 1
        k = sum(len(self._columns.of(node)) for node in district)
        parents = np.array([[other in self._parents[node] for other in owner] for node in owner[:k]], dtype=bool)
        spouses = np.array(
            [[other == node or other in self._spouses[node] for other in owner[:k]] for node in owner[:k]], dtype=bool
        )
        np.fill_diagonal(spouses, False)
        if not k:
            return 0.0
        deviance = fit_district(np.ascontiguousarray(self._corr[columns[:, None], columns]), parents, spouses)
        return 0.5 * self._columns.n * deviance + self._penalty * (int(parents.sum()) + int(spouses.sum()) // 2)

    def _is_legal(self, changes: tuple[Change, ...]) -> bool:
        """Return True if the graph after the changes is a legal MAG.

        It has no directed cycle, no arrowhead at a cause, and no mark that the knowledge excludes.
        """
        if not all(self._is_allowed(*change) for change in changes):
            return False
        undo = self._apply(changes)
        legal = all(self._fits(i, j, at_i, at_j) for i, j, at_i, at_j in changes)
        self._apply(undo)
        return legal

    def _is_allowed(self, i: int, j: int, at_i: int, at_j: int) -> bool:
        """Return True if the knowledge allows the change."""
        if self._knowledge.joined[i, j]:
            return False
        return not (at_i == TAIL and self._knowledge.excluded[i, j] or at_j == TAIL and self._knowledge.excluded[j, i])

    def _fits(self, i: int, j: int, at_i: int, at_j: int) -> bool:
        if (at_i, at_j) == (NONE, NONE):
            return True
        if (at_i, at_j) == (ARROW, ARROW):
            return j not in _reached(self._children, i) and i not in _reached(self._children, j)
        cause, effect = (i, j) if at_j == ARROW else (j, i)
        effects = _reached(self._children, effect)
        causes = _reached(self._parents, cause)
        return cause not in effects and not any(self._spouses[k] & effects for k in causes)


def _nodes(changes: Iterable[Change]) -> set[int]:
    return {node for i, j, *_ in changes for node in (i, j)}


def _reached(steps: list[set[int]], start: int) -> set[int]:
    """Return a node and all nodes that steps lead to from it."""
    found, todo = {start}, [start]
    while todo:
        new = steps[todo.pop()] - found
        found |= new
        todo.extend(new)
    return found
