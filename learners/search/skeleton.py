"""The skeleton phase of PC-stable, with the evidence about every pair.

Huang and Zhou (2022), algorithm 1 and equation (3.6); order independence after Colombo and Maathuis (2014).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from ..common.later import Later
from ..common.memory import allow
from ..common.numbering import ByPair
from ..common.parallel import in_pieces
from ..common.progress import Stopped, Tick, silent
from ..common.words import count, was
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..independence import CITest, LevelWalks, PoolWalks, Walks
from ..kernels.tests.levels import NOT_REACHED, UNTESTED, absorb, gather, weakest_first
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.results import TestResults
from ..kernels.tests.subsets import open_edges
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.ranking import Ranking
from ..results.rules import Rule
from ..results.trace import TraceBuilder

LN10 = math.log(10.0)
RULES = (Rule.TEST, Rule.UNTESTED, Rule.TEST)  # by the fate of an edge: separated, untested, kept
MANY_EDGES = 20_000  # fewer are folded in before a thread would have started


@dataclass(frozen=True, eq=False)
class PairEvidence(Later):
    """For every pair the hardest test so far: Φ_ij = max p visited and the set S_ij that attains it.

    Attributes
    ----------
    log_phi : (p, p) float64 array
        ln Φ, symmetric, -inf on the diagonal; NaN where no test was done.
    hardest : Sepsets
        S, for kept and separated pairs alike.
    """

    log_phi: ByPair
    hardest: Sepsets

    def ranking(self, joined: np.ndarray) -> Ranking:
        """The tested pairs by Φ, the smallest first."""
        return self._ranked("ln of the largest p", self.log_phi, 1.0, joined)

    def _ranked(self, measure: str, values: np.ndarray, sign: float, joined: np.ndarray) -> Ranking:
        """The tested pairs by `values` (p, p), the smallest times `sign` first."""
        i, j = np.nonzero(np.triu(~np.isnan(values), 1))
        order = np.lexsort((j, i, sign * values[i, j]))
        i, j = i[order], j[order]
        worth = sign * values[i, j]
        ranks = 1 + np.searchsorted(worth, worth)
        return Ranking(
            np.column_stack([i, j]), ranks, {measure: values[i, j]}, {"set": self.hardest.members[i, j]}, joined[i, j]
        )


def untested_warning(n_pairs: int) -> tuple[str, ...]:
    """Returns a sentence on pairs that were separated without a test; none if there are no such pairs."""
    if not n_pairs:
        return ()
    return (
        f"{count(n_pairs, 'pair')} {was(n_pairs)} separated without a test, for lack of rows; "
        "smaller conditioning sets, or for categorical data a smaller rows_per_cell, let more be tested",
    )


class SkeletonSearch:
    """State of a skeleton that only loses edges: adjacency, Φ, S and the trace of what happened.

    Parameters
    ----------
    ci_test, alpha
        As for `pc`.
    knowledge : BoundKnowledge
        Required pairs are never tested, forbidden ones apart from the start.
    draws : bool
        Whether the trace's graph follows the edges; else it stays empty, and the trace only tells of the tests.
    strongest_first : bool
        Whether sets are walked from the neighbours with the smallest Φ on; else in the order of the nodes.
    """

    kind = "tests"  # see `LearnResult`

    def __init__(
        self,
        ci_test: CITest,
        alpha: float,
        knowledge: BoundKnowledge,
        *,
        draws: bool = True,
        strongest_first: bool = False,
    ) -> None:
        p = ci_test.p
        self.ci_test = ci_test
        self.alpha = alpha
        self.adjacency = ~np.eye(p, dtype=bool)
        self.separated = np.zeros((p, p), dtype=bool)
        self.log_phi = np.full((p, p), np.nan)
        self.members = np.full((p, p, 0), -1, dtype=np.int32)
        self.trace = TraceBuilder(PDAG(self.adjacency) if draws else PDAG.empty(p))
        self.n_untested = 0
        self.strongest_first = strongest_first
        self._joined = knowledge.joined
        apart = open_edges(knowledge.apart, np.zeros((p, p), dtype=bool), 0)
        self.adjacency &= ~knowledge.apart
        part = Action.REMOVE if draws else Action.APART
        self._actions = (part, part, Action.KEEP)  # by fate of the edge: separated, untested, kept
        none = np.empty((len(apart), 0), np.int32)
        self.trace.extend(Phase(Stage.KNOWLEDGE), part, apart, none, rule=Rule.FORBIDDEN)

    def run_level(self, size: int, tick: Tick) -> bool:
        """Test every edge given sets of `size` neighbours, adjacencies frozen; False if no edge had such a set."""
        return self.run_on(Phase(Stage.LEVEL, size=size), self.adjacency.copy(), size, tick)

    def run_on(self, phase: Phase, frozen: np.ndarray, size: int, tick: Tick) -> bool:
        """Test the edges of `frozen` (p, p) alone, given sets of neighbours in it; False if none had such a set."""
        edges = open_edges(frozen, self._joined, size)
        if len(edges) == 0:
            return False
        self._run(LevelWalks(edges, frozen, size, self._first), phase, tick)
        return True

    @property
    def _first(self) -> np.ndarray | None:
        """(p, p) what the neighbours of each node are sorted by: Φ so far, or None for no order."""
        return self.log_phi if self.strongest_first else None

    def run_pools(
        self, phase: Phase, edges: np.ndarray, pools: PairPools, size: int, skip: np.ndarray, tick: Tick
    ) -> None:
        """Test each of `edges` (m, 2) given sets from a pool of its own, but those within a row of `skip` (m, s, p)."""
        if len(edges):
            self._run(PoolWalks(edges, pools, size, skip), phase, tick)

    def _run(self, walks: Walks, phase: Phase, tick: Tick) -> None:
        """Do the tests and fold them in, whole or as far as they came."""
        try:
            results = self.ci_test.separate(walks, self.alpha, phase=str(phase), tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                self._absorb(phase, walks.pairs, stopped.partial)
            raise
        self._absorb(phase, walks.pairs, results)

    def _absorb(self, phase: Phase, edges: np.ndarray, results: TestResults) -> None:
        """Fold the level's tests into Φ and S, drop the separated edges, and tell the trace."""
        self._widen(results.cond.shape[1])
        m, log_alpha = len(edges), math.log(self.alpha)
        fate = np.empty(m, dtype=np.uint8)
        known = (self.adjacency, self.separated, self.log_phi, self.members)
        _in_pieces(lambda begin, end: absorb(edges, results, begin, end, log_alpha, *known, fate), m)
        self.n_untested += np.count_nonzero(fate == UNTESTED)
        self.trace.later(partial(tell_tests, phase, edges, results, fate, self._actions, self.alpha))

    def _widen(self, size: int) -> None:
        p, _, width = self.members.shape
        if size > width:
            members = np.full((p, p, size), -1, dtype=np.int32)
            members[:, :, :width] = self.members
            self.members = members

    def resumed(self, by: SkeletonSearch) -> Self:
        """The search as it stands, to go on with in the run of `by`; what it holds now stays as it is."""
        own = copy(self)
        own.ci_test, own.alpha, own.trace = by.ci_test, by.alpha, self.trace.copy()
        own.adjacency, own.separated = self.adjacency.copy(), self.separated.copy()
        return own

    @property
    def sepsets(self) -> Sepsets:
        """The separating sets found so far: views, for a search that is over."""
        return Sepsets(self.members.view(), self.separated.view())

    @property
    def evidence(self) -> PairEvidence:
        """Φ and S of all pairs."""
        log_phi = self.log_phi.copy()
        np.fill_diagonal(log_phi, -np.inf)
        log_phi.flags.writeable = False
        return PairEvidence(log_phi, Sepsets(self.members.view(), ~np.isnan(self.log_phi)))

    @property
    def skeleton(self) -> PDAG:
        """The edges left, undirected."""
        return PDAG(self.adjacency)

    @property
    def graph(self) -> PDAG:
        """The skeleton, as a trace that draws has drawn it so far."""
        return self.skeleton

    @property
    def warnings(self) -> tuple[str, ...]:
        """Says how many pairs were separated without a test, for lack of rows."""
        return untested_warning(self.n_untested)


def tell_tests(
    phase: Phase,
    edges: np.ndarray,
    results: TestResults,
    fate: np.ndarray,
    actions: tuple[Action, ...],
    alpha: float,
    trace: TraceBuilder,
) -> None:
    """One event an edge that was tested: those of each fate together, the weakest first."""
    order, end_of = weakest_first(results.log_p, fate, NOT_REACHED + 1)
    pairs, ranked = np.empty_like(edges), TestResults(*(np.empty_like(column) for column in results))
    _in_pieces(lambda begin, end: gather(edges, results, order, begin, end, pairs, ranked), len(edges))
    ranked.cond.sort(axis=1)  # sets may have been walked in an order of their own
    begin = 0
    for action, rule, end in zip(actions, RULES, end_of.tolist(), strict=False):
        which = slice(begin, end)
        trace.extend(
            phase,
            action,
            pairs[which],
            ranked.cond[which],
            rule=rule,
            statistic=ranked.statistic[which],
            dof=ranked.dof[which],
            log_p=ranked.log_p[which],
            threshold=alpha,
            n_tests=ranked.n_tests[which],
            n_rows=ranked.rows_told(which),
        )
        begin = end


def _in_pieces(kernel: Callable[[int, int], None], total: int) -> None:
    """``kernel(begin, end)`` over all items, on every core where there are many."""
    if total <= MANY_EDGES:
        kernel(0, total)
        return

    def piece(begin: int, end: int, _stop: np.ndarray, done: np.ndarray) -> None:
        kernel(begin, end)
        done[0] += end - begin

    in_pieces(lambda: piece, total, phase="", tick=silent, light=True, first=MANY_EDGES)


def learn_skeleton(search: SkeletonSearch, max_cond_size: int | None, tick: Tick) -> None:
    """Levels 0, 1, ... of PC-stable on `search`, up to `max_cond_size`.

    Raises
    ------
    Stopped
        If cancelled; `search` holds what was finished.
    """
    size = 0
    while (max_cond_size is None or size <= max_cond_size) and search.run_level(size, tick):
        size += 1


def nothing_skipped(n_edges: int, n_pools: int, p: int) -> np.ndarray:
    """(n_edges, n_pools, p) bool, all False: pools of each edge whose sets it skips."""
    allow(float(n_edges) * n_pools * p, f"the sets of {n_edges:,} edges", "lower alpha")
    return np.zeros((n_edges, n_pools, p), dtype=bool)
