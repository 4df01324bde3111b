"""Read and write graphs as CSV: edge lists, rankings and adjacency matrices, guarded against formula injection."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from ..common.errors import DataError
from ..common.wording import quoted
from ..graphs.graph import PDAG
from ..graphs.pag import PAG
from ..results.directions import Directions, Support
from ..results.information import Information
from ..results.ranking import Ranking
from ..results.result import Strengths
from .edges import check_acyclic, check_names, check_text, edge_type, marked_edges, strength_text

# Word of a type -> True if it is undirected.
TYPES = {"directed": False, "->": False, "": False, "undirected": True, "--": True}


FORMULA = ("=", "+", "-", "@", "\t", "\r")  # beginnings of cells that a spreadsheet evaluates


SEPARATOR = "; "


LIMITS = ("strength_from", "strength_to")  # columns of the 95 % confidence limits


GUARD = "'"  # guard before such a cell, as recommended by OWASP against CSV injection


def to_edge_csv(
    pdag: PDAG,
    names: Sequence[str],
    strengths: Strengths | None = None,
    directions: Directions | None = None,
    information: Information | None = None,
    columns: Mapping[str, np.ndarray] | None = None,
) -> str:
    """Write a graph as CSV with one row for each edge.

    The columns are from, to, type ("directed" or "undirected"; the sign of an edge of a PAG, such as "o->"), strength
    (empty if unknown) and measure. `directions` adds the support of each direction, see `Support`: an arrow between
    columns that determine one another is written as undirected, in a PAG as o-o. Strengths with 95 % confidence limits
    add two columns, and `information` adds the mutual information of the two ends in bits. `columns` adds further
    (p, p) numbers by name, each of the first variable with the second.

    A larger strength means a stronger edge: for measures that decrease with strength, such as ln p, the negative is
    written, and the measure is named "minus ...".

    Names that a spreadsheet would run as a formula (they begin with = + - @, a tab or a carriage return) and names that
    begin with an apostrophe are prefixed with an apostrophe; `read_edge_csv` removes it.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names.
    """
    check_names(pdag, names)
    edges = [
        (i, j, undirected or (directions is not None and _has_none(directions, i, j)))
        for i, j, undirected in marked_edges(pdag)
    ]
    # A pair of a PAG without a direction has open ends.
    types = [
        "o-o" if isinstance(pdag, PAG) and directions is not None and _has_none(directions, i, j)
        else edge_type(pdag, i, j, undirected)
        for i, j, undirected in edges
    ]  # fmt: skip
    rows = [
        (guarded(names[i]), guarded(names[j]), kind, *_larger(strengths, i, j))
        for (i, j, _), kind in zip(edges, types, strict=True)
    ]
    head = ["from", "to", "type", "strength", "measure"]
    if directions is not None:
        sure = [directions[i, j].support.value if (i, j) in directions else "" for i, j, _ in marked_edges(pdag)]
        head, rows = [*head, "direction"], [(*row, word) for row, word in zip(rows, sure, strict=True)]
    if strengths is not None and strengths.limits is not None:
        limits = [[repr(float(limit[i, j])) for limit in strengths.limits] for i, j, _ in marked_edges(pdag)]
        head, rows = [*head, *LIMITS], [(*row, *pair) for row, pair in zip(rows, limits, strict=True)]
    if information is not None:
        bits = [repr(information(i, j)) for i, j, _ in marked_edges(pdag)]
        head, rows = [*head, "bits_per_row"], [(*row, bit) for row, bit in zip(rows, bits, strict=True)]
    for name, values in (columns or {}).items():
        cells = [repr(float(values[i, j])) for i, j, _ in marked_edges(pdag)]
        head, rows = [*head, name], [(*row, cell) for row, cell in zip(rows, cells, strict=True)]
    return _csv_text([head, *rows])


def _has_none(directions: Directions, i: int, j: int) -> bool:
    """Return True if one of the two variables determines the other."""
    return (i, j) in directions and directions[i, j].support is Support.DETERMINED


def _larger(strengths: Strengths | None, i: int, j: int) -> tuple[str, str]:
    """Return the strength of a pair and the name of the measure."""
    if strengths is None or np.isnan(strengths.values[i, j]):
        return "", ""
    if strengths.larger_is_stronger:
        return strength_text(strengths, i, j), strengths.label
    return repr(0.0 - float(strengths.values[i, j])), f"minus {strengths.label}"


def to_ranking_csv(ranking: Ranking, names: Sequence[str]) -> str:
    """Write a ranking as CSV with one row for each pair, the strongest first.

    The columns are rank, first, second, the values that decide the rank, the hardest conditioning sets, and kept (yes
    or no). The names in a set are joined by `SEPARATOR`; all names are guarded as in `to_edge_csv`.
    """
    head = ["rank", "first", "second", *ranking.values, *(f"hardest {one}" for one in ranking.hardest), "kept"]
    rows = [
        (
            one.rank,
            guarded(names[one.i]),
            guarded(names[one.j]),
            *("" if np.isnan(value) else repr(value) for value in one.values),
            *(guarded(SEPARATOR.join(names[k] for k in cond)) for cond in one.hardest),
            "yes" if one.kept else "no",
        )
        for one in ranking
    ]
    return _csv_text([head, *rows])


def to_pair_csv(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table about pairs as CSV: two names, guarded as in `to_edge_csv`, and texts as they are."""
    return _csv_text([heads, *((guarded(one), guarded(other), *texts) for one, other, *texts in rows)])


def to_adjacency_csv(pdag: PDAG, names: Sequence[str]) -> str:
    """Write the adjacency matrix as CSV with names: 1 in row i, column j iff i -> j or i - j.

    For a PAG, the entry is the mark at j of the edge: 1 a circle, 2 an arrowhead, 3 a tail, as in pcalg.

    Names are guarded as in `to_edge_csv`.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names.
    """
    check_names(pdag, names)
    heads = [guarded(name) for name in names]
    cells = pdag.marks if isinstance(pdag, PAG) else pdag.amat
    rows = [(name, *row) for name, row in zip(heads, cells.astype(int).tolist(), strict=True)]
    return _csv_text([("", *heads), *rows])


def read_edge_csv(source: str | bytes, names: Sequence[str]) -> PDAG:
    r"""Read a graph over `names` from an edge list, such as the true graph of a user.

    Parameters
    ----------
    source : str or bytes
        Text with a header that has the columns `from` and `to`, and `type` if there are undirected edges: "directed" or
        "->" (also when empty), "undirected" or "--". Comma, semicolon or tab between cells; other columns are ignored.
        Bytes are decoded as UTF-8, or as Windows-1252 if that fails.
    names : sequence of str
        Columns of the table; each is a node.

    Raises
    ------
    DataError
        If the header lacks a column, a line has an unknown name or type or an edge from a column to itself, a pair is
        repeated, or the edges form a directed cycle.

    Examples
    --------
    >>> read_edge_csv("from,to,type\nrain,wet,->\nwet,cold,--\n", ["cold", "rain", "wet"])
    PDAG(p=3: 0-2, 1->2)
    """
    check_text(source)
    rows = list(_csv_rows(_decoded(source)))
    node = {name: i for i, name in enumerate(names)}
    unknown = {cell: line for line, *ends, _ in rows for cell in ends if _node(cell, node) is None}
    if unknown:
        raise DataError(
            f"an edge list must use the table's column names, found {quoted(unknown)} (line {min(unknown.values())}) "
            f"that the table lacks. Its columns are {quoted(names)}"
        )
    amat = np.zeros((len(names), len(names)), dtype=bool)
    for line, tail, head, word in rows:
        i, j = _node(tail, node), _node(head, node)
        _check_new_edge(amat, names, i, j, line)
        amat[i, j] = True
        amat[j, i] = TYPES[word]
    pdag = PDAG(amat)
    check_acyclic(pdag.directed_edges(), names)
    return pdag


def guarded(name: str) -> str:
    """Return a text with an apostrophe in front if a spreadsheet would run it as a formula."""
    return GUARD + name if name.startswith((*FORMULA, GUARD)) else name


def _csv_text(rows: Iterable[Sequence]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _decoded(source: str | bytes) -> str:
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("cp1252", errors="replace")


def _csv_rows(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield (line number, from, to, type) of each row that is not blank."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        if missing := [column for column in ("from", "to") if column not in header]:
            raise DataError(
                f"the first line of an edge list must name the columns 'from' and 'to', found no {quoted(missing)}. "
                "Add a header such as from,to,type"
            )
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            cells = dict(zip(header, row, strict=False))
            tail, head, word = (cells.get(column, "") for column in ("from", "to", "type"))
            if not (tail and head):
                raise DataError(f"each line of an edge list must fill 'from' and 'to', line {reader.line_num} does not")
            word = word.strip().lower()
            if word not in TYPES:
                raise DataError(
                    f"type must be directed or undirected, found {quoted([word])} in line {reader.line_num}"
                )
            yield reader.line_num, tail, head, word
    except csv.Error as error:
        raise DataError(f"an edge list cannot be read as CSV, found in line {reader.line_num}: {error}") from None


def _node(cell: str, node: dict[str, int]) -> int | None:
    """Return the node that a cell names, with or without a guard or surrounding blanks, or None."""
    unguarded = cell[1:] if cell.startswith(GUARD) else cell
    return next((node[name] for name in (unguarded, cell, cell.strip()) if name in node), None)


def _check_new_edge(amat: np.ndarray, names: Sequence[str], i: int, j: int, line: int) -> None:
    if i == j:
        raise DataError(f"an edge must connect two columns, found {quoted([names[i]])} twice in line {line}")
    if amat[i, j] or amat[j, i]:
        raise DataError(
            f"each pair must be listed once, found {quoted([names[i], names[j]])} again in line {line}. "
            "For an edge without direction keep one line, of type undirected"
        )
