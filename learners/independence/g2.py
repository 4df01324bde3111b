"""G² test for categorical data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Literal

import numpy as np

from ..common.checks import check_choice, check_number
from ..common.errors import DataError
from ..common.parallel import Kernel, run_chunks
from ..common.progress import Tick
from ..common.validation import Threads, validated
from ..data.bit_planes import bit_planes, hole_numbers, marks, resampled_planes
from ..data.dataset import Dataset
from ..data.row_weights import in_units
from ..kernels.ci.evidence import log_p_of
from ..kernels.ci.g2 import DiscreteSample, DiscreteScratch, decide_g2, rows_suffice
from ..kernels.ci.g2_available import IncompleteSample, IncompleteScratch, decide_available
from ..kernels.ci.g2_cached_search import cached_g2_level_search, cached_g2_pool_search
from ..kernels.ci.g2_search import (
    g2_batch_search,
    g2_level_search,
    g2_marginal_tests,
    g2_new_set_search,
    g2_pool_search,
)
from ..kernels.ci.results import CIResults
from ..kernels.counting.bit_planes import fill_pairs
from .any_kernel import any_kernel
from .base import InKernels
from .compiled import MOST_LIGHT, CompiledTest
from .memory import CIMemory
from .scratch import discrete_scratch
from .walks import Batch, LevelWalks, NewSetWalks, PoolWalks, Walks

LARGEST_TABLE = 1 << 21  # counts up to here have c ln c tabulated (16 MB)
ROWS_FOR_PLANES = 1_024  # rows left of a resample from which bit planes are worth making
PAIRED = "pairs of states"  # where a memory keeps their counts
MOST_PAIRED = 6_000  # states in all; their pairs take 4 bytes each (144 MB)


@validated
class G2(CompiledTest):
    """Likelihood-ratio test of x and y given a set, against the χ² distribution.

    Parameters
    ----------
    dataset : Dataset
        Categorical; row weights count, survey weights in proportion (`Dataset.n`). Each test uses the rows that have
        x, y and the whole set.
    dof : "adjusted" or "plain"
        Adjusted: states that a stratum does not show are not counted in its degrees of freedom. Plain: all declared
        states count, (r_x - 1)(r_y - 1) Π r_z.
    rows_per_cell : float, default 0
        Power rule: a pair is not tested, and counts as independent, if n < rows_per_cell · r_x r_y Π r_z. 0 tests all.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Attributes
    ----------
    dataset : Dataset
    settings : dict
        What the test was made with, beside the data and threads.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm,
    Machine Learning 65, section 4 (adjusted degrees of freedom, rule of five).
    """

    deciding = ("rows_per_cell",)

    def __init__(
        self,
        dataset: Dataset,
        *,
        dof: Literal["adjusted", "plain"] = "adjusted",
        rows_per_cell: float = 0.0,
        threads: Threads | None = None,
    ) -> None:
        if dataset.kind != "categorical":
            raise DataError(
                "the G² test needs categorical columns, found continuous ones; discretise them or use Fisher's z"
            )
        if dataset.n == 0:
            raise DataError("a test needs rows, found none; load a table with data")
        check_choice("dof", dof, ("adjusted", "plain"))
        check_number("rows_per_cell", rows_per_cell, 0.0, math.inf, ends="[)")
        weights, unit = in_units(dataset.weights, dataset.n)
        self.dataset = dataset
        self.settings = {"dof": dof, "rows_per_cell": rows_per_cell}
        planes = bit_planes(dataset, threads)
        self._sample = DiscreteSample(
            codes=dataset.codes,
            arity=dataset.arity,
            weights=weights,
            unit=unit,
            n=dataset.n,
            xlogx=_xlogx(dataset.n),
            planes=planes.planes,
            first=planes.first,
            counts=planes.counts,
            pairs=np.empty((0, 0), dtype=np.uint32),
            seen=np.empty((0, 0), dtype=np.uint8),
            joint=np.empty((0, 0)),
            adjusted=dof == "adjusted",
            rows_per_cell=float(rows_per_cell),
        )
        super().__init__(dataset.names, threads)
        self.rows_vary = not dataset.complete
        self._holed = (
            IncompleteSample(self._sample, hole_numbers(dataset), marks(dataset), dataset.n) if self.rows_vary else None
        )

    def remember_in(self, memory: CIMemory) -> None:
        """As `CompiledTest.remember_in`; tests of tables with holes are done again. One thread does the tests."""
        memory.begin(partial(rows_suffice, self._sample.n, self._sample.rows_per_cell))
        if self._holed:
            memory.leave_out()
        else:
            self._memory, self._threads, self._first_tests = memory, 1, MOST_LIGHT

    def _decide(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self._holed:
            statistic, dof, tested = decide_available(
                self._holed, x, y, cond, len(cond), self._holed_scratch(len(cond))
            )
            return log_p_of(statistic, dof, tested), statistic, dof, tested
        return decide_g2(self._sample, x, y, cond, self._scratch(len(cond)))

    def _kernel(self, walks: Walks, log_alpha: float, results: CIResults) -> Kernel:
        if self._holed:
            return any_kernel(self._holed, self._holed_scratch(walks.width), walks, log_alpha, results)
        if self._memory and not walks.single:
            return self._recalling(walks, log_alpha, results)
        return self._counting(walks, log_alpha, results)

    def _cells(self, walks: Walks) -> np.ndarray:
        return walks.cells(self._sample.arity.astype(np.float64))

    def _recalls(self, walks: Walks) -> bool:
        return walks.single or isinstance(walks, (LevelWalks, PoolWalks))

    def _recalling(self, walks: Walks, log_alpha: float, results: CIResults) -> Kernel:
        """As `_kernel`, with the memory; walks that have no such kernel count again."""
        match walks:
            case LevelWalks(adjacency=adjacency):
                sets, kernel = (adjacency, *walks.lists), cached_g2_level_search
            case PoolWalks(pools=pools, skip=skip):
                sets, kernel = (*pools, skip), cached_g2_pool_search
            case _:
                self._memory.leave_out()
                return self._counting(walks, log_alpha, results)
        given = (self._sample, self._memory.known(), self._memory.walks(walks.width), walks.pairs)
        rest = (log_alpha, results, self._memory.once(("scratch", walks.width), partial(self._scratch, walks.width)))
        return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)

    def _counting(self, walks: Walks, log_alpha: float, results: CIResults) -> Kernel:
        sample, pairs = self._sample, walks.pairs
        match walks:
            case LevelWalks(width=0) if self._all_paired:
                return lambda begin, end, _stop, done: g2_marginal_tests(sample, pairs, begin, end, results, done)
            case LevelWalks(adjacency=adjacency):
                sets, kernel = (adjacency, *walks.lists), g2_level_search
            case NewSetWalks(pools=pools, width=width):
                sets, kernel = (*pools, width), g2_new_set_search
            case PoolWalks(pools=pools, skip=skip):
                sets, kernel = (*pools, skip), g2_pool_search
            case Batch(bases=bases, pools=pools, sizes=sizes, skips_untested=skips):
                sets, kernel = (*bases, *pools, sizes, skips), g2_batch_search
        rest = (log_alpha, results, self._scratch(walks.width))
        return lambda begin, end, stop, done: kernel(sample, pairs, begin, end, *sets, *rest, stop, done)

    def order(self) -> np.ndarray:
        """The nodes, the largest sum of G² with all others first. See `CITest.order`."""
        before = self.n_tests
        pairs = np.column_stack(np.triu_indices(self.p, 1))
        statistic = self.separate(LevelWalks.marginal(pairs, self.p), 0.5).statistic
        self.n_tests = before  # who asks for an order does these tests again
        total = np.bincount(pairs.ravel(), np.repeat(statistic, 2), minlength=self.p)
        # Nine digits: sums in another order differ in the last ones.
        digits = 9 - math.ceil(math.log10(max(total.max(), 1.0)))
        return np.argsort(-np.round(total, digits), kind="stable")

    def in_kernels(self) -> InKernels:
        """As `CITest.in_kernels`."""
        return InKernels(self._holed, self._holed_scratch) if self._holed else InKernels(self._sample, self._scratch)

    def resampled(self, weights: np.ndarray, nodes: np.ndarray) -> InKernels:
        """`in_kernels` on the rows counted as often as (n_rows,) `weights` say, for tests among `nodes` alone.

        Rows of weight 0 are left out. Where many are left, bit planes are made, each row as often as it counts: they
        take a fraction of a pass over weighted codes.
        """
        sample = self._sample
        keep = np.flatnonzero(weights)
        codes = np.empty((self.p, len(keep)), dtype=sample.codes.dtype)
        codes[nodes] = sample.codes[np.ix_(nodes, keep)]
        own = np.ascontiguousarray(weights[keep], dtype=np.int64)
        planes, counts = sample.planes, sample.counts
        first = sample.first if len(keep) >= ROWS_FOR_PLANES else np.zeros_like(sample.first)
        if first[-1]:
            planes, counts = resampled_planes(codes[nodes], own, nodes, first, planes.shape)
        else:
            planes, counts = np.empty((0, 0), dtype=np.uint64), np.empty(0, dtype=np.int64)
        for array in (own, codes, planes, first, counts):  # as they are in the sample, or kernels are compiled twice
            array.flags.writeable = False
        nothing = {name: np.empty_like(getattr(sample, name)[:0, :0]) for name in ("pairs", "seen", "joint")}
        made = sample._replace(codes=codes, weights=own, planes=planes, first=first, counts=counts, **nothing)
        return InKernels(made, lambda size: self._scratch(size)._replace(z=np.empty(len(keep), dtype=np.int64)))

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:
        """See `CITest.rows_for_each_cell`."""
        return self._sample.n / math.prod(int(self._sample.arity[k]) for k in (x, y, *cond))

    def distances(self, statistic: np.ndarray) -> np.ndarray:
        """d = 1 - I / H: one minus the share of the joint entropy that is mutual; 1 where nothing varies.

        Huang and Zhou (2022), section 3.1.1. See `CITest.distances`.
        """
        information = statistic / (2 * self._rows_of_pairs())
        entropy = np.array([self._entropy(j) for j in range(self.p)])
        joint = entropy[:, None] + entropy - information
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.where(joint > 0, 1.0 - information / joint, 1.0)
        np.fill_diagonal(distance, 0.0)
        return np.clip(distance, 0.0, 1.0)

    def _entropy(self, j: int) -> float:
        """Entropy of a column in nats."""
        sample = self._sample
        counts = sample.counts[sample.first[j] : sample.first[j + 1]]
        if not len(counts):
            counts = np.bincount(sample.codes[j], sample.weights if len(sample.weights) else None)
        counts = counts[: sample.arity[j]]
        share = counts[counts > 0] / counts.sum()
        return float(-(share * np.log(share)).sum())

    @property
    def _all_paired(self) -> bool:
        """Returns whether the pairs of every variable are counted."""
        sample = self._sample
        return len(sample.pairs) > 0 and bool((np.diff(sample.first) > 0).all())

    def _rows_of_pairs(self) -> np.ndarray | int:
        """Rows that have both variables of each pair."""
        if not self._holed:
            return self._sample.n
        there = np.array([self.dataset.is_there(j) for j in range(self.p)], dtype=np.float64)
        shares = self.dataset.shares
        return np.maximum(there @ (there if shares is None else there * shares).T, 1.0)

    def _holed_scratch(self, size: int) -> IncompleteScratch:
        mask = np.empty(self._holed.observed.shape[1], dtype=np.uint64)
        picked = np.empty(self._sample.codes.shape[1], dtype=np.int64)
        return IncompleteScratch(self._scratch(size), mask, picked, self._rows_noted())

    def _scratch(self, size: int) -> DiscreteScratch:
        return discrete_scratch(self._sample, size)

    def _before_many(self, phase: str, tick: Tick) -> None:
        """Count all pairs of states once: every test of one or no conditioning variable reads them."""
        sample = self._sample
        m = len(sample.counts)
        if m == 0 or m > MOST_PAIRED or sample.pairs.shape[0] or self._holed:
            return
        if known := self._memory and self._memory.tables.get(PAIRED):
            self._sample = sample._replace(**known)
            return
        pairs, seen = np.zeros((m, m), dtype=np.uint32), np.zeros((self.p, m), dtype=np.uint8)
        joint = np.zeros((self.p, self.p))

        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            fill_pairs(
                sample.planes, sample.first, sample.counts, sample.xlogx, begin, end, pairs, seen, joint, stop, done
            )

        run_chunks(
            lambda: piece, self.p, phase=f"{phase}, counting pairs", tick=tick, threads=self._threads, light=True
        )
        tables = {"pairs": pairs, "seen": seen, "joint": joint}
        self._sample = sample._replace(**tables)
        if self._memory:
            self._memory.tables[PAIRED] = tables


@lru_cache(maxsize=4)
def _xlogx(n: int) -> np.ndarray:
    values = np.arange(min(n, LARGEST_TABLE) + 1, dtype=np.float64)
    values[1:] *= np.log(values[1:])
    values.flags.writeable = False
    return values
