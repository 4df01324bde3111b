"""The first filled sheet of an Excel file as the text of a CSV file."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterable

from python_calamine import CalamineError, CalamineWorkbook

from ..common.checks import quoted
from ..common.errors import DataError
from ..common.memory import allow
from .sniff import MAX_BYTES

CELL_BYTES = 32  # of a cell in the reader, empty or not
AT_ONCE = 1 << 20  # bytes unfolded at a time
COLUMN, ROW = re.compile(rb' r="([A-Z]{1,3})[0-9]'), re.compile(rb' r="[A-Z]{1,3}([0-9]{1,7})"')
PACKED = b"PK\x03\x04"
MOST_UNPACKED = 2 * MAX_BYTES  # a workbook is a packed file; one that unfolds beyond this is refused unread


def is_workbook(raw: bytes) -> bool:
    """Whether the bytes are a packed file that holds a workbook."""
    if not raw.startswith(PACKED):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            return "xl/workbook.xml" in packed.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        return False


def read_workbook(raw: bytes) -> tuple[bytes, str]:
    """The rows of the first sheet that holds any, as comma-separated UTF-8, and what was read.

    Raises
    ------
    DataError
        If the file is damaged, unfolds to too much, or has no filled sheet.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            _check_size(packed)
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(raw))
        for name in workbook.sheet_names:
            sheet = workbook.get_sheet_by_name(name)
            if sheet.height:
                return _as_csv(sheet.iter_rows()), f"Excel, sheet {quoted([name])}"
    except (CalamineError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DataError("the Excel file is damaged and cannot be read; save the table as CSV") from error
    raise DataError("no sheet of the Excel file holds a cell; it needs a header row and rows of data")


def _check_size(packed: zipfile.ZipFile) -> None:
    """Unfold every part, which the reader does whatever its size is said to be, and see how far its cells reach."""
    size = sum(entry.file_size for entry in packed.infolist())
    if size > MOST_UNPACKED:
        raise DataError(
            f"an Excel file may unfold to at most {MOST_UNPACKED // 1024**2:,} MB, this one takes "
            f"{size // 1024**2:,} MB; save the table as CSV"
        )
    for entry in packed.infolist():
        with packed.open(entry) as part:  # breaks off where a part is larger than it is said to be
            width, height = _reach(iter(lambda part=part: part.read(AT_ONCE), b""))
        what = f"a sheet whose last cell is in row {height:,} and column {width:,}"
        allow(CELL_BYTES * width * height, what, "delete what stands far from the table")


def _reach(chunks: Iterable[bytes]) -> tuple[int, int]:
    """The column and the row of the cell farthest from the corner: the reader makes room for all before it."""
    column, row, tail = b"", 0, b""
    for chunk in chunks:
        text = tail + chunk
        columns, rows = set(COLUMN.findall(text)), set(ROW.findall(text))
        column = max(column, *columns, key=lambda letters: (len(letters), letters)) if columns else column
        row = max(row, *map(int, rows)) if rows else row
        tail = text[-32:]
    return sum((letter - 64) * 26**k for k, letter in enumerate(reversed(column))), row


def _as_csv(rows: Iterable[list]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([text_of_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def text_of_cell(cell: object) -> str:
    """A cell as a CSV file would have it: whole numbers without a point, dates as 2024-05-01."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else str(cell)
