"""Leave out rows that are no cases: repeated headers, and below the table totals and lines on the source."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from ..column_types.cells import Encoded, compact

MAX_FOOTERS = 20  # maximum number of rows left out below a table
MIN_COLUMNS = 3  # minimum number of columns of a table in which a row with a single cell may be a line on the source
# A row of totals, in the languages of the exports that were seen.
TOTALS = re.compile(
    r"(grand |sub-?)?totals?|overall|sums?|summen?|gesamt(summe)?|insgesamt|totaal|totale|total g[ée]n[ée]ral|somme|"
    r"suma|razem|soma|summa|yhteensä|合計|總計|总计",
    re.IGNORECASE,
)
SENTENCE = re.compile(r".*[^\W\d].*[\s:].*", re.DOTALL)  # a text with a letter, and a blank or a colon


def without_repeated_headers(parts: list[Encoded], names: Sequence[str]) -> tuple[list[Encoded], int]:
    """Remove rows that repeat the header, as files have that were appended; return columns and number of rows removed.

    Parameters
    ----------
    parts : list of Encoded
        At least one column.
    names : sequence of str
        Name of each column in the header.
    """
    if len(parts) != len(names):
        return parts, 0
    repeats = np.ones(len(parts[0][0]), dtype=bool)
    for (codes, texts, _), name in zip(parts, names, strict=True):
        code = pc.index(texts, name).as_py()
        if code < 0:
            return parts, 0
        repeats &= codes == code
    if not repeats.any() or repeats.all():
        return parts, 0
    return _rows(parts, ~repeats), int(repeats.sum())


def without_footers(parts: list[Encoded]) -> tuple[list[Encoded], tuple[str, ...]]:
    """Remove the footers of a table; return the columns, and the first text of each row removed, from the top.

    A footer is one of the last rows. Its first filled cell occurs nowhere else in the column, and either names a total,
    or is a sentence and the only cell of the row. Columns before it, such as row numbers, are filled down to the last
    rows.

    Parameters
    ----------
    parts : list of Encoded
        At least one column.
    """
    n = len(parts[0][0])
    found: list[str] = []
    while len(found) < min(MAX_FOOTERS, n // 2):
        text = _footer(parts, n - 1 - len(found))
        if text is None:
            break
        found.append(text)
    if not found:
        return parts, ()
    return _rows(parts, np.arange(n) < n - len(found)), tuple(reversed(found))


def _footer(parts: list[Encoded], row: int) -> str | None:
    """Return the first text of a row if the row is a footer; None for other rows."""
    first, text = 0, _text(parts[0], row)
    while not text:
        codes, _, _ = parts[first]
        first += 1
        blank = np.flatnonzero(codes[:row] == codes[row])
        if first == len(parts) or len(blank) > MAX_FOOTERS or (blank < row - len(blank)).any():
            return None
        text = _text(parts[first], row)
    codes, _, counts = parts[first]
    if counts[codes[row]] > 1:
        return None
    if TOTALS.fullmatch(text.rstrip(":. ")):
        return text
    if len(parts) < MIN_COLUMNS or not SENTENCE.fullmatch(text):
        return None
    return None if any(_text(part, row) for part in parts[first + 1 :]) else text


def _text(part: Encoded, row: int) -> str:
    """Return the text of a cell without blanks around it."""
    codes, texts, _ = part
    return texts[int(codes[row])].as_py().strip()


def _rows(parts: list[Encoded], kept: np.ndarray) -> list[Encoded]:
    """Return the columns with the rows that are kept, (n,) bool."""
    shorter = [(codes[kept], texts) for codes, texts, _ in parts]
    return [compact(codes, texts, np.bincount(codes, minlength=len(texts))) for codes, texts in shorter]
