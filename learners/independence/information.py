"""Tests that measure mutual information in bits, and sequential tests of edges."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from ..common.errors import DataError
from ..common.parallel import run_chunks
from ..common.progress import Stopped, Tick, silent
from ..common.validation import Threads, validated
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from ..kernels.ci.tail_probabilities import log_normal_sf
from ..kernels.cimap.mutual_information import fill_information, information_given
from ..kernels.cimap.sequential_tests import (
    GONE,
    KEPT,
    MAX_LISTED,
    NO_SET,
    SEPARATED,
    SKIPPED,
    DecisionRule,
    TurnResults,
    deviation,
    family_fails,
    harmonic,
    separate_sequentially,
)
from .ci_test import CIResult, CITest
from .g2 import G2
from .oracle import DSeparation

PAIR_INFORMATION = "information"  # key of the information of all pairs in a `CIMemory`


class InformationTest(CITest):
    """A test whose statistic is 2 n ln 2 times the mutual information in bits.

    Attributes
    ----------
    n : int
        Number of rows.
    """

    n: int

    @abstractmethod
    def pair_information(self, tick: Tick = silent) -> tuple[np.ndarray, np.ndarray]:
        """Return the (p, p) mutual information of every pair in bits, and its asymptotic standard deviation.

        No test is counted.

        Raises
        ------
        Stopped
            If cancelled.
        """

    @abstractmethod
    def information_given(self, x: int, y: int, cond: Sequence[int]) -> tuple[float, float]:
        """Return the mutual information of x < y given `cond` in bits, and its standard deviation.

        No test is counted.
        """

    def declared_dof(self, x: np.ndarray | int, y: np.ndarray | int, cond: Sequence[int] = ()) -> np.ndarray | float:  # noqa: ARG002
        """Return the degrees of freedom, counting all declared states; NaN if the test has none."""
        return math.nan

    def widest_dof(self) -> float:
        """Return the degrees of freedom of the widest pair given a variable of median width, or NaN."""
        return math.nan

    def bits(
        self,
        statistic: np.ndarray,
        dof: np.ndarray | float = 0.0,  # noqa: ARG002
        nodes: np.ndarray | None = None,  # noqa: ARG002
    ) -> np.ndarray:
        """Return the mutual information in bits, from the statistic.

        Parameters
        ----------
        statistic : (m,) float64 array
        dof : (m,) float64 array
            Degrees of freedom, for a test that subtracts the information expected under independence.
        nodes : (m, k) integer array, optional
            The variables of each test, padded with -1, for a test whose rows differ from test to test.
        """
        return statistic / (2.0 * self.n * math.log(2.0))

    def separate_in_turn(
        self,
        edges: np.ndarray,
        adjacency: np.ndarray,
        lists: tuple[np.ndarray, np.ndarray],
        size: int,
        rule: DecisionRule,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> TurnResults:
        """Test the edges one after another given sets of neighbors of the first node; removals take effect at once.

        This differs from a `SetSearch` with `CIResults`: each turn depends on the removals before it, and reports
        whether its edge was already removed, had no set, or was skipped for lack of power.

        Parameters
        ----------
        edges : (m, 2) integer array
            Edges i, j in the order of the tests; j, i is a separate turn.
        adjacency : (p, p) bool array
            Symmetric; removed edges are deleted from it.
        lists : (begin, near)
            The neighbors of each node at the start, in the order in which sets are formed, as in
            `adjacency.neighbor_lists`.
        size : int
            Number of members of each set, at least 1.
        rule : DecisionRule
        phase, tick
            Progress listener.

        Returns
        -------
        TurnResults

        Raises
        ------
        Stopped
            If cancelled; `partial` has the turns so far.
        """
        turns = empty_turn_results(len(edges), size, rule)
        for t, (i, j) in enumerate(edges.tolist()):
            turns.state[t] = GONE
            if adjacency[i, j]:
                near = lists[1][lists[0][i] : lists[0][i + 1]].tolist()
                pool = [k for k in near if k != j and (rule.frozen or adjacency[i, k])]
                turns.state[t] = self._take_turn(min(i, j), max(i, j), pool, rule, turns, t)
                if turns.state[t] == SEPARATED:
                    adjacency[i, j] = adjacency[j, i] = False
            if not tick(phase, t + 1, len(edges)):
                raise Stopped(turns)
        return turns

    def _take_turn(self, x: int, y: int, pool: list[int], rule: DecisionRule, turns: TurnResults, t: int) -> int:
        """Test the sets of one turn; return the state of the turn."""
        size = turns.cond.shape[1]
        if len(pool) < size:
            return NO_SET
        results = []
        for cond in _sorted_subsets(pool, size):
            if self.declared_dof(x, y, cond) > rule.bound:
                turns.n_skipped[t] += 1
                continue
            results.append((self._result(x, y, cond, rule), cond))
            if not rule.every and self._separates(results[-1][0], rule):
                break
        turns.n_tests[t] = len(results)
        if not results:
            return SKIPPED
        hardest, cond = max(results, key=lambda one: -self._bits(one[0]) if rule.by_information else one[0].log_p)
        turns.log_p[t], turns.statistic[t], turns.dof[t] = hardest.log_p, hardest.statistic, hardest.dof
        turns.cond[t] = cond
        if rule.normal:
            turns.spread[t] = self.information_given(x, y, cond)[1]
        if not rule.every:
            return SEPARATED if self._separates(results[-1][0], rule) else KEPT
        log_p = np.array([result.log_p for result, _ in results])
        turns.listed[t, : len(results)] = np.sort(log_p)[::-1][:MAX_LISTED]
        turns.log_line[t] = rule.log_q - (math.log(harmonic(len(results))) if rule.harmonic else 0.0)
        return SEPARATED if family_fails(log_p, log_p.max(), turns.log_line[t], rule.literal) else KEPT

    def _result(self, x: int, y: int, cond: Sequence[int], rule: DecisionRule) -> CIResult:
        if not rule.normal:
            return self.test(x, y, cond)
        self.n_tests += 1
        bits, spread = self.information_given(x, y, cond)
        log_p = log_normal_sf(deviation(bits, spread, rule.cut))
        return CIResult(2.0 * self.n * math.log(2.0) * bits, math.nan, log_p, math.exp(log_p))

    def _bits(self, result: CIResult) -> float:
        """Return the information of one test in bits per row that the test used."""
        rows = self.n if result.n is None else result.n
        return float(self.bits(result.statistic, result.dof)) * (self.n / max(rows, 1))

    def _separates(self, result: CIResult, rule: DecisionRule) -> bool:
        if rule.by_information:
            return self._bits(result) < rule.cut
        return result.log_p > rule.log_alpha


@validated
class MutualInformation(InformationTest, G2):
    """Mutual information of categorical variables: G² in another unit, I = G² / (2 n ln 2) bits.

    Parameters
    ----------
    dataset : Dataset
        Categorical, without missing cells; row weights count, survey weights in proportion.
    dof, threads
        As for `G2`; the degrees of freedom are the plain ones by default, as in the paper.

    References
    ----------
    Bacciu, Etchells, Lisboa and Whittaker (2013), Efficient identification of independence networks using mutual
    information. Computational Statistics 28, sections 3.1 and 3.4.
    """

    replacements = ("GaussianInformation", "GaussianInformation")

    def __init__(
        self, dataset: Dataset, *, dof: Literal["adjusted", "plain"] = "plain", threads: Threads | None = None
    ) -> None:
        if not dataset.complete:
            raise DataError("mutual information of pairs needs every cell, found some missing; drop those rows")
        super().__init__(dataset, dof=dof, threads=threads)
        self.n = dataset.n
        # Survey weights are counted in units, of which there are far more than rows.
        self._units = int(self._sample.weights.sum()) if dataset.surveyed else dataset.n

    def pair_information(self, tick: Tick = silent) -> tuple[np.ndarray, np.ndarray]:
        """See `InformationTest.pair_information`; by the delta method, s² = (Σ n L² / n - I²) / n."""
        if known := self._memory and self._memory.result(PAIR_INFORMATION):
            return known.bits.copy(), known.spread.copy()
        self._prepare("information", tick)
        sample = self._sample._replace(n=self._units)
        bits, spread = np.zeros((self.p, self.p)), np.zeros((self.p, self.p))

        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            fill_information(sample, begin, end, bits, spread, stop, done)

        run_chunks(piece, self.p, phase="information", tick=tick, threads=self._threads, light=True)
        spread *= math.sqrt(self._units / self.n)
        if self._memory:
            self._memory.store(PAIR_INFORMATION, PairInformation(bits.copy(), spread.copy()))
        return bits, spread

    def information_given(self, x: int, y: int, cond: Sequence[int]) -> tuple[float, float]:
        """See `InformationTest.information_given`."""
        members, z = np.array(cond, dtype=np.int32), np.empty(self._sample.codes.shape[1], dtype=np.int64)
        sample = self._sample._replace(n=self._units)
        bits, spread = information_given(sample, min(x, y), max(x, y), members, len(members), z)
        return bits, spread * math.sqrt(self._units / self.n)

    def declared_dof(self, x: np.ndarray | int, y: np.ndarray | int, cond: Sequence[int] = ()) -> np.ndarray | float:
        """Return (r_x - 1)(r_y - 1) Π r_z."""
        r = self._sample.arity
        return (r[x] - 1.0) * (r[y] - 1.0) * math.prod(float(r[k]) for k in cond)

    def widest_dof(self) -> float:
        """See `InformationTest.widest_dof`; the width is the number of levels."""
        widest = np.sort(self._sample.arity)[-2:]
        return float(np.prod(widest - 1.0) * np.median(self._sample.arity))

    def separate_in_turn(
        self,
        edges: np.ndarray,
        adjacency: np.ndarray,
        lists: tuple[np.ndarray, np.ndarray],
        size: int,
        rule: DecisionRule,
        *,
        phase: str = "",
        tick: Tick = silent,
    ) -> TurnResults:
        """See `InformationTest.separate_in_turn`. One thread, since each turn depends on the one before."""
        if rule.normal and self._units != self.n:
            return super().separate_in_turn(edges, adjacency, lists, size, rule, phase=phase, tick=tick)
        turns = empty_turn_results(len(edges), size, rule)
        if len(edges) == 0:
            return turns
        edges = np.ascontiguousarray(edges, dtype=np.int64)
        asked = [array.tobytes() for array in (edges, adjacency, *lists)]
        key = (*asked, size, relevant_rule(rule))
        if self._memory and (known := self._memory.result(key)) is not None:
            self.n_tests += int(known.n_tests.sum())
            return known
        self._prepare(phase, tick)
        sample, scratch = self._sample, self._scratch(size)

        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            separate_sequentially(sample, edges, begin, end, adjacency, *lists, rule, turns, scratch, stop, done)

        def telling(phase: str, done: int, total: int) -> bool:
            return tick(f"{phase}, {self.n_tests + int(turns.n_tests.sum()):,} tests", done, total)

        try:
            run_chunks(piece, len(edges), phase=phase, tick=telling, threads=1, light=True)
        except Stopped:
            raise Stopped(turns) from None
        finally:
            self.n_tests += int(turns.n_tests.sum())
        if self._memory:
            self._memory.store(key, turns)
        return turns


class InformationOracle(InformationTest, DSeparation):
    """Oracle by d-separation, with one bit of information for each dependent pair.

    Parameters
    ----------
    dag : PDAG
    names : sequence of str, optional
        Default: "0", "1", ...
    """

    n = 10_000

    def __init__(self, dag: PDAG, names: Sequence[str] | None = None) -> None:
        super().__init__(dag, names)

    @validated
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Return p = 1 and no information if separated, otherwise p = 0 and one bit."""
        result = super().test(x, y, cond)
        statistic = 0.0 if result.log_p == 0.0 else 2.0 * self.n * math.log(2.0)
        return CIResult(statistic, result.dof, result.log_p, result.p_value)

    def information_given(self, x: int, y: int, cond: Sequence[int]) -> tuple[float, float]:
        """See `InformationTest.information_given`; the standard deviation is 0."""
        return float(y in self._connected(x, frozenset(cond))), 0.0

    def pair_information(self, tick: Tick = silent) -> tuple[np.ndarray, np.ndarray]:  # noqa: ARG002
        """Return one bit for each pair that the empty set does not separate; the standard deviation is 0."""
        bits = np.zeros((self.p, self.p))
        for x, y in combinations(range(self.p), 2):
            bits[x, y] = bits[y, x] = float(y in self._connected(x, frozenset()))
        return bits, np.zeros((self.p, self.p))


class PairInformation(NamedTuple):
    """(p, p) mutual information of every pair in bits, and its asymptotic standard deviation."""

    bits: np.ndarray
    spread: np.ndarray


def _sorted_subsets(pool: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the subsets in the order of the pool, the members of each ascending."""
    return (tuple(sorted(cond)) for cond in combinations(pool, size))


def relevant_rule(rule: DecisionRule) -> DecisionRule:
    """Return the rule with the unused fields of its kind of turns reset."""
    if not (rule.by_information or rule.normal):
        rule = rule._replace(cut=0.0)
    if rule.every:
        return rule._replace(log_alpha=0.0)
    rule = rule._replace(log_q=0.0, harmonic=False, literal=False)
    return rule._replace(log_alpha=0.0) if rule.by_information else rule


def empty_turn_results(m: int, size: int, rule: DecisionRule) -> TurnResults:
    """Return results for `m` turns that have not been taken."""
    return TurnResults(
        state=np.zeros(m, dtype=np.int8),
        log_p=np.full(m, np.nan),
        statistic=np.full(m, np.nan),
        dof=np.full(m, np.nan),
        cond=np.full((m, size), -1, dtype=np.int32),
        n_tests=np.zeros(m, dtype=np.int64),
        n_skipped=np.zeros(m, dtype=np.int64),
        log_line=np.full(m, np.nan),
        listed=np.full((m if rule.every else 0, MAX_LISTED), np.nan),
        spread=np.full(m if rule.normal else 0, np.nan),
    )
