"""PC-MI: PC-stable with a cut of the mutual information in place of tests."""

from __future__ import annotations

import time

from ...common.progress import Tick, silent
from ...common.step_cache import Once, uncached
from ...graphs.knowledge import Knowledge, bind
from ...independence.information import InformationTest
from ...results.result import LearnResult
from ...search.v_structures import ColliderCheck
from ...settings.parameter import parameters
from .cimap import information_result, learn_information
from .presets import Options
from .settings import PC_MI
from .twf_pc import InformationSearch


@parameters(PC_MI)
def pc_mi(
    ci_test: InformationTest,
    *,
    cut: float = 10.0,
    alpha: float = 0.05,
    max_cond_size: int | None = 3,
    orient: bool = True,
    collider_check: ColliderCheck = "dependent",
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Learn a CPDAG with PC-MI.

    Parameters
    ----------
    ci_test : InformationTest
        Test bound to the data: ``MutualInformation(dataset)`` for categories, ``GaussianInformation(dataset)`` for
        numbers and mixed tables.
    cut : float, default 10
        In mbit. A set separates a pair iff the mutual information given the set is below it.
    alpha : float, default 0.05
        Significance level of `collider_check`, in (0, 1); the skeleton depends only on the cut.
    max_cond_size : int, default 3
        Largest conditioning set tried; None for no limit.
    orient : bool, default True
        True to orient v-structures and apply Meek's rules.
    collider_check : "dependent" or "off"
        As for `cimap`.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed; forbidden pairs are never adjacent; known directions come first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the tests done so far and without orientation.
    once : Once, optional
        Cache of the tests for other runs.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG, or the skeleton; `extra` an `InformationEvidence`.

    Raises
    ------
    ParameterError
        If `cut`, `alpha` or `max_cond_size` is out of range, or `knowledge` contradicts itself or names an unknown
        column.

    Notes
    -----
    Neighbours are fixed at the start of each order as in PC-stable, so the skeleton does not depend on the order of the
    columns. In tables of categories, estimates of the information increase with the size of the set, also of
    independent pairs: with few rows they never fall below the cut for large sets. Those of numbers and mixed tables do
    not, since what chance alone gives is subtracted.

    References
    ----------
    The competitor of that name in Bacciu, Etchells, Lisboa and Whittaker (2013), section 4.1; Cheng, Greiner, Kelly,
    Bell and Liu (2002), Learning Bayesian networks from data: an information-theory based approach. Artificial
    Intelligence 137.

    Examples
    --------
    >>> from learners import PDAG, pc_mi
    >>> from learners.independence import InformationOracle
    >>> pc_mi(InformationOracle(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    settings = Options(test="mi", twf=False, cut=cut, alpha=alpha, max_cond_size=max_cond_size, stable=True)
    bound = bind(knowledge, ci_test.names)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = InformationSearch(ci_test, settings, bound)
    search, graph, complete = learn_information(search, bound, tick, orient=orient, check=collider_check, once=once)
    return information_result(
        search,
        graph,
        method="pc_mi",
        began=began,
        tests_before=tests_before,
        complete=complete,
        orient=orient,
    )
