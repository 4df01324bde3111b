"""Decompress gzip and zip files up to a limit that files of tables do not reach. This module runs in the sandbox."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from typing import BinaryIO

from ...common.errors import DataError
from ...common.wording import quoted
from .signatures import packing

MAX_BYTES = 200 * 1024**2  # maximum size of a table as text
UNFOLDED, RATIO = 16 * 1024**2, 100  # maximum size of an unpacked file, in bytes and relative to the packed file
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
# Names of entries with which documents that are zip files begin.
DOCUMENTS = ("xl/", "word/", "ppt/", "content.xml", "mimetype")


def unpacked(file: BinaryIO, most: int, whole: bool) -> bytes:
    """Return up to `most` bytes of a file, decompressed if it is compressed.

    Raises
    ------
    DataError
        If the compressed file expands too much, or contains more than one table.
    Exception
        From the decompressor, if the file is damaged.
    """
    file.seek(0)
    kind = packing(file.read(4))
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if kind == "gzip":
        return _unfolded(lambda: gzip.GzipFile(fileobj=file), kind, size, most, whole)
    member = table_in(file) if kind else None
    if member is None:
        file.seek(0)
        return file.read(most)
    return _unfolded(lambda: zipfile.ZipFile(file).open(member), kind, size, most, whole)


def _unfolded(opened: Callable[[], BinaryIO], kind: str, size: int, most: int, whole: bool) -> bytes:
    believed = max(UNFOLDED, RATIO * size)
    with opened() as part:
        raw = part.read(min(most, believed + 1))
    if whole and len(raw) > believed:
        raise DataError(
            f"a {kind} file may expand to at most {RATIO} times its size, this one expands to more. Unpack it first"
        )
    return raw


def table_in(file: BinaryIO) -> zipfile.ZipInfo | None:
    """Return the only table in a zip file; None if it is a document, or cannot be read."""
    try:
        entries = zipfile.ZipFile(file).infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return None
    if any(entry.filename.startswith(DOCUMENTS) for entry in entries):
        return None
    held = [entry for entry in entries if not (entry.is_dir() or _hidden(entry.filename))]
    tables = [entry for entry in held if entry.filename.lower().endswith(TABLES)] or held
    if len(tables) != 1:
        found = quoted([entry.filename for entry in tables]) if tables else "none"
        raise DataError(f"a zip file must hold one table, found {found}. Unpack it and take one of its files")
    if tables[0].flag_bits & 1:
        raise DataError(f"the zip file locks {quoted([tables[0].filename])} with a password. Unpack it first")
    return tables[0]


def _hidden(name: str) -> bool:
    """Return True for files that an operating system adds, such as ``__MACOSX/._a.csv``."""
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith(".")


def checked_size(raw: bytes, most: int, whole: bool, advice: str) -> bytes:
    """Return at most `most` bytes of `raw`; DataError if there are more and `whole` is True."""
    if whole and len(raw) > most:
        raise DataError(f"a file may hold at most {most // 1024**2} MB, this one holds more. {advice}")
    return raw[:most]
