"""Read an untrusted binary file; `binary_files` calls these functions in a sandboxed child process.

Each function yields the kind of the file as JSON, then a header as JSON, then bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from ...common.process_limits import limit_memory
from .decompression import checked_size, unpacked
from .signatures import HEAD, ZIP, ColumnFormat, column_format, packing
from .unsupported_formats import refuse_other_formats

EXCEL = "Excel"
WORKBOOK_READER, STATISTICS_READER = OPTIONAL = "python_calamine", "pyreadstat"


def unpack(file: BinaryIO, most: int, whole: bool) -> Iterator[bytes]:
    """Yield up to `most` bytes of a compressed file."""
    yield _json(at=packing(file.read(HEAD)))
    raw = unpacked(file, most, whole)
    if raw.startswith(ZIP):
        refuse_other_formats(raw)
    yield _json(kind="bytes")
    yield raw


def read(
    file: BinaryIO,
    most: int,
    whole: bool,
    advice: str,
    memory: float,
    missing: Sequence[str] = (),
    preview: int | None = None,
) -> Iterator[bytes]:
    """Yield the contents of a compressed file, a workbook or a column file.

    Parameters
    ----------
    file : binary file
    most : int
        Limit of the bytes after decompression.
    whole : bool
        Refuse a larger file; if False, it is cut.
    advice : str
        Advice for a file that is too large.
    memory : float
        Memory limit of this process in bytes.
    missing : sequence of str
        Packages that are not installed. A file that needs one of them is not read.
    preview : int, optional
        Yield only this number of bytes of text, and no columns.
    """
    head = file.read(HEAD)
    file.seek(0)
    if packing(head):
        yield _json(at=packing(head))
        raw = unpacked(file, most + 1, whole)
    else:
        raw = file.read(most + 1)
    raw = checked_size(raw, most, whole, advice)
    form = column_format(raw[:HEAD], raw[-HEAD:])
    if form is not None:
        yield _json(at=form.label)
        if form.reader and STATISTICS_READER in missing:
            yield _json(kind="missing", package=STATISTICS_READER)
            return
        yield from _columns(raw, form, memory) if preview is None else [_json(kind="columns", names=[])]
        return
    if raw.startswith(ZIP):
        yield _json(at=EXCEL)
        yield from _workbook(raw, memory, missing, preview)
        return
    yield _json(kind="bytes")
    yield raw[:preview]


def _workbook(raw: bytes, memory: float, missing: Sequence[str], preview: int | None) -> Iterator[bytes]:
    from .excel import is_workbook, read_workbook

    limit_memory(memory)
    if not is_workbook(raw):
        refuse_other_formats(raw)
    if WORKBOOK_READER in missing:
        yield _json(kind="missing", package=WORKBOOK_READER)
        return
    sheet, chunks = read_workbook(raw)
    yield _json(kind="workbook", sheet=sheet)
    sent = 0
    for chunk in chunks:
        yield chunk
        sent += len(chunk)
        if preview is not None and sent >= preview:
            return


def _columns(raw: bytes, form: ColumnFormat, memory: float) -> Iterator[bytes]:
    from .column_files import check_some, read_parquet, streams, use_one_thread

    use_one_thread()

    if form.reader:
        from .statistics_files import read_statistics

    limit_memory(memory)
    columns = read_statistics(raw, form.reader) if form.reader else read_parquet(raw)
    check_some(columns)
    yield _json(kind="columns", names=[name for name, _ in columns.columns], labelled=list(columns.labelled))
    yield from streams(columns)


def _json(**fields: Any) -> bytes:
    return json.dumps(fields).encode()
