"""PC-stable.

The three steps of `pc` and where they stand in the papers. The loop over the sizes of conditioning sets is one
function, `search.skeleton_levels.learn_skeleton`; v-structures and rules are in `search.orientation`:

====================================  =============================  ============================
here                                  Spirtes et al. (2000), 5.4.2   Colombo and Maathuis (2014)
====================================  =============================  ============================
`learn_skeleton`, level by level      steps A and B                  step 1, algorithm 4.1
`orient_search`, v-structures         step C                         step 2
`orient_search`, Meek's rules         step D                         step 3
====================================  =============================  ============================
"""

from __future__ import annotations

import time
from functools import partial

from ...common.progress import Stopped, Tick, silent
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...search.orientation import orient_search
from ...search.restriction import Restriction, by_sepsets
from ...search.skeleton_levels import SkeletonSearch, learn_skeleton
from ...search.skeleton_result import constraint_result
from ...search.v_structures import ColliderCheck
from ...settings.parameter import parameters
from .settings import PC


@parameters(PC)
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
        Significance level of each test, in (0, 1). A set separates a pair iff p > alpha.
    max_cond_size : int, default 3
        Size of the largest conditioning set; None for no limit.
    collider_check : "off" or "dependent", default "off"
        "dependent" accepts a v-structure only if its ends are dependent given their separating set and the middle.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed, forbidden pairs are never adjacent and are tested only to find
        v-structures, and known directions are oriented first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `sepsets` has one entry for each pair that a test separated; `extra` is a `PairEvidence`
        with the largest p-value of every pair.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    With a d-separation oracle the result is the CPDAG of the true DAG [1]_, [2]_. The skeleton does not depend on the
    order of the columns [2]_. If v-structures conflict, the one whose ends have the larger p-value is oriented.

    References
    ----------
    .. [1] Spirtes, Glymour and Scheines (2000), Causation, prediction, and search, 2nd edition. MIT Press, section
       5.4.2.
    .. [2] Colombo and Maathuis (2014), Order-independent constraint-based causal structure learning. JMLR 15,
       algorithm 4.1.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, pc
    >>> pc(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = SkeletonSearch(ci_test, alpha, bound)  # the complete graph without the forbidden pairs
    try:
        learn_skeleton(search, max_cond_size, tick)
        graph, complete = orient_search(search, bound, collider_check, tick), True
    except Stopped:
        graph, complete = search.skeleton, False
    return constraint_result(
        search,
        graph,
        method="pc",
        began=began,
        tests_before=tests_before,
        complete=complete,
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
    """Return the search of PC-stable, not started, for a learner that continues from its skeleton."""
    search = SkeletonSearch(ci_test, alpha, knowledge, draws=draws, strongest_first=strongest_first)
    return Restriction(search, partial(learn_skeleton, search, max_cond_size), partial(by_sepsets, search))
