"""Results of many tests, filled by kernels."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class CIResults(NamedTuple):
    """One row for each search over conditioning sets: its hardest test and the number of tests.

    The hardest test is the one with the largest p.

    Columns are arrays, because kernels fill millions of rows and learners rank and merge all of them at once.

    Attributes
    ----------
    log_p, statistic, dof : (m,) float64 arrays
        As in `CIResult`; -inf and NaN where no test was done.
    tested : (m,) bool array
        False if there were too few rows for the test.
    cond : (m, size) int32 array
        Conditioning set of the test, padded with -1.
    n_tests : (m,) int64 array
        0 where there was no set.
    n_rows : (m,) int64 array
        Rows of the test; empty if all tests have the same rows.
    """

    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray
    cond: np.ndarray
    n_tests: np.ndarray
    n_rows: np.ndarray

    def rows(self, which: np.ndarray | slice) -> "CIResults":
        """Return some of the rows: views for a slice, copies for positions or a mask."""
        return CIResults(*[column[which] if len(column) else column for column in self])

    def row_counts(self, which: np.ndarray | slice) -> np.ndarray | int:
        """Return the numbers of rows of some tests, for a trace; 0 if all tests have the same rows."""
        return self.n_rows[which] if len(self.n_rows) else 0


def empty_results(m: int, size: int, *, rows_vary: bool = False) -> CIResults:
    """Return results of `m` searches without tests, for sets of up to `size` members."""
    return CIResults(
        log_p=np.full(m, -np.inf),
        statistic=np.full(m, np.nan),
        dof=np.full(m, np.nan),
        tested=np.ones(m, dtype=bool),
        cond=np.full((m, size), -1, dtype=np.int32),
        n_tests=np.zeros(m, dtype=np.int64),
        n_rows=np.zeros(m if rows_vary else 0, dtype=np.int64),
    )


@kernel
def add_batch_test(results, w, cond, log_p, statistic, dof, tested, skips_untested, log_alpha):
    """Record one more test of a search in a batch; return True if it ends the search.

    Parameters
    ----------
    results : CIResults
    w : int
        Row of the search.
    cond : int32 array
        Conditioning set of the test.
    log_p, statistic, dof : float
    tested : bool
    skips_untested : bool
        True: a test without enough rows ends no search, and is recorded only if no other test was done.
    log_alpha : float
        The search ends if ln p is above it.
    """
    passed_over = skips_untested and not tested
    harder = log_p > results.log_p[w] or (skips_untested and not results.tested[w])
    if results.n_tests[w] == 0 or (harder and not passed_over):
        results.log_p[w], results.statistic[w], results.dof[w] = log_p, statistic, dof
        results.tested[w] = tested
        results.cond[w, : cond.shape[0]] = cond
    results.n_tests[w] += 1
    return log_p > log_alpha and not passed_over


@kernel
def keep_last(known, at, new):
    """Replace known tests by new ones, and add the new numbers of tests.

    Parameters
    ----------
    known : CIResults
        Its sets have at least as many columns as those of `new`.
    at : (m,) int64 array
        Row of `known` for each row of `new`.
    new : CIResults
        Rows without a test change nothing.
    """
    width = new.cond.shape[1]
    for e in range(at.shape[0]):
        if new.n_tests[e] == 0:
            continue
        k = at[e]
        known.log_p[k], known.statistic[k], known.dof[k] = new.log_p[e], new.statistic[e], new.dof[e]
        known.tested[k] = new.tested[e]
        known.n_tests[k] += new.n_tests[e]
        if new.n_rows.shape[0]:
            known.n_rows[k] = new.n_rows[e]
        for c in range(known.cond.shape[1]):
            known.cond[k, c] = new.cond[e, c] if c < width else -1
