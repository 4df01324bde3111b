"""Tests of the compiled reader of regular text tables, and of its numbers."""

from __future__ import annotations

import csv
import io
import itertools
import random
import struct
from pathlib import Path

import numpy as np
import pytest

from learners.data.reading import long_columns, long_csv, regular_rows, streams
from learners.data.reading.regular_rows import powers_of_ten, words_of
from learners.data.reading.table import Table, read_table
from learners.kernels.compiling import ENABLED
from learners.kernels.reading.decimal_numbers import read_number
from tests.learners.data.reading.test_long_csv import assert_same, numbers, written

CASES = 20_000 if ENABLED else 300


def read(text: str) -> tuple[float, int]:
    """Return the number that the kernel reads at the beginning of a text, and the position behind it."""
    raw = np.frombuffer(f"{text};       ".encode(), np.uint8)
    found = np.empty(1)
    at = read_number(raw, words_of(raw), 0, ord("."), powers_of_ten(), found, found.view(np.uint64))
    return found[0], at


def halfway(draw: random.Random) -> str:
    """Return a number exactly between two floats, or one unit of its last digit beside it."""
    odd = 2 * (draw.getrandbits(53) | 1 << 52) + 1
    return f"{odd + draw.choice((-1, 0, 1))}e{draw.randint(-4, 23)}"


TEXTS = {
    "any float": lambda draw: repr(struct.unpack("d", struct.pack("Q", draw.getrandbits(64)))[0]),
    "near one": lambda draw: repr(draw.gauss(0, 1)),
    "fixed": lambda draw: f"{draw.gauss(0, 1e4):.{draw.randint(0, 12)}f}",
    "powers": lambda draw: f"{draw.randrange(10 ** draw.randint(1, 18))}e{draw.randint(-320, 308)}",
    "halfway": halfway,
}


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("kind", TEXTS)
def test_numbers_are_rounded_as_python_rounds_them(kind):
    """The kernel gives Python's float, the last bit and the sign of zero included, or leaves the cell unread."""
    draw = random.Random(7)
    left = 0
    for _ in range(CASES):
        text = TEXTS[kind](draw)
        number, at = read(text)
        if at < 0:
            left += 1
            continue
        assert (str(number), at) == (str(float(text)), len(text)), text
    # The kernel may leave very small and very large numbers.
    assert left <= (0.15 if kind in ("any float", "powers") else 0.0) * CASES


@pytest.mark.parametrize(
    ("text", "end"),
    [("-0", 2), ("5.", 2), ("-.5", 3), ("007", 3), ("1e5", 3), ("1E+05", 5), ("12x", 2), ("1.2.3", 3), ("0e9999", 6)]
    + [(text, -1) for text in ("", "-", ".", "e5", "1e", "1e+", "+5", " 5", "x", "9" * 19, "1e400", "1e-320")],
)
def test_what_is_a_number(text, end):
    """A number ends before the first byte that does not continue it; odd spellings are left to the general parser."""
    assert read(text)[1] == end


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Return a function that reads text as a long file, and says whether the compiled reader accepted it."""
    path = tmp_path / "long.csv"
    monkeypatch.setattr(streams, "MAX_BYTES", 0)
    monkeypatch.setattr(long_columns, "MIN_NUMBERS", 30)
    monkeypatch.setattr(long_csv, "HEAD_BYTES", 2_000)
    accepted = []
    plain = regular_rows.read_regular

    def watched(*given):
        accepted.append(False)
        plain(*given)
        accepted[-1] = True

    monkeypatch.setattr(long_csv, "read_regular", watched)

    def read_long(raw: bytes, **options) -> tuple[Table, bool]:
        accepted.clear()
        path.write_bytes(raw)
        return read_table(path, **options), bool(accepted) and accepted[-1]

    return read_long


def general(monkeypatch: pytest.MonkeyPatch, outcome, raw: bytes, **options) -> Table:
    """Return the table that the general parser reads."""
    with monkeypatch.context() as patch:
        patch.setattr(long_csv, "have_few_texts", lambda *_: False)
        table, compiled = outcome(raw, **options)
    assert not compiled
    return table


def quoted(rows: list[list[str]]) -> bytes:
    """Return rows with quotes around each cell."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([[f"v{j}" for j in range(5)], *rows])
    return text.getvalue().encode()


ROWS = numbers(700)
REGULAR = {
    "plain": written(ROWS),
    "carriage returns": written(ROWS, end="\r\n"),
    "no last line end": written(ROWS)[:-1],
    "quotes": quoted(ROWS),
    "empty lines": written(ROWS).replace(b"\n", b"\n\n", 300),
    "blank rows": written([row if k % 9 else [" ", "", "\t", "", ""] for k, row in enumerate(ROWS)]),
    "missing": written([[("", "NA", " .", "?")[(k + j) % 4] if (k * j) % 7 == 1 else cell for j, cell in enumerate(row)]
                        for k, row in enumerate(ROWS)]),
    "odd numbers": written([["+1.5", " 2.5", "1e-320", "low", "-0"] if k % 5 == 4 else r for k, r in enumerate(ROWS)]),
    "decimal commas": written([[cell.replace(".", ",") for cell in row] for row in ROWS], ";"),
    "tabs": written(ROWS, "\t"),
    "foreign letters": written([[*row, ("Öl", "гора", "日本", "\u3042\u3044")[k % 4]] for k, row in enumerate(ROWS)]),
    "many levels": written([[*row, f"code {k % 300:05d}"] for k, row in enumerate(ROWS)]),
}  # fmt: skip


@pytest.mark.gate_cases(9)
@pytest.mark.parametrize("kind", REGULAR)
@pytest.mark.parametrize("piece", [1 << 20, 400])
def test_regular_text_gives_the_table_of_the_general_parser(monkeypatch, outcome, kind, piece):
    """Regular text needs no general parser, and gives the same cells, for batches of any size."""
    monkeypatch.setattr(streams, "PIECE", piece)
    for name in ("BATCH_ROWS", "MIN_OTHERS", "LETTERS"):
        monkeypatch.setattr(regular_rows, name, 60 if piece == 400 else getattr(regular_rows, name))
    table, compiled = outcome(REGULAR[kind])
    assert compiled
    expected = general(monkeypatch, outcome, REGULAR[kind])
    assert_same(expected, table)
    for one, other in zip(expected.cells, table.cells, strict=True):
        assert type(one) is type(other)
        assert one.texts == other.texts
        assert np.array_equal(one.codes, other.codes)
        assert np.array_equal(one.numbers, other.numbers, equal_nan=True)


@pytest.mark.parametrize("kind", ["blank rows", "missing", "plain"])
@pytest.mark.parametrize("options", [{"max_rows": 400}, {"columns": ["v1", "v3"]}, {"max_columns": 2}], ids=str)
def test_chosen_rows_and_columns_are_those_of_the_general_parser(monkeypatch, outcome, kind, options):
    """Blank rows count among the first rows; with chosen columns, they are kept."""
    table, compiled = outcome(REGULAR[kind], **options)
    assert compiled
    assert_same(general(monkeypatch, outcome, REGULAR[kind], **options), table)


@pytest.mark.parametrize(
    "cell", ['"a ""b"""', '"line\nbreak"', 'a"b', '"a"b', "\u00a0"], ids=["doubled", "break", "inner", "after", "blank"]
)
def test_irregular_text_is_left_to_the_general_parser(outcome, cell):
    """A late quote or line break in a cell, or a row that only Unicode's rules call blank, needs the general parser."""
    rows = [*numbers(600), ["", "", "", cell, ""], *numbers(20, 2)]
    raw = written(rows)
    table, compiled = outcome(raw)
    assert not compiled
    assert_same(read_table(raw), table)


def test_a_column_of_many_texts_is_left_to_the_general_parser(monkeypatch, outcome):
    """A column of distinct texts is left to the general parser, from the first rows or once the codes run out."""
    rows = [[*row, f"t{k}"] for k, row in enumerate(numbers(1_500))]
    monkeypatch.setattr(long_csv, "HEAD_BYTES", 1 << 20)
    assert not outcome(written(rows))[1]
    late = [row if k > 700 else [*row[:-1], "x"] for k, row in enumerate(rows)]
    monkeypatch.setattr(long_csv, "HEAD_BYTES", 2_000)
    table, compiled = outcome(written(late))
    assert compiled
    assert len(set(itertools.chain(table.column("v5").texts.to_pylist()))) == 800
