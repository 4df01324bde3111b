"""HPC, hybrid parents and children."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from ...common.progress import Stopped, Tick, silent
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...search.restriction import Restriction, by_middles
from ...search.skeleton_result import constraint_result
from ...search.targetwise import CANCELLED
from ...settings.parameter import parameters
from .hpc_search import HPCSearch, PCMethod, Unreliable
from .settings import HPC


@parameters(HPC)
def hpc(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = None,
    unreliable: Unreliable = "literal",
    pc_method: PCMethod = "fdr",
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a skeleton with HPC, the first half of H2PC.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``G2(dataset, rows_per_cell=5)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1). A pair is independent given a set iff p > alpha.
    max_cond_size : int, optional
        Size of the largest conditioning set. Default: 24, for which rows never suffice.
    unreliable : "literal" or "skip", default "literal"
        "literal" counts a test with too few rows as independence, as the paper does; with "skip" it separates nothing.
    pc_method : "plain" or "fdr", default "fdr"
        "plain" finds blankets by Inter-IAMB, as the paper does. "fdr" limits the false discovery rate of each blanket
        to alpha, which leaves fewer false edges if there are many variables.
    knowledge : Knowledge, optional
        The ends of required edges are neighbours without a test; forbidden pairs are never adjacent, but can be
        spouses.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the pairs that have chosen each other so far.

    Returns
    -------
    LearnResult
        `graph` is the skeleton, undirected except for the directions of the knowledge; `sepsets` has one entry for each
        pair that a test separated; `extra` is a `Neighborhoods`.

    Raises
    ------
    ParameterError
        If a setting is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    For each target, DE-PCS finds a superset of its parents and children (PCS): the variables that depend on it
    marginally and given any single other one. DE-SPS finds a superset of its spouses: the variables that depend on it
    given a member of PCS. Inter-IAPC finds the Markov blanket within both, and the neighbours in it. A member of PCS
    that is missing there is still a neighbour if Inter-IAPC around that member finds the target. An edge needs both
    directions. With a d-separation oracle the neighbours of every variable are the true ones [1]_.

    The paper gives 2 as the largest set of DE-PCS and DE-SPS in one place, and 1 and 3 in another; by their procedures
    it is 1 and 2. "fdr" is FDR-IAPC of Gasse et al. (2014), after Peña (2008).

    References
    ----------
    .. [1] Gasse, Aussem and Elghazel (2012), An experimental comparison of hybrid algorithms for Bayesian network
       structure learning. ECML-PKDD, algorithms 1 and 2.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, hpc
    >>> hpc(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0-2, 1-2)
    """
    bound = bind(knowledge, ci_test.names)
    search = HPCSearch(ci_test, alpha, max_cond_size, bound, unreliable=unreliable, pc_method=pc_method)
    return learn_neighbors(search, "hpc", tick)


def learn_neighbors(search: HPCSearch, method: str, tick: Tick) -> LearnResult:
    """Run the search and return its result."""
    began, tests_before = time.perf_counter(), search.ci_test.n_tests
    try:
        search.run(tick)
        complete = True
    except Stopped:
        complete = False
    return constraint_result(
        search,
        search.graph,
        method=method,
        began=began,
        tests_before=tests_before,
        complete=complete,
        cancelled=CANCELLED,
        only_skeleton=True,
    )


def hpc_skeleton(
    ci_test: CITest,
    alpha: float,
    max_cond_size: int | None,
    knowledge: BoundKnowledge,
    *,
    draws: bool,
    **settings: Any,
) -> Restriction:
    """Return the search of HPC, not started, for a learner that continues from its skeleton."""
    search = HPCSearch(ci_test, alpha, max_cond_size, knowledge, draws=draws, **settings)
    return Restriction(search, search.run, partial(by_middles, search, alpha, max_cond_size))
