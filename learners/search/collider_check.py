"""v-structures that separating sets propose, held against one more test: the ends must depend once the middle is given.

A pair that is weakly linked may be separated by too small a set, for want of rows or because a cut says so. The middle
of a chain then lies outside the set, as that of a v-structure does; but only a v-structure links its ends once its
middle is given.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..independence import Batch
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.results import TestResults
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from .orientation import orient_skeleton, orient_triples, ranked_v_structures
from .skeleton import SkeletonSearch

ColliderCheck = Literal["dependent", "off"]
COLLIDER_CHECKS: tuple[ColliderCheck, ...] = get_args(ColliderCheck)
PHASE = Phase(Stage.V_STRUCTURES)


def orient_found(
    search: SkeletonSearch, knowledge: BoundKnowledge, check: ColliderCheck, tick: Tick, *, cut: float | None = None
) -> PDAG:
    """The CPDAG that a search implies; with the check only v-structures that pass it are drawn.

    Parameters
    ----------
    search : SkeletonSearch
        Its trace hears of each check, `Rule.CHECKED` or `Rule.CHECKED_CUT`, with the middle first in the set: REFUSE
        where the ends no longer depend, else KEEP.
    knowledge : BoundKnowledge
    check : "dependent" or "off"
    tick : Tick
    cut : float, optional
        Bits that the ends must share as well, of an `InformationTest`.

    Raises
    ------
    Stopped
        If cancelled.
    """
    skeleton, sepsets, trace = search.skeleton, search.sepsets, search.trace
    if check == "off":
        return orient_skeleton(skeleton, sepsets, search.log_phi, knowledge, trace, tick)
    proposed = ranked_v_structures(skeleton, sepsets, search.log_phi)
    passed = proposed[_check(search, proposed, sepsets, cut, tick)]
    return orient_triples(skeleton, lambda: passed, knowledge, trace, tick, rule=Rule.CHECKED_V_STRUCTURE)


def _check(search: SkeletonSearch, triples: np.ndarray, sepsets: Sepsets, cut: float | None, tick: Tick) -> np.ndarray:
    """(m,) bool: whether the ends of each triple depend given the set that separated them and the middle."""
    if not len(triples):
        return np.empty(0, dtype=bool)
    nobody = PairPools(np.zeros(len(triples) + 1, dtype=np.int64), np.empty(0, dtype=np.int32))
    sizes = np.zeros(len(triples), dtype=np.int64)
    walks = Batch(triples[:, [0, 2]], _with_middles(triples, sepsets), nobody, sizes, skips_untested=False)
    try:
        results = search.ci_test.separate(walks, search.alpha, phase="checking v-structures", tick=tick)
    except Stopped as stopped:
        if stopped.partial is not None:
            _tell(search, triples, stopped.partial, cut)
        raise
    return _tell(search, triples, results, cut)


def _with_middles(triples: np.ndarray, sepsets: Sepsets) -> PairPools:
    """The separating set of each triple's ends with its middle, ascending."""
    i, k, j = triples.T
    members = np.sort(np.column_stack([sepsets.members[i, j], k.astype(np.int32)]), axis=1)
    is_member = members >= 0
    return PairPools(np.concatenate([[0], np.cumsum(is_member.sum(axis=1))]), members[is_member])


def _tell(search: SkeletonSearch, triples: np.ndarray, results: TestResults, cut: float | None) -> np.ndarray:
    """Whether each triple passes; the trace hears of those that were tested."""
    done, dependent = results.n_tests > 0, results.log_p <= math.log(search.alpha)
    cond = _middle_first(triples[:, 1].astype(np.int32), results.cond)
    weak, mbit = np.zeros(len(triples), dtype=bool), np.empty(0)
    if cut is not None:
        mbit = 1e3 * np.asarray(search.ci_test.bits(results.statistic))
        weak = dependent & (mbit < 1e3 * cut)

    def tell(which: np.ndarray, statistic: np.ndarray, **held: float | Rule) -> None:
        search.trace.extend(
            PHASE,
            np.where(dependent & ~weak, Action.KEEP, Action.REFUSE)[which],
            triples[which][:, [0, 2]],
            cond[which],
            statistic=statistic[which],
            dof=results.dof[which],
            log_p=results.log_p[which],
            n_tests=results.n_tests[which],
            n_rows=results.rows_told(which),
            **held,
        )

    tell(done & ~weak, results.statistic, rule=Rule.CHECKED, threshold=search.alpha)
    if weak.any():
        tell(done & weak, mbit, rule=Rule.CHECKED_CUT, threshold=1e3 * cut)
    return dependent & ~weak


def _middle_first(middles: np.ndarray, cond: np.ndarray) -> np.ndarray:
    """Each set with the middle as its first member; left out members are -1."""
    return np.column_stack([middles, np.where(cond == middles[:, None], -1, cond)])
