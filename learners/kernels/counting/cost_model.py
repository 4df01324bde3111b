"""Cost model that chooses the cheaper method of counting a table: bit planes or a pass over the codes.

Times are in nanoseconds, fitted to measurements of `python -m benchmarks.cost_grid` on one core; only their ratios
matter.
"""

from ..compiling import kernel
from .contingency import max_dense_cells

MAX_SHARED = 64  # maximum number of masks of state pairs kept for an edge; larger tables are counted from the codes
PLANES = 370.0  # per table from planes
STRATUM = 52.0  # per stratum
MASK_WORD = 0.06  # per word of the mask of a stratum
PASS = 1.9  # per pass over words
WORD = 0.128  # per AND and popcount of 64 rows
CODES = 230.0  # per table from codes
ROW = 1.05  # per row of codes counted into a table
ROW_DEEPER = 0.15  # per row and further variable of its index
CELL = 0.6  # per cell of a table, which is set to zero and read
HASHED = 1_500.0  # per hashed table
HASHED_ROW = 17.6  # per row of a hashed table
HASHED_DEEPER = 1.4


@kernel
def planes_win(arity, first, words, known, n_rows, x, y, cond, size):
    """Return True if all variables of a test have bit planes and counting by them is cheaper.

    Parameters
    ----------
    arity : (p,) int64 array
        Number of levels.
    first : (p + 1,) int64 array
        First plane of each variable, as in `bit_planes`.
    words : int
        Words of a plane.
    known : bool
        True if all pairs of states have been counted.
    n_rows : int
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` count.
    """
    if first[x] == first[x + 1] or first[y] == first[y + 1]:
        return False
    strata = 1.0
    deep = 0  # constant variables take no time and must not change the choice
    for k in range(size):
        if first[cond[k]] == first[cond[k] + 1]:
            return False
        strata *= float(arity[cond[k]])
        deep += arity[cond[k]] > 1
    ra, rb = arity[x], arity[y]
    if (ra - 1) * (rb - 1) > MAX_SHARED:
        return False
    by_planes = planes_cost(ra, rb, strata, words, known and size <= 1, n_rows, deep)
    return by_planes <= scalar_cost(ra, rb, strata, n_rows, deep)


@kernel
def planes_cost(ra, rb, strata, words, known, n_rows, size):
    """Return the nanoseconds for a table from bit planes.

    Known pairs are looked up, so that only the free cells of one variable's strata are counted. Strata without rows are
    skipped; about strata / (1 + strata / n) of them have rows.

    Parameters
    ----------
    ra, rb : int
        Numbers of levels of the two variables.
    strata : float
        Number of configurations of the conditioning set.
    words : int
        Words of a plane.
    known : bool
        True if the pairs needed have been counted.
    n_rows, size : int
        Rows, and conditioning variables that vary.
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
    """Return the nanoseconds for a table from a pass over the codes.

    Parameters
    ----------
    ra, rb, strata, n_rows, size
        As in `planes_cost`.
    """
    cells = strata * ra * rb
    if cells > max_dense_cells(n_rows):
        return HASHED + n_rows * (HASHED_ROW + HASHED_DEEPER * size)
    return CODES + n_rows * (ROW + ROW_DEEPER * size) + cells * CELL
