"""Tests that long Parquet files, which are read in batches, give the same data sets as files that are read whole."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from learners.common.errors import DataError
from learners.data.column_types.number_cells import NumberCells
from learners.data.reading import long_columns, long_parquet
from learners.data.reading.table import read_table
from tests.learners.data.reading.test_long_csv import assert_same


@pytest.fixture
def long(monkeypatch, tmp_path):
    """Return a function that reads a table from a Parquet file, whole and as a long file."""

    def read(table: pa.Table, batch: int = 64, **options):
        path = tmp_path / "long.parquet"
        parquet.write_table(table, path, row_group_size=100)
        monkeypatch.setattr(long_parquet, "MAX_BYTES", 0)
        monkeypatch.setattr(long_parquet, "BATCH_ROWS", batch)
        monkeypatch.setattr(long_columns, "MIN_NUMBERS", 20)
        found = read_table(path, **options)
        assert found.is_long
        return read_table(path.read_bytes(), **options), found

    return read


def columns(n: int = 500) -> dict[str, pa.Array]:
    """Return one column of each common type."""
    random = np.random.default_rng(4)
    numbers = random.normal(size=n)
    return {
        "double": pa.array(numbers, mask=random.random(n) < 0.1),
        "nan": pa.array(np.where(random.random(n) < 0.1, np.nan, numbers)),
        "single": pa.array(numbers.astype(np.float32)),
        "whole": pa.array(random.integers(-(10**12), 10**12, n)),
        "few": pa.array(random.integers(0, 3, n)),
        "flag": pa.array(random.random(n) < 0.5),
        "text": pa.array(random.choice(["low", "mid", ""], n)),
        "levels": pa.array(random.choice(["a", "b"], n)).dictionary_encode(),
        "day": pa.array(random.integers(0, 9, n).astype("datetime64[D]")),
    }


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("batch", [7, 64, 1_000])
def test_columns_of_all_types_are_those_of_the_whole_file(long, batch):
    """Columns of all types read in batches of any size equal those of the whole file."""
    whole, table = long(pa.table(columns()), batch)
    assert_same(whole, table)
    stored = [name for name, cells in zip(table.names, table.cells, strict=True) if isinstance(cells, NumberCells)]
    assert stored == (["double", "nan", "single", "whole"] if batch >= 64 else [])


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("options", [{"max_rows": 130}, {"sample": 60, "seed": 2}, {"columns": ["whole", "text"]}])
def test_some_rows_and_columns_are_those_of_the_whole_file(long, options):
    """The first rows, a sample, and chosen columns equal those of the whole file."""
    assert_same(*long(pa.table(columns()), **options))


def test_lists_and_damaged_files_are_refused(long, tmp_path):
    """The error message names the column with lists, or the damaged file."""
    with pytest.raises(DataError, match="column 'tags' of the file must hold single cells, found list"):
        long(pa.table({"a": [1, 2], "tags": [["x"], ["y"]]}))
    path = tmp_path / "damaged.parquet"
    parquet.write_table(pa.table(columns()), path)
    raw = bytearray(path.read_bytes())
    raw[4:60] = bytes(56)  # the header of the first page
    path.write_bytes(raw)
    with pytest.raises(DataError, match="the Parquet file 'damaged.parquet' is damaged"):
        read_table(path)
