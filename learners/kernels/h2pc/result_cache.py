"""Cache of test results by a number of each test, so that no test is done twice.

A result belongs to the slot ``number % slots``, where a newer one replaces an older one. Slots only number the rows
that hold the results: rows are filled one after the other, so a short run touches little memory.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..hash_table import find_slot

REMEMBERED = -1


class ResultTable(NamedTuple):
    """Cached results of tests.

    Attributes
    ----------
    row_of : (slots,) int32 array
        Row of the slot's result, from 1; 0 for a free slot.
    used : (1,) int64 array
        Last used row.
    keys : (slots + 1,) uint64 array
        Number of the test in each row; 0 in row 0.
    log_p, statistic, dof : (slots + 1,) float64 arrays
    tested : (slots + 1,) bool array
    """

    row_of: np.ndarray
    used: np.ndarray
    keys: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray


@kernel
def fill_sources(keys, kept, source):
    """Find the source of the result of each request.

    Parameters
    ----------
    keys : (m,) uint64 array
        Requests with the key 0 are always done.
    kept : ResultTable
    source : (m,) int64 array
        Filled with `REMEMBERED`, or with the first request of the same key, which is the request itself if it must be
        done.
    """
    m, room = keys.shape[0], 16
    while room < 2 * m:
        room *= 2
    met, first = np.zeros(room, np.uint64), np.empty(room, np.int64)
    slots = np.uint64(kept.row_of.shape[0])
    for w in range(m):
        source[w] = w
        if keys[w] == 0:
            continue
        if kept.keys[kept.row_of[np.int64(keys[w] % slots)]] == keys[w]:
            source[w] = REMEMBERED
            continue
        at = find_slot(met, keys[w])
        if met[at] == 0:
            met[at], first[at] = keys[w], w
        source[w] = first[at]


@kernel
def distribute_results(keys, kept, source, done, results):
    """Write the results of the requests done to all requests for them, and cache those with keys.

    Parameters
    ----------
    keys, kept, source
        As in `fill_sources`.
    done : CIResults
        Results of the requests done, in their order.
    results : CIResults
        Filled.
    """
    slots, row = np.uint64(kept.row_of.shape[0]), 0
    for w in range(keys.shape[0]):
        if source[w] == w:
            copy_row(done, row, results, w)
            copy(done.cond[row], results.cond[w])
            results.n_tests[w] = done.n_tests[row]
            row += 1
        elif source[w] == REMEMBERED:
            copy_row(kept, kept.row_of[np.int64(keys[w] % slots)], results, w)
        else:
            copy_row(results, source[w], results, w)
    for w in range(keys.shape[0]):
        if keys[w] != 0 and source[w] != REMEMBERED:
            slot = np.int64(keys[w] % slots)
            if kept.row_of[slot] == 0:
                kept.used[0] += 1
                kept.row_of[slot] = kept.used[0]
            copy_row(results, w, kept, kept.row_of[slot])
            kept.keys[kept.row_of[slot]] = keys[w]


@kernel
def copy_row(source, i, target, j):
    """Copy the numbers of test `i` of `source` to test `j` of `target`.

    Parameters
    ----------
    source, target : ResultTable or CIResults
    i, j : int
    """
    target.log_p[j], target.statistic[j] = source.log_p[i], source.statistic[i]
    target.dof[j], target.tested[j] = source.dof[i], source.tested[i]
