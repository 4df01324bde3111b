"""Markov blankets of all variables in parallel, then the neighbours within the blankets.

Blankets by Fast-IAMB (Yaramakala and Margaritis 2005), neighbours as in grow-shrink (Margaritis and Thrun 2000). A
*side* (t, x) is the question whether x is in the blanket of its target t; each pair has two. A pair stays adjacent only
if each variable is in the blanket of the other and no set within the smaller blanket separates the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...common.arrays import frozen
from ...common.progress import Stopped, Tick, check_cancelled
from ...common.relabeling import ByPair, Triples
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import Rule
from ...independence.ci_test import CITest
from ...independence.set_search import LevelSearch, Pools, PoolSearch
from ...kernels.ci.pair_pools import PairPools, side_pools
from ...kernels.ci.results import CIResults, empty_results, keep_last
from ...kernels.graphs.adjacency import neighbor_lists, open_edges
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...search.skeleton_levels import PairEvidence, SkeletonSearch, TestedEdges

MIN_ROWS_PER_CELL = 5.0  # k of the paper: minimum number of rows per cell of a test's table
MAX_NEW = 10  # maximum number of members added in a round; with more, tests of continuous data become slow and weak
NO_ROOM = -1e18  # weight of sides that were not separated; less than any ln p
PHASE = Phase(Stage.BLANKETS)


@dataclass(frozen=True, eq=False)
class Blankets(PairEvidence):
    """The hardest test of every pair, the Markov blankets, and the v-structures.

    Attributes
    ----------
    blankets : (p, p) bool array
        Entry [t, x] is True if x is in the blanket of t. An edge needs both entries.
    v_structures : (m, 3) int64 array
        Triples i, k, j whose ends are dependent given every tested set with k.
    """

    blankets: ByPair
    v_structures: Triples


class BlanketSearch(SkeletonSearch):
    """A skeleton search that finds Markov blankets first.

    Parameters
    ----------
    ci_test, alpha, knowledge, draws
        As for `SkeletonSearch`. Required partners are in the blanket from the start and are never removed.
    """

    def __init__(self, ci_test: CITest, alpha: float, knowledge: BoundKnowledge, *, draws: bool = True) -> None:
        super().__init__(ci_test, alpha, knowledge, draws=draws)
        p = ci_test.p
        self._forbidden = np.argwhere(np.triu(knowledge.apart))
        self._log_alpha = math.log(alpha)
        self._marginal_log_p = np.full((p, p), np.nan)
        self._marginal_statistic = np.full((p, p), np.nan)
        self._pools = Pools.empty(p)
        for t, x in np.argwhere(knowledge.joined).tolist():
            self._pools = self._pools.with_one_more(np.array([t]), np.array([x]))
        # The last test of each side, and the number of its tests.
        self._last = empty_results(p * p, 0, rows_vary=ci_test.rows_vary)
        self._sets = self._last.cond  # has spare columns for more members
        self._last.log_p[:] = np.nan

    @property
    def blankets(self) -> np.ndarray:
        """(p, p) bool: entry [t, x] is True if x is in the blanket of t."""
        inside = np.zeros((self.ci_test.p, self.ci_test.p), dtype=bool)
        targets = np.repeat(np.arange(self.ci_test.p), self._pools.sizes)
        is_member = np.arange(self._pools.members.shape[1]) < self._pools.sizes[:, None]
        inside[targets, self._pools.members[is_member]] = True
        return inside

    def found(self, v_structures: np.ndarray) -> Blankets:
        """Return the evidence of the search with the blankets and the given v-structures."""
        return Blankets(**vars(self.evidence), blankets=frozen(self.blankets), v_structures=v_structures)

    def learn(self, max_cond_size: int | None, tick: Tick) -> None:
        """Test all pairs marginally, find the blankets, and test sets of up to `max_cond_size` members within them.

        Raises
        ------
        Stopped
            If cancelled; the search has the tests done so far.
        """
        self.test_level(Phase(Stage.LEVEL, size=0), self.adjacency.copy(), 0, tick)
        try:
            self._test_forbidden(tick)
            self._find_blankets(tick)
        finally:
            self._record_sides()
        self._remove_outside_blanket()
        self._test_within_blankets(max_cond_size, tick)

    def _test_forbidden(self, tick: Tick) -> None:
        """Test the forbidden pairs marginally, since nonadjacent variables can be in each other's blankets."""
        if len(self._forbidden):
            searches = LevelSearch.marginal(self._forbidden, self.ci_test.p)
            self._keep_marginal(self._forbidden, self._results(str(PHASE), self._forbidden, searches, tick))

    def _keep_marginal(self, pairs: np.ndarray, results: CIResults) -> None:
        """Keep the results of marginal tests."""
        i, j = pairs.T
        self._marginal_log_p[i, j] = self._marginal_log_p[j, i] = results.log_p
        self._marginal_statistic[i, j] = self._marginal_statistic[j, i] = results.statistic

    def _find_blankets(self, tick: Tick) -> None:
        """Alternate growing and shrinking until nothing outside a blanket depends on its target."""
        active = np.arange(self.ci_test.p)
        seen = [{frozenset(self._pools.of(t))} for t in active]
        number = 1
        while len(active):
            phase = f"{PHASE}, round {number}"
            grown = self._grow(phase, active, tick)
            self._shrink(phase, grown, tick)
            blankets = {t: frozenset(self._pools.of(t)) for t in grown.tolist()}
            # Tests of finite samples can contradict one another, so a blanket can return to an earlier state.
            active = np.array([t for t, blanket in blankets.items() if blanket not in seen[t]], dtype=np.int64)
            for t, blanket in blankets.items():
                seen[t].add(blanket)
            number += 1

    def _grow(self, phase: str, targets: np.ndarray, tick: Tick) -> np.ndarray:
        """Add to each blanket the variables that depend on its target given the blanket, the strongest first.

        Returns the targets whose blankets grew.
        """
        check_cancelled(tick, phase)
        outside = ~self.blankets
        np.fill_diagonal(outside, False)
        sides = np.argwhere(outside[targets])
        sides[:, 0] = targets[sides[:, 0]]
        check_cancelled(tick, phase)
        log_p, strength = self._test_sides(phase, sides, tick)
        check_cancelled(tick, phase)
        dependent = self._dependent(sides, log_p, strength)
        begin = np.searchsorted(dependent[:, 0], targets)
        end = np.searchsorted(dependent[:, 0], targets, side="right")
        new = []
        for t, first, last in zip(targets.tolist(), begin.tolist(), end.tolist(), strict=True):
            new.append(list(self._affordable(t, self._pools.of(t), dependent[first:last, 1].tolist())))
            check_cancelled(tick, phase)
        for position in range(max(map(len, new), default=0)):
            growing = [at for at, members in enumerate(new) if len(members) > position]
            self._pools = self._pools.with_one_more(targets[growing], np.array([new[at][position] for at in growing]))
        return targets[[len(members) > 0 for members in new]]

    def _dependent(self, sides: np.ndarray, log_p: np.ndarray, strength: np.ndarray) -> np.ndarray:
        """Return the dependent sides by target, the strongest of each target first."""
        rows = np.flatnonzero(log_p <= self._log_alpha)
        return sides[rows[np.lexsort((-strength[rows], log_p[rows], sides[rows, 0]))]]

    def _affordable(self, t: int, blanket: list[int], candidates: list[int]) -> Iterator[int]:
        """Yield the first candidates, up to one that would leave too few rows for each cell."""
        cond = list(blanket)
        for x in candidates[:MAX_NEW]:
            if self.ci_test.rows_for_each_cell(t, x, cond) < MIN_ROWS_PER_CELL:
                return
            cond.append(x)
            yield x

    def _shrink(self, phase: str, targets: np.ndarray, tick: Tick) -> None:
        """Test the members of each blanket in the order of their addition; remove those independent given the rest."""
        turn = np.zeros(self.ci_test.p, dtype=np.int64)
        while len(targets := targets[turn[targets] < self._pools.sizes[targets]]):
            members = self._pools.members[targets, turn[targets]]
            free = ~self._required[targets, members]
            turn[targets[~free]] += 1
            testing, members = targets[free], members[free]
            log_p, _ = self._test_sides(phase, np.column_stack([testing, members]), tick)
            independent = log_p > self._log_alpha
            if independent.any():
                self._pools = self._pools.without(testing[independent], turn[testing[independent]])
            turn[testing[~independent]] += 1

    def _test_sides(self, phase: str, sides: np.ndarray, tick: Tick) -> tuple[np.ndarray, np.ndarray]:
        """Return (ln p, |statistic|) of each side given the blanket of its target without the partner."""
        inside = self.blankets
        sizes = self._pools.sizes[sides[:, 0]] - inside[sides[:, 0], sides[:, 1]]
        log_p = self._marginal_log_p[sides[:, 0], sides[:, 1]]
        statistic = self._marginal_statistic[sides[:, 0], sides[:, 1]]
        for rows in self._tested_at_once(sizes):
            results = self._test_given(phase, sides[rows], sizes[rows], tick)
            log_p[rows], statistic[rows] = results.log_p, results.statistic
        return log_p, np.abs(np.nan_to_num(statistic))

    def _tested_at_once(self, sizes: np.ndarray) -> list[np.ndarray]:
        """Return the rows with sets, all together or by size."""
        has_set = sizes > 0
        if not self.ci_test.mixes_sizes:
            return [np.flatnonzero(sizes == size) for size in np.unique(sizes[has_set]).tolist()]
        return [np.flatnonzero(has_set)] if has_set.any() else []

    def _test_given(self, phase: str, sides: np.ndarray, sizes: np.ndarray, tick: Tick) -> CIResults:
        """Test the sides given the blankets of their targets, which have `sizes` members besides the partner."""
        targets, partners = sides[:, 0], sides[:, 1:]
        members = self._pools.members[targets]
        used = (np.arange(members.shape[1]) < self._pools.sizes[targets, None]) & (members != partners)
        members = np.sort(np.where(used, members, self.ci_test.p), axis=1)
        begin = np.concatenate([[0], np.cumsum(sizes)])
        pools = PairPools(begin, members[np.arange(members.shape[1]) < sizes[:, None]])
        return self._results(phase, sides, PoolSearch(sides, pools, int(sizes.max()), whole=True), tick)

    def _results(self, phase: str, sides: np.ndarray, searches: LevelSearch | PoolSearch, tick: Tick) -> CIResults:
        """Test the sides and keep their results, partial ones if cancelled."""
        try:
            results = self.ci_test.separate(searches, self.alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                self._keep_last(sides, stopped.partial)
            raise
        self._keep_last(sides, results)
        return results

    def _keep_last(self, sides: np.ndarray, results: CIResults) -> None:
        """Keep the last test of each side."""
        self._last = self._with_sets_of(results.cond.shape[1])
        keep_last(self._last._replace(cond=self._sets), sides @ (self.ci_test.p, 1), results)

    def _with_sets_of(self, width: int) -> CIResults:
        """Return an array of the last tests with space for sets of `width` members.

        The room grows by half each time, since each time p² sets are copied.
        """
        known = self._last.cond
        if width > self._sets.shape[1]:
            begin, room = known.shape[1], max(width + 4, 3 * known.shape[1] // 2)
            self._sets = np.empty((len(known), room), dtype=np.int32)
            self._sets[:, :begin], self._sets[:, begin:] = known, -1
        return self._last._replace(cond=self._sets[:, : max(width, known.shape[1])])

    def _record_sides(self) -> None:
        """Record for each tested side, with its last test, if the partner is in the blanket."""
        at = np.flatnonzero(self._last.n_tests > 0)
        sides = np.column_stack(np.divmod(at, self.ci_test.p))
        inside = self.blankets[sides[:, 0], sides[:, 1]]
        actions, tested = np.where(inside, Action.KEEP, Action.APART), self._last.tested[at]
        for rule, part in ((Rule.BLANKET, tested), (Rule.BLANKET_UNTESTED, ~tested)):
            self._record_rows(actions[part], sides[part], at[part], rule=rule)

    def _remove_outside_blanket(self) -> None:
        """Remove the pairs in which one variable is not in the blanket of the other."""
        p, inside = self.ci_test.p, self.blankets
        pairs = open_edges(self.adjacency & ~(inside & inside.T), self._required, 0)
        both = np.stack([pairs @ (p, 1), pairs[:, ::-1] @ (p, 1)])
        # If both sides exclude the pair, prefer a test, then the larger p-value. Otherwise a blanket was full.
        log_p = self._last.log_p[both] + np.where(self._last.tested[both], 0.0, NO_ROOM / 2)
        weight = np.where(self._last.log_p[both] > self._log_alpha, log_p, NO_ROOM)
        weight[inside.ravel()[both]] = -np.inf
        side, weight = np.argmax(weight, axis=0), weight.max(axis=0)
        at = both[side, np.arange(len(pairs))]
        sides = np.where(side[:, None] == 1, pairs[:, ::-1], pairs)
        refused = weight > NO_ROOM
        self.adjacency[pairs[:, 0], pairs[:, 1]] = self.adjacency[pairs[:, 1], pairs[:, 0]] = False
        self._widen(self._last.cond.shape[1])
        for i, j in (sides[refused].T, sides[refused, ::-1].T):
            self.separated[i, j] = True
            self.log_phi[i, j] = self._last.log_p[at[refused]]
            self.members[i, j] = -1
            self.members[i, j, : self._last.cond.shape[1]] = self._last.cond[at[refused]]
        untested = refused & ~self._last.tested[at]
        self.n_untested += int((~refused | untested).sum())
        for rule, part in ((Rule.NO_ROOM, ~refused), (Rule.UNTESTED, untested), (Rule.TEST, refused & ~untested)):
            rows = np.flatnonzero(part)
            rows = rows[np.argsort(-self._last.log_p[at[rows]], kind="stable")]
            actions = np.full(len(rows), self._actions[0])
            self._record_rows(actions, sides[rows], at[rows], rule=rule, counted=False)

    def _record_rows(
        self, actions: np.ndarray, sides: np.ndarray, at: np.ndarray, *, rule: Rule, counted: bool = True
    ) -> None:
        """Record one event per side with its last test; only events that are `counted` have the number of tests."""
        last, all_rows = self._last.rows(at), slice(None)
        numbers = {name: getattr(last, name) for name in ("statistic", "dof", "log_p")}
        numbers |= {"n_tests": last.n_tests * counted, "n_rows": last.row_counts(all_rows), "threshold": self.alpha}
        self.trace.extend(PHASE, actions, sides, last.cond, rule=rule, **numbers)

    def _test_within_blankets(self, max_cond_size: int | None, tick: Tick) -> None:
        """Test each pair given the sets within the smaller blanket, or within both if they are equally large."""
        mutual = self.blankets
        mutual &= mutual.T
        sizes = mutual.sum(axis=1)
        widest, lists = int(sizes.max(initial=0)), neighbor_lists(mutual)
        for size in range(1, (widest if max_cond_size is None else min(max_cond_size, widest)) + 1):
            for side in (0, 1):
                edges = open_edges(self.adjacency, self._required, 0)
                own, other = sizes[edges[:, side]], sizes[edges[:, 1 - side]]
                edges = edges[(own <= other) & (own > size)]
                pools, skip = side_pools(edges, *lists, side), partial(_tested_from_first, mutual, sizes, side)
                self.test_pools(Phase(Stage.WITHIN_BLANKETS, size=size), edges, pools, size, skip, tick)

    def _keep(self, edges: np.ndarray, results: CIResults) -> TestedEdges:
        if results.cond.shape[1] == 0:
            self._keep_marginal(edges, results)
        return super()._keep(edges, results)


def _tested_from_first(mutual: np.ndarray, sizes: np.ndarray, side: int, edges: np.ndarray) -> np.ndarray:
    """Return (m, side, p) bool, the blanket that the sets of the second side were drawn from before, if there is one.

    Parameters
    ----------
    mutual : (p, p) bool array
        The blankets, without members that do not have the target in their own.
    sizes : (p,) int64 array
        Their sizes. Where both are equally large, the sets within the first were tested before.
    side : int
        0 for the first node of each pair, 1 for the second.
    edges : (m, 2) int64 array
    """
    skip = np.zeros((len(edges), side, mutual.shape[0]), dtype=bool)
    if side:
        same = sizes[edges[:, 0]] == sizes[edges[:, 1]]
        skip[same, 0] = mutual[edges[same, 0]]
    return skip
