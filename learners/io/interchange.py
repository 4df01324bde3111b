"""Graphs in and out: networkx, DOT, GraphML, CSV, JSON, and bnlearn's model string.

Names are the user's column names and may hold anything: quotes, line breaks, markup, control characters. Each writer
escapes them by the rules of its own format. Formats that cannot hold a control character show its symbol instead.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree

import networkx as nx
import numpy as np

from ..common.checks import quoted
from ..common.errors import DataError, ParameterError
from ..graphs.graph import PDAG, Edge, check_dag
from ..results.result import Strengths

TYPES = {"directed": False, "->": False, "": False, "undirected": True, "--": True}  # word -> is it undirected?
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet runs a cell that begins so
GUARD = "'"  # what spreadsheets, and OWASP's advice on CSV injection, put before such a cell
MAX_NODES = 10_000  # of a graph that brings its own names: its matrix takes 100 MB, and a short text could ask for any
UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
MODEL_NODE = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|]+))?\]\s*")


def to_networkx(pdag: PDAG, names: Sequence[str]) -> nx.DiGraph:
    """Graph of networkx with the names as nodes.

    An undirected edge becomes two arcs. Edge attribute `directed` tells a real arrow (True) from half of an undirected
    edge (False).

    Raises
    ------
    ParameterError
        If there is not one distinct name a node.
    """
    _check_names(pdag, names)
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i, j in np.argwhere(pdag.amat).tolist():
        graph.add_edge(names[i], names[j], directed=not pdag.amat[j, i])
    return graph


def to_dot(pdag: PDAG, names: Sequence[str]) -> str:
    """Graphviz text: nodes ``n0 ... `` labelled with the names, undirected edges with ``dir=none``.

    Raises
    ------
    ParameterError
        If there is not one distinct name a node.
    """
    _check_names(pdag, names)
    nodes = [f'  n{i} [label="{_dot_label(name)}"];' for i, name in enumerate(names)]
    edges = [f"  n{i} -> n{j}{' [dir=none]' if undirected else ''};" for i, j, undirected in _marked_edges(pdag)]
    return "\n".join(["digraph {", *nodes, *edges, "}"]) + "\n"


def to_graphml(pdag: PDAG, names: Sequence[str], strengths: Strengths | None = None) -> str:
    """GraphML text: nodes ``n0 ...`` with data `label`, edges with data `type` and, where known, `strength`.

    An undirected edge is one edge with ``directed="false"``. The standard allows such mixed graphs; readers that know
    one kind of edge only (networkx among them) refuse them, as they must.

    Raises
    ------
    ParameterError
        If there is not one distinct name a node.
    """
    _check_names(pdag, names)
    root = ElementTree.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    keys = [("label", "node", "string", "")]
    keys += [("type", "edge", "string", "")]
    keys += [("strength", "edge", "double", strengths.label)] if strengths is not None else []
    for key, owner, kind, meaning in keys:
        attributes = {"id": key, "for": owner, "attr.name": key, "attr.type": kind}
        element = ElementTree.SubElement(root, "key", attributes)
        if meaning:
            ElementTree.SubElement(element, "desc").text = _printable(meaning)
    graph = ElementTree.SubElement(root, "graph", edgedefault="directed")
    for i, name in enumerate(names):
        _graphml_data(ElementTree.SubElement(graph, "node", id=f"n{i}"), "label", _printable(name))
    for i, j, undirected in _marked_edges(pdag):
        ends = {"source": f"n{i}", "target": f"n{j}", "directed": "false" if undirected else "true"}
        edge = ElementTree.SubElement(graph, "edge", ends)
        _graphml_data(edge, "type", _type_word(undirected))
        if strength := _strength(strengths, i, j):
            _graphml_data(edge, "strength", strength)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def to_edge_csv(pdag: PDAG, names: Sequence[str], strengths: Strengths | None = None) -> str:
    """One row an edge: from, to, type ("directed" or "undirected"), strength (empty where unknown).

    A name that a spreadsheet would run as a formula (it begins with = + - @, a tab or a carriage return) gets an
    apostrophe before it, and so does one that begins with an apostrophe; `read_edge_csv` takes it off again.

    Raises
    ------
    ParameterError
        If there is not one distinct name a node.
    """
    _check_names(pdag, names)
    rows = [
        (_guarded(names[i]), _guarded(names[j]), _type_word(undirected), _strength(strengths, i, j))
        for i, j, undirected in _marked_edges(pdag)
    ]
    return _csv_text([("from", "to", "type", "strength"), *rows])


def to_adjacency_csv(pdag: PDAG, names: Sequence[str]) -> str:
    """The matrix `amat` with names in the first row and column: 1 in row i, column j iff i -> j or i - j.

    Names are guarded as in `to_edge_csv`.

    Raises
    ------
    ParameterError
        If there is not one distinct name a node.
    """
    _check_names(pdag, names)
    guarded = [_guarded(name) for name in names]
    rows = [(name, *row) for name, row in zip(guarded, pdag.amat.astype(int).tolist(), strict=True)]
    return _csv_text([("", *guarded), *rows])


def read_edge_csv(source: str | bytes, names: Sequence[str]) -> PDAG:
    """Graph over `names` from an edge list, for instance the user's known truth.

    Parameters
    ----------
    source : str or bytes
        Text with a header that has the columns `from` and `to`, and `type` if there are undirected edges: "directed" or
        "->" (also when empty), "undirected" or "--". Comma, semicolon or tab between cells; other columns are ignored.
        Bytes are taken as UTF-8, or as Windows-1252 if they are not.
    names : sequence of str
        The table's columns, one a node.

    Raises
    ------
    DataError
        If the header lacks a column, a line names an unknown column or type or joins a column to itself, a pair comes
        twice, or the arrows run in a circle.

    Examples
    --------
    >>> read_edge_csv("from,to,type\\nrain,wet,->\\nwet,cold,--\\n", ["cold", "rain", "wet"])
    PDAG(p=3: 0-2, 1->2)
    """
    rows = list(_csv_rows(_decoded(source)))
    node = {name: i for i, name in enumerate(names)}
    unknown = {cell: line for line, *ends, _ in rows for cell in ends if _node(cell, node) is None}
    if unknown:
        raise DataError(
            f"an edge list must use the table's column names, found {quoted(unknown)} (line {min(unknown.values())}) "
            f"that the table lacks; its columns are {quoted(names)}"
        )
    amat = np.zeros((len(names), len(names)), dtype=bool)
    for line, tail, head, word in rows:
        i, j = _node(tail, node), _node(head, node)
        _check_new_edge(amat, names, i, j, line)
        amat[i, j] = True
        amat[j, i] = TYPES[word]
    pdag = PDAG(amat)
    _check_acyclic(pdag.directed_edges(), names)
    return pdag


def to_json(pdag: PDAG, names: Sequence[str]) -> str:
    """Names and edges by position: ``{"names": [...], "directed": [[0, 2]], "undirected": []}``.

    Raises
    ------
    ParameterError
        If there is not one distinct name a node.
    """
    _check_names(pdag, names)
    content = {
        "names": list(names),
        "directed": pdag.directed_edges(),
        "undirected": pdag.undirected_edges(),
    }
    return json.dumps(content)


def from_json(text: str) -> tuple[PDAG, tuple[str, ...]]:
    """Graph and names from what `to_json` wrote; the graph may hold directed cycles.

    Raises
    ------
    DataError
        If the text is not of that form.
    """
    try:
        content = json.loads(text)
        names, directed, undirected = (content[key] for key in ("names", "directed", "undirected"))
        edges = [[(i, j) for i, j in kind] for kind in (directed, undirected)]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DataError(
            "a graph in JSON must have names, directed and undirected edges, found something else"
        ) from None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise DataError("the names of a graph in JSON must be distinct strings, found something else")
    if not all(type(k) is int for kind in edges for edge in kind for k in edge):
        raise DataError("the edges of a graph in JSON must be pairs of positions in names, found something else")
    _check_size(names)
    try:
        return PDAG.from_edges(len(names), directed=edges[0], undirected=edges[1]), tuple(names)
    except ParameterError as error:
        raise DataError(f"the graph in JSON is inconsistent: {error}") from None


def to_model_string(dag: PDAG, names: Sequence[str]) -> str:
    """Bnlearn's one-line form of a DAG, nodes in order: ``[A][B|A:C][C]``.

    Raises
    ------
    ParameterError
        If `dag` is not a DAG, there is not one distinct name a node, or a name holds one of ``[ ] | :``, which the
        form cannot escape.
    """
    _check_names(dag, names)
    check_dag(dag)
    if bad := [name for name in names if not name or set(name) & set("[]|:")]:
        raise ParameterError(f"a model string cannot hold [ ] | : in a name, found {quoted(bad)}; rename these columns")
    parents = [":".join(names[i] for i in dag.parents(j)) for j in range(dag.p)]
    return "".join(f"[{name}|{above}]" if above else f"[{name}]" for name, above in zip(names, parents, strict=True))


def from_model_string(text: str) -> tuple[PDAG, tuple[str, ...]]:
    """DAG and names from bnlearn's model string; nodes in the order of the text.

    Raises
    ------
    DataError
        If the text is not of that form, a node comes twice, a parent is no node, or the arrows run in a circle.

    Examples
    --------
    >>> from_model_string("[A][C][B|A:C]")
    (PDAG(p=3: 0->2, 1->2), ('A', 'C', 'B'))
    """
    text = text.strip()
    parts = MODEL_NODE.findall(text)
    if MODEL_NODE.sub("", text):
        raise DataError("a model string must read like '[A][B|A:C][C]', found something else")
    names = tuple(name for name, _ in parts)
    if len(set(names)) < len(names):
        raise DataError(f"each node must come once in a model string, found {quoted(_repeated(names))} again")
    node = {name: i for i, name in enumerate(names)}
    arrows = [(parent, j) for j, (_, above) in enumerate(parts) if above for parent in above.split(":")]
    if unknown := [parent for parent, _ in arrows if parent not in node]:
        raise DataError(f"each parent in a model string must be a node of its own, found {quoted(unknown)}")
    _check_size(names)
    edges = list(dict.fromkeys((node[parent], j) for parent, j in arrows))
    _check_acyclic(edges, names)
    return PDAG.from_edges(len(names), directed=edges), names


def _marked_edges(pdag: PDAG) -> list[tuple[int, int, bool]]:
    """(i, j, undirected), ascending."""
    return [(i, j, bool(pdag.amat[j, i])) for i, j in pdag.edges()]


def _type_word(undirected: bool) -> str:
    return "undirected" if undirected else "directed"


def _strength(strengths: Strengths | None, i: int, j: int) -> str:
    """Shortest text that reads back as the same number; empty if unknown."""
    value = float("nan") if strengths is None else float(strengths.values[i, j])
    return "" if np.isnan(value) else repr(value)


def _printable(text: str) -> str:
    """Characters that XML or C strings cannot hold as symbols: U+2400 has one for each control character."""

    def symbol(match: re.Match) -> str:
        code = ord(match[0])
        return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"

    return UNPRINTABLE.sub(symbol, text)


def _dot_label(name: str) -> str:
    # Within quotes Graphviz reads backslash escapes and HTML entities, but no tags.
    label = re.sub(r"&(?=#?\w+;)", "&amp;", _printable(name))
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _graphml_data(parent: ElementTree.Element, key: str, text: str) -> None:
    ElementTree.SubElement(parent, "data", key=key).text = text


def _guarded(name: str) -> str:
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
    """(line number, from, to, type) of every row that is not blank."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        if missing := [column for column in ("from", "to") if column not in header]:
            raise DataError(
                f"the first line of an edge list must name the columns 'from' and 'to', found no {quoted(missing)}; "
                "add a header such as from,to,type"
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
        raise DataError(f"an edge list must be readable as CSV, found in line {reader.line_num}: {error}") from None


def _node(cell: str, node: dict[str, int]) -> int | None:
    """The node a cell names: as written by `to_edge_csv`, as it stands, or without blanks around it."""
    unguarded = cell[1:] if cell.startswith(GUARD) else cell
    return next((node[name] for name in (unguarded, cell, cell.strip()) if name in node), None)


def _check_new_edge(amat: np.ndarray, names: Sequence[str], i: int, j: int, line: int) -> None:
    if i == j:
        raise DataError(f"an edge must join two columns, found {quoted([names[i]])} twice in line {line}")
    if amat[i, j] or amat[j, i]:
        raise DataError(
            f"each pair must be listed once, found {quoted([names[i], names[j]])} again in line {line}; "
            "for an edge without direction keep one line, of type undirected"
        )


def _check_acyclic(arrows: Sequence[Edge], names: Sequence[str]) -> None:
    try:
        cycle = nx.find_cycle(nx.DiGraph(arrows))
    except nx.NetworkXNoCycle:
        return
    shown = quoted(names[i] for i, _ in cycle)
    raise DataError(f"arrows must not run in a circle, found the circle {shown}; reverse or remove one of its edges")


def _check_size(names: Sequence[str]) -> None:
    if len(names) > MAX_NODES:
        raise DataError(f"a graph may have at most {MAX_NODES} nodes, found {len(names)}; read a part of it")


def _repeated(names: Sequence[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _check_names(pdag: PDAG, names: Sequence[str]) -> None:
    if len(names) != pdag.p or len(set(names)) != pdag.p:
        raise ParameterError(f"the graph must have one distinct name a node, got {len(set(names))} for {pdag.p} nodes")
