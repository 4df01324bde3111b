"""The moves and v-structures of a run of LMM as events of its trace, and the separating sets that they imply."""

from __future__ import annotations

import numpy as np

from ...common.progress import Tick
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...kernels.lmm.state import ADDED, AWARE, DROPPED, ELIMINATED, UNAWARE
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.trace import TraceBuilder
from .orientation import VStructures
from .ranking import Moves, key_of

MOVES_A_TICK = 2_000
EVENTS = {
    ADDED: (Action.ADD, Rule.SELECTED),
    DROPPED: (Action.REMOVE, Rule.DROPPED),
    AWARE: (Action.KEEP, Rule.AWARE),
    UNAWARE: (Action.KEEP, Rule.UNAWARE),
    ELIMINATED: (Action.REMOVE, Rule.ELIMINATED),
}


def record_moves(trace: TraceBuilder, moves: Moves, choice: int, p: int, reference: float, tick: Tick) -> np.ndarray:
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


def record_known(trace: TraceBuilder, skeleton: np.ndarray, knowledge: BoundKnowledge) -> list[list[int]]:
    """Record the directions that background knowledge gives to edges of the skeleton; return them as pairs i, j."""
    known = np.argwhere(knowledge.directions & skeleton).tolist()
    for i, j in known:
        rule = Rule.REQUIRED if knowledge.required[i, j] else Rule.FORBIDDEN
        trace.add(Phase(Stage.KNOWLEDGE), Action.ORIENT, i, j, rule=rule)
    return known


def record_v_structures(trace: TraceBuilder, found: VStructures, known: list) -> None:
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


def sepsets_of(moves: Moves, graph: PDAG) -> Sepsets:
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
