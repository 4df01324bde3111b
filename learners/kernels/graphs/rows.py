"""Steps of a layered drawing: orders of the nodes in rows, and positions with few crossings.

A drawing has rows of nodes and of bend points of long edges. `order` (n,) int64 lists them row by row, from left to
right; row r is ``order[begin[r] : begin[r + 1]]``. `place` (n,) int64 is the rank of each node in its row. The
neighbours of node i in the row above are ``above[above_begin[i] : above_begin[i + 1]]``, and likewise `below`.
"""

import math

import numpy as np

from ..compiling import kernel

OVER_COST = 1.5  # cost of an edge over a node, relative to a crossing: drawn around it, it crosses others there
LENGTH_COST = 0.02  # cost of one node width of edge length, relative to a crossing
TINY = 1e-9
END = 1e-6  # a point is between the ends of an edge if its share of the edge is farther than this from 0 and 1


@kernel
def position_costs(x, y, i, height, tried, far, others, clearance):
    """Return the (t,) float64 cost of crossings, edges over nodes and edge lengths at each position tried for a node.

    An edge of node i crosses another while x is in an interval: where the other edge is seen from the far end.

    Parameters
    ----------
    x, y : (p,) float64 array
        Positions in node widths, and rows.
    i : int
        The node.
    height : float
        Row in which it is tried.
    tried : (t,) float64 array
        Positions in increasing order.
    far : (k,) int64 array
        Neighbours of the node.
    others : (m, 2) int64 array
        Edges of other nodes.
    clearance : float
        Distance from the centre of a node, in node widths, below which an edge is over it.
    """
    crossed, over = np.zeros(tried.shape[0] + 1, np.int64), np.zeros(tried.shape[0] + 1, np.int64)
    for end in far:
        above, below = min(height, y[end]), max(height, y[end])
        for m in range(others.shape[0]):
            a, b = others[m, 0], others[m, 1]
            if a != end and b != end and min(y[a], y[b]) <= below and max(y[a], y[b]) >= above:
                _count_crossing(x, y, height, tried, x[end], y[end], a, b, crossed)
        for j in range(x.shape[0]):
            share = _share(y[j] - y[end], height - y[end])
            if j != i and END < share < 1 - END:
                middle, margin = x[end] + (x[j] - x[end]) / share, clearance / share
                _count(tried, middle - margin, middle + margin, over)
    for m in range(others.shape[0]):
        a, b = others[m, 0], others[m, 1]
        share = _share(height - y[a], y[b] - y[a])
        if END < share < 1 - END:
            passing = x[a] + (x[b] - x[a]) * share
            _count(tried, passing - clearance, passing + clearance, over)
    cost = np.empty(tried.shape[0])
    n_crossed = n_over = 0
    for t in range(tried.shape[0]):
        n_crossed += crossed[t]
        n_over += over[t]
        length = 0.0
        for end in far:
            length += math.sqrt((x[end] - tried[t]) ** 2 + (y[end] - height) ** 2)
        cost[t] = n_crossed + OVER_COST * n_over + LENGTH_COST * length
    return cost


@kernel
def _share(rise, whole):
    """Return the share of an edge at which it reaches a height; 0 if the edge is level."""
    return 0.0 if whole == 0 else rise / whole


@kernel
def _count_crossing(x, y, height, tried, fx, fy, a, b, changes):
    """Add another edge to the counts at the tried positions from which the line to the far end crosses it.

    Parameters
    ----------
    x, y, height, tried
        See `position_costs`.
    fx, fy : float
        Position of the far end.
    a, b : int
        Ends of the other edge.
    changes : (t + 1,) int64 array
        Changes of the number of crossings from one position to the next.
    """
    if y[a] > y[b]:
        a, b = b, a
    high, low = y[a], y[b]
    above, below = min(height, fy), max(height, fy)
    if (high == low and above < high < below) or max(high, above) < min(low, below):
        slope = 0.0 if high == low else (x[b] - x[a]) / (low - high)
        first = _seen(x[a], high, slope, max(high, above), fx, fy, height)
        second = _seen(x[b], low, slope, min(low, below), fx, fy, height)
        _count(tried, min(first, second), max(first, second), changes)
    if fy == height and high < height < low:  # a level edge of the node crosses what passes between its ends
        passing = x[a] + (x[b] - x[a]) * (height - high) / (low - high)
        beyond = passing if passing == fx else math.copysign(np.inf, passing - fx)
        _count(tried, min(passing, beyond), max(passing, beyond), changes)


@kernel
def _seen(end_x, end_y, slope, at, fx, fy, height):
    """Return where the line from the far end through the other edge at a level meets a height.

    Parameters
    ----------
    end_x, end_y : float
        One end of the other edge.
    slope : float
        Its x per row.
    at : float
        The level.
    fx, fy : float
        Position of the far end.
    height : float
    """
    gap = end_x + slope * (at - end_y) - fx
    if at != fy:
        return fx + gap * (height - fy) / (at - fy)
    # At the level of the far end the line never meets it, unless the other edge goes through that end.
    return fx + slope * (height - fy) if abs(gap) < TINY else math.copysign(np.inf, gap)


@kernel
def _count(tried, low, high, changes):
    """Add an open interval to the counts at the tried positions inside it.

    Parameters
    ----------
    tried : (t,) float64 array
        In increasing order.
    low, high : float
    changes : (t + 1,) int64 array
        Changes of the number of intervals from one position to the next.
    """
    first = last = 0
    for at in tried:  # few positions, so this is faster than two binary searches
        first += at <= low + TINY
        last += at < high - TINY
    if last > first:
        changes[first] += 1
        changes[last] -= 1


@kernel
def row_crossings(order, begin, below_begin, below):
    """Return the number of crossings between neighbouring rows.

    Parameters
    ----------
    order, begin, below_begin, below
        See the module.
    """
    place = places(order, begin)
    total = 0
    for r in range(begin.shape[0] - 1):
        total += crossings_below(order, begin, place, below_begin, below, r)
    return total


@kernel
def crossings_below(order, begin, place, below_begin, below, r):
    """Return the number of crossings between a row and the next.

    Parameters
    ----------
    order, begin, place, below_begin, below
        See the module.
    r : int
        The row.
    """
    total = 0
    for k in range(begin[r], begin[r + 1]):
        for left in below[below_begin[order[k]] : below_begin[order[k] + 1]]:
            for m in range(k + 1, begin[r + 1]):
                for right in below[below_begin[order[m]] : below_begin[order[m] + 1]]:
                    total += place[left] > place[right]
    return total


@kernel
def sift_rows(order, begin, above_begin, above, below_begin, below, rounds, widest):
    """Move single nodes to the best position of their row, in `order` itself, until no move saves a crossing.

    Parameters
    ----------
    order, begin, above_begin, above, below_begin, below
        See the module.
    rounds : int
        Maximum number of rounds over all rows, downwards and upwards.
    widest : int
        Rows of more nodes stay as they are.
    """
    dirty = np.ones(begin.shape[0] - 1, np.bool_)
    place = places(order, begin)
    sift_dirty_rows(order, begin, place, above_begin, above, below_begin, below, dirty, dirty.copy(), rounds, widest)


@kernel
def sift_dirty_rows(order, begin, place, above_begin, above, below_begin, below, dirty, changed, rounds, widest):
    """Sift the rows that may have changed since they were sifted, in `order` and `place` themselves.

    Parameters
    ----------
    order, begin, place, above_begin, above, below_begin, below
        See the module.
    dirty : (r,) bool array
        The rows to sift; a row that changes marks its neighbours. Changed in place.
    changed : (r,) bool array
        Rows that change are marked in place.
    rounds, widest : int
        As in `sift_rows`.
    """
    n_rows = begin.shape[0] - 1
    for _ in range(rounds):
        moved = False
        for at in range(2 * n_rows):
            r = at if at < n_rows else 2 * n_rows - 1 - at
            row = order[begin[r] : begin[r + 1]]
            if not dirty[r] or row.shape[0] > widest:
                continue
            crossed = np.zeros((row.shape[0], row.shape[0]), np.int64)
            _add_pair_crossings(row, place, above_begin, above, crossed)
            _add_pair_crossings(row, place, below_begin, below, crossed)
            dirty[r] = _sift_row(row, place, crossed)
            if dirty[r]:
                moved = changed[r] = True
                for near in (r - 1, r + 1):
                    if 0 <= near < n_rows:
                        dirty[near] = True
        if not moved:
            return


@kernel
def places(order, begin):
    """Return the rank of each node in its row."""
    place = np.empty(order.shape[0], np.int64)
    for r in range(begin.shape[0] - 1):
        for k in range(begin[r], begin[r + 1]):
            place[order[k]] = k - begin[r]
    return place


@kernel
def _add_pair_crossings(row, place, near_begin, near, crossed):
    """Add to `crossed` the crossings of the edges of each two nodes of a row if the first is left of the second.

    Parameters
    ----------
    row : (k,) int64 array
    place, near_begin, near
        Ranks, and the neighbours in one direction; see the module.
    crossed : (k, k) int64 array
    """
    for a in range(row.shape[0]):
        for b in range(a):
            first = second = 0
            for m in range(near_begin[row[a]], near_begin[row[a] + 1]):
                left = place[near[m]]
                for k in range(near_begin[row[b]], near_begin[row[b] + 1]):
                    right = place[near[k]]
                    first += left > right
                    second += right > left
            crossed[a, b] += first
            crossed[b, a] += second


@kernel
def _sift_row(row, place, crossed):
    """Move the nodes of a row one by one to where they save most crossings; return True if any moved.

    Parameters
    ----------
    row : (k,) int64 array
        Changed in place.
    place : int64 array
        Ranks of all nodes; those of the row are changed.
    crossed : (k, k) int64 array
        Crossings of each two nodes of the row if the first is left of the second.
    """
    n = row.shape[0]
    ranks, before_move, moved = np.arange(n), row.copy(), False
    for i in range(n):
        now = cost = best_cost = now_cost = 0
        best = rank = 0
        for k in range(n):  # node i stands left of the k-th of the other nodes
            if ranks[k] == i:
                now, now_cost = k, cost
                continue
            other = ranks[k]
            cost += crossed[other, i] - crossed[i, other]
            rank += 1
            if cost < best_cost:
                best, best_cost = rank, cost
        if best_cost < now_cost:
            moved = True
            step = 1 if best > now else -1
            for k in range(now, best, step):
                ranks[k] = ranks[k + step]
            ranks[best] = i
    if moved:
        for k in range(n):
            row[k] = before_move[ranks[k]]
            place[row[k]] = k
    return moved
