"""Answers to tests, kept by a number of each, so that none is done twice.

An answer lies in the slot ``number % slots``, where a newer one takes the place of an older.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..scores.families import find

REMEMBERED = -1


class Answers(NamedTuple):
    """`keys` (slots,) uint64, 0 where nothing is kept; of each test `log_p`, `statistic`, `dof` (slots,) float64 and
    `tested` (slots,) bool.
    """

    keys: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    tested: np.ndarray


@kernel
def fill_sources(keys, kept, source):
    """Where the answer to each of many requests comes from, into `source` (m,) int64.

    Requests with the key 0 are always done. Of each other `source` becomes `REMEMBERED`, or the first request with the
    same key, itself if it is that one and must be done.
    """
    m, room = keys.shape[0], 16
    while room < 2 * m:
        room *= 2
    met, first = np.zeros(room, np.uint64), np.empty(room, np.int64)
    slots = np.uint64(kept.keys.shape[0])
    for w in range(m):
        source[w] = w
        if keys[w] == 0:
            continue
        if kept.keys[np.int64(keys[w] % slots)] == keys[w]:
            source[w] = REMEMBERED
            continue
        at = find(met, keys[w])
        if met[at] == 0:
            met[at], first[at] = keys[w], w
        source[w] = first[at]


@kernel
def hand_on(keys, kept, source, done, results):
    """Write the results of requests done, one after the other, to all that ask for them, and keep those with keys."""
    slots, row = np.uint64(kept.keys.shape[0]), 0
    for w in range(keys.shape[0]):
        if source[w] == w:
            copy_row(done, row, results, w)
            copy(done.cond[row], results.cond[w])
            results.n_tests[w] = done.n_tests[row]
            row += 1
        elif source[w] == REMEMBERED:
            copy_row(kept, np.int64(keys[w] % slots), results, w)
        else:
            copy_row(results, source[w], results, w)
    for w in range(keys.shape[0]):
        if keys[w] != 0 and source[w] != REMEMBERED:
            slot = np.int64(keys[w] % slots)
            copy_row(results, w, kept, slot)
            kept.keys[slot] = keys[w]


@kernel
def copy_row(source, i, target, j):
    """The numbers of one test to another place."""
    target.log_p[j], target.statistic[j] = source.log_p[i], source.statistic[i]
    target.dof[j], target.tested[j] = source.dof[i], source.tested[i]
