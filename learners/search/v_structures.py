"""V-structures i -> k <- j of a skeleton: triples i - k - j whose ends are not adjacent.

Three functions find them:

- `ranked_v_structures` reads them off the separating sets: k is not in the set that separates i and j. Spirtes, Glymour
  and Scheines (2000), PC, step C; Huang and Zhou (2022), equation (B.1).
- `tested_v_structures` tests them, for skeletons whose separating sets are not reliable: i and j are dependent given
  every set of neighbours that contains k. Huang and Zhou (2022), equation (B.2), after Margaritis (2003).
- `checked_v_structures` tests each of the first kind once more: i and j are dependent given their separating set and k.

The paper applies (B.2) only to the neighbours of the end with fewer neighbours. That is wrong for
0 -> 3 <- 1 -> 2 <- 3: node 0 has one neighbour, and 0 and 2 are dependent given it, but independent given the
neighbours 1 and 3 of node 2, so 3 is not a collider between them. Here both ends are tested.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ..common.memory import CELL_BYTES, MEGABYTE, check_memory, step_limit_bytes
from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG
from ..graphs.rules import Rule
from ..graphs.sepsets import Sepsets
from ..independence.ci_test import CITest
from ..independence.set_search import BatchSearch, NewSetSearch, Pools
from ..kernels.ci.pair_pools import PairPools
from ..kernels.ci.results import CIResults
from ..kernels.graphs.adjacency import neighbor_lists
from ..kernels.graphs.colliders import find_colliders, ranked_colliders
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.trace import TraceBuilder
from .skeleton_levels import PairEvidence, SkeletonSearch

ColliderCheck = Literal["dependent", "off"]
PHASE = Phase(Stage.V_STRUCTURES)
TRIPLE_BYTES = 3 * CELL_BYTES


# --- by separating sets, equation (B.1) -----------------------------------------------------------------------------


def ranked_v_structures(skeleton: PDAG, sepsets: Sepsets, log_phi: np.ndarray) -> np.ndarray:
    """Return the unshielded triples whose middle is not in the separating set of their ends.

    Parameters
    ----------
    skeleton : PDAG
        Undirected.
    sepsets : Sepsets
        Separating sets of the non-adjacent pairs. Pairs without one make no v-structure.
    log_phi : (p, p) float64 array
        ln of the largest p-value of each pair.

    Returns
    -------
    (m, 3) int64 array
        Triples i, k, j with i < j, in the order of falling p-values of i and j.

    Raises
    ------
    DataError
        If there may be more triples than fit in memory.
    """
    lists = _lists_within_memory(skeleton.amat)
    return ranked_colliders(skeleton.amat, *lists, sepsets.present, sepsets.members, log_phi)


def colliders_of(skeleton: np.ndarray, sepsets: Sepsets) -> np.ndarray:
    """Return the same triples as `ranked_v_structures` in ascending order of k, i and j; raise the same errors."""
    return find_colliders(skeleton, *_lists_within_memory(skeleton), sepsets.present, sepsets.members)


def _lists_within_memory(skeleton: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the `neighbor_lists` of a skeleton whose unshielded triples fit in memory; raise DataError otherwise."""
    begin, near = neighbor_lists(skeleton)
    degree = np.diff(begin).astype(float)
    upper_bound = TRIPLE_BYTES * (degree @ (degree - 1)) / 2  # reached if no two neighbours of a node are adjacent
    if upper_bound > MEGABYTE and upper_bound > step_limit_bytes():
        paths = skeleton.astype(np.float32) @ skeleton.astype(np.float32)
        check_memory(
            TRIPLE_BYTES * float(np.triu(paths * ~skeleton, 1).sum(dtype=float)),
            f"the pairs of edges that meet in one of {len(skeleton):,} columns",
            "lower alpha so that fewer edges stay",
        )
    return begin, near


# --- by tests given sets that contain the middle, equation (B.2) ----------------------------------------------------


def tested_v_structures(
    ci_test: CITest,
    skeleton: np.ndarray,
    separated: np.ndarray,
    evidence: PairEvidence,
    alpha: float,
    max_cond_size: int | None,
    trace: TraceBuilder,
    tick: Tick,
) -> np.ndarray:
    """Return the unshielded triples whose ends are dependent given every tested set that contains the middle.

    Parameters
    ----------
    ci_test : CITest
    skeleton : (p, p) bool array
        Symmetric.
    separated : (p, p) bool array
        Symmetric: the pairs separated by a test or by background knowledge. Others, such as those without enough rows,
        make no v-structure.
    evidence : PairEvidence
        Its p-values rank the triples.
    alpha : float
        Significance level of each test.
    max_cond_size : int or None
        Largest conditioning set. The sets are drawn from the neighbours of either end; the end with fewer neighbours
        comes first.
    trace : TraceBuilder
        Records one event per triple and end by `Rule.MIDDLE`, with k as the first member of the set: REFUSE if the set
        separates the ends, KEEP otherwise.
    tick : Tick

    Returns
    -------
    (m, 3) int64 array
        Triples i, k, j with i < j, in the order of falling p-values of i and j.

    Raises
    ------
    Stopped
        If cancelled.
    """
    no_middles = Sepsets(np.empty((*skeleton.shape, 0), dtype=np.int32), separated)  # accepts every middle
    triples = colliders_of(skeleton, no_middles)
    i, k, j = triples.T
    log_phi = evidence.log_phi[i, j]
    log_phi = np.where(np.isnan(log_phi), -math.inf, log_phi)  # forbidden pairs may be untested
    triples = triples[np.lexsort((j, k, i, -log_phi))]
    near, degree = _padded_neighbors(skeleton), skeleton.sum(axis=1)
    max_size = near.shape[1] if max_cond_size is None else min(max_cond_size, near.shape[1])

    def are_dependent(ends: np.ndarray, middles: np.ndarray) -> np.ndarray:
        """Return (m,) bool: True if no set of neighbours of the first end with the middle separates the two ends."""
        dependent = np.ones(len(ends), dtype=bool)
        for position in range(near.shape[1]):
            # One pool per node: the middle is its neighbour at this position.
            rows = np.flatnonzero(near[ends[:, 0], position] == middles)
            searches = NewSetSearch(ends[rows], _pools_with_last(near, position), max_size)
            try:
                results = ci_test.separate(searches, alpha, phase=str(PHASE), tick=tick)
            except Stopped as stopped:
                if stopped.partial is not None:
                    _record_middles(trace, ends[rows], middles[rows], stopped.partial, alpha)
                raise
            dependent[rows] = results.log_p <= math.log(alpha)
            _record_middles(trace, ends[rows], middles[rows], results, alpha)
        return dependent

    for end in (0, 1) if max_size else ():
        ends = triples[:, [0, 2]]
        swap = (degree[ends[:, 1]] < degree[ends[:, 0]]) != bool(end)
        ends[swap] = ends[swap, ::-1]
        triples = triples[are_dependent(ends, triples[:, 1])]
    return triples


def _padded_neighbors(skeleton: np.ndarray) -> np.ndarray:
    """Return (p, max degree) int32: the neighbours of each node in ascending order, padded with -1."""
    begin, near = neighbor_lists(skeleton)
    degree = np.diff(begin)
    members = np.full((len(skeleton), int(degree.max(initial=0))), -1, dtype=np.int32)
    members[np.arange(members.shape[1]) < degree[:, None]] = near
    return members


def _pools_with_last(near: np.ndarray, position: int) -> Pools:
    """Return the neighbours of each node, the one at `position` last; only sets that contain it count as new."""
    sizes = (near >= 0).sum(axis=1)
    order = np.delete(np.arange(near.shape[1]), position)
    members = np.column_stack([near[:, order], np.full(len(near), -1, dtype=np.int32)])
    has_position = np.flatnonzero(sizes > position)
    members[has_position, sizes[has_position] - 1] = near[has_position, position]
    return Pools(np.ascontiguousarray(members), sizes, np.maximum(sizes - 1, 0))


def _record_middles(
    trace: TraceBuilder, ends: np.ndarray, middles: np.ndarray, results: CIResults, alpha: float
) -> None:
    """Record the tests of (B.2) that were done; the middle is the first member of each set."""
    done = np.flatnonzero(results.n_tests > 0)
    cond = results.cond[done]
    rank = np.where(cond == middles[done, None], -1, np.where(cond < 0, np.iinfo(np.int32).max, cond))
    cond = np.take_along_axis(cond, np.argsort(rank, axis=1), axis=1)
    trace.extend(
        PHASE,
        np.where(results.log_p[done] > math.log(alpha), Action.REFUSE, Action.KEEP),
        ends[done],
        cond,
        rule=Rule.MIDDLE,
        statistic=results.statistic[done],
        dof=results.dof[done],
        log_p=results.log_p[done],
        threshold=np.full(len(done), alpha),
        n_tests=results.n_tests[done],
        n_rows=results.row_counts(done),
    )


# --- the check of those by separating sets --------------------------------------------------------------------------


def checked_v_structures(search: SkeletonSearch, cut: float | None, tick: Tick) -> np.ndarray:
    """Return the triples of `ranked_v_structures` whose ends are dependent given their separating set and the middle.

    Too few rows, or a cut on the information, can separate a weakly dependent pair by too small a set. The middle of a
    chain is then outside the set, as that of a v-structure is. Conditioning on the middle distinguishes the two: it
    makes the ends of a v-structure dependent, and leaves those of a chain independent.

    Parameters
    ----------
    search : SkeletonSearch
        Its trace records one event per triple by `Rule.CHECKED` or `Rule.CHECKED_CUT`, with the middle as the first
        member of the set: KEEP if the ends are dependent, REFUSE otherwise.
    cut : float or None
        Bits of information that the ends must share as well, for an `InformationTest`.
    tick : Tick

    Returns
    -------
    (m, 3) int64 array
        In the order of `ranked_v_structures`.

    Raises
    ------
    Stopped
        If cancelled.
    """
    sepsets = search.sepsets
    triples = ranked_v_structures(search.skeleton, sepsets, search.log_phi)
    if not len(triples):
        return triples
    empty_pools = PairPools(np.zeros(len(triples) + 1, dtype=np.int64), np.empty(0, dtype=np.int32))
    sizes = np.zeros(len(triples), dtype=np.int64)
    searches = BatchSearch(
        triples[:, [0, 2]], _sepsets_with_middles(triples, sepsets), empty_pools, sizes, skips_untested=False
    )
    try:
        results = search.ci_test.separate(searches, search.alpha, phase="checking v-structures", tick=tick)
    except Stopped as stopped:
        if stopped.partial is not None:
            _judge_checks(search, triples, stopped.partial, cut)
        raise
    return triples[_judge_checks(search, triples, results, cut)]


def _sepsets_with_middles(triples: np.ndarray, sepsets: Sepsets) -> PairPools:
    """Return the separating set of each triple's ends together with its middle, in ascending order."""
    i, k, j = triples.T
    members = np.sort(np.column_stack([sepsets.members[i, j], k.astype(np.int32)]), axis=1)
    is_member = members >= 0
    return PairPools(np.concatenate([[0], np.cumsum(is_member.sum(axis=1))]), members[is_member])


def _judge_checks(search: SkeletonSearch, triples: np.ndarray, results: CIResults, cut: float | None) -> np.ndarray:
    """Return (m,) bool, True for the triples that pass, and record the checks that were done."""
    done, dependent = results.n_tests > 0, results.log_p <= math.log(search.alpha)
    middles = triples[:, 1].astype(np.int32)
    cond = np.column_stack([middles, np.where(results.cond == middles[:, None], -1, results.cond)])
    weak, mbit = np.zeros(len(triples), dtype=bool), np.empty(0)
    if cut is not None:
        mbit = 1e3 * np.asarray(
            search.ci_test.bits(results.statistic, results.dof, np.column_stack([triples, cond[:, 1:]]))
        )
        weak = dependent & (mbit < 1e3 * cut)

    def record(rows: np.ndarray, statistic: np.ndarray, *, rule: Rule, threshold: float) -> None:
        search.trace.extend(
            PHASE,
            np.where(dependent & ~weak, Action.KEEP, Action.REFUSE)[rows],
            triples[rows][:, [0, 2]],
            cond[rows],
            rule=rule,
            statistic=statistic[rows],
            dof=results.dof[rows],
            log_p=results.log_p[rows],
            threshold=threshold,
            n_tests=results.n_tests[rows],
            n_rows=results.row_counts(rows),
        )

    record(done & ~weak, results.statistic, rule=Rule.CHECKED, threshold=search.alpha)
    if weak.any():
        record(done & weak, mbit, rule=Rule.CHECKED_CUT, threshold=1e3 * cut)
    return dependent & ~weak
