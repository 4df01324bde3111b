"""v-structures found by tests given sets that hold the middle, for skeletons without sets that separate for sure.

Huang and Zhou (2022), equation (B.2), after Margaritis (2003), but asking both ends. The paper asks the end with fewer
neighbours only, which is wrong for 0 -> 3 <- 1 -> 2 <- 3: 0 has one neighbour, and 0 and 2 are dependent given it, but
independent given the neighbours 1 and 3 of 2, so 3 is no collider between them.
"""

from __future__ import annotations

import math

import numpy as np

from ..common.progress import Stopped, Tick
from ..graphs.sepsets import Sepsets
from ..independence import CITest, NewSetWalks, Pools
from ..kernels.tests.results import TestResults
from ..kernels.tests.subsets import neighbor_lists
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from ..results.trace import TraceBuilder
from .orientation import colliders_of
from .skeleton import PairEvidence

PHASE = Phase(Stage.V_STRUCTURES)


def tested_v_structures(
    ci_test: CITest,
    skeleton: np.ndarray,
    sepsets: Sepsets,
    evidence: PairEvidence,
    alpha: float,
    max_cond_size: int | None,
    trace: TraceBuilder,
    tick: Tick,
) -> np.ndarray:
    """(m, 3) triples i - k - j, i < j, that are dependent given every set with k; largest p of i and j first.

    Parameters
    ----------
    ci_test : CITest
    skeleton : (p, p) bool array
        Symmetric.
    sepsets : Sepsets
        Pairs without a set were parted by knowledge, and make no v-structure.
    evidence : PairEvidence
    alpha, max_cond_size
        Sets are neighbours of either end, those of the end with fewer first.
    trace : TraceBuilder
        Hears of each triple, `Rule.MIDDLE`, with k first in the set: REFUSE if the set separates, else KEEP.
    tick : Tick

    Raises
    ------
    Stopped
        If cancelled.
    """
    nothing = Sepsets(np.empty((*skeleton.shape, 0), dtype=np.int32), sepsets.present)  # every middle is outside
    triples = colliders_of(skeleton, nothing)
    i, k, j = triples.T
    triples = triples[np.lexsort((j, k, i, -evidence.log_phi[i, j]))]
    near, size = _neighbors(skeleton), skeleton.sum(axis=1)
    most = near.shape[1] if max_cond_size is None else min(max_cond_size, near.shape[1])

    def dependent(sides: np.ndarray, middles: np.ndarray) -> np.ndarray:
        """(m,) bool: whether every set of neighbours of the first with its middle leaves the two dependent."""
        left = np.ones(len(sides), dtype=bool)
        for position in range(near.shape[1]):
            # Every node with its neighbour at this position as the middle: one pool a node.
            rows = np.flatnonzero(near[sides[:, 0], position] == middles)
            walks = NewSetWalks(sides[rows], _with_last(near, position), most)
            try:
                results = ci_test.separate(walks, alpha, phase=str(PHASE), tick=tick)
            except Stopped as stopped:
                if stopped.partial is not None:
                    _tell(trace, sides[rows], middles[rows], stopped.partial, alpha)
                raise
            left[rows] = results.log_p <= math.log(alpha)
            _tell(trace, sides[rows], middles[rows], results, alpha)
        return left

    for end in (0, 1) if most else ():
        sides = triples[:, [0, 2]]
        swap = (size[sides[:, 1]] < size[sides[:, 0]]) != bool(end)
        sides[swap] = sides[swap, ::-1]
        triples = triples[dependent(sides, triples[:, 1])]
    return triples


def _neighbors(skeleton: np.ndarray) -> np.ndarray:
    """(p, widest) int32: the neighbours of each node, ascending, padded with -1."""
    begin, near = neighbor_lists(skeleton)
    sizes = np.diff(begin)
    members = np.full((len(skeleton), int(sizes.max(initial=0))), -1, dtype=np.int32)
    members[np.arange(members.shape[1]) < sizes[:, None]] = near
    return members


def _with_last(near: np.ndarray, position: int) -> Pools:
    """The neighbours of each node with the one at `position` last, and every set without it known."""
    sizes = (near >= 0).sum(axis=1)
    order = np.delete(np.arange(near.shape[1]), position)
    members = np.column_stack([near[:, order], np.full(len(near), -1, dtype=np.int32)])
    has = np.flatnonzero(sizes > position)
    members[has, sizes[has] - 1] = near[has, position]
    return Pools(np.ascontiguousarray(members), sizes, np.maximum(sizes - 1, 0))


def _tell(trace: TraceBuilder, sides: np.ndarray, middles: np.ndarray, results: TestResults, alpha: float) -> None:
    done = np.flatnonzero(results.n_tests > 0)
    cond = results.cond[done]
    place = np.where(cond == middles[done, None], -1, np.where(cond < 0, np.iinfo(np.int32).max, cond))
    cond = np.take_along_axis(cond, np.argsort(place, axis=1), axis=1)
    trace.extend(
        PHASE,
        np.where(results.log_p[done] > math.log(alpha), Action.REFUSE, Action.KEEP),
        sides[done],
        cond,
        rule=Rule.MIDDLE,
        statistic=results.statistic[done],
        dof=results.dof[done],
        log_p=results.log_p[done],
        threshold=np.full(len(done), alpha),
        n_tests=results.n_tests[done],
        n_rows=results.rows_told(done),
    )
