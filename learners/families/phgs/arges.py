"""ARGES, adaptively restricted greedy equivalence search."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...common.relabeling import ByPair
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...independence.ci_test import CITest
from ...results.result import LearnResult
from ...scores.score import FamilyScore
from ...search.ges_result import EquivalenceSearch, learn_by_classes
from ...search.ges_search import Beside, ClassSearch, equivalence_search
from ...search.hgi import Initialization, Step, hgi, record_initialization
from ...search.hybrid import Start, cancelled, check_same_columns, sepsets_outside, unfinished
from ...search.restriction import Restriction, SkeletonFinder
from ...settings.parameter import parameters
from .ppc import ppc_skeleton
from .settings import ARGES

RestrictedTo = Literal["skeleton", "cig"]


@dataclass(frozen=True, eq=False)
class AdaptiveSearch(EquivalenceSearch):
    """The `extra` of a result of ARGES.

    Attributes
    ----------
    restriction : PDAG
        The pairs that the search may add at any time, undirected.
    log_p : (p, p) float64 array
        ln of the p-values of these pairs: given all others ("cig"), or the largest of all tests ("skeleton").
    steps : tuple of Step
        The steps of HGI that made the first DAG; none for the empty graph.
    """

    restriction: PDAG
    log_p: ByPair
    steps: tuple[Step, ...]


@parameters(ARGES)
def arges(
    ci_test: CITest,
    score: FamilyScore,
    *,
    restriction: RestrictedTo = "skeleton",
    start: Start = "hgi",
    alpha: float = 0.01,
    max_cond_size: int | None = 3,
    turning: bool = True,
    max_parents: int | None = 12,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG by GES that adds an edge only if tests allow it, or if it shields a triple of the current class.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    restriction : "skeleton" or "cig"
        "skeleton": the pairs that pPC leaves adjacent, and pairs whose edge shields an unshielded triple. "cig": pairs
        that are dependent given all others, and pairs whose edge shields a v-structure.
    start : "hgi" or "empty"
        First class of the search: that of the DAG that HGI makes from the skeleton of pPC, or the empty graph.
    alpha : float, default 0.01
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Largest conditioning set of pPC, at least 1. None means no limit.
    turning, max_parents
        As for `ges`.
    knowledge : Knowledge, optional
        As for `ges`; required edges do not need a test.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the current class, or with the skeleton so far if the
        first DAG is not finished.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG with the directions of the knowledge; `extra` is an `AdaptiveSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.
    DataError
        For "cig": if there are too few rows to condition on all other columns, or they are linearly dependent.

    Notes
    -----
    With the true skeleton, or the true conditional independence graph, and enough rows the result is the true CPDAG
    [1]_. A search restricted to the skeleton alone, without the triples, may not find it.

    References
    ----------
    .. [1] Nandy, Hauser and Maathuis (2018), High-dimensional consistency in score-based and hybrid structure learning.
       Annals of Statistics 46, section 4.
    .. [2] Huang and Zhou (2022), Partitioned hybrid learning of Bayesian network structures. Machine Learning 111,
       appendix D.2: the greedy start.

    Examples
    --------
    >>> from learners import BIC, G2, arges, load_sample
    >>> asia = load_sample("asia").dataset
    >>> arges(G2(asia), BIC(asia)).graph.p
    8
    """
    check_same_columns(ci_test, score)
    bound = bind(knowledge, ci_test.names)
    began, tests_before, scores_before = time.perf_counter(), ci_test.n_tests, score.n_scores
    # The trace draws the skeleton only if the search starts from it.
    tests = ppc_skeleton(ci_test, alpha, max_cond_size, bound, draws=start == "hgi")
    log_p, first, listen = None, None, tick
    try:
        if restriction == "skeleton" or start == "hgi":
            tests.run(tick)
        if restriction == "cig":
            log_p = ci_test.log_p_given_rest()
        if start == "hgi":
            first = _initial(tests, score, max_parents, bound, tick)
    except Stopped:
        listen = cancelled
    if start == "hgi" and first is None:
        result = unfinished(tests.search)
    else:
        allowed = _allowed(tests.search, log_p, alpha, bound)
        result = _learn(tests.search, score, first, allowed, (turning, max_parents), knowledge, listen)
    return dataclasses.replace(
        result,
        method="arges",
        n_tests=ci_test.n_tests - tests_before,
        n_scores=score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        sepsets=sepsets_outside(tests.search.sepsets, result.graph),
        warnings=(*result.warnings, *tests.search.warnings),
    )


def _initial(
    tests: Restriction, score: FamilyScore, max_parents: int | None, known: BoundKnowledge, tick: Tick
) -> Initialization:
    triples = tests.v_structures(tick)
    return hgi(score, tests.search.graph.skeleton, triples, max_parents=max_parents, knowledge=known, tick=tick)


class Allowed(NamedTuple):
    """The pairs that may be adjacent, their ln p-values, and the kind of further pairs."""

    pairs: PDAG
    log_p: np.ndarray
    beside: Beside


def _allowed(tests: SkeletonFinder, given_rest: np.ndarray | None, alpha: float, known: BoundKnowledge) -> Allowed:
    """Return the allowed pairs: by the tests given all others if there are any, else by the skeleton."""
    if given_rest is None:
        log_p, pairs, beside = tests.evidence.log_phi, tests.graph.skeleton, "triples"
    else:
        log_p, pairs, beside = given_rest, given_rest <= math.log(alpha), "colliders"
    pairs = (pairs & ~known.apart) | known.joined
    np.fill_diagonal(pairs, False)
    log_p.flags.writeable = False
    return Allowed(PDAG(pairs), log_p, beside)


def _learn(
    tests: SkeletonFinder,
    score: FamilyScore,
    first: Initialization | None,
    allowed: Allowed,
    settings: tuple[bool, int | None],
    knowledge: Knowledge | None,
    tick: Tick,
) -> LearnResult:
    """Record the first DAG and search from its class; the scores are NaN before its first arrow.

    `settings` are `turning` and `max_parents`.
    """
    trace, dag = tests.trace, first.dag if first else None
    n_before, start_scores = trace.n_changes, np.empty(0)
    if first:
        start_scores = record_initialization(trace, first, tests.graph.skeleton)[:-1]

    def search(known: BoundKnowledge) -> ClassSearch:
        return equivalence_search(
            score,
            start=dag,
            allowed=allowed.pairs.skeleton,
            beside=allowed.beside,
            turning=settings[0],
            max_parents=settings[1],
            knowledge=known,
            tick=tick,
        )

    before = dag or PDAG.empty(score.p)
    result = learn_by_classes(score, search, method="arges", knowledge=knowledge, start=before, trace=trace)
    scores = np.concatenate([np.full(n_before, np.nan), start_scores, result.extra.scores])
    scores.flags.writeable = False
    extra = AdaptiveSearch(
        result.extra.dag,
        scores,
        result.extra.operators,
        restriction=allowed.pairs,
        log_p=allowed.log_p,
        steps=first.steps if first else (),
    )
    return dataclasses.replace(result, kind="arges", extra=extra)
