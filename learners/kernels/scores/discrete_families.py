"""BIC and BDeu of a categorical variable given its parents, many candidate parents at a time.

What depends on the parents alone, the rows of each of their configurations, is found once: by ANDs of their planes
where there are few configurations, else row by row. Each configuration (stratum) is then counted, candidate by
candidate, by whichever is cheaper: ANDs of bit masks with the candidate's planes, or its rows one by one. However it
is done, the same terms are added up in the same order.
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..counting.contingency import number
from ..counting.popcount import and_into, count_and, count_grid, fill_rows, first_bit

SMALL_TABLE = 65_536  # labels are found with a table of up to this many cells, or 4 a row; beyond that by hashing

# Measured in nanoseconds (n = 5 000 and 25 000): one AND + popcount of 64 rows, the loop around them, and one row
# counted by its code. Only their ratios matter.
WORD, LOOP, ROW = 0.13, 4.0, 1.5
# Around each row whose configuration is found by codes, for each parent of it, and of a row that a mask lists.
LABEL, LABEL_DEEPER, LISTED = 5.5, 0.5, 4.0

# Codes beyond this size lie outside the cache: rows picked from them cost more than the same rows of the candidate's
# planes, if these are few, for a plane is an eighth of the codes.
NEAR, FEW_LEVELS = 1 << 21, 4


class DiscreteFamilies(NamedTuple):
    """Codes and the constants of a score that sums over cells.

    `codes` (p, n_rows), `arity` (p,) int64, `weights` (n_rows,) positive int64 or empty for ones, of which one stands
    for `unit` rows, `n` their sum in rows, `xlogx[c]` = c ln c. `planes` (m, n_rows / 64 rounded up) uint64 has a bit a
    row for level v of variable k in row ``first_plane[k] + v``; -1 there for variables without planes. BDeu: `ess` > 0
    and no `penalty`. BIC: `ess` = 0 and `penalty` a free parameter. Each parent costs `edge_price`.
    """

    codes: np.ndarray
    arity: np.ndarray
    weights: np.ndarray
    unit: float
    n: int
    xlogx: np.ndarray
    planes: np.ndarray
    first_plane: np.ndarray
    ess: float
    penalty: float
    edge_price: float


class Strata(NamedTuple):
    """The rows, configuration by configuration of the parents.

    `order` (n_rows,): the rows of stratum z are ``order[begin[z]:begin[z + 1]]``, ascending; `child` has their codes of
    the child. Both are filled where a stratum may be counted row by row. Strata worth it have, in row ``slot[z]``,
    `masks` (m, r, words), a bit for each row of the stratum and level of the child, and their number in `counts` (m,
    r). `turns` (q,): the strata by their first rows.
    """

    order: np.ndarray
    begin: np.ndarray
    child: np.ndarray
    slot: np.ndarray
    masks: np.ndarray
    counts: np.ndarray
    turns: np.ndarray


class Terms(NamedTuple):
    """What a count adds to the score: `cell`, `stratum` are the Dirichlet parameters of BDeu, 0 for BIC.

    A count of 1 stands for `unit` rows.
    """

    cell: float
    stratum: float
    ln_gamma_cell: float
    ln_gamma_stratum: float
    unit: float


@kernel
def fill_planes(codes, first_plane, planes):
    """Set the bit of every row in the plane of its level; `planes` comes in as zeros."""
    one = np.uint64(1)
    for k in range(codes.shape[0]):
        if first_plane[k] >= 0:
            row = codes[k]
            for t in range(row.shape[0]):
                planes[first_plane[k] + row[t], t >> 6] |= one << np.uint64(t & 63)


@kernel
def label_rows(codes, arity, parents, label):
    """Write 0 .. q - 1 into `label`, a number for each configuration of the parents that occurs; return q."""
    label[:] = 0
    q = 1
    for k in parents:
        r, row = arity[k], codes[k]
        for t in range(label.shape[0]):
            label[t] = label[t] * r + row[t]
        q = relabel_by_table(label, q * r) if q * r <= max(SMALL_TABLE, 4 * label.shape[0]) else number(label)
    return q


@kernel
def relabel_by_table(label, cells):
    """Replace labels below `cells` by 0 .. q - 1 in order of appearance; return q."""
    new = np.full(cells, -1, np.int64)
    q = 0
    for t in range(label.shape[0]):
        if new[label[t]] < 0:
            new[label[t]] = q
            q += 1
        label[t] = new[label[t]]
    return q


@kernel
def stratify(sample, child, parents, candidates):
    """Sort the rows by configuration of the parents, and make masks of the strata that have many."""
    if planes_win(sample, child, parents, candidates):
        return by_planes(sample, child, parents, candidates)
    return by_codes(sample, child, parents)


@kernel
def planes_win(sample, child, parents, candidates):
    """Whether all have planes, and these tell the configurations apart sooner than codes do; see `WORD`."""
    strata, n_rows = 1.0, sample.codes.shape[1]
    if sample.first_plane[child] < 0:
        return False
    for k in parents:
        if sample.first_plane[k] < 0:
            return False
        strata *= sample.arity[k]
    cost = strata * (sample.arity[child] + 2) * (sample.planes.shape[1] * WORD + LOOP)
    if needs_rows(sample, child, n_rows / strata, candidates):
        cost += n_rows * LISTED
    return cost < n_rows * (LABEL + LABEL_DEEPER * parents.shape[0])


@kernel
def has_masks(sample, child, n_rows):
    """Whether a stratum of so many rows is worth masks."""
    return n_rows * ROW > sample.arity[child] * (sample.planes.shape[1] * WORD + LOOP)


@kernel
def masks_win(sample, child, n_rows, r_candidate):
    """Whether the masks of a stratum of so many rows are counted sooner than the rows, for a candidate with planes."""
    return sample.arity[child] * (r_candidate - 1) * (sample.planes.shape[1] * WORD + LOOP) < n_rows * ROW


@kernel
def by_codes(sample, child, parents):
    """`stratify`, row by row."""
    n_rows = sample.codes.shape[1]
    label = np.empty(n_rows, np.int64)
    q = label_rows(sample.codes, sample.arity, parents, label)
    begin = np.zeros(q + 1, np.int64)
    for t in range(n_rows):
        begin[label[t] + 1] += 1
    slot = np.full(q, -1, np.int64)
    n_slots = 0
    for z in range(q):
        if sample.first_plane[child] >= 0 and has_masks(sample, child, begin[z + 1]):
            slot[z] = n_slots
            n_slots += 1
        begin[z + 1] += begin[z]
    order = np.empty(n_rows, np.int64)
    next_place = begin[:q].copy()
    for t in range(n_rows):
        order[next_place[label[t]]] = t
        next_place[label[t]] += 1
    codes = sample.codes[child]
    r = sample.arity[child] if n_slots else 0
    masks = np.zeros((n_slots, r, sample.planes.shape[1]), np.uint64)
    counts = np.zeros((n_slots, r), np.int64)
    if n_slots:
        for t in range(n_rows):
            s = slot[label[t]]
            if s >= 0:
                masks[s, codes[t], t >> 6] |= np.uint64(1) << np.uint64(t & 63)
                counts[s, codes[t]] += 1
    return Strata(order, begin, codes[order], slot, masks, counts, np.arange(q))


@kernel
def by_planes(sample, child, parents, candidates):
    """`stratify`, configuration by configuration, depth first, each mask shared by those below it."""
    n_rows, words, depths, r = sample.codes.shape[1], sample.planes.shape[1], parents.shape[0], sample.arity[child]
    room = 1
    for k in parents:
        room *= sample.arity[k]
    least = r * (words * WORD + LOOP) / ROW  # rows of a stratum with masks, see `has_masks`
    n_slots, wide = min(room, int(n_rows / least)), 0
    for k in candidates:
        wide = words if k >= 0 else wide
    begin, first, slot = np.zeros(room + 1, np.int64), np.empty(room, np.int64), np.full(room, -1, np.int64)
    order, codes = np.empty(n_rows, np.int64), np.empty(n_rows, sample.codes.dtype)
    masks, counts = np.empty((n_slots, r, wide), np.uint64), np.empty((n_slots, r), np.int64)
    above, state = np.empty((depths + 1, words), np.uint64), np.zeros(depths + 1, np.int64)
    above[0] = ~np.uint64(0)
    if n_rows % 64:
        above[0, words - 1] >>= np.uint64(64 - n_rows % 64)
    q, n_slots, depth, total = 0, 0, 0, n_rows
    while depth >= 0:
        if depth < depths:
            k = parents[depth]
            if state[depth] == sample.arity[k]:
                depth -= 1
                continue
            plane = sample.planes[sample.first_plane[k] + state[depth]]
            state[depth] += 1
            total = and_into(above[depth], plane, above[depth + 1])
            if total == 0:
                continue
            depth += 1
            state[depth] = 0
            if depth < depths:
                continue
        mask = above[depth]
        first[q], begin[q + 1] = first_bit(mask), begin[q] + total
        if has_masks(sample, child, total):
            slot[q] = n_slots
            fill_masks(sample, child, mask, masks[n_slots], counts[n_slots])
            n_slots += 1
        if needs_rows(sample, child, total, candidates):
            rows = order[begin[q] : begin[q + 1]]
            fill_rows(mask, rows)
            for t in range(total):
                codes[begin[q] + t] = sample.codes[child, rows[t]]
        q += 1
        depth -= 1
    return Strata(order, begin[: q + 1], codes, slot[:q], masks, counts, np.argsort(first[:q]))


@kernel
def fill_masks(sample, child, mask, masks, counts):
    """Masks (r, words), if they are wanted, and counts (r,) of the child's levels among the rows of a mask."""
    for v in range(counts.shape[0]):
        plane = sample.planes[sample.first_plane[child] + v]
        counts[v] = and_into(mask, plane, masks[v]) if masks.shape[1] else count_and(mask, plane)


@kernel
def needs_rows(sample, child, n_rows, candidates):
    """Whether a stratum of so many rows is counted row by row for one of the candidates."""
    if not has_masks(sample, child, n_rows):
        return True
    for k in candidates:
        if k >= 0 and (sample.first_plane[k] < 0 or not masks_win(sample, child, n_rows, sample.arity[k])):
            return True
    return False


@kernel
def terms_of(ess, r, q, unit):
    """Constants of a family whose child has r levels and whose parents have q configurations."""
    if ess == 0.0:
        return Terms(0.0, 0.0, 0.0, 0.0, unit)
    return Terms(ess / (q * r), ess / q, math.lgamma(ess / (q * r)), math.lgamma(ess / q), unit)


@kernel
def cell_term(terms, count, xlogx):
    """Count · ln(count) for BIC, ln Γ(a + count) - ln Γ(a) for BDeu; 0 for an empty cell."""
    if count == 0:
        return 0.0
    if terms.cell > 0.0:
        return math.lgamma(terms.cell + terms.unit * count) - terms.ln_gamma_cell
    return terms.unit * (xlogx[count] if count < xlogx.shape[0] else count * math.log(count))


@kernel
def stratum_term(terms, count, xlogx):
    """The same of a configuration of the parents; it is subtracted."""
    if count == 0:
        return 0.0
    if terms.stratum > 0.0:
        return math.lgamma(terms.stratum + terms.unit * count) - terms.ln_gamma_stratum
    return terms.unit * (xlogx[count] if count < xlogx.shape[0] else count * math.log(count))


@kernel
def sum_by_planes(masks, counts, planes, terms, xlogx, left, cells):
    """Terms of one stratum split by a candidate's levels, all with planes but the last, which is what they leave."""
    copy(counts, left)
    count_grid(masks, planes, cells)
    total = 0.0
    for v in range(planes.shape[0] + 1):
        margin = 0
        for s in range(counts.shape[0]):
            count = left[s]
            if v < planes.shape[0]:
                count = cells[s, v]
                left[s] -= count
            margin += count
            total += cell_term(terms, count, xlogx)
        total -= stratum_term(terms, margin, xlogx)
    return total


@kernel
def sum_by_rows(rows, child, r_child, codes, planes, weights, terms, xlogx, table, margins, seen, levels):
    """The same row by row, by the planes if there are any, else by the codes.

    `table`, `margins` come and leave as zeros; only cells that occur are visited.
    """
    n_seen = 0
    for position in range(rows.shape[0]):
        t = rows[position]
        level = level_at(planes, t) if planes.shape[0] else np.int64(codes[t])
        cell = level * r_child + child[position]
        if table[cell] == 0:
            seen[n_seen], levels[n_seen] = cell, level
            n_seen += 1
        table[cell] += weights[t] if weights.shape[0] else 1
    total = 0.0
    for c in range(n_seen):
        count = table[seen[c]]
        total += cell_term(terms, count, xlogx)
        margins[levels[c]] += count
        table[seen[c]] = 0
    for c in range(n_seen):
        total -= stratum_term(terms, margins[levels[c]], xlogx)
        margins[levels[c]] = 0
    return total


@kernel
def level_at(planes, t):
    """Level of a row, from the planes of all levels but the last."""
    last, word, bit = planes.shape[0], t >> 6, np.uint64(t & 63)
    level = last
    for v in range(last):
        level -= (last - v) * np.int64(planes[v, word] >> bit & np.uint64(1))
    return level


@kernel
def fit_discrete(sample, child, parents, candidates, out):
    """Log-likelihood at the best parameters, or BDeu, of the families; BDeu takes the declared levels."""
    sum_strata(sample, child, parents, candidates, stratify(sample, child, parents, candidates), out)


@kernel
def sum_strata(sample, child, parents, candidates, strata, out):
    """`fit_discrete`, stratum by stratum."""
    r = sample.arity[child]
    widest = 1
    for k in candidates:
        if k >= 0:
            widest = max(widest, sample.arity[k])
    table = np.zeros(widest * r, np.int64)
    margins = np.zeros(widest, np.int64)
    seen, levels = np.empty(strata.order.shape[0], np.int64), np.empty(strata.order.shape[0], np.int64)
    left, cells = np.empty(strata.counts.shape[1], np.int64), np.empty((strata.counts.shape[1], widest), np.int64)
    nothing = np.zeros(sample.codes.shape[1] if -1 in candidates else 0, sample.codes.dtype)
    is_far = sample.codes.size > NEAR
    q_parents = 1.0
    for k in parents:
        q_parents *= sample.arity[k]
    for c in range(candidates.shape[0]):
        k = candidates[c]
        r_candidate = sample.arity[k] if k >= 0 else 1
        first = sample.first_plane[k] if k >= 0 else 0
        planes = sample.planes[max(first, 0) : first + r_candidate - 1 if first >= 0 else 0]
        levels_from = planes if is_far and r_candidate <= FEW_LEVELS else planes[:0]
        codes = sample.codes[k] if k >= 0 else nothing
        terms = terms_of(sample.ess, r, q_parents * r_candidate, sample.unit)
        total = 0.0
        for z in strata.turns:
            begin, end, s = strata.begin[z], strata.begin[z + 1], strata.slot[z]
            if s >= 0 and first >= 0 and masks_win(sample, child, end - begin, r_candidate):
                total += sum_by_planes(strata.masks[s], strata.counts[s], planes, terms, sample.xlogx, left, cells)
            else:
                total += sum_by_rows(
                    strata.order[begin:end],
                    strata.child[begin:end],
                    r,
                    codes,
                    levels_from,
                    sample.weights,
                    terms,
                    sample.xlogx,
                    table,
                    margins,
                    seen,
                    levels,
                )
        out[c] = total


@kernel
def price_discrete(sample, child, parents, candidates, out):
    """BIC's penalty and the price of each parent off each fit; unobserved configurations of the parents count as the
    declared levels say."""
    q_parents = 1.0
    for k in parents:
        q_parents *= sample.arity[k]
    for c in range(candidates.shape[0]):
        r_candidate = sample.arity[candidates[c]] if candidates[c] >= 0 else 1
        out[c] -= sample.penalty * (sample.arity[child] - 1) * q_parents * r_candidate
        out[c] -= sample.edge_price * (parents.shape[0] + (candidates[c] >= 0))
