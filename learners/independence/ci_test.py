"""The interface of all tests of conditional independence."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..common.run_warning import RunWarning
from ..kernels.ci.d_separation import DAGSample
from ..kernels.ci.fisher_z import GaussianSample
from ..kernels.ci.g2 import DiscreteSample
from ..kernels.ci.results import CIResults, empty_results
from ..settings.shared import ALPHA
from .set_search import SetSearch


@dataclass(frozen=True)
class CIResult:
    """Result of one test. Independent iff ``p_value > alpha``; compare `log_p`, which never underflows.

    Attributes
    ----------
    statistic : float
        G² or Fisher's z; NaN for the oracle.
    dof : float
        Degrees of freedom; NaN if the test has none.
    log_p : float
        Natural logarithm of the p-value, in [-inf, 0].
    p_value : float
    tested : bool
        False if there were too few rows to test; the pair then counts as independent with p = 1.
    n : int or None
        Number of rows of the test, if it differs from test to test.
    """

    statistic: float
    dof: float
    log_p: float
    p_value: float
    tested: bool = True
    n: int | None = None


class KernelTest(NamedTuple):
    """A test in the form that `kernels.ci.any_test.decide` takes.

    Attributes
    ----------
    sample : tuple of arrays
        The data, of the type that selects the test: `DiscreteSample`, `GaussianSample`, `DAGSample`, ...
    scratch : callable
        ``scratch(size)`` returns working memory of one thread for sets of up to `size` members.
    """

    sample: DiscreteSample | GaussianSample | DAGSample
    scratch: Callable[[int], Any]


def check_members(p: int, x: int, y: int, cond: Sequence[int]) -> list[int]:
    """Return `cond` ascending, without repetitions.

    Raises
    ------
    ParameterError
        If x, y and the members are not different nodes below p.
    """
    members = sorted(set(cond))
    nodes = {x, y, *members}
    if len(nodes) < 2 + len(members) or not all(0 <= k < p for k in nodes):
        raise ParameterError(
            f"a test needs two variables and a set without them, numbered 0 .. {p - 1}, got {x}, {y} given {members}"
        )
    return members


class CITest(ABC):
    """Test of x and y given a set, bound to its data. Learners access the data only through the test.

    A custom test must define `names` and `test`; `separate` then does one test after the other.

    Attributes
    ----------
    names : tuple of str
        The variables; nodes are positions in it.
    n_tests : int
        Number of tests done so far.
    rows_vary : bool
        True if values are missing, so that the rows differ from test to test.
    rows_used : two int, or None
        Minimum and maximum number of rows of the tests so far, if it differs from test to test.
    warnings : tuple of RunWarning
        Warnings for the user about the tests so far.
    repeats_marginal : bool
        True if tests without a set take so little time that they are repeated, rather than stored, for a trace.
    mixes_sizes : bool
        True if the pools of a `PoolSearch` with `whole` may have different sizes.
    """

    names: tuple[str, ...]
    n_tests: int = 0
    rows_vary: bool = False
    rows_used: tuple[int, int] | None = None
    warnings: tuple[RunWarning, ...] = ()
    repeats_marginal: bool = False
    mixes_sizes: bool = False

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    @abstractmethod
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`, and count the test in `n_tests`."""

    def separate(self, searches: SetSearch, alpha: float, *, phase: str = "", tick: Tick = silent) -> CIResults:
        """Test many pairs, each given a sequence of sets up to the first set with p > alpha.

        Parameters
        ----------
        searches : SetSearch
            The pairs, and how their sets are formed.
        alpha : float
            Significance level in (0, 1).
        phase, tick
            Progress listener.

        Returns
        -------
        CIResults
            One row for each search.

        Raises
        ------
        Stopped
            If cancelled; `partial` has the results so far.
        """
        ALPHA.check(alpha)
        results = empty_results(len(searches), searches.width)
        for e in range(len(searches)):
            self._search(searches, e, searches.sets(e), math.log(alpha), results)
            if not tick(phase, e + 1, len(searches)):
                raise Stopped(results)
        return results

    def count_as_own(self, other: CITest) -> None:
        """Add the test count and the warnings of another test of the same data to those of this test."""
        self.n_tests += other.n_tests

    def order(self) -> np.ndarray:
        """Return the order of the nodes for learners that depend on one, (p,) int64.

        The order depends on the data where possible, not on the columns.
        """
        return np.arange(self.p)

    def in_kernels(self) -> KernelTest:
        """Return the test in a form that kernels can call.

        Raises
        ------
        ParameterError
            If the test has no such form.
        """
        raise ParameterError(
            "this learner runs entirely in compiled kernels and needs G2, FisherZ or DSeparation; use one of them"
        )

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:  # noqa: ARG002
        """Return the rows per cell of the table of x, y and `cond`; infinity for a test without tables."""
        return math.inf

    def log_p_given_rest(self) -> np.ndarray:
        """Return ln p of every pair given all other variables.

        Returns
        -------
        (p, p) float64 array
            Symmetric, -inf on the diagonal.

        Raises
        ------
        DataError
            If the test cannot condition on so many variables.
        """
        log_p = np.full((self.p, self.p), -math.inf)
        for x, y in combinations(range(self.p), 2):
            rest = [k for k in range(self.p) if k not in (x, y)]
            log_p[x, y] = log_p[y, x] = self.test(x, y, rest).log_p
        return log_p

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """Return distances between variables: 0 for equivalent variables, 1 for unrelated ones.

        Parameters
        ----------
        statistic : (p, p) float64 array
            Statistic of each pair tested without a conditioning set, symmetric; 0 where no test was done.

        Returns
        -------
        (p, p) float64 array

        Raises
        ------
        ParameterError
            If the test defines no distance.
        """
        raise ParameterError("this test knows no distance between variables, so clusters must be given; pass labels")

    def _search(
        self, searches: SetSearch, e: int, sets: Iterable[tuple[int, ...]], log_alpha: float, results: CIResults
    ) -> None:
        """Run search e over `sets`, one test at a time, and record the outcome in row e of the results."""
        x, y = searches.pairs[e].tolist()
        for cond in sets:
            result = self.test(x, y, cond)
            counts = result.tested or not searches.skips_untested
            harder = result.log_p > results.log_p[e] or (searches.skips_untested and not results.tested[e])
            if results.n_tests[e] == 0 or (counts and harder):
                results.log_p[e], results.statistic[e] = result.log_p, result.statistic
                results.dof[e], results.tested[e] = result.dof, result.tested
                results.cond[e, : len(cond)] = cond
                if len(results.n_rows):
                    results.n_rows[e] = result.n
            results.n_tests[e] += 1
            if counts and result.log_p > log_alpha:
                return
