"""Which way of counting a table is cheaper, bit planes or a pass over the codes.

Times in nanoseconds, fitted to measurements on one core; only their ratios matter. `benchmarks` prints how good the
picks are.
"""

from numba import njit

from .contingency import DENSE_CELLS

MOST_SHARED = 64  # masks of state pairs kept for an edge; larger tables are counted from the codes
WORD = 0.115  # one AND and popcount of 64 rows
CALL = 6.0  # around each pass over words
CELL = 4.0  # arithmetic of a table cell
ROW = 1.1  # one row of codes into a table
ROW_DEEPER = 0.9  # and for each further variable of its index
SORTED_ROW = 60.0  # one row where the table is sorted instead


@njit(cache=True, nogil=True)
def planes_win(arity, first, words, known, n_rows, x, y, cond, size):
    """Whether planes are there for all variables of the test, and cheaper. `known` says that all pairs were counted."""
    if first[x] == first[x + 1] or first[y] == first[y + 1]:
        return False
    strata = 1.0
    for k in range(size):
        if first[cond[k]] == first[cond[k] + 1]:
            return False
        strata *= float(arity[cond[k]])
    ra, rb = arity[x], arity[y]
    if (ra - 1) * (rb - 1) > MOST_SHARED:
        return False
    return planes_cost(ra, rb, strata, words, known and size <= 1) <= scalar_cost(ra, rb, strata, n_rows, size)


@njit(cache=True, nogil=True)
def planes_cost(ra, rb, strata, words, known):
    """Nanoseconds by bit planes; `known` if all margins are."""
    free = (ra - 1) * (rb - 1)
    passes = (strata - 1.0) * free if known else strata * (1.0 + (ra - 1) + (rb - 1) + free)
    return passes * (CALL + WORD * words) + strata * ra * rb * CELL


@njit(cache=True, nogil=True)
def scalar_cost(ra, rb, strata, n_rows, size):
    """Nanoseconds by a pass over the codes."""
    cells = strata * ra * rb
    if cells > 4.0 * n_rows and cells > DENSE_CELLS:
        return n_rows * SORTED_ROW
    return n_rows * (ROW + ROW_DEEPER * size) + cells * CELL
