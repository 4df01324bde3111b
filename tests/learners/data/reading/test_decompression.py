"""Tests of packed tables: a zip file with one table is read, and any other zip file is refused."""

import io
import zipfile

import pytest

from learners.common.errors import DataError
from learners.data.reading.table import first_lines, read_table

CSV = "a,b\n1,x\n2,y\n3,x\n"


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(name.replace("__", "."), text)
    return packed.getvalue()


def test_the_one_table_of_a_zip_file_is_read():
    """The only table of a zip file is read, whatever other files and system files the zip file contains."""
    alone = read_table(CSV.encode())
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as file:
        for name in ("data/", "data/mine.csv", "data/notes.pdf", "__MACOSX/data/._mine.csv", "data/.DS_Store"):
            file.writestr(name, CSV if name == "data/mine.csv" else "")
    packed = read_table(raw.getvalue())
    assert packed.frame.equals(alone.frame)
    assert first_lines(raw.getvalue()) == CSV.splitlines()
    assert read_table(zipped(table=CSV)).frame.equals(alone.frame)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (zipped(a__csv=CSV, b__csv=CSV), "must hold one table, found 'a.csv' and 'b.csv'. Unpack it and take one"),
        (zipped(), "must hold one table, found none"),
        (zipped(a__csv="a,b\n" + "1,2\n" * 8_000_000), "expand to at most 100 times its size"),
        (zipped(a__csv=CSV).replace(b"1,x", b"9,x"), "damaged"),
    ],
    ids=["two tables", "nothing", "a bomb", "a byte changed"],
)
def test_other_zip_files_are_refused_in_a_sentence(raw, sentence):
    """A zip file with no table or several, a bomb, and a damaged file are refused with the reason."""
    with pytest.raises(DataError, match=sentence):
        read_table(raw if "damaged" not in sentence else damaged(raw))


def damaged(raw):
    """Return the packed bytes with one byte changed."""
    at = raw.index(b"a.csv") + len(b"a.csv") + 2
    return raw[:at] + bytes([raw[at] ^ 255]) + raw[at + 1 :]


def test_a_locked_zip_file_says_so():
    """An encrypted file, marked by a flag in the zip directory, is refused as locked with a password."""
    raw = bytearray(zipped(a__csv=CSV))
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(DataError, match="locks 'a.csv' with a password"):
        read_table(bytes(raw))
