"""Zip files as Edgewise writes them: their entries are counted before they are read, and only zlib unfolds them.

A stranger's zip file may list millions of entries in a few megabytes, or ask for four gigabytes to unfold one by LZMA.
"""

from __future__ import annotations

import io
import struct
import zipfile

END = struct.Struct("<4s4H2LH")  # the last record of a zip file: its marks, counts, size and place of the list, comment
LOCATOR = b"PK\6\7"  # of a second such record, which files beyond 4 GB have
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENTRY_BYTES = 256  # of a short name in the list


def open_archive(raw: bytes, max_entries: int) -> zipfile.ZipFile:
    """Return the zip file that `raw` holds, a context manager.

    Raises
    ------
    zipfile.BadZipFile
        If it is no zip file as Edgewise writes one: with a comment, too many entries, or another way of packing.
    """
    if len(raw) < END.size or LOCATOR in raw[-END.size - 20 : -END.size]:
        raise zipfile.BadZipFile("no plain end")
    mark, _disk, _first, _here, entries, size, _at, comment = END.unpack(raw[-END.size :])
    if mark != b"PK\5\6" or comment or entries > max_entries or size > ENTRY_BYTES * max_entries:
        raise zipfile.BadZipFile("no plain end, or too many entries")
    file = zipfile.ZipFile(io.BytesIO(raw))
    if not all(entry.compress_type in METHODS for entry in file.infolist()):
        raise zipfile.BadZipFile("another way of packing")
    return file
