"""Guess the separator of a text table, or the fixed width of its columns."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...common.errors import DataError
from .text_encoding import SAMPLE
from .unsupported_formats import NUMBER

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
BLANKS = " "  # runs of blanks, as in files of R's write.table and in aligned columns
SAMPLE_ROWS = 100
MARK = re.compile(r"#+|%+|!+|;+|//+|--+")  # comment marks before a header, by numpy.savetxt, MATLAB, Fortran, SQL
MIN_LINES = 4  # minimum number of lines, header included; fewer lines have common blanks by chance


def comment_mark(text: str) -> str:
    """Return the comment mark at the start of a text, or an empty text."""
    found = MARK.match(text)
    return found.group() if found else ""


def without_footer(utf8: bytes) -> bytes:
    """Return the text without the comments that end it, if it begins with the same comment mark, as by numpy.savetxt.

    If other rows begin with the mark too, it is part of their cells.
    """
    head = utf8[:SAMPLE].decode("utf-8", "ignore").lstrip()
    mark = re.match(r"(?:[#%!;/-]+) ?", head)
    if mark is None or not comment_mark(head):
        return utf8
    start, end = mark.group().encode(), len(utf8.rstrip())
    while (at := utf8.rfind(b"\n", 0, end)) >= 0 and utf8.startswith(start, at + 1):
        end = len(utf8[:at].rstrip())
    rows = utf8[:end].lstrip()
    while rows.startswith(start) and b"\n" in rows:
        rows = rows[rows.find(b"\n") + 1 :]
    return utf8 if not rows or rows.startswith(start) or b"\n" + start in rows else utf8[:end] + b"\n"


def guess_separator(utf8: bytes) -> str:
    """Guess the separator from the first rows.

    Returns
    -------
    str
        The separator that gives most rows the same number of fields and, among these, the most fields. If none splits
        the rows: blanks if runs of them give rows of one width, or if the columns have fixed widths; else the comma.
    """
    sample = utf8[:SAMPLE].decode("utf-8", "ignore")
    whole = len(utf8) <= SAMPLE
    best, guess = (0.0, 1), ""
    for separator in SEPARATORS:
        quote = "'" if _has_single_quotes(sample, separator, whole=whole) else '"'
        widths = [len(row) for row in first_rows(sample, separator, whole=whole, quote=quote)]
        width = Counter(widths).most_common(1)[0][0] if widths else 0
        if width > 1:
            rank = (widths.count(width) / len(widths), width)
            if rank > best:
                best, guess = rank, separator
    return guess or (BLANKS if _has_aligned_rows(sample, whole) or has_fixed_columns(utf8) else ",")


def _has_aligned_rows(sample: str, whole: bool) -> bool:
    """Return True if runs of blanks give rows of one width; the header may lack a cell for distinct row names."""
    rows = first_rows(sample, BLANKS, whole=whole)
    while len(rows) > 1 and rows[0][0] == rows[1][0] == comment_mark(rows[0][0]):
        rows = rows[1:]
    if rows and rows[0][0] == comment_mark(rows[0][0]):  # numpy.savetxt writes "# a b" above rows of two cells
        rows[0] = rows[0][1:]
    widths = [len(row) for row in rows]
    if len(widths) <= 2 or widths[1] <= 1 or set(widths[1:]) != {widths[1]}:
        return False
    return widths[1] == widths[0] or widths[1] == widths[0] + 1 and len({row[0] for row in rows[1:]}) == len(rows) - 1


def is_fixed(utf8: bytes) -> bool:
    """Return True if columns of fixed width, not runs of blanks, divide the cells."""
    sample = utf8[:SAMPLE].decode("utf-8", "ignore")
    return not _has_aligned_rows(sample, len(utf8) <= SAMPLE) and has_fixed_columns(utf8)


def without_blanks(utf8: bytes) -> bytes:
    """Replace the blanks between cells by commas: runs of blanks, or those between columns of fixed width."""
    if is_fixed(utf8):
        return without_fixed_columns(utf8)
    lines = io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="")
    text = io.StringIO()
    try:
        csv.writer(text, lineterminator="\n").writerows(rows_of_blanks(lines))
    except csv.Error as error:
        raise DataError("the rows cannot be split at blanks. Choose another separator") from error
    return text.getvalue().encode()


def with_double_quotes(utf8: bytes, separator: str) -> bytes:
    """Return the text with double quotes in place of single ones, if only these give rows of one width."""
    if not has_single_quotes(utf8, separator):
        return utf8
    lines = io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="")
    text = io.StringIO()
    rows = csv.reader(lines, delimiter=separator, quotechar="'")
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def has_single_quotes(utf8: bytes, separator: str) -> bool:
    """Return True if single quotes enclose cells with separators in the first rows; see `_has_single_quotes`."""
    return _has_single_quotes(utf8[:SAMPLE].decode("utf-8", "ignore"), separator, whole=len(utf8) <= SAMPLE)


def _has_single_quotes(sample: str, separator: str, *, whole: bool) -> bool:
    """Return True if single quotes give the rows one width, and without them widths differ or each row has cut quotes.

    A separator inside single quotes cuts a cell in two, of which the first starts with a quote and the last ends with
    one.
    """
    if "'" not in sample or '"' in sample:
        return False
    plain, single = (first_rows(sample, separator, whole=whole, quote=quote) for quote in ('"', "'"))
    if len({len(row) for row in single}) != 1:
        return False
    return len({len(row) for row in plain}) > 1 or all(map(_has_cut_quotes, plain))


def _has_cut_quotes(row: Sequence[str]) -> bool:
    """Return True if cells that only start with a single quote alternate with cells that only end with one."""
    ends = [(cell.startswith("'"), cell.endswith("'")) for cell in map(str.strip, row)]
    cut = [starts for starts, stops in ends if starts != stops]
    return bool(cut) and cut == [k % 2 == 0 for k in range(len(cut))]


def rows_of_blanks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the cells of lines that are divided by runs of blanks."""
    stripped = (line.strip(" \r\n") + "\n" for line in lines)
    return csv.reader(stripped, delimiter=BLANKS, skipinitialspace=True)


def first_rows(sample: str, separator: str, *, whole: bool, quote: str = '"') -> list[list[str]]:
    """Return up to `SAMPLE_ROWS` rows that are not blank, without the last row of a sample that is not `whole`."""
    rows: list[list[str]] = []
    try:
        lines = io.StringIO(sample, newline="")
        split = csv.reader(lines, delimiter=separator, quotechar=quote)
        for row in rows_of_blanks(lines) if separator == BLANKS else split:
            if row:
                rows.append(row)
            if len(rows) == SAMPLE_ROWS:
                return rows
    except csv.Error:  # a cell of over 131 072 characters: rows after it give no evidence on the separator
        return rows
    return rows if whole or len(rows) < 2 else rows[:-1]


def has_fixed_columns(utf8: bytes) -> bool:
    """Return True if the first lines have fixed columns, one below each name in the header."""
    lines = utf8[:SAMPLE].decode("utf-8", "ignore").splitlines()
    return len(_starts(lines if len(utf8) <= SAMPLE else lines[:-1])) > 1


def without_fixed_columns(utf8: bytes) -> bytes:
    """Return the table as CSV."""
    lines = [line for line in utf8.decode("utf-8").splitlines() if line.strip()]
    starts = _starts(lines)
    ends = [*starts[1:], None]
    text = io.StringIO()
    cells = ([line[begin:end].strip() for begin, end in zip(starts, ends, strict=True)] for line in lines)
    csv.writer(text, lineterminator="\n").writerows(cells)
    return text.getvalue().encode()


def _starts(lines: Sequence[str]) -> list[int]:
    """Return the first position of each column; none if the lines have no fixed columns."""
    lines = [line.rstrip() for line in lines if line.strip()]
    if len(lines) < MIN_LINES or any("\t" in line for line in lines):
        return []
    filled = np.zeros(max(map(len, lines)) + 1, dtype=bool)
    for line in lines:
        filled[: len(line)] |= np.array([character != " " for character in line])
    starts = _joined(np.flatnonzero(filled & ~np.concatenate([[False], filled[:-1]])).tolist(), lines)
    columns = _cut(lines, starts)
    words = [len(name.split()) for name, *_ in columns]
    # Names of several words need a column of numbers: prose has none.
    return starts if all(words) and (max(words) == 1 or any(map(_has_numbers, columns))) else []


def _cut(lines: Sequence[str], starts: Sequence[int]) -> list[list[str]]:
    """Return the cells of each column, the name first."""
    ends = [*starts[1:], None]
    return [[line[begin:end].strip() for line in lines] for begin, end in zip(starts, ends, strict=True)]


def _joined(starts: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Join words of the header with one blank between them where one of them has no cells below."""
    filled = [any(column[1:]) for column in _cut(lines, starts)]
    kept, is_filled = starts[:1], filled[:1]
    for start, own in zip(starts[1:], filled[1:], strict=True):
        if lines[0][start - 2 : start].strip() and lines[0][start:].strip() and not (own and is_filled[-1]):
            is_filled[-1] |= own
        else:
            kept.append(start)
            is_filled.append(own)
    return kept


def _has_numbers(column: Sequence[str]) -> bool:
    """Return True if all cells below the name are numbers or empty, and most are numbers."""
    cells = [cell for cell in column[1:] if cell]
    return 2 * len(cells) > len(column) - 1 and all(NUMBER.fullmatch(cell) for cell in cells)
