"""PC-stable."""

from __future__ import annotations

import time

import numpy as np

from ..checks import check_count, check_open_interval
from ..graph import PDAG
from ..independence import CITest
from ..knowledge import BoundKnowledge, Knowledge
from ..progress import Stopped, Tick, silent
from ..result import LearnResult, Strengths
from .orientation import orient_skeleton
from .skeleton import LN10, SkeletonSearch, learn_skeleton


def pc(
    ci_test: CITest,
    *,
    alpha: float = 0.05,
    max_cond_size: int | None = None,
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
    max_cond_size : int, optional
        Largest conditioning set tried. Default: no limit.
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
    bound = knowledge.bind(ci_test.names) if knowledge else BoundKnowledge.none(ci_test.p)
    began, tests_before = time.perf_counter(), ci_test.n_tests
    search = SkeletonSearch(ci_test, alpha, bound)
    try:
        learn_skeleton(search, max_cond_size, tick)
        graph, complete = _orient(search, bound, tick), True
    except Stopped:
        graph, complete = search.skeleton, False
    return LearnResult(
        graph=graph,
        names=ci_test.names,
        method="pc",
        params={"alpha": alpha, "max_cond_size": max_cond_size},
        n_tests=ci_test.n_tests - tests_before,
        n_scores=0,
        seconds=time.perf_counter() - began,
        score=None,
        sepsets=search.sepsets,
        strengths=Strengths("log10 of the largest p", _readable(search.log_phi), larger_is_stronger=False),
        trace=search.trace.build(),
        warnings=_warnings(search, graph, complete),
        complete=complete,
        extra=search.evidence,
    )


def _orient(search: SkeletonSearch, bound: BoundKnowledge, tick: Tick) -> PDAG:
    return orient_skeleton(search.skeleton, search.sepsets, search.log_phi, bound, search.trace, tick)


def _readable(log_phi: np.ndarray) -> np.ndarray:
    values = log_phi / LN10
    values.flags.writeable = False
    return values


def _warnings(search: SkeletonSearch, graph: PDAG, complete: bool) -> tuple[str, ...]:
    sentences = []
    if not complete:
        sentences.append("the run was cancelled; edges not yet tested are still drawn, and none is oriented")
    if graph.has_directed_cycle():
        sentences.append("the orientations contradict one another and form a directed cycle; no DAG fits the graph")
    if search.n_untested:
        sentences.append(
            f"{search.n_untested} pairs were separated without a test, for lack of rows; "
            "smaller conditioning sets, or for categorical data a smaller rows_per_cell, let them be tested"
        )
    return tuple(sentences)
