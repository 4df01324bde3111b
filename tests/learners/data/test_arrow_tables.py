"""Tests that tables with an Arrow interface give the same data sets as their pandas frames."""

from __future__ import annotations

import numpy as np
import polars
import pyarrow as pa
import pytest
from pyarrow.dataset import dataset, field

from learners.common.errors import DataError
from learners.data import arrow_tables
from learners.data.dataset import Dataset

DAYS = pa.array(np.arange(300).astype("datetime64[D]"))


class Relation:
    """A stand-in for a DuckDB relation, which offers only the Arrow stream interface."""

    def __init__(self, table: pa.Table, rows: int) -> None:
        self.table, self.rows = table, rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the table in batches."""
        reader = pa.RecordBatchReader.from_batches(self.table.schema, self.table.to_batches(self.rows))
        return reader.__arrow_c_stream__(requested_schema)


def columns(n: int = 300) -> dict[str, pa.Array]:
    """Return one column of each type that is encoded without pandas."""
    random = np.random.default_rng(8)
    holes = random.random(n) < 0.1
    words = random.choice(["low", "Ümit", "mid", "zz"], n)
    return {
        "double": pa.array(random.normal(size=n)),
        "hole": pa.array(random.normal(size=n), mask=holes),
        "single": pa.array(random.normal(size=n).astype(np.float32)),
        "few": pa.array(random.integers(-2, 3, n)),
        "many": pa.array(random.integers(0, 40, n).astype(np.uint8)),
        "few with holes": pa.array(random.integers(0, 3, n), mask=holes),
        "flag": pa.array(random.random(n) < 0.5),
        "flag with holes": pa.array(random.random(n) < 0.5, mask=holes),
        "text": pa.array(words, mask=holes),
        "large text": pa.array(words).cast(pa.large_string()),
        "levels": pa.DictionaryArray.from_arrays(random.integers(0, 3, n).astype(np.int8), ["c", "a", "b", "unseen"]),
        "ordered": pa.DictionaryArray.from_arrays(
            pa.array(random.integers(0, 3, n), mask=holes), ["low", "mid", "top"], ordered=True
        ),
    }


CHOICES = (
    tuple(columns()),
    ("few", "many"),
    ("few", "many", "text"),
    ("many", "double"),
    ("few with holes", "few"),
    ("text", "flag", "levels", "ordered"),
    ("flag with holes", "large text"),
    ("single",),
)


@pytest.mark.parametrize("chosen", CHOICES, ids=lambda chosen: " ".join(chosen)[:30])
@pytest.mark.parametrize("rows", [7, 1_000])
def test_tables_are_those_of_their_frames(monkeypatch, chosen, rows):
    """Tables of pyarrow, polars and any object with a stream are encoded without pandas, in batches of any size."""
    table = pa.table({name: columns()[name] for name in chosen})
    expected = Dataset.from_frame(table.to_pandas())
    monkeypatch.setattr(arrow_tables, "GROWTH", 4)
    for given in (table, Relation(table, rows), Relation(table, rows).table.to_reader(rows)):
        found = Dataset.from_frame(given)
        assert found.kinds == expected.kinds
        assert found.fingerprint == expected.fingerprint
    frame = polars.from_arrow(table.drop_columns([name for name in ("levels", "ordered") if name in chosen]))
    if frame.width:
        assert Dataset.from_frame(frame).fingerprint == Dataset.from_frame(frame.to_pandas()).fingerprint


@pytest.mark.parametrize(
    "kinds", [{"few": "continuous"}, {"many": "categorical"}, {"many": "continuous", "few": "categorical"}]
)
def test_kinds_that_are_asked_for_are_those_of_frames(kinds):
    """Columns get the declared types, as they do in a pandas frame."""
    table = pa.table({name: columns()[name] for name in ("few", "double", "many", "text")})
    assert Dataset.from_frame(table, kinds).fingerprint == Dataset.from_frame(table.to_pandas(), kinds).fingerprint


@pytest.mark.parametrize("day", [False, True])
def test_datasets_of_arrow_are_those_of_their_tables(day):
    """A dataset or a part of one is read in batches, and by pandas if a column such as a date needs it."""
    chosen = ("few", "double", "text")
    table = pa.table({**{name: columns()[name] for name in chosen}, **({"day": DAYS} if day else {})})
    files = dataset([table.slice(0, 7), table.slice(7)])
    assert Dataset.from_frame(files).fingerprint == Dataset.from_frame(table).fingerprint
    part, some = files.scanner(columns=list(chosen[:2]), filter=field("double") > 0), table.select(chosen[:2])
    assert Dataset.from_frame(part).fingerprint == Dataset.from_frame(some.filter(field("double") > 0)).fingerprint


def test_batches_with_different_dictionaries_are_combined():
    """The dictionaries of all batches are merged, and the levels keep the order in which they first appear."""
    parts = [
        pa.DictionaryArray.from_arrays([0, 1, None], ["b", "a"]),
        pa.DictionaryArray.from_arrays([1, 0, 0], ["c", "a"]),
    ]
    data = Dataset.from_frame(pa.table({"x": pa.chunked_array(parts)}))
    assert data.levels == (("b", "a", "c"),)
    assert data.codes.tolist() == [[0, 1, 3, 1, 2, 2]]


def test_other_types_go_through_pandas():
    """Dates, decimals, and numbers declared as levels are converted by pandas."""
    days = pa.table({"day": pa.array(np.arange(5).astype("datetime64[D]")), "x": [1.0, 2.0, 3.0, 4.0, 5.0]})
    assert arrow_tables.arrow_stream(days, None) is None
    assert Dataset.from_frame(days).fingerprint == Dataset.from_frame(days.to_pandas()).fingerprint
    numbers = pa.table({"x": [1.5, 2.5, 1.5]})
    assert Dataset.from_frame(numbers, {"x": "categorical"}).levels == (("1.5", "2.5"),)
    assert Dataset.from_frame(numbers.to_reader(), {"x": "categorical"}).levels == (("1.5", "2.5"),)


def test_intervals_of_days_are_durations():
    """DuckDB gives differences of times as intervals; those with months have no fixed length."""
    spans = pa.array([(0, 2, 0), None, (0, 0, 43_200 * 10**9)], pa.month_day_nano_interval())
    data = Dataset.from_frame(Relation(pa.table({"span": spans, "x": [1.0, 2.0, 4.0]}), 2))
    assert data.kind == "continuous"
    np.testing.assert_array_equal(data.values[:, 0], [2, np.nan, 0.5])
    months = pa.array([(1, 0, 0), (0, 3, 0)], pa.month_day_nano_interval())
    with pytest.raises(DataError, match="'span' must hold spans of one unit, found months"):
        Dataset.from_frame(pa.table({"span": months}))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"x": pa.array([], pa.float64())}), "found no rows"),
        (pa.table({"x": [1.0], "y": pa.array([None], pa.string())}), "all cells of 'y' are missing"),
        (pa.table({"x": [1.0, np.inf]}), "found 1 infinite in column 'x'"),
        (
            pa.Table.from_arrays([pa.array([1.0]), pa.array([2.0])], names=["x", "x"]),
            "more than one column is called 'x'",
        ),
    ],
    ids=["rows", "missing", "infinite", "names"],
)
def test_what_frames_refuse_is_refused(table, message):
    """Invalid Arrow tables are refused with the messages for pandas frames."""
    for given in (table, Relation(table, 1)):
        with pytest.raises(DataError, match=message):
            Dataset.from_frame(given)


def test_numbers_are_written_once(monkeypatch):
    """The data set uses the array that the batches were written to, without a copy or a pandas frame."""
    monkeypatch.setattr("learners.data.frames.as_frame", None)
    made = []
    block = arrow_tables.GrowingArray
    monkeypatch.setattr(arrow_tables, "GrowingArray", lambda *size: made.append(block(*size)) or made[0])
    table = pa.table({"x": np.arange(100.0), "y": np.arange(100.0) ** 2})
    assert Dataset.from_frame(Relation(table, 9)).values is made[0].rows
