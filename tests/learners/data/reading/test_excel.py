"""Tests that an Excel file is read like its CSV file."""

import datetime
import io
import zipfile

import openpyxl
import pytest

from learners.common.errors import DataError
from learners.data.reading.table import read_table


def workbook(**sheets):
    """Return the bytes of a workbook with these sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


ROWS = [["age", "born", "smokes", "dose"], [61, datetime.date(1963, 5, 1), "yes", 1.5], [48, None, "no", 2]]


def test_a_sheet_gives_the_cells_of_its_csv():
    """Integers have no decimal point, dates are in ISO format, and empty cells are empty."""
    table = read_table(workbook(data=ROWS))
    assert table.names == ("age", "born", "smokes", "dose")
    assert table.frame.to_numpy(dtype=object).tolist() == [["61", "1963-05-01", "yes", "1.5"], ["48", "", "no", "2"]]
    assert (table.guess.encoding, table.guess.separator) == ("Excel, sheet 'data'", "")


def test_empty_sheets_and_titles_are_passed_over():
    """The first sheet with cells is read, starting at its header."""
    table = read_table(workbook(empty=[], other=[["Our patients"], [], *ROWS]))
    assert (table.names, table.n) == (("age", "born", "smokes", "dose"), 2)
    assert "'Our patients'" in table.guess.notes[0]


def test_damaged_empty_and_oversized_files_end_in_a_sentence():
    """Empty, damaged and oversized files each raise a DataError."""
    with pytest.raises(DataError, match="no sheet of the Excel file holds a cell"):
        read_table(workbook(empty=[]))
    broken = io.BytesIO()
    with zipfile.ZipFile(broken, "w") as packed:
        packed.writestr("xl/workbook.xml", "<nothing")
    with pytest.raises(DataError, match="damaged"):
        read_table(broken.getvalue())
    data = bytearray(workbook(data=ROWS))
    at = data.rindex(b"PK\1\2") + 24
    data[at : at + 4] = (1 << 30).to_bytes(4, "little")
    with pytest.raises(DataError, match="may expand to at most 400 MB, this one takes 1,024 MB"):
        read_table(bytes(data))


def rewritten(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """Return the workbook with a replaced text in one of its parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old_file, zipfile.ZipFile(out, "w") as new_file:
        for name in old_file.namelist():
            text = old_file.read(name)
            new_file.writestr(name, text.replace(old, new) if name == part else text)
    return out.getvalue()


def test_a_cell_far_away_is_refused_before_room_is_made_for_all_before_it():
    """A single cell far from the others is refused before 16,384 times a million cells are allocated."""
    data = workbook(one=[["a", "b"], [1, 2]])
    far = rewritten(data, "xl/worksheets/sheet1.xml", b'r="B2"', b'r="XFD1048576"')
    with pytest.raises(DataError, match="last cell is in row 1,048,576 and column 16,384 would take 512.0 GB"):
        read_table(far)
    assert read_table(rewritten(data, "xl/worksheets/sheet1.xml", b'r="B2"', b'r="B9"')).p == 2


def test_a_part_that_is_larger_than_it_says_is_refused():
    """A part of the workbook that is larger than its claimed size is refused."""
    data = workbook(one=[["a", "b"], *[[1, 2]] * 500])
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        size = packed.getinfo("xl/worksheets/sheet1.xml").file_size
    with pytest.raises(DataError, match="damaged"):
        read_table(data.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little")))
