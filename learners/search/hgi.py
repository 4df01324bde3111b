"""Hybrid greedy initialization: v-structures and the other edges of a skeleton oriented by what they gain.

Huang and Zhou (2022), algorithm 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.numbering import as_nodes
from ..common.progress import Stopped, Tick, silent
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search import initial_dag
from ..kernels.search.climbing import ROUNDING
from ..kernels.search.initial_dag import MOST_SCORES, Limits, Start, Triples
from ..kernels.tests.subsets import neighbor_lists
from ..scores import FamilyScore
from .climber import places

PHASE = "initial graph"
OPS = ("v-structure", "knowledge", "sink", "rule", "drop")  # as the kernels number them


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
    run.advance(np.asarray(v_structures, dtype=np.int64).reshape(-1, 3), tick)
    return Initialization(PDAG(run.state.dag), float(sum(run.state.local.tolist())), (*run.required, *run.told()))


class _Run:
    """The state of the kernels, and what they may do."""

    def __init__(
        self, score: FamilyScore, skeleton: np.ndarray, max_parents: int | None, known: BoundKnowledge
    ) -> None:
        p = len(skeleton)
        self.score = score
        left = np.array(skeleton, dtype=bool) | known.joined
        begin, near = neighbor_lists(left)
        local = score.alone()
        most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
        self.limits = Limits(most, ROUNDING * max(abs(sum(local.tolist())), score.sample.n), places(local))
        self.state = Start(
            left=left,
            dag=np.zeros((p, p), dtype=bool),
            ancestors=np.zeros((p, (p + 63) // 64), dtype=np.uint64),
            local=local,
            begin=begin,
            near=near,
            gain=np.full(len(near), np.nan),
            changed=np.ones(p, dtype=bool),
            sink=np.zeros(p, dtype=bool),
            steps=np.zeros((len(near), 6), dtype=np.int64),
            gains=np.zeros(len(near)),
            n_steps=np.zeros(1, dtype=np.int64),
            tried=np.zeros(1, dtype=bool),
        )
        self.settled = np.argwhere(known.directions & left)
        left[self.settled[:, 1], self.settled[:, 0]] = False
        self.required = [self._require(i, j) for i, j in np.argwhere(known.required).tolist()]

    def advance(self, nodes: np.ndarray, tick: Tick) -> None:
        """Take all steps, the candidates for v-structures being `nodes` (m, 3), with a tick now and then."""
        place = self.limits.place[nodes]
        keys = np.column_stack([place[:, 1], place[:, [0, 2]].min(axis=1), place[:, [0, 2]].max(axis=1)])
        triples = Triples(nodes, keys, np.full(len(nodes), np.nan), np.ones(len(nodes), dtype=bool))
        done = False
        while not done:
            if not tick(PHASE, len(self.required) + int(self.state.n_steps[0]), 0):
                raise Stopped
            self.score.make_room(MOST_SCORES)
            given = self.score.sample, self.score.cache, self.state, triples, self.settled, self.limits
            done = initial_dag.advance(*given)

    def told(self) -> Iterator[Step]:
        """The steps of the kernels."""
        n = self.state.n_steps[0]
        for (op, i, k, j, *new), gain in zip(self.state.steps[:n].tolist(), self.state.gains[:n].tolist(), strict=True):
            arrows = tuple((parent, k) for parent, comes in zip((i, j), new, strict=True) if comes)
            yield Step(OPS[op], arrows, gain, (i, j) if op == initial_dag.V_STRUCTURE else ())

    def _require(self, i: int, j: int) -> Step:
        own = np.flatnonzero(self.state.dag[:, j]).tolist()
        gain = self.score.local(j, [*own, i]) - float(self.state.local[j])
        initial_dag.add(self.score.sample, self.score.cache, self.state, i, j)
        return Step("required", ((i, j),), gain)
