"""Convert graphs to and from networkx, DOT, GraphML, JSON and bnlearn's model string.

Names are column names of users and may have quotes, line breaks, markup and control characters. Each writer escapes
them by the rules of its format. In formats without control characters, symbols replace them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from ..common.errors import DataError, ParameterError
from ..common.wording import quoted
from ..graphs.graph import PDAG, check_dag
from ..graphs.pag import ARROW, CIRCLE, PAG, TAIL
from ..results.result import Strengths
from .edges import check_acyclic, check_names, check_size, check_text, edge_type, marked_edges, repeated, strength_text

if TYPE_CHECKING:
    import networkx as nx

UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
MODEL_NODE = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|]+))?\]\s*")


def to_networkx(pdag: PDAG, names: Sequence[str]) -> nx.DiGraph:
    """Return the graph as a networkx graph with the names as nodes.

    An undirected edge becomes two arcs. The edge attribute `directed` is True for directed edges, and False for each
    half of an undirected edge.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names.
    """
    check_names(pdag, names)
    import networkx as nx  # a slow import (0.1 s)

    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for i, j in np.argwhere(pdag.amat).tolist():
        graph.add_edge(names[i], names[j], directed=not pdag.amat[j, i])
    return graph


def to_dot(pdag: PDAG, names: Sequence[str]) -> str:
    """Write a graph as Graphviz text: nodes ``n0 ... `` labelled with the names, undirected edges with ``dir=none``.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names.
    """
    check_names(pdag, names)
    nodes = [f'  n{i} [label="{_dot_label(name)}"];' for i, name in enumerate(names)]
    edges = [f"  n{i} -> n{j}{_dot_ends(pdag, i, j, undirected)};" for i, j, undirected in marked_edges(pdag)]
    return "\n".join(["digraph {", *nodes, *edges, "}"]) + "\n"


DOT_ENDS = {CIRCLE: "odot", ARROW: "normal", TAIL: "none"}


def _dot_ends(pdag: PDAG, i: int, j: int, undirected: bool) -> str:
    if isinstance(pdag, PAG):
        at_i, at_j = DOT_ENDS[int(pdag.marks[j, i])], DOT_ENDS[int(pdag.marks[i, j])]
        return f" [dir=both arrowtail={at_i} arrowhead={at_j}]"
    return " [dir=none]" if undirected else ""


def to_tetrad(pdag: PDAG, names: Sequence[str]) -> str:
    """Write a graph as the text of Tetrad and causal-learn: ``1. A --> B``, with o-o, o->, <-> and --> for a PAG.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names, or a name has a semicolon, a comma or a line break, which the format
        cannot escape.
    """
    check_names(pdag, names)
    if bad := [name for name in names if not name or set(name) & set(";,\n\r")]:
        raise ParameterError(
            f"Tetrad's text cannot hold semicolons, commas or line breaks in a name, found {quoted(bad)}. "
            "Rename these columns"
        )
    signs = {"->": "-->", "<-": "<--"}
    edges = []
    for i, j, undirected in marked_edges(pdag):
        sign = pdag.sign(i, j) if isinstance(pdag, PAG) else "---" if undirected else "->"
        edges.append(f"{len(edges) + 1}. {names[i]} {signs.get(sign, sign)} {names[j]}")
    return "\n".join(["Graph Nodes:", ";".join(names), "", "Graph Edges:", *edges, ""])


def to_graphml(pdag: PDAG, names: Sequence[str], strengths: Strengths | None = None) -> str:
    """Write a graph as GraphML: nodes ``n0 ...`` with `label`, edges with `type` and, if known, `strength`.

    An undirected edge, and any edge of a PAG but i -> j, is one edge with ``directed="false"``; the type of an edge of
    a PAG is its sign, such as ``o->``. The standard allows such mixed graphs; readers that support only one kind of
    edge, such as networkx, refuse them.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names.
    """
    check_names(pdag, names)
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
    for i, j, undirected in marked_edges(pdag):
        ends = {"source": f"n{i}", "target": f"n{j}", "directed": "false" if undirected else "true"}
        edge = ElementTree.SubElement(graph, "edge", ends)
        _graphml_data(edge, "type", edge_type(pdag, i, j, undirected))
        if strength := strength_text(strengths, i, j):
            _graphml_data(edge, "strength", strength)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def to_json(pdag: PDAG, names: Sequence[str], about: Mapping[str, Any] | None = None) -> str:
    """Write a graph as JSON, edges by position: ``{"names": [...], "directed": [[0, 2]], "undirected": []}``.

    A PAG also has ``"ends": [[0, "o->", 1]]``; its undirected edges are those that are not ``->``.

    Parameters
    ----------
    pdag : PDAG
    names : sequence of str
    about : mapping, optional
        Further keys, such as learner and parameters.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names.
    """
    check_names(pdag, names)
    content = {
        **(about or {}),
        "names": list(names),
        "directed": pdag.directed_edges(),
        "undirected": pdag.undirected_edges(),
        **({"ends": [[i, pdag.sign(i, j), j] for i, j in pdag.edges()]} if isinstance(pdag, PAG) else {}),
    }
    return json.dumps(content)


def from_json(text: str) -> tuple[PDAG, tuple[str, ...]]:
    """Read a graph and its names from the output of `to_json`; the graph may have directed cycles.

    Raises
    ------
    DataError
        If the text does not have this format.
    """
    check_text(text)
    try:
        content = json.loads(text)
        names, directed, undirected = (content[key] for key in ("names", "directed", "undirected"))
        edges = [[(i, j) for i, j in kind] for kind in (directed, undirected)]
        ends = [(i, sign, j) for i, sign, j in content["ends"]] if "ends" in content else None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DataError(
            "a graph in JSON must have names, directed and undirected edges, found something else"
        ) from None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise DataError("the names of a graph in JSON must be distinct strings, found something else")
    if not all(type(k) is int for kind in edges for edge in kind for k in edge):
        raise DataError("the edges of a graph in JSON must be pairs of positions in names, found something else")
    check_size(names)
    try:
        if ends is not None:
            return PAG.from_ends(len(names), ends), tuple(names)
        return PDAG.from_edges(len(names), directed=edges[0], undirected=edges[1]), tuple(names)
    except ParameterError as error:
        raise DataError(f"the graph in JSON is inconsistent: {error}") from None


def to_model_string(dag: PDAG, names: Sequence[str]) -> str:
    """Write a DAG as bnlearn's model string, nodes in order: ``[A][B|A:C][C]``.

    Raises
    ------
    ParameterError
        If `dag` is not a DAG, nodes do not have distinct names, or a name has one of ``[ ] | :``, which the format
        cannot escape.
    """
    check_names(dag, names)
    check_dag(dag)
    if bad := [name for name in names if not name or set(name) & set("[]|:")]:
        raise ParameterError(f"a model string cannot hold [ ] | : in a name, found {quoted(bad)}. Rename these columns")
    parents = [":".join(names[i] for i in dag.parents(j)) for j in range(dag.p)]
    return "".join(f"[{name}|{above}]" if above else f"[{name}]" for name, above in zip(names, parents, strict=True))


def from_model_string(text: str) -> tuple[PDAG, tuple[str, ...]]:
    """Read a DAG and its names from bnlearn's model string; nodes are in the order of the text.

    Raises
    ------
    DataError
        If the text does not have this format, a node is repeated, a parent is not a node, or there is a cycle.

    Examples
    --------
    >>> from_model_string("[A][C][B|A:C]")
    (PDAG(p=3: 0->2, 1->2), ('A', 'C', 'B'))
    """
    check_text(text)
    text = text.strip()
    parts = MODEL_NODE.findall(text)
    if MODEL_NODE.sub("", text):
        raise DataError("a model string must read like '[A][B|A:C][C]', found something else")
    names = tuple(name for name, _ in parts)
    if len(set(names)) < len(names):
        raise DataError(f"each node must occur once in a model string, found {quoted(repeated(names))} again")
    node = {name: i for i, name in enumerate(names)}
    arrows = [(parent, j) for j, (_, above) in enumerate(parts) if above for parent in above.split(":")]
    if unknown := [parent for parent, _ in arrows if parent not in node]:
        raise DataError(f"each parent in a model string must be a node of its own, found {quoted(unknown)}")
    check_size(names)
    edges = list(dict.fromkeys((node[parent], j) for parent, j in arrows))
    check_acyclic(edges, names)
    return PDAG.from_edges(len(names), directed=edges), names


def _printable(text: str) -> str:
    """Replace characters that XML or C strings cannot have by symbols, from U+2400 on for control characters."""

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
