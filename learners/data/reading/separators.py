"""Guess the separator of a text table."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator

from ...common.errors import DataError
from .text_encoding import SAMPLE

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
BLANKS = " "  # runs of blanks, as R's write.table and aligned columns have them
SAMPLE_ROWS = 100


def guess_separator(utf8: bytes) -> str:
    """The separator under which the first rows fall into most columns, all rows alike.

    If no separator gives rows of one length: the one that fits most rows. If none splits the header: runs of blanks
    if these give rows alike, else the comma.
    """
    sample = utf8[:SAMPLE].decode("utf-8", "ignore")
    whole = len(utf8) <= SAMPLE
    best, guess = (0.0, 1), ""
    for separator in SEPARATORS:
        widths = [len(row) for row in first_rows(sample, separator, whole=whole)]
        width = Counter(widths).most_common(1)[0][0] if widths else 0
        if width > 1:
            rank = (widths.count(width) / len(widths), width)
            if rank > best:
                best, guess = rank, separator
    return guess or (BLANKS if _has_aligned_rows(sample, whole) else ",")


def _has_aligned_rows(sample: str, whole: bool) -> bool:
    """Whether runs of blanks give rows of one width; the header may lack the name of the rows' names."""
    widths = [len(row) for row in first_rows(sample, BLANKS, whole=whole)]
    return len(widths) > 2 and widths[1] > 1 and set(widths[1:]) == {widths[1]} and widths[1] - widths[0] in (0, 1)


def without_blanks(utf8: bytes) -> bytes:
    """The same rows with a comma for every run of blanks between cells."""
    lines = io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="")
    text = io.StringIO()
    try:
        csv.writer(text, lineterminator="\n").writerows(_rows_of_blanks(lines))
    except csv.Error as error:
        raise DataError("the rows cannot be split at blanks; choose another separator") from error
    return text.getvalue().encode()


def _rows_of_blanks(lines: Iterable[str]) -> Iterator[list[str]]:
    stripped = (line.strip(" \r\n") + "\n" for line in lines)
    return csv.reader(stripped, delimiter=BLANKS, skipinitialspace=True)


def first_rows(sample: str, separator: str, *, whole: bool) -> list[list[str]]:
    """Up to `SAMPLE_ROWS` rows that are not blank; of a sample that is not `whole` the last row is left out."""
    rows: list[list[str]] = []
    try:
        lines = io.StringIO(sample, newline="")
        for row in _rows_of_blanks(lines) if separator == BLANKS else csv.reader(lines, delimiter=separator):
            if row:
                rows.append(row)
            if len(rows) == SAMPLE_ROWS:
                return rows
    except csv.Error:  # a cell beyond 131 072 characters: rows after it say nothing about the separator
        return rows
    return rows if whole or len(rows) < 2 else rows[:-1]
