"""SI-HITON-PC, semi-interleaved HITON for parents and children.

Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), figures 4 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...common.progress import Tick, silent
from ...common.relabeling import Triples
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.phases import Phase, Stage
from ...results.result import LearnResult
from ...search.restriction import Restriction, by_middles
from ...search.skeleton_result import oriented_result
from ...search.targetwise import CANCELLED
from ...settings.parameter import parameters
from .max_min import OPEN, CandidateSets, MaxMinSearch
from .settings import SI_HITON_PC


@dataclass(frozen=True, eq=False)
class OrientedCandidateSets(CandidateSets):
    """Candidate parents and children, and the v-structures found among them.

    Attributes
    ----------
    v_structures : (m, 3) int64 array
        Triples i, k, j whose ends are dependent given every tested set with k.
    """

    v_structures: Triples


class SemiInterleavedSearch(MaxMinSearch):
    """A `MaxMinSearch` with another forward phase: a newcomer is tested once, given the current members."""

    kind = "tests"

    def _forward(self, tick: Tick) -> None:
        """In each round, each target tests its next partner and adds it unless a set of members separates the two."""
        self.pools = self._required_pools()
        number = 1
        while len(turn := self._strongest_open()):  # only the marginal tests of open sides are known
            phase = Phase(Stage.ROUND, round=number)
            self._try(phase, turn, self.pools._replace(known=np.zeros_like(self.pools.known)), tick)
            self._take(phase, turn[self._state[turn] == OPEN])
            number += 1


@parameters(SI_HITON_PC)
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
        Significance level of each test, in (0, 1). A set separates a pair iff p > alpha.
    max_cond_size : int, default 3
        Size of the largest conditioning set; None for no limit.
    knowledge : Knowledge, optional
        The ends of required edges are candidates of each other from the start and never tested, forbidden pairs are
        never adjacent, and known directions are oriented first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the pairs that have chosen each other so far.

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
    Each variable considers its partners in ascending order of their marginal p-values, ties by falling statistic, and
    adds a partner unless a subset of the present candidates separates the two. At the end each candidate is tested
    given the subsets of the others. An edge requires that both ends choose each other (symmetry correction). The triple
    i - k - j is a v-structure if its ends are dependent given every set of neighbours of either end that contains k.
    The paper [2]_ tests only the neighbours of the end with fewer neighbours, which can orient edges wrongly even if
    every test is right.

    With a d-separation oracle and no limit on the sets the result is the CPDAG of the true DAG. The skeleton depends on
    the order of the columns only for exact ties.

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
    bound = bind(knowledge, ci_test.names)
    restriction = si_hiton_pc_skeleton(ci_test, alpha, max_cond_size, bound, draws=True)

    def extra(v_structures: np.ndarray) -> OrientedCandidateSets:
        found = restriction.search.evidence
        return OrientedCandidateSets(**vars(found), v_structures=v_structures)

    return oriented_result(
        restriction,
        method="si_hiton_pc",
        knowledge=bound,
        extra=extra,
        cancelled=CANCELLED,
        tick=tick,
    )


def si_hiton_pc_skeleton(
    ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool
) -> Restriction:
    """Return the search of SI-HITON-PC, not started, for a learner that continues from its skeleton."""
    search = SemiInterleavedSearch(ci_test, alpha, max_cond_size, knowledge, draws=draws)
    return Restriction(search, search.run, partial(by_middles, search, alpha, max_cond_size))
