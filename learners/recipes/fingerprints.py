"""Fingerprints of tables and results, equal only if their contents are equal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.column_types.cells import Cells
from ..data.reading.table import Table
from ..results.result import LearnResult

DIGITS = 6  # significant digits of a strength; rounding differences between processors are far smaller


@dataclass(frozen=True)
class TableFingerprint:
    """Fingerprint of a table: its size and a hash of its content.

    Attributes
    ----------
    rows, columns : int
    sha256 : str
        Hash of names and cells in order; it does not depend on the file format.
    name : str
        Name of the table, for display.
    """

    rows: int
    columns: int
    sha256: str
    name: str = ""


@dataclass(frozen=True)
class ResultFingerprint:
    """Fingerprint of a result: hashes of its graph and of its strengths.

    Attributes
    ----------
    edges : int
    graph : str
        SHA-256 of the edges by name; it does not depend on the order of the columns.
    strengths : str
        SHA-256 of the strengths of these edges, to six significant digits.
    """

    edges: int
    graph: str
    strengths: str


def fingerprint_table(table: Table, name: str = "") -> TableFingerprint:
    """Return the fingerprint of a table; its name is not hashed."""
    parts = (
        part for column, cells in zip(table.names, table.cells, strict=True) for part in _column_bytes(column, cells)
    )
    return TableFingerprint(table.n, table.p, _hash(parts), name)


def _column_bytes(name: str, cells: Cells) -> Iterable[bytes]:
    """Serialize a column: its name, its texts in order, and the index of the text in each row."""
    texts = cells.texts.to_pylist()
    order = np.argsort(np.array(texts, dtype=object), kind="stable")
    place = np.empty(len(texts), dtype="<i4")
    place[order] = np.arange(len(texts))
    yield _plain([name, [texts[k] for k in order.tolist()]])
    yield place[cells.codes].tobytes()


def fingerprint_result(result: LearnResult) -> ResultFingerprint:
    """Return the fingerprint of a result."""
    edges = sorted(_edge(result, i, j) for i, j in result.graph.edges())
    graph = _hash([_plain(edge[:-1]) for edge in edges])
    return ResultFingerprint(len(edges), graph, _hash([_plain(edge) for edge in edges]))


def _edge(result: LearnResult, i: int, j: int) -> tuple[str, str, bool, str]:
    """Return the ends of an edge (sorted by name if undirected), whether it is directed, and its strength."""
    a, b, arrow = result.names[i], result.names[j], not result.graph.amat[j, i]
    # Rounding hides differences between orders of summation, also around zero.
    value = round(float(result.strengths.values[i, j]), 9) + 0.0
    return (*((a, b) if arrow else sorted((a, b))), bool(arrow), f"{value:.{DIGITS}g}")


def _plain(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _hash(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


# Notebooks exported by version 0.2 import these names.
ResultMark, mark_of_result = ResultFingerprint, fingerprint_result
