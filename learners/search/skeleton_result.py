"""Results of searches for skeletons."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..common.progress import Stopped, Tick
from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..graphs.consistent_extension import contradictions
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.rules import Rule
from ..results.result import LearnResult, Strengths
from .orientation import orient_triples
from .restriction import Restriction, SkeletonFinder
from .skeleton_levels import LN10, PairEvidence

CANCELLED = RunWarning(
    "cancelled", say("the run was cancelled; edges not tested yet are still in the graph, and no edge is oriented")
)


def oriented_result(
    restriction: Restriction,
    *,
    method: str,
    knowledge: BoundKnowledge,
    extra: Callable[[np.ndarray], Any],
    cancelled: str,
    tick: Tick,
) -> LearnResult:
    """Run a search, orient its skeleton by tested v-structures and Meek's rules, and return the result.

    Parameters
    ----------
    restriction : Restriction
    method : str
        Key of the learner.
    knowledge : BoundKnowledge
    extra : callable
        ``extra(v_structures)`` returns the `extra` of the result.
    cancelled : RunWarning
        Warning of a run that was cancelled.
    tick : Tick
    """
    search = restriction.search
    began, tests_before = time.perf_counter(), search.ci_test.n_tests
    v_structures = np.empty((0, 3), dtype=np.int64)
    try:
        restriction.run(tick)
        v_structures = restriction.v_structures(tick)
        graph = orient_triples(
            search.graph, lambda: v_structures, knowledge, search.trace, tick, rule=Rule.TESTED_V_STRUCTURE
        )
        complete = True
    except Stopped:
        graph, complete = search.graph, False
    v_structures.flags.writeable = False
    return constraint_result(
        search,
        graph,
        method=method,
        began=began,
        tests_before=tests_before,
        complete=complete,
        extra=extra(v_structures),
        cancelled=cancelled,
    )


def constraint_result(
    search: SkeletonFinder,
    graph: PDAG,
    *,
    method: str,
    began: float,
    tests_before: int,
    complete: bool,
    extra: Any = None,
    cancelled: RunWarning = CANCELLED,
    only_skeleton: bool = False,
    **fields: Any,
) -> LearnResult:
    """Return the result of a learner that found its skeleton with `search`.

    Parameters
    ----------
    search : SkeletonFinder
    graph : PDAG
    method, complete
        Fields of the result.
    extra : object, optional
        `extra` of the result. Default: the evidence of the search.
    began : float
        `time.perf_counter()` at the start of the run.
    tests_before : int
        `n_tests` of the test at the start of the run.
    cancelled : RunWarning
        Warning of a run that is not complete.
    only_skeleton : bool
        True for a learner that looks for no directions.
    **fields
        Other fields of the result; they replace those of the search.
    """
    evidence = search.evidence
    return LearnResult(
        graph=graph,
        names=search.ci_test.names,
        method=method,
        n_tests=search.ci_test.n_tests - tests_before,
        seconds=time.perf_counter() - began,
        strengths=Strengths.lazily(partial(largest_p, evidence)),
        trace=search.trace.build(),
        complete=complete,
        extra=evidence if extra is None else extra,
        **{
            "kind": search.kind,
            "n_scores": 0,
            "score": None,
            "sepsets": search.sepsets,
            "warnings": warnings_of(search, graph, complete, cancelled, only_skeleton=only_skeleton),
            **fields,
        },
    )


def warnings_of(
    search: SkeletonFinder,
    graph: PDAG,
    complete: bool,
    cancelled: RunWarning = CANCELLED,
    *,
    only_skeleton: bool = False,
) -> tuple[RunWarning, ...]:
    """Return the warnings for the user: cancelled or contradictory, and pairs without a test."""
    own = contradictions(graph, only_skeleton=only_skeleton) if complete else (cancelled,)
    return (*own, *search.warnings)


def largest_p(evidence: PairEvidence) -> Strengths:
    """Return log10 of the largest p-value of each pair; NaN on the diagonal."""
    values = evidence.log_phi / LN10
    np.fill_diagonal(values, np.nan)
    values.flags.writeable = False
    return Strengths("log10 of the largest p", values, larger_is_stronger=False)
