"""Skeletons by conditional-independence tests: PC's loop over sizes, and the state that it shares with its relatives.

`learn_skeleton` is the loop, and `SkeletonSearch` the state: its method `test_level` is the body of the loop.

Of every pair the search keeps the *hardest* test so far, that with the largest p-value. Huang and Zhou (2022) call this
p-value Φ (equation 3.6) and its conditioning set S.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from itertools import count as count_up
from typing import NamedTuple, Self

import numpy as np

from ..common.arrays import frozen
from ..common.lazy_dataclass import LazyDataclass
from ..common.parallel import run_chunks
from ..common.progress import Stopped, Tick, silent
from ..common.relabeling import ByPair
from ..common.run_warning import RunWarning
from ..common.sentences import Count, Setting, say
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.rules import Rule
from ..graphs.sepsets import Sepsets
from ..independence.ci_test import CITest
from ..independence.set_search import LevelSearch, PoolSearch, SetSearch
from ..kernels.ci.level_results import (
    KEPT,
    NOT_REACHED,
    SEPARATED,
    UNTESTED,
    fill_ranked,
    record_level,
    weakest_first,
)
from ..kernels.ci.pair_pools import PairPools
from ..kernels.ci.results import CIResults, empty_results
from ..kernels.graphs.adjacency import open_edges
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.ranking import Ranking
from ..results.trace import TraceBuilder

LN10 = math.log(10.0)
KNOWLEDGE = Phase(Stage.KNOWLEDGE)
RULES = (Rule.TEST, Rule.UNTESTED, Rule.TEST)  # rule of an event by the fate of its edge: separated, untested, kept
MAX_INT16 = np.iinfo(np.int16).max
MIN_COMPACT = 2_000  # number of variables from which conditioning sets take two bytes a member
MAX_SKIPPED = 4  # maximum number of sets whose subsets an edge skips
MAX_SKIP_BYTES = 1 << 27  # memory that these sets may take at once
REPEATED_ALPHA = 0.5  # level of single tests that are repeated; their results do not depend on it
MAX_BLOCK_EDGES = 1 << 19  # maximum number of pairs of variables that are tested before their results are compacted
MAX_SERIAL_EDGES = 20_000  # maximum number of edges that are recorded faster than a thread starts


def learn_skeleton(search: SkeletonSearch, max_cond_size: int | None, tick: Tick) -> None:
    """Remove each edge that a set of neighbours of one end separates: sets of size 0 first, then 1, 2, ...

    Step 1 of PC-stable, algorithm 4.1 of Colombo and Maathuis (2014). The adjacencies of a level are frozen; its
    removals take effect at the next level. The loop ends when no edge has a set of the size left.

    Parameters
    ----------
    search : SkeletonSearch
        Not started; records the tests and has the skeleton afterwards.
    max_cond_size : int or None
        Size of the largest conditioning set.
    tick : Tick

    Raises
    ------
    Stopped
        If cancelled; `search` has the tests done so far.
    """
    for size in count_up() if max_cond_size is None else range(max_cond_size + 1):
        if not search.test_level(Phase(Stage.LEVEL, size=size), search.adjacency.copy(), size, tick):
            break
    search.separate_forbidden(max_cond_size, tick)  # not in PC: pairs that background knowledge keeps apart


@dataclass(frozen=True, eq=False)
class PairEvidence(LazyDataclass):
    """The hardest test of every pair: Φ_ij, the largest p-value, and S_ij, its conditioning set.

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
        """Return the tested pairs in ascending order of Φ; `joined` (p, p) marks the adjacent ones."""
        return self._ranked("ln of the largest p", self.log_phi, 1.0, joined)

    def _ranked(self, measure: str, values: np.ndarray, sign: float, joined: np.ndarray) -> Ranking:
        """Return the tested pairs in ascending order of ``sign * values``, a (p, p) array."""
        i, j = np.nonzero(np.triu(~np.isnan(values), 1))
        order = np.argsort(sign * values[i, j], kind="stable")  # equal ones by i, then j
        i, j = i[order], j[order]
        found = values[i, j]
        is_first = np.ones(len(found), dtype=bool)  # True for the first of several pairs with one value
        is_first[1:] = found[1:] != found[:-1]
        ranks = 1 + np.maximum.accumulate(np.where(is_first, np.arange(len(found)), 0))
        return Ranking(
            np.column_stack([i, j]), ranks, {measure: found}, {"set": self.hardest.members[i, j]}, joined[i, j]
        )


def untested_warning(n_pairs: int) -> tuple[RunWarning, ...]:
    """Return a warning about pairs that were separated without a test, or an empty tuple."""
    if not n_pairs:
        return ()
    sentence = say(
        "{pairs} separated without a test, because there are too few rows; use smaller conditioning sets, or for "
        "categorical data a smaller {setting}",
        pairs=Count(n_pairs, "pair was", "pairs were"),
        setting=Setting("rows_per_cell"),
    )
    return (RunWarning("untested", sentence),)


class SkeletonSearch:
    """State of a search that starts from the complete graph and only removes edges.

    Parameters
    ----------
    ci_test, alpha
        As for `pc`.
    knowledge : BoundKnowledge
        Required pairs are never tested; forbidden pairs are never adjacent.
    draws : bool
        If True, the graph of the trace loses the edges that the search removes; otherwise it has none, and the trace
        only records the tests.
    strongest_first : bool
        If True, conditioning sets are drawn from the neighbours in ascending order of Φ; otherwise in column order.

    Attributes
    ----------
    adjacency : (p, p) bool array
        The edges left.
    separated : (p, p) bool array
        Pairs that a test separated.
    log_phi : (p, p) float64 array
        ln Φ of each pair; NaN where no test was done.
    members : (p, p, k) int32 array, int16 for many variables
        S of each pair, padded with -1.
    apart : (p, p) bool array
        Pairs that background knowledge forbids in both directions.
    trace : TraceBuilder
    n_untested : int
        Pairs separated without a test, for lack of rows.
    """

    kind = "tests"  # kind of a result whose `extra` is the evidence of this search
    graph_type: type[PDAG] = PDAG  # type of the skeleton and of the graphs of the trace

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
        self.members = np.full((p, p, 0), -1, dtype=np.int16 if MIN_COMPACT <= p <= MAX_INT16 else np.int32)
        self.trace = TraceBuilder(self.graph_type.complete(p) if draws else self.graph_type.empty(p))
        self.n_untested = 0
        self.strongest_first = strongest_first
        self._required, self.apart = knowledge.joined, knowledge.apart
        forbidden = open_edges(self.apart, np.zeros((p, p), dtype=bool), 0)
        self.adjacency &= ~self.apart
        remove = Action.REMOVE if draws else Action.APART
        self._actions = (remove, remove, Action.KEEP)  # by the fate of an edge: separated, untested, kept
        no_sets = np.empty((len(forbidden), 0), np.int32)
        self.trace.extend(KNOWLEDGE, remove, forbidden, no_sets, rule=Rule.FORBIDDEN)

    def test_level(self, phase: Phase, adjacency: np.ndarray, size: int, tick: Tick) -> bool:
        """Test each edge of `adjacency` given the sets of `size` neighbours of either end.

        Parameters
        ----------
        phase : Phase
            Phase of the events in the trace.
        adjacency : (p, p) bool array
            The edges to test and the neighbours to condition on. It stays as it is while edges are removed, so the
            result does not depend on the order of the tests (Colombo and Maathuis 2014, section 4.1).
        size : int
        tick : Tick

        Returns
        -------
        bool
            False if no edge had such a set.

        Raises
        ------
        Stopped
            If cancelled; the tests done so far are recorded.
        """
        blocks = LevelBlocks(adjacency, self._required, size)
        if not blocks.n_edges:
            return False
        kept: list[TestedEdges] = []
        lists = None
        try:
            for before, edges in blocks:
                searches = LevelSearch(edges, adjacency, size, self._neighbor_order)
                if lists is not None:
                    searches.lists = lists
                self._separate(searches, kept, phase, shifted(tick, before, len(edges), blocks.n_edges))
                lists = searches.lists if size else None
        finally:
            self._defer(phase, kept)
        return True

    def test_pools(
        self,
        phase: Phase,
        edges: np.ndarray,
        pools: PairPools,
        size: int,
        skip: Callable[[np.ndarray], np.ndarray],
        tick: Tick,
    ) -> None:
        """Test each edge given the sets of `size` members of its own pool, except those within a set that it skips.

        Parameters
        ----------
        phase : Phase
        edges : (m, 2) int64 array
        pools : PairPools
            One pool per edge.
        size : int
        skip : callable
            ``skip(edges)`` returns a (k, s, p) bool array for k of the edges: up to s sets per edge whose subsets were
            tested before. It is called for parts of the edges that take little memory.
        tick : Tick

        Raises
        ------
        Stopped
            If cancelled; the tests done so far are recorded.
        """
        m, parts = len(edges), []
        at_once = max(1, MAX_SKIP_BYTES // (MAX_SKIPPED * self.ci_test.p))
        try:
            for begin in range(0, m, at_once):
                part = edges[begin : begin + at_once]
                searches = PoolSearch(part, _part_of(pools, begin, len(part)), size, skip(part))
                own_tick = shifted(tick, begin, len(part), m)
                parts.append(self.ci_test.separate(searches, self.alpha, phase=str(phase), tick=own_tick))
        except Stopped as stopped:
            if stopped.partial is not None:
                parts.append(stopped.partial)
            raise
        finally:
            if parts:
                self._record(phase, edges, _joined(parts, m, self.ci_test.rows_vary))

    def separate(self, searches: SetSearch, phase: Phase, tick: Tick) -> None:
        """Test each pair up to the first set that separates it, and record the results, partial ones if cancelled."""
        kept: list[TestedEdges] = []
        try:
            self._separate(searches, kept, phase, tick)
        finally:
            self._defer(phase, kept)

    def _separate(self, searches: SetSearch, kept: list[TestedEdges], phase: Phase, tick: Tick) -> None:
        """Test the pairs and append the results to `kept`, partial ones if cancelled."""
        try:
            results = self.ci_test.separate(searches, self.alpha, phase=str(phase), tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                kept.append(self._keep(searches.pairs, stopped.partial))
            raise
        found = self._keep(searches.pairs, results)
        kept.append(found.repeated_by(self.ci_test) if is_repeatable(self.ci_test, searches) else found)

    @property
    def _neighbor_order(self) -> np.ndarray | None:
        """The (p, p) keys that the neighbours of each node are sorted by; None for column order."""
        return self.log_phi if self.strongest_first else None

    def _record(self, phase: Phase, edges: np.ndarray, results: CIResults) -> None:
        """Update Φ, S and the adjacencies by the results of tests, and record them in the trace."""
        self._defer(phase, [self._keep(edges, results)])

    def _keep(self, edges: np.ndarray, results: CIResults) -> TestedEdges:
        """Update Φ, S and the adjacencies by the results of tests, and return what the trace needs of them."""
        fate = self._absorb(edges, results)
        self.n_untested += np.count_nonzero(fate == UNTESTED)
        if len(edges) <= MAX_SERIAL_EDGES:
            return TestedEdges(edges, results, fate)
        # The trace keeps the tests of all pairs of many variables.
        results = results._replace(log_p=results.log_p[~is_separated(fate)])
        return TestedEdges(packed(edges, self.ci_test.p), CIResults(*map(compact, results)), fate, self.log_phi)

    def _defer(self, phase: Phase, kept: list[TestedEdges]) -> None:
        """Record the tests of a level in the trace, when it is read."""
        if kept:
            has_sets = any(block.results is not None and block.results.cond.shape[1] for block in kept)
            self.trace.defer(partial(record_tests, phase, kept, self._actions, self.alpha), has_sets=has_sets)

    def _absorb(self, edges: np.ndarray, results: CIResults) -> np.ndarray:
        """Update Φ, S and the adjacencies by tests of pairs; return the fate of each pair, (m,) uint8."""
        self._widen(results.cond.shape[1])
        m, log_alpha = len(edges), math.log(self.alpha)
        fate = np.empty(m, dtype=np.uint8)
        state = (self.adjacency, self.separated, self.log_phi, self.members)
        _in_chunks(lambda begin, end: record_level(edges, results, begin, end, log_alpha, *state, fate), m)
        return fate

    def separate_forbidden(self, max_cond_size: int | None, tick: Tick) -> None:
        """Find separating sets of the forbidden pairs with a common neighbour, for their v-structures.

        Call it when the skeleton is found. Knowledge alone does not say whether i - k - j is a v-structure if i and j
        must not be adjacent. Each such pair is tested given the sets of neighbours of either end, the smallest first,
        as an edge of PC would be. A pair that no set separates makes no v-structure.

        Parameters
        ----------
        max_cond_size : int or None
            Size of the largest conditioning set.
        tick : Tick

        Raises
        ------
        Stopped
            If cancelled.
        """
        pairs = forbidden_with_common_neighbor(self.apart & ~self.separated, self.adjacency)
        degree = self.adjacency.sum(axis=1)[pairs].max(axis=1, initial=0)
        widest = int(degree.max(initial=-1))
        for size in range((widest if max_cond_size is None else min(max_cond_size, widest)) + 1):
            left = pairs[(degree >= size) & ~self.separated[pairs[:, 0], pairs[:, 1]]]
            if not len(left):
                return
            searches = LevelSearch(left, self.adjacency, size, self._neighbor_order)
            try:
                results = self.ci_test.separate(searches, self.alpha, phase=str(KNOWLEDGE), tick=tick)
            except Stopped as stopped:
                if stopped.partial is not None:
                    self._record_forbidden(left, stopped.partial)
                raise
            self._record_forbidden(left, results)

    def _record_forbidden(self, pairs: np.ndarray, results: CIResults) -> None:
        """Update Φ and S by tests of forbidden pairs, and record them; the trace draws no edge."""
        fate = self._absorb(pairs, results)
        for rule, which in ((Rule.TEST, SEPARATED), (Rule.UNTESTED, UNTESTED), (Rule.FORBIDDEN, KEPT)):
            rows = fate == which
            self.trace.extend(
                KNOWLEDGE,
                Action.APART,
                pairs[rows],
                np.sort(results.cond[rows], axis=1),
                rule=rule,
                statistic=results.statistic[rows],
                dof=results.dof[rows],
                log_p=results.log_p[rows],
                threshold=self.alpha,
                n_tests=results.n_tests[rows],
                n_rows=results.row_counts(rows),
            )

    def _widen(self, size: int) -> None:
        """Make room in `members` for sets of `size` members."""
        p, _, width = self.members.shape
        if size > width and p < MIN_COMPACT:
            sets = self.members
            self.members = np.full((p, p, size), -1, dtype=sets.dtype)
            self.members[:, :, :width] = sets
        elif size > width:
            filled = (self.members[:, :, :1] >= 0).any(axis=2)
            sets, dtype = self.members[filled], self.members.dtype
            self.members = None  # frees the old array before the new one is created
            self.members = np.full((p, p, size), -1, dtype=dtype)
            self.members[filled, :width] = sets

    def resumed(self, by: SkeletonSearch) -> Self:
        """Return a copy that continues with the test and alpha of `by`; this search stays unchanged."""
        own = copy(self)
        own.ci_test, own.alpha, own.trace = by.ci_test, by.alpha, self.trace.copy()
        own.adjacency, own.separated = self.adjacency.copy(), self.separated.copy()
        return own

    @property
    def sepsets(self) -> Sepsets:
        """The separating sets, as views that are final only at the end of the search."""
        return Sepsets(self.members.view(), self.separated.view())

    @property
    def evidence(self) -> PairEvidence:
        """Φ and S of all pairs, as views that are final only at the end of the search."""
        tested = ~np.isnan(self.log_phi)
        np.fill_diagonal(tested, False)
        np.fill_diagonal(self.log_phi, -np.inf)
        return PairEvidence(frozen(self.log_phi.view()), Sepsets(self.members.view(), tested))

    @property
    def skeleton(self) -> PDAG:
        """The edges left, undirected."""
        return self.graph_type.of_skeleton(self.adjacency)

    @property
    def graph(self) -> PDAG:
        """The graph at the end of a trace that draws: the skeleton."""
        return self.skeleton

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """A warning about pairs that were separated without a test, if there are any."""
        return untested_warning(self.n_untested)


def forbidden_with_common_neighbor(apart: np.ndarray, adjacency: np.ndarray) -> np.ndarray:
    """Return (m, 2) int64: the pairs i < j of `apart` that have a common neighbour in `adjacency`, both (p, p) bool."""
    if not apart.any():
        return np.empty((0, 2), dtype=np.int64)
    near = adjacency.astype(np.float32)
    return np.argwhere(np.triu(apart & (near @ near > 0.0), 1))


class PackedEdges(NamedTuple):
    """Edges in ascending order, as one bit for each pair of some rows.

    Attributes
    ----------
    first : int
        The first row.
    bits : (r, ⌈p / 8⌉) uint8 array
        Rows ``first .. first + r - 1`` of an adjacency matrix.
    """

    first: int
    bits: np.ndarray

    def listed(self) -> np.ndarray:
        """Return (m, 2) int64: the edges."""
        return np.argwhere(np.unpackbits(self.bits, axis=1)) + (self.first, 0)


def packed(edges: np.ndarray, p: int) -> np.ndarray | PackedEdges:
    """Return the edges of p variables, (m, 2) int64, in the form that takes less memory."""
    i, j = edges.T
    first, n_rows = int(i.min()), int(i.max() - i.min()) + 1
    listed = compact(edges)
    if n_rows * -(-p // 8) >= listed.nbytes or (np.diff(i * p + j) <= 0).any():
        return listed
    rows = np.zeros((n_rows, p), dtype=bool)
    rows[i - first, j] = True
    return PackedEdges(first, np.packbits(rows, axis=1))


class TestedEdges(NamedTuple):
    """Tests of some edges of a level, as the trace keeps them.

    Attributes
    ----------
    edges : (m, 2) integer array, or PackedEdges
    results : CIResults or None
        Small arrays of the same values; see `compact`. None: `ci_test` repeats the tests, which have no set.
    fate : (m,) uint8 array
    log_phi : (p, p) float64 array, optional
        ln Φ of the search. If given, the results have ln p only of the edges that were not separated. That of a
        separated edge is in Φ: it is the largest one of the pair, which is never tested again.
    ci_test : CITest, optional
    """

    edges: np.ndarray | PackedEdges
    results: CIResults | None
    fate: np.ndarray
    log_phi: np.ndarray | None = None
    ci_test: CITest | None = None

    def repeated_by(self, ci_test: CITest) -> TestedEdges:
        """Return the same tests without their results if they take much memory: the test repeats them when read."""
        return self if self.log_phi is None else self._replace(results=None, log_phi=None, ci_test=ci_test)

    def whole(self) -> tuple[np.ndarray, CIResults]:
        """Return the edges, and the results with ln p of all tests."""
        edges = self.edges.listed() if isinstance(self.edges, PackedEdges) else self.edges
        if self.results is None:
            again = copy(self.ci_test)  # the run's own number of tests stays
            return edges, again.separate(LevelSearch.marginal(edges, again.p), REPEATED_ALPHA)
        if self.log_phi is None:
            return edges, self.results
        log_p = self.log_phi[edges[:, 0], edges[:, 1]]
        log_p[~is_separated(self.fate)] = self.results.log_p
        return edges, self.results._replace(log_p=log_p)


def is_separated(fate: np.ndarray) -> np.ndarray:
    """Return True for the edges that a level removed, by a test or for lack of rows."""
    return (fate == SEPARATED) | (fate == UNTESTED)


def is_repeatable(ci_test: CITest, searches: SetSearch) -> bool:
    """Return True if a test repeats these searches at once, with the same results."""
    return ci_test.repeats_marginal and isinstance(searches, LevelSearch) and not searches.width


class LevelBlocks:
    """The edges of a level that have a set of its size, in blocks of rows, so that few results are in memory at a time.

    Parameters
    ----------
    adjacency : (p, p) bool array
    closed : (p, p) bool array
        Edges that are not tested.
    size : int

    Attributes
    ----------
    n_edges : int
    """

    def __init__(self, adjacency: np.ndarray, closed: np.ndarray, size: int) -> None:
        self._adjacency, self._closed, self._size = adjacency, closed, size
        self._degree = adjacency.sum(axis=1)
        self._whole = None
        if self._degree.sum() <= 2 * MAX_BLOCK_EDGES:
            self._whole = open_edges(adjacency, closed, size)
            self.n_edges = len(self._whole)
        else:
            self.n_edges = sum(np.count_nonzero(self._open(*rows)) for rows in self._rows())

    def __iter__(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the number of edges of earlier blocks, and the edges i < j of a block, (m, 2) int64, ascending."""
        if self._whole is not None:
            yield 0, self._whole
            return
        before = 0
        for begin, end in self._rows():
            edges = np.argwhere(self._open(begin, end))
            edges[:, 0] += begin
            if len(edges):
                yield before, edges
            before += len(edges)

    def _rows(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of each block and the first row after it."""
        p = len(self._degree)
        step = max(1, MAX_BLOCK_EDGES // p)
        return ((begin, min(begin + step, p)) for begin in range(0, p, step))

    def _open(self, begin: int, end: int) -> np.ndarray:
        """Return the edges of some rows, (end - begin, p) bool."""
        later = np.arange(len(self._degree)) > np.arange(begin, end)[:, None]
        enough = np.maximum(self._degree[begin:end, None], self._degree) > self._size
        return self._adjacency[begin:end] & ~self._closed[begin:end] & later & enough


def shifted(tick: Tick, before: int, n_block: int, total: int) -> Tick:
    """Return the listener of a block of `n_block` items that follow `before` items of `total`."""
    if n_block == total:
        return tick
    return lambda phase, done, of: tick(phase, before + done, total) if of == n_block else tick(phase, done, of)


def record_tests(
    phase: Phase, kept: Sequence[TestedEdges], actions: tuple[Action, ...], alpha: float, trace: TraceBuilder
) -> None:
    """Record one event for each tested edge, grouped by fate, in descending order of p within a group."""
    listed, found = zip(*(block.whole() for block in kept), strict=True)
    edges, fate = np.concatenate(listed).astype(np.int64), np.concatenate([block.fate for block in kept])
    wanted, parts = empty_results(0, 0), zip(*found, strict=True)
    results = CIResults(*[np.concatenate(own).astype(one.dtype) for own, one in zip(parts, wanted, strict=True)])
    order, ends = weakest_first(results.log_p, fate, NOT_REACHED + 1)
    pairs, ranked = np.empty_like(edges), CIResults(*(np.empty_like(column) for column in results))
    _in_chunks(lambda begin, end: fill_ranked(edges, results, order, begin, end, pairs, ranked), len(edges))
    ranked.cond.sort(axis=1)  # the members may have been drawn in another order
    begin = 0
    for action, rule, end in zip(actions, RULES, ends.tolist(), strict=False):
        rows = slice(begin, end)
        trace.extend(
            phase,
            action,
            pairs[rows],
            ranked.cond[rows],
            rule=rule,
            statistic=ranked.statistic[rows],
            dof=ranked.dof[rows],
            log_p=ranked.log_p[rows],
            threshold=alpha,
            n_tests=ranked.n_tests[rows],
            n_rows=ranked.row_counts(rows),
        )
        begin = end


def _part_of(pools: PairPools, first: int, n: int) -> PairPools:
    """Return the pools of `n` edges from `first` on."""
    begin = pools.begin[first : first + n + 1]
    return PairPools(begin - begin[0], pools.members[begin[0] : begin[-1]])


def _joined(parts: list[CIResults], m: int, rows_vary: bool) -> CIResults:
    """Return the results of all `m` edges, one after the other; edges that no part has reached have no tests."""
    left = m - sum(len(part.log_p) for part in parts)
    if left:
        parts = [*parts, empty_results(left, parts[0].cond.shape[1], rows_vary=rows_vary)]
    return parts[0] if len(parts) == 1 else CIResults(*map(np.concatenate, zip(*parts, strict=True)))


def compact(array: np.ndarray) -> np.ndarray:
    """Return an array with the same values in less memory: one value if all are equal, small integers if they fit."""
    flat = array.view(np.int64) if array.dtype == np.float64 else array  # NaN equals itself by its bits
    if array.ndim == 1 and len(array) and (flat == flat[0]).all():
        return np.broadcast_to(array[:1].copy(), array.shape)
    if array.dtype == np.float64 and (np.abs(array) <= MAX_INT16).all():  # degrees of freedom are whole numbers
        whole = array.astype(np.int16)
        return whole if (whole.astype(np.float64).view(np.int64) == flat).all() else array
    if array.dtype.kind == "i" and array.size and array.max() <= MAX_INT16 and array.min() >= -MAX_INT16:
        return array.astype(np.int16)
    return array


def _in_chunks(kernel: Callable[[int, int], None], total: int) -> None:
    """Call ``kernel(begin, end)`` until all items are done, on every core if there are many."""
    if total <= MAX_SERIAL_EDGES:
        kernel(0, total)
        return

    def chunk(begin: int, end: int, _stop: np.ndarray, done: np.ndarray) -> None:
        kernel(begin, end)
        done[0] += end - begin

    run_chunks(chunk, total, phase="", tick=silent, light=True, first=MAX_SERIAL_EDGES)
