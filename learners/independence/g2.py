"""G² test for categorical data: the interface of `kernels.ci.g2`, which computes p, and of `kernels.counting`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Literal

import numpy as np

from ..common.errors import DataError
from ..common.mapped_arrays import empty
from ..common.memory import MAX_PAIRED_STATES
from ..common.parallel import Kernel, run_chunks
from ..common.progress import Tick
from ..common.validation import Threads, validated
from ..data.bit_planes import bit_planes, incomplete_positions, presence_bits, resampled_planes
from ..data.dataset import Dataset
from ..data.lacking_type import no_levels
from ..data.row_weights import in_units
from ..kernels.ci.evidence import log_p_of
from ..kernels.ci.g2 import DiscreteSample, DiscreteScratch, decide_g2
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
from ..kernels.counting.cost_model import MAX_SHARED
from ..settings.shared import ROWS_PER_CELL
from .ci_cache import CIMemory, rule_of
from .ci_test import KernelTest
from .compiled_test import MAX_LIGHT_TESTS, CompiledTest, generic_kernel
from .set_search import BatchSearch, LevelSearch, NewSetSearch, PoolSearch, SetSearch

MAX_TABULATED = 1 << 21  # maximum count c whose c ln c is tabulated (16 MB)
MIN_PLANE_ROWS = 1_024  # minimum number of rows of a resample for which bit planes pay off
PAIR_COUNTS = "pairs of states"  # key of the counts of all pairs of states in a `CIMemory`


@validated
class G2(CompiledTest):
    """Likelihood-ratio test of x and y given a set, against the χ² distribution.

    Parameters
    ----------
    dataset : Dataset
        Categorical; row weights count, survey weights in proportion (`Dataset.n`). Each test uses the rows in which x,
        y and the whole set are observed.
    dof : "adjusted" or "plain"
        Adjusted: states that a stratum does not show do not count in its degrees of freedom. Plain: all declared states
        count, (r_x - 1)(r_y - 1) Π r_z.
    rows_per_cell : float, default 0
        Power rule: a pair is not tested, and counts as independent, if n < rows_per_cell · r_x r_y Π r_z. 0 tests all.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Attributes
    ----------
    dataset : Dataset
    settings : dict
        Settings of the test other than data and threads.

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm,
    Machine Learning 65, section 4 (adjusted degrees of freedom, rule of five).
    """

    deciding = ("rows_per_cell",)
    replacements = ("FisherZ", "DegenerateGaussian")  # tests of continuous and of mixed data

    def __init__(
        self,
        dataset: Dataset,
        *,
        dof: Literal["adjusted", "plain"] = "adjusted",
        rows_per_cell: float = 0.0,
        threads: Threads | None = None,
    ) -> None:
        if dataset.kind != "categorical":
            numbers, mixed = self.replacements
            raise no_levels(type(self).__name__, dataset, numbers=numbers, mixed=mixed)
        if dataset.n == 0:
            raise DataError("a test needs rows, found none; load a table with data")
        ROWS_PER_CELL.check(rows_per_cell)
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
        self._incomplete = (
            IncompleteSample(self._sample, incomplete_positions(dataset), presence_bits(dataset), dataset.n)
            if self.rows_vary
            else None
        )

    def remember_in(self, memory: CIMemory) -> None:
        """See `CompiledTest.remember_in`; tests of incomplete data are repeated. One thread does the tests."""
        memory.begin(rule_of(self._sample.n, self._sample.rows_per_cell))
        if self._incomplete:
            memory.leave_out()
        else:
            self._memory, self._threads, self._first_tests = memory, 1, MAX_LIGHT_TESTS

    @property
    def mixes_sizes(self) -> bool:
        """See `CITest`; tests of incomplete data have a search for each size."""
        return self._incomplete is None

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self._incomplete:
            statistic, dof, tested = decide_available(
                self._incomplete, x, y, cond, len(cond), self._incomplete_scratch(len(cond))
            )
            return log_p_of(statistic, dof, tested), statistic, dof, tested
        return decide_g2(self._sample, x, y, cond, self._scratch(len(cond)))

    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        if self._incomplete:
            return generic_kernel(
                self._incomplete, self._incomplete_scratch(searches.width), searches, log_alpha, results
            )
        if self._memory and not searches.single:
            return self._cached_kernel(searches, log_alpha, results)
        return self._counting_kernel(searches, log_alpha, results)

    def _cells(self, searches: SetSearch) -> np.ndarray:
        return searches.cells(self._sample.arity.astype(np.float64))

    def _is_cached(self, searches: SetSearch) -> bool:
        return searches.single or isinstance(searches, (LevelSearch, PoolSearch))

    def _cached_kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        """Return the kernel that uses the cache, or one that counts all tables if the searches have no such kernel."""
        match searches:
            case LevelSearch(adjacency=adjacency):
                sets, kernel = (adjacency, *searches.lists), cached_g2_level_search
            case PoolSearch(pools=pools, skip=skip, whole=whole):
                sets, kernel = (*pools, skip, whole), cached_g2_pool_search
            case _:
                self._memory.leave_out()
                return self._counting_kernel(searches, log_alpha, results)
        given = (self._sample, self._memory.tests(), self._memory.searches(searches.width), searches.pairs)
        rest = (
            log_alpha,
            results,
            self._memory.once(("scratch", searches.width), partial(self._scratch, searches.width)),
        )
        return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)

    def _counting_kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        sample, pairs = self._sample, searches.pairs
        match searches:
            case LevelSearch(width=0) if self._all_paired:
                return lambda begin, end, _stop, done: g2_marginal_tests(sample, pairs, begin, end, results, done)
            case LevelSearch(adjacency=adjacency):
                sets, kernel = (adjacency, *searches.lists), g2_level_search
            case NewSetSearch(pools=pools, width=width):
                sets, kernel = (*pools, width), g2_new_set_search
            case PoolSearch(pools=pools, skip=skip, whole=whole):
                sets, kernel = (*pools, skip, whole), g2_pool_search
            case BatchSearch(bases=bases, pools=pools, sizes=sizes, skips_untested=skips):
                sets, kernel = (*bases, *pools, sizes, skips), g2_batch_search
        rest = (log_alpha, results, self._scratch(searches.width))
        return lambda begin, end, stop, done: kernel(sample, pairs, begin, end, *sets, *rest, stop, done)

    def order(self) -> np.ndarray:
        """Return the nodes by decreasing sum of their G² with all others. See `CITest.order`."""
        before = self.n_tests
        pairs = np.column_stack(np.triu_indices(self.p, 1))
        statistic = self.separate(LevelSearch.marginal(pairs, self.p), 0.5).statistic
        self.n_tests = before  # not counted, because learners that need an order repeat these tests
        total = np.bincount(pairs.ravel(), np.repeat(statistic, 2), minlength=self.p)
        # Nine digits, because the last digits depend on the order of summation.
        digits = 9 - math.ceil(math.log10(max(total.max(), 1.0)))
        return np.argsort(-np.round(total, digits), kind="stable")

    def in_kernels(self) -> KernelTest:
        """See `CITest.in_kernels`."""
        return (
            KernelTest(self._incomplete, self._incomplete_scratch)
            if self._incomplete
            else KernelTest(self._sample, self._scratch)
        )

    def resampled(self, weights: np.ndarray, nodes: np.ndarray) -> KernelTest:
        """Return the test in kernel form on rows repeated by `weights`, for tests among `nodes` only.

        Rows of weight 0 are left out, and survey weights multiply the counts. If many rows are left, bit planes of the
        repeated rows are built: they take a fraction of the time of a pass over weighted codes.

        Parameters
        ----------
        weights : (n_rows,) int64 array
        nodes : int64 array
        """
        sample = self._sample
        keep = np.flatnonzero(weights)
        codes = np.empty((self.p, len(keep)), dtype=sample.codes.dtype)
        codes[nodes] = sample.codes[np.ix_(nodes, keep)]
        own = np.ascontiguousarray(weights[keep], dtype=np.int64)
        if self.dataset.surveyed:  # drawn rows keep survey weights; the draws already include counts
            own = own * sample.weights[keep]
        planes, counts = sample.planes, sample.counts
        has_planes = len(keep) >= MIN_PLANE_ROWS and not self.dataset.surveyed
        first = sample.first if has_planes else np.zeros_like(sample.first)
        if first[-1]:
            planes, counts = resampled_planes(codes[nodes], own, nodes, first, planes.shape)
        else:
            planes, counts = np.empty((0, 0), dtype=np.uint64), np.empty(0, dtype=np.int64)
        # Read-only as in the sample, so that kernels are compiled once.
        for array in (own, codes, planes, first, counts):
            array.flags.writeable = False
        nothing = {name: np.empty_like(getattr(sample, name)[:0, :0]) for name in ("pairs", "seen", "joint")}
        made = sample._replace(codes=codes, weights=own, planes=planes, first=first, counts=counts, **nothing)
        return KernelTest(made, lambda size: self._scratch(size)._replace(z=np.empty(len(keep), dtype=np.int64)))

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:
        """See `CITest.rows_for_each_cell`."""
        return self._sample.n / math.prod(int(self._sample.arity[k]) for k in (x, y, *cond))

    def distances(self, statistic: np.ndarray) -> np.ndarray:
        """Return the distance d = 1 - I / H of mutual information I and joint entropy H; 1 if H is 0.

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
        """Return the entropy of a column in nats."""
        sample = self._sample
        counts = sample.counts[sample.first[j] : sample.first[j + 1]]
        if not len(counts):
            counts = np.bincount(sample.codes[j], sample.weights if len(sample.weights) else None)
        counts = counts[: sample.arity[j]]
        share = counts[counts > 0] / counts.sum()
        return float(-(share * np.log(share)).sum())

    @property
    def _all_paired(self) -> bool:
        """True if the pairs of states of every variable are counted."""
        sample = self._sample
        return len(sample.pairs) > 0 and bool((np.diff(sample.first) > 0).all())

    def _rows_of_pairs(self) -> np.ndarray | int:
        """Return the rows in which both variables of each pair are observed."""
        if not self._incomplete:
            return self._sample.n
        there = np.array([self.dataset.is_there(j) for j in range(self.p)], dtype=np.float64)
        shares = self.dataset.shares
        return np.maximum(there @ (there if shares is None else there * shares).T, 1.0)

    def _incomplete_scratch(self, size: int) -> IncompleteScratch:
        mask = np.empty(self._incomplete.observed.shape[1], dtype=np.uint64)
        picked = empty([self._sample.codes.shape[1]], np.int64)
        return IncompleteScratch(self._scratch(size), mask, picked, self._row_counter())

    def _scratch(self, size: int) -> DiscreteScratch:
        return discrete_scratch(self._sample, size)

    def _prepare(self, phase: str, tick: Tick) -> None:
        """Count all pairs of states once; every test with at most one conditioning variable reads them."""
        sample = self._sample
        m = len(sample.counts)
        if m == 0 or m > MAX_PAIRED_STATES or sample.pairs.shape[0] or self._incomplete:
            return
        if known := self._memory and self._memory.tables.get(PAIR_COUNTS):
            self._sample = sample._replace(**known)
            return
        p = self.p
        pairs, seen, joint = np.zeros((m, m), dtype=np.uint32), np.zeros((p, m), dtype=np.uint8), np.zeros((p, p))

        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            fill_pairs(
                sample.planes, sample.first, sample.counts, sample.xlogx, begin, end, pairs, seen, joint, stop, done
            )

        run_chunks(piece, p, phase=f"{phase}, counting pairs", tick=tick, threads=self._threads, light=True)
        tables = {"pairs": pairs, "seen": seen, "joint": joint}
        self._sample = sample._replace(**tables)
        if self._memory:
            self._memory.tables[PAIR_COUNTS] = tables


@lru_cache(maxsize=4)
def _xlogx(n: int) -> np.ndarray:
    values = np.arange(min(n, MAX_TABULATED) + 1, dtype=np.float64)
    values[1:] *= np.log(values[1:])
    values.flags.writeable = False
    return values


def discrete_scratch(sample: DiscreteSample, size: int) -> DiscreteScratch:
    """Return working memory of one thread for sets of up to `size` members."""
    widest = int(sample.arity.max())
    words, cells = sample.planes.shape[1], max_plane_cells(widest)
    return DiscreteScratch(
        z=empty([sample.codes.shape[1]], np.int64),
        cells=np.empty(cells, dtype=np.int64),
        rest=np.empty(cells, dtype=np.int64),
        rows=np.empty(widest, dtype=np.int64),
        columns=np.empty(widest, dtype=np.int64),
        shared=np.empty((MAX_SHARED, words), dtype=np.uint64),
        masks=np.empty((size, words), dtype=np.uint64),
        state=np.empty(size + 1, dtype=np.int64),
        pair=np.full(2, -1, dtype=np.int64),
    )


def max_plane_cells(widest: int) -> int:
    """Return the number of cells of the largest table counted by planes."""
    return min(widest * widest, (MAX_SHARED + 2) ** 2)
