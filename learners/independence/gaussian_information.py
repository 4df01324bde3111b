"""Mutual information of numbers, and of numbers and categories, as degenerate Gaussian variables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ..common.parallel import run_chunks
from ..common.progress import Stopped, Tick, check_cancelled, silent
from ..common.validation import Threads, validated
from ..data.dataset import Dataset
from ..kernels.ci.degenerate_gaussian import bartlett, wilks
from ..kernels.cimap.gaussian_turns import separate_gaussian_sequentially
from ..kernels.cimap.sequential_tests import DecisionRule, TurnResults
from .degenerate_gaussian import DegenerateGaussian
from .information import InformationTest, empty_turn_results

LN2 = math.log(2.0)
NO_MEMBERS = np.empty(0, dtype=np.int32)
PAIRS_AT_ONCE = 1_000  # number of pairs between two calls of the progress listener


@validated
class GaussianInformation(InformationTest, DegenerateGaussian):
    """Mutual information of normal variables; categorical variables are embedded as indicators of their levels.

    The test is that of `DegenerateGaussian`: χ² = -m ln Λ with d_x d_y degrees of freedom, also for two numbers, whose
    Λ is 1 - r². The information is (χ² - d_x d_y) / (2 n ln 2) bits, at least 0. Chance alone gives d_x d_y / (2 n)
    nats on average, which are subtracted, so that a cut has the same meaning for any number of levels and rows.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, at least 4 rows; row weights count. Each test uses the rows in which x, y and the whole set
        are observed.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Attributes
    ----------
    n : int
        Number of rows.

    Raises
    ------
    DataError
        If there are too few rows.

    References
    ----------
    Bacciu, Etchells, Lisboa and Whittaker (2013), Efficient identification of independence networks using mutual
    information. Computational Statistics 28. The paper covers categorical data only. Andrews, Ramsey and Cooper (2019),
    Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104 (the embedding).

    Examples
    --------
    >>> from learners import GaussianInformation, load_sample
    >>> test = GaussianInformation(load_sample("wine").dataset)
    >>> found = test.test(0, 1)
    >>> round(float(test.bits(found.statistic, found.dof)), 4), found.dof
    (0.0023, 1.0)
    """

    def __init__(self, dataset: Dataset, *, threads: Threads | None = None) -> None:
        super().__init__(dataset, threads=threads)
        # No variable counts as continuous, so that two numbers are also tested by χ².
        numbers = np.zeros_like(self._sample.continuous)
        numbers.flags.writeable = False
        self._sample = self._sample._replace(continuous=numbers)
        self.n = self._sample.n
        self._columns = np.diff(self._sample.first).astype(np.float64)

    def bits(self, statistic: np.ndarray, dof: np.ndarray | float = 0.0, nodes: np.ndarray | None = None) -> np.ndarray:
        """See `InformationTest.bits`: the χ² statistic less its degrees of freedom, at least 0."""
        return np.maximum(statistic - dof, 0.0) / (2.0 * LN2 * self._rows_of(nodes))

    def _rows_of(self, nodes: np.ndarray | None) -> np.ndarray | float:
        """Return the number of rows of each test: the minimum over pairs of its variables of the rows with both."""
        rows = self._sample.pair_rows
        if nodes is None or not rows.shape[0]:
            return float(max(self.n, 1))
        fewest = np.full(len(nodes), np.inf)
        for a, b in combinations(range(nodes.shape[1]), 2):
            both = (nodes[:, a] >= 0) & (nodes[:, b] >= 0)
            fewest[both] = np.minimum(fewest[both], rows[nodes[both, a], nodes[both, b]])
        return np.maximum(np.round(fewest), 1.0)

    def pair_information(self, tick: Tick = silent) -> tuple[np.ndarray, np.ndarray]:
        """See `InformationTest.pair_information`; by the delta method, s² = Σ ρ² / n for canonical correlations ρ."""
        bits, spread, scratch = np.zeros((self.p, self.p)), np.zeros((self.p, self.p)), self._scratch(0)
        for done, (x, y) in enumerate(combinations(range(self.p), 2)):
            if done % PAIRS_AT_ONCE == 0:
                check_cancelled(tick, "information")
            bits[x, y], spread[x, y] = self._information(x, y, NO_MEMBERS, scratch)
        self._row_counts.clear()
        return bits + bits.T, spread + spread.T

    def information_given(self, x: int, y: int, cond: Sequence[int]) -> tuple[float, float]:
        """See `InformationTest.information_given`."""
        members = np.array(cond, dtype=np.int32)
        found = self._information(min(x, y), max(x, y), members, self._scratch(len(members)))
        self._row_counts.clear()
        return found

    def _information(self, x: int, y: int, members: np.ndarray, scratch) -> tuple[float, float]:
        n, log_lambda, rank, rank_x, rank_y, _ = wilks(self._sample, x, y, members, len(members), scratch)
        statistic, dof, tested = bartlett(n, log_lambda, rank, rank_x, rank_y)
        if not tested or not dof:
            return 0.0, 0.0
        if min(rank_x, rank_y) == 1:
            squares = -math.expm1(log_lambda)
        else:
            widths = [int(self._columns[members].sum()), int(self._columns[x]), int(self._columns[y])]
            squares = squared_correlations(scratch.block, *widths)
        return max(statistic - dof, 0.0) / (2.0 * n * LN2), math.sqrt(squares / n) / LN2

    def declared_dof(self, x: np.ndarray | int, y: np.ndarray | int, cond: Sequence[int] = ()) -> np.ndarray | float:  # noqa: ARG002
        """Return d_x d_y, whatever the set."""
        return self._columns[x] * self._columns[y]

    def widest_dof(self) -> float:
        """See `InformationTest.widest_dof`; the width is the number of columns, and a set adds nothing."""
        return float(np.prod(np.sort(self._columns)[-2:]))

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
        if rule.normal or rule.literal:
            return super().separate_in_turn(edges, adjacency, lists, size, rule, phase=phase, tick=tick)
        turns = empty_turn_results(len(edges), size, rule)
        if len(edges) == 0:
            return turns
        edges, sample = np.ascontiguousarray(edges, dtype=np.int64), self._sample
        scratch = self._scratch(size, len(edges))

        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            separate_gaussian_sequentially(
                sample, edges, begin, end, adjacency, *lists, rule, turns, scratch, stop, done
            )

        def telling(phase: str, done: int, total: int) -> bool:
            return tick(f"{phase}, {self.n_tests + int(turns.n_tests.sum()):,} tests", done, total)

        try:
            run_chunks(piece, len(edges), phase=phase, tick=telling, threads=1, light=True)
        except Stopped:
            raise Stopped(turns) from None
        finally:
            self.n_tests += int(turns.n_tests.sum())
            self._collect_rows()
        return turns


def squared_correlations(block: np.ndarray, width: int, width_x: int, width_y: int) -> float:
    """Return the sum of the squared canonical correlations of x and y given a set.

    Parameters
    ----------
    block : (m, m) float64 array
        Correlations of the columns of the set, x and y, in its lower triangle.
    width, width_x, width_y : int
        Number of columns of the set, of x and of y.
    """
    m = width + width_x + width_y
    lower = np.tril(block[:m, :m])
    corr = lower + np.tril(lower, -1).T
    own = corr[width:, width:] - corr[width:, :width] @ np.linalg.pinv(corr[:width, :width]) @ corr[:width, width:]
    xx, xy, yy = own[:width_x, :width_x], own[:width_x, width_x:], own[width_x:, width_x:]
    return float(max(np.trace(np.linalg.pinv(xx) @ xy @ np.linalg.pinv(yy) @ xy.T), 0.0))
