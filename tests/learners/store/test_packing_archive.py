"""Tests that zip files that Edgewise did not write are refused before they use much memory or time."""

import io
import zipfile

import pytest

from learners.common.errors import DataError
from learners.store import packing
from learners.store.packing import open_archive, pack, unpack


def zipped(names, method=zipfile.ZIP_DEFLATED, comment=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        file.comment = comment
        for name in names:
            file.writestr(name, b"{}" * 50)
    return out.getvalue()


def test_what_edgewise_writes_is_opened():
    """A packed value can be opened as an archive."""
    with open_archive(pack([1, 2.5, "x"]), 2) as file:
        assert len(file.namelist()) == 2


@pytest.mark.parametrize(
    "raw",
    [
        zipped(["tree.json", "arrays.bin"], zipfile.ZIP_LZMA),
        zipped(["tree.json", "arrays.bin"], zipfile.ZIP_BZIP2),
        zipped(["tree.json", "arrays.bin"], comment=b"hello"),
        zipped(["tree.json", "arrays.bin", "more"]),
        zipped(["tree.json", "arrays.bin"])[:-1],
        b"",
    ],
    ids=["lzma", "bzip2", "comment", "more entries", "cut off", "empty"],
)
def test_other_zip_files_are_refused(raw):
    """Other zip files are refused with the message that the data are corrupt or of another version."""
    with pytest.raises(zipfile.BadZipFile):
        open_archive(raw, 2)
    with pytest.raises(DataError, match="the stored data is corrupt or from another version"):
        unpack(raw)


def test_entries_are_counted_before_they_are_listed(monkeypatch):
    """Too many entries are refused before they are listed, which takes half a kilobyte of memory per entry."""
    many = zipped(map(str, range(300)))
    lies = bytearray(many)
    lies[-14:-10] = b"\1\0\1\0"  # change the counts of entries, but not the size of the directory
    monkeypatch.setattr(packing.zipfile, "ZipFile", lambda *_: pytest.fail("the list was read"))
    for raw in (many, bytes(lies)):
        with pytest.raises(zipfile.BadZipFile, match="too many entries"):
            open_archive(raw, 2)


@pytest.mark.parametrize("at", range(0, 200, 7))
def test_a_packed_value_with_a_changed_byte_is_refused_or_read(at):
    """A changed byte, also one that truncates the compressed data, gives a value or a DataError."""
    raw = bytearray(pack({"a": list(range(500))}))
    raw[at % len(raw)] ^= 0x55
    try:
        assert unpack(bytes(raw)) is not None
    except DataError as error:
        assert str(error).endswith("export it again")  # noqa: PT017  (either outcome is allowed)
