"""Read the first filled sheet of an Excel file as CSV text. This module runs in the sandbox."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO
from xml.parsers import expat

from ...common.errors import DataError
from ...common.memory import check_memory
from ...common.wording import quoted
from .decompression import MAX_BYTES
from .signatures import ZIP

CELL_BYTES = 32  # memory of the reader per cell, empty cells included
ROWS_AT_ONCE = 1000
MAX_UNPACKED = 2 * MAX_BYTES  # maximum unpacked size of a workbook, which is a zip file; larger ones are refused unread
# Sheets have at most three letters for columns and seven digits for rows.
POSITION = re.compile(r"([A-Za-z]{0,3})([0-9]{0,7})", re.ASCII)
ADVICE = "Save the table as CSV"


def is_workbook(raw: bytes) -> bool:
    """Return True if the bytes are a zip file with a workbook."""
    if not raw.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            return "xl/workbook.xml" in packed.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return False


def read_workbook(raw: bytes) -> tuple[str, Iterator[bytes]]:
    """Return the name of the first sheet with a cell, and its rows as chunks of comma-separated UTF-8.

    Raises
    ------
    DataError
        If the file expands too much, or has no filled sheet.
    Exception or BaseException
        From the reader, if the file is damaged.
    """
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        _check_size(packed)
    from python_calamine import CalamineWorkbook

    workbook = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    for name in workbook.sheet_names:
        sheet = workbook.get_sheet_by_name(name)
        if sheet.height:
            return name, _as_csv(sheet.iter_rows())
    raise DataError("no sheet of the Excel file holds a cell. It needs a header row and rows of data")


def _check_size(packed: zipfile.ZipFile) -> None:
    """Raise DataError if sheets extend too far or refer to too much text, before the reader allocates memory for them.

    The reader expands each part without a limit.
    """
    entries = packed.infolist()
    size = sum(entry.file_size for entry in entries)
    if size > MAX_UNPACKED:
        raise DataError(
            f"an Excel file may expand to at most {MAX_UNPACKED // 1024**2:,} MB, this one takes "
            f"{size // 1024**2:,} MB. {ADVICE}"
        )
    texts = array("q")  # lengths of the shared strings
    extents = []
    for entry in entries:
        with packed.open(entry) as part:  # raises if a part is larger than declared
            extent = _Extent(texts)
            extent.read(part)
        extents.append((entry, extent))
    longest = max(texts, default=0)
    for entry, extent in extents:
        what = f"a sheet whose last cell is in row {extent.rows:,} and column {extent.columns:,}"
        check_memory(CELL_BYTES * extent.rows * extent.columns, what, "delete what stands far from the table")
        if extent.pointers * longest > MAX_BYTES:
            with packed.open(entry) as part:
                _check_text(part, texts)


class _Extent:
    """Extent of the cells of a part, and number of cells that refer to shared strings.

    Attributes
    ----------
    rows, columns : int
        Position of the cell farthest from the corner.
    pointers : int
        Cells whose text is a shared string.
    """

    def __init__(self, texts: array) -> None:
        self.rows = self.columns = self.pointers = 0
        self._texts, self._row, self._column = texts, 0, 0
        self._places: dict[str, int] = {}
        self._parser = _parser(self._start, self._end)

    def read(self, part: BinaryIO) -> None:
        """Read a part to its end; other content than XML has no cells."""
        _parse(self._parser, part)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "c":
            letters, digits = _split(attributes.get("r", ""))
            self._row = int(digits or self._row)
            self._column = self._place(letters) if letters else self._column + 1
            self.rows, self.columns = max(self.rows, self._row), max(self.columns, self._column)
            self.pointers += attributes.get("t") == "s"
        elif tag == "row":
            self._row, self._column = int(_split(attributes.get("r", ""))[1] or self._row + 1), 0
        elif tag == "si":
            self._texts.append(0)
            self._parser.CharacterDataHandler = self._add_text

    def _end(self, tag: str) -> None:
        if tag.rpartition(":")[2] == "si":
            self._parser.CharacterDataHandler = None

    def _add_text(self, text: str) -> None:
        self._texts[-1] += len(text.encode())

    def _place(self, letters: str) -> int:
        """Return the position of a column, counted from 1."""
        if letters not in self._places:
            number = 0
            for letter in letters.upper():
                number = 26 * number + ord(letter) - 64
            self._places[letters] = number
        return self._places[letters]


def _split(position: str) -> tuple[str, str]:
    """Return the letters and the digits of a position such as "B12"; either may be missing."""
    match = POSITION.fullmatch(position)
    if match is None:
        raise DataError(f"the Excel file has a cell {quoted([position])}, beyond the end of any sheet. {ADVICE}")
    return match[1], match[2]


def _check_text(part: BinaryIO, texts: array) -> None:
    """Raise DataError if cells refer to too much shared text, which the reader copies for each cell."""
    pointing, content, size = False, [], 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal pointing
        if tag.rpartition(":")[2] == "c":
            pointing = attributes.get("t") == "s"
        content.clear()

    def end(tag: str) -> None:
        nonlocal size
        if pointing and tag.rpartition(":")[2] == "v":
            digits = "".join(content).strip()
            place = int(digits) if digits.isdecimal() and len(digits) < 10 else len(texts)
            size += texts[place] if place < len(texts) else 0
            if size > MAX_BYTES:
                raise _too_much_text()

    parser = _parser(start, end)
    parser.CharacterDataHandler = content.append
    _parse(parser, part)


def _parser(start: object, end: object) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = parser.specified_attributes = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    return parser


def _parse(parser: expat.XMLParserType, part: BinaryIO) -> None:
    """Parse a part as far as it is XML; the reader of the workbook reports errors in the rest."""
    text = True
    while chunk := part.read(1 << 20):
        try:
            if text:
                parser.Parse(chunk)
        except expat.ExpatError:
            text = False


def _as_csv(rows: Iterable[list]) -> Iterator[bytes]:
    left = MAX_BYTES
    rows = iter(rows)
    while some := list(islice(rows, ROWS_AT_ONCE)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([text_of_cell(cell) for cell in row] for row in some)
        chunk = text.getvalue().encode("utf-8", "replace")
        left -= len(chunk)
        if left < 0:
            raise _too_much_text()
        yield chunk


def _too_much_text() -> DataError:
    return DataError(
        f"the cells of an Excel file may hold at most {MAX_BYTES // 1024**2} MB of text, these hold more. Shorten the "
        "long texts, or leave their columns out"
    )


def text_of_cell(cell: object) -> str:
    """Return a cell as CSV text: integers without a decimal point, dates as 2024-05-01."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else str(cell)
