"""HPC, the skeleton by hybrid parents and children."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from ..common.progress import Stopped, Tick, silent
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..search.restriction import Restriction, by_middles
from ..search.skeleton_result import constraint_result
from ..search.targetwise import CANCELLED
from ..settings.parameter import parameters
from .search import HPCSearch, PCMethod, Unreliable
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
        Largest conditioning set of any test. Default: 24, more than the rows ever suffice for.
    unreliable : "literal" or "skip"
        A test for which the rows do not suffice counts as independence, as in the paper, or separates nothing.
    pc_method : "plain" or "fdr"
        Blankets by Inter-IAMB, as in the paper, or with a limit of alpha on the false discovery rate of each, which
        leaves fewer false edges where variables are many.
    knowledge : Knowledge, optional
        Required edges are neighbours of both ends without a test, forbidden pairs never joined, but may be spouses.
    tick : Tick, optional
        Listener; once it returns False the run ends with the pairs that hold each other by then.

    Returns
    -------
    LearnResult
        `graph` is the skeleton: undirected but for the directions that knowledge gives; `sepsets` has one entry for
        each pair that a test separated; `extra` is a `Neighborhoods`.

    Raises
    ------
    ParameterError
        If a setting is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    For each variable DE-PCS gathers what depends on it given none and any one of the others, DE-SPS what depends on it
    once a partner is given. Within these Inter-IAPC finds the Markov blanket, and in it the neighbours. A partner that
    is left out is a neighbour after all if the same search around the partner finds the variable. An edge needs both
    ends. With a d-separation oracle the neighbours of every variable are the true ones [1]_.

    The paper names 2 as the largest set of both supersets at one place, 1 and 3 at another; by their procedures it is 1
    and 2. "fdr" is the method of Gasse et al. (2014), after Peña (2008).

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
    """Run the search, and tell it as a result."""
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
        extra=search.evidence,
        cancelled=CANCELLED,
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
    """The unstarted search of HPC, for a learner that goes on from its skeleton; `settings` as `HPCSearch`."""
    search = HPCSearch(ci_test, alpha, max_cond_size, knowledge, draws=draws, **settings)
    return Restriction(search, search.run, partial(by_middles, search, alpha, max_cond_size))
