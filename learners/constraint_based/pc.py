"""PC-stable."""

from __future__ import annotations

import time
from functools import partial

from ..common.checks import check_choice, check_count, check_open_interval
from ..common.progress import Stopped, Tick, silent
from ..common.validation import validated
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..search.collider_check import COLLIDER_CHECKS, ColliderCheck, orient_found
from ..search.restriction import Restriction, by_sepsets
from ..search.skeleton import SkeletonSearch, learn_skeleton
from ..search.skeleton_result import constraint_result


@validated
def pc(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    collider_check: ColliderCheck = "off",
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG with PC-stable.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``FisherZ(dataset)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1). A pair is separated by a set iff p > alpha.
    max_cond_size : int, default 3
        Largest conditioning set tried; None for no limit.
    collider_check : "off" or "dependent"
        What a v-structure must pass beside its middle not having separated its ends. "dependent": the ends depend once
        the middle is added to that set.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed, forbidden pairs never joined, and known directions come first.
    tick : Tick, optional
        Listener; once it returns False the run ends with the tests done so far and no orientation.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `sepsets` has one entry for each pair that a test separated; `extra` is a `PairEvidence`
        with the largest p of every pair.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    With a d-separation oracle the result is the CPDAG of the true DAG [1]_. The skeleton does not depend on the order
    of the columns. Conflicting v-structures are settled in favour of the pair with the larger p.

    References
    ----------
    .. [1] Colombo and Maathuis (2014), Order-independent constraint-based causal structure learning. JMLR 15,
       algorithm 4.1.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, pc
    >>> pc(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    check_open_interval("alpha", alpha, 0.0, 1.0)
    check_count("max_cond_size", max_cond_size, optional=True)
    check_choice("collider_check", collider_check, COLLIDER_CHECKS)
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = SkeletonSearch(ci_test, alpha, bound)
    try:
        learn_skeleton(search, max_cond_size, tick)
        graph, complete = orient_found(search, bound, collider_check, tick), True
    except Stopped:
        graph, complete = search.skeleton, False
    return constraint_result(
        search,
        graph,
        method="pc",
        params={"alpha": alpha, "max_cond_size": max_cond_size, "collider_check": collider_check},
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=search.evidence,
    )


def pc_skeleton(
    ci_test: CITest,
    alpha: float,
    max_cond_size: int | None,
    knowledge: BoundKnowledge,
    *,
    draws: bool,
    strongest_first: bool = False,
) -> Restriction:
    """The unstarted search of PC-stable, for a learner that goes on from its skeleton."""
    search = SkeletonSearch(ci_test, alpha, knowledge, draws=draws, strongest_first=strongest_first)
    return Restriction(search, partial(learn_skeleton, search, max_cond_size), partial(by_sepsets, search))
