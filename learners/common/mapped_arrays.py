"""Large arrays in temporary files that are mapped into memory, so that private memory does not grow with the rows.

The system writes pages of such a file to the disk when memory is short. The file has no name: the system removes it
when the last array or process that uses it goes, also after a kill. A forked process shares the arrays of its parent.
Without room on the disk, an array is an ordinary one if the free memory suffices.
"""

from __future__ import annotations

import math
import mmap
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from .arrays import frozen
from .errors import DataError
from .memory import MEGABYTE, free_mb, step_limit_bytes

MAPPED_SHARE = 0.25  # share of the memory limit of a step above which an array is mapped
MIN_MAPPED_BYTES = MEGABYTE  # size up to which an array is never mapped, without looking up the limit
MAX_SHARE_OF_FREE = 0.8  # maximum share of the free memory that an ordinary large array may take
DISK_RESERVE_BYTES = 256 * MEGABYTE  # bytes on the disk that are left free
BLOCK_ROWS = 1 << 18  # number of codes that are looked up at a time
LARGE_FOLDER = Path("/var/tmp")  # folder for large files; in many systems the usual one is in memory


def is_mapped(n_bytes: float) -> bool:
    """Return True if an array of this size is mapped."""
    return n_bytes > MIN_MAPPED_BYTES and n_bytes > MAPPED_SHARE * step_limit_bytes()


def empty(shape: Sequence[int], dtype: np.typing.DTypeLike) -> np.ndarray:
    """Return an array of any contents, in a mapped file if it is large.

    Raises
    ------
    DataError
        If neither the disk nor the free memory has room.
    """
    return GrowingArray(shape[0], shape[1:], dtype).rows


def zeros(shape: Sequence[int], dtype: np.typing.DTypeLike) -> np.ndarray:
    """Return an array of zeros, in a mapped file if it is large."""
    found = empty(shape, dtype)
    found[...] = 0
    return found


def copied(array: np.ndarray, dtype: np.typing.DTypeLike | None = None) -> np.ndarray:
    """Return a copy of an array in row order, of another type if given; mapped if large."""
    found = empty(array.shape, dtype or array.dtype)
    found[...] = array
    return found


def taken(array: np.ndarray, positions: Sequence[int], axis: int) -> np.ndarray:
    """Return the rows or columns of an array at some positions of at least 0, read-only; mapped if large."""
    positions = np.asarray(positions, dtype=np.int64)
    shape = [*array.shape[:axis], len(positions), *array.shape[axis + 1 :]]
    found = empty(shape, array.dtype)
    if found.size:
        np.take(array, positions, axis=axis, out=found, mode="clip")  # another mode fills a second array first
    return frozen(found)


def has_own_cells(array: np.ndarray) -> bool:
    """Return True if no other array has the cells of this one."""
    return array.flags.owndata or isinstance(array.base, mmap.mmap)


def looked_up(table: np.ndarray, codes: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Return `table[codes]` of a one-dimensional table; NumPy would first turn all codes into integers of 8 bytes."""
    found = empty(codes.shape, table.dtype) if out is None else out
    for at in range(0, len(codes), BLOCK_ROWS):
        found[at : at + BLOCK_ROWS] = table[codes[at : at + BLOCK_ROWS]]
    return found


def counted(codes: np.ndarray, n: int) -> np.ndarray:
    """Return (n,) int64: the number of times that each code below n occurs, in blocks as `looked_up`."""
    if n > BLOCK_ROWS:  # the counts take more than the codes of a block
        return np.bincount(codes, minlength=n)
    counts = np.zeros(n, dtype=np.int64)
    for at in range(0, len(codes), BLOCK_ROWS):
        counts += np.bincount(codes[at : at + BLOCK_ROWS], minlength=n)
    return counts


def temporary_file(n_bytes: int) -> BinaryIO:
    """Return an open file of some size without a name in the folder for large files; OSError if it has no room."""
    file = tempfile.TemporaryFile(dir=folder())  # noqa: SIM115  (its arrays outlive this call)
    _allocate(file, n_bytes)
    return file


def folder() -> Path:
    """Return the folder of temporary files: that of TMPDIR, or else `LARGE_FOLDER` if it is there."""
    is_chosen = os.environ.get("TMPDIR") or not os.access(LARGE_FOLDER, os.W_OK)
    return Path(tempfile.gettempdir()) if is_chosen else LARGE_FOLDER


class GrowingArray:
    """An array that grows by rows without a copy, in a mapped file once it is large.

    Parameters
    ----------
    rows : int
        Expected number of rows.
    shape : sequence of int
        Shape of a row.
    dtype : data type
    parts : int, default 1
        Number of such arrays, such as one for each column: they are mapped if they are large together.

    Attributes
    ----------
    rows : array
        All rows for which there is room, of any contents where nothing was written.

    Raises
    ------
    DataError
        If neither the disk nor the free memory has room.
    """

    def __init__(self, rows: int, shape: Sequence[int], dtype: np.typing.DTypeLike, parts: int = 1) -> None:
        self._shape, self._dtype = tuple(shape), np.dtype(dtype)
        self._row_bytes = self._dtype.itemsize * math.prod(self._shape)
        self._parts = parts
        self._file: BinaryIO | None = None
        self.rows = self._mapped(rows) if self._is_in_file(rows) else np.empty((rows, *self._shape), self._dtype)

    def reserve(self, rows: int) -> None:
        """Make room for that many rows."""
        if rows <= len(self.rows):
            return
        rows = max(rows, len(self.rows) * 5 // 4)
        if not self._is_in_file(rows):
            self.rows.resize((rows, *self._shape), refcheck=False)  # the system moves pages and copies nothing
            return
        old, self.rows = self.rows, self._mapped(rows)
        if old.flags.owndata:  # it was in memory
            self.rows[: len(old)] = old

    def finished(self, rows: int) -> np.ndarray:
        """Return the first rows, read-only; the array cannot grow any more."""
        if self._file is None:
            self.rows.resize((rows, *self._shape), refcheck=False)
        else:
            self.rows = self._mapped(rows)
        return frozen(self.rows)

    def _mapped(self, rows: int) -> np.ndarray:
        """Return the first rows of the file; they need it no longer to be open."""
        pages = mmap.mmap(self._file.fileno(), max(rows * self._row_bytes, 1))
        return np.ndarray((rows, *self._shape), self._dtype, pages)

    def _is_in_file(self, rows: int) -> bool:
        """Return True if the file has room for that many rows, and False if they belong into memory."""
        n_bytes = rows * self._row_bytes
        if not self._file and n_bytes * self._parts <= MIN_MAPPED_BYTES:
            return False
        if is_mapped(n_bytes * self._parts) and self._extend_file(n_bytes):
            return True
        if self._file or 0 < MAX_SHARE_OF_FREE * free_mb() * MEGABYTE < n_bytes:
            raise _no_room(n_bytes)
        return False

    def _extend_file(self, n_bytes: int) -> bool:
        """Give the file that size; return False if the disk has no room or there is no folder for it."""
        try:
            if self._file:
                _allocate(self._file, n_bytes)
            else:
                self._file = temporary_file(n_bytes)
        except OSError:
            return False
        return True


def _allocate(file: BinaryIO, n_bytes: int) -> None:
    """Give a file its size and its blocks on the disk, since a disk that is full later would end the process."""
    if n_bytes - os.fstat(file.fileno()).st_size > shutil.disk_usage(folder()).free - DISK_RESERVE_BYTES:
        raise OSError("the disk is full")
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, n_bytes)
    else:
        file.truncate(n_bytes)


def _no_room(n_bytes: int) -> DataError:
    """Return the error of an array that has room neither on the disk nor in memory."""
    where = folder()
    disk, free = shutil.disk_usage(where).free / 1024**3, free_mb() / 1024
    return DataError(
        f"the columns take {n_bytes / 1024**3:,.1f} GB, but the folder {where} has {disk:,.1f} GB free, and the memory "
        f"{free:,.1f} GB. Set TMPDIR to a folder on another disk, or read fewer columns, or a sample of the rows"
    )
