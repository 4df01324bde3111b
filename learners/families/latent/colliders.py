"""Colliders of the unshielded triples a - b - c of a skeleton.

They are found by the separating set of the ends (Spirtes, Meek and Richardson 1999), or by all sets of neighbours of an
end: sets with and sets without the middle must not both separate (conservative; Ramsey, Spirtes and Zhang 2006), or the
largest p-value decides (max; Ramsey 2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...common.progress import Tick
from ...graphs.pag_orientation import Triple, unshielded_triples
from ...independence.ci_test import CITest
from ...independence.set_search import LevelSearch, NewSetSearch, Pools
from ...kernels.graphs.adjacency import neighbor_lists
from ...results.phases import Phase, Stage
from ...search.skeleton_levels import SkeletonSearch

PHASE = Phase(Stage.COLLIDERS)
NEVER_SEPARATES = 1.0 - 1e-12  # alpha at which all sets are tested, so that the largest p is known


@dataclass(frozen=True)
class JudgedTriples:
    """Triples (a, b, c), a < c, by the decision whether b is a collider."""

    colliders: tuple[Triple, ...] = ()
    ambiguous: tuple[Triple, ...] = ()


def by_separating_set(search: SkeletonSearch) -> JudgedTriples:
    """Return the triples whose middle is not in the set that separates their ends."""
    sepsets = search.sepsets
    triples = [one for one in unshielded_triples(search.adjacency) if sepsets.present[one[0], one[2]]]
    return JudgedTriples(tuple((a, b, c) for a, b, c in triples if b not in sepsets.between(a, c)))


def by_all_sets(search: SkeletonSearch, max_cond_size: int | None, tick: Tick, *, by_largest_p: bool) -> JudgedTriples:
    """Decide on the triples by testing their ends given sets of neighbours with and without the middle.

    Parameters
    ----------
    search : SkeletonSearch
        Finished.
    max_cond_size : int or None
    tick : Tick
    by_largest_p : bool
        True: b is a collider iff the set with the largest p does not contain it. False: b is a collider if no set with
        it separates the ends, and the triple is ambiguous if sets with and without it do, or none does.

    Raises
    ------
    Stopped
        If cancelled.
    """
    present = search.sepsets.present  # a pair without a set was never separated by a test
    triples = [(a, b, c) for a, b, c in unshielded_triples(search.adjacency) if present[a, c]]
    if not triples:
        return JudgedTriples()
    alpha = NEVER_SEPARATES if by_largest_p else search.alpha
    with_middle, without = (
        _largest_p(search.ci_test, search.adjacency, np.array(triples), alpha, max_cond_size, tick, inside=inside)
        for inside in (True, False)
    )
    if by_largest_p:
        return JudgedTriples(_chosen(triples, without > with_middle))
    separated_with, separated_without = (log_p > math.log(alpha) for log_p in (with_middle, without))
    collider, ambiguous = separated_without & ~separated_with, separated_with == separated_without
    return JudgedTriples(_chosen(triples, collider), _chosen(triples, ambiguous))


def _chosen(triples: list[Triple], mask: np.ndarray) -> tuple[Triple, ...]:
    """Return the triples that the (m,) bool mask selects."""
    return tuple(triples[k] for k in np.flatnonzero(mask))


def _largest_p(
    ci_test: CITest,
    adjacency: np.ndarray,
    triples: np.ndarray,
    alpha: float,
    max_cond_size: int | None,
    tick: Tick,
    *,
    inside: bool,
) -> np.ndarray:
    """Return (m,) the ln of the largest p of the ends given sets of neighbours of either end, up to one above alpha.

    The sets contain the middle if `inside`, and do not otherwise.
    """
    begin, near = neighbor_lists(adjacency)
    degree = np.diff(begin)
    widest = int(degree.max(initial=0))
    members = np.full((len(adjacency), widest), -1, dtype=np.int32)
    members[np.arange(widest) < degree[:, None]] = near
    width = widest if max_cond_size is None else min(max_cond_size, widest)
    middles, ends = triples[:, 1], triples[:, [0, 2]]
    log_p = np.full(len(triples), -math.inf)

    def keep(rows: np.ndarray, searches: LevelSearch | NewSetSearch) -> None:
        found = ci_test.separate(searches, alpha, phase=str(PHASE), tick=tick).log_p
        log_p[rows] = np.fmax(log_p[rows], found)

    if not inside:
        keep(np.arange(len(triples)), LevelSearch.marginal(ends, len(adjacency)))
    for first in (0, 1):
        for position in range(widest if width else 0):
            open_still = log_p <= math.log(alpha)
            rows = np.flatnonzero(open_still & (members[ends[:, first], position] == middles))
            if len(rows):
                pairs = ends[rows][:, [first, 1 - first]]
                keep(rows, NewSetSearch(pairs, _pools(members, degree, position, inside=inside), width))
    return log_p


def _pools(members: np.ndarray, degree: np.ndarray, position: int, *, inside: bool) -> Pools:
    """Return the neighbours of each node; the one at the position is in every set if `inside`, and else in none."""
    order = np.delete(np.arange(members.shape[1]), position)
    has_position = degree > position
    rest = np.column_stack([members[:, order], np.full(len(members), -1, dtype=np.int32)])
    sizes = degree - has_position
    if not inside:
        return Pools(np.ascontiguousarray(rest), sizes, np.zeros_like(sizes))
    rest[has_position, sizes[has_position]] = members[has_position, position]
    return Pools(np.ascontiguousarray(rest), degree.copy(), sizes)
