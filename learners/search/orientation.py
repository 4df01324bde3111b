"""Orientation of a skeleton: v-structures first, then Meek's rules.

These are the last two steps of PC and of similar learners: Spirtes, Glymour and Scheines (2000), PC, steps C and D;
Meek (1995), rules 1 to 4. Conflicts are settled as in Huang and Zhou (2022), algorithm 6, but by strength: the
v-structure whose ends have the largest p-value comes first, and a v-structure that contradicts an earlier one, or that
would close a directed cycle, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from ..common.parallel import run_in_thread
from ..common.progress import Tick, silent
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.meek_closure import orientations
from ..graphs.rules import OF_ARROWS, Rule
from ..graphs.sepsets import Sepsets
from ..kernels.graphs.colliders import orient_and_close
from ..kernels.graphs.meek_rules import CONFLICT
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.trace import TraceBuilder
from .skeleton_levels import SkeletonSearch
from .v_structures import ColliderCheck, checked_v_structures, ranked_v_structures

MAX_LIGHT_EDGES = 500  # skeletons up to this size are oriented faster than a thread starts
# Action for an arrow of a v-structure, and rule of a refusal, by the fate of the arrow in the kernel.
FATES = (
    (Action.ORIENT, None),
    (Action.REFUSE, Rule.V_STRUCTURE_CONTRADICTED),
    (Action.REFUSE, Rule.V_STRUCTURE_CYCLIC),
)


def orient_search(
    search: SkeletonSearch, knowledge: BoundKnowledge, check: ColliderCheck, tick: Tick, *, cut: float | None = None
) -> PDAG:
    """Return the CPDAG that the separating sets of a finished search imply.

    Parameters
    ----------
    search : SkeletonSearch
        Its trace records the checks and the orientations.
    knowledge : BoundKnowledge
        Its directions come first; nothing later contradicts them.
    check : "dependent" or "off"
        "dependent" orients only the v-structures that pass `checked_v_structures`.
    tick : Tick
    cut : float, optional
        As for `checked_v_structures`.

    Raises
    ------
    Stopped
        If cancelled; the trace then records no orientation.
    """
    if check == "off":
        return orient_skeleton(search.skeleton, search.sepsets, search.log_phi, knowledge, search.trace, tick)
    triples = checked_v_structures(search, cut, tick)
    return orient_triples(
        search.skeleton, lambda: triples, knowledge, search.trace, tick, rule=Rule.CHECKED_V_STRUCTURE
    )


def orient_skeleton(
    skeleton: PDAG,
    sepsets: Sepsets,
    log_phi: np.ndarray,
    knowledge: BoundKnowledge,
    trace: TraceBuilder,
    tick: Tick = silent,
) -> PDAG:
    """Return the CPDAG that a skeleton and its separating sets imply.

    Parameters
    ----------
    skeleton : PDAG
        Undirected.
    sepsets : Sepsets
        Separating sets of the non-adjacent pairs.
    log_phi : (p, p) float64 array
        ln of the largest p-value of each pair.
    knowledge : BoundKnowledge
        Its directions come first; nothing later contradicts them.
    trace : TraceBuilder
        Records each orientation, the first refusal of each arrow, and each conflict.
    tick : Tick

    Raises
    ------
    Stopped
        If cancelled; the trace then records no orientation.
    """
    return orient_triples(skeleton, lambda: ranked_v_structures(skeleton, sepsets, log_phi), knowledge, trace, tick)


def orient_triples(
    skeleton: PDAG,
    v_structures: Callable[[], np.ndarray],
    knowledge: BoundKnowledge,
    trace: TraceBuilder,
    tick: Tick = silent,
    *,
    rule: Rule = Rule.V_STRUCTURE,
) -> PDAG:
    """Orient the v-structures of a skeleton, then apply Meek's rules until none applies.

    Parameters
    ----------
    skeleton, knowledge, trace, tick
        As for `orient_skeleton`.
    v_structures : callable
        Returns the (m, 3) triples i, k, j, the most reliable first. It runs in the same thread as the orientation,
        because a dense skeleton can have millions of triples and the user can cancel meanwhile.
    rule : Rule
        Rule of the accepted arrows in the trace.
    """
    amat = skeleton.amat.copy()
    known = np.argwhere(knowledge.directions & amat & amat.T)
    amat[known[:, 1], known[:, 0]] = False
    arrows, closed, implied = run_in_thread(
        lambda stop, _done: orient_and_close(amat, v_structures(), stop),
        phase="orienting",
        tick=tick,
        light=np.count_nonzero(skeleton.amat) <= 2 * MAX_LIGHT_EDGES,  # the mask of `n_edges` takes a byte a pair
    )
    required = knowledge.required[known[:, 0], known[:, 1]]  # the trace does not keep the knowledge of all pairs
    trace.defer(partial(_record, required, known, arrows, implied, rule))
    return PDAG(closed)


def orient_known(skeleton: PDAG, knowledge: BoundKnowledge, trace: TraceBuilder) -> PDAG:
    """Return the skeleton with only the directions that background knowledge implies, and record them."""
    known = np.argwhere(knowledge.directions & skeleton.amat)
    nothing = np.empty((0, 7), dtype=np.int64)
    _record(knowledge.required[known[:, 0], known[:, 1]], known, nothing, nothing, Rule.V_STRUCTURE, trace)
    return PDAG(skeleton.amat & ~knowledge.directions.T)


def _record(
    required: np.ndarray,
    known: np.ndarray,
    arrows: np.ndarray,
    implied: np.ndarray,
    accepted: Rule,
    trace: TraceBuilder,
) -> None:
    """Record the orientations in their order: background knowledge, v-structures, Meek's rules."""
    for (i, j), is_required in zip(known.tolist(), required.tolist(), strict=True):
        rule = Rule.REQUIRED if is_required else Rule.FORBIDDEN
        trace.add(Phase(Stage.KNOWLEDGE), Action.ORIENT, i, j, rule=rule)
    for fate, parent, k, other in arrows.tolist():
        action, rule = FATES[fate]
        trace.add(Phase(Stage.V_STRUCTURES), action, parent, k, (other,), rule=rule or accepted)
    record_implied(trace, orientations(implied))


def record_implied(trace: TraceBuilder, implied: Iterable[tuple]) -> None:
    """Record the orientations and conflicts of Meek's rules, as `graphs.meek_closure.closure` reports them."""
    phase = Phase(Stage.MEEK_RULES)
    for i, j, number, witnesses in implied:
        action = Action.CONFLICT if number == CONFLICT else Action.ORIENT
        trace.add(phase, action, i, j, witnesses, rule=OF_ARROWS[number])
