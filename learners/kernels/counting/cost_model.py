"""Which way of counting a table is cheaper, bit planes or a pass over the codes.

from ..compiling import kernel
Times in nanoseconds, fitted to what `python -m benchmarks.cost_grid` measured on one core; only their ratios matter.
"""

from ..compiling import kernel
from .contingency import most_dense

MOST_SHARED = 64  # masks of state pairs kept for an edge; larger tables are counted from the codes
PLANES = 370.0  # around each table from planes
STRATUM = 52.0  # around each stratum of it
MASK_WORD = 0.06  # one word of the mask of a stratum
PASS = 1.9  # around each pass over words
WORD = 0.128  # one AND and popcount of 64 rows
CODES = 230.0  # around each table from codes
ROW = 1.05  # one row of codes into a table
ROW_DEEPER = 0.15  # and for each further variable of its index
CELL = 0.6  # a cell zeroed and read
HASHED = 1_500.0  # around each table of which only the cells that occur are kept
HASHED_ROW = 17.6  # one row of it
HASHED_DEEPER = 1.4


@kernel
def planes_win(arity, first, words, known, n_rows, x, y, cond, size):
    """Whether planes are there for all variables of the test, and cheaper. `known` says that all pairs were counted."""
    if first[x] == first[x + 1] or first[y] == first[y + 1]:
        return False
    strata = 1.0
    deep = 0  # a constant takes no time, and must not change the pick
    for k in range(size):
        if first[cond[k]] == first[cond[k] + 1]:
            return False
        strata *= float(arity[cond[k]])
        deep += arity[cond[k]] > 1
    ra, rb = arity[x], arity[y]
    if (ra - 1) * (rb - 1) > MOST_SHARED:
        return False
    by_planes = planes_cost(ra, rb, strata, words, known and size <= 1, n_rows, deep)
    return by_planes <= scalar_cost(ra, rb, strata, n_rows, deep)


@kernel
def planes_cost(ra, rb, strata, words, known, n_rows, size):
    """Nanoseconds by bit planes. `known` pairs are looked up, and leave only the free cells of one variable's strata.

    Strata without rows are skipped; about strata / (1 + strata / n) of them have some.
    """
    free = (ra - 1) * (rb - 1)
    if size == 0:
        return 0.0 if known else PLANES + free * (PASS + WORD * words)
    seen = strata / (1.0 + strata / n_rows)
    passes = (strata - 1.0) * free if known else seen * (ra - 1 + rb - 1 + free)
    masks = seen * MASK_WORD * words if size > 1 else 0.0
    return PLANES + strata * STRATUM + masks + passes * (PASS + WORD * words)


@kernel
def scalar_cost(ra, rb, strata, n_rows, size):
    """Nanoseconds by a pass over the codes."""
    cells = strata * ra * rb
    if cells > most_dense(n_rows):
        return HASHED + n_rows * (HASHED_ROW + HASHED_DEEPER * size)
    return CODES + n_rows * (ROW + ROW_DEEPER * size) + cells * CELL
