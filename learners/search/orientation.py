"""From a skeleton and separating sets to a CPDAG: v-structures, then Meek's rules.

Huang and Zhou (2022), algorithm 6, with conflicts decided by strength: the v-structure whose outer pair is the most
independent comes first, and one that contradicts an earlier one, or would close a directed cycle, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from ..common.memory import CELL, MEGABYTE, allow, limit
from ..common.parallel import in_pieces
from ..common.progress import Tick, silent
from ..graphs.cpdags import orientations
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..kernels.graphs.closure import CONFLICT
from ..kernels.graphs.colliders import find_colliders, oriented, ranked_colliders
from ..kernels.tests.subsets import neighbor_lists
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import OF_ARROWS, Rule
from ..results.trace import TraceBuilder

TRIPLE = 3 * CELL  # bytes
FEW_EDGES = 500  # oriented before a thread would have started
FATES = (
    (Action.ORIENT, None),
    (Action.REFUSE, Rule.V_STRUCTURE_CONTRADICTED),
    (Action.REFUSE, Rule.V_STRUCTURE_CYCLIC),
)


def orient_skeleton(
    skeleton: PDAG,
    sepsets: Sepsets,
    log_phi: np.ndarray,
    knowledge: BoundKnowledge,
    trace: TraceBuilder,
    tick: Tick = silent,
) -> PDAG:
    """The CPDAG that the evidence implies.

    Parameters
    ----------
    skeleton : PDAG
        Undirected.
    sepsets : Sepsets
        Separating sets of the non-adjacent pairs.
    log_phi : (p, p) float64 array
        ln of the largest p of each pair.
    knowledge : BoundKnowledge
        Oriented first; nothing later contradicts it.
    trace : TraceBuilder
        Told of each orientation, of the first refusal of each arrow, and of each conflict.
    tick : Tick
        Listener.

    Raises
    ------
    Stopped
        If cancelled; the trace has heard of no orientation then.
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
    """As `orient_skeleton`, given what finds the triples i, k, j, the surest first; `rule` for their arrows."""
    amat = skeleton.amat.copy()
    known = np.argwhere(knowledge.directions & amat & amat.T)
    amat[known[:, 1], known[:, 0]] = False
    found: dict = {}

    def work(_begin: int, _end: int, stop: np.ndarray, done: np.ndarray) -> None:
        found["arrows"], found["closed"], found["implied"] = oriented(amat, v_structures(), stop)
        done[0] = 1

    # In a thread of its own, for a dense skeleton can hold millions of triples and somebody may want to stop.
    in_pieces(lambda: work, 1, phase="orienting", tick=tick, threads=1, light=skeleton.n_edges <= FEW_EDGES)
    trace.later(partial(_tell, knowledge, known, found["arrows"], found["implied"], rule))
    return PDAG(found["closed"])


def orient_known(skeleton: PDAG, knowledge: BoundKnowledge, trace: TraceBuilder) -> PDAG:
    """The skeleton with no direction but those that knowledge gives; the trace is told of them."""
    known = np.argwhere(knowledge.directions & skeleton.amat)
    nothing = np.empty((0, 7), dtype=np.int64)
    _tell(knowledge, known, nothing, nothing, Rule.V_STRUCTURE, trace)
    return PDAG(skeleton.amat & ~knowledge.directions.T)


def ranked_v_structures(skeleton: PDAG, sepsets: Sepsets, log_phi: np.ndarray) -> np.ndarray:
    """(m, 3) triples i, k, j, i < j, of the form i - k - j with k outside the sepset of i and j; largest p first."""
    known = _lists_allowed(skeleton.amat)
    return ranked_colliders(skeleton.amat, *known, sepsets.present, sepsets.members, log_phi)


def colliders_of(skeleton: np.ndarray, sepsets: Sepsets) -> np.ndarray:
    """(m, 3) triples i, k, j, i < j, of the form i - k - j with k outside the sepset of i and j; ascending in k, i, j.

    Raises
    ------
    DataError
        If there may be too many to be kept.
    """
    return find_colliders(skeleton, *_lists_allowed(skeleton), sepsets.present, sepsets.members)


def _lists_allowed(skeleton: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`neighbor_lists` of a skeleton; raises as `colliders_of`."""
    begin, near = neighbor_lists(skeleton)
    degree = np.diff(begin).astype(float)
    most = TRIPLE * (degree @ (degree - 1)) / 2  # as many if no two neighbours of a node were joined
    if most > MEGABYTE and most > limit():
        paths = skeleton.astype(np.float32) @ skeleton.astype(np.float32)
        allow(
            TRIPLE * float(np.triu(paths * ~skeleton, 1).sum(dtype=float)),
            f"the pairs of edges that meet in one of {len(skeleton):,} columns",
            "lower alpha so that fewer edges stay",
        )
    return begin, near


def _tell(
    knowledge: BoundKnowledge,
    known: np.ndarray,
    arrows: np.ndarray,
    implied: np.ndarray,
    accepted: Rule,
    trace: TraceBuilder,
) -> None:
    """The orientations in their order: what was known, the v-structures, what follows from both."""
    for i, j in known.tolist():
        rule = Rule.REQUIRED if knowledge.required[i, j] else Rule.FORBIDDEN
        trace.add(Phase(Stage.KNOWLEDGE), Action.ORIENT, i, j, rule=rule)
    for fate, parent, k, other in arrows.tolist():
        action, rule = FATES[fate]
        trace.add(Phase(Stage.V_STRUCTURES), action, parent, k, (other,), rule=rule or accepted)
    tell_implied(trace, orientations(implied))


def tell_implied(trace: TraceBuilder, implied: Iterable[tuple]) -> None:
    """What Meek's rules implied, as `closure` recorded it."""
    phase = Phase(Stage.MEEK_RULES)
    for i, j, number, witnesses in implied:
        action = Action.CONFLICT if number == CONFLICT else Action.ORIENT
        trace.add(phase, action, i, j, witnesses, rule=OF_ARROWS[number])
