"""Tests of reference counts: kernels that create no array are compiled without them."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from numba import config
from numba.core import types

from learners.kernels import jit
from learners.kernels.compiling import kernel

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


class Pair(NamedTuple):
    """A pair of arrays."""

    first: np.ndarray
    second: np.ndarray


def sums_of_parts(pair, k):
    first, second = pair.first[k], pair.second
    total = 0.0
    for value in second[1:]:
        total += first * value
    return total


def of_rows(table, k):
    row = table[k]
    row[0] += 1.0
    return row[0], table.shape[1], table[:, 1:][k, 0]


def made(pair, k):
    found = np.zeros(k)
    return found[0] + pair.first[0]


def added(pair, k):
    return (pair.first + pair.second)[k]


def picked(pair, k):
    return pair.first[pair.second > k][0]


def given_back(pair, k):
    return pair.first[k:]


def put_into(pair, k):
    pair.first[k:] = pair.second[k:]
    return 0.0


def read_elsewhere(pair, k):
    return pair.first.T[k]


@pytest.fixture
def borrowed(monkeypatch) -> Callable[[Callable, object, int], bool]:
    """Return the function ``borrowed(function, argument, k)``.

    It returns True if a called kernel is compiled without reference counts.
    """
    seen = {}
    look = jit.only_borrows
    note = lambda code, *rest: seen.setdefault(code.func_id.func_name, look(code, *rest))  # noqa: E731
    monkeypatch.setattr(jit, "only_borrows", note)

    def compiled(function: Callable, argument: object, k: int) -> bool:
        inner = kernel(function)

        def caller(argument, k):
            return inner(argument, k)

        outer = kernel(caller)
        for one in (inner, outer):
            one._cache.disable()
        expected = function(copy.deepcopy(argument), k)
        np.testing.assert_array_equal(outer(argument, k), expected)
        return seen[function.__name__]

    return compiled


def pair() -> Pair:
    return Pair(np.arange(4.0), np.arange(1.0, 5.0))


@pytest.mark.parametrize("function", [sums_of_parts, of_rows], ids=lambda one: one.__name__)
def test_what_only_reads_and_writes_cells_counts_nothing(borrowed, function):
    """Reading and writing members of tuples, rows, slices, cells and shapes needs no reference counts."""
    assert borrowed(function, pair() if function is sums_of_parts else np.zeros((3, 3)), 1)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize(
    "function", [made, added, picked, given_back, put_into, read_elsewhere], ids=lambda one: one.__name__
)
def test_what_makes_or_returns_an_array_counts(borrowed, function):
    """Calls, sums, masks, returned arrays, possible copies and unknown operations need reference counts."""
    assert not borrowed(function, pair(), 1)


def test_arrays_are_held_and_let_go_of_as_by_any_function():
    """A call neither leaks an array nor frees one that is still referenced."""
    inner = kernel(sums_of_parts)

    def caller(n, k):
        total = 0.0
        for _ in range(n):
            pair = Pair(np.ones(100), np.ones(100))
            total += inner(pair, k)
        return total, pair.first

    outer = kernel(caller)
    for one in (inner, outer):
        one._cache.disable()
    total, kept = outer(1000, 1)
    outer(1000, 1)
    assert (total, kept.sum()) == (99_000.0, 100.0)
    given = pair()
    before = sys.getrefcount(given.first)
    kernel(sums_of_parts)(given, 1)
    after = sys.getrefcount(given.first)
    assert after == before


def test_types_that_hold_arrays_are_known():
    """Types of arrays and of tuples of arrays are reference-counted, types of numbers are not."""
    array = types.Array(types.float64, 1, "C")
    assert [jit.is_counted(one) for one in (array, types.Tuple((types.int64, array)), types.float64)] == [
        True,
        True,
        False,
    ]
