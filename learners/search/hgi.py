"""Hybrid greedy initialization (HGI): orient a skeleton by the gain of each v-structure and edge in score.

Huang and Zhou (2022), algorithm 4. `hgi` finds the DAG; `record_initialization` records its steps in a trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..common.relabeling import as_nodes
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.rules import Rule
from ..kernels.graphs.adjacency import neighbor_lists
from ..kernels.search import hgi as hgi_kernels
from ..kernels.search.hgi import MAX_SCORES, HGILimits, HGIState, HGITriples
from ..kernels.search.hill_climbing import ROUNDING
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.trace import TraceBuilder
from ..scores.score import FamilyScore
from .climber import ranks_of

PHASE = Phase(Stage.INITIAL_GRAPH)
OPS = ("v-structure", "knowledge", "sink", "rule", "drop")  # names by the codes of the kernels
# The rule of each operation, except v-structures.
RULES = {"required": Rule.REQUIRED, "knowledge": Rule.KNOWN, "sink": Rule.SINK, "rule": Rule.IMPLIED}
COLLIDER = {1: (Rule.COLLIDER_COMPLETED,), 2: (Rule.COLLIDER_BEGUN, Rule.COLLIDER)}  # rules, by number of new arrows


@dataclass(frozen=True)
class Step:
    """One step of the initialization.

    Attributes
    ----------
    op : "required", "v-structure", "knowledge", "sink", "rule" or "drop"
        Reason for the direction of the arrows; "drop" leaves the edge out.
    arrows : tuple of (int, int)
    gain : float
        Gain of score by the arrows; for "drop", the gain that they would have had.
    parents : tuple of int
        Both parents of a v-structure, one of which may have been oriented before.
    """

    op: str
    arrows: Annotated[tuple[tuple[int, int], ...], as_nodes]
    gain: float
    parents: Annotated[tuple[int, ...], as_nodes] = ()


@dataclass(frozen=True, eq=False)
class Initialization:
    """A DAG within a skeleton, its score, and the steps from the empty graph to it."""

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
    """Orient a skeleton greedily, without edges that do not raise the score.

    Parameters
    ----------
    score : FamilyScore
    skeleton : (p, p) bool array
        Symmetric.
    v_structures : (m, 3) integer array
        Candidates i -> k <- j as rows i, k, j.
    max_parents : int, optional
        Maximum number of parents of a node. Default: as many as the score allows.
    knowledge : BoundKnowledge, optional
        Required edges are oriented first; directions that it rules out are never used.
    tick : Tick, optional

    Raises
    ------
    Stopped
        If cancelled.

    Notes
    -----
    With the true skeleton and v-structures, and enough rows, the DAG is in the class of the true one (lemma 1). Of
    steps with equal gains, the one on the nodes with the highest score without parents comes first. So the result does
    not depend on the order of the columns unless such nodes have equal scores.
    """
    run = _Run(score, skeleton, max_parents, knowledge or BoundKnowledge.none(len(skeleton)))
    run.advance(np.asarray(v_structures, dtype=np.int64).reshape(-1, 3), tick)
    return Initialization(PDAG(run.state.dag), float(sum(run.state.local.tolist())), (*run.required, *run.steps()))


class _Run:
    """State and limits of the kernels."""

    def __init__(
        self, score: FamilyScore, skeleton: np.ndarray, max_parents: int | None, known: BoundKnowledge
    ) -> None:
        p = len(skeleton)
        self.score = score
        left = np.array(skeleton, dtype=bool) | known.joined
        begin, near = neighbor_lists(left)
        local = score.alone()
        most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
        self.limits = HGILimits(most, ROUNDING * max(abs(sum(local.tolist())), score.sample.n), ranks_of(local))
        self.state = HGIState(
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
        """Make all steps, given the candidates for v-structures `nodes` (m, 3); raise Stopped if cancelled."""
        place = self.limits.place[nodes]
        keys = np.column_stack([place[:, 1], place[:, [0, 2]].min(axis=1), place[:, [0, 2]].max(axis=1)])
        triples = HGITriples(nodes, keys, np.full(len(nodes), np.nan), np.ones(len(nodes), dtype=bool))
        done = False
        while not done:
            if not tick(str(PHASE), len(self.required) + int(self.state.n_steps[0]), 0):
                raise Stopped
            self.score.make_room(MAX_SCORES)
            args = self.score.sample, self.score.cache, self.state, triples, self.settled, self.limits
            done = hgi_kernels.advance(*args)

    def steps(self) -> Iterator[Step]:
        """Yield the steps of the kernels."""
        n = self.state.n_steps[0]
        for (op, i, k, j, *new), gain in zip(self.state.steps[:n].tolist(), self.state.gains[:n].tolist(), strict=True):
            arrows = tuple((parent, k) for parent, is_new in zip((i, j), new, strict=True) if is_new)
            yield Step(OPS[op], arrows, gain, (i, j) if op == hgi_kernels.V_STRUCTURE else ())

    def _require(self, i: int, j: int) -> Step:
        """Add a required edge."""
        own = np.flatnonzero(self.state.dag[:, j]).tolist()
        gain = self.score.local(j, [*own, i]) - float(self.state.local[j])
        hgi_kernels.orient_edge(self.score.sample, self.score.cache, self.state, i, j)
        return Step("required", ((i, j),), gain)


def record_initialization(trace: TraceBuilder, start: Initialization, skeleton: np.ndarray) -> np.ndarray:
    """Record the steps in a trace that draws the skeleton, one event per arrow, and return the score after each.

    Parameters
    ----------
    trace : TraceBuilder
        Records each arrow with the gain of its step, by one of the rules `DRAWN` or by REQUIRED; the arrows of a
        v-structure have the other parent as their set. Edges without an arrow are removed: by NO_GAIN, with the gain
        they would have had, or by UNSETTLED.
    start : Initialization
    skeleton : (p, p) bool array
        The edges drawn.

    Returns
    -------
    (n_events + 1,) float64 array
        Score of the arrows alone: without any, then after each event. Within a step it is the score before the step.
    """
    score = start.score - sum(step.gain for step in start.steps if step.op != "drop")
    scores = [score]
    unsettled = np.triu(skeleton & ~start.dag.skeleton)
    for step in start.steps:
        if step.op == "drop":
            ((i, j),) = step.arrows
            trace.add(PHASE, Action.REMOVE, i, j, rule=Rule.NO_GAIN, statistic=step.gain)
            unsettled[min(i, j), max(i, j)] = False
            scores.append(score)
            continue
        _record_arrows(trace, step)
        scores += [score] * (len(step.arrows) - 1)
        score += step.gain
        scores.append(score)
    left_out = np.argwhere(unsettled).tolist()
    for i, j in left_out:
        trace.add(PHASE, Action.REMOVE, i, j, rule=Rule.UNSETTLED)
    scores += [score] * len(left_out)
    return np.array(scores)


def _record_arrows(trace: TraceBuilder, step: Step) -> None:
    """Record the arrows of one step; those of a v-structure with the other parent."""
    rules = COLLIDER[len(step.arrows)] if step.op == "v-structure" else (RULES[step.op],)
    for rule, (i, j) in zip(rules, step.arrows, strict=True):
        others = tuple(k for k in step.parents if k != i)
        trace.add(PHASE, Action.ORIENT, i, j, others, rule=rule, statistic=step.gain)
