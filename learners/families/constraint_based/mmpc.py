"""MMPC, max-min parents and children."""

from __future__ import annotations

import time
from functools import partial

from ...common.progress import Stopped, Tick, silent
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...search.restriction import Restriction, by_middles
from ...search.skeleton_result import constraint_result
from ...search.targetwise import CANCELLED
from ...settings.parameter import parameters
from .max_min import MaxMinSearch
from .settings import MMPC


@parameters(MMPC)
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
        Significance level of each test, in (0, 1). A set separates a pair iff p > alpha.
    max_cond_size : int, default 3
        Size of the largest conditioning set; None for no limit.
    knowledge : Knowledge, optional
        The ends of required edges are candidates of each other from the start and never tested; forbidden pairs are
        never adjacent.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the pairs that have chosen each other so far.

    Returns
    -------
    LearnResult
        `graph` is the skeleton, undirected except for the directions of the knowledge; `sepsets` has one entry for each
        pair that a test separated; `extra` is a `CandidateSets`.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    Each variable repeatedly adds the candidate with the largest minimum association given all subsets of its present
    candidates: the smallest of the largest p-values, then the larger statistic, then the first column. A partner that
    some subset separates is not tested again. At the end each candidate is tested given the subsets of the others. An
    edge requires that both ends choose each other (symmetry correction).

    With a d-separation oracle and no limit on the sets the skeleton is that of the true DAG [1]_. The candidates of a
    variable can then still include a descendant that is not a neighbour; `extra` has them. The edges depend on the
    order of the columns only for exact ties.

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
        began=began,
        tests_before=tests_before,
        complete=complete,
        cancelled=CANCELLED,
        only_skeleton=True,
    )


def mmpc_skeleton(
    ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool
) -> Restriction:
    """Return the search of MMPC, not started, for a learner that continues from its skeleton."""
    search = MaxMinSearch(ci_test, alpha, max_cond_size, knowledge, draws=draws)
    return Restriction(search, search.run, partial(by_middles, search, alpha, max_cond_size))
