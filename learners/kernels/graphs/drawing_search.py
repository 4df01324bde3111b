"""Searches for a layered drawing with few crossings: orders of bent edges, and positions of straight ones.

Both repeat a local search after small random changes, and keep a change that adds no cost.
"""

import math

import numpy as np

from ..compiling import kernel
from .rows import (
    END,
    LENGTH_COST,
    OVER_COST,
    TINY,
    crossings_below,
    places,
    position_costs,
    row_crossings,
    sift_dirty_rows,
    sift_rows,
)

NOISE = 0.3  # standard deviation of the largest random change of a rank, as a share of the row
SHAKEN_SWEEPS = 4  # number of barycentre sweeps after a random change
MAX_ROUNDS = 12  # maximum number of rounds over all nodes in a local search
MAX_MOVED = 3  # maximum number of nodes that a random change moves
OUTSIDE_COST = 1e6  # cost of a node outside the grid


@kernel
def search_orders(order, begin, above_begin, above, below_begin, below, noise, rounds, widest):
    """Search for an order of the rows with fewer crossings, in `order` itself; return its number of crossings.

    Parameters
    ----------
    order, begin, above_begin, above, below_begin, below
        See `rows`.
    noise : (t, n) float64 array
        Standard normal numbers, a row for each try.
    rounds, widest : int
        As in `sift_rows`.
    """
    fewest = row_crossings(order, begin, below_begin, below)
    now, crossings = order.copy(), fewest
    for t in range(noise.shape[0]):
        if fewest == 0:
            break
        tried = now.copy()
        spread = NOISE * (0.05, 0.15, 0.4, 1.0)[t % 4]
        _shake(tried, begin, above_begin, above, below_begin, below, spread * noise[t], (t // 4) % 2 == 0)
        sift_rows(tried, begin, above_begin, above, below_begin, below, rounds, widest)
        found = row_crossings(tried, begin, below_begin, below)
        if found <= crossings + (t % 8 == 7):  # every eighth try may add a crossing
            now, crossings = tried, found
        elif t % 16 == 15:
            now, crossings = order.copy(), fewest
        if found < fewest:
            fewest = found
            order[:] = tried
    return fewest


@kernel
def search_parts(order, begin, above_begin, above, below_begin, below, noise, tries, rounds, widest):
    """Search for fewer crossings by sweeps that begin at one row, in `order` itself; return the number of crossings.

    A sweep sorts the rows on one side of a row by barycentres. It turns a part of the drawing round, which sweeps over
    all rows undo. Sweeps without random changes come first.

    Parameters
    ----------
    order, begin, above_begin, above, below_begin, below
        See `rows`.
    noise : (k,) float64 array
        Standard normal numbers, used in turn.
    tries : int
        Maximum number of sweeps.
    rounds, widest : int
        As in `sift_rows`.
    """
    n_rows = begin.shape[0] - 1
    place = places(order, begin)
    counts = np.zeros(n_rows, np.int64)
    for r in range(n_rows - 1):
        counts[r] = crossings_below(order, begin, place, below_begin, below, r)
    fewest = counts.sum()
    tried, tried_place, tried_counts = order.copy(), place.copy(), counts.copy()
    dirty, changed = np.zeros(n_rows, np.bool_), np.zeros(n_rows, np.bool_)
    for t in range(tries):
        if fewest == 0:
            break
        down = (t // n_rows) % 2 == 0
        row = t % n_rows if down else n_rows - 1 - t % n_rows
        n_sorted = n_rows
        changed[:] = False
        if t >= 2 * n_rows:
            n_sorted = n_rows if t % 3 == 0 else 2 + (t // (4 * n_rows)) % 6
            changed[row] = _shuffle_row(tried, tried_place, begin, row, noise, t)
        near_begin, near = (above_begin, above) if down else (below_begin, below)
        _sweep_from(tried, tried_place, begin, near_begin, near, row, n_sorted, 1 if down else -1, changed)
        dirty[:] = changed
        dirty[1:] |= changed[:-1]
        dirty[:-1] |= changed[1:]
        sift_dirty_rows(
            tried, begin, tried_place, above_begin, above, below_begin, below, dirty, changed, rounds, widest
        )
        for r in range(n_rows - 1):
            if changed[r] or changed[r + 1]:
                tried_counts[r] = crossings_below(tried, begin, tried_place, below_begin, below, r)
        if tried_counts.sum() <= fewest:
            fewest = tried_counts.sum()
            order[:], place[:], counts[:] = tried, tried_place, tried_counts
        else:
            tried[:], tried_place[:], tried_counts[:] = order, place, counts
    return fewest


@kernel
def _shuffle_row(order, place, begin, r, noise, t):
    """Change the ranks of a row at random, in `order` and `place` themselves; return True if they differ.

    Parameters
    ----------
    order, place, begin
        See `rows`.
    r : int
        The row.
    noise : (k,) float64 array
        Standard normal numbers.
    t : int
        Number of the try, from which follows the first number used.
    """
    row = order[begin[r] : begin[r + 1]]
    wish = np.empty(row.shape[0])
    for k in range(row.shape[0]):
        wish[k] = _share(k, row.shape[0]) + NOISE * noise[(t * row.shape[0] + k) % noise.shape[0]]
    return _sort_row(row, place, wish)


@kernel
def _sweep_from(order, place, begin, near_begin, near, r, n_sorted, step, changed):
    """Sort rows on one side of a row by barycentres, in `order` and `place` themselves; mark those that change.

    Parameters
    ----------
    order, place, begin, near_begin, near
        See `rows`; the neighbours towards row r.
    r : int
        The row, which stays.
    n_sorted : int
        Maximum number of rows to sort, row r included.
    step : int
        1 downwards, -1 upwards.
    changed : (r,) bool array
    """
    for k in range(1, n_sorted):
        at = r + step * k
        if not 0 <= at < begin.shape[0] - 1:
            return
        row = order[begin[at] : begin[at + 1]]
        size = begin[at - step + 1] - begin[at - step]
        wish = np.empty(row.shape[0])
        for q in range(row.shape[0]):
            ends = near[near_begin[row[q]] : near_begin[row[q] + 1]]
            total = 0.0
            for end in ends:
                total += _share(place[end], size)
            wish[q] = total / ends.shape[0] if ends.shape[0] else _share(q, row.shape[0])
        changed[at] = _sort_row(row, place, wish) or changed[at]


@kernel
def _sort_row(row, place, wish):
    """Sort a row by the preferred positions of its nodes, in `row` and `place` themselves; return True if changed."""
    row[:] = row[np.argsort(wish, kind="mergesort")]
    changed = False
    for k in range(row.shape[0]):
        changed = changed or place[row[k]] != k
        place[row[k]] = k
    return changed


@kernel
def _share(rank, size):
    """Return the position of a rank in a row as a share of its width."""
    return rank / (size - 1) if size > 1 else 0.5


@kernel
def _shake(order, begin, above_begin, above, below_begin, below, change, downwards):
    """Change the ranks of all nodes at random, then sort the rows by barycentres, in `order` itself.

    Parameters
    ----------
    order, begin, above_begin, above, below_begin, below
        See `rows`.
    change : (n,) float64 array
        Change of each rank, as a share of the row.
    downwards : bool
        True if the first sweep goes downwards.
    """
    n_rows = begin.shape[0] - 1
    place = places(order, begin) + 0.5
    for r in range(n_rows):
        for i in order[begin[r] : begin[r + 1]]:
            place[i] = place[i] / (begin[r + 1] - begin[r]) + change[i]
    for sweep in range(SHAKEN_SWEEPS):
        down = (sweep % 2 == 0) == downwards
        near_begin, near = (above_begin, above) if down else (below_begin, below)
        for at in range(n_rows):
            r = at if down else n_rows - 1 - at
            row = order[begin[r] : begin[r + 1]]
            wish = np.empty(row.shape[0])
            for k in range(row.shape[0]):
                ends = near[near_begin[row[k]] : near_begin[row[k] + 1]]
                wish[k] = place[ends].mean() if ends.shape[0] else place[row[k]]
            row[:] = row[np.argsort(wish, kind="mergesort")]
            for k in range(row.shape[0]):
                place[row[k]] = (k + 0.5) / row.shape[0]


@kernel
def search_positions(x, y, edges, near_begin, near, grid, levels, clearance, uniforms, max_work, kept_x, kept_y):
    """Search for positions with few crossings, in `x` and `y` themselves; return the work done, and numbers kept.

    Parameters
    ----------
    x, y : (p,) float64 array
        Positions in node widths, and rows.
    edges : (m, 2) int64 array
        Start and end; the start is above the end if nodes may change their row.
    near_begin, near : int64 array
        Neighbours of node i are ``near[near_begin[i] : near_begin[i + 1]]``.
    grid : (g,) float64 array
        Possible x in increasing order.
    levels : (r,) float64 array
        Rows that a node may change to; empty if it may not.
    clearance : float
        Distance from the centre of a node, in node widths, below which an edge is over it.
    uniforms : (t, 2 * MAX_MOVED) float64 array
        Numbers in [0, 1), a row for each try.
    max_work : float
        Number of compared lines at which the search ends.
    kept_x, kept_y : (k, p) float64 array
        Receive the last drawings that cost at most one crossing more than the result.

    Returns
    -------
    (float, int)
        The work, and the number of drawings in `kept_x` and `kept_y`.
    """
    p = x.shape[0]
    dirty = np.ones(p, np.bool_)
    work = 0.0
    for _ in range(MAX_ROUNDS):
        work += _descend(x, y, edges, near_begin, near, grid, levels, clearance, dirty, max_work - work)
        work += _exchange(x, y, edges, near_begin, near, clearance, dirty, max_work - work)
        if not dirty.any() or work > max_work:
            break
    best = drawing_cost(x, y, edges, clearance) + _outside_cost(x, grid)
    costs = np.full(kept_x.shape[0], np.inf)
    at = 0
    for t in range(uniforms.shape[0]):
        if work > max_work:
            break
        tried_x, tried_y = x.copy(), y.copy()
        dirty[:] = False
        _move_some(tried_x, tried_y, near_begin, near, grid, uniforms[t, : 2 + 2 * (t % MAX_MOVED)], dirty)
        work += _descend(tried_x, tried_y, edges, near_begin, near, grid, levels, clearance, dirty, max_work)
        work += edges.shape[0] ** 2
        cost = drawing_cost(tried_x, tried_y, edges, clearance) + _outside_cost(tried_x, grid)
        if cost <= best + TINY:
            if costs.shape[0] and (tried_x != x).any():
                kept_x[at], kept_y[at], costs[at] = tried_x, tried_y, cost
                at = (at + 1) % costs.shape[0]
            best = cost
            x[:], y[:] = tried_x, tried_y
    n = 0
    for k in range(costs.shape[0]):
        if costs[k] < best + 1:
            kept_x[n], kept_y[n] = kept_x[k], kept_y[k]
            n += 1
    return work, n


@kernel
def drawing_cost(x, y, edges, clearance):
    """Return the float cost of a drawing: crossings, edges over nodes and edge lengths, as in `position_costs`.

    Parameters
    ----------
    x, y, edges, clearance
        See `search_positions`.
    """
    total = 0.0
    for e in range(edges.shape[0]):
        a, b = edges[e, 0], edges[e, 1]
        high, low = min(y[a], y[b]), max(y[a], y[b])
        for f in range(e + 1, edges.shape[0]):
            c, d = edges[f, 0], edges[f, 1]
            if max(y[c], y[d]) < high or min(y[c], y[d]) > low:
                continue
            if a != c and a != d and b != c and b != d:
                total += _separates(x, y, a, b, c, d) and _separates(x, y, c, d, a, b)
        total += LENGTH_COST * math.hypot(x[a] - x[b], y[a] - y[b])
        if y[a] != y[b]:
            for k in range(x.shape[0]):
                share = (y[k] - y[a]) / (y[b] - y[a])
                if END < share < 1 - END and abs(x[a] + (x[b] - x[a]) * share - x[k]) < clearance:
                    total += OVER_COST
    return total


@kernel
def _separates(x, y, a, b, c, d):
    """Return True if nodes c and d lie on different sides of the line through nodes a and b.

    Parameters
    ----------
    x, y
        See `search_positions`.
    a, b, c, d : int
    """
    dx, dy = x[b] - x[a], y[b] - y[a]
    first = dx * (y[c] - y[a]) - dy * (x[c] - x[a])
    second = dx * (y[d] - y[a]) - dy * (x[d] - x[a])
    return (first > TINY and second < -TINY) or (first < -TINY and second > TINY)


@kernel
def _outside_cost(x, grid):
    """Return the float cost of all nodes outside the grid.

    Parameters
    ----------
    x, grid
        See `search_positions`.
    """
    return OUTSIDE_COST * ((x < grid[0] - TINY) | (x > grid[-1] + TINY)).sum()


@kernel
def _move_some(x, y, near_begin, near, grid, uniforms, dirty):
    """Move nodes within their rows at random, in `x` itself; mark what may move next in `dirty`.

    A node moves to a free position, or exchanges its position with the one node that occupies it.

    Parameters
    ----------
    x, y, near_begin, near, grid
        See `search_positions`.
    uniforms : (2 * k,) float64 array
        Two numbers for each node that moves: the node, and its position.
    dirty : (p,) bool array
    """
    for q in range(uniforms.shape[0] // 2):
        i = int(uniforms[2 * q] * x.shape[0])
        to = grid[int(uniforms[2 * q + 1] * grid.shape[0])]
        n_occupied, other = 0, -1
        for j in range(x.shape[0]):
            if j != i and y[j] == y[i] and abs(x[j] - to) < 1 - TINY:
                n_occupied += 1
                other = j
        if n_occupied > 1:
            continue
        if n_occupied == 1:
            x[i], x[other] = x[other], x[i]
            dirty[other] = True
        else:
            x[i] = to
        for j in near[near_begin[i] : near_begin[i + 1]]:
            dirty[j] = True


@kernel
def _descend(x, y, edges, near_begin, near, grid, levels, clearance, dirty, max_work):
    """Move dirty nodes to their best positions, in `x` and `y` themselves, until none improves; return the work.

    Parameters
    ----------
    x, y, edges, near_begin, near, grid, levels, clearance, max_work
        See `search_positions`.
    dirty : (p,) bool array
        Changed in place: a move marks all nodes with edges in the rows that it changed.
    """
    work = 0.0
    tried, others = np.empty(grid.shape[0]), np.empty_like(edges)
    for _ in range(MAX_ROUNDS):
        moved = False
        for i in np.argsort(y, kind="mergesort"):  # from the top row to the bottom row
            ends = near[near_begin[i] : near_begin[i + 1]]
            if not dirty[i] or work > max_work:
                continue
            dirty[i] = False
            if not ends.shape[0]:
                continue
            top, bottom, n_others = -np.inf, np.inf, 0
            for e in range(edges.shape[0]):
                if edges[e, 0] == i:
                    bottom = min(bottom, y[edges[e, 1]])
                elif edges[e, 1] == i:
                    top = max(top, y[edges[e, 0]])
                else:
                    others[n_others, 0], others[n_others, 1] = edges[e, 0], edges[e, 1]
                    n_others += 1
            tried[0] = x[i]
            best = position_costs(x, y, i, y[i], tried[:1], ends, others[:n_others], clearance)[0] - 1e-6
            if x[i] < grid[0] - TINY or x[i] > grid[-1] + TINY:
                best += OUTSIDE_COST
            best_x, best_y = x[i], y[i]
            for k in range(-1, levels.shape[0]):
                level = y[i] if k < 0 else levels[k]
                if k >= 0 and (level == y[i] or not top < level < bottom):
                    continue
                n_tried = _free(x, y, i, level, grid, tried)
                if n_tried:
                    costs = position_costs(x, y, i, level, tried[:n_tried], ends, others[:n_others], clearance)
                    work += ends.shape[0] * n_others + n_others + x.shape[0]
                    found = costs.argmin()
                    if costs[found] < best:
                        best, best_x, best_y = costs[found], tried[found], level
            if best_x != x[i] or best_y != y[i]:
                moved = True
                low, high = min(y[i], best_y), max(y[i], best_y)
                x[i], y[i] = best_x, best_y
                _mark(y, near_begin, near, min(low, y[ends].min()), max(high, y[ends].max()), dirty)
        if not moved:
            break
    return work


@kernel
def _exchange(x, y, edges, near_begin, near, clearance, dirty, max_work):
    """Swap two nodes of a row, in place, wherever that lowers the cost; return the work.

    Parameters
    ----------
    x, y, edges, near_begin, near, clearance, max_work
        See `search_positions`.
    dirty : (p,) bool array
        A swap marks all nodes with edges in the rows that it changed.
    """
    work = 0.0
    at, first_others, other_others = np.empty(1), np.empty_like(edges), np.empty_like(edges)
    for i in range(x.shape[0]):
        ends = near[near_begin[i] : near_begin[i + 1]]
        for j in range(i):
            if y[j] != y[i] or work > max_work or not ends.shape[0] or (ends == j).any():
                continue
            far = near[near_begin[j] : near_begin[j + 1]]
            if not far.shape[0]:
                continue
            n_first = n_other = 0
            for e in range(edges.shape[0]):
                if edges[e, 0] != j and edges[e, 1] != j:
                    other_others[n_other, 0], other_others[n_other, 1] = edges[e, 0], edges[e, 1]
                    n_other += 1
                    if edges[e, 0] != i and edges[e, 1] != i:
                        first_others[n_first, 0], first_others[n_first, 1] = edges[e, 0], edges[e, 1]
                        n_first += 1
            costs = np.zeros(2)
            for k in range(2):  # before the exchange, and after it
                at[0] = x[i]
                costs[k] += position_costs(x, y, i, y[i], at, ends, first_others[:n_first], clearance)[0]
                at[0] = x[j]
                costs[k] += position_costs(x, y, j, y[j], at, far, other_others[:n_other], clearance)[0]
                x[i], x[j] = x[j], x[i]
            work += 2 * (ends.shape[0] * n_first + far.shape[0] * n_other)
            if costs[1] < costs[0] - 1e-6:
                x[i], x[j] = x[j], x[i]
                low, high = min(y[i], y[ends].min(), y[far].min()), max(y[i], y[ends].max(), y[far].max())
                _mark(y, near_begin, near, low, high, dirty)
    return work


@kernel
def _free(x, y, i, level, grid, tried):
    """Write the positions of a row that are free for node i to `tried`, and return their number.

    Parameters
    ----------
    x, y, grid
        See `search_positions`.
    i : int
        The node.
    level : float
        The row.
    tried : (g,) float64 array
    """
    free = np.ones(grid.shape[0], np.bool_)
    for j in range(x.shape[0]):
        if j != i and y[j] == level:
            first = np.searchsorted(grid, x[j] - 1 + TINY, "right")
            free[first : np.searchsorted(grid, x[j] + 1 - TINY, "left")] = False
    n = 0
    for k in range(grid.shape[0]):
        if free[k]:
            tried[n] = grid[k]
            n += 1
    return n


@kernel
def _mark(y, near_begin, near, low, high, dirty):
    """Mark all nodes with an edge in the rows from `low` to `high` in `dirty`.

    Parameters
    ----------
    y, near_begin, near
        See `search_positions`.
    low, high : float
    dirty : (p,) bool array
    """
    for j in range(y.shape[0]):
        first = last = y[j]
        for end in near[near_begin[j] : near_begin[j + 1]]:
            first, last = min(first, y[end]), max(last, y[end])
        if last >= low and first <= high:
            dirty[j] = True
