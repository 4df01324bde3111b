"""Pearson's X² of two variables, summed over strata, against its distribution if rows are permuted within strata.

The mean, the variance and the third central moment of X² under permutation are exact for any number of rows, so the
p-value also holds in sparse tables, where a χ² distribution with counted degrees of freedom does not.

Let A_tu = 1/R_i - 1/n for two rows t, u of the same level i of the one variable, which has R_i of the n rows, and -1/n
for two rows of different levels; B likewise for the other variable. Then X²/n = Σ_tu A_tu B_σ(t)σ(u) for a permutation
σ. Its third moment is a sum over the patterns in which six row numbers can coincide.

Mantel (1967), The detection of disease clustering and a generalized regression approach. Cancer Research 27.
Kazi-Aoual, Hitier, Sabatier and Lebreton (1995), Refined approximations to permutation tests for multivariate
inference. Computational Statistics and Data Analysis 20.
"""

import math

import numpy as np

from ..compiling import kernel
from ..counting.contingency import fill_strata
from .permutation_and_x2 import rows_by_stratum
from .tail_probabilities import log_chi2_sf, log_normal_sf

# One kind of pattern in each row: different row numbers, patterns of this kind, and the coefficients of `invariants` in
# the sum of the products of three entries of A over different row numbers.
PATTERNS = np.array(
    [
        [1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        [2, 6, -1, 0, 0, 0, 0, 0, 0, 0],
        [2, 3, -1, 1, 0, 0, 0, 0, 0, 0],
        [2, 12, -1, 0, 1, 0, 0, 0, 0, 0],
        [2, 6, -1, 0, 0, 1, 0, 0, 0, 0],
        [2, 4, -1, 0, 0, 0, 0, 0, 1, 0],
        [3, 3, 2, -1, 0, 0, 0, 0, 0, 0],
        [3, 12, 2, 0, -1, 0, 0, 0, 0, 0],
        [3, 24, 2, 0, -1, -1, 0, 0, 0, 0],
        [3, 12, 2, -1, 0, -1, 0, 0, 0, 0],
        [3, 1, 2, -3, 0, 0, 1, 0, 0, 0],
        [3, 6, 2, -1, -2, 0, 0, 1, 0, 0],
        [3, 24, 2, 0, -1, 0, 0, 0, -1, 0],
        [3, 8, 2, 0, -3, 0, 0, 0, 0, 1],
        [4, 12, -6, 1, 2, 2, 0, 0, 0, 0],
        [4, 3, -6, 5, 0, 2, -1, 0, 0, 0],
        [4, 12, -6, 2, 3, 2, 0, -1, 0, 0],
        [4, 6, -6, 1, 4, 0, 0, -1, 2, 0],
        [4, 8, -6, 0, 3, 0, 0, 0, 2, 0],
        [4, 24, -6, 0, 5, 1, 0, 0, 1, -1],
        [5, 3, 24, -10, -8, -8, 1, 2, 0, 0],
        [5, 12, 24, -2, -16, -4, 0, 1, -4, 2],
        [6, 1, -120, 18, 72, 24, -1, -6, 16, -8],
    ],
    dtype=np.float64,
)
N_INVARIANTS = 8
MIN_VARIANCE = 1e-9  # below, X² is the same for all permutations but for rounding errors
MAX_DOF = 1e7  # degrees of freedom beyond which the distribution is normal


@kernel
def invariants(levels, n, out):
    """Write the sums of products of three entries of A that determine the third moment, and return the levels shown.

    Parameters
    ----------
    levels : (r,) float64 array
        Rows of each level in the stratum.
    n : float
        Rows of the stratum.
    out : (`N_INVARIANTS`,) float64 array
        Σ A_tt³, (Σ A_tt²)(Σ A_tt), Σ A_tt A_tu², Σ A_tt A_tu A_uu, (Σ A_tt)³, (Σ A_tt)(Σ A_tu²), Σ A_tu³ and
        Σ A_tu A_uv A_vt. A is a projection, so Σ_u A_tu² = A_tt.
    """
    shown, squares, cubes, entries, same = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(levels.shape[0]):
        rows = levels[i]
        if rows > 0.0:
            entry = 1.0 / rows - 1.0 / n
            shown += 1.0
            squares += rows * entry * entry
            cubes += rows * entry * entry * entry
            entries += rows * rows * entry * entry * entry
            same += rows * rows
    rank = shown - 1.0
    out[0] = cubes
    out[1] = squares * rank
    out[2] = squares
    out[3] = squares - rank * rank / n
    out[4] = rank * rank * rank
    out[5] = rank * rank
    out[6] = entries - (n * n - same) / (n * n * n)
    out[7] = rank
    return shown


@kernel
def third_moment(own, other, n):
    """Return the mean of (X²/n)³ over all permutations of the n rows, from the `invariants` of both variables."""
    total = 0.0
    for k in range(PATTERNS.shape[0]):
        size = PATTERNS[k, 0]
        if size > n:
            continue  # there are fewer different rows than that
        first, second, ways = 0.0, 0.0, 1.0
        for i in range(N_INVARIANTS):
            first += PATTERNS[k, 2 + i] * own[i]
            second += PATTERNS[k, 2 + i] * other[i]
        for j in range(int(size)):
            ways *= n - j
        total += PATTERNS[k, 1] * first * second / ways
    return total


@kernel
def variance_of(rows, columns, n, shown_rows, shown_columns):
    """Return the variance of X²/n over all permutations of n > 2 rows.

    Dawson (1954), A simplified expression for the variance of the χ²-function on a contingency table. Biometrika 41.

    Parameters
    ----------
    rows, columns : float64 arrays
        Rows of each level of the two variables.
    n, shown_rows, shown_columns : float
        Rows of the stratum, and levels with rows.
    """
    inverse_rows, inverse_columns = 0.0, 0.0
    for i in range(rows.shape[0]):
        if rows[i] > 0.0:
            inverse_rows += 1.0 / rows[i]
    for j in range(columns.shape[0]):
        if columns[j] > 0.0:
            inverse_columns += 1.0 / columns[j]
    w_rows = (n * inverse_rows - shown_rows * shown_rows) / (n - 2.0)
    w_columns = (n * inverse_columns - shown_columns * shown_columns) / (n - 2.0)
    variance = w_rows * w_columns / (n - 1.0)
    if n > 3.0:
        v_rows = (shown_rows - 1.0) * (n - shown_rows) / (n - 1.0)
        v_columns = (shown_columns - 1.0) * (n - shown_columns) / (n - 1.0)
        variance += 2.0 * (v_rows - w_rows) * (v_columns - w_columns) / (n * (n - 3.0))
    return max(variance, 0.0)


@kernel
def permuted_x2(codes, arity, states, weights, x, y, cond):
    """Return (excess, variance, skew, rows): Σ (n_s - 1)/n_s X²_s less its mean, its variance and third central moment.

    Moments over all permutations of the rows within each stratum s of `cond`. Strata of fewer than three rows, or with
    one level of a variable, have the same X² for all permutations and do not count.

    Parameters
    ----------
    codes : (p, n) uint8 or uint16 array
        Level of each cell; the arity where the cell is missing. Rows that lack x, y or a member of `cond` do not count.
    arity : (p,) int64 array
        Numbers of levels.
    states : (p,) int64 array
        Numbers of codes: one more than the levels where cells are missing.
    weights : (n,) int64 array
        Numbers of equal rows; empty if all are 1.
    x, y : int
    cond : (k,) int32 array
        The conditioning set.
    """
    size = cond.shape[0]
    order, begin = rows_by_stratum(codes, states, cond)
    members = np.empty(size + 2, np.int32)
    members[:size] = cond
    members[size], members[size + 1] = x, y
    cells = np.empty(codes.shape[1], np.int64)
    table = np.zeros(fill_strata(codes, states, members, size + 2, cells))
    rows, columns = np.zeros(states[x]), np.zeros(states[y])
    own, other = np.empty(N_INVARIANTS), np.empty(N_INVARIANTS)
    excess, variance, skew, used = 0.0, 0.0, 0.0, 0.0
    for s in range(begin.shape[0] - 1):
        if begin[s] == begin[s + 1]:
            continue
        n = 0.0
        for e in range(begin[s], begin[s + 1]):
            t = order[e]
            here = codes[x, t] < arity[x] and codes[y, t] < arity[y]
            for k in range(size):
                here = here and codes[cond[k], t] < arity[cond[k]]
            if not here:
                continue
            weight = float(weights[t]) if weights.shape[0] else 1.0
            n += weight
            rows[codes[x, t]] += weight
            columns[codes[y, t]] += weight
            table[cells[t]] += weight
        used += n
        if n > 2.0:
            squares = 0.0
            for e in range(begin[s], begin[s + 1]):  # a cell counts once, at its first row
                t = order[e]
                cell = table[cells[t]]
                if cell > 0.0:
                    squares += cell * cell / (rows[codes[x, t]] * columns[codes[y, t]])
                    table[cells[t]] = 0.0
            shown_rows, shown_columns = invariants(rows, n, own), invariants(columns, n, other)
            if shown_rows > 1.0 and shown_columns > 1.0:
                mean = (shown_rows - 1.0) * (shown_columns - 1.0) / (n - 1.0)
                spread = variance_of(rows, columns, n, shown_rows, shown_columns)
                third = third_moment(own, other, n) - 3.0 * mean * spread - mean * mean * mean
                scale = n - 1.0
                excess += scale * (squares - 1.0 - mean)
                variance += scale * scale * spread
                skew += scale * scale * scale * third
        for e in range(begin[s], begin[s + 1]):
            rows[codes[x, order[e]]] = 0.0
            columns[codes[y, order[e]]] = 0.0
    return excess, variance, skew, used


@kernel
def fitted_chi2(excess, variance, skew):
    """Return (ln p, statistic, degrees of freedom) of the χ² distribution, shifted and scaled, with these moments.

    The p-value is that of the statistic. 0, 0 and 0 without variance, where no permutation differs from the table.

    Parameters
    ----------
    excess, variance, skew : float
        As `permuted_x2` returns them.
    """
    if variance <= MIN_VARIANCE:
        return 0.0, 0.0, 0.0
    dof = MAX_DOF
    if skew > 0.0:
        dof = min(8.0 * variance * variance * variance / (skew * skew), MAX_DOF)
    statistic = max(dof + excess * math.sqrt(2.0 * dof / variance), 0.0)
    log_p = log_chi2_sf(statistic, dof) if dof < MAX_DOF else log_normal_sf(excess / math.sqrt(variance))
    return log_p, statistic, dof
