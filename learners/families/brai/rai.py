"""RAI, recursive autonomy identification: Yehezkel and Lerner (2009), JMLR 10, figure 4."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from ...common.errors import ParameterError
from ...common.progress import Stopped, Tick, silent
from ...common.run_warning import RunWarning
from ...common.sentences import say
from ...graphs.consistent_extension import contradictions
from ...graphs.graph import PDAG
from ...graphs.knowledge import Knowledge, bind
from ...independence.ci_test import CITest
from ...kernels.brai.orientation import ENDS, STRICT, UNCHECKED
from ...kernels.ci.evidence import BITS, LOG_P, PER_DOF, Threshold
from ...kernels.ci.g2 import DiscreteSample
from ...results.result import LearnResult, Strengths
from ...search.skeleton_levels import LN10
from ...settings.parameter import parameters
from .call_trace import CallRecord, begin_trace, log_phi_of, record_calls, record_completion, sepsets_of, tests_by_size
from .calls import Rules
from .recursion import Recursion
from .routes import Route, completed, route, union
from .settings import RAI

CANCELLED = RunWarning("cancelled", say("the run was cancelled; unrefined groups keep their current edges"))

COLLIDER_CHECKS = {"off": UNCHECKED, "ends": ENDS, "strict": STRICT}


@dataclass(frozen=True, eq=False)
class AutonomyRun:
    """The `extra` of a result of RAI.

    Attributes
    ----------
    calls : tuple of CallRecord
        The calls of the recursion, level by level, with their groups and their steps in the trace.
    n_tests : (levels, 2) int64 array
        Numbers of tests of edges, and of v-structures, by size of the conditioning set.
    """

    calls: tuple[CallRecord, ...]
    n_tests: np.ndarray


@parameters(RAI)
def rai(
    ci_test: CITest,
    *,
    cut: str = "alpha",
    c1_factor: float = 1.0,
    mi_bits: float = 0.03,
    alpha: float = 0.01,
    pools: str = "neighbours",
    collider_check: str = "strict",
    max_cond_size: int | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Learn a CPDAG with RAI: test given sets of increasing size, and split the graph into groups after each size.

    Parameters
    ----------
    ci_test : CITest
        `G2`, `FisherZ` or `DSeparation`.
    cut : "alpha", "c1" or "mi"
        A pair is independent given a set if p > `alpha`; if G² is below `c1_factor` times its degrees of freedom; or if
        the conditional mutual information is below `mi_bits`. Fisher's z and the oracle have only the first.
    c1_factor, mi_bits, alpha : float
        The threshold of the chosen cut; the other two have no effect.
    pools : "parents" or "neighbours"
        Conditioning sets of an edge come from the potential parents of its child (parents and undirected neighbours, as
        published), or from all its neighbours, so that a wrong direction hides no separating set. For an undirected
        edge either end is the child.
    collider_check : "off", "ends" or "strict"
        Additional tests of a v-structure. "ends": both ends depend on the middle given their separating set; without
        this, v-structures on edges that later levels remove can lead to wrong graphs even without an error of a test.
        "strict": the ends also depend on each other given the separating set and the middle.
    max_cond_size : int, optional
        Largest conditioning set. Default: no limit; RAI ends when no node has enough potential parents.
    knowledge : Knowledge, optional
        Required edges are neither tested nor removed; forbidden pairs are never adjacent; known directions come first.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the groups refined so far.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `extra` is an `AutonomyRun`.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or `cut` needs a test that counts rows.

    Notes
    -----
    With a d-separation oracle and the collider check the result is the CPDAG of the true DAG.

    References
    ----------
    Yehezkel and Lerner (2009), Bayesian network structure learning by recursive autonomy identification. JMLR 10,
    figure 4; Lerner, Afek and Bojmel (2013), Adaptive thresholding in structure learning of a Bayesian network, IJCAI,
    for c1.

    Examples
    --------
    >>> from learners import DSeparation, PDAG, rai
    >>> rai(DSeparation(PDAG.from_edges(3, directed=[(0, 2), (1, 2)]))).graph
    PDAG(p=3: 0->2, 1->2)
    """
    rules = rules_of(ci_test, cut, c1_factor, mi_bits, alpha, pools, collider_check, max_cond_size)
    bound = bind(knowledge, ci_test.names)
    began = time.perf_counter()
    recursion = Recursion(ci_test, rules, bound, keep_logs=True)
    try:
        recursion.grow(tick)
        complete = True
    except Stopped:
        complete = False
    found = Route([], []) if recursion.root is None else route(recursion.root, lambda _call, _group: 0, bound)
    before = union(found.leaves, ci_test.p) if found.leaves else recursion.start
    graph = completed(before, bound) if found.leaves else PDAG(before)
    trace = begin_trace(recursion.start, bound)
    calls = record_calls(trace, found.calls, bound.apart)
    record_completion(trace, before, graph)
    n_tests = tests_by_size(found.calls)
    ci_test.n_tests += int(n_tests.sum())
    log_phi = log_phi_of(found.calls, ci_test.p) / LN10
    log_phi.flags.writeable = False
    return LearnResult(
        graph=graph,
        names=ci_test.names,
        method="rai",
        kind="rai",
        n_tests=int(n_tests.sum()),
        n_scores=0,
        seconds=time.perf_counter() - began,
        score=None,
        sepsets=sepsets_of(found.calls, ci_test.p),
        strengths=Strengths("log10 of the largest p", log_phi, larger_is_stronger=False),
        trace=trace.build(),
        warnings=warnings_of(graph, complete=complete),
        complete=complete,
        extra=AutonomyRun(calls, n_tests),
    )


def rules_of(
    ci_test: CITest,
    cut: str,
    c1_factor: float,
    mi_bits: float,
    alpha: float,
    pools: str,
    collider_check: str,
    max_cond_size: int | None,
    resample_factor: float = 1.0,
) -> Rules:
    """Return the rules of the calls.

    Raises
    ------
    ParameterError
        If the cut needs counts that the test does not have.
    """
    if cut != "alpha" and not isinstance(ci_test.in_kernels().sample, DiscreteSample):
        raise ParameterError(f"cut must be 'alpha' where no rows are counted, got {cut!r}; choose it, or use G2")
    own = cut_of(cut, c1_factor, mi_bits, alpha)
    return Rules(
        own, resampled_cut(own, resample_factor), pools == "neighbours", COLLIDER_CHECKS[collider_check], max_cond_size
    )


def cut_of(cut: str, c1_factor: float, mi_bits: float, alpha: float) -> Threshold:
    """Return the decision of a test on the data."""
    if cut == "c1":
        return Threshold(PER_DOF, -float(c1_factor))
    return Threshold(BITS, -float(mi_bits)) if cut == "mi" else Threshold(LOG_P, math.log(alpha))


def resampled_cut(cut: Threshold, factor: float) -> Threshold:
    """Return the decision of a test on a resample, where G² of independent variables is inflated by `factor`."""
    return cut._replace(limit=factor * cut.limit) if cut.kind == PER_DOF else cut._replace(excess=float(factor))


def warnings_of(graph: PDAG, *, complete: bool) -> tuple[RunWarning, ...]:
    """Return warnings about a cancelled run and about a contradictory graph; a run may have both."""
    return (*(() if complete else (CANCELLED,)), *contradictions(graph))
