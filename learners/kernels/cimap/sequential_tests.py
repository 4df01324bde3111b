"""Sequential tests of edges by mutual information: each test uses the graph that earlier tests have left.

Bacciu, Etchells, Lisboa and Whittaker (2013), Efficient identification of independence networks using mutual
information. Computational Statistics 28.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..ci.g2 import dof_of, g2
from ..ci.subsets import fill_set, first_subset, next_subset
from ..ci.tail_probabilities import log_chi2_sf, log_normal_sf
from ..compiling import kernel
from .mutual_information import information_given

NOT_REACHED, GONE, NO_SET, SKIPPED, KEPT, SEPARATED = 0, 1, 2, 3, 4, 5  # states of a turn
MAX_LISTED = 50  # maximum number of recorded p-values of an edge's family, the largest ones
FIRST_ROOM = 256


class DecisionRule(NamedTuple):
    """Conditions for the removal of an edge.

    Attributes
    ----------
    by_information : bool
        True: an edge is removed given the first set with an information below `cut`; False: with p > exp(`log_alpha`).
    normal : bool
        True: p is that of the normal approximation around `cut`; False: that of χ².
    cut : float
        In bits.
    log_alpha : float
    bound : float
        Sets with more degrees of freedom, counting all declared states, are skipped.
    every : bool
        True: all sets are tested, and all p-values must lie on or below the line of their family.
    log_q : float
        The line is exp(`log_q`).
    harmonic : bool
        True: the line is divided by the harmonic number of the family's size.
    literal : bool
        True: it suffices that some p-values lie on or below the line.
    frozen : bool
        True: sets come from the neighbors at the start; False: from those left.
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


class TurnResults(NamedTuple):
    """Outcome of each turn: the edge i - j, tested from i, given sets of other neighbors of i.

    The hardest test is the one with the largest p or the least information.

    Attributes
    ----------
    state : (m,) int8 array
        `GONE`, `NO_SET`, `SKIPPED`, `KEPT`, `SEPARATED` or `NOT_REACHED`.
    log_p, statistic, dof : (m,) float64 arrays
        Results of the hardest test.
    cond : (m, size) int32 array
        Its set.
    n_tests, n_skipped : (m,) int64 arrays
        Numbers of sets tested, and of sets not tested for lack of power.
    log_line : (m,) float64 array
        Logarithm of the line of the family.
    listed : (m, `MAX_LISTED`) float64 array
        Largest ln p of the family, falling, padded with NaN; no rows if there are no families.
    spread : (m,) float64 array
        Standard deviation in bits of the hardest test's information; empty where p is that of χ².
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
    spread: np.ndarray = np.empty(0)  # results stored by older versions lack it


@kernel
def separate_sequentially(sample, edges, begin, end, adjacency, begin_of, near_of, rule, turns, scratch, stop, done):
    """Take the turns ``begin <= t < end`` one after the other; removed edges leave `adjacency` at once.

    Parameters
    ----------
    sample : DiscreteSample
    edges : (m, 2) int64 array
    begin, end : int
    adjacency : (p, p) bool array
        Updated.
    begin_of, near_of : int64 and int32 arrays
        Neighbors at the start in the order in which sets are formed, as in `graphs.adjacency.neighbor_lists`.
    rule : DecisionRule
    turns : TurnResults
    scratch : DiscreteScratch
    stop, done : (1,) arrays
        As in `ci.g2_search`.
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
            state = _separate_one(
                sample, min(i, j), max(i, j), pool[:count], rule, turns, t, scratch, cond, chosen, stop
            )
            turns.state[t] = state
            if state == SEPARATED:
                adjacency[i, j] = adjacency[j, i] = False
        else:
            turns.state[t] = GONE
        if stop[0]:
            return
        done[0] += 1


@kernel
def _separate_one(sample, x, y, pool, rule, turns, t, scratch, cond, chosen, stop):
    """Test x < y given subsets of `pool`; return the state of the turn.

    Parameters
    ----------
    sample, rule, turns, scratch, stop
        As in `separate_sequentially`.
    x, y : int
    pool : int32 array
    t : int
        Row of `turns` that is filled, but for `state`.
    cond, chosen : (size,) int32 and int64 arrays
        Scratch.
    """
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
        # p of χ² falls with the statistic and rises with dof: most tests certainly have a smaller p than the hardest.
        if not rule.every and n_tests > 1 and dof <= top_dof and statistic >= top_statistic:
            continue
        log_p = log_normal_sf(deviation(bits, spread, rule.cut)) if rule.normal else log_chi2_sf(statistic, dof)
        if n_tests == 1 or log_p > top:
            top, top_statistic, top_dof = log_p, statistic, dof
            copy(cond, turns.cond[t])
            if rule.normal:
                turns.spread[t] = spread
        if rule.every:
            _insert_ranked(turns.listed[t], log_p)
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
    """Return z = (m - μ) / s; if the spread is 0, ±infinity by the side of the cut."""
    if spread > 0.0:
        return (bits - cut) / spread
    return np.inf if bits > cut else -np.inf


@kernel
def declared_dof(arity, x, y, cond):
    """Return (r_x - 1)(r_y - 1) Π r_z as a float, which cannot overflow.

    Parameters
    ----------
    arity : (p,) int64 array
    x, y : int
    cond : int32 array
    """
    dof = (float(arity[x]) - 1.0) * (float(arity[y]) - 1.0)
    for k in range(cond.shape[0]):
        dof *= float(arity[cond[k]])
    return dof


@kernel
def harmonic(m):
    """Return 1 + 1/2 + ... + 1/m."""
    total = 0.0
    for k in range(m, 0, -1):
        total += 1.0 / k
    return total


@kernel
def family_fails(log_p, top, log_line, literal):
    """Return True if a family of p-values does not reject all its hypotheses.

    All are rejected iff the largest p-value lies on or below the line.

    Parameters
    ----------
    log_p : (m,) float64 array
        Used only if `literal`.
    top : float
        Largest ln p.
    log_line : float
    literal : bool
        True: the family fails only if all p-values lie above their lines.
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
def _insert_ranked(listed, log_p):
    """Insert ln p among the largest ones, falling; NaN marks free slots."""
    k = MAX_LISTED - 1
    if listed[k] >= log_p:
        return
    while k > 0 and not listed[k - 1] >= log_p:
        listed[k] = listed[k - 1]
        k -= 1
    listed[k] = log_p


@kernel
def _appended(values, count, value):
    """Store `value` as number `count`, counted from 1, and return the array, enlarged if necessary."""
    if count > values.shape[0]:
        grown = np.empty(2 * values.shape[0])
        grown[: values.shape[0]] = values
        values = grown
    values[count - 1] = value
    return values
