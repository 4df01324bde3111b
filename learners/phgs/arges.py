"""ARGES, adaptively restricted greedy equivalence search."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..common.relabeling import ByPair
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge, Knowledge, bind
from ..independence import CITest
from ..results.result import LearnResult
from ..scores import FamilyScore
from ..search.class_result import EquivalenceSearch, learn_by_classes
from ..search.equivalence import Beside, ClassSearch, equivalence_search
from ..search.hgi import Initialization, Step, hgi, record_initialization
from ..search.hybrid import Start, cancelled, check_same_columns, sepsets_outside, unfinished
from ..search.restriction import Restriction, SkeletonFinder
from ..settings.parameter import parameters
from .ppc import ppc_skeleton
from .settings import ARGES

RestrictedTo = Literal["skeleton", "cig"]


@dataclass(frozen=True, eq=False)
class AdaptiveSearch(EquivalenceSearch):
    """What ARGES knows beside its result.

    Attributes
    ----------
    restriction : PDAG
        The pairs that the search might join at any time, undirected.
    log_p : (p, p) float64 array
        ln of the p-values that say so: given all others ("cig"), or the largest of the tests done ("skeleton").
    steps : tuple of Step
        How the DAG that the search began with was initialised; none for the empty graph.
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
    """Learn a CPDAG by GES that joins a pair only if tests say so, or if that shields a triple of the present class.

    Parameters
    ----------
    ci_test : CITest
    score : FamilyScore
        Both bound to the same data.
    restriction : "skeleton" or "cig"
        "skeleton": pairs that pPC leaves joined, and those whose edge shields an unshielded triple. "cig": pairs that
        are dependent given all others, and those whose edge shields a v-structure.
    start : "hgi" or "empty"
        What the search begins with: the class of pPC's skeleton oriented greedily by the score, or no edge.
    alpha : float, default 0.01
        Significance level of each test, in (0, 1).
    max_cond_size : int, default 3
        Largest conditioning set of pPC, at least 1. None is no limit.
    turning, max_parents
        As for `ges`.
    knowledge : Knowledge, optional
        As for `ges`; required edges are there whatever the tests say.
    tick : Tick, optional
        Listener; once it returns False the run ends with the class it has reached, or, where the search was to start
        from a DAG and there is none yet, with the skeleton so far.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG, with the directions knowledge gives; `extra` is an `AdaptiveSearch`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.
    DataError
        For "cig": if there are too few rows to condition on all other columns, or they are linearly dependent.

    Notes
    -----
    With the true skeleton, or conditional independence graph, and enough rows the result is the true CPDAG [1]_. There
    the triples make the difference: a search that keeps to the skeleton alone may not find it.

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
    # Without a start from it the skeleton is told of, but not drawn.
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
    """The pairs that may be joined, the ln p that say so, and which others may be joined beside them."""

    pairs: PDAG
    log_p: np.ndarray
    beside: Beside


def _allowed(tests: SkeletonFinder, given_rest: np.ndarray | None, alpha: float, known: BoundKnowledge) -> Allowed:
    """By the tests given all others, where there are such, else by the skeleton."""
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
    """Tell how the start came about, and search on from there; the scores are NaN before its first arrow.

    `settings` are `turning` and `max_parents`.
    """
    trace, dag = tests.trace, first.dag if first else None
    n_before, told = trace.n_changes, np.empty(0)
    if first:
        told = record_initialization(trace, first, tests.graph.skeleton)[:-1]

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
    scores = np.concatenate([np.full(n_before, np.nan), told, result.extra.scores])
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
