"""Tests of large arrays in temporary files: they equal those in memory, and need room on the disk or in memory."""

from __future__ import annotations

import mmap
import os
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from learners import Dataset, learn, read_table
from learners.common import mapped_arrays
from learners.common.errors import DataError
from learners.common.mapped_arrays import GrowingArray, copied, counted, empty, looked_up, taken
from learners.common.shared_memory import load_shared, share
from learners.data.plan.plan import Policy, default_plan
from learners.data.plan.preparation import prepare
from learners.data.reading import long_columns, streams

ROWS = 400


@pytest.fixture(name="tiny")
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    map_small(monkeypatch)


def map_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Map arrays of more than 100 bytes."""
    monkeypatch.setattr(mapped_arrays, "MIN_MAPPED_BYTES", 100)
    monkeypatch.setattr(mapped_arrays, "MAPPED_SHARE", 1e-12)


def lies_in_file(array: np.ndarray) -> bool:
    """Return True if the cells of an array lie in a mapped file."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return isinstance(array.base, mmap.mmap)


def full(monkeypatch, disk: int = 0, free: float = 1e6) -> None:
    """Let the disk have so many free bytes beyond the reserve, and the memory so many free MB."""
    usage = SimpleNamespace(free=mapped_arrays.DISK_RESERVE_BYTES + disk)
    monkeypatch.setattr(mapped_arrays.shutil, "disk_usage", lambda _: usage)
    monkeypatch.setattr(mapped_arrays, "free_mb", lambda: free)


@pytest.mark.usefixtures("tiny")
def test_only_large_arrays_lie_in_files():
    """An array above the limit lies in a file, and a smaller one in memory."""
    assert not lies_in_file(empty((12,), np.float64))
    assert lies_in_file(empty((13,), np.float64))
    assert lies_in_file(GrowingArray(12, (), np.float64, parts=2).rows)


@pytest.mark.usefixtures("tiny")
def test_an_array_grows_into_a_file_and_in_it():
    """Rows stay as they were written while the array grows, from memory into a file and on; the end is cut off."""
    grown = GrowingArray(2, (3,), np.float64)
    expected = np.random.default_rng(1).normal(size=(2_000, 3))
    for begin, end in ((0, 2), (2, 4), (4, 9), (9, 700), (700, 2_000)):
        grown.reserve(end)
        grown.rows[begin:end] = expected[begin:end]
    found = grown.finished(1_999)
    assert lies_in_file(found)
    assert not found.flags.writeable
    np.testing.assert_array_equal(found, expected[:1_999])


@pytest.mark.usefixtures("tiny")
def test_chosen_cells_are_those_of_numpy():
    """Rows, columns, copies, looked up values and counts equal those of NumPy, in arrays in files."""
    random = np.random.default_rng(2)
    cells, codes = random.normal(size=(90, 5)), random.integers(0, 7, 900).astype(np.uint8)
    for axis, positions in ((0, [3, 3, 80]), (1, [4, 0])):
        found = taken(cells, positions, axis)
        assert lies_in_file(found)
        assert found.flags.c_contiguous
        assert not found.flags.writeable
        np.testing.assert_array_equal(found, cells.take(positions, axis))
    np.testing.assert_array_equal(copied(codes, np.int32), codes)
    table = random.normal(size=7)
    np.testing.assert_array_equal(looked_up(table, codes), table[codes])
    np.testing.assert_array_equal(counted(codes, 9), np.bincount(codes, minlength=9))
    assert taken(cells, [], 1).shape == (90, 0)


@pytest.mark.usefixtures("tiny")
def test_a_full_disk_leaves_arrays_in_memory(monkeypatch):
    """Without room on the disk an array lies in memory, and without a folder, too."""
    full(monkeypatch)
    assert not lies_in_file(empty((1_000,), np.float64))
    monkeypatch.undo()
    map_small(monkeypatch)
    monkeypatch.setattr(mapped_arrays, "folder", lambda: Path("/nowhere"))
    assert not lies_in_file(empty((1_000,), np.float64))


@pytest.mark.usefixtures("tiny")
def test_without_room_anywhere_an_array_is_refused_unwritten(monkeypatch):
    """Neither room on the disk nor in memory ends in a sentence, before the array is allocated or grows."""
    full(monkeypatch, disk=1_000_000, free=1.0)
    with pytest.raises(
        DataError, match="take 0.1 GB, but the folder .* has 0.3 GB free, and the memory 0.0 GB. Set TMPDIR"
    ):
        empty((10_000_000,), np.float64)
    grown = GrowingArray(100, (), np.float64)
    with pytest.raises(DataError, match="or read fewer columns, or a sample"):
        grown.reserve(10_000_000)


def test_an_array_without_a_file_must_fit_into_memory(monkeypatch):
    """An array that is not mapped, because the limit was raised, is refused if the memory has no room."""
    monkeypatch.setattr(mapped_arrays, "MAPPED_SHARE", 1e9)
    monkeypatch.setattr(mapped_arrays, "free_mb", lambda: 100.0)
    with pytest.raises(DataError, match="and the memory 0.1 GB"):
        empty((15_000_000,), np.float64)


@pytest.mark.usefixtures("tiny")
def test_files_have_no_name_and_are_closed_with_their_arrays():
    """A mapped array leaves no file in the folder, and its file is closed when the last view goes."""

    def n_open() -> int:
        return len(os.listdir("/proc/self/fd"))

    names, before = os.listdir(mapped_arrays.folder()), n_open()
    view = empty((1_000,), np.float64)[5:]
    assert lies_in_file(view)
    assert set(os.listdir(mapped_arrays.folder())) <= set(names)
    assert n_open() == before + 1
    del view
    assert n_open() == before


@pytest.mark.usefixtures("tiny")
def test_shared_values_in_a_file_are_those_in_memory():
    """Large arrays that other processes map go through a file on the disk, and arrive unchanged."""
    value = {"cells": np.arange(5_000.0), "name": "x"}
    with share(value) as path:
        assert "memfd" not in os.readlink(path)
        found = load_shared(path)
    np.testing.assert_array_equal(found["cells"], value["cells"])
    assert found["name"] == "x"


def written() -> bytes:
    """Return a table of numbers and levels, some of them missing, whose columns are not in the order of their names."""
    random = np.random.default_rng(45)
    x = random.normal(size=ROWS)
    y, z, w = x + random.normal(size=ROWS), random.normal(size=ROWS), x > 0.3
    level, other = np.digitize(x, [-0.5, 0.5]), random.integers(0, 3, ROWS)
    rows = [
        f"{a:.3f},{['low', 'mid', 'high'][b]},{c:.3f},{d},{'NA' if k % 50 == 7 else f'{e:.3f}'},{'pq'[int(f)]}"
        for k, (a, b, c, d, e, f) in enumerate(zip(y, level, x, other, z, w, strict=True))
    ]
    return "\n".join(["x9,level,x1,b2,x5,a1", *rows]).encode()


KINDS = {"continuous": ["x9", "x1"], "categorical": ["level", "b2", "a1"], "mixed": ["x9", "level", "x5", "a1"]}


def prepared(path: Path, kind: str, policy: Policy) -> Dataset:
    """Return the data set of the columns of one kind."""
    table = read_table(path, columns=KINDS[kind])
    return prepare(table, default_plan(table).with_policy(policy)).dataset


@pytest.fixture(name="path")
def _path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a table that is read in batches."""
    monkeypatch.setattr(streams, "MAX_BYTES", 0)
    monkeypatch.setattr(long_columns, "MIN_NUMBERS", 30)
    (tmp_path / "table.csv").write_bytes(written())
    return tmp_path / "table.csv"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", get_args(Policy))
def test_data_sets_in_files_are_those_in_memory(path, monkeypatch, kind, policy):
    """Tables read in batches into files give the data sets of those in memory, also in other processes."""
    expected = prepared(path, kind, policy)
    map_small(monkeypatch)
    found = prepared(path, kind, policy)
    assert found.kind == kind
    for data in (found, found.in_name_order, found.take([7, 3, 3]), found.select([1, 0])):
        assert all(
            lies_in_file(cells) for cells in (data.values, data.codes) if cells is not None and cells.nbytes > 100
        )
    assert found.fingerprint == expected.fingerprint == pickle.loads(pickle.dumps(found)).fingerprint
    assert found.in_name_order.fingerprint == expected.in_name_order.fingerprint


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
def test_results_are_those_in_memory(path, monkeypatch, kind):
    """Learners find the same graphs and scores in arrays in files, bit for bit."""
    names = {"continuous": ["hc", "pc", "boss"], "categorical": ["hc", "lmm", "ges"], "mixed": ["hc", "pc"]}[kind]
    expected = [learn(name, prepared(path, kind, "drop")) for name in names]
    map_small(monkeypatch)
    for name, result in zip(names, expected, strict=True):
        found = learn(name, prepared(path, kind, "drop"))
        assert found.graph == result.graph, name
        assert found.score == result.score, name
