"""Discrete networks in XDSL, the XML form of GeNIe and SMILE."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ..common.checks import quoted
from ..common.errors import DataError
from ..graphs.graph import topological_order
from ..networks.network import DiscreteNetwork
from .declared import (
    DeclaredTable,
    check_writable,
    declared_network,
    identifiers,
    numbers_in,
    text_of_file,
    told_names,
)
from .safe_xml import read_xml, text_in
from .xmlbif import UNWRITABLE

FORM = "XDSL"


def read_xdsl(source: str | Path | bytes) -> DiscreteNetwork:
    """Read a discrete network of general and deterministic chance nodes.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip. A str with a ``<`` in it is text, any other a path.

    Returns
    -------
    DiscreteNetwork
        Variables are called by their names in GeNIe if those differ from one another, else by their identifiers.

    Raises
    ------
    DataError
        If it is no such file, has nodes of other types, or is no network: see `declared_network`.
    """
    root = read_xml(text_of_file(source, "<").encode("utf-8", "replace"), FORM)
    nodes = root.find("nodes")
    if root.tag != "smile" or nodes is None:
        raise DataError(f"a file of {FORM} must hold nodes in a smile, found {quoted([root.tag])}; choose another")
    marks = [one.get("id", "") for one in nodes]
    if len(set(marks)) < len(marks):
        raise DataError(f"in the {FORM} network each node must have an identifier of its own, found one twice; fix it")
    if other := [one.get("id", "") for one in nodes if one.tag not in ("cpt", "deterministic")]:
        raise DataError(f"in the {FORM} network all nodes must be chance nodes with tables, {quoted(other)} are none")
    labels = {one.get("id", ""): text_in(one, "name") for one in root.iter("node")}
    # Parents stand before their children; the order of the variables is that of the second list, if it has them all.
    ordered = list(labels) if set(labels) == set(marks) else marks
    at = {one.get("id", ""): one for one in nodes}
    levels = {mark: _levels(at[mark]) for mark in ordered}
    tables = {
        mark: DeclaredTable(text_in(at[mark], "parents").split(), _numbers(at[mark], mark, levels[mark]))
        for mark in ordered
    }
    return declared_network(levels, tables, FORM, told_names(ordered, [labels.get(mark, "") for mark in ordered]))


def _levels(node: Element) -> list[str]:
    marks = [state.get("id", "") for state in node.findall("state")]
    return told_names(marks, [state.get("label", "") for state in node.findall("state")])


def _numbers(node: Element, name: str, levels: list[str]) -> list[float]:
    """Its probabilities; of a deterministic node 1 for the state that each row says."""
    if node.tag == "cpt":
        return numbers_in(text_in(node, "probabilities"), name, FORM)
    marks = [state.get("id", "") for state in node.findall("state")]
    said = text_in(node, "resultingstates").split()
    if unknown := [mark for mark in said if mark not in marks]:
        raise DataError(f"in the {FORM} network {quoted(unknown)} must be states of {quoted([name])}; fix its table")
    return np.eye(len(levels))[[marks.index(mark) for mark in said]].ravel().tolist()


def write_xdsl(network: DiscreteNetwork) -> str:
    """The network as XDSL text, which `read_xdsl` reads back to the last bit.

    Names and levels that are no identifiers get one, and stand beside it as name and label. Nodes come after their
    parents, as GeNIe wants them.

    Raises
    ------
    ParameterError
        If XML cannot hold a name or level.
    """
    check_writable(network.names, network.levels, UNWRITABLE, FORM)
    marks = identifiers(network.names)
    root = Element("smile", version="1.0", id="network", numsamples="10000", discsamples="10000")
    nodes = SubElement(root, "nodes")
    for j in topological_order(network.dag):
        node = SubElement(nodes, "cpt", id=marks[j])
        states = identifiers(network.levels[j])
        for mark, level in zip(states, network.levels[j], strict=True):
            SubElement(node, "state", {"id": mark} | ({"label": level} if states != [*network.levels[j]] else {}))
        if parents := network.dag.parents(j):
            SubElement(node, "parents").text = " ".join(marks[i] for i in parents)
        SubElement(node, "probabilities").text = " ".join(map(repr, network.cpts[j].ravel().tolist()))
    genie = SubElement(SubElement(root, "extensions"), "genie", version="1.0", app="Edgewise", name="network")
    for mark, name in zip(marks, network.names, strict=True):
        SubElement(SubElement(genie, "node", id=mark), "name").text = name
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
