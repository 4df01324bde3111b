"""Archive of the rows of all experiments: one compressed columnar file for each paper, packed from the CSV files."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from .catalogue import experiments_of
from .store import COLUMNS, FINISHED, RESULTS, figures_in, whole_pieces


def archive_of(paper: str) -> Path:
    """Return the file with the rows of a paper's experiments."""
    return RESULTS / f"{paper}.parquet"


def pack(paper: str) -> None:
    """Write the archive of a paper: rows of its CSV files, and archived rows of experiments without such a file."""
    tables = [
        _texts(_content(one.name)).assign(experiment=one.name) for one in experiments_of(paper) if has_rows(one.name)
    ]
    rows = pd.concat(tables, ignore_index=True)
    rows.to_parquet(archive_of(paper), compression="zstd", compression_level=19, index=False)


def unpack(name: str, path: Path) -> None:
    """Write the archived rows of an experiment as the CSV file of a run, unless the file exists."""
    if not path.exists() and (content := _archived(name)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def has_rows(name: str) -> bool:
    """Return True if rows of the experiment are stored."""
    return bool(_content(name))


def stored_rows(name: str) -> pd.DataFrame:
    """Return the figures of an experiment from its CSV file, or else from the archive."""
    return figures_in(_content(name))


def versions(name: str) -> list[str]:
    """Return the versions of Edgewise that computed the stored rows of an experiment, by increasing name."""
    path = archive_of(name.split("_")[0])
    if (RESULTS / f"{name}.csv").exists() or not path.exists():
        texts = stored_rows(name)["version"] if has_rows(name) else []
    else:
        texts = pd.read_parquet(path, filters=[("experiment", "==", name)], columns=["version"])["version"]
    return sorted({str(text).split(" python")[0].split(" numpy")[0] for text in set(texts)})


def seconds_of_pieces(name: str) -> dict[str, float]:
    """Return the CPU seconds of each stored piece of an experiment."""
    content = _content(name)
    if not content:
        return {}
    rows = pd.read_csv(io.BytesIO(content), usecols=["piece", "metric", "seconds"], keep_default_na=False)
    ends = rows[rows["metric"] == FINISHED]
    return {piece: float(seconds) for piece, seconds in zip(ends["piece"], ends["seconds"], strict=True) if seconds}


def _content(name: str) -> bytes:
    """Return all whole pieces of an experiment as CSV, or an empty text without pieces."""
    path = RESULTS / f"{name}.csv"
    if not path.exists():
        return _archived(name)
    content = path.read_bytes()
    return content[: whole_pieces(content, path.name)[0]]


def _archived(name: str) -> bytes:
    path = archive_of(name.split("_")[0])
    if not path.exists():
        return b""
    rows = pd.read_parquet(path, filters=[("experiment", "==", name)], columns=list(COLUMNS))
    return rows.to_csv(index=False, lineterminator="\n").encode() if len(rows) else b""


def _texts(content: bytes) -> pd.DataFrame:
    """Return rows as they are written, cell by cell, so that unpacking restores every digit."""
    rows = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    return rows.reindex(columns=list(COLUMNS), fill_value="")
