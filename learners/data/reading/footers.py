"""Leave out rows below a table that are no cases: totals, and lines on the source."""

from __future__ import annotations

import re

import numpy as np

from ..column_types.cells import Encoded, compact

MAX_FOOTERS = 20  # maximum number of rows left out
MIN_COLUMNS = 3  # minimum number of columns of a table in which a row with a single cell may be a line on the source
# A row of totals, in the languages of the exports that were seen.
TOTALS = re.compile(
    r"(grand |sub-?)?totals?|overall|sums?|summen?|gesamt(summe)?|insgesamt|totaal|totale|total g[ée]n[ée]ral|somme|"
    r"suma|razem|soma|summa|yhteensä|合計|總計|总计",
    re.IGNORECASE,
)
SENTENCE = re.compile(r".*[^\W\d].*[\s:].*", re.DOTALL)  # a text with a letter, and a blank or a colon


def without_footers(parts: list[Encoded]) -> tuple[list[Encoded], tuple[str, ...]]:
    """Remove the footers of a table; return the columns, and the first text of each row removed, from the top.

    A footer is one of the last rows. Its first cell occurs nowhere else in the column, and either names a total, or is
    a sentence and the only cell of the row.

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
    kept = [(codes[: n - len(found)], texts) for codes, texts, _ in parts]
    shorter = [compact(codes, texts, np.bincount(codes, minlength=len(texts))) for codes, texts in kept]
    return shorter, tuple(reversed(found))


def _footer(parts: list[Encoded], row: int) -> str | None:
    """Return the first text of a row if the row is a footer; None for other rows."""
    codes, texts, counts = parts[0]
    text = texts[int(codes[row])].as_py().strip()
    if not text or counts[codes[row]] > 1:
        return None
    if TOTALS.fullmatch(text.rstrip(":. ")):
        return text
    if len(parts) < MIN_COLUMNS or not SENTENCE.fullmatch(text):
        return None
    others = (texts[int(codes[row])].as_py() for codes, texts, _ in parts[1:])
    return None if any(other.strip() for other in others) else text
