"""Test for nonlinear relations of numbers, by basis functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.errors import DataError
from ..common.parallel import Kernel
from ..common.validation import Threads, validated
from ..data.basis_functions import for_tests
from ..data.dataset import Dataset
from ..kernels.ci.basis_functions import BasisScratch, decide_basis
from ..kernels.ci.degenerate_gaussian import fill_relatedness
from ..kernels.ci.evidence import log_p_of
from ..kernels.ci.results import CIResults
from .ci_test import KernelTest
from .compiled_test import CompiledTest, generic_kernel
from .degenerate_gaussian import MIN_ROWS, DegenerateGaussian
from .set_search import SetSearch


@validated
class BasisTest(DegenerateGaussian):
    """Likelihood-ratio test of lines and curves, for numbers whose relations are not linear.

    Three statistics of `DegenerateGaussian` are added: of x and y; of x and two curves of y, given y; and of y and two
    curves of x, given x. Curves are Legendre polynomials of degree 2 and 3 of the ranks. The test adjusts for each
    number of the set, its square and cube, and polynomials of degree 1 to 3 of its ranks.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, at least 4 rows; row weights count. Missing cells as for `DegenerateGaussian`, but
        completed ones are averaged over the drawn tables.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Raises
    ------
    DataError
        If there are too few rows.

    Notes
    -----
    It finds squares and sines, which Fisher's z misses. Two numbers have five degrees of freedom, so that a weak linear
    relation needs more rows than with Fisher's z. It takes about ten times as long. It does not adjust for products of
    members of the set. `python -m benchmarks.basis_functions level` measures its type I error.

    References
    ----------
    Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104
    (Λ of several columns a variable). The functions are our choice.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import BasisTest, Dataset, FisherZ
    >>> x, noise = np.linspace(-1, 1, 500), np.random.default_rng(0).normal(0, 0.1, 500)
    >>> data = Dataset.from_values(np.column_stack([x, x**2 + noise]), ["x", "y"])
    >>> FisherZ(data).test(0, 1).p_value > 0.05, BasisTest(data).test(0, 1).p_value < 1e-9
    (True, True)
    """

    def __init__(self, dataset: Dataset, *, threads: Threads | None = None) -> None:
        if dataset.n < MIN_ROWS:
            raise DataError(f"a test of numbers needs at least {MIN_ROWS} rows, found {dataset.n}; load more")
        CompiledTest.__init__(self, dataset.names, threads)
        self.dataset, self._parts = dataset, for_tests(dataset)
        self._sample = self._parts.embedded
        self.rows_vary = not dataset.complete

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        statistic, dof, tested = decide_basis(self._parts, x, y, cond, len(cond), self._parts_scratch(len(cond)))
        return log_p_of(statistic, dof, tested), statistic, dof, tested

    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        scratch = self._parts_scratch(searches.width, len(searches) * searches.max_tests)
        return generic_kernel(self._parts, scratch, searches, log_alpha, results)

    def in_kernels(self) -> KernelTest:
        """See `CITest.in_kernels`."""
        return KernelTest(self._parts, self._parts_scratch)

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:
        """Return the rows per column of the regressions, since there is no table. See `CITest.rows_for_each_cell`."""
        widths = np.diff(self._sample.first).reshape(-1, self.p)
        return self._sample.n / max(int(widths[1, [x, y]].sum() + widths[2, list(cond)].sum()), 1)

    def _relatedness(self) -> np.ndarray:
        """Return (p, p): 0 for unrelated variables, 1 for equivalent ones and on the diagonal; curves count."""
        related = np.eye(self.p)
        curved = self._sample._replace(first=self._sample.first[self.p :])
        fill_relatedness(curved, np.empty(0, dtype=np.int32), self._scratch(0), related)
        return related

    def _parts_scratch(self, size: int, tests: int = 1) -> BasisScratch:
        embedded = self._scratch(size, tests)
        return BasisScratch(embedded, np.empty(size, dtype=np.int32), embedded.rows)
