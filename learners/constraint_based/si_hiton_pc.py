"""SI-HITON-PC, semi-interleaved HITON for parents and children."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..common.checks import check_count, check_open_interval
from ..common.progress import Tick, silent
from ..common.validation import validated
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..search.restriction import Restriction, by_middles
from ..search.skeleton_result import oriented_result
from ..search.targetwise import CANCELLED
from .semi_interleaved import OrientedCandidateSets, SemiInterleavedSearch


@validated
def si_hiton_pc(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG with SI-HITON-PC.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``FisherZ(dataset)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1). A pair is separated by a set iff p > alpha.
    max_cond_size : int, default 3
        Largest conditioning set tried; None for no limit.
    knowledge : Knowledge, optional
        Required edges are candidates of both ends from the start and never tested, forbidden pairs never joined, and
        known directions come first.
    tick : Tick, optional
        Listener; once it returns False the run ends with the pairs that hold each other by then.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `sepsets` has one entry for each pair that a test separated; `extra` is an
        `OrientedCandidateSets`.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    Each variable looks at its partners in the order of their p given nothing, of equal ones the larger statistic first,
    and takes one unless a subset of those taken before separates the two. At the end each is tested given the subsets
    of the others, and an edge needs both ends to hold each other (symmetry correction). A v-structure i -> k <- j is a
    triple whose ends are dependent given every set with k of neighbours of one of them; [2]_ asks only the end with
    fewer, with which the directions can come out wrong even if every test is right.

    Without a limit on the sets and with a d-separation oracle the result is the CPDAG of the true DAG. The skeleton
    does not depend on the order of the columns but for exact ties.

    References
    ----------
    .. [1] Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction for
       causal discovery and feature selection for classification, part I. JMLR 11, figures 4 and 6.
    .. [2] Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
       equation (B.2).

    Examples
    --------
    >>> from learners import DSeparation, PDAG, si_hiton_pc
    >>> si_hiton_pc(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    check_open_interval("alpha", alpha, 0.0, 1.0)
    check_count("max_cond_size", max_cond_size, optional=True)
    bound = bind(knowledge, ci_test.names)
    restriction = si_hiton_pc_skeleton(ci_test, alpha, max_cond_size, bound, draws=True)

    def extra(v_structures: np.ndarray) -> OrientedCandidateSets:
        found = restriction.search.evidence
        return OrientedCandidateSets(**vars(found), v_structures=v_structures)

    return oriented_result(
        restriction,
        method="si_hiton_pc",
        params={"alpha": alpha, "max_cond_size": max_cond_size},
        knowledge=bound,
        extra=extra,
        cancelled=CANCELLED,
        tick=tick,
    )


def si_hiton_pc_skeleton(
    ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool
) -> Restriction:
    """The unstarted search of SI-HITON-PC, for a learner that goes on from its skeleton."""
    search = SemiInterleavedSearch(ci_test, alpha, max_cond_size, knowledge, draws=draws)
    return Restriction(search, search.run, partial(by_middles, search, alpha, max_cond_size))
