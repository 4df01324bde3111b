"""What kernels write down of many tests."""

from typing import NamedTuple

import numpy as np


class TestResults(NamedTuple):
    """One row a walk over conditioning sets: its hardest test, that with the largest p, and how many it took.

    Arrays, one for each number, because kernels fill millions of rows, and learners rank and fold them all at once.

    Attributes
    ----------
    log_p, statistic, dof : (m,) float64 arrays
        As in `CIResult`; -inf and NaN where no test was done.
    tested : (m,) bool array
        False if the rows did not suffice.
    cond : (m, size) int32 array
        The set of the test, padded with -1.
    n_tests : (m,) int64 array
        0 where there was no set to test given.
    n_rows : (m,) int64 array
        Rows of the test; empty where all tests have the same.
    """

    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray
    cond: np.ndarray
    n_tests: np.ndarray
    n_rows: np.ndarray

    def rows(self, which: np.ndarray | slice) -> "TestResults":
        """Some of the rows: views for a slice, copies for positions or a mask."""
        return TestResults(*[column[which] if len(column) else column for column in self])

    def rows_told(self, which: np.ndarray | slice) -> np.ndarray | int:
        """Rows of some of the tests, for a trace; 0 where all tests have the same."""
        return self.n_rows[which] if len(self.n_rows) else 0


def empty_results(m: int, size: int, *, rows_vary: bool = False) -> TestResults:
    """Rows for `m` walks of which nothing is known yet, and sets of up to `size` members."""
    return TestResults(
        log_p=np.full(m, -np.inf),
        statistic=np.full(m, np.nan),
        dof=np.full(m, np.nan),
        tested=np.ones(m, dtype=bool),
        cond=np.full((m, size), -1, dtype=np.int32),
        n_tests=np.zeros(m, dtype=np.int64),
        n_rows=np.zeros(m if rows_vary else 0, dtype=np.int64),
    )
