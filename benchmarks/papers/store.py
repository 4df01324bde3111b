"""Rows of an experiment in a CSV file that survives a kill at any moment."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from .experiment import Figure
from .running import Done

RESULTS = Path(__file__).parent / "results"  # scales desk and paper; git has the archives, not the CSV files
OLD_COLUMNS = ("piece", "method", "metric", "value", "seconds", "version")  # of older files, which are only read
COLUMNS = (*OLD_COLUMNS, "machine", "peak_mb", "calls")
FINISHED = "finished"  # metric of the row that ends a piece
HEADER, OLD_HEADER = (",".join(columns) + "\n" for columns in (COLUMNS, OLD_COLUMNS))


class ResultFile:
    """The file of one experiment, for one process at a time.

    Parameters
    ----------
    path : Path
        The file, created if it does not exist. Rows of an interrupted piece at its end are removed.

    Attributes
    ----------
    finished : set of str
        Pieces with all their rows in the file.

    Raises
    ------
    ValueError
        If the file has other columns.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes() if path.exists() else b""
        if HEADER.encode().startswith(content) or OLD_HEADER.encode().startswith(content):
            _replace(path, HEADER.encode())
            content = HEADER.encode()
        end, self.finished = whole_pieces(content, path.name)
        if content.startswith(OLD_HEADER.encode()):
            _replace(path, _with_new_columns(content[:end]))
        elif end < len(content):
            os.truncate(path, end)

    def add(self, piece: str, done: Done) -> None:
        """Write a whole piece at once; it is on disk when this returns."""
        if piece in self.finished:
            return
        with self._path.open("ab") as out:
            end = out.tell()
            try:
                out.write(_lines(piece, done).encode())
                out.flush()
                os.fsync(out.fileno())
            except BaseException:
                os.truncate(self._path, end)
                raise
        self.finished.add(piece)

    def rows(self) -> pd.DataFrame:
        """Return all figures without the closing rows."""
        return read_rows(self._path)


def read_rows(path: Path) -> pd.DataFrame:
    """Return the figures of the whole pieces of a file without changing it.

    Columns that an older file lacks are missing.
    """
    content = path.read_bytes()
    return figures_in(content[: whole_pieces(content, path.name)[0]])


def rows_of(pieces: Mapping[str, Done]) -> pd.DataFrame:
    """Return the rows of pieces that are in no file, in the form of `read_rows`."""
    return figures_in((HEADER + "".join(_lines(piece, done) for piece, done in pieces.items())).encode())


def figures_in(content: bytes) -> pd.DataFrame:
    """Return the figures in the content of a file; columns that an older file lacks are missing."""
    missing = {"value": ["nan"], "seconds": [""], "peak_mb": [""], "calls": [""]}
    rows = pd.read_csv(io.BytesIO(content), keep_default_na=False, na_values=missing).reindex(columns=list(COLUMNS))
    return rows[rows["metric"] != FINISHED].reset_index(drop=True)


def whole_pieces(content: bytes, called: str) -> tuple[int, set[str]]:
    """Return the number of bytes that whole pieces occupy, and the names of these pieces.

    Raises ValueError if the file has other columns.
    """
    header = next((one for one in (HEADER.encode(), OLD_HEADER.encode()) if content.startswith(one)), None)
    if header is None:
        raise ValueError(f"{called} must have the columns {', '.join(COLUMNS)}; rename the old file")
    end = at = len(header)
    names = set()
    for line in content[at:].splitlines(keepends=True):
        at += len(line)
        if not line.endswith(b"\n"):
            break
        cells = next(csv.reader([line.decode()]))
        if cells[2:3] == [FINISHED]:
            names.add(cells[0])
            end = at
    return end, names


def _with_new_columns(content: bytes) -> bytes:
    added = "," * (len(COLUMNS) - len(OLD_COLUMNS))
    _, *lines = content.decode().splitlines()
    return (HEADER + "".join(f"{line}{added}\n" for line in lines)).encode()


def _replace(path: Path, content: bytes) -> None:
    """Replace the content of a file atomically."""
    beside = path.with_suffix(".new")
    with beside.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    os.replace(beside, path)


def _lines(piece: str, done: Done) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    where = (done.version, done.machine, _number(done.peak_mb, ".4g"))
    for row in [*done.figures, Figure("", FINISHED, 1, done.seconds)]:
        numbers = (f"{row.value:.6g}", _number(row.seconds, ".3g"))
        writer.writerow((piece, row.method, row.metric, *numbers, *where, _number(row.calls, ".12g")))
    return text.getvalue()


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
