"""What every test of independence offers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..kernels.ci.d_separation import DAGSample
from ..kernels.ci.fisher_z import GaussianSample
from ..kernels.ci.g2 import DiscreteSample
from ..kernels.ci.results import CIResults, empty_results
from .walks import Walks


@dataclass(frozen=True)
class CIResult:
    """Result of one test. Independent iff ``p_value > alpha``; compare `log_p`, which never underflows.

    Attributes
    ----------
    statistic : float
        G² or Fisher's z; NaN for the oracle.
    dof : float
        Degrees of freedom; NaN where the test has none.
    log_p : float
        Natural logarithm of the p-value, in [-inf, 0].
    p_value : float
    tested : bool
        False if there were too few rows to test; the pair then counts as independent with p = 1.
    n : int or None
        Rows of the test, where they differ from test to test.
    """

    statistic: float
    dof: float
    log_p: float
    p_value: float
    tested: bool = True
    n: int | None = None


class InKernels(NamedTuple):
    """A test as `kernels.tests.deciding` takes it.

    Attributes
    ----------
    sample : DiscreteSample, NormalSample or TrueSample
    scratch : callable
        ``scratch(size)`` is working memory of one thread for sets of up to `size` members.
    """

    sample: DiscreteSample | GaussianSample | DAGSample
    scratch: Callable[[int], Any]


def checked_members(p: int, x: int, y: int, cond: Sequence[int]) -> list[int]:
    """Return `cond` ascending, each member once; ParameterError unless x, y and they are different nodes below p."""
    members = sorted(set(cond))
    nodes = {x, y, *members}
    if len(nodes) < 2 + len(members) or not all(0 <= k < p for k in nodes):
        raise ParameterError(
            f"a test needs two variables and a set without them, numbered 0 .. {p - 1}, got {x}, {y} given {members}"
        )
    return members


class CITest(ABC):
    """A test of x and y given a set, bound to its data. A learner sees nothing else of the data.

    A test of one's own needs `names` and `test`; `separate` then goes from one test to the next.

    Attributes
    ----------
    names : tuple of str
        The variables; nodes are positions in it.
    n_tests : int
        Tests done so far.
    rows_vary : bool
        Whether cells are missing, so that the rows differ from test to test.
    rows_used : two int, or None
        The fewest and the most rows of a test so far, where they differ from test to test.
    warnings : tuple of str
        Sentences for the user on the tests so far.
    """

    names: tuple[str, ...]
    n_tests: int = 0
    rows_vary: bool = False
    rows_used: tuple[int, int] | None = None
    warnings: tuple[str, ...] = ()

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    @abstractmethod
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Test x and y given `cond`, counting it in `n_tests`."""

    def separate(self, walks: Walks, alpha: float, *, phase: str = "", tick: Tick = silent) -> CIResults:
        """Test many pairs, each given one set after the other, up to the first given which p > alpha.

        Parameters
        ----------
        walks : Walks
            The pairs, and how their sets are made.
        alpha : float
            Significance level in (0, 1).
        phase, tick
            Listener.

        Returns
        -------
        TestResults
            One row a walk.

        Raises
        ------
        Stopped
            If cancelled; `partial` has the results so far.
        """
        check_open_interval("alpha", alpha, 0.0, 1.0)
        results = empty_results(len(walks), walks.width)
        for e in range(len(walks)):
            self._walk(walks, e, walks.sets(e), math.log(alpha), results)
            if not tick(phase, e + 1, len(walks)):
                raise Stopped(results)
        return results

    def count_as_own(self, other: CITest) -> None:
        """Count the tests that another one of the same data has done so far, and what it tells of them."""
        self.n_tests += other.n_tests

    def order(self) -> np.ndarray:
        """(p,) int64: the nodes in an order for learners that need one; the data settle it where they can."""
        return np.arange(self.p)

    def in_kernels(self) -> InKernels:
        """The test in a form that kernels can call by themselves.

        Raises
        ------
        ParameterError
            If the test has none.
        """
        raise ParameterError("this learner runs whole in kernels and needs G2, FisherZ or DSeparation; use one of them")

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:  # noqa: ARG002
        """Returns rows per cell of the table of x, y and `cond`; infinity for a test that needs none."""
        return math.inf

    def log_p_given_rest(self) -> np.ndarray:
        """ln p of every pair given all other variables.

        Returns
        -------
        (p, p) float64 array
            Symmetric, -inf on the diagonal.

        Raises
        ------
        DataError
            If the test cannot condition on so many.
        """
        log_p = np.full((self.p, self.p), -math.inf)
        for x, y in combinations(range(self.p), 2):
            rest = [k for k in range(self.p) if k not in (x, y)]
            log_p[x, y] = log_p[y, x] = self.test(x, y, rest).log_p
        return log_p

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """(p, p) distances of the variables, 0 where they tell the same and 1 where they tell nothing of one another.

        Parameters
        ----------
        statistic : (p, p) float64 array
            Of each pair tested without a conditioning set, symmetric; 0 where no test was done.

        Raises
        ------
        ParameterError
            If the test knows no distance.
        """
        raise ParameterError("this test knows no distance between variables, so clusters must be given; pass labels")

    def _walk(
        self, walks: Walks, e: int, sets: Iterable[tuple[int, ...]], log_alpha: float, results: CIResults
    ) -> None:
        """Walk e over `sets`, test by test, into its row of the results."""
        x, y = walks.pairs[e].tolist()
        for cond in sets:
            result = self.test(x, y, cond)
            counts = result.tested or not walks.skips_untested
            harder = result.log_p > results.log_p[e] or (walks.skips_untested and not results.tested[e])
            if results.n_tests[e] == 0 or (counts and harder):
                results.log_p[e], results.statistic[e] = result.log_p, result.statistic
                results.dof[e], results.tested[e] = result.dof, result.tested
                results.cond[e, : len(cond)] = cond
                if len(results.n_rows):
                    results.n_rows[e] = result.n
            results.n_tests[e] += 1
            if counts and result.log_p > log_alpha:
                return
