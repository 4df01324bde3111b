"""Tables in columns of fixed width: blanks in the same places of all lines divide the cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np

from .text_encoding import SAMPLE

MIN_LINES = 4  # header included; fewer lines have common blanks by chance


def has_fixed_columns(utf8: bytes) -> bool:
    """Return True if the first lines have fixed columns, one below each word of the header."""
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
    starts = np.flatnonzero(filled & ~np.concatenate([[False], filled[:-1]])).tolist()
    header = [lines[0][begin:end].split() for begin, end in zip(starts, [*starts[1:], None], strict=True)]
    return starts if all(len(words) == 1 for words in header) else []
