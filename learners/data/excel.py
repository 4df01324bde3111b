"""The first filled sheet of an Excel file as the text of a CSV file."""

from __future__ import annotations

import csv
import datetime
import io
import zipfile

from python_calamine import CalamineError, CalamineWorkbook

from ..common.checks import quoted
from ..common.errors import DataError
from .sniff import MAX_BYTES

MOST_UNPACKED = 5 * MAX_BYTES  # a workbook is a packed file; one that unfolds beyond this is refused unread


def is_workbook(raw: bytes) -> bool:
    """Whether the bytes are a packed file that holds a workbook."""
    if not raw.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            return "xl/workbook.xml" in packed.namelist()
    except zipfile.BadZipFile:
        return False


def read_workbook(raw: bytes) -> tuple[bytes, str]:
    """The rows of the first sheet that holds any, as comma-separated UTF-8, and what was read.

    Raises
    ------
    DataError
        If the file is damaged, unfolds to too much, or has no filled sheet.
    """
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        size = sum(entry.file_size for entry in packed.infolist())
    if size > MOST_UNPACKED:
        raise DataError(
            f"an Excel file may unfold to at most {MOST_UNPACKED // 1024**2:,} MB, this one takes "
            f"{size // 1024**2:,} MB; save the table as CSV"
        )
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(raw))
        for name in workbook.sheet_names:
            rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
            if rows:
                return _as_csv(rows), f"Excel, sheet {quoted([name])}"
    except CalamineError as error:
        raise DataError("the Excel file is damaged and cannot be read; save the table as CSV") from error
    raise DataError("no sheet of the Excel file holds a cell; it needs a header row and rows of data")


def _as_csv(rows: list[list]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_text(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _text(cell: object) -> str:
    """A cell as a CSV file would have it: whole numbers without a point, dates as 2024-05-01."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else str(cell)
