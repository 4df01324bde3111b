"""Uploads: tables of odd columns in odd formats, and damaged files."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable

import numpy as np

Column = Callable[[np.random.Generator, int], list[str]]
WORDS = ("yes", "no", "Male", "male ", "k.A.", "-", "", "NA", "None", "NaN", "inf", "-inf", "1e400", "0x10", "1_000")
ODD_TEXTS = (
    "<script>alert(1)</script>", "=1+1", "**b**", "__proto__", "constructor", "toString", "length", "a,b", 'say "hi"',
    "line\nbreak", "\ttab", "\u202eright", "\u200b", "e\u0301", "é", "\U0001f600", "x" * 300, "'", "\\", "%s", " ",
)  # fmt: skip
NAMES = (*ODD_TEXTS, "a", "b", "target", "id", "1", "2", "row", "column 1", "column 2", "from", "type")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "latin-1", "cp1252", "utf-7")
SEPARATORS = (",", ";", "\t", "|", " ", "~")
ENDS = ("\n", "\r\n", "\r")


def odd_table(rng: np.random.Generator) -> bytes:
    """Return a file with a table, possibly damaged."""
    rows, header = _cells(rng)
    separator = SEPARATORS[rng.integers(len(SEPARATORS))] if rng.random() < 0.4 else ","
    text = io.StringIO()
    quoting = csv.QUOTE_ALL if rng.random() < 0.1 else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=separator, lineterminator=ENDS[rng.integers(3)], quoting=quoting)
    writer.writerows([header, *rows] if rng.random() < 0.95 else rows)
    raw = (_above(rng, separator) + text.getvalue()).encode(_encoding(rng), "replace")
    if rng.random() < 0.1:
        raw = damaged(rng, raw)
    return gzip.compress(raw) if rng.random() < 0.1 else raw


def damaged(rng: np.random.Generator, raw: bytes) -> bytes:
    """Return the bytes with some of them cut, changed, repeated or inserted."""
    at = int(rng.integers(len(raw) + 1))
    some = rng.bytes(int(rng.integers(1, 50)))
    ways = (
        lambda: raw[:at],
        lambda: raw[:at] + some + raw[at:],
        lambda: raw[:at] + some + raw[at + len(some) :],
        lambda: raw[:at] + raw[max(0, at - 500) :],
        lambda: raw[at:] + raw[:at],
        lambda: raw[:at] + bytes([int(rng.integers(256))]) * int(rng.integers(1, 100_000)) + raw[at:],
    )
    return ways[rng.integers(len(ways))]()


def _cells(rng: np.random.Generator) -> tuple[list[list[str]], list[str]]:
    p = int(rng.choice([1, 2, 3, 5, 8, 15, 40, 200], p=[0.04, 0.1, 0.2, 0.25, 0.2, 0.15, 0.05, 0.01]))
    n = int(rng.choice([0, 1, 2, 5, 30, 300, 2_000, 20_000], p=[0.02, 0.03, 0.03, 0.05, 0.3, 0.4, 0.15, 0.02]))
    n = min(n, 400_000 // p)
    one_kind = rng.random() < 0.7
    favourite = COLUMNS[rng.integers(len(COLUMNS))]
    columns: list[list[str]] = []
    for _ in range(p):
        if columns and rng.random() < 0.15:  # a copy, or a column that another one determines
            before = columns[rng.integers(len(columns))]
            columns.append(list(before) if rng.random() < 0.5 else [cell[:1] for cell in before])
        else:
            columns.append((favourite if one_kind else COLUMNS[rng.integers(len(COLUMNS))])(rng, n))
    if rng.random() < 0.3:
        columns = [_spoilt(rng, column) for column in columns]
    rows = [list(row) for row in zip(*columns, strict=True)]
    if rows and rng.random() < 0.05:  # a ragged row
        rows[rng.integers(len(rows))].append("more")
    odd = rng.random() < 0.3
    return rows, [str(NAMES[rng.integers(len(NAMES))]) if odd else f"v{k}" for k in range(p)]


def _spoilt(rng: np.random.Generator, column: list[str]) -> list[str]:
    for at in rng.integers(0, max(len(column), 1), int(rng.integers(0, 4))) if column else ():
        column[at] = str(WORDS[rng.integers(len(WORDS))])
    return column


def _above(rng: np.random.Generator, separator: str) -> str:
    if rng.random() > 0.1:
        return ""
    return ("sep=;\n", "A title\n\n", "\n\n", f"sep={separator}\n", "\ufeff", '"')[rng.integers(6)]


def _encoding(rng: np.random.Generator) -> str:
    return ENCODINGS[rng.integers(len(ENCODINGS))] if rng.random() < 0.3 else "utf-8"


def _drawn(texts: tuple[str, ...]) -> Column:
    return lambda rng, n: [texts[k] for k in rng.integers(0, len(texts), n)]


def _levels(rng: np.random.Generator, n: int) -> list[str]:
    r = int(rng.choice([1, 2, 3, 5, 12, 60, 5_000]))
    return [f"s{k}" for k in rng.integers(0, r, n)]


def _normal(rng: np.random.Generator, n: int) -> list[str]:
    scale = float(rng.choice([1.0, 1e-300, 1e300, 1e-9, 1e6]))
    return [repr(float(x)) for x in rng.normal(size=n) * scale + rng.choice([0.0, 1e6])]


def _whole(rng: np.random.Generator, n: int) -> list[str]:
    most = int(rng.choice([2, 10, 1_000, 2**62]))
    return [str(k) for k in rng.integers(-most, most, n)]


def _skewed(rng: np.random.Generator, n: int) -> list[str]:
    return ["rare" if x > 4 else "common" for x in np.abs(rng.standard_cauchy(n))]


def _dates(rng: np.random.Generator, n: int) -> list[str]:
    return [f"20{k % 30:02d}-{k % 14:02d}-{k % 33:02d}" for k in rng.integers(0, 10_000, n)]


def _amounts(rng: np.random.Generator, n: int) -> list[str]:
    return [f"1.{k:03d},5 €" if k % 2 else f"{k / 7:.2f}%" for k in rng.integers(0, 999, n)]


def _counter(_rng: np.random.Generator, n: int) -> list[str]:
    return [str(k + 1) for k in range(n)]


def _names(_rng: np.random.Generator, n: int) -> list[str]:
    return [f"person {k}" for k in range(n)]


COLUMNS: tuple[Column, ...] = (
    _levels, _levels, _levels, _normal, _normal, _whole, _skewed, _dates, _amounts, _counter, _names,
    _drawn(WORDS), _drawn(ODD_TEXTS), _drawn(("0", "1")), _drawn(("",)), _drawn(("5",)), _drawn(("1.5", "2.5", "-9")),
)  # fmt: skip
