"""From the bytes of a file to plain UTF-8, with a guess of encoding and separator."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from ..common.errors import DataError, ParameterError
from ..common.wording import quoted, shown_value
from .foreign import ColumnFile, WorkbookText, is_foreign, is_packed, read_foreign, unpack
from .formats import refuse_other_formats
from .unpacking import MAX_BYTES, checked_size

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
FEWER_ROWS, TABLE = "read its first rows only", "a header row and rows of data"  # what to do, what a file needs
BLANKS = " "  # runs of blanks, as R's write.table and aligned columns have them
SAMPLE = 1 << 20  # characters looked at to guess the separator: room for a header of 1 000 long names
SAMPLE_ROWS = 100
# Those of UTF-32 first: the short one of little endian begins them.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_bytes(
    source: str | Path | bytes,
    *,
    whole: bool = True,
    most: int | None = None,
    way_out: str = FEWER_ROWS,
    needs: str = TABLE,
) -> bytes:
    """Return the bytes of a file; of a gzip file those in it, and of a zip file those of its one table.

    Parameters
    ----------
    source : path, or the bytes themselves
    whole : bool, default True
        If False, a file beyond `most` is cut there instead of refused.
    most : int, optional
        Bytes read at most, after unpacking. Default: `MAX_BYTES`.
    way_out : str
        What to do about a file that is too large.
    needs : str
        What an empty file lacks.

    Raises
    ------
    DataError
        If the file cannot be opened or unpacked, is empty, is too large, or packs several tables.
    """
    most = MAX_BYTES if most is None else most
    with _opened(source) as file:
        raw = unpack(file, most + 1, whole) if is_packed(file) else file.read(most + 1)
    return checked_size(_filled(raw, needs), most, whole, way_out)


def read_contents(
    source: str | Path | bytes, *, whole: bool = True, preview: int | None = None
) -> bytes | WorkbookText | ColumnFile:
    """Return what a file of a table holds: bytes of text, the rows of a workbook's sheet, or columns.

    Parameters
    ----------
    source : path, or the bytes themselves
    whole : bool, default True
        If False, a file beyond `MAX_BYTES` is cut there instead of refused.
    preview : int, optional
        Read only so many bytes of text, and no columns.

    Raises
    ------
    DataError
        If the file cannot be opened or read, is empty or too large, or holds no table.
    """
    with _opened(source) as file:
        if is_foreign(file):
            held = read_foreign(file, whole=whole and preview is None, way_out=FEWER_ROWS, preview=preview)
            return _filled(held, TABLE) if isinstance(held, bytes) else held
    return read_bytes(source, whole=whole and preview is None, most=preview)


def _filled(raw: bytes, needs: str) -> bytes:
    if not raw:
        raise DataError(f"the file is empty; it needs {needs}")
    return raw


@contextlib.contextmanager
def _opened(source: str | Path | bytes) -> Iterator[BinaryIO]:
    """Open a file, or the bytes themselves; DataError if it cannot be opened or read."""
    try:
        with _file(source) as file:
            yield file
    except OSError as error:
        shown = quoted([str(source)])
        raise DataError(f"file {shown} cannot be opened ({error.strerror}); check its path") from error


def _file(source: str | Path | bytes) -> BinaryIO:
    try:
        return io.BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb")
    except (TypeError, ValueError) as error:  # a path cannot hold a zero byte
        raise ParameterError(f"source must be a path or the bytes of a file, got {shown_value(source)}") from error


def as_utf8(raw: bytes, encoding: str | None = None, *, cut: bool = False) -> tuple[bytes, str]:
    """The same text in UTF-8 without a byte order mark, and the encoding it came in.

    Parameters
    ----------
    raw : bytes
    encoding : str, optional
        Default: guessed from the byte order mark, zero bytes, and whether all bytes are valid UTF-8.
    cut : bool, default False
        The bytes may end in the middle of a row, which is then left out.

    Raises
    ------
    DataError
        If the bytes are no text in that encoding.
    ParameterError
        If the encoding is unknown.
    """
    refuse_other_formats(raw)
    name = _guess_encoding(raw) if encoding is None else _known_encoding(encoding)
    utf8 = raw.removeprefix(codecs.BOM_UTF8) if name.startswith("utf-8") else _transcoded(raw, name, cut)
    if name.startswith("utf-8") and not _is_utf8(utf8):
        line = _line_of_bad_byte(utf8)
        raise DataError(f"the file must be text in {name}, line {line} is not; choose another encoding")
    _refuse_control_characters(utf8, name)
    if not utf8 or utf8.isspace():
        raise DataError("the file is blank; it needs a header row and rows of data")
    return (_whole_rows(utf8) if cut else utf8), name


def _guess_encoding(raw: bytes) -> str:
    for bom, name in _BOMS:
        if raw.startswith(bom):
            return name
    head = raw[:4096]
    if len(head) >= 8 and not any(head[2::4] + head[3::4]) and head[0]:  # no character needs the upper half
        return "utf-32-le"
    if len(head) >= 8 and not any(head[0::4] + head[1::4]) and head[3]:
        return "utf-32-be"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    # Separators, digits and line ends of UTF-16 carry their zero byte always on the same side.
    if max(even, odd) > max(10 * min(even, odd), len(head) // 50):
        return "utf-16-be" if even > odd else "utf-16-le"
    if raw.isascii() or _is_utf8(raw):
        return "utf-8"
    return "cp1252" if _has_windows_characters(raw) else "latin-1"


def _has_windows_characters(raw: bytes) -> bool:
    """Bytes 0x80 to 0x9f are control characters in Latin-1, but quotes and the euro sign in its Windows cousin."""
    used = {byte for byte in range(0x80, 0xA0) if byte in raw}
    return bool(used) and not used & {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # these five mean nothing there


def _known_encoding(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, TypeError, ValueError) as error:
        shown = shown_value(encoding)
        raise ParameterError(f"unknown encoding {shown}; use 'utf-8', 'utf-16' or 'latin-1'") from error
    return {"iso8859-1": "latin-1"}.get(name, name)


def _is_utf8(raw: bytes) -> bool:
    decoder, view, step = codecs.getincrementaldecoder("utf-8")(), memoryview(raw), 1 << 22
    try:
        for start in range(0, len(raw), step):
            decoder.decode(view[start : start + step])
        # A character may be cut off at the size limit, where the last row is dropped anyway.
        decoder.decode(b"", final=len(raw) < MAX_BYTES)
    except UnicodeDecodeError:
        return False
    return True


def _line_of_bad_byte(raw: bytes) -> int:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return raw.count(b"\n", 0, error.start) + 1
    return 1


def _transcoded(raw: bytes, name: str, cut: bool) -> bytes:
    decoder, pieces = codecs.getincrementaldecoder(name)(), []
    try:
        for start in range(0, len(raw), SAMPLE):  # piece by piece, so that other threads have their turn
            last = start + SAMPLE >= len(raw) and not cut
            pieces.append(decoder.decode(raw[start : start + SAMPLE], last).encode("utf-8"))
        return b"".join(pieces).removeprefix(codecs.BOM_UTF8)
    except UnicodeError as error:
        raise DataError(f"the file must be text in {name}, some of it is not; choose another encoding") from error


def _refuse_control_characters(utf8: bytes, name: str) -> None:
    head = utf8[:SAMPLE]
    # What is left is C0 without tab and line ends: absent from tables, a tenth of the bytes of anything packed.
    control = len(head) - len(head.translate(None, bytes(c for c in range(32) if c not in b"\t\n\r\f")))
    if control > len(head) // 100:
        raise DataError(f"the file must be text, found binary data (read as {name}); save the table as CSV")
    if b"\0" in utf8:
        line = utf8.count(b"\n", 0, utf8.index(b"\0")) + 1
        raise DataError(f"the file must be text, line {line:,} holds a zero byte, as damaged files do; remove it")


def _whole_rows(utf8: bytes) -> bytes:
    end = utf8.rfind(b"\n")
    quotes = utf8.count(b'"', 0, max(end, 0))
    while end > 0 and quotes % 2:  # inside a quoted line break
        before = utf8.rfind(b"\n", 0, end)
        quotes -= utf8.count(b'"', max(before, 0), end)
        end = before
    return utf8[: end + 1] if end > 0 else utf8


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
