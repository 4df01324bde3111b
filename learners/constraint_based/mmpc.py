"""MMPC, the skeleton by max-min parents and children ("MaxMin")."""

from __future__ import annotations

import time
from functools import partial

from ..common.checks import check_count, check_open_interval
from ..common.progress import Stopped, Tick, silent
from ..common.validation import validated
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..search.restriction import Restriction, by_middles
from ..search.skeleton_result import constraint_result
from ..search.targetwise import CANCELLED
from .max_min import MaxMinSearch


@validated
def mmpc(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a skeleton with MMPC, the first half of MMHC.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``FisherZ(dataset)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1). A pair is separated by a set iff p > alpha.
    max_cond_size : int, default 3
        Largest conditioning set tried; None for no limit.
    knowledge : Knowledge, optional
        Required edges are candidates of both ends from the start and never tested, forbidden pairs never joined.
    tick : Tick, optional
        Listener; once it returns False the run ends with the pairs that hold each other by then.

    Returns
    -------
    LearnResult
        `graph` is the skeleton: undirected but for the directions that knowledge gives; `sepsets` has one entry for
        each pair that a test separated; `extra` is a `CandidateSets`.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    Each variable takes as a candidate, again and again, the partner whose weakest dependence, given all subsets of the
    candidates it has, is strongest: smallest p, of equal ones the larger statistic, then the first column. A partner
    that some subset separates is not looked at again. At the end each candidate is tested given the subsets of the
    others, and an edge needs both ends to hold each other (symmetry correction).

    Without a limit on the sets and with a d-separation oracle the skeleton is that of the true DAG [1]_. The candidates
    of one variable alone may then still hold a descendant that is no neighbour; `extra` tells them. Which edges are
    found does not depend on the order of the columns but for exact ties.

    References
    ----------
    .. [1] Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning
       algorithm. Machine Learning 65, algorithms 1 and 2.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, mmpc
    >>> mmpc(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0-2, 1-2)
    """
    check_open_interval("alpha", alpha, 0.0, 1.0)
    check_count("max_cond_size", max_cond_size, optional=True)
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = MaxMinSearch(ci_test, alpha, max_cond_size, bound)
    try:
        search.run(tick)
        complete = True
    except Stopped:
        complete = False
    return constraint_result(
        search,
        search.graph,
        method="mmpc",
        params={"alpha": alpha, "max_cond_size": max_cond_size},
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=search.evidence,
        cancelled=CANCELLED,
    )


def mmpc_skeleton(
    ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool
) -> Restriction:
    """The unstarted search of MMPC, for a learner that goes on from its skeleton."""
    search = MaxMinSearch(ci_test, alpha, max_cond_size, knowledge, draws=draws)
    return Restriction(search, search.run, partial(by_middles, search, alpha, max_cond_size))
