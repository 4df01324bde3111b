"""From a skeleton and separating sets to a CPDAG: v-structures, then Meek's rules (spec 2.6).

Huang and Zhou (2022), algorithm 6, with conflicts decided by strength: the v-structure whose outer pair is the most
independent comes first, and one that contradicts an earlier one, or would close a directed cycle, is refused.
"""

from __future__ import annotations

import numpy as np

from ..graph import PDAG, closure
from ..knowledge import BoundKnowledge
from ..sepsets import Sepsets
from ..trace import Action, TraceBuilder

Triple = tuple[int, int, int]


def orient_skeleton(
    skeleton: PDAG, sepsets: Sepsets, log_phi: np.ndarray, knowledge: BoundKnowledge, trace: TraceBuilder
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
        Told of each orientation, refusal and conflict.
    """
    amat = skeleton.amat.copy()
    _orient_known(amat, knowledge, trace)
    for i, k, j in ranked_v_structures(skeleton, sepsets, log_phi):
        _orient_v_structure(amat, i, k, j, trace)

    def tell(i: int, j: int, rule: str, witnesses: tuple[int, ...]) -> None:
        action = Action.CONFLICT if rule == "conflict" else Action.ORIENT
        trace.add("Meek rules", action, i, j, witnesses, rule=rule)

    return closure(PDAG(amat), record=tell)


def ranked_v_structures(skeleton: PDAG, sepsets: Sepsets, log_phi: np.ndarray) -> list[Triple]:
    """Triples (i, k, j), i < j, of the form i - k - j with k outside the sepset of i and j; largest p of i, j first."""
    adjacency = skeleton.amat
    found: list[Triple] = []
    for k in range(skeleton.p):
        around = np.flatnonzero(adjacency[k])
        apart = ~adjacency[np.ix_(around, around)] & sepsets.present[np.ix_(around, around)]
        for a, b in np.argwhere(np.triu(apart, 1)):
            i, j = int(around[a]), int(around[b])
            if k not in sepsets.members[i, j]:
                found.append((i, k, j))
    return sorted(found, key=lambda triple: (-log_phi[triple[0], triple[2]], triple))


def _orient_known(amat: np.ndarray, knowledge: BoundKnowledge, trace: TraceBuilder) -> None:
    for i, j in np.argwhere(knowledge.directions & amat & amat.T):
        amat[j, i] = False
        rule = "required" if knowledge.required[i, j] else "forbidden"
        trace.add("knowledge", Action.ORIENT, int(i), int(j), rule=rule)


def _orient_v_structure(amat: np.ndarray, i: int, k: int, j: int, trace: TraceBuilder) -> None:
    contradicted = not (amat[i, k] and amat[j, k])
    if contradicted or _leads_to(amat, k, (i, j)):
        trace.add("v-structures", Action.REFUSE, i, k, (j,), rule="v-structure")
        trace.add("v-structures", Action.REFUSE, j, k, (i,), rule="v-structure")
        return
    for parent, other in ((i, j), (j, i)):
        if amat[k, parent]:
            amat[k, parent] = False
            trace.add("v-structures", Action.ORIENT, parent, k, (other,), rule="v-structure")


def _leads_to(amat: np.ndarray, source: int, targets: tuple[int, int]) -> bool:
    """Whether a directed path leads from `source` to one of `targets`."""
    todo, seen = [source], {source}
    while todo:
        node = todo.pop()
        for child in np.flatnonzero(amat[node] & ~amat[:, node]):
            if child in targets:
                return True
            if child not in seen:
                seen.add(int(child))
                todo.append(int(child))
    return False
