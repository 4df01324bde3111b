"""Read a long text table in batches, with little more memory than its columns take.

Separator, header, decimal mark and what is stored as numbers are guessed from the first rows and checked on the rest.
Where a guess was wrong, the file is read again with a wider one, so that the result is that of a table read whole.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
from pyarrow import csv as arrow_csv

from ...common.errors import DataError
from ...kernels.reading.delimited_rows import Format
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.types_and_missing_codes import guess_decimal
from .csv import BLOCK, explained, parsed, too_long_line
from .header import Arrangement, arrange, declared_separator
from .long_columns import Gathered, NumberColumn, blank_rows, is_stored_as_numbers
from .regular_rows import IrregularText, have_few_texts, read_regular
from .row_sample import RowSample
from .separators import BLANKS, guess_separator, has_single_quotes, is_fixed, with_double_quotes, without_blanks
from .streams import (
    DAMAGED,
    MAX_STREAM_BYTES,
    LongLine,
    NotUtf8,
    Pieces,
    Stream,
    buffered,
    encoding_of,
    pieces_of,
    single_byte_encoding,
    with_commas,
    with_double_quotes_only,
)
from .text_encoding import SAMPLE, whole_rows
from .unsupported_formats import refuse_other_formats, refuse_other_texts

SMALL_BLOCK = 1 << 21  # number of bytes parsed at a time; blocks of 8 MB exceed the cache and take twice the time
HEAD_BYTES = 2 * SAMPLE  # size of the first rows, from which all guesses are made


@dataclass(frozen=True)
class RowSelection:
    """The rows to read: all, the first ones, or a sample of the first ones.

    Attributes
    ----------
    first : int or None
    sample : int or None
    seed : int
    """

    first: int | None = None
    sample: int | None = None
    seed: int = 0

    @property
    def all(self) -> bool:
        """True if no row is left out."""
        return self.first is None and self.sample is None


class Guesses(NamedTuple):
    """Guesses from the first rows that the rest may contradict."""

    encoding: str
    block: int
    decimal: str | None = None
    levels: frozenset[int] = frozenset()  # columns that are not stored as numbers
    keep_blank: bool = False
    regular: bool = True  # no cell holds a quote or a line break


class LongTable(NamedTuple):
    """A table that was read in batches."""

    found: Arrangement
    chosen: list[int]
    cells: list[Cells]
    encoding: str
    separator: str
    decimal: str
    blank: int


@dataclass(frozen=True)
class LongTextReader:
    """Reader of a long text table.

    Attributes
    ----------
    stream : Stream
    encoding, separator, decimal : str or None
        As given; None to guess.
    header : int or None
        As in `read_table`.
    rows : RowSelection
    choose : callable
        Returns the arrangement with the names of the user, and the columns to read.
    drops_blank : bool
        Blank rows are left out.
    """

    stream: Stream
    encoding: str | None
    separator: str | None
    decimal: str | None
    header: int | None
    rows: RowSelection
    choose: Callable[[bytes, str, Arrangement], tuple[Arrangement, list[int]]] = field(repr=False)
    drops_blank: bool = True

    def read(self) -> LongTable:
        """Return the table; DataError if it cannot be read."""
        try:
            return self._checked()
        except DAMAGED as error:
            raise DataError("the packed file is damaged or incomplete. Pack it again") from error

    def _checked(self) -> LongTable:
        with self.stream.opened() as file:
            refuse_other_formats(file.read(SAMPLE))
        guesses = Guesses(encoding_of(self.stream, self.encoding), SMALL_BLOCK, self.decimal)
        while True:  # each turn widens a guess, and each can be widened once
            try:
                table, wider = self._read(guesses)
            except NotUtf8:
                guesses = guesses._replace(encoding=single_byte_encoding(self.stream))
                continue
            except LongLine as long:
                if guesses.block >= BLOCK:
                    raise too_long_line(long.line) from long
                guesses = guesses._replace(block=BLOCK)
                continue
            if table is not None:
                return table
            guesses = wider

    def _pieces(self, encoding: str) -> Iterator[bytes]:
        most = MAX_STREAM_BYTES if self.rows.all else None
        return pieces_of(self.stream, encoding, self.encoding is None, most)

    def _read(self, guesses: Guesses) -> tuple[LongTable | None, Guesses]:
        """Read the table by these guesses; return it with them, or None with wider ones if they were wrong."""
        head = _begin(self._pieces(guesses.encoding))
        if not head or head.isspace() and len(head) < HEAD_BYTES:
            raise DataError("the file is blank. It needs a header row and rows of data")
        refuse_other_texts(head)
        separator = self.separator or declared_separator(head) or guess_separator(head)
        delimiter, transform = separator, None
        if separator == BLANKS:
            if is_fixed(head) and len(head) >= HEAD_BYTES:
                raise DataError(
                    "a table in columns of fixed width may hold at most 200 MB, and this one holds more. Save it as CSV"
                )
            head, separator, transform = without_blanks(_cut(head)), ",", with_commas
        elif has_single_quotes(head, separator):
            head = with_double_quotes(_cut(head), separator)
            transform = lambda pieces: with_double_quotes_only(pieces, delimiter)  # noqa: E731
        found, chosen = self.choose(head, separator, arrange(head, separator, self.header))
        first = parsed(_cut(head), separator, found, chosen, self.rows.first)
        texts = [part[1] for part in first]
        decimal = guesses.decimal or guess_decimal(texts)
        numeric = [
            is_stored_as_numbers(part, decimal) and j not in guesses.levels
            for j, part in zip(chosen, first, strict=True)
        ]
        n = _expected_rows(self.stream.size, len(_cut(head)) - found.begin, len(first[0][0]), self.rows)
        gathered = Gathered(numeric, decimal, n)

        def opened() -> io.BufferedReader:
            pieces = self._pieces(guesses.encoding)
            return buffered(transform(pieces) if transform else pieces, found.begin)

        pieces = self._pieces(guesses.encoding)
        text = Pieces(transform(pieces) if transform else pieces, found.begin, guesses.block, found.line)
        keep_blank = guesses.keep_blank or not self.drops_blank
        try:
            if guesses.regular and self.rows.sample is None and have_few_texts(first, numeric):
                form = Format(ord(separator), ord(decimal), keep_blank)
                read_regular(text, form, len(found.names), chosen, gathered, self.rows.first)
            else:
                batches = _parsed(text, separator, found, chosen, numeric, guesses.block, self.rows)
                for batch in selected(batches, self.rows, keep_blank=keep_blank):
                    gathered.add(batch.columns, keep_blank=keep_blank)
        except IrregularText:
            return None, (guesses._replace(regular=False))
        except pa.ArrowInvalid as error:
            if "straddl" in str(error) and guesses.block < BLOCK:
                raise LongLine(0) from error
            raise DataError(explained(opened, separator, len(found.names), found.line)) from error
        if not gathered.n and gathered.blank:
            return None, (guesses._replace(keep_blank=True))
        if misfits := gathered.misfits:
            return None, (guesses._replace(levels=guesses.levels | {chosen[k] for k in misfits}))
        cells = gathered.finished()
        if self.decimal is None and guesses.decimal is None:
            shown = [
                texts[k] if isinstance(gathered.columns[k], NumberColumn) else own.texts for k, own in enumerate(cells)
            ]
            if (right := guess_decimal(shown)) != decimal:
                return None, (guesses._replace(decimal=right))
        table = LongTable(found, chosen, cells, guesses.encoding, delimiter, decimal, gathered.blank)
        return table, guesses


def selected(batches: Iterator[pa.RecordBatch], rows: RowSelection, *, keep_blank: bool) -> Iterator[pa.RecordBatch]:
    """Yield the selected rows: the first ones, or a sample of them."""
    first = _first(batches, rows.first)
    if rows.sample is None:
        yield from first
        return
    sample = RowSample(rows.sample, rows.seed)
    for batch in first:
        blank = None if keep_blank else blank_rows(batch.columns)
        sample.add(batch if blank is None else batch.filter(to_arrow(~blank)))
    yield from sample.finished()


def _first(batches: Iterator[pa.RecordBatch], most: int | None) -> Iterator[pa.RecordBatch]:
    seen = 0
    for batch in batches:
        left = batch.num_rows if most is None else most - seen
        yield batch.slice(0, left)
        seen += batch.num_rows
        if most is not None and seen >= most:
            return


def _parsed(
    text: Pieces,
    separator: str,
    found: Arrangement,
    chosen: Sequence[int],
    numeric: Sequence[bool],
    block: int,
    rows: RowSelection,
) -> Iterator[pa.RecordBatch]:
    """Yield the rows below the header."""
    keys = [str(j) for j in range(len(found.names))]
    codes = pa.string() if rows.sample is not None else pa.dictionary(pa.int32(), pa.string())
    types = {keys[j]: pa.string() if number else codes for j, number in zip(chosen, numeric, strict=True)}
    yield from arrow_csv.open_csv(
        text,
        read_options=arrow_csv.ReadOptions(column_names=keys, block_size=block),
        parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(
            column_types=types, include_columns=[keys[j] for j in chosen], strings_can_be_null=False, check_utf8=False
        ),
    )


def _begin(pieces: Iterator[bytes]) -> bytes:
    """Return the first bytes of a text."""
    held = b""
    for piece in pieces:
        held += piece
        if len(held) >= HEAD_BYTES:
            break
    return held[:HEAD_BYTES]


def _cut(head: bytes) -> bytes:
    """Return the complete rows of the first bytes of a text."""
    return whole_rows(head) if len(head) >= HEAD_BYTES else head


def _expected_rows(size: int | None, read: int, n: int, rows: RowSelection) -> int:
    """Return an estimate of the number of rows from the first ones, rarely exceeded."""
    if rows.sample is not None:
        return min(rows.sample, rows.first or rows.sample)
    expected = 4 * n if size is None else int(1.05 * size * n / max(read, 1)) + 1_000
    return min(expected, rows.first or expected)
