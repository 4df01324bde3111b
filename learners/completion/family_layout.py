"""Layout of the probabilities of all families of a network in one array."""

from __future__ import annotations

import math

import numpy as np

from ..common.arrays import frozen_copy
from ..kernels.completion.gibbs import FamilyTables

MAX_CELLS = 1 << 20  # maximum number of cells of a family


def family_tables(dag: np.ndarray, arity: np.ndarray) -> FamilyTables:
    """Return the offsets of all families of a network in one array.

    Parameters
    ----------
    dag : (p, p) bool array
    arity : (p,) int64 array

    Notes
    -----
    A family with more than `MAX_CELLS` cells leaves out the parents with the most levels until it has fewer.
    """
    p = len(arity)
    of = [_small_enough(np.flatnonzero(dag[:, j]), arity, j) for j in range(p)]
    children = [[] for _ in range(p)]
    for j, parents in enumerate(of):
        for position, k in enumerate(parents):
            children[k].append((j, position))
    steps = [np.concatenate([[1], np.cumprod(arity[parents])]) for parents in of]
    cells = [int(own[-1]) * int(arity[j]) for j, own in enumerate(steps)]
    return FamilyTables(
        _padded(of),
        _padded([own[:-1] for own in steps]),
        frozen_copy([len(parents) for parents in of], np.int64),
        _padded([[j for j, _ in own] for own in children]),
        _padded([[position for _, position in own] for own in children]),
        frozen_copy([len(own) for own in children], np.int64),
        frozen_copy(np.concatenate([[0], np.cumsum(cells)]), np.int64),
    )


def _small_enough(parents: np.ndarray, arity: np.ndarray, j: int) -> np.ndarray:
    while len(parents) and math.prod(arity[parents].tolist()) * int(arity[j]) > MAX_CELLS:
        parents = np.delete(parents, arity[parents].argmax())
    return parents


def _padded(lists: list) -> np.ndarray:
    found = np.zeros((len(lists), max(1, *map(len, lists))), dtype=np.int64)
    for row, own in zip(found, lists, strict=True):
        row[: len(own)] = own
    return frozen_copy(found, np.int64)
