"""Packed files, gzip and zip: unpacked only as far as files of tables unfold."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from typing import BinaryIO

from ..common.checks import quoted
from ..common.errors import DataError

UNFOLDED, RATIO = 16 * 1024**2, 100  # a packed file may unfold to so many bytes, or to so many times its own
GZIP, ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")  # the second one holds nothing
TABLES = (
    ".csv",
    ".tsv",
    ".txt",
    ".tab",
    ".dat",
    ".xlsx",
    ".parquet",
    ".sav",
    ".zsav",
    ".por",
    ".dta",
    ".sas7bdat",
    ".xpt",
)
DOCUMENTS = ("xl/", "word/", "ppt/", "content.xml", "mimetype")  # what documents that are zip files begin with
DAMAGED = (EOFError, zlib.error, zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError)


def unpacked(file: BinaryIO, most: int, whole: bool) -> bytes:
    """Up to `most` bytes of a file, or of the table that it packs.

    Raises
    ------
    DataError
        If the packed file is damaged, unfolds to too much, or does not hold one table.
    """
    magic = file.read(4)
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if magic.startswith(GZIP):
        return _unfolded(lambda: gzip.GzipFile(fileobj=file), "gzip", size, most, whole)
    member = _table_in(file) if magic in ZIP else None
    if member is None:
        file.seek(0)
        return file.read(most)
    return _unfolded(lambda: zipfile.ZipFile(file).open(member), "zip", size, most, whole)


def _unfolded(opened, kind: str, size: int, most: int, whole: bool) -> bytes:
    believed = max(UNFOLDED, RATIO * size)
    try:
        with opened() as part:
            raw = part.read(min(most, believed + 1))
    except DAMAGED as error:
        raise DataError(f"a {kind} file must be complete, this one is damaged; pack it again") from error
    if whole and len(raw) > believed:
        raise DataError(
            f"a {kind} file may unfold to at most {RATIO} times its size, this one unfolds to more; unpack it first"
        )
    return raw


def _table_in(file: BinaryIO) -> zipfile.ZipInfo | None:
    """The one table of a zip file; None if it is a document, or no zip file that can be read."""
    try:
        entries = zipfile.ZipFile(file).infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return None
    if any(entry.filename.startswith(DOCUMENTS) for entry in entries):
        return None
    held = [one for one in entries if not (one.is_dir() or _hidden(one.filename))]
    tables = [one for one in held if one.filename.lower().endswith(TABLES)] or held
    if len(tables) != 1:
        found = quoted([one.filename for one in tables]) if tables else "none"
        raise DataError(f"a zip file must hold one table, found {found}; unpack it and take one of its files")
    if tables[0].flag_bits & 1:
        raise DataError(f"the zip file locks {quoted([tables[0].filename])} with a password; unpack it first")
    return tables[0]


def _hidden(name: str) -> bool:
    """Files that a system adds by itself, such as ``__MACOSX/._a.csv``."""
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith(".")
