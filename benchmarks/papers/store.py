"""Rows of an experiment in a CSV file that outlives a run killed at any moment."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from .experiment import Figure

COLUMNS = ("piece", "method", "metric", "value", "seconds", "version")
FINISHED = "finished"  # metric of the row that closes a piece
HEADER = ",".join(COLUMNS) + "\n"


class Store:
    """The file of one experiment, for one process at a time.

    Parameters
    ----------
    path : Path
        Made if it is not there. What an interrupted piece left at its end is cut off.
    version : str
        Of what computes the rows to come.

    Attributes
    ----------
    finished : set of str
        Pieces whose rows are all in the file.

    Raises
    ------
    ValueError
        If the file has other columns.
    """

    def __init__(self, path: Path, version: str) -> None:
        self._path, self._version = path, version
        self.finished: set[str] = set()
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or not path.read_text(encoding="utf-8").endswith("\n"):
            _begin(path)
        self._cut_what_is_unfinished()

    def add(self, piece: str, figures: Iterable[Figure], seconds: float) -> None:
        """Write a whole piece; it is on the disk when this returns."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        rows = [*figures, Figure("", FINISHED, 1, seconds)]
        for row in rows:
            numbers = (f"{row.value:.6g}", "" if row.seconds is None else f"{row.seconds:.3g}")
            writer.writerow((piece, row.method, row.metric, *numbers, self._version))
        with self._path.open("a", encoding="utf-8", newline="") as out:
            out.write(text.getvalue())
            out.flush()
            os.fsync(out.fileno())
        self.finished.add(piece)

    def rows(self) -> pd.DataFrame:
        """All figures, the closing rows left out."""
        rows = pd.read_csv(self._path, keep_default_na=False, na_values={"value": ["nan"], "seconds": [""]})
        return rows[rows["metric"] != FINISHED].reset_index(drop=True)

    def _cut_what_is_unfinished(self) -> None:
        content = self._path.read_bytes()
        header = HEADER.encode()
        if not content.startswith(header):
            raise ValueError(f"{self._path.name} must have the columns {', '.join(COLUMNS)}; rename the old file")
        keep = at = len(header)
        for line in content[at:].splitlines(keepends=True):
            at += len(line)
            cells = next(csv.reader([line.decode()]))
            if line.endswith(b"\n") and cells[2:3] == [FINISHED]:
                self.finished.add(cells[0])
                keep = at
        if keep < len(content):
            os.truncate(self._path, keep)


def _begin(path: Path) -> None:
    """A header where there is none, or only a part of one; a line cut short further down is left to the caller."""
    if not path.exists() or HEADER.startswith(path.read_text(encoding="utf-8")):
        path.write_text(HEADER, encoding="utf-8")
