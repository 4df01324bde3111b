"""Directions of the skeleton of LMM by score: the v-structures of the best DAG found within it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...common.progress import Stopped, Tick, silent
from ...common.validation import Seed
from ...graphs.cpdag import v_structures
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.meek_closure import Record
from ...results.trace import TraceBuilder
from ...scores.score import FamilyScore
from ...search.ges_search import equivalence_search
from ...search.order_search import order_search
from ...search.orientation import orient_triples

BY_SCORE = ("boss", "ges")
MAX_PARENTS = 12  # maximum number of parents, as for BOSS and GES by default


def scored_v_structures(
    score: FamilyScore, skeleton: np.ndarray, knowledge: BoundKnowledge, orientation: str, seed: Seed, tick: Tick
) -> tuple[np.ndarray, int]:
    """Return the v-structures of the best DAG whose edges a skeleton has, and the number of local scores.

    Parameters
    ----------
    score : FamilyScore
    skeleton : (p, p) bool array
        Symmetric.
    knowledge : BoundKnowledge
        Its required edges are in the skeleton.
    orientation : "boss" or "ges"
        Search over orders, or over equivalence classes.
    seed : int
        Seed of BOSS.
    tick : Tick

    Returns
    -------
    (m, 3) int64 array
        Triples i, k, j with i < j, whose ends are not adjacent in the skeleton.
    int

    Raises
    ------
    Stopped
        If cancelled.
    """
    within = replace(knowledge, excluded=knowledge.excluded | ~skeleton)
    most = max(MAX_PARENTS, int(knowledge.required.sum(axis=0).max(initial=0)))
    before = score.n_scores
    if orientation == "boss":
        found = order_search(score, max_parents=most, restarts=None, knowledge=within, seed=seed, tick=tick)
        dag, n_scores = found.dag, found.n_scores
    else:
        found = equivalence_search(score, max_parents=most, knowledge=within, turning=True, tick=tick)
        dag, n_scores = found.dag, score.n_scores - before
    if not found.complete:
        raise Stopped
    colliders = [(i, k, j) for i, k, j in v_structures(dag) if not skeleton[i, j]]
    return np.array(colliders, dtype=np.int64).reshape(-1, 3), n_scores


class ScoredOrienter:
    """Orientation by score of a skeleton that changes one edge at a time; see `orientation.Orienter`.

    Parameters
    ----------
    score : FamilyScore
    skeleton : (p, p) bool array
        Symmetric.
    knowledge : BoundKnowledge
    orientation, seed, tick
        As for `scored_v_structures`.
    """

    def __init__(
        self,
        score: FamilyScore,
        skeleton: np.ndarray,
        knowledge: BoundKnowledge,
        orientation: str,
        seed: Seed = 0,
        tick: Tick = silent,
    ) -> None:
        self.skeleton = np.array(skeleton, dtype=bool)
        self._score, self._knowledge, self._orientation, self._seed = score, knowledge, orientation, seed
        self._tick = tick

    def toggle(self, i: int, j: int) -> None:
        """Add the edge between i and j, or remove it."""
        self.skeleton[i, j] = self.skeleton[j, i] = not self.skeleton[i, j]

    def cpdag(self, rng: np.random.Generator | None = None, record: Record | None = None) -> tuple[PDAG, None]:  # noqa: ARG002
        """Orient the v-structures of the best DAG found, then apply Meek's rules. Raises Stopped if cancelled."""
        triples, _ = scored_v_structures(
            self._score, self.skeleton, self._knowledge, self._orientation, self._seed, self._tick
        )
        skeleton = PDAG(self.skeleton.copy())
        return orient_triples(skeleton, lambda: triples, self._knowledge, TraceBuilder(skeleton), self._tick), None
