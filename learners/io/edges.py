"""Helpers of the readers and writers of graphs: edges with their type, and checks of names and edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..common.errors import DataError, ParameterError
from ..common.wording import quoted, shown_value
from ..graphs.graph import PDAG, Edge
from ..graphs.pag import PAG
from ..results.result import Strengths

MAX_TEXT_BYTES = 20 * 1024**2
# Maximum number of nodes of a graph with its own names. Its matrix takes 100 MB; a short text could request any size.
MAX_NODES = 10_000


def marked_edges(pdag: PDAG) -> list[tuple[int, int, bool]]:
    """Return the edges as (i, j, undirected), ascending."""
    return [(i, j, bool(pdag.amat[j, i])) for i, j in pdag.edges()]


def edge_type(pdag: PDAG, i: int, j: int, undirected: bool) -> str:
    """Return the type of an edge for a file: a word, or the sign of a PAG such as "o->"."""
    return pdag.sign(i, j) if isinstance(pdag, PAG) else type_word(undirected)


def type_word(undirected: bool) -> str:
    """Return the type of an edge as it is written to files."""
    return "undirected" if undirected else "directed"


def strength_text(strengths: Strengths | None, i: int, j: int) -> str:
    """Return the shortest text that reads back as the same number; empty if the strength is unknown."""
    value = float("nan") if strengths is None else float(strengths.values[i, j])
    return "" if np.isnan(value) else repr(value)


def check_acyclic(arrows: Sequence[Edge], names: Sequence[str]) -> None:
    """Raise DataError if the arrows form a cycle."""
    import networkx as nx  # a slow import (0.1 s) that only files of graphs need

    try:
        cycle = nx.find_cycle(nx.DiGraph(arrows))
    except nx.NetworkXNoCycle:
        return
    shown = quoted(names[i] for i, _ in cycle)
    raise DataError(f"arrows must not form a cycle, found the cycle {shown}. Reverse or remove one of its edges")


def check_size(names: Sequence[str]) -> None:
    """Raise DataError if a graph has too many nodes."""
    if len(names) > MAX_NODES:
        raise DataError(f"a graph may have at most {MAX_NODES} nodes, found {len(names)}. Read a part of it")


def check_text(text: str | bytes) -> None:
    """Raise ParameterError for other types than text and bytes, and DataError for a text that is too long."""
    if not isinstance(text, (str, bytes)):
        raise ParameterError(f"a graph must be read from text or bytes, got {shown_value(text)}")
    if len(text) > MAX_TEXT_BYTES:
        raise DataError(
            f"the text of a graph may take at most {MAX_TEXT_BYTES // 1024**2} MB, found more. Read a part of it"
        )


def repeated(names: Sequence[str]) -> list[str]:
    """Return the names that occur more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def check_names(pdag: PDAG, names: Sequence[str]) -> None:
    """Raise ParameterError unless each node has a different name."""
    if len(names) != pdag.p or len(set(names)) != pdag.p:
        raise ParameterError(f"each node of the graph needs a different name, got {len(set(names))} for {pdag.p} nodes")
