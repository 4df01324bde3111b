"""Steps of the search for one Markov blanket within a pool: the tests of a round, and the next change of the members.

Positions are positions in the pool.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .pruning import is_stronger


class PoolTests(NamedTuple):
    """The last test of each node of a pool.

    Attributes
    ----------
    node : (m,) int64 array
    log_p, statistic, dof : (m,) float64 arrays
        NaN where no test was done; ln p is `untested` where there were too few rows.
    """

    node: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray


@kernel
def bases_of_others(node, is_member, positions, members, max_size):
    """Return (fitting, sizes, bases): the conditioning set of each node is all members but itself.

    Parameters
    ----------
    node : (m,) int64 array
    is_member : (m,) bool array
    positions : (k,) int64 array
        Positions of the nodes to be tested.
    members : (q,) int64 array
        Nodes of the blanket, ascending.
    max_size : int
        Nodes with larger sets are left out.

    Returns
    -------
    fitting, sizes : int64 arrays
        The positions that are left, and the sizes of their sets.
    bases : int32 array
        The sets, one after the other.
    """
    q = members.shape[0]
    fitting, sizes = np.empty(positions.shape[0], np.int64), np.empty(positions.shape[0], np.int64)
    bases = np.empty(positions.shape[0] * q, np.int32)
    n, end = 0, 0
    for k in positions:
        size = q - np.int64(is_member[k])
        if size > max_size:
            continue
        fitting[n], sizes[n] = k, size
        n += 1
        for x in members:
            if x != node[k]:
                bases[end] = x
                end += 1
    return fitting[:n], sizes[:n], bases[:end]


@kernel
def sorted_by_strength(tests, positions, untested):
    """Return the tested ones of these positions in the order of `is_stronger`.

    Parameters
    ----------
    tests : PoolTests
    positions : (k,) int64 array
    untested : float
    """
    order = np.empty(positions.shape[0], np.int64)
    n = 0
    for k in positions:
        if np.isnan(tests.log_p[k]):
            continue
        at = n
        while at > 0 and is_stronger(tests, k, order[at - 1], untested):
            order[at] = order[at - 1]
            at -= 1
        order[at] = k
        n += 1
    return order[:n]


@kernel
def next_change(log_p, is_member, is_banned, order, log_factors, log_alpha, skips_above, may_add):
    """Return the position to remove or to add next in IAMB-FDR, -1 for none.

    Discoveries are those of Benjamini and Yekutieli (2001). The weakest member that is none is removed. If all members
    are discoveries, the strongest discovery that is neither a member nor banned is added.

    Parameters
    ----------
    log_p : (m,) float64 array
    is_member, is_banned : (m,) bool arrays
    order : (k,) int64 array
        Tested positions, the strongest first.
    log_factors : (k,) float64 array
        ln of the factor of the p-value of each rank.
    log_alpha : float
    skips_above : float
        Members whose ln p reaches this are not removed.
    may_add : bool
    """
    n_discoveries = 0
    for rank in range(order.shape[0]):
        if log_p[order[rank]] + log_factors[rank] <= log_alpha:
            n_discoveries = rank + 1
    for k in order[n_discoveries:][::-1]:
        if is_member[k] and log_p[k] < skips_above:
            return k
    if may_add:
        for k in order[:n_discoveries]:
            if not (is_member[k] or is_banned[k]):
                return k
    return -1
