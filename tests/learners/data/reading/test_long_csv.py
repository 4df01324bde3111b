"""Tests that long files, which are read in batches, give the same data sets as files that are read whole."""

from __future__ import annotations

import contextlib
import gzip
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from learners.common.errors import DataError, ParameterError
from learners.data.arrow_arrays import text_array, to_arrow
from learners.data.column_types.cells import Cells
from learners.data.column_types.number_cells import NumberCells
from learners.data.column_types.types_and_missing_codes import TableGuess, guess_column
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import build, prepare
from learners.data.quality.inspection import inspected
from learners.data.reading import csv, long_columns, long_csv, streams
from learners.data.reading.table import Table, read_table

FOLDER = Path(__file__).parents[4]
FILES = sorted([*(FOLDER / "sample_data").rglob("*.csv"), *Path(__file__).parents[1].joinpath("cases").glob("*")])


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Table]:
    """Return a function that reads text as a long file, in blocks of a given number of bytes."""

    def read(raw: bytes, block: int = 1 << 12, head: int | None = None, suffix: str = ".csv", **options) -> Table:
        path = tmp_path / f"long{suffix}"
        path.write_bytes(raw)
        monkeypatch.setattr(streams, "MAX_BYTES", 0)
        monkeypatch.setattr(long_csv, "SMALL_BLOCK", block)
        monkeypatch.setattr(long_columns, "MIN_NUMBERS", 30)
        if head is not None:
            monkeypatch.setattr(long_csv, "HEAD_BYTES", head)
        table = read_table(path, **options)
        assert table.is_long
        return table

    return read


def numbers(n: int, seed: int = 1, width: int = 3) -> list[list[str]]:
    """Return rows of numbers and two columns of levels."""
    random = np.random.default_rng(seed)
    cells = random.normal(size=(n, width)).round(6)
    levels = random.choice(["low", "mid", "high"], size=n)
    few = random.integers(0, 4, size=n)
    return [[*map(str, row), level, str(k)] for row, level, k in zip(cells, levels, few, strict=True)]


def written(rows: list[list[str]], separator: str = ",", end: str = "\n") -> bytes:
    """Return rows as text below a header."""
    names = [f"v{j}" for j in range(len(rows[0]))]
    return end.join(separator.join(row) for row in [names, *rows]).encode() + end.encode()


def assert_same(whole: Table, long: Table) -> None:
    """Check that both tables have the same guesses and give the same data set, bit for bit."""
    assert whole.names == long.names
    assert whole.n == long.n
    assert whole.guess.decimal == long.guess.decimal
    assert whole.guess.encoding == long.guess.encoding
    assert whole.guess.notes == long.guess.notes
    for one, other in zip(whole.guess.columns, long.guess.columns, strict=True):
        assert (one.name, one.kind, set(one.markers)) == (other.name, other.kind, set(other.markers))
        assert one.reason == other.reason
    plans = default_plan(whole), default_plan(long)
    assert plans[0] == plans[1]
    if plans[0].used:
        first, second = (prepare(*pair) for pair in zip((whole, long), plans, strict=True))
        assert first.dataset.fingerprint == second.dataset.fingerprint
        assert first.notes == second.notes


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bundled_files_read_in_batches_are_those_read_whole(long, path):
    """Samples and reported cases give the same table, and a refused file gives the same message."""
    raw = path.read_bytes()
    whole = None
    with contextlib.suppress(DataError):
        whole = read_table(raw)
    if whole is None:
        refusals = []
        for read in (read_table, long):
            with pytest.raises(DataError) as refused:
                read(raw)
            refusals.append(str(refused.value))
        assert refusals[0] == refusals[1]
        return
    assert_same(whole, long(raw))


@pytest.mark.gate_cases(9)
@pytest.mark.parametrize("block", [256, 1_000, 1 << 16])
@pytest.mark.parametrize(
    "kind", ["numbers", "missing", "quoted", "bom", "utf-16", "latin-1", "semicolons", "blank rows"]
)
def test_generated_tables_read_in_batches_are_those_read_whole(long, kind, block):
    """A generated table read in batches of any size equals the table read whole."""
    rows = numbers(400)
    raw = {
        "numbers": lambda: written(rows),
        "missing": lambda: written(
            [
                [("", "NA", "?")[k % 3] if (k + j) % 11 == 0 else cell for j, cell in enumerate(row)]
                for k, row in enumerate(rows)
            ]
        ),
        "quoted": lambda: written([[*row, f'"a ""b""\nline {k % 3}, x"'] for k, row in enumerate(rows)]),
        "bom": lambda: b"\xef\xbb\xbf" + written(rows, end="\r\n"),
        "utf-16": lambda: written([[*row, "é"] for row in rows]).decode().encode("utf-16"),
        "latin-1": lambda: (
            written([[*row, "Öl" if k % 2 else "Rüben"] for k, row in enumerate(rows)]).decode().encode("latin-1")
        ),
        "semicolons": lambda: written([[cell.replace(".", ",") for cell in row] for row in rows], ";"),
        "blank rows": lambda: written([row if k % 50 else [""] * 5 for k, row in enumerate(rows)]),
    }[kind]()
    whole = read_table(raw)
    table = long(raw, block, head=8_000)
    assert_same(whole, table)
    if kind == "numbers":
        assert [isinstance(cells, NumberCells) for cells in table.cells] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("surprise", "column"),
    [
        ("unwell", 0),  # a text in a column of numbers
        ("n.a.", 1),  # a word for "no answer" that is not a missing marker
        ("NA", 2),  # a missing marker
        ("1e400", 0),  # infinite
        ("9.75", 4),  # a fraction among whole numbers
        ("other", 3),  # a new level
        ("0x1F", 1),
        ("", 0),
    ],
)
def test_a_late_surprise_widens_the_guess(long, surprise, column):
    """A cell near the end that contradicts the first rows changes the column type as if the file were read whole."""
    rows = numbers(2_000)
    rows[1_900][column] = surprise
    raw = written(rows)
    whole, table = read_table(raw), long(raw, head=8_000)
    assert [guess.kind for guess in whole.guess.columns] == [guess.kind for guess in table.guess.columns]
    if surprise == "1e400":  # both readers refuse it with the same message
        messages = []
        for one in (whole, table):
            with pytest.raises(DataError, match="finite") as refused:
                prepare(one, default_plan(one))
            messages.append(str(refused.value))
        assert messages[0].replace("1e400", "inf") == messages[1].replace("1e400", "inf")
        return
    assert_same(whole, table)


def test_late_bytes_that_are_not_utf8_change_the_encoding(long):
    """The encoding changes to Windows-1252 if invalid UTF-8 follows ASCII; a file declared as UTF-8 is refused."""
    raw = written(numbers(500)) + "1,2,3,€uro,1\n".encode("cp1252")
    assert_same(read_table(raw), long(raw, head=8_000))
    with pytest.raises(DataError, match="must be text in utf-8, line 502 is not"):
        long(raw, head=8_000, encoding="utf-8")


def test_a_late_comma_for_the_decimal_mark_is_seen(long):
    """The decimal comma is found although the only column with fractions begins with whole numbers."""
    raw = b"a;b\n" + b"1;x\n2;y\n" * 500 + b"1,5;x\n" * 30 + b"2,25;y\n" * 30
    assert_same(read_table(raw), long(raw, head=1_000))
    assert long(raw, head=1_000).guess.decimal == ","


def test_too_many_levels_become_numbers_or_texts(long, monkeypatch):
    """Columns with few distinct texts at first, and later more than a dictionary may hold, become numbers or texts."""
    monkeypatch.setattr(long_columns, "MAX_LEVELS", 40)
    rows = [[str(k if k > 300 else k % 7), f"t{k if k > 300 else k % 5}", "x" if k % 2 else "y"] for k in range(900)]
    raw = written(rows)
    assert_same(read_table(raw), long(raw, head=1_000))


def test_packed_files_are_read_in_batches(long, tmp_path):
    """Files compressed by gzip or zip give the same table."""
    raw = written(numbers(500))
    whole = read_table(raw)
    assert_same(whole, long(gzip.compress(raw), suffix=".csv.gz"))
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as packed:
        packed.writestr("t.csv", raw)
    assert_same(whole, long((tmp_path / "t.zip").read_bytes(), suffix=".zip"))
    with pytest.raises(DataError, match="the packed file is damaged or incomplete"):
        long(gzip.compress(raw)[:-2_000], suffix=".csv.gz")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1_500].pop(), "every line must have the 5 cells of the header, line 1,502 has 4"),
        (lambda rows: rows[1_500].append("1"), "every line must have the 5 cells of the header, line 1,502 has 6"),
        (lambda rows: rows[1_500].__setitem__(3, '"open'), "every quote must be closed, but one opened in line"),
        (lambda rows: rows[1_500].__setitem__(3, "a\0b"), "line 1,502 holds a zero byte"),
    ],
    ids=["short", "long", "quote", "zero"],
)
def test_errors_name_the_line(long, monkeypatch, change, message):
    """Error messages of batches give the same line as those for files that are read whole."""
    monkeypatch.setattr(csv, "BLOCK", 1 << 14)
    monkeypatch.setattr(long_csv, "BLOCK", 1 << 14)
    rows = numbers(2_000)
    change(rows)
    with pytest.raises(DataError, match=message):
        long(written(rows), head=8_000)


def test_a_line_longer_than_a_block_is_read_with_larger_blocks(long, monkeypatch):
    """A line longer than a block is read, up to the limit for files that are read whole."""
    rows = numbers(300)
    rows[250][3] = "x" * 3_000
    raw = written(rows)
    assert_same(read_table(raw), long(raw, 1_000, head=4_000))
    monkeypatch.setattr(csv, "BLOCK", 1 << 11)
    monkeypatch.setattr(long_csv, "BLOCK", 1 << 11)
    with pytest.raises(DataError, match="a line may hold at most"):
        long(raw, 1_000, head=4_000)


def test_a_file_above_the_limit_offers_what_can_be_followed(long, monkeypatch):
    """The error for a file above the limit offers the first rows or a sample, and both can be read."""
    raw = written(numbers(3_000))
    monkeypatch.setattr(long_csv, "MAX_STREAM_BYTES", 50_000)
    with pytest.raises(DataError, match="Read its first rows or a sample of its rows only"):
        long(raw)
    assert long(raw, max_rows=2_500).n == 2_500
    assert long(raw, sample=200).n == 200


def test_long_text_in_memory_is_read_in_batches_too(monkeypatch):
    """Long text in memory is read in batches, without the limit on its size; the server limits uploads."""
    raw = written(numbers(300))
    whole = read_table(raw)
    monkeypatch.setattr(streams, "MAX_BYTES", len(raw) - 1)
    table = read_table(raw)
    assert table.is_long
    assert_same(whole, table)
    assert not read_table(gzip.compress(raw)).is_long  # a packed upload is unpacked in the sandbox


@pytest.mark.parametrize("block", [500, 1 << 14])
def test_the_first_rows_are_those_of_the_whole_table(long, block):
    """The first rows equal those of the whole table; an error in the rest of the file has no effect."""
    raw = written(numbers(1_000))
    assert_same(read_table(raw, max_rows=321), long(raw, block, max_rows=321))
    assert long(raw + b"1,2\n" * 3, 500, head=4_000, max_rows=321).n == 321


@pytest.mark.parametrize("block", [500, 3_000, 1 << 16])
@pytest.mark.parametrize(
    "options", [{"sample": 50}, {"sample": 50, "seed": 7}, {"sample": 30, "max_rows": 400}, {"sample": 5_000}]
)
def test_a_sample_depends_only_on_the_seed(long, block, options):
    """The sample depends only on the seed, not on the batches or on whether the file is read whole."""
    raw = written(numbers(3_000))
    assert_same(read_table(raw, **options), long(raw, block, head=8_000, **options))


@pytest.mark.deep
def test_samples_are_uniform_and_in_the_order_of_the_file():
    """Each of 40 rows is drawn in about half of 200 samples of 20: a count beyond 5 standard deviations is an error."""
    raw = b"a,b\n" + b"".join(b"%d,x\n" % k for k in range(40))
    drawn = [[int(row) for row in read_table(raw, sample=20, seed=seed).frame["a"]] for seed in range(200)]
    assert all(rows == sorted(set(rows)) and len(rows) == 20 for rows in drawn)
    counts = np.bincount(np.concatenate(drawn), minlength=40)
    assert np.abs(counts - 100).max() < 5 * np.sqrt(200 * 0.25)


@pytest.mark.parametrize("options", [{"sample": 0}, {"sample": 2.5}, {"seed": -1}], ids=str)
def test_an_option_out_of_range_is_refused(options):
    """An option out of range is refused before the file is read."""
    with pytest.raises(ParameterError):
        read_table(b"a,b\n1,2\n", **options)


def test_a_column_of_numbers_has_the_cells_of_its_texts(long):
    """Texts, codes and counts of a column of numbers are computed on demand, with the shortest text of each number."""
    rows = numbers(500)
    rows[7][0], rows[9][0], rows[400][0] = "NA", "", rows[3][0]
    raw = written(rows)
    whole, table = read_table(raw), long(raw)
    for one, other in zip(whole.cells, table.cells, strict=True):
        assert one.texts.to_pylist() == other.texts.to_pylist()
        np.testing.assert_array_equal(one.codes, other.codes)
        np.testing.assert_array_equal(one.counts, other.counts)
        np.testing.assert_array_equal(one.numbers, other.numbers)
        picked = np.array([3, 7, 8, 9, 400])
        assert one.take(picked).texts.to_pylist() == other.take(picked).texts.to_pylist()
        for marks in (("NA",), ("", "NA"), (rows[3][0],)):
            np.testing.assert_array_equal(one.rows_among(marks), other.rows_among(marks))
    assert whole.head(12).equals(table.head(12))


@pytest.mark.parametrize("policy", ["available", "drop", "category", "mode"])
def test_plans_of_a_long_table_do_what_they_do_to_others(long, policy):
    """Missing markers, policies, bins and ignored columns have the same effect on long tables as on other tables."""
    rows = numbers(600)
    for k in range(0, 600, 17):
        rows[k][0] = "-9" if k % 2 else "NA"
    raw = written(rows)
    results = []
    for table in (read_table(raw), long(raw)):
        plan = default_plan(table).with_policy(policy)
        plan = plan.change("v0", missing=("", "NA", "-9")).change("v2", kind="ignore")
        results.append(prepare(table, plan))
    assert results[0].dataset.fingerprint == results[1].dataset.fingerprint
    assert results[0].notes == results[1].notes


def test_numbers_are_stored_once(long):
    """The data set of a long table of numbers shares their read-only array."""
    rows = [row[:3] for row in numbers(500)]
    table = long(written(rows))
    dataset = prepare(table, default_plan(table)).dataset
    assert dataset.values is table.cells[0].block
    assert not dataset.values.flags.writeable
    assert dataset.select([0, 1, 2]).values is dataset.values


def test_a_column_of_more_numbers_than_two_bytes_count_has_texts():
    """A key of more than 65,536 different numbers has codes and texts, beside a word for a missing value or alone."""
    values = np.arange(70_000.0)
    alone = NumberCells(values[:, None], 0, (), np.empty(0, np.int64), np.empty(0, np.uint16), True)
    assert len(alone.texts) == 70_000
    values[7] = np.nan
    beside = NumberCells(values[:, None], 0, ("NA",), np.array([7]), np.zeros(1, np.uint16), True)
    assert beside.texts.take(to_arrow(beside.codes[[6, 7, 8]])).to_pylist() == ["6", "NA", "8"]


@pytest.mark.parametrize("missing", [0, 20, 200])
def test_left_out_columns_of_numbers_are_found_without_their_texts(long, monkeypatch, missing):
    """Left-out columns of a long file are those of the whole file, and no numbers are turned into texts."""
    random = np.random.default_rng(4)
    first, second = random.normal(size=(2, 300)).round(3)
    total = [f"{one + other:.3f}" for one, other in zip(first, second, strict=True)]
    total[:missing] = [""] * missing
    raw = written([[str(one), str(other), own] for one, other, own in zip(first, second, total, strict=True)])
    whole, table = read_table(raw), long(raw)
    assert all(isinstance(cells, NumberCells) for cells in table.cells)
    expected = prepare(whole, default_plan(whole).change("v2", kind="ignore")).dataset.left_out
    assert len(expected) == (missing < 150)
    plan = default_plan(table).change("v2", kind="ignore")
    monkeypatch.setattr(NumberCells, "encoded", property(lambda _: pytest.fail("texts of numbers were made")))
    assert prepare(table, plan).dataset.left_out == expected


def test_checked_rows_of_a_long_table_take_little_memory():
    """The choice of checked rows holds the positions of one text at a time, not of all texts of all columns."""
    n, levels = 200_000, 8
    texts = text_array([f"level {k}" for k in range(levels)])
    codes = (np.arange(n) % levels).astype(np.uint8)
    cells = tuple(Cells(codes, texts, np.bincount(codes), np.full(levels, np.nan)) for _ in range(6))
    table = Table(tuple("abcdef"), cells, n, TableGuess(",", "UTF-8", ".", ()), is_long=True)
    plan = Plan(())
    tracemalloc.start()
    some = inspected(table, plan, np.ones(n, dtype=bool))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 20_000 <= some.n < 21_000
    assert peak < 16 * n


def test_preparing_some_numbers_of_a_long_table_copies_them_once():
    """The data set of some columns of a block takes one copy of their numbers, not two."""
    block = np.random.default_rng(2).normal(size=(60_000, 8))
    block.flags.writeable = False
    none = np.empty(0, np.int64)
    cells = tuple(NumberCells(block, j, (), none, none.astype(np.uint16), True) for j in range(8))
    names = tuple("abcdefgh")
    guesses = tuple(guess_column(name, column) for name, column in zip(names, cells, strict=True))
    table = Table(names, cells, len(block), TableGuess(",", "UTF-8", ".", guesses), is_long=True)
    columns = default_plan(table).columns[:7]
    tracemalloc.start()
    data = build(table, columns, np.ones(len(block), dtype=bool), "available", [])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(data.values, block[:, :7])
    assert peak < 1.5 * data.values.nbytes
