"""Hybrid greedy initialization: v-structures and the other edges of a skeleton oriented by what they gain.

Huang and Zhou (2022), algorithm 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.numbering import as_nodes
from ..common.progress import Stopped, Tick, breathe, silent
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.graphs.colliders import above, add_arrow
from ..kernels.scores.families import local_score
from ..kernels.search.arriving import first_of_largest, gains_of
from ..kernels.search.climbing import ROUNDING
from ..kernels.search.decomposition import compelled, delete_complete_sinks, into_sinks
from ..kernels.tests.subsets import neighbor_lists
from ..scores import FamilyScore
from .climber import places

PHASE = "initial graph"
TICK_EVERY = 20  # steps
AT_ONCE = 500  # gains between two ticks


@dataclass(frozen=True)
class Step:
    """One step: arrows added by `op` "required", "v-structure", "knowledge", "sink" or "rule", or left out by "drop".

    `gain` is what the arrows add to the score, or would have added; `parents` are the two of a v-structure, of which
    one may have been there before.
    """

    op: str
    arrows: Annotated[tuple[tuple[int, int], ...], as_nodes]
    gain: float
    parents: Annotated[tuple[int, ...], as_nodes] = ()


@dataclass(frozen=True, eq=False)
class Initialization:
    """A DAG within a skeleton, and the steps that led to it from the empty graph.

    `score` is that of `dag`.
    """

    dag: PDAG
    score: float
    steps: tuple[Step, ...]


def hgi(
    score: FamilyScore,
    skeleton: np.ndarray,
    v_structures: np.ndarray,
    *,
    max_parents: int | None = None,
    knowledge: BoundKnowledge | None = None,
    tick: Tick = silent,
) -> Initialization:
    """Orient a skeleton greedily; edges that do not raise the score stay out.

    Parameters
    ----------
    score : FamilyScore
    skeleton : (p, p) bool array
        Symmetric.
    v_structures : (m, 3) integer array
        Rows i, k, j: candidates i -> k <- j.
    max_parents : int, optional
        Most parents of a node. Default: as many as the score takes.
    knowledge : BoundKnowledge, optional
        Required edges come first; directions that it rules out are not taken.
    tick : Tick, optional

    Raises
    ------
    Stopped
        If cancelled.

    Notes
    -----
    With the true skeleton and v-structures, and enough rows, the DAG is in the class of the true one (lemma 1).
    Of steps that gain the same the one on the nodes of the highest score without parents is taken, so the result does
    not depend on the order of the columns unless such nodes are as alike.
    """
    run = _Run(score, skeleton, max_parents, knowledge or BoundKnowledge.none(len(skeleton)))
    run.orient_v_structures(np.asarray(v_structures, dtype=np.int64).reshape(-1, 3), tick)
    run.orient_others(tick)
    return Initialization(PDAG(run.dag), float(sum(run.local.tolist())), tuple(run.steps))


class _Run:
    """The graph being consumed, the DAG being built, and what each addition would gain."""

    def __init__(
        self, score: FamilyScore, skeleton: np.ndarray, max_parents: int | None, known: BoundKnowledge
    ) -> None:
        p = len(skeleton)
        self.score, self.known = score, known
        self.most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
        self.left = np.array(skeleton, dtype=bool) | known.joined
        # Column by column, for what is looked at and forgotten are the parents of one node.
        self.dag, self.gain = np.zeros((p, p), dtype=bool, order="F"), np.full((p, p), np.nan, order="F")
        self.ancestors = np.zeros((p, (p + 63) // 64), dtype=np.uint64)
        self.local = np.array([self._local(j) for j in range(p)])
        self.rounding = ROUNDING * max(abs(sum(self.local.tolist())), score.sample.n)
        self.place = places(self.local)
        self.steps: list[Step] = []
        for i, j in np.argwhere(known.directions & self.left).tolist():
            self.left[j, i] = False
        for i, j in np.argwhere(known.required).tolist():
            own = np.flatnonzero(self.dag[:, j]).tolist()
            self._add("required", ((i, j),), self.score.local(j, [*own, i]) - self.local[j])

    def orient_v_structures(self, triples: np.ndarray, tick: Tick) -> None:
        """Algorithm 4, lines 4-7: the v-structure that gains most, until none gains."""
        i, k, j = triples.T
        keys = np.column_stack([self.place[k], self.place[[i, j]].min(axis=0), self.place[[i, j]].max(axis=0)])
        alive = np.ones(len(triples), dtype=bool)
        gain = np.full(len(triples), np.nan)
        while True:
            self._ask(tick)
            asked = np.flatnonzero(alive & np.isnan(gain))
            gain[asked] = self._gains_of(k[asked], triples[asked][:, [0, 2]], tick)
            if not alive.any():
                return
            best = first_of_largest(np.where(alive, gain, -np.inf), keys, self.rounding)
            if not gain[best] > 0:
                return
            a, c, b = (int(v) for v in triples[best])
            # Arrows only ever come, so what contradicts them, or closes a cycle, does so for good.
            if self._fits(a, c) and self._fits(b, c):
                new = tuple((x, c) for x in (a, b) if not self.dag[x, c])
                self._add("v-structure", new, float(gain[best]), (a, b))
                gain[k == c] = np.nan
            else:
                alive[best] = False

    def orient_others(self, tick: Tick) -> None:
        """Lines 8-11: open edges into sinks, else those that rules compel; the best is taken or the worst set aside."""
        begin, near = neighbor_lists(self.left | self.left.T)
        known = self._half_oriented(np.argwhere(self.left))
        while True:
            self._ask(tick)
            op, edges = "knowledge", self._half_oriented(known)
            if len(edges) == 0:
                delete_complete_sinks(self.left, begin, near)
                op, edges = "sink", into_sinks(self.left, begin, near)
            if len(edges) == 0:
                op, edges = "rule", compelled(self.left, begin, near, self.ancestors)
            if len(edges) == 0:
                return
            i, j = edges.T
            self._fill_gains(edges[np.isnan(self.gain[i, j])], tick)
            gains, keys = self.gain[i, j], self.place[edges]
            best = first_of_largest(gains, keys, self.rounding)
            if gains[best] > 0:
                self._add(op, ((int(i[best]), int(j[best])),), float(gains[best]))
                continue
            worst = first_of_largest(-gains, keys, self.rounding)
            a, b = int(i[worst]), int(j[worst])
            self.left[a, b] = self.left[b, a] = False
            self.steps.append(Step("drop", ((a, b),), float(gains[worst])))

    def _half_oriented(self, edges: np.ndarray) -> np.ndarray:
        """Those of (m, 2) edges whose direction knowledge settles and that the DAG has not got; no step makes more."""
        i, j = edges.T
        return edges[self.left[i, j] & ~self.left[j, i] & ~self.dag[i, j]]

    def _fits(self, i: int, k: int) -> bool:
        """Whether i -> k contradicts no arrow, no knowledge, and closes no cycle."""
        return bool(self.left[i, k]) and not self.dag[k, i] and not above(self.ancestors, i, k)

    def _fill_gains(self, edges: np.ndarray, tick: Tick) -> None:
        """Of arrows (m, 2) into `gain`; -inf of those that close a cycle."""
        i, j = edges.T
        closing = np.fromiter((above(self.ancestors, a, b) for a, b in edges.tolist()), bool, len(edges))
        self.gain[i, j] = -np.inf
        self.gain[i[~closing], j[~closing]] = self._gains_of(j[~closing], edges[~closing][:, :1], tick)

    def _gains_of(self, nodes: np.ndarray, arriving: np.ndarray, tick: Tick) -> np.ndarray:
        """(m,): what the score gains if nodes (m,) get the parents (m, k) too; -inf for too many."""
        nodes, arriving = (np.ascontiguousarray(one, dtype=np.int64) for one in (nodes, arriving))
        found = np.empty(len(nodes))
        for begin in range(0, len(nodes), AT_ONCE):
            if begin:
                breathe(tick, PHASE)
            some = slice(begin, begin + AT_ONCE)
            self.score.make_room(AT_ONCE)
            given = (self.score.sample, self.score.cache, self.dag, nodes[some], arriving[some])
            gains_of(*given, self.most, self.local, found[some])
        return found

    def _add(self, op: str, arrows: tuple[tuple[int, int], ...], gain: float, parents: tuple[int, ...] = ()) -> None:
        for i, j in arrows:
            self.left[j, i] = False
            self.dag[i, j] = True
            add_arrow(self.ancestors, i, j)
            self.gain[:, j] = np.nan
            self.local[j] = self._local(j)
        self.steps.append(Step(op, arrows, gain, parents))

    def _local(self, j: int) -> float:
        """The score of a node with the parents that it has; `Score.local` would check anew that they make a family."""
        self.score.make_room(1)
        return local_score(self.score.sample, self.score.cache, j, np.flatnonzero(self.dag[:, j]))

    def _ask(self, tick: Tick) -> None:
        if len(self.steps) % TICK_EVERY == 0 and not tick(PHASE, len(self.steps), 0):
            raise Stopped
