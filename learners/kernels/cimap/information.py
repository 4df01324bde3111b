"""Walks that test one edge after the other by mutual information, each on what the one before has left."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..tests.separation import dof_of, g2
from ..tests.subsets import fill_set, first_subset, next_subset
from ..tests.tails import log_chi2_sf, log_normal_sf
from .moments import information_given

NOT_REACHED, GONE, NO_SET, SKIPPED, KEPT, SEPARATED = 0, 1, 2, 3, 4, 5  # what became of a turn
LISTED = 50  # largest p-values of an edge's family that are told
FIRST_ROOM = 256


class Rule(NamedTuple):
    """How a turn is judged.

    An edge goes with the first set given which p > exp(`log_alpha`) or, `by_information`, given which the information
    is below `cut` bits. p is that of χ² or, `normal`, of the normal approximation around `cut`. Sets with more than
    `bound` degrees of freedom, all declared states counted, are skipped. With `every` all sets are tested, and all
    their p-values must lie on or below the line of their family: exp(`log_q`) over their number's harmonic number if
    `harmonic`; with `literal` it is enough that some do. With `frozen` sets come from the neighbours at the start, else
    from those left.
    """

    by_information: bool
    normal: bool
    cut: float
    log_alpha: float
    bound: float
    every: bool
    log_q: float
    harmonic: bool
    literal: bool
    frozen: bool


class Turns(NamedTuple):
    """What became of each turn: an edge i - j, asked from i, given sets of other neighbours of i.

    `state` (m,) int8; of the hardest test, that is the one with the largest p or the least information, `log_p`,
    `statistic`, `dof` (m,) float64 and `cond` (m, size) int32; `n_tests`, `n_skipped` (m,) int64 sets tested, and not
    tested for want of power; `log_line` (m,) float64 ln of what the largest p of a family was held against; `listed`
    (m, LISTED) float64 its largest ln p, falling, then NaN; (0, LISTED) where there are no families. `spread` (m,)
    float64 is the standard deviation, in bits, of the hardest test's information; (0,) where p is that of χ².
    """

    state: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    cond: np.ndarray
    n_tests: np.ndarray
    n_skipped: np.ndarray
    log_line: np.ndarray
    listed: np.ndarray
    spread: np.ndarray = np.empty(0)  # work stored by older versions has none


@kernel
def walk_in_turn(sample, edges, begin, end, adjacency, begin_of, near_of, rule, turns, scratch, stop, done):
    """Take the turns ``begin <= t < end`` one after the other; edges that go leave `adjacency` (p, p) at once.

    `begin_of` and `near_of` list the neighbours at the start in the order in which sets are formed of them, shaped as
    in `subsets.neighbor_lists`.
    """
    size = turns.cond.shape[1]
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    pool = np.empty(adjacency.shape[0], np.int32)
    for t in range(begin, end):
        i, j = edges[t, 0], edges[t, 1]
        if adjacency[i, j]:
            count = 0
            for at in range(begin_of[i], begin_of[i + 1]):
                k = near_of[at]
                if k != j and (rule.frozen or adjacency[i, k]):
                    pool[count] = k
                    count += 1
            state = _take_turn(sample, min(i, j), max(i, j), pool[:count], rule, turns, t, scratch, cond, chosen, stop)
            turns.state[t] = state
            if state == SEPARATED:
                adjacency[i, j] = adjacency[j, i] = False
        else:
            turns.state[t] = GONE
        if stop[0]:
            return
        done[0] += 1


@kernel
def _take_turn(sample, x, y, pool, rule, turns, t, scratch, cond, chosen, stop):
    """Test x < y given subsets of `pool`; what became of the turn, its row of `turns` but `state` filled."""
    size = cond.shape[0]
    if pool.shape[0] < size:
        return NO_SET
    scale = 2.0 * sample.n * math.log(2.0)
    family, n_tests, n_skipped = np.empty(FIRST_ROOM if rule.literal else 0), 0, 0
    top, top_statistic, top_dof = -np.inf, np.nan, np.nan
    bits, spread = np.nan, np.nan
    separated = False
    first_subset(size, chosen)
    more = True
    while more and not separated and not stop[0]:
        fill_set(pool, chosen, cond)
        cond.sort()
        more = next_subset(size, pool.shape[0], chosen)
        if declared_dof(sample.arity, x, y, cond) > rule.bound:
            n_skipped += 1
            continue
        n_tests += 1
        if rule.normal:
            bits, spread = information_given(sample, x, y, cond, size, scratch.z)
            statistic, dof = scale * bits, np.nan
        else:
            half, seen = g2(sample, x, y, cond, size, scratch)
            dof = dof_of(sample, x, y, cond, size, seen)[0]
            statistic = max(2.0 * half, 0.0)
        if rule.by_information:
            separated = statistic / scale < rule.cut
            if n_tests == 1 or statistic < top_statistic:
                top_statistic, top_dof = statistic, dof
                copy(cond, turns.cond[t])
            continue
        # p of χ² falls with the statistic and rises with dof: most tests are plainly easier than the hardest so far.
        if not rule.every and n_tests > 1 and dof <= top_dof and statistic >= top_statistic:
            continue
        log_p = log_normal_sf(deviation(bits, spread, rule.cut)) if rule.normal else log_chi2_sf(statistic, dof)
        if n_tests == 1 or log_p > top:
            top, top_statistic, top_dof = log_p, statistic, dof
            copy(cond, turns.cond[t])
            if rule.normal:
                turns.spread[t] = spread
        if rule.every:
            _list(turns.listed[t], log_p)
            if rule.literal:
                family = _appended(family, n_tests, log_p)
        else:
            separated = log_p > rule.log_alpha
    turns.n_tests[t], turns.n_skipped[t] = n_tests, n_skipped
    turns.statistic[t], turns.dof[t] = top_statistic, top_dof
    if n_tests == 0:
        return SKIPPED
    turns.log_p[t] = log_chi2_sf(top_statistic, top_dof) if rule.by_information else top
    if rule.every:
        turns.log_line[t] = rule.log_q - (math.log(harmonic(n_tests)) if rule.harmonic else 0.0)
        separated = not stop[0] and family_fails(family[:n_tests], top, turns.log_line[t], rule.literal)
    return SEPARATED if separated else KEPT


@kernel
def deviation(bits, spread, cut):
    """z = (m - μ) / s; without spread, all that is above the cut is infinitely far so, and the rest below."""
    if spread > 0.0:
        return (bits - cut) / spread
    return np.inf if bits > cut else -np.inf


@kernel
def declared_dof(arity, x, y, cond):
    """(r_x - 1)(r_y - 1) Π r_z as a float, which cannot overflow."""
    dof = (float(arity[x]) - 1.0) * (float(arity[y]) - 1.0)
    for k in range(cond.shape[0]):
        dof *= float(arity[cond[k]])
    return dof


@kernel
def harmonic(m):
    """1 + 1/2 + ... + 1/m."""
    total = 0.0
    for k in range(m, 0, -1):
        total += 1.0 / k
    return total


@kernel
def family_fails(log_p, top, log_line, literal):
    """Whether some of the p-values, of which `top` is the largest, lies above the line; `literal`: whether all do.

    All are rejected iff the largest is, and that is held against the end of the line, exp(`log_line`).
    """
    if not literal:
        return top > log_line
    m = log_p.shape[0]
    ordered = np.sort(log_p)
    for k in range(m):  # noqa: SIM110
        if ordered[k] <= log_line + math.log((k + 1.0) / m):
            return False
    return True


@kernel
def _list(listed, log_p):
    """Put ln p into its place among the largest, falling; NaN where nothing is yet."""
    k = LISTED - 1
    if listed[k] >= log_p:
        return
    while k > 0 and not listed[k - 1] >= log_p:
        listed[k] = listed[k - 1]
        k -= 1
    listed[k] = log_p


@kernel
def _appended(values, count, value):
    """`values` with ``value`` as number `count`, in more room if need be."""
    if count > values.shape[0]:
        grown = np.empty(2 * values.shape[0])
        grown[: values.shape[0]] = values
        values = grown
    values[count - 1] = value
    return values
