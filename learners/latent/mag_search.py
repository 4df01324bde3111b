"""Greedy search over MAGs from a DAG, by the Gaussian BIC.

The DAG explains a hidden common cause of two variables by edges that it should not have. Two moves repair that: an edge
is removed and some common neighbours of its ends become colliders, or the marks of an edge change. A move changes only
the districts of its nodes (sets connected by edges i <-> j), so only these are fitted again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..common.checks import check_number
from ..common.errors import DataError, ParameterError
from ..common.progress import Stopped, Tick, check_cancelled, silent
from ..common.validation import Positive, validated
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from ..graphs.mag import canonical_dag, mag_of_dag
from ..graphs.pag import ARROW, NONE, PAG, TAIL
from ..kernels.latent.district_fit import fit_district

MIN_GAIN = 1e-3  # of BIC, below which the search ends
MAX_DISTRICT = 8  # nodes; larger districts are not tried
MAX_COLLIDERS = 5  # common neighbours that a removal may turn into colliders
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
        Of BIC, on the scale of the log-likelihood times two.
    """

    changes: tuple[Change, ...]
    gain: float


@dataclass(frozen=True, eq=False)
class MAGFound:
    """Result of `mag_search`.

    Attributes
    ----------
    mag : PAG
        The best MAG found.
    gain : float
        How much better its BIC is than that of the DAG.
    moves : tuple of MAGMove
    """

    mag: PAG
    gain: float
    moves: tuple[MAGMove, ...]


@validated
def mag_search(
    dataset: Dataset, dag: PDAG, *, penalty: float = 1.0, max_moves: Positive = 100, tick: Tick | None = None
) -> MAGFound:
    """Search for a MAG with a better BIC than a DAG, which hidden common causes can explain.

    Parameters
    ----------
    dataset : Dataset
        Continuous columns without missing cells.
    dag : PDAG
        Over the columns, e.g. ``boss(GaussianBIC(dataset)).extra.dag``.
    penalty : float, default 1.0
        Factor of the penalty of a parameter.
    max_moves : int, default 100
    tick : Tick, optional
        Progress listener. If it returns False, the search ends with the moves so far.

    Returns
    -------
    MAGFound

    Raises
    ------
    DataError
        If a column is not continuous, or cells are missing: the search needs a Gaussian model of complete rows.
    ParameterError
        If the graph is not a DAG over the columns.

    Notes
    -----
    A district is fitted by residual iterative conditional fitting [1]_. Districts of more than 8 variables are not
    tried. `pag_of_mag` of the result has the ends that all equivalent MAGs share.

    References
    ----------
    .. [1] Drton, Eichler and Richardson (2009), Computing maximum likelihood estimates in recursive linear models with
       correlated errors. JMLR 10.

    Examples
    --------
    >>> from learners import GaussianBIC, boss, mag_search, random_gaussian_network, sample
    >>> data = sample(random_gaussian_network(6, 6, seed=1), 500, seed=1)
    >>> mag_search(data, boss(GaussianBIC(data)).extra.dag).gain >= 0.0
    True
    """
    if dataset.kind != "continuous":
        raise DataError("mag_search needs continuous columns, because it fits a Gaussian model; leave the others out")
    if not dataset.complete:
        raise DataError("mag_search needs complete rows, found missing cells; leave these rows or columns out")
    if not dag.is_dag or dag.p != dataset.p:
        raise ParameterError(f"the graph must be a DAG over the {dataset.p} columns; orient it, or pass its own")
    check_number("penalty", penalty, 0.0, math.inf, ends="()")
    order = dataset.by_name  # ties then follow the names, not the table
    sorted_dag = PDAG(dag.amat[np.ix_(order, order)])
    climber = MAGClimber(
        dataset.correlation[np.ix_(order, order)], dataset.n, sorted_dag, penalty * math.log(max(dataset.n, 2))
    )
    moves = []
    try:
        while len(moves) < max_moves:
            check_cancelled(tick or silent, "moves")
            move = climber.step()
            if move is None:
                break
            moves.append(move)
    except Stopped:
        pass
    return _in_table_order(climber, moves, order)


def _in_table_order(climber: MAGClimber, moves: list[MAGMove], order: tuple[int, ...]) -> MAGFound:
    """Return the result with the columns in the order of the table."""
    place = np.argsort(order)
    mag = with_inducing_edges(climber.mag)
    turned = [
        MAGMove(tuple((order[i], order[j], at_i, at_j) for i, j, at_i, at_j in move.changes), move.gain)
        for move in moves
    ]
    return MAGFound(PAG(mag.marks[np.ix_(place, place)]), sum(move.gain for move in moves), tuple(turned))


def with_inducing_edges(mag: PAG) -> PAG:
    """Return the MAG with an edge between each pair that no set separates, if there is any."""
    if not ((mag.marks == ARROW) & (mag.marks.T == ARROW)).any():
        return mag
    dag = canonical_dag(mag)
    return mag_of_dag(dag, range(mag.p, dag.p))


class MAGClimber:
    """The MAG of a search, and the gains of its moves.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.
    dag : PDAG
        A DAG.
    penalty : float
        Of one parameter.
    """

    def __init__(self, corr: np.ndarray, n: int, dag: PDAG, penalty: float) -> None:
        self._corr, self._n, self._penalty = np.ascontiguousarray(corr, dtype=np.float64), n, penalty
        self._p = dag.p
        self._parents = [set(dag.parents(k)) for k in range(dag.p)]
        self._children = [set(dag.children(k)) for k in range(dag.p)]
        self._spouses: list[set[int]] = [set() for _ in range(dag.p)]
        self._scores: dict[tuple, float] = {}
        self._gains: dict[tuple[int, int], list[MAGMove]] = {}  # of each edge, the best first

    @property
    def mag(self) -> PAG:
        """The MAG so far, which may have pairs that no set separates."""
        marks = np.zeros((self._p, self._p), dtype=np.int8)
        for j in range(self._p):
            for i in self._parents[j]:
                marks[i, j], marks[j, i] = ARROW, TAIL
            for i in self._spouses[j]:
                marks[i, j] = ARROW
        return PAG(marks)

    def step(self) -> MAGMove | None:
        """Make the best legal move, and return it; None if none gains."""
        for edge in self._edges():
            if edge not in self._gains:
                self._gains[edge] = self._gains_of(*edge)
        moves = sorted((move for own in self._gains.values() for move in own), key=lambda move: -move.gain)
        move = next((move for move in moves if self._is_legal(move.changes)), None)
        if move is None:
            return None
        touched = self._district_of(_nodes(move.changes))
        self._apply(move.changes)
        touched |= self._district_of(touched)
        self._forget(touched)
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
        """Return the moves of an edge that gain, the best first."""
        found = []
        for changes in self._candidates(x, y):
            gain = self._gain(changes)
            if gain > MIN_GAIN:
                found.append(MAGMove(changes, gain))
        return sorted(found, key=lambda move: -move.gain)

    def _candidates(self, x: int, y: int) -> Iterator[tuple[Change, ...]]:
        """Yield other marks of an edge, and its removal with each set of common neighbours as colliders."""
        own = self._ends(x, y)
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
        """Return the gain of BIC; minus infinity if a district would be too large."""
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
        """Return BIC of whole districts, smaller is better; infinity if one is too large."""
        left, total = set(nodes), 0.0
        while left:
            district = self._district_of({min(left)})
            left -= district
            total += self._score_of_district(sorted(district))
        return total

    def _score_of_district(self, district: list[int]) -> float:
        if len(district) > MAX_DISTRICT:
            return math.inf
        key = tuple((k, frozenset(self._parents[k]), frozenset(self._spouses[k])) for k in district)
        if key not in self._scores:
            self._scores[key] = self._fit(district)
        return self._scores[key]

    def _fit(self, district: list[int]) -> float:
        members = set(district)
        nodes = [*district, *sorted(set().union(*(self._parents[k] for k in district)) - members)]
        place = {node: k for k, node in enumerate(nodes)}
        parents = np.zeros((len(district), len(nodes)), dtype=bool)
        spouses = np.zeros((len(district), len(district)), dtype=bool)
        for a, node in enumerate(district):
            parents[a, [place[i] for i in self._parents[node]]] = True
            spouses[a, [place[i] for i in self._spouses[node]]] = True
        at = np.array(nodes)
        deviance = fit_district(np.ascontiguousarray(self._corr[at[:, None], at]), parents, spouses)
        return self._n * deviance + self._penalty * (int(parents.sum()) + int(spouses.sum()) // 2)

    def _is_legal(self, changes: tuple[Change, ...]) -> bool:
        """Return True if the graph after the changes has no directed cycle, and no arrowhead at a cause."""
        undo = self._apply(changes)
        legal = all(self._fits(i, j, at_i, at_j) for i, j, at_i, at_j in changes)
        self._apply(undo)
        return legal

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
