"""Text of a file in pieces of UTF-8, so that a file may be larger than memory."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ...common.errors import DataError
from .decompression import MAX_BYTES, table_in
from .separators import rows_of_blanks
from .signatures import HEAD, column_format, packing
from .text_encoding import SAMPLE, guess_encoding, known_encoding, refuse_control_characters, windows_or_latin

LINE_FEED = ord("\n")
PIECE = 1 << 20  # number of bytes decoded at a time
MAX_STREAM_BYTES = 20 * 1024**3  # maximum size of a table as text
RATIO = 5  # packed files above 1/RATIO of the limit are read as streams, which also reads small ones correctly


DAMAGED = (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile)  # raised by a damaged packed file


class NotUtf8(Exception):
    """A file that began as UTF-8 contains bytes that are not UTF-8."""


class LongLine(Exception):
    """A line is longer than a block of the parser."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class Stream:
    """A file of text that can be read several times.

    Attributes
    ----------
    opened : callable
        Returns the decompressed file, open at its beginning.
    size : int or None
        Number of decompressed bytes, if it is known.
    """

    opened: Callable[[], BinaryIO]
    size: int | None


def stream_of(source: str | Path | bytes) -> Stream:
    """Return the decompressed text of a path or of bytes."""
    if isinstance(source, bytes):
        return Stream(lambda: io.BytesIO(source), len(source))
    path = Path(source)
    with path.open("rb") as file:
        kind = packing(file.read(HEAD))
        if kind == "gzip":
            return Stream(lambda: gzip.open(path), None)
        member = table_in(file) if kind else None
    if member is None:
        return Stream(lambda: path.open("rb", buffering=0), path.stat().st_size)
    return Stream(lambda: zipfile.ZipFile(path).open(member), member.file_size)


def is_long_text(source: str | Path | bytes) -> bool:
    """Return True for text that may hold more than `MAX_BYTES`: plain bytes, or the path of a plain or packed file."""
    if isinstance(source, bytes):
        head, tail = source[:HEAD], source[-HEAD:]
        return len(source) > MAX_BYTES and not packing(head) and not column_format(head, tail)
    try:
        size = Path(source).stat().st_size
        if size <= MAX_BYTES // RATIO:
            return False
        with Path(source).open("rb") as file:
            head = file.read(HEAD)
            file.seek(-min(size, HEAD), io.SEEK_END)
            tail = file.read()
        if column_format(head, tail) or (not packing(head) and size <= MAX_BYTES):
            return False
        stream = stream_of(source)
        with stream.opened() as file:
            head = file.read(HEAD)
        return not (column_format(head, b"") or packing(head))
    except (OSError, EOFError, ValueError, TypeError, zipfile.BadZipFile, NotImplementedError, DataError):
        return False  # the reader of small files names the fault


def encoding_of(stream: Stream, encoding: str | None) -> str:
    """Return the encoding of the text, guessed from its first bytes if it is not given."""
    if encoding is not None:
        return known_encoding(encoding)
    with stream.opened() as file:
        head = file.read(SAMPLE)
    name = guess_encoding(head, cut=True)
    return single_byte_encoding(stream) if name in ("cp1252", "latin-1") else name


def single_byte_encoding(stream: Stream) -> str:
    """Choose Windows-1252 or Latin-1 by the bytes of the whole file."""
    used: set[int] = set()
    with stream.opened() as file:
        while piece := file.read(PIECE):
            if not piece.isascii():
                used.update(piece)
    return windows_or_latin(used)


def pieces_of(stream: Stream, encoding: str, guessed: bool, most: int | None) -> Iterator[bytes]:
    """Yield the text as UTF-8 without a byte order mark.

    Parameters
    ----------
    stream : Stream
    encoding : str
    guessed : bool
        The encoding was guessed from the first bytes.
    most : int or None
        Limit of the decompressed bytes.

    Raises
    ------
    NotUtf8
        If the guess of UTF-8 was wrong.
    DataError
        If the file is larger, damaged, or not text in that encoding.
    """
    decoder = codecs.getincrementaldecoder(encoding.removesuffix("-sig"))()
    plain = encoding.startswith("utf-8")
    lines, seen, first = 1, 0, True
    with stream.opened() as file:
        while True:
            raw = file.read(PIECE)
            seen += len(raw)
            if most is not None and seen > most:
                raise DataError(
                    f"a file may hold at most {most // 1024**3} GB, this one holds more. Read its first rows or a "
                    "sample of its rows only"
                )
            try:
                if plain and raw.isascii() and not decoder.getstate()[0]:
                    piece = raw
                else:
                    piece = decoder.decode(raw, not raw).encode()
            except UnicodeError as error:
                if plain and guessed:
                    raise NotUtf8 from error
                line = lines + raw.count(b"\n", 0, getattr(error, "start", 0))
                at = f"line {line}" if plain else "some of it"
                raise DataError(f"the file must be text in {encoding}, {at} is not. Choose another encoding") from error
            if first and piece:
                piece = piece.removeprefix(codecs.BOM_UTF8)
                refuse_control_characters(piece, encoding)
                first = False
            if b"\0" in piece:
                line = lines + piece.count(b"\n", 0, piece.index(b"\0"))
                raise DataError(
                    f"the file must be text, line {line:,} holds a zero byte, as damaged files do. Remove it"
                )
            lines += count_lines(piece)
            if piece:
                yield piece
            if not raw:
                return


def count_lines(piece: bytes) -> int:
    """Return the number of line feeds, in a tenth of the time of `bytes.count`."""
    return int(np.count_nonzero(np.frombuffer(piece, np.uint8) == LINE_FEED))


class Pieces(io.RawIOBase):
    """A file object over pieces of text that skips the first `skip` bytes.

    Raises
    ------
    LongLine
        If a line is longer than `block` bytes.
    """

    def __init__(self, pieces: Iterator[bytes], skip: int = 0, block: int | None = None, line: int = 1) -> None:
        self._pieces, self._left, self._skip, self._block = pieces, b"", skip, block
        self._run, self._line = 0, line

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, fewer only at the end. A piece of this size is not copied."""
        held, seen = [self._left], len(self._left)
        while (size < 0 or seen < size) and (piece := self.next_piece()):
            held.append(piece)
            seen += len(piece)
        held = [part for part in held if part]
        whole = held[0] if len(held) == 1 else b"".join(held)
        if 0 <= size < len(whole):
            self._left = whole[size:]
            return whole[:size]
        self._left = b""
        return whole

    def readinto(self, target: memoryview) -> int:
        """Fill the target with the next bytes, and return their number."""
        found = self.read(len(target))
        target[: len(found)] = found
        return len(found)

    def next_piece(self) -> bytes:
        """Return the next piece that is not skipped, without a copy; empty at the end. Do not use `read` as well."""
        for piece in self._pieces:
            skipped = min(self._skip, len(piece))
            self._skip -= skipped
            if skipped:
                piece = piece[skipped:]
            if self._block is not None:
                self._check_lines(piece)
            if piece:
                return piece
        return b""

    def _check_lines(self, piece: bytes) -> None:
        """Raise LongLine if a line that ends in the piece, or has not ended yet, is too long."""
        last = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        ends = [end for mark in (b"\n", b"\r") if (end := piece.find(mark)) >= 0]
        if self._run + (min(ends) if ends else len(piece)) > self._block:
            raise LongLine(self._line)
        if len(piece) > self._block:
            for at, line in enumerate(piece.splitlines(keepends=True)):
                if len(line) > self._block:
                    raise LongLine(self._line + at)
        self._run = len(piece) - last - 1 if last >= 0 else self._run + len(piece)
        self._line += count_lines(piece)


def buffered(pieces: Iterator[bytes], skip: int = 0, block: int | None = None, line: int = 1) -> io.BufferedReader:
    """Return a file object over pieces of text; see `Pieces`."""
    return io.BufferedReader(Pieces(pieces, skip, block, line), PIECE)


def with_commas(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces of a table whose cells are divided by runs of blanks as comma-separated text."""
    lines = io.TextIOWrapper(buffered(pieces), encoding="utf-8", newline="")
    try:
        yield from _written(rows_of_blanks(lines), ",")
    except csv.Error as error:
        raise DataError("the rows cannot be split at blanks. Choose another separator") from error


def with_double_quotes_only(pieces: Iterator[bytes], separator: str) -> Iterator[bytes]:
    """Yield the pieces of a table with double quotes in place of single ones."""
    lines = io.TextIOWrapper(buffered(pieces), encoding="utf-8", newline="")
    yield from _written(csv.reader(lines, delimiter=separator, quotechar="'"), separator)


def _written(rows: Iterator[list[str]], separator: str) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        if text.tell() >= PIECE // 4:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
    if text.tell():
        yield text.getvalue().encode()
