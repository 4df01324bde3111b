"""Rows of a table sorted by the configuration of some parents, for scores that sum over configurations.

Configurations are found by ANDs of the parents' planes if there are few, otherwise row by row; both methods return the
same configurations in the same order. `sample` is a `DiscreteFamilies`.
"""

from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..counting.contingency import number_keys
from ..counting.popcount import and_into, count_and, fill_rows, first_bit

SMALL_TABLE = 65_536  # labels come from a table of up to this many cells, or 4 per row; otherwise from hashing
MAX_MASK_BYTES = 1 << 25  # masks of all strata above this size are made for a few strata at a time


# Measured in nanoseconds (n = 5 000 and 25 000): one AND + popcount of 64 rows, the loop around them, and one row
# counted by its code. Only their ratios matter.
WORD, LOOP, ROW = 0.13, 4.0, 1.5


# Overhead of each row whose configuration comes from codes, of each of its parents, and of a row listed by a mask.
LABEL, LABEL_DEEPER, LISTED = 5.5, 0.5, 4.0


class Strata(NamedTuple):
    """Rows sorted by the configuration of the parents.

    Attributes
    ----------
    order : (n_rows,) int32 array
        The rows of stratum z are ``order[begin[z]:begin[z + 1]]``, ascending.
    begin : (q + 1,) int64 array
    child : (n_rows,) integer array
        Codes of the child in that order; filled, as `order`, where a stratum may be counted row by row.
    slot : (q,) int64 array
        Row of `masks` of a stratum; -1 if it has none.
    masks : (m, r, words) uint64 array
        A bit for each row of the stratum and level of the child; without words if no candidate needs masks, or they
        would be too large.
    counts : (m, r) int64 array
        Numbers of these rows.
    turns : (q,) int64 array
        The strata in the order of their first rows.
    first : (q,) int64 array
        Their first rows, if the parents' planes gave the strata; otherwise no entries, and `order` is filled.
    """

    order: np.ndarray
    begin: np.ndarray
    child: np.ndarray
    slot: np.ndarray
    masks: np.ndarray
    counts: np.ndarray
    turns: np.ndarray
    first: np.ndarray


@kernel
def label_rows(codes, arity, parents, label):
    """Write 0 .. q - 1 to `label`, a number for each configuration of the parents that occurs; return q.

    Parameters
    ----------
    codes : (p, n) integer array
    arity : (p,) int64 array
    parents : int64 array
    label : (n,) int32 or int64 array
    """
    label[:] = 0
    q = 1
    for k in parents:
        if q * arity[k] <= max(SMALL_TABLE, 4 * label.shape[0]):
            q = relabel_by_table(label, codes[k], arity[k], q * arity[k])
        else:
            q = relabel_by_hashing(label, codes[k], arity[k])
    return q


@kernel
def relabel_by_table(label, codes, r, cells):
    """Replace labels by 0 .. q - 1, a number for each pair of a label and a code, in order of appearance; return q.

    Parameters
    ----------
    label : (n,) int32 or int64 array
    codes : (n,) integer array
        Codes of a variable of r levels.
    r : int
    cells : int
        Number of labels times r.
    """
    new = np.full(cells, -1, np.int32)
    q = 0
    for t in range(label.shape[0]):
        cell = np.int64(label[t]) * r + codes[t]
        if new[cell] < 0:
            new[cell] = q
            q += 1
        label[t] = new[cell]
    return q


@kernel
def relabel_by_hashing(label, codes, r):
    """Do the same as `relabel_by_table` for any number of cells.

    Parameters
    ----------
    label, codes, r
        As in `relabel_by_table`.
    """
    keys = np.empty(label.shape[0], np.int64)
    for t in range(label.shape[0]):
        keys[t] = np.int64(label[t]) * r + codes[t]
    q = number_keys(keys)
    copy(keys, label)
    return q


@kernel
def stratify(sample, child, parents, candidates):
    """Sort the rows by configuration of the parents, and make masks for the strata with many rows.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    parents, candidates : int64 arrays
    """
    if planes_are_cheaper(sample, child, parents, candidates):
        return stratify_by_planes(sample, child, parents, candidates, MAX_MASK_BYTES)
    return stratify_by_codes(sample, child, parents, candidates, MAX_MASK_BYTES)


@kernel
def planes_are_cheaper(sample, child, parents, candidates):
    """Return True if all parents have planes and finding configurations by them is cheaper; see `WORD`.

    Parameters
    ----------
    sample, child, parents, candidates
        As in `stratify`.
    """
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
    """Return True if masks are worthwhile for a stratum of `n_rows` rows."""
    return n_rows * ROW > sample.arity[child] * (sample.planes.shape[1] * WORD + LOOP)


@kernel
def masks_are_cheaper(sample, child, n_rows, r_candidate):
    """Return True if counting the masks of a stratum is cheaper than counting its rows, for a candidate with planes.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    n_rows : int
        Rows of the stratum.
    r_candidate : int
    """
    return sample.arity[child] * (r_candidate - 1) * (sample.planes.shape[1] * WORD + LOOP) < n_rows * ROW


@kernel
def need_masks(candidates):
    """Return True if there is a candidate; a family without a further parent needs the child's counts only.

    Parameters
    ----------
    candidates : int64 array
        -1 for no further parent.
    """
    return candidates.shape[0] > 0 and candidates.max() >= 0


@kernel
def mask_words(sample, child, candidates, n_masks, max_bytes):
    """Return the number of words of a mask: 0 if no candidate needs masks, or all masks take more than `max_bytes`.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    candidates : int64 array
    n_masks : int
        Number of strata with masks.
    max_bytes : int
    """
    words = sample.planes.shape[1]
    return words if need_masks(candidates) and 8 * n_masks * sample.arity[child] * words <= max_bytes else 0


@kernel
def stratify_by_codes(sample, child, parents, candidates, max_bytes):
    """Run `stratify` row by row.

    Parameters
    ----------
    sample, child, parents, candidates
        As in `stratify`.
    max_bytes : int
        Maximum size of all masks.
    """
    n_rows = sample.codes.shape[1]
    label = np.empty(n_rows, np.int32)
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
    order = np.empty(n_rows, np.int32)
    next_place = begin[:q].copy()
    for t in range(n_rows):
        order[next_place[label[t]]] = t
        next_place[label[t]] += 1
    codes = sample.codes[child]
    r = sample.arity[child] if n_slots else 0
    wide = mask_words(sample, child, candidates, n_slots, max_bytes)
    masks = np.zeros((n_slots, r, wide), np.uint64)
    counts = np.zeros((n_slots, r), np.int64)
    if n_slots:
        for t in range(n_rows):
            s = slot[label[t]]
            if s >= 0:
                counts[s, codes[t]] += 1
                if wide:
                    masks[s, codes[t], t >> 6] |= np.uint64(1) << np.uint64(t & 63)
    return Strata(order, begin, codes[order], slot, masks, counts, np.arange(q), begin[:0])


@kernel
def stratify_by_planes(sample, child, parents, candidates, max_bytes):
    """Run `stratify` configuration by configuration, depth first; configurations share the masks of their parts.

    Parameters
    ----------
    sample, child, parents, candidates
        As in `stratify`.
    max_bytes : int
        Maximum size of all masks.
    """
    n_rows, words, depths, r = sample.codes.shape[1], sample.planes.shape[1], parents.shape[0], sample.arity[child]
    room = 1
    for k in parents:
        room *= sample.arity[k]
    least = r * (words * WORD + LOOP) / ROW  # minimum rows of a stratum with masks, see `has_masks`
    n_slots = min(room, int(n_rows / least))
    wide = mask_words(sample, child, candidates, n_slots, max_bytes)
    begin, first, slot = np.zeros(room + 1, np.int64), np.empty(room, np.int64), np.full(room, -1, np.int64)
    order, codes = np.empty(n_rows, np.int32), np.empty(n_rows, sample.codes.dtype)
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
    return Strata(order, begin[: q + 1], codes, slot[:q], masks, counts, np.argsort(first[:q]), first[:q])


@kernel
def place_masks(sample, child, parents, strata, start, place, masks):
    """Make the masks of as many strata as there is room for.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    parents : int64 array
    strata : Strata
    start : int
        Position of the first stratum in the turns of the strata.
    place : (q,) int64 array
        Filled with the row of `masks` of each such stratum that has masks.
    masks : (m, r, words) uint64 array
        Filled.

    Returns
    -------
    int
        Position of the first stratum without room, or the number of strata.
    """
    used = 0
    for turn in range(start, strata.turns.shape[0]):
        z = strata.turns[turn]
        if strata.slot[z] >= 0:
            if used == masks.shape[0]:
                return turn
            place[z] = used
            if strata.first.shape[0]:
                masks_from_planes(sample, child, parents, strata.first[z], masks[used])
            else:
                masks_from_rows(strata, z, masks[used])
            used += 1
    return strata.turns.shape[0]


@kernel
def masks_from_planes(sample, child, parents, row, masks):
    """Fill the masks of the stratum of a row from the planes of the parents and the child.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    parents : int64 array
    row : int
    masks : (r, words) uint64 array
        Filled.
    """
    for v in range(masks.shape[0]):
        copy(sample.planes[sample.first_plane[child] + v], masks[v])
        for k in parents:
            and_into(masks[v], sample.planes[sample.first_plane[k] + sample.codes[k, row]], masks[v])


@kernel
def masks_from_rows(strata, z, masks):
    """Fill the masks of stratum z from its rows.

    Parameters
    ----------
    strata : Strata
    z : int
    masks : (r, words) uint64 array
        Filled.
    """
    masks[:] = 0
    for at in range(strata.begin[z], strata.begin[z + 1]):
        t = strata.order[at]
        masks[strata.child[at], t >> 6] |= np.uint64(1) << np.uint64(t & 63)


@kernel
def fill_masks(sample, child, mask, masks, counts):
    """Fill the masks and the counts of the child's levels among the rows of a mask.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    mask : (words,) uint64 array
    masks : (r, words) uint64 array
        If it has no words, only the counts are filled.
    counts : (r,) int64 array
    """
    for v in range(counts.shape[0]):
        plane = sample.planes[sample.first_plane[child] + v]
        counts[v] = and_into(mask, plane, masks[v]) if masks.shape[1] else count_and(mask, plane)


@kernel
def needs_rows(sample, child, n_rows, candidates):
    """Return True if a stratum is counted row by row for one of the candidates.

    Parameters
    ----------
    sample : DiscreteFamilies
    child : int
    n_rows : int
        Rows of the stratum.
    candidates : int64 array
    """
    if not has_masks(sample, child, n_rows):
        return True
    for k in candidates:
        if k >= 0 and (sample.first_plane[k] < 0 or not masks_are_cheaper(sample, child, n_rows, sample.arity[k])):
            return True
    return False
