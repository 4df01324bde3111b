"""Locate the table in the text of a file: header, lines above it, row names and blank columns."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...common.errors import DataError
from ...common.wording import quoted
from ..arrow_arrays import text_array
from ..column_types.numbers import as_numbers
from .separators import SAMPLE_ROWS, SEPARATORS, comment_mark
from .text_encoding import SAMPLE

MAX_LINES_ABOVE = 20  # maximum number of lines above the header
MAX_PREVIEW_LINES = 20  # maximum number of raw lines of a preview
MAX_REPEATS = 0.2  # maximum share of rows that repeat the header
MIN_ROWS = 4  # minimum number of rows to detect a missing header
ROW_NAMES = "row"
DECLARED = re.compile(rb'^"?sep=(.)"?[^\S\n]*\r?\n', re.IGNORECASE)  # declaration by Excel above the header


class Record(NamedTuple):
    """One row of text: its first line, counted from 1, the position after it in bytes, and its fields."""

    line: int
    end: int
    fields: list[str]

    @property
    def filled(self) -> int:
        """Number of fields that are not blank."""
        return sum(bool(field.strip()) for field in self.fields)


@dataclass(frozen=True)
class Arrangement:
    """Position of the table in the text of a file, and names of its columns.

    Attributes
    ----------
    names : tuple of str
        Distinct names of the fields of a row, none blank.
    begin, line : int
        Byte and line of the first row of data.
    blank : tuple of int
        Fields without a name and without a cell in the first rows.
    row_names : int or None
        The field with the names of the rows.
    notes : tuple of str
        One sentence on each irregularity.
    """

    names: tuple[str, ...]
    begin: int
    line: int
    blank: tuple[int, ...] = ()
    row_names: int | None = None
    notes: tuple[str, ...] = ()


def declared_separator(utf8: bytes) -> str | None:
    """Return the separator that a first line such as ``sep=;`` declares, or None."""
    match = DECLARED.match(utf8)
    found = match.group(1).decode("latin-1") if match else None
    return found if found in SEPARATORS else None


def raw_lines(utf8: bytes) -> list[str]:
    """Return the first lines of the file for a preview."""
    return utf8[:SAMPLE].decode("utf-8", "ignore").splitlines()[:MAX_PREVIEW_LINES]


def arrange(utf8: bytes, separator: str, header: int | None = None) -> Arrangement:
    """Find the table in the text.

    Parameters
    ----------
    utf8 : bytes
    separator : str
    header : int, optional
        Line of the header, counted from 1, or 0 if there is none. Default: guessed.

    Raises
    ------
    DataError
        If there is no header, or none in the line given.
    """
    records = list(_records(utf8, separator))
    if not records or (len(records) == 1 and _is_declaration(records[0])):
        raise DataError("the file must begin with a header row, found none in its first part. Add one")
    if header is None:
        at = _header_at(records)
        notes = _notes_on_lines(records, at)
        if _is_data(records[at:]):
            first = records[at]
            return _without_header(records, at, (*notes, f"line {first.line} looks like data, so there is no header"))
        return _with_header(records, at, notes)
    if header == 0:
        return _without_header(records, int(_is_declaration(records[0])), ())
    at = next((k for k, record in enumerate(records) if record.line == header), None)
    if at is None:
        raise DataError(f"line {header} does not begin a row, so it cannot be the header. Choose another line")
    return _with_header(records, at, ())


def _records(utf8: bytes, separator: str) -> Iterator[Record]:
    """Yield the first rows that are not blank, without the last row of a sample, which may be incomplete."""
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for line in io.StringIO(utf8[:SAMPLE].decode("utf-8", "ignore"), newline=""):
            read += len(line.encode())
            yield line

    reader = csv.reader(lines(), delimiter=separator)
    found, line = 0, 1
    try:
        for fields in reader:
            if fields and (read < SAMPLE or found == 0):
                yield Record(line, read, fields)
                found += 1
            if found == SAMPLE_ROWS + MAX_LINES_ABOVE:
                return
            line = reader.line_num + 1
    except csv.Error:  # a cell of over 131 072 characters: use the rows before it
        return


def _width(records: Sequence[Record]) -> int:
    """Return the most frequent number of fields of the rows below the first."""
    return Counter(len(record.fields) for record in records[1:] or records).most_common(1)[0][0]


def _is_declaration(record: Record) -> bool:
    return record.line == 1 and record.fields[0].lower().startswith("sep=") and len(record.fields[0]) <= 5


def _header_at(records: Sequence[Record]) -> int:
    """Return the position of the first row that is not a title line."""
    width, at = _width(records), int(_is_declaration(records[0]))
    for k, record in enumerate(records[: min(MAX_LINES_ABOVE, len(records) - 1)]):
        if k < at:
            continue
        gap = k + 1 < len(records) and records[k + 1].line > record.line + 1
        title = (
            record.filled <= 1 and (width > 2 or len(record.fields) < width and gap) or _is_remark(records[k:], width)
        )
        if not title or len(records) - k <= 2:
            return k
    return at


def _is_remark(records: Sequence[Record], width: int) -> bool:
    """Return True if the first row is a comment above the header or above another comment, not the header itself."""
    if len(records) < 2 or not _is_comment(records[0]):
        return False
    n_cells = len(records[0].fields)
    if _is_comment(records[1]):
        return True
    if width in (n_cells, n_cells - _is_mark(records[0].fields[0])):
        return len(records) > 2 and _is_data(records[2:]) and not _is_data(records[1:])
    return not _is_data(records[1:])


def _is_comment(record: Record) -> bool:
    first = record.fields[0]
    return _is_mark(first) or bool(mark := comment_mark(first)) and first.startswith(f"{mark} ")


def _is_mark(text: str) -> bool:
    return bool(text) and text == comment_mark(text)


def _notes_on_lines(records: Sequence[Record], at: int) -> tuple[str, ...]:
    above = [record for record in records[:at] if not _is_declaration(record)]
    if not above:
        return ()
    texts = [" ".join(field for field in record.fields if field.strip()) for record in above]
    return (f"left out above the header: {quoted(texts)}",)


def _columns(records: Sequence[Record], width: int) -> list[list[str]]:
    rows = [record.fields for record in records if len(record.fields) == width]
    return [list(column) for column in zip(*rows, strict=True)]


def _is_data(records: Sequence[Record]) -> bool:
    """Return True if the first row looks like data: each field recurs in its column, or is numeric like its column.

    Rows that repeat the first one are ignored if they are few, because appended files repeat their header.
    """
    first, rest = records[0].fields, records[1:]
    others = [record for record in rest if record.fields != first]
    if len(rest) - len(others) <= MAX_REPEATS * len(rest):
        rest = others
    columns = _columns(rest, len(first))
    if len(first) < 2 or len(rest) < MIN_ROWS or not columns or not all(field.strip() for field in first):
        return False
    numbers = _numbers(first)
    if (np.diff(numbers) == 1).all():  # consecutive numbers, such as 1, 2, 3 or years, are more likely names
        return False
    alike = [
        not np.isnan(number) and not np.isnan(_numbers(column)).any() or field in column
        for field, number, column in zip(first, numbers, columns, strict=True)
    ]
    return all(alike)


def _numbers(texts: Sequence[str]) -> np.ndarray:
    return as_numbers(text_array(texts), ".")


def _without_header(records: Sequence[Record], at: int, notes: tuple[str, ...]) -> Arrangement:
    width = _width(records[at:])
    names = tuple(f"column {k + 1}" for k in range(width))
    begin = records[at - 1].end if at else 0
    return Arrangement(names, begin, records[at].line, notes=(*notes, f"columns are named {quoted(names)}"))


def _with_header(records: Sequence[Record], at: int, notes: tuple[str, ...]) -> Arrangement:
    header, rows = records[at], records[at + 1 :]
    columns = _columns(rows, _width(rows)) if rows else []
    names = _fitted(header.fields, columns)
    if len(names) != len(columns):  # no rows, or rows of different widths: the reader reports the error
        columns = [["?"] for _ in names]
    blank = tuple(
        k for k, name in enumerate(names) if not name.strip() and not any(field.strip() for field in columns[k])
    )
    row_names = 0 if _names_the_rows(names, columns) else None
    if row_names is not None:
        names[0] = ROW_NAMES
    all_notes = (*notes, *_notes_on_names(header, names, blank, row_names))
    line = rows[0].line if rows else header.line + 1
    return Arrangement(tuple(_distinct(names)), header.end, line, blank, row_names, all_notes)


def _fitted(header: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """Return a name for each column, blank for row names of R and for trailing separators."""
    names = list(header)
    if len(names) > 1 and all(name.startswith(" ") for name in names[1:]):
        names = [names[0], *(name.strip() for name in names[1:])]  # separated by a comma and a blank
    if len(names) == len(columns) + 1 > 1 and (_is_mark(names[0]) or not names[0] and _all_numbers(columns)):
        names = names[1:]  # numpy.savetxt writes "# a b" above rows of two cells, and ";a;b" with the mark ";"
        names[0] = names[0].strip()
    elif _has_comment_mark(names) and _all_numbers(columns) and not _are_percentages(names[0], columns[0]):
        names[0] = names[0].removeprefix(comment_mark(names[0])).strip()
    while len(names) > len(columns) > 0 and not names[-1].strip():
        names.pop()  # only the header ends with a separator
    if (
        len(columns) == len(names) + 1
        and len(columns[0]) > 1
        and _all_differ(columns[0])
        and any(map(str.strip, columns[-1]))
    ):
        names = ["", *names]  # else only the rows end with a separator
    while 0 < len(names) < len(columns) and not any(field.strip() for field in columns[len(names)]):
        names.append("")
    return names


def _has_comment_mark(names: Sequence[str]) -> bool:
    """Return True if a comment mark, with or without a blank, precedes the first of the names and no other."""
    first, *others = names
    mark = comment_mark(first)
    marked = bool(mark) and not _is_mark(first.strip())
    return marked and (first.startswith(f"{mark} ") or not any(name.startswith(mark[0]) for name in others))


def _are_percentages(name: str, cells: Sequence[str]) -> bool:
    """Return True for numbers in [0, 100] below a percent sign, which is then part of the name.

    By default, numpy.savetxt writes all numbers with an exponent; such numbers are no percentages.
    """
    numbers = _numbers(cells)
    plain = not any("e" in cell for cell in cells)
    return comment_mark(name) == "%" and plain and bool((numbers >= 0).all() and (numbers <= 100).all())


def _all_numbers(columns: Sequence[Sequence[str]]) -> bool:
    return bool(columns) and not any(np.isnan(_numbers(column)).any() for column in columns)


def _names_the_rows(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    return len(names) > 1 and not names[0].strip() and len(columns[0]) > 1 and _all_differ(columns[0])


def _all_differ(texts: Sequence[str]) -> bool:
    return len(set(texts)) == len(texts)


def _notes_on_names(header: Record, names: Sequence[str], blank: Sequence[int], row_names: int | None) -> Iterator[str]:
    if (mark := comment_mark(header.fields[0])) not in ("", "#") and not names[0].startswith(mark):
        yield f"{mark!r} before the header is read as a comment mark, not as part of {quoted(names[:1])}"
    if blank:
        yield f"left out: {len(blank)} column{'s' * (len(blank) > 1)} without a name and without a cell"
    if row_names is not None:
        yield f"the first column has no name and differs in every row, so it names the rows; it is called {ROW_NAMES!r}"
    if len(header.fields) > 1 and not np.isnan(_numbers(header.fields)).any():
        yield "the first line holds only numbers and was read as the header; say so if it is data"
    repeated = [name for name, count in Counter(filter(str.strip, names)).items() if count > 1]
    if repeated:
        yield f"more than once in the header: {quoted(repeated)}; the later ones have a number behind them"
    nameless = [f"column {k + 1}" for k, name in enumerate(names) if not name.strip() and k not in blank]
    if nameless:
        yield f"without a name in the header, and named by their place: {quoted(nameless)}"


def _distinct(names: Sequence[str]) -> Iterator[str]:
    """Yield distinct names: blank ones become ``column k``, and repeated ones get a number."""
    given, used = set(names), set()
    for k, name in enumerate(names):
        fresh = name = name if name.strip() else f"column {k + 1}"
        number = 2
        while fresh in used or (fresh != names[k] and fresh in given):
            fresh, number = f"{name} ({number})", number + 1
        used.add(fresh)
        yield fresh
