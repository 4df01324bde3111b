"""LMM, light mutual min: edges ranked by the dependence that the neighbours of neither end explain away.

The steps of `lmm` and where they stand in Mahdi and Mezey (2013), JMLR 14. The loop of algorithm 1 is one function,
`kernels.lmm.elimination.advance`, with a function for each step:

============================================  =======================================
here                                          paper
============================================  =======================================
`DependencePosterior.evidence`, the CPPD      equations 1 to 3
`select`, addEdge                             algorithm 1, lines 4 to 6 and 12 to 18
`drop_weakest`, `make_aware`, `make_unaware`  algorithm 2, OPT1, OPT2 and OPT3
`eliminate_weakest`, deleteEdge               algorithm 1, lines 8, 9 and 19 to 21
`choice_in`, the end of the elimination       algorithm 1, line 10
`Orienter.v_structures`, LMM_EO               algorithm 3, lines 1 to 17
`Orienter.cpdag`, rules R1 to R4              algorithm 3, lines 18 to 24
============================================  =======================================
"""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

import numpy as np

from ...common.errors import ParameterError
from ...common.parallel import run_in_thread
from ...common.progress import Stopped, Tick, silent
from ...common.run_warning import RunWarning
from ...common.sentences import say
from ...common.step_cache import Once, uncached
from ...common.validation import Seed
from ...graphs.consistent_extension import contradictions
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge, Knowledge, bind
from ...graphs.rules import Rule
from ...independence.dependence import DependenceOracle, DependencePosterior
from ...independence.tested_dependence import TestedDependence
from ...kernels.lmm.dependence import DependenceEvidence
from ...kernels.lmm.state import LMMRules
from ...results.result import LearnResult, Strengths
from ...results.trace import TraceBuilder
from ...scores.score import FamilyScore
from ...scores.selection import DefaultScore
from ...search.orientation import orient_known, orient_skeleton, orient_triples, record_implied
from ...settings.parameter import parameters
from .move_trace import record_known, record_moves, record_v_structures, sepsets_of
from .orientation import Orienter, VStructures, separating_sets
from .ranking import EdgeRanking, choice_in, expected_false_shares, key_of
from .resumable_run import Elimination
from .scored_orientation import BY_SCORE, scored_v_structures
from .settings import LMM, SIZES_IN_ORDER

CANCELLED = RunWarning("cancelled", say("the run was cancelled; the graph has the current edges, without directions"))

EDGES_PER_VARIABLE = 2.5  # default maximum number of added edges, paper section 7.2


@parameters(LMM, SIZES_IN_ORDER)
def lmm(
    posterior: DependencePosterior | TestedDependence | DependenceOracle,
    score: FamilyScore | DefaultScore | None = None,
    *,
    omega: float = 1e-6,
    gamma: float = 0.0,
    q: float | None = None,
    max_size: int | None = None,
    min_size: int = 0,
    max_cond_size: int = 4,
    opt_every: int | None = 3,
    cooldown: int = 10,
    criterion: str = "product",
    orientation: str | None = None,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Rank edges by their joint CPPD and orient the kept edges.

    The joint CPPD is the conditional posterior probability of dependence of a pair, given the conditioning sets of
    either end that lower it most.

    Parameters
    ----------
    posterior : DependencePosterior, TestedDependence or DependenceOracle
        Dependence of pairs, bound to the data: ``DependencePosterior(dataset)`` for numbers,
        ``TestedDependence(dataset)`` for other tables.
    score : FamilyScore or DefaultScore, optional
        Score of the same data, for `orientation` "boss" and "ges".
    omega : float, default 1e-6
        Relaxation, in (0, 1]. Only the end with the higher one-sided CPPD conditions on its neighbour, unless the two
        values differ by less than this. With 1 both ends always do.
    gamma : float, default 0
        Threshold, in [0, 1). Edges with a joint CPPD of at most this are neither added nor kept; 0 means no threshold.
    q : float, optional
        False discovery rate, in (0, 1): elimination continues until the expected share of false edges among those left
        is at most this (Benjamini and Hochberg), by the largest of their p-values. Default: no control.
    max_size : int, optional
        Largest number of edges added. Default: 2.5 for each variable, or no limit if `gamma` is above 0.
    min_size : int, default 0
        Number of edges that backward elimination leaves in the graph.
    max_cond_size : int, default 4
        Largest conditioning set.
    opt_every : int, optional, default 3
        Number of additions between two rounds of OPT1 to OPT3; None leaves these steps out.
    cooldown : int, default 10
        Number of additions during which OPT1 to OPT3 do not change a new edge.
    criterion : "product" or "minimum"
        The joint CPPD is the product of both one-sided values (equation 4), or the smaller of them, which corresponds
        to PC and MaxMin.
    orientation : "lmm_eo", "lmm_eo_random", "boss", "ges", "pc" or "none", optional
        v-structures by induced dependence, the strongest first (algorithm 3) or in random order; v-structures of the
        DAG with the best score that BOSS or GES finds within the skeleton; v-structures by separating sets as in PC; or
        no directions. Default: "boss" for categorical data with a score, else "lmm_eo".
    knowledge : Knowledge, optional
        Required edges are in the graph from the start and are never removed, forbidden pairs are never added, and known
        directions are oriented first.
    seed : int, default 0
        Seed of the random order.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the moves made so far and without orientation.
    once : Once, optional
        Cache of the elimination for other runs, which then only choose a graph from it and orient this.

    Returns
    -------
    LearnResult
        `graph` is the CPDAG; `extra` an `EdgeRanking`. The elimination always continues to the last edge, for the
        ranking; the trace then puts back the edges that the result keeps. If none of `gamma`, `q` and `min_size` is
        set, the run is a ranking only, and the graph has the edges with a joint CPPD above 0.03, in categorical tables
        above 0.003.

    Raises
    ------
    ParameterError
        If a parameter is out of range, a score is needed and missing, or the knowledge contradicts itself or names an
        unknown column.
    DataError
        If there are too few rows for `max_cond_size`.

    Notes
    -----
    LMM-1 of the paper is ``omega=1``; LMM-2 is that with ``criterion="minimum"``. With a d-separation oracle the
    skeleton and the CPDAG are those of the true DAG [1]_.

    The paper takes numbers. For other tables the p-value of a test takes the place of the partial correlation, see
    `TestedDependence`. The joint CPPD then only ranks pairs; results state it as a margin above the
    threshold, on the scale -ln(-ln P).

    References
    ----------
    .. [1] Mahdi and Mezey (2013), Sub-local constraint-based learning of Bayesian networks using a joint dependence
       criterion. JMLR 14.
    """
    if orientation is None:
        orientation = "lmm_eo" if score is None else posterior.usual_orientation
    if orientation in BY_SCORE and score is None:
        raise ParameterError(f"orientation {orientation!r} needs a score; pass one, such as BIC(dataset)")
    began, p, bound = time.perf_counter(), posterior.p, bind(knowledge, posterior.names)
    # Orientation conditions on the middle of a v-structure even where no other conditioning set is allowed.
    evidence = posterior.evidence(max(max_cond_size, 1))  # the CPPD of a pair given a set, equations 1 to 3
    terms = rules_of(
        bound, p, omega=omega, gamma=gamma, max_size=max_size, min_size=min_size, max_cond_size=max_cond_size,
        opt_every=opt_every, cooldown=cooldown, criterion=criterion,
    )  # fmt: skip

    # Algorithm 1, lines 3 to 10, with algorithm 2: forward selection, then backward elimination to the last edge.
    elimination = Elimination(evidence, terms, bound)
    step = ("elimination", omega, gamma, terms.max_size, max_cond_size, opt_every, cooldown, criterion)
    try:
        (moves, n_tests), complete = once(step, partial(elimination.finish, tick)), True
    except Stopped:
        (moves, n_tests), complete = elimination.so_far(), False

    # Algorithm 1, line 10: the move at which backward elimination stops.
    threshold = posterior.usual_gamma if gamma == 0 and min_size == 0 and q is None else gamma
    stored = posterior.stored_evidence(max(max_cond_size, 1))
    shares = expected_false_shares(moves, stored, bound) if q is not None else None
    choice = choice_in(moves, threshold, min_size, shares, q) if complete else len(moves)
    trace = TraceBuilder(PDAG(np.zeros((p, p), dtype=bool)))
    reference = 0.0 if posterior.is_probability else threshold or posterior.usual_gamma  # γ at margin 0
    skeleton = record_moves(trace, moves, choice, p, reference, tick)

    # Algorithm 3, LMM_EO: v-structures by induced dependence, then rules R1 to R4.
    oriented = Oriented(PDAG(skeleton))
    if complete:
        try:
            oriented = _orient(evidence, score, skeleton, max_cond_size, orientation, bound, trace, seed, tick)
        except Stopped:
            complete = False

    ranking = EdgeRanking(
        moves, choice, threshold, posterior.prior, oriented.v_structures, stored, bound, seed, reference, orientation
    )
    return LearnResult(
        graph=oriented.graph,
        names=posterior.names,
        method="lmm",
        kind="lmm",
        n_tests=n_tests + oriented.n_tests,
        n_scores=oriented.n_scores,
        seconds=time.perf_counter() - began,
        score=None,
        sepsets=sepsets_of(moves, oriented.graph),
        strengths=Strengths("edges removed before it", ranking.elimination_order(p), larger_is_stronger=True),
        trace=trace.build(),
        warnings=contradictions(oriented.graph) if complete else (CANCELLED,),
        complete=complete,
        extra=ranking,
    )


class Oriented(NamedTuple):
    """An oriented skeleton, the v-structures that LMM_EO ranked, and the numbers of sets tested and families scored."""

    graph: PDAG
    v_structures: VStructures | None = None
    n_tests: int = 0
    n_scores: int = 0


def rules_of(
    knowledge: BoundKnowledge,
    p: int,
    *,
    omega: float,
    gamma: float,
    max_size: int | None,
    min_size: int,
    max_cond_size: int,
    opt_every: int | None,
    cooldown: int,
    criterion: str,
    **_others: object,
) -> LMMRules:
    """Return the rules of algorithms 1 and 2 for the settings of `lmm` and `p` variables."""
    return LMMRules(
        omega,
        key_of(gamma),
        _max_edges(max_size, gamma, min_size, p),
        max_cond_size,
        opt_every or 0,
        cooldown,
        criterion == "product",
        knowledge.joined,
    )


def _max_edges(max_size: int | None, gamma: float, min_size: int, p: int) -> int:
    """Return the largest number of edges that forward selection may add."""
    n_pairs = p * (p - 1) // 2
    if max_size is not None:
        return min(max_size, n_pairs)
    return n_pairs if gamma > 0 else min(max(round(EDGES_PER_VARIABLE * p), min_size), n_pairs)


def _orient(
    evidence: DependenceEvidence,
    score: FamilyScore | DefaultScore | None,
    skeleton: np.ndarray,
    max_cond_size: int,
    orientation: str,
    knowledge: BoundKnowledge,
    trace: TraceBuilder,
    seed: Seed,
    tick: Tick,
) -> Oriented:
    """Orient the skeleton, and record it: by score, by separating sets as PC does, by knowledge alone, or by LMM_EO."""
    if orientation in BY_SCORE:
        scored = score.bound() if isinstance(score, DefaultScore) else score
        triples, n_scores = scored_v_structures(scored, skeleton, knowledge, orientation, seed, tick)
        rule = Rule.SCORED_V_STRUCTURE
        graph = orient_triples(PDAG(skeleton), lambda: triples, knowledge, trace, tick, rule=rule)
        return Oriented(graph, n_scores=n_scores)
    if orientation == "pc":
        sepsets, log_phi, n_tests = run_in_thread(
            lambda stop, _done: separating_sets(evidence, skeleton, max_cond_size, stop), phase="orienting", tick=tick
        )
        graph = orient_skeleton(PDAG(skeleton), sepsets, log_phi, knowledge, trace, tick)
        return Oriented(graph, n_tests=n_tests)
    if orientation == "none":
        return Oriented(orient_known(PDAG(skeleton), knowledge, trace))
    implied: list[tuple] = []

    def induce(stop: np.ndarray, _done: np.ndarray) -> Oriented:
        orienter = Orienter(evidence, skeleton, max_cond_size, knowledge.directions, stop)
        rng = np.random.default_rng(seed) if orientation == "lmm_eo_random" else None
        return Oriented(*orienter.cpdag(rng, record=lambda *event: implied.append(event)), orienter.n_tests)

    oriented = run_in_thread(induce, phase="orienting", tick=tick)
    known = record_known(trace, skeleton, knowledge)
    record_v_structures(trace, oriented.v_structures, known)
    record_implied(trace, implied)
    return oriented
