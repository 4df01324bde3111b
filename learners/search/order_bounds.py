"""Where a search over orders begins, and what bounds it."""

from __future__ import annotations

import numpy as np

from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.scores.gaussian import GaussianFamilies
from ..kernels.search.ancestry import find_ancestors, list_parents
from ..kernels.search.grow_shrink import OrderRules
from ..kernels.search.hill_climbing import MIN_GAIN, ROUNDING
from ..scores.score import FamilyScore
from .hill_climbing import checked_start
from .order_walk import OrderWalk, Point, order_of


def order_walk(score: FamilyScore, known: BoundKnowledge, max_parents: int | None) -> OrderWalk:
    """A walk that stands at the required edges, in any order that they agree with.

    Raises
    ------
    ParameterError
        If a variable has too many required parents.
    """
    most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
    start = checked_start(None, known, score.names, most)
    total, p = score.network(start), score.p
    rules = OrderRules(
        may_add=np.ascontiguousarray(~known.excluded.T & ~np.eye(p, dtype=bool)),
        required=np.ascontiguousarray(known.required.T),
        ahead=_ahead(known),
        rank=np.arange(p),
        max_parents=most,
        least=MIN_GAIN * max(1.0, abs(total)),
        rounding=ROUNDING * max(abs(total), score.sample.n),
        remembered=not isinstance(score.sample, GaussianFamilies),
    )
    return OrderWalk(score, rules, _first_point(score, start))


def _first_point(score: FamilyScore, start: PDAG) -> Point:
    """The required edges, in any order: the search begins by another."""
    p = score.p
    parents, n_parents = np.zeros((p, p), dtype=np.int64), start.amat.sum(axis=0)
    for j in np.flatnonzero(n_parents).tolist():
        parents[j, : n_parents[j]] = np.flatnonzero(start.amat[:, j])
    local = np.array([score.local(j, start.parents(j)) for j in range(p)])
    return Point(order_of(start.amat, np.arange(p)), parents, n_parents, local)


def _ahead(known: BoundKnowledge) -> np.ndarray:
    """(p, p) bool, [i, j]: i comes before j in every order, as edges are required or as j cannot lead to i."""
    p = len(known.required)
    if not (known.required.any() or known.excluded.any()):
        return np.zeros((p, p), dtype=bool)
    reaches = _reached(~known.excluded)
    return _reached(known.required | (reaches & ~reaches.T)) & ~np.eye(p, dtype=bool)


def _reached(edges: np.ndarray) -> np.ndarray:
    """(p, p) bool, [i, j]: j is i or can be reached from it."""
    p = len(edges)
    ancestors = np.zeros((p, (p + 63) // 64), dtype=np.uint64)
    parents, n_parents = np.empty((p, p), dtype=np.int32), np.zeros(p, dtype=np.int64)
    list_parents(np.ascontiguousarray(edges.T), parents, n_parents)
    find_ancestors(parents, n_parents, ancestors)
    bits = np.unpackbits(ancestors.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :p].T.astype(bool)
