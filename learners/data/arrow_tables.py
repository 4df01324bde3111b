"""Encode tables with an Arrow interface, batch by batch: each cell is written once, into the arrays of a data set."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..common.errors import DataError
from ..common.mapped_arrays import GrowingArray, empty
from ..common.wording import quoted
from .arrow_arrays import to_numbers, to_numpy
from .columns import FEW_NUMBERS, Kind, checked_kinds, checked_names

if TYPE_CHECKING:
    from pyarrow.dataset import Scanner

GROWTH = 1 << 16  # initial capacity in rows


class ArrowColumns(NamedTuple):
    """The columns of an Arrow table.

    Attributes
    ----------
    names : tuple of str
    kinds : dict of str to Kind
    values : (n, q) float64 array
        The continuous columns, read-only.
    codes : list of (n,) signed integer arrays
        Codes of the categorical columns, -1 where a cell is missing.
    levels : list of list of str
        Levels of the categorical columns.
    ordered : list of str
        Names of the columns whose levels have an order.
    """

    names: tuple[str, ...]
    kinds: dict[str, Kind]
    values: np.ndarray
    codes: list[np.ndarray]
    levels: list[list[str]]
    ordered: list[str]


def arrow_stream(source: object, kinds: Mapping[str, Kind] | None) -> pa.RecordBatchReader | None:
    """Return the batches of a table with an Arrow interface, or None if one of its columns needs pandas.

    Parameters
    ----------
    source : object
        A table or dataset of pyarrow, a table of polars, a relation of DuckDB, or any object with
        ``__arrow_c_stream__``.
    kinds : mapping of column name to kind, or None
        Kinds that the user requested.
    """
    if isinstance(source, pa.RecordBatch):
        source = pa.Table.from_batches([source])
    if (scanner := scanner_of(source)) is not None:
        source, schema = scanner, scanner.projected_schema
    elif isinstance(source, pa.Table):
        schema = source.schema
    elif hasattr(source, "__arrow_c_stream__"):
        try:
            source = source if isinstance(source, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(source)
        except (pa.ArrowException, TypeError):  # a single column also exports Arrow data
            return None
        schema = source.schema
    else:
        return None
    asked = kinds if isinstance(kinds, Mapping) else {}
    if not len(schema) or not all(_is_direct(field, asked.get(field.name)) for field in schema):
        return None
    return source if isinstance(source, pa.RecordBatchReader) else source.to_reader()


def scanner_of(source: object) -> Scanner | None:
    """Return a scanner of a dataset of pyarrow, or the scanner itself; None for any other object."""
    dataset = sys.modules.get("pyarrow.dataset")  # loaded if there is a dataset, and slow to import
    if dataset is None:
        return None
    if isinstance(source, dataset.Dataset):
        return source.scanner()
    return source if isinstance(source, dataset.Scanner) else None


def _is_direct(field: pa.Field, asked: Kind | None) -> bool:
    """Return True if this module can encode an Arrow type as the requested kind."""
    kind = field.type
    if pa.types.is_float32(kind) or pa.types.is_float64(kind):
        return asked != "categorical"
    if pa.types.is_integer(kind):
        return True
    if pa.types.is_dictionary(kind):
        return asked != "continuous" and _is_text(kind.value_type)
    return asked != "continuous" and (_is_text(kind) or pa.types.is_boolean(kind))


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def encode_stream(stream: pa.RecordBatchReader, kinds: Mapping[str, Kind] | None) -> ArrowColumns:
    """Encode the batches of a stream that `arrow_stream` returned, as `Dataset.from_frame` does with a frame.

    Raises
    ------
    DataError
        If names repeat, there is no row, or all cells of a column are missing.
    """
    names = checked_names(stream.schema.names)
    asked = checked_kinds({} if kinds is None else kinds, names)
    floating = [pa.types.is_floating(field.type) for field in stream.schema]
    places = np.cumsum(floating) - 1
    block, n = GrowingArray(GROWTH, [sum(floating)], np.float64), 0
    others: dict[int, _Codes | _Integers] = {
        j: _Integers() if pa.types.is_integer(field.type) else _Codes()
        for j, field in enumerate(stream.schema)
        if not floating[j]
    }
    missing = np.zeros(len(names), dtype=np.int64)
    for batch in stream:
        block.reserve(n + batch.num_rows)
        for j, column in enumerate(batch.columns):
            if floating[j]:
                own = to_numbers(column.cast(pa.float64()))
                block.rows[n : n + batch.num_rows, places[j]] = own
                missing[j] += np.isnan(own).sum()
            else:
                others[j].add(column)
                missing[j] += column.null_count
        n += batch.num_rows
    if not n:
        raise DataError("found no rows. The table needs at least one")
    if (missing == n).any():
        bad = [name for name, none in zip(names, missing, strict=True) if none == n]
        raise DataError(f"a column must hold a value, all cells of {quoted(bad)} are missing. Leave them out")
    is_number = _numeric(names, floating, others, missing)
    kind_of: dict[str, Kind] = {
        name: asked.get(name, "continuous" if is_number[j] else "categorical") for j, name in enumerate(names)
    }
    numbers = block.finished(n)
    if extra := [j for j in others if kind_of[names[j]] == "continuous"]:
        numbers = _joined(numbers, floating, extra, others)
    codes, levels, ordered = [], [], []
    for j, own in others.items():
        if kind_of[names[j]] == "continuous":
            continue
        codes.append(own.codes())
        levels.append(own.levels())
        if pa.types.is_dictionary(kind := stream.schema.field(j).type) and kind.ordered:
            ordered.append(names[j])
    return ArrowColumns(names, kind_of, numbers, codes, levels, ordered)


def _numeric(
    names: Sequence[str], floating: Sequence[bool], others: Mapping[int, _Codes | _Integers], missing: np.ndarray
) -> list[bool]:
    """Return a mask of the columns that are continuous by default: see `frames.default_kinds`.

    Integers with missing cells count as floating-point numbers, as in pandas.
    """
    whole = [isinstance(others.get(j), _Integers) and not missing[j] for j in range(len(names))]
    floats = [floating[j] or (isinstance(others.get(j), _Integers) and bool(missing[j])) for j in range(len(names))]
    return [
        floats[j] or (whole[j] and (any(floats) or (not all(whole) and others[j].has_many))) for j in range(len(names))
    ]


def _joined(
    numbers: np.ndarray, floating: Sequence[bool], extra: Sequence[int], others: Mapping[int, _Codes | _Integers]
) -> np.ndarray:
    """Return the floating-point columns and some integer ones, in the order of the table, read-only."""
    order = sorted([*(j for j, is_float in enumerate(floating) if is_float), *extra])
    block = empty((len(numbers), len(order)), np.float64)
    at = 0
    for k, j in enumerate(order):
        if j in extra:
            block[:, k] = others[j].numbers()
        else:
            block[:, k] = numbers[:, at]
            at += 1
    block.flags.writeable = False
    return block


class _Integers:
    """A column of integers, which may become numbers or levels."""

    def __init__(self) -> None:
        self._chunks: list[pa.Array] = []

    def add(self, column: pa.Array) -> None:
        self._chunks.append(column)

    @property
    def has_many(self) -> bool:
        """True if more different numbers occur than levels by default."""
        return len(self._chunked.unique().drop_null()) > FEW_NUMBERS

    @property
    def _chunked(self) -> pa.ChunkedArray:
        return pa.chunked_array(self._chunks)

    def numbers(self) -> np.ndarray:
        return np.concatenate([to_numbers(chunk.cast(pa.float64(), safe=False)) for chunk in self._chunks])

    def _distinct(self) -> pa.Array:
        distinct = self._chunked.unique().drop_null()
        return distinct.take(pc.sort_indices(distinct))

    def codes(self) -> np.ndarray:
        distinct = self._distinct()
        return np.concatenate([_filled(pc.index_in(chunk, distinct), len(distinct)) for chunk in self._chunks])

    def levels(self) -> list[str]:
        return [str(level) for level in self._distinct().to_pylist()]


class _Codes:
    """A column of texts, of a dictionary of texts, or of truth values."""

    def __init__(self) -> None:
        self._places: dict[object, int] = {}
        self._codes: list[np.ndarray] = []
        self._is_declared = False  # True if a dictionary declares the levels; its order is then kept

    def add(self, column: pa.Array) -> None:
        self._is_declared = pa.types.is_dictionary(column.type)
        own = column if self._is_declared else column.dictionary_encode()
        places = self._places
        given = [places.setdefault(text, len(places)) for text in own.dictionary.to_pylist()]
        table = np.array([*given, -1], dtype=_signed(len(places)))
        self._codes.append(table[_filled(own.indices, len(given))])

    def _order(self) -> list[object]:
        return list(self._places) if self._is_declared else sorted(self._places)

    def codes(self) -> np.ndarray:
        codes = np.concatenate(self._codes)
        if self._is_declared:
            return codes
        order = {text: k for k, text in enumerate(self._order())}
        return np.array([*(order[text] for text in self._places), -1], dtype=codes.dtype)[codes]

    def levels(self) -> list[str]:
        return [str(level) for level in self._order()]


def _filled(codes: pa.Array, n_levels: int) -> np.ndarray:
    """Return integer codes as an array, -1 where one is missing."""
    filled = codes.cast(pa.int32()).fill_null(-1) if codes.null_count else codes
    return to_numpy(filled).astype(_signed(n_levels), copy=False)


def _signed(n_levels: int) -> type:
    """Return the smallest signed type that holds the codes of all levels and -1."""
    return np.int8 if n_levels <= 128 else np.int16 if n_levels <= 32_768 else np.int32
