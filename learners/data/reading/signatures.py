"""Signatures of binary files in their first and last bytes."""

from __future__ import annotations

from typing import NamedTuple

HEAD = 1024  # number of bytes that are examined at the beginning
GZIP, ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")  # the second signature of ZIP is that of an empty archive
PARQUET = b"PAR1"
SPSS, STATA, XPORT = (b"$FL2@(#)", b"$FL3@(#)"), b"<stata_dta>", b"HEADER RECORD*******LIB"
SAS = b"\0" * 12 + b"\xc2\xea\x81\x60"
PORTABLE, MAX_PORTABLE = b"SPSSPORT", 700  # text after the name in several alphabets, in lines of 80 characters


class ColumnFormat(NamedTuple):
    """A format of column files: its name, and the function of pyreadstat that reads it, or ""."""

    label: str
    reader: str


def packing(head: bytes) -> str:
    """Return "gzip" or "zip" for the first bytes of a compressed file, else ""."""
    return "gzip" if head.startswith(GZIP) else "zip" if head.startswith(ZIP) else ""


def column_format(head: bytes, tail: bytes) -> ColumnFormat | None:
    """Return the format of a column file; None for other files."""
    if head.startswith(PARQUET) and tail.endswith(PARQUET):  # a CSV file may begin with a column named PAR1
        return ColumnFormat("Parquet", "")
    if head.startswith(SPSS):
        return ColumnFormat("SPSS", "read_sav")
    # Up to version 12 a Stata file begins with its version, its byte order, 1 and 0.
    if head.startswith(STATA) or (head[2:4] == b"\1\0" and head[:1] in b"hijklmnopqrs" and head[1:2] in b"\1\2"):
        return ColumnFormat("Stata", "read_dta")
    if head.startswith(SAS):
        return ColumnFormat("SAS", "read_sas7bdat")
    if PORTABLE in head[:MAX_PORTABLE].replace(b"\r", b"").replace(b"\n", b""):
        return ColumnFormat("SPSS portable", "read_por")
    return ColumnFormat("SAS transport", "read_xport") if head.startswith(XPORT) else None
