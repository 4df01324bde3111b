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

DIGITS = 6  # of a strength: what other processors add up differently lies far behind


@dataclass(frozen=True)
class TableFingerprint:
    """A table by its size and its content.

    Attributes
    ----------
    rows, columns : int
    sha256 : str
        Of names and cells in their order, whatever file they came from.
    name : str
        What it was called.
    """

    rows: int
    columns: int
    sha256: str
    name: str = ""


@dataclass(frozen=True)
class ResultFingerprint:
    """A result by its graph and its numbers.

    Attributes
    ----------
    edges : int
    graph : str
        SHA-256 of the edges by name, whatever the order of the columns.
    strengths : str
        SHA-256 of the strengths of these edges, to six digits.
    """

    edges: int
    graph: str
    strengths: str


def fingerprint_table(table: Table, name: str = "") -> TableFingerprint:
    """Return the fingerprint of a table; its name is not hashed."""
    parts = (part for column, cells in zip(table.names, table.cells, strict=True) for part in _told(column, cells))
    return TableFingerprint(table.n, table.p, _hash(parts), name)


def _told(name: str, cells: Cells) -> Iterable[bytes]:
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
    """Its ends, those of an open one in the order of their names, whether it is an arrow, and its strength."""
    a, b, arrow = result.names[i], result.names[j], not result.graph.amat[j, i]
    # Sums of other orders differ by less than what is rounded off, also around zero.
    value = round(float(result.strengths.values[i, j]), 9) + 0.0
    return (*((a, b) if arrow else sorted((a, b))), bool(arrow), f"{value:.{DIGITS}g}")


def _plain(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _hash(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()
