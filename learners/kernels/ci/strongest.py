"""The strongest tests of many targets."""

import numpy as np

from ..compiling import kernel


@kernel
def strongest_rows(sides, state, wanted, p, log_p, statistic):
    """Return for each target with a `wanted` side the row of its smallest ln p, ascending.

    Equal ln p are ordered by the size of the statistic, from the largest, then by row.

    Parameters
    ----------
    sides : (m, 2) int64 array
        Targets and partners, sorted by target.
    state : (m,) int8 array
    wanted : int
        Only the sides in this state count.
    p : int
        Number of targets.
    log_p, statistic : (m,) float64 arrays
        The test of each side; an undefined statistic counts as 0.
    """
    best, n = np.empty(min(p, sides.shape[0]), np.int64), 0
    size_of_best = 0.0
    for row in range(sides.shape[0]):
        if state[row] != wanted:
            continue
        size = 0.0 if np.isnan(statistic[row]) else abs(statistic[row])
        starts = n == 0 or sides[best[n - 1], 0] != sides[row, 0]
        if starts:
            n += 1
        elif log_p[row] > log_p[best[n - 1]] or (log_p[row] == log_p[best[n - 1]] and size <= size_of_best):
            continue
        best[n - 1], size_of_best = row, size
    return best[:n]
