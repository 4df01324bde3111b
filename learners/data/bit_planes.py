"""Bit planes of a data set, cached for its lifetime."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..common.arrays import frozen, frozen_copy
from ..common.mapped_arrays import zeros
from ..common.parallel import run_chunks
from ..common.progress import silent
from ..kernels.counting.bit_planes import fill_planes
from ..kernels.counting.contingency import count_levels
from ..kernels.counting.popcount import count_grid
from .dataset import Dataset

MAX_STATES = 32  # a variable with more levels gets no planes: using them would cost more than a pass over the rows
MAX_BYTES = 1 << 29
MAX_PAIRED_LEVELS = 256  # from this many levels on, `pair_counts` uses no planes, which have eight binary digits


class BitPlanes(NamedTuple):
    """One bit for each row and state; see `kernels.counting.bit_planes`."""

    planes: np.ndarray
    first: np.ndarray
    counts: np.ndarray


_kept: WeakKeyDictionary[Dataset, BitPlanes] = WeakKeyDictionary()


def bit_planes(dataset: Dataset, threads: int | None = None) -> BitPlanes:
    """Return the bit planes of a categorical data set, empty for weighted rows and above `MAX_BYTES`."""
    if dataset not in _kept:
        _kept[dataset] = _build(dataset, threads)
    return _kept[dataset]


def _build(dataset: Dataset, threads: int | None) -> BitPlanes:
    states = np.where(dataset.arity <= MAX_STATES, dataset.arity, 0)
    words = (dataset.n_rows + 63) // 64
    if dataset.weights is not None or states.sum() * words * 8 > MAX_BYTES:
        states = np.zeros_like(states)
    first = np.concatenate([[0], np.cumsum(states)]).astype(np.int64)
    planes = zeros((int(first[-1]), words), np.uint64)
    counts = np.zeros(len(planes), dtype=np.int64)
    if len(planes):

        def piece(begin: int, end: int, _stop: np.ndarray, done: np.ndarray) -> None:
            fill_planes(dataset.codes, first, begin, end, planes, counts)
            done[0] += end - begin

        run_chunks(piece, dataset.p, phase="", tick=silent, threads=threads, light=True)
        if not dataset.complete:
            _clear_holes(dataset, planes, first, counts)
    for array in (planes, first, counts):
        array.flags.writeable = False
    return BitPlanes(planes, first, counts)


def level_counts(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows in each level of all categorical columns, and the position of each column's first level.

    They are read off the bit planes if all columns have some; otherwise the codes are counted. Positions after the
    levels of a column are 0. Row weights do not count.
    """
    planes = _kept.get(dataset)
    if planes is not None and np.array_equal(np.diff(planes.first), dataset.arity):
        return planes.counts, planes.first[:-1]
    first = np.concatenate([[0], np.cumsum(dataset.arity + 1)])  # missing cells are counted, too
    counts = np.zeros(int(first[-1]), dtype=np.int64)
    count_levels(dataset.codes, first, counts)
    counts[first[1:] - 1] = 0
    return counts, first[:-1]


def resampled_planes(
    codes: np.ndarray, weights: np.ndarray, nodes: np.ndarray, first: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return planes and counts of some nodes with rows repeated by weight; entries of other nodes are unset."""
    own_first = np.concatenate([[0], np.cumsum(first[nodes + 1] - first[nodes])]).astype(np.int64)
    own = np.zeros((int(own_first[-1]), shape[1]), dtype=np.uint64)
    own_counts = np.zeros(len(own), dtype=np.int64)
    rows = np.repeat(codes, weights, axis=1)
    rows.flags.writeable = False  # read-only as the codes of a data set; otherwise the kernel would be compiled again
    fill_planes(rows, own_first, 0, len(nodes), own, own_counts)
    at = np.concatenate([np.arange(first[v], first[v + 1]) for v in nodes]).astype(np.int64)
    planes, counts = np.empty(shape, dtype=np.uint64), np.empty(shape[0], dtype=np.int64)
    planes[at], counts[at] = own, own_counts
    return planes, counts


def pair_counts(codes: np.ndarray, arity: np.ndarray) -> np.ndarray:
    """Return (m, m) int64, the rows with each pair of the m levels of all columns.

    Parameters
    ----------
    codes : (p, n) uint8 or uint16 array
        ``arity[v]`` where the cell of column v is missing; such rows do not count in pairs with v.
    arity : (p,) int64 array
        Number of levels of each column, below `MAX_PAIRED_LEVELS`.
    """
    incomplete = codes.max(axis=1, initial=0) == arity
    first = np.concatenate([[0], np.cumsum(arity + incomplete)])  # missing cells have their own plane
    planes = np.zeros((int(first[-1]), (codes.shape[1] + 63) // 64), dtype=np.uint64)
    codes.flags.writeable = False  # read-only as the codes of a data set; otherwise kernels would be compiled again
    fill_planes(codes, first, 0, len(arity), planes, np.zeros(len(planes), dtype=np.int64))
    planes = np.delete(planes, first[1:][incomplete] - 1, axis=0)
    counts = np.empty((len(planes), len(planes)), dtype=np.int64)
    count_grid(planes, planes, counts)
    return counts


def _clear_holes(dataset: Dataset, planes: np.ndarray, first: np.ndarray, counts: np.ndarray) -> None:
    """Clear the bits of rows in which a variable is missing."""
    there = presence_bits(dataset)
    for h, v in enumerate(np.flatnonzero(dataset.incomplete)):
        own = slice(first[v], first[v + 1])
        planes[own] &= there[h]
        counts[own] = np.bitwise_count(planes[own]).sum(axis=1)


def presence_bits(dataset: Dataset) -> np.ndarray:
    """Return (h, words) uint64, read-only: for each incomplete variable one bit per row, set where it is present."""
    return _packed(dataset, dataset.is_there)


def absence_bits(dataset: Dataset) -> np.ndarray:
    """Return the complement of `presence_bits`: bits are set in the rows in which the variable is missing."""
    return _packed(dataset, lambda j: ~dataset.is_there(j))


def _packed(dataset: Dataset, chosen: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return (h, words) uint64, read-only: a bit for each row that `chosen` marks for an incomplete variable."""
    some = np.flatnonzero(dataset.incomplete).tolist()
    packed = zeros((len(some), -(-dataset.n_rows // 64)), np.dtype("<u8"))
    for own, j in zip(packed.view(np.uint8), some, strict=True):
        own[: -(-dataset.n_rows // 8)] = np.packbits(chosen(j), bitorder="little")
    return frozen(packed.astype(np.uint64, copy=False))


def incomplete_positions(dataset: Dataset) -> np.ndarray:
    """Return (p,) int64, read-only: the index of each variable among the incomplete ones, -1 for complete ones."""
    some = dataset.incomplete
    return frozen_copy(np.where(some, np.cumsum(some) - 1, -1), np.int64)
