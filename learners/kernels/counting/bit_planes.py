"""Contingency tables from bit planes: one bit for each row and state, so that a cell is the bit count of an AND.

In each variable the last state follows by subtraction.

Arrays of all functions here
----------------------------
planes : (m, w) uint64 array
    The states of variable v are rows ``first[v] .. first[v + 1] - 1``.
first : (p + 1,) int64 array
    ``first[v] == first[v + 1]`` for a variable without planes.
counts : (m,) int64 array
    Rows in each state.
pairs : (m, m) uint32 array
    Rows in each pair of states; empty until `fill_pairs` has run, as are `seen` and `joint`.
seen : (p, m) uint8 array
    Number of states of a variable that occur together with a state of another variable.
joint : (p, p) float64 array
    Σ c ln c over the table of each pair; on the diagonal over the variable's own counts.
xlogx : float64 array
    ``xlogx[c]`` = c ln c.
"""

import numpy as np

from ..compiling import kernel
from .contingency import c_log_c
from .popcount import count, count_and


@kernel
def fill_planes(codes, first, begin, end, planes, counts):
    """Set the planes and counts of the variables ``begin .. end - 1``; bits beyond the last row are 0.

    Parameters
    ----------
    codes : (p, n) uint8 or uint16 array
    first, planes, counts
        As in the module's docstring.
    begin, end : int
    """
    n = codes.shape[1]
    digits = np.empty(8, np.uint64)
    for v in range(begin, end):
        base, r = first[v], first[v + 1] - first[v]
        if r == 0:
            continue
        n_digits = 0
        while 1 << n_digits < r:
            n_digits += 1
        for word in range((n + 63) // 64):
            rows = codes[v, 64 * word : min(64 * word + 64, n)]
            # One binary digit of 64 codes at once: the branch-free loop is vectorized.
            for k in range(n_digits):
                digit = np.uint64(0)
                for t in range(rows.shape[0]):
                    digit |= np.uint64((rows[t] >> k) & 1) << np.uint64(t)
                digits[k] = digit
            used = ~np.uint64(0) >> np.uint64(64 - rows.shape[0])
            for s in range(r):
                mask = used
                for k in range(n_digits):
                    mask &= digits[k] if s >> k & 1 else ~digits[k]
                planes[base + s, word] = mask
        for s in range(base, base + r):
            counts[s] = count(planes[s])


@kernel
def fill_pairs(planes, first, counts, xlogx, begin, end, pairs, seen, joint, stop, done):
    """Count the pairs of states of the variables ``begin <= x < end`` with each later variable.

    Parameters
    ----------
    planes, first, counts, xlogx, pairs, seen, joint
        As in the module's docstring; the last three are filled.
    begin, end : int
    stop : (1,) int8 array
        Set by another thread to end early.
    done : (1,) int64 array
        Counts the variables done.
    """
    p = first.shape[0] - 1
    for x in range(begin, end):
        if stop[0]:
            return
        own = 0.0
        for s in range(first[x], first[x + 1]):
            own += c_log_c(counts[s], xlogx)
        joint[x, x] = own
        for y in range(x + 1, p):
            if first[x] < first[x + 1] and first[y] < first[y + 1]:
                _count_pair(planes, first, counts, x, y, pairs)
                _summarize_pair(first, x, y, xlogx, pairs, seen, joint)
        done[0] += 1


@kernel
def _summarize_pair(first, x, y, xlogx, pairs, seen, joint):
    """Fill `seen` and `joint` for the counted pair x, y.

    Parameters
    ----------
    first, xlogx, pairs, seen, joint
        As in the module's docstring.
    x, y : int
    """
    total = 0.0
    for a in range(first[x], first[x + 1]):
        for b in range(first[y], first[y + 1]):
            cell = pairs[a, b]
            if cell:
                total += c_log_c(np.int64(cell), xlogx)
                seen[x, b] += 1
                seen[y, a] += 1
    joint[x, y] = total
    joint[y, x] = total


@kernel
def _count_pair(planes, first, counts, x, y, pairs):
    """Fill both blocks of `pairs` for the variables x and y.

    Parameters
    ----------
    planes, first, counts, pairs
        As in the module's docstring.
    x, y : int
    """
    last_x, last_y = first[x + 1] - 1, first[y + 1] - 1
    for b in range(first[y], last_y + 1):
        pairs[last_x, b] = counts[b]
    for a in range(first[x], last_x):
        rest = counts[a]
        for b in range(first[y], last_y):
            cell = count_and(planes[a], planes[b])
            rest -= cell
            pairs[a, b] = cell
            pairs[last_x, b] -= cell
        pairs[a, last_y] = rest
        pairs[last_x, last_y] -= rest
    for a in range(first[x], last_x + 1):
        for b in range(first[y], last_y + 1):
            pairs[b, a] = pairs[a, b]


@kernel
def pair_g2(first, counts, joint, x, y, n, xlogx):
    """Return (G²/2, adjusted degrees of freedom) of x and y without a conditioning set, from the counted pairs.

    Parameters
    ----------
    first, counts, joint, xlogx
        As in the module's docstring.
    x, y : int
    n : int
        Number of rows.
    """
    half = joint[x, y] - joint[x, x] - joint[y, y] + c_log_c(n, xlogx)
    seen_x = 0
    for a in range(first[x], first[x + 1]):
        seen_x += counts[a] > 0
    seen_y = 0
    for b in range(first[y], first[y + 1]):
        seen_y += counts[b] > 0
    return half, (seen_x - 1) * (seen_y - 1)
