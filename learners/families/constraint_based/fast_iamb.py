"""Fast-IAMB: Markov blankets grown by several variables at once, and the neighbours within them."""

from __future__ import annotations

from functools import partial

from ...common.progress import Tick, silent
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...search.restriction import Restriction, by_middles
from ...search.skeleton_result import CANCELLED, oriented_result
from ...settings.parameter import parameters
from .blankets import BlanketSearch
from .settings import FAST_IAMB


@parameters(FAST_IAMB)
def fast_iamb(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG with Fast-IAMB.

    Parameters
    ----------
    ci_test : CITest
        Test bound to the data, e.g. ``FisherZ(dataset)``.
    alpha : float, default 0.05
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Size of the largest conditioning set for a pair within its blankets; None for no limit. Tests of the blankets
        condition on the whole blanket.
    knowledge : Knowledge, optional
        The ends of required edges are in each other's blankets from the start, and their edges are never tested;
        forbidden pairs are never adjacent, and known directions are oriented first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `sepsets` has one entry for each pair that a test separated; `extra` is a `Blankets`.

    Raises
    ------
    ParameterError
        If `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown column.

    Notes
    -----
    A blanket grows by all variables that depend on its target given the blanket, in ascending order of their p-values,
    while there are five rows for each cell of the table (for continuous data: for each variable), and by at most ten.
    Then each member is tested given the others and removed if independent. Both are repeated until nothing outside
    depends on the target or no further variable fits. Two variables are adjacent if each is in the blanket of the other
    and no set within the smaller blanket, including the empty set, separates them [2]_. The triple i - k - j is a
    v-structure if its ends are dependent given every set of neighbours of either end that contains k. The paper [3]_
    tests only the neighbours of the end with fewer neighbours, which can orient edges wrongly even if every test is
    right.

    With a d-separation oracle and no limit on the sets the result is the CPDAG of the true DAG.

    References
    ----------
    .. [1] Yaramakala and Margaritis (2005), Speculative Markov blanket discovery for optimal feature selection. ICDM.
    .. [2] Margaritis and Thrun (2000), Bayesian network induction via local neighborhoods. NIPS 12: neighbours within
       blankets.
    .. [3] Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
       equation (B.2).

    Examples
    --------
    >>> from learners import DSeparation, PDAG, fast_iamb
    >>> fast_iamb(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    bound = bind(knowledge, ci_test.names)
    restriction = fast_iamb_skeleton(ci_test, alpha, max_cond_size, bound, draws=True)
    return oriented_result(
        restriction,
        method="fast_iamb",
        knowledge=bound,
        extra=restriction.search.found,
        cancelled=CANCELLED,
        tick=tick,
    )


def fast_iamb_skeleton(
    ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool
) -> Restriction:
    """Return the search of Fast-IAMB, not started, for a learner that continues from its skeleton."""
    search = BlanketSearch(ci_test, alpha, knowledge, draws=draws)
    return Restriction(search, partial(search.learn, max_cond_size), partial(by_middles, search, alpha, max_cond_size))
