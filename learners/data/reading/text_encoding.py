"""Decode a text file: guess its encoding and return UTF-8.

Byte order marks, zero bytes and valid UTF-8 decide nearly every file; all others are read as Windows-1252 or Latin-1.
charset-normalizer 3.5.2 was measured as a replacement, on 648 tables of 200 bytes to 20 kB. Of 264 tables in Latin-1 or
Windows-1252 in seven languages, this module read all correctly and charset-normalizer 62: it took French, Spanish,
Italian, Portuguese and Swedish for other encodings, and accented letters silently became others. Of 384 tables in other
code pages, Mac Roman, Shift-JIS, EUC, GBK or Big5, this module read 2 correctly and charset-normalizer 222. Fewer
candidates did not help the Western languages. For 1 MB, this module takes 1 ms and charset-normalizer 19 ms. A user can
name any encoding that Python knows.
"""

from __future__ import annotations

import codecs

from ...common.errors import DataError, ParameterError
from ...common.wording import shown_value
from .decompression import MAX_BYTES
from .unsupported_formats import refuse_other_formats

SAMPLE = 1 << 20  # number of characters used to guess the separator; enough for a header of 1 000 long names
# UTF-32 first, because its little-endian mark begins with that of UTF-16.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def as_utf8(raw: bytes, encoding: str | None = None, *, cut: bool = False) -> tuple[bytes, str]:
    """Return the text as UTF-8 without a byte order mark, and its encoding.

    Parameters
    ----------
    raw : bytes
    encoding : str, optional
        Default: guessed from the byte order mark, zero bytes, and validity as UTF-8.
    cut : bool, default False
        The bytes may end within a row, which is then left out.

    Raises
    ------
    DataError
        If the bytes are not text in that encoding.
    ParameterError
        If the encoding is unknown.
    """
    refuse_other_formats(raw)
    name = guess_encoding(raw) if encoding is None else known_encoding(encoding)
    utf8 = raw.removeprefix(codecs.BOM_UTF8) if name.startswith("utf-8") else _transcoded(raw, name, cut)
    if name.startswith("utf-8") and not _is_utf8(utf8):
        line = _line_of_bad_byte(utf8)
        raise DataError(f"the file must be text in {name}, line {line} is not. Choose another encoding")
    refuse_control_characters(utf8, name)
    if not utf8 or utf8.isspace():
        raise DataError("the file is blank. It needs a header row and rows of data")
    return (whole_rows(utf8) if cut else utf8), name


def guess_encoding(raw: bytes, *, cut: bool = False) -> str:
    """Guess the encoding of a text; with `cut`, its last character may be incomplete."""
    for bom, name in _BOMS:
        if raw.startswith(bom):
            return name
    head = raw[:4096]
    if len(head) >= 8 and not any(head[2::4] + head[3::4]) and head[0]:  # no character uses the upper two bytes
        return "utf-32-le"
    if len(head) >= 8 and not any(head[0::4] + head[1::4]) and head[3]:
        return "utf-32-be"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    # In UTF-16, separators, digits and line ends have their zero byte always on the same side.
    if max(even, odd) > max(10 * min(even, odd), len(head) // 50):
        return "utf-16-be" if even > odd else "utf-16-le"
    if raw.isascii() or _is_utf8(raw, cut=cut):
        return "utf-8"
    return windows_or_latin({byte for byte in range(0x80, 0xA0) if byte in raw})


def windows_or_latin(used: set[int]) -> str:
    """Return the single-byte encoding, Windows-1252 or Latin-1, of a text in which these bytes occur.

    Bytes 0x80 to 0x9f are control characters in Latin-1, quotes and the euro in Windows-1252.
    """
    used = {byte for byte in used if 0x80 <= byte < 0xA0}
    # Windows-1252 does not define these five bytes.
    return "cp1252" if used and not used & {0x81, 0x8D, 0x8F, 0x90, 0x9D} else "latin-1"


def known_encoding(encoding: str) -> str:
    """Return the canonical name of an encoding; raise ParameterError if Python does not know it."""
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, TypeError, ValueError) as error:
        shown = shown_value(encoding)
        raise ParameterError(f"unknown encoding {shown}. Use 'utf-8', 'utf-16' or 'latin-1'") from error
    return {"iso8859-1": "latin-1"}.get(name, name)


def _is_utf8(raw: bytes, *, cut: bool = False) -> bool:
    decoder, view, step = codecs.getincrementaldecoder("utf-8")(), memoryview(raw), 1 << 22
    try:
        for start in range(0, len(raw), step):
            decoder.decode(view[start : start + step])
        # A character may be cut off at the size limit, where the last row is dropped anyway.
        decoder.decode(b"", final=len(raw) < MAX_BYTES and not cut)
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
        for start in range(0, len(raw), SAMPLE):  # in chunks, so that other threads can run
            last = start + SAMPLE >= len(raw) and not cut
            pieces.append(decoder.decode(raw[start : start + SAMPLE], last).encode("utf-8"))
        return b"".join(pieces).removeprefix(codecs.BOM_UTF8)
    except UnicodeError as error:
        raise DataError(f"the file must be text in {name}, but some of it is not. Choose another encoding") from error


def refuse_control_characters(utf8: bytes, name: str) -> None:
    """Raise DataError if the text looks like binary data, or has a zero byte."""
    head = utf8[:SAMPLE]
    # Tables have no control characters except tab and line ends; compressed data have a tenth of their bytes.
    control = len(head) - len(head.translate(None, bytes(c for c in range(32) if c not in b"\t\n\r\f")))
    if control > len(head) // 100:
        raise DataError(f"the file must be text, found binary data (read as {name}). Save the table as CSV")
    if b"\0" in utf8:
        line = utf8.count(b"\n", 0, utf8.index(b"\0")) + 1
        raise DataError(f"the file must be text, line {line:,} holds a zero byte, as damaged files do. Remove it")


def whole_rows(utf8: bytes) -> bytes:
    """Return the text up to the end of its last complete row."""
    end = utf8.rfind(b"\n")
    quotes = utf8.count(b'"', 0, max(end, 0))
    while end > 0 and quotes % 2:  # the line break is inside quotes
        before = utf8.rfind(b"\n", 0, end)
        quotes -= utf8.count(b'"', max(before, 0), end)
        end = before
    return utf8[: end + 1] if end > 0 else utf8
