"""Compressed files, workbooks and column files, read in a sandboxed child process.

The native libraries that read them may crash, panic, or allocate as much memory as a file claims to need; see
`common.sandbox`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from ...common.errors import DataError
from ...common.memory import MEGABYTE, VARIABLE, step_limit_bytes
from ...common.optional_packages import MissingPackage, is_installed
from ...common.sandbox import ChildFailed, run_in_sandbox
from ...common.wording import quoted, quoted_columns
from .binary_reader import OPTIONAL
from .decompression import MAX_BYTES
from .signatures import HEAD, column_format, packing

READER = "learners.data.reading.binary_reader"


@dataclass(frozen=True)
class WorkbookText:
    """The rows of a sheet as comma-separated UTF-8, and the label of the sheet."""

    utf8: bytes
    label: str


@dataclass(frozen=True)
class ColumnFile:
    """The columns of a file.

    Attributes
    ----------
    names : tuple of str
    columns : tuple of pyarrow chunked arrays
        Dictionary-encoded texts, empty where a cell is missing.
    label : str
        Kind of the file.
    notes : tuple of str
        One sentence on each change of cells.
    """

    names: tuple[str, ...]
    columns: tuple[pa.ChunkedArray, ...]
    label: str
    notes: tuple[str, ...] = ()


def is_packed(file: BinaryIO) -> bool:
    """Return True for a gzip or zip file; rewind the file."""
    return bool(packing(_ends(file)[0]))


def is_foreign(file: BinaryIO) -> bool:
    """Return True for a compressed file, a workbook or a column file; rewind the file."""
    head, tail = _ends(file)
    return bool(packing(head) or column_format(head, tail))


def unpack(file: BinaryIO, most: int, whole: bool) -> bytes:
    """Return up to `most` bytes of a compressed file.

    Raises
    ------
    DataError
        If the file is damaged, expands too much, or contains more than one table.
    """
    return b"".join(_read(file, "unpack", most, most=most, whole=whole)[2])


def read_foreign(
    file: BinaryIO, *, whole: bool, advice: str, preview: int | None = None
) -> bytes | WorkbookText | ColumnFile:
    """Return the contents of a binary file: decompressed bytes, the rows of a sheet, or columns.

    Parameters
    ----------
    file : binary file
    whole : bool
        Refuse a file of more than `MAX_BYTES`; if False, decompressed bytes are cut there.
    advice : str
        Advice for a file that is too large.
    preview : int, optional
        Read only this number of bytes of text, and no columns.

    Raises
    ------
    DataError
        If the file is damaged, takes too much memory or time, or holds no table.
    MissingPackage
        If the package that reads such files is not installed.
    """
    memory = step_limit_bytes()
    given = {"whole": whole, "advice": advice, "memory": memory, "preview": preview}
    given["missing"] = [package for package in OPTIONAL if not is_installed(package)]
    label, header, frames = _read(file, "read", max(memory, MAX_BYTES), most=MAX_BYTES, **given)
    if header["kind"] == "missing":
        raise MissingPackage(header["package"], f"Reading {label} files", "files")
    if header["kind"] == "bytes":
        return b"".join(frames)
    if header["kind"] == "workbook":
        return WorkbookText(b"".join(frames), f"Excel, sheet {quoted([header['sheet']])}")
    columns = []
    while frames:  # releases each frame after it is read
        columns.append(pa.ipc.open_stream(frames.pop(0)).read_all().column(0))
    labelled = header.get("labelled", [])
    notes = (f"the values of {quoted_columns(labelled)} are shown by their labels",) if labelled else ()
    return ColumnFile(tuple(header["names"]), tuple(columns), label, notes)


def _ends(file: BinaryIO) -> tuple[bytes, bytes]:
    """Return the first and the last bytes of a file."""
    head = file.read(HEAD)
    file.seek(max(0, file.seek(0, 2) - HEAD))
    tail = file.read(HEAD)
    file.seek(0)
    return head, tail


def _read(file: BinaryIO, function: str, max_output: float, **given: Any) -> tuple[str, dict[str, Any], list[bytes]]:
    """Run a function in the child; return the kind of the file, the header and the frames that follow it."""
    path = getattr(file, "name", None)
    name = quoted([Path(path).name]) if isinstance(path, (str, Path)) else ""
    try:
        frames = run_in_sandbox(READER, function, file, max_output=max_output, **given)
    except ChildFailed as failed:
        raise DataError(_sentence(failed, name)) from failed
    except DataError as error:
        if not name:
            raise
        raise DataError(f"file {name}: {error}") from error
    label = _label(frames)
    while "kind" not in (header := json.loads(frames.pop(0))):
        pass
    return label, header, frames


def _label(frames: list[bytes]) -> str:
    """Return the kind of file that the child reported last."""
    label = ""
    for frame in frames[:3]:
        if not frame.startswith(b'{"at"'):
            break
        label = json.loads(frame)["at"]
    return label


def _sentence(failed: ChildFailed, name: str) -> str:
    """Return the error message for a failed child."""
    label = _label(failed.frames)
    shown = " ".join(filter(None, ("the", label, "file", name)))
    if failed.reason == "time":
        return f"{shown} takes too long to read. Save the table as CSV"
    if failed.reason in ("memory", "output"):
        most = f"{step_limit_bytes() / MEGABYTE:,.0f} MB"
        return (
            f"{shown} takes more than the {most} of memory that a step may take. Save fewer rows or columns, or set "
            f"{VARIABLE} to more MB"
        )
    if label in ("gzip", "zip"):
        return f"a {label} file must be complete, {name or 'this one'} is damaged. Pack it again"
    return f"{shown} is damaged and cannot be read. Save the table again, or as CSV"
