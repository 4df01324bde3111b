"""LMM, light mutual min: edges ranked by the dependence that the neighbours of neither end explain away.

Mahdi and Mezey (2013), Sub-local constraint-based learning of Bayesian networks using a joint dependence criterion.
JMLR 14.
"""

from __future__ import annotations

import time
from functools import partial

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
from ...graphs.sepsets import Sepsets
from ...independence.dependence import DependenceOracle, DependencePosterior
from ...independence.tested_dependence import TestedDependence
from ...kernels.lmm.dependence import DependenceEvidence
from ...kernels.lmm.state import ADDED, AWARE, DROPPED, ELIMINATED, UNAWARE, LMMRules
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult, Strengths
from ...results.trace import TraceBuilder
from ...scores.score import FamilyScore
from ...scores.selection import DefaultScore
from ...search.orientation import orient_skeleton, orient_triples, record_implied
from ...settings.parameter import parameters
from .elimination import Elimination
from .orientation import Orienter, VStructures, separating_sets
from .ranking import EdgeRanking, Moves, choice_in, expected_false_shares, key_of
from .scored_orientation import BY_SCORE, scored_v_structures
from .settings import LMM, SIZES_IN_ORDER

CANCELLED = RunWarning("cancelled", say("the run was cancelled; the graph has the current edges, without directions"))

MOVES_A_TICK = 2_000
EDGES_PER_VARIABLE = 2.5  # default maximum number of added edges, paper section 7.2
EVENTS = {
    ADDED: (Action.ADD, Rule.SELECTED),
    DROPPED: (Action.REMOVE, Rule.DROPPED),
    AWARE: (Action.KEEP, Rule.AWARE),
    UNAWARE: (Action.KEEP, Rule.UNAWARE),
    ELIMINATED: (Action.REMOVE, Rule.ELIMINATED),
}


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
    product, max_edges = criterion == "product", _max_edges(max_size, gamma, min_size, p)
    terms = LMMRules(omega, key_of(gamma), max_edges, max_cond_size, opt_every or 0, cooldown, product, bound.joined)

    # Algorithm 1, lines 3 to 10, with algorithm 2: forward selection, then backward elimination to the last edge.
    elimination = Elimination(evidence, terms, bound)
    step = ("elimination", omega, gamma, max_edges, max_cond_size, opt_every, cooldown, criterion)
    try:
        (moves, n_tests), complete = once(step, partial(elimination.finished, tick)), True
    except Stopped:
        (moves, n_tests), complete = elimination.so_far(), False

    # Algorithm 1, line 10: the move at which backward elimination stops.
    threshold = posterior.usual_gamma if gamma == 0 and min_size == 0 and q is None else gamma
    stored = posterior.stored_evidence(max(max_cond_size, 1))
    shares = expected_false_shares(moves, stored, bound) if q is not None else None
    choice = choice_in(moves, threshold, min_size, shares, q) if complete else len(moves)
    trace = TraceBuilder(PDAG(np.zeros((p, p), dtype=bool)))
    reference = 0.0 if posterior.is_probability else threshold or posterior.usual_gamma  # γ at margin 0
    skeleton = _record_moves(trace, moves, choice, p, reference, tick)

    # Algorithm 3, LMM_EO: v-structures by induced dependence, then rules R1 to R4.
    graph, v_structures, n_oriented, n_scores = PDAG(skeleton), None, 0, 0
    if complete:
        try:
            if orientation in BY_SCORE:
                scored = score.bound() if isinstance(score, DefaultScore) else score
                triples, n_scores = scored_v_structures(scored, skeleton, bound, orientation, seed, tick)
                rule = Rule.SCORED_V_STRUCTURE
                graph = orient_triples(PDAG(skeleton), lambda: triples, bound, trace, tick, rule=rule)
            else:
                graph, v_structures, n_oriented = _orient(
                    evidence, skeleton, max_cond_size, orientation, bound, trace, seed, tick
                )
        except Stopped:
            complete = False
    ranking = EdgeRanking(
        moves, choice, threshold, posterior.prior, v_structures, stored, bound, seed, reference, orientation
    )
    return LearnResult(
        graph=graph,
        names=posterior.names,
        method="lmm",
        kind="lmm",
        n_tests=n_tests + n_oriented,
        n_scores=n_scores,
        seconds=time.perf_counter() - began,
        score=None,
        sepsets=_sepsets(moves, graph),
        strengths=Strengths("edges that left before it", _elimination_order(ranking, p), larger_is_stronger=True),
        trace=trace.build(),
        warnings=_warnings(graph, complete),
        complete=complete,
        extra=ranking,
    )


def _max_edges(max_size: int | None, gamma: float, min_size: int, p: int) -> int:
    """Return the largest number of edges that forward selection may add."""
    n_pairs = p * (p - 1) // 2
    if max_size is not None:
        return min(max_size, n_pairs)
    return n_pairs if gamma > 0 else min(max(round(EDGES_PER_VARIABLE * p), min_size), n_pairs)


def _record_moves(trace: TraceBuilder, moves: Moves, choice: int, p: int, reference: float, tick: Tick) -> np.ndarray:
    """Record each move, then the edges put back after the last one; return the (p, p) skeleton at the choice.

    A cancel takes effect at the next step of the run, which checks the listener again.
    """
    skeleton = np.zeros((p, p), dtype=bool)
    joint, n_forward = moves.key - key_of(reference) if reference else moves.joint, moves.n_forward
    forward, backward = Phase(Stage.FORWARD_SELECTION), Phase(Stage.BACKWARD_ELIMINATION)
    weaker = moves.one_sided.argmin(axis=1).tolist()
    for move, (what, i, j) in enumerate(zip(moves.what.tolist(), moves.i.tolist(), moves.j.tolist(), strict=True)):
        if move and move % MOVES_A_TICK == 0:
            tick(str(backward), len(moves), len(moves))
        action, rule = EVENTS[what]
        if moves.iteration[move] == 0:
            rule = Rule.REQUIRED
        phase = forward if move < n_forward else backward
        weakest = moves.hardest_set(move, weaker[move])
        trace.add(phase, action, i, j, weakest, rule=rule, statistic=float(joint[move]))
        if action < Action.KEEP and move < choice:
            skeleton[i, j] = skeleton[j, i] = action == Action.ADD
    back = Phase(Stage.BACK_TO_CHOICE)
    for move in range(len(moves) - 1, choice - 1, -1):
        trace.add(back, Action.ADD, int(moves.i[move]), int(moves.j[move]), rule=Rule.PUT_BACK)
    return skeleton


def _orient(
    evidence: DependenceEvidence,
    skeleton: np.ndarray,
    max_cond_size: int,
    orientation: str,
    knowledge: BoundKnowledge,
    trace: TraceBuilder,
    seed: Seed,
    tick: Tick,
) -> tuple[PDAG, VStructures | None, int]:
    """Orient the skeleton and record it; return the graph, the candidates of LMM_EO and the number of sets tested."""
    if orientation == "pc":
        sepsets, log_phi, count = run_in_thread(
            lambda stop, _done: separating_sets(evidence, skeleton, max_cond_size, stop), phase="orienting", tick=tick
        )
        return orient_skeleton(PDAG(skeleton), sepsets, log_phi, knowledge, trace, tick), None, count
    implied: list[tuple] = []

    def induce(stop: np.ndarray, _done: np.ndarray) -> tuple[PDAG, VStructures, int]:
        orienter = Orienter(evidence, skeleton, max_cond_size, knowledge.directions, stop)
        rng = np.random.default_rng(seed) if orientation == "lmm_eo_random" else None
        return *orienter.cpdag(rng, record=lambda *event: implied.append(event)), orienter.n_tests

    outcome = None if orientation == "none" else run_in_thread(induce, phase="orienting", tick=tick)
    known = np.argwhere(knowledge.directions & skeleton).tolist()
    for i, j in known:
        rule = Rule.REQUIRED if knowledge.required[i, j] else Rule.FORBIDDEN
        trace.add(Phase(Stage.KNOWLEDGE), Action.ORIENT, i, j, rule=rule)
    if outcome is None:
        return PDAG(skeleton & ~knowledge.directions.T), None, 0
    _record_v_structures(trace, outcome[1], known)
    record_implied(trace, implied)
    return outcome


def _record_v_structures(trace: TraceBuilder, found: VStructures, known: list) -> None:
    """Record the arrows in the order in which they are drawn, and the first refusal of each arrow."""
    drawn, refused = {(i, j) for i, j in known}, set()
    phase = Phase(Stage.V_STRUCTURES)
    for (x, w, y), induced, accepted in zip(found.triples.tolist(), found.induced, found.accepted, strict=True):
        if induced <= 0:
            continue
        for parent, other in ((x, y), (y, x)):
            if accepted and (parent, w) not in drawn:
                drawn.add((parent, w))
                trace.add(phase, Action.ORIENT, parent, w, (other,), rule=Rule.INDUCED, statistic=induced)
            elif not accepted and (parent, w) not in refused:
                refused.add((parent, w))
                rule = Rule.V_STRUCTURE_CONTRADICTED
                trace.add(phase, Action.REFUSE, parent, w, (other,), rule=rule, statistic=induced)


def _sepsets(moves: Moves, graph: PDAG) -> Sepsets:
    """Return the conditioning set of the end with the lower CPPD for each permanently removed pair."""
    left = np.flatnonzero((moves.what == DROPPED) | (moves.what == ELIMINATED))
    i, j = moves.i[left], moves.j[left]
    away = ~graph.skeleton[i, j]
    left, i, j = left[away], i[away], j[away]
    sets = moves.hardest[left, np.argmin(moves.one_sided[left], axis=1)].astype(np.int32)
    sets = np.sort(np.where(sets < 0, graph.p, sets), axis=1)
    members = np.full((graph.p, graph.p, sets.shape[1]), -1, dtype=np.int32)
    present = np.zeros((graph.p, graph.p), dtype=bool)
    # For a pair that was removed more than once, keep the last set.
    members[i, j] = members[j, i] = np.where(sets == graph.p, -1, sets)
    present[i, j] = present[j, i] = True
    return Sepsets(members, present)


def _elimination_order(ranking: EdgeRanking, p: int) -> np.ndarray:
    """Return (p, p) numbers of ranked edges that were eliminated before the pair; NaN for unranked pairs."""
    values = np.full((p, p), np.nan)
    i, j = ranking.pairs[::-1].T
    values[i, j] = values[j, i] = np.arange(len(i))
    values.flags.writeable = False
    return values


def _warnings(graph: PDAG, complete: bool) -> tuple[RunWarning, ...]:
    if not complete:
        return (CANCELLED,)
    return contradictions(graph)
