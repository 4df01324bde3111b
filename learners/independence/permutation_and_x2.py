"""Tests for sparse tables: G² against its permutations, shrunk mutual information, and Pearson's X²."""

from __future__ import annotations

import copy
import math
from abc import abstractmethod
from itertools import takewhile
from typing import Any, Literal
from zlib import crc32

import numpy as np

from ..common.checks import check_count
from ..common.errors import DataError
from ..common.memory import check_table_memory
from ..common.parallel import Kernel
from ..common.progress import Tick
from ..common.validation import Seed, Threads, validated
from ..data.dataset import Dataset
from ..kernels.ci.g2 import dof_of
from ..kernels.ci.permutation_and_x2 import pearson_x2, permuted_sums, rows_by_stratum, shrunk_information
from ..kernels.ci.permuted_x2 import fitted_chi2, permuted_x2
from ..kernels.ci.results import CIResults
from ..kernels.ci.tail_probabilities import log_chi2_sf
from ..kernels.counting.contingency import n_cells
from .ci_cache import CIMemory
from .g2 import G2
from .set_search import SetSearch

ROUNDING = 1e-9  # tolerance: sums of equal tables differ by less, sums of different tables by more
MAX_CACHED_TESTS = 200_000  # maximum number of cached tests


class SingleTest(G2):
    """A test of contingency tables whose searches do one test after the other, by `_compute`."""

    deciding = ()  # the cached result of a test records whether it was done

    def remember_in(self, memory: CIMemory) -> None:
        """See `CompiledTest.remember_in`; the number of threads stays the same."""
        memory.leave_out()
        self._memory = memory

    def _is_cached(self, searches: SetSearch) -> bool:  # noqa: ARG002
        return False  # its tests are cached one by one, without intervals of levels with equal outcomes

    def _remembered(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self._memory is None:
            return self._compute_complete(x, y, cond)
        known, key = self._memory.tables, (x, y, *cond.tolist())
        if key in known:
            return known[key]
        result = self._compute_complete(x, y, cond)
        if len(known) < MAX_CACHED_TESTS:
            known[key] = result
        return result

    @abstractmethod
    def _compute_complete(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        """Perform one test as `CompiledTest._compute`, on complete rows."""

    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        """Return a kernel that searches as `CITest.separate` does, and ends early once `stop` is set."""
        own = copy.copy(self)  # threads share no state, so counts are separate
        own._row_counts, own._range = [], None

        def kernel(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            for e in range(begin, end):
                own._search(searches, e, takewhile(lambda _: not stop[0], searches.sets(e)), log_alpha, results)
                if stop[0]:
                    break
                done[0] += 1
            if own.rows_used:
                self._row_counts.append(np.array([0, *own.rows_used]))

        return kernel


class TableTest(SingleTest):
    """An expensive test, defined on complete tables."""

    def __init__(self, dataset: Dataset, **options: Any) -> None:
        super().__init__(dataset, **options)
        if dataset.surveyed:
            raise DataError("this test counts whole rows, found survey weights; use G², which weighs rows")
        check_table_memory(dataset.names, dataset.arity)

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self.dataset.complete:
            return self._remembered(x, y, cond)
        rows = self._row_counter()
        part = self.dataset.available((x, y, *cond.tolist()))
        rows[:] = part.n
        if not part.n:
            return 0.0, 0.0, 0.0, False
        return self._on(part)._compute_complete(0, 1, np.arange(2, 2 + len(cond), dtype=np.int32))

    def _strata(
        self, x: int, y: int, cond: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, int, int, np.ndarray, np.ndarray]:
        """Return the codes of x and y by stratum, their numbers of levels, the starts of the strata and the weights."""
        sample, x, y = self._sample, min(x, y), max(x, y)
        order, begin = rows_by_stratum(sample.codes, sample.arity, cond)
        weights = sample.weights[order] if len(sample.weights) else np.ones(len(order), dtype=np.int64)
        a, b = sample.codes[x][order], sample.codes[y][order]
        return a, b, int(sample.arity[x]), int(sample.arity[y]), begin, weights

    @abstractmethod
    def _on(self, dataset: Dataset) -> TableTest:
        """Return the same test of other data."""

    def _prepare(self, phase: str, tick: Tick) -> None:
        """Do nothing: no table is precomputed."""


@validated
class PermutationG2(TableTest):
    """G² compared with its values after y was shuffled within each group of equal Z, which makes x and y independent.

    Parameters
    ----------
    dataset, dof, rows_per_cell, threads
        As for `G2`. Weighted rows are repeated.
    permutations : int, optional
        Default: 1,000, or 100 if semi-parametric.
    semi_parametric : bool, default False
        False: p is the share of tables, the observed one among them, with a G² of at least the observed one. True: p
        comes from a χ² distribution whose degrees of freedom are the mean of the permuted G².
    seed : int, default 0
        With the names of the variables it determines the permutations of a test, so that neither the order of the tests
        nor that of the columns matters.

    References
    ----------
    Tsamardinos and Borboudakis (2010), Permutation testing improves Bayesian network learning. ECML-PKDD. Good (2005),
    Permutation, parametric and bootstrap tests of hypotheses.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        dof: Literal["adjusted", "plain"] = "adjusted",
        rows_per_cell: float = 0.0,
        permutations: int | None = None,
        semi_parametric: bool = False,
        seed: Seed = 0,
        threads: Threads | None = None,
    ) -> None:
        super().__init__(dataset, dof=dof, rows_per_cell=rows_per_cell, threads=threads)
        check_count("permutations", permutations, 1, optional=True)
        self._permutations = permutations or (100 if semi_parametric else 1_000)
        self._semi_parametric = semi_parametric
        self._seed = seed
        self._own = {"dof": dof, "rows_per_cell": rows_per_cell, "threads": threads}
        self._own |= {"permutations": permutations, "semi_parametric": semi_parametric, "seed": seed}
        self._key = [crc32(name.encode()) for name in dataset.names]
        codes = dataset.codes
        self._codes = codes if dataset.weights is None else np.repeat(codes, dataset.weights, axis=1)

    def _on(self, dataset: Dataset) -> PermutationG2:
        return PermutationG2(dataset, **self._own)

    def _compute_complete(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        log_p, statistic, dof, tested = G2._compute(self, x, y, cond)
        if not tested or dof == 0:
            return log_p, statistic, dof, tested
        # In the order of names, so that the shuffles do not depend on the order of the columns.
        x, y = sorted((x, y), key=self.names.__getitem__)
        given = sorted(cond.tolist(), key=self.names.__getitem__)
        rng = np.random.default_rng([self._seed, *(self._key[k] for k in (x, y, *given))])
        sums = np.empty(1 + self._permutations)
        arity, xlogx = self._sample.arity, self._sample.xlogx
        order, begin = rows_by_stratum(self._codes, arity, np.array(given, dtype=np.int32))
        a, b = self._codes[x][order], self._codes[y][order]
        permuted_sums(a, b, int(arity[x]), int(arity[y]), begin, xlogx, rng, sums)
        if not self._semi_parametric:
            extreme = 1 + int((sums[1:] >= sums[0] - ROUNDING).sum())
            return math.log(extreme / len(sums)), statistic, dof, True
        # Margins are the same in all tables, so G² differs by the sum over the cells alone.
        mean = statistic + 2.0 * float((sums[1:] - sums[0]).mean())
        mean = mean if mean > ROUNDING else 0.0
        return float(log_chi2_sf(statistic, mean)), statistic, mean, True


class ShrinkageMI(TableTest):
    """Mutual information from James-Stein estimates of the cells, times 2n, against the χ² distribution.

    Parameters
    ----------
    dataset, dof, rows_per_cell, threads
        As for `G2`.

    References
    ----------
    Hausser and Strimmer (2009), Entropy inference and the James-Stein estimator, with application to nonlinear gene
    association networks. Journal of Machine Learning Research 10.
    """

    def _on(self, dataset: Dataset) -> ShrinkageMI:
        dof = "adjusted" if self._sample.adjusted else "plain"
        return ShrinkageMI(dataset, dof=dof, rows_per_cell=self._sample.rows_per_cell, threads=self._threads)

    def _compute_complete(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        log_p, statistic, dof, tested = G2._compute(self, x, y, cond)
        if not tested:
            return log_p, statistic, dof, tested
        information, _ = self.shrunk_information(x, y, cond)
        statistic = 2.0 * self._sample.n * information
        return float(log_chi2_sf(statistic, dof)), statistic, dof, True

    def shrunk_information(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float]:
        """Return (I, λ): mutual information of x and y given `cond` (k,) int32 in nats, and the shrinkage intensity."""
        return shrunk_information(*self._strata(x, y, cond), n_cells(self._sample.arity, x, y, cond, len(cond)))


class PearsonX2(TableTest):
    """Pearson's X², summed over strata with a factor of 1 - 1/n_s, against its permutations within the strata.

    The p-value is that of a χ² distribution with the mean, variance and third moment of X² under all permutations,
    shifted and scaled. It also holds in sparse tables, where G² rejects independence too often. See
    `kernels.ci.permuted_x2`.

    Parameters
    ----------
    dataset, rows_per_cell, threads
        As for `G2`.
    dof : "adjusted" or "plain"
        Adjusted: statistic and degrees of freedom of the shifted and scaled distribution, which need not be whole.
        Plain: X² and all declared states, (r_x - 1)(r_y - 1) Π r_z.

    References
    ----------
    Koehler and Larntz (1980), An empirical investigation of goodness-of-fit statistics for sparse multinomials. Journal
    of the American Statistical Association 75. Dawson (1954), A simplified expression for the variance of the
    χ²-function on a contingency table. Biometrika 41.
    """

    def _on(self, dataset: Dataset) -> PearsonX2:
        dof = "adjusted" if self._sample.adjusted else "plain"
        return PearsonX2(dataset, dof=dof, rows_per_cell=self._sample.rows_per_cell, threads=self._threads)

    def _compute_complete(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        sample, x, y = self._sample, min(x, y), max(x, y)
        dof, tested = dof_of(sample, x, y, cond, len(cond), 0)
        if not tested:
            return 0.0, 0.0, 0.0, False
        if sample.adjusted:
            *moments, _ = permuted_x2(sample.codes, sample.arity, sample.arity, sample.weights, x, y, cond)
            return *fitted_chi2(*moments), True
        statistic = pearson_x2(*self._strata(x, y, cond))
        return float(log_chi2_sf(statistic, dof)), statistic, dof, True
