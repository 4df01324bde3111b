"""Open a file, or the bytes of one, and return its contents decompressed."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ...common.errors import DataError, ParameterError
from ...common.wording import quoted, shown_value
from .binary_files import ColumnFile, WorkbookText, is_foreign, is_packed, read_foreign, unpack
from .decompression import MAX_BYTES, checked_size

SAVE_AS_TEXT = "Save fewer rows or columns, or save it as CSV"
# Texts for messages: a fix, and the required content.
READ_FEWER_ROWS, TABLE = "Read only its first rows", "a header row and rows of data"


def read_bytes(
    source: str | Path | bytes,
    *,
    whole: bool = True,
    most: int | None = None,
    advice: str = READ_FEWER_ROWS,
    needs: str = TABLE,
) -> bytes:
    """Return the bytes of a file, decompressed if it is a gzip file or a zip file with one table.

    Parameters
    ----------
    source : path, or the bytes themselves
    whole : bool, default True
        If False, a file beyond `most` is cut there instead of refused.
    most : int, optional
        Limit of the bytes after decompression. Default: `MAX_BYTES`.
    advice : str
        Advice for a file that is too large.
    needs : str
        Required content of a file, for the message on an empty one.

    Raises
    ------
    DataError
        If the file cannot be opened or decompressed, is empty or too large, or contains several tables.
    """
    most = MAX_BYTES if most is None else most
    with _opened(source) as file:
        raw = unpack(file, most + 1, whole) if is_packed(file) else file.read(most + 1)
    return checked_size(_filled(raw, needs), most, whole, advice)


def read_contents(
    source: str | Path | bytes, *, whole: bool = True, preview: int | None = None
) -> bytes | WorkbookText | ColumnFile:
    """Return the contents of a file: bytes of text, the rows of a workbook's sheet, or columns.

    Parameters
    ----------
    source : path, or the bytes themselves
    whole : bool, default True
        If False, a file beyond `MAX_BYTES` is cut there instead of refused.
    preview : int, optional
        Read only this number of bytes of text, and no columns.

    Raises
    ------
    DataError
        If the file cannot be opened or read, is empty or too large, or has no table.
    """
    with _opened(source) as file:
        if is_foreign(file):
            advice = READ_FEWER_ROWS if is_packed(file) else SAVE_AS_TEXT
            held = read_foreign(file, whole=whole and preview is None, advice=advice, preview=preview)
            return _filled(held, TABLE) if isinstance(held, bytes) else held
    return read_bytes(source, whole=whole and preview is None, most=preview)


def _filled(raw: bytes, needs: str) -> bytes:
    if not raw:
        raise DataError(f"the file is empty. It needs {needs}")
    return raw


@contextlib.contextmanager
def _opened(source: str | Path | bytes) -> Iterator[BinaryIO]:
    """Open a file, or the bytes themselves; DataError if it cannot be opened or read."""
    try:
        with _file(source) as file:
            yield file
    except OSError as error:
        shown = quoted([str(source)])
        raise DataError(f"file {shown} cannot be opened ({error.strerror}). Check its path") from error


def _file(source: str | Path | bytes) -> BinaryIO:
    try:
        return io.BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb")
    except (TypeError, ValueError) as error:  # a path cannot hold a zero byte
        raise ParameterError(f"source must be a path or the bytes of a file, got {shown_value(source)}") from error
