"""Read and write networks in XDSL, the XML format of GeNIe and SMILE: probability tables, or Gaussian equations.

In a table the first parent varies slowest and the node itself fastest (SMILE manual, *Multidimensional arrays*), as in
files that GeNIe wrote. A noisy-MAX node becomes a table; see `noisy_max_table`. An equation is
``x=2*a+Normal(0.5,1.2)``, with the standard deviation of the noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ..common.errors import DataError
from ..common.wording import quoted
from ..graphs.graph import topological_order
from ..networks.network import DiscreteNetwork, GaussianNetwork, Network
from .declared import (
    DeclaredTable,
    check_writable,
    declared_network,
    display_names,
    identifiers,
    numbers_in,
    text_of_file,
)
from .equations import Equation, gaussian_network, written_terms
from .noisy_max import noisy_max_table
from .safe_xml import read_xml, text_in
from .tokens import Tokens
from .xmlbif import UNWRITABLE

FORM, NO_COMMENT = "XDSL", r"(?!)"
TABLES = ("cpt", "deterministic", "noisymax")
KINDS = {"noisyadder": "noisy adders", "decision": "decisions", "utility": "utilities"}


def read_xdsl(source: str | Path | bytes) -> Network:
    """Read a network of chance nodes with tables or noisy-MAX parameters, or of linear Gaussian equations.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip. A str with a ``<`` in it is text, any other a path.

    Returns
    -------
    DiscreteNetwork or GaussianNetwork
        Variables have their names in GeNIe if these are distinct, else their identifiers.

    Raises
    ------
    DataError
        If it is not such a file, has nodes of other types, or is not a network; see `declared_network`.
    """
    root = read_xml(text_of_file(source, "<").encode("utf-8", "replace"), FORM)
    nodes = root.find("nodes")
    if root.tag != "smile" or nodes is None:
        raise DataError(f"a file of {FORM} must hold nodes in a smile, found {quoted([root.tag])}. Choose another")
    marks = [one.get("id", "") for one in nodes]
    if len(set(marks)) < len(marks):
        raise DataError(f"in the {FORM} network: each node must have an identifier of its own, found one twice. Fix it")
    numbers = bool(marks) and all(one.tag == "equation" for one in nodes)
    if other := [one.get("id", "") for one in nodes if not numbers and one.tag not in TABLES]:
        raise DataError(
            f"in the {FORM} network: all nodes must be chance nodes with tables, found {_kinds(nodes, other)}. Change "
            "their type to General in GeNIe, or use only equations"
        )
    labels = {one.get("id", ""): text_in(one, "name") for one in root.iter("node")}
    # Parents precede their children; the order of variables is that of the second list, if it is complete.
    ordered = list(labels) if set(labels) == set(marks) else marks
    at = {one.get("id", ""): one for one in nodes}
    called = display_names(ordered, [labels.get(mark, "") for mark in ordered])
    if numbers:
        return gaussian_network(
            called, {mark: _equation(mark, text_in(at[mark], "definition")) for mark in ordered}, FORM
        )
    levels = {mark: _levels(at[mark]) for mark in ordered}
    tables = {
        mark: DeclaredTable(text_in(at[mark], "parents").split(), _numbers(at[mark], mark, levels)) for mark in ordered
    }
    return declared_network(levels, tables, FORM, called)


def _kinds(nodes: Element, other: Sequence[str]) -> str:
    """Return the kinds and identifiers of nodes that have no table of probabilities."""
    tags = sorted({one.tag for one in nodes if one.get("id", "") in other})
    return " and ".join(
        f"{KINDS.get(tag, tag)} {quoted([one.get('id', '') for one in nodes if one.tag == tag])}" for tag in tags
    )


def _equation(mark: str, text: str) -> Equation:
    """Parse ``x=2*a-b+Normal(0.5,1.2)+1``: a sum with one noise term, given by mean and standard deviation."""
    tokens, found = Tokens(text, f"equation of {quoted([mark])} in the {FORM}", NO_COMMENT), Equation()
    tokens.take(mark)
    tokens.take("=")
    sign = 1.0
    while tokens.next.kind != "end":
        if tokens.takes("-"):
            sign = -sign
        elif tokens.takes("Normal"):
            _add_noise(tokens, found, sign)
            sign = 1.0
        elif not tokens.takes("+"):
            found.add(tokens, sign)
            sign = 1.0
    return found


def _add_noise(tokens: Tokens, found: Equation, sign: float) -> None:
    at = tokens.take("(")
    if found.variance:
        tokens.fail("an equation must have one normal noise, found another. Add them up", at)
    found.intercept += sign * tokens.number("the mean of a noise")
    tokens.take(",")
    spread = tokens.number("the standard deviation of a noise")
    if not spread > 0:
        tokens.fail(f"the standard deviation of a noise must be above 0, found {spread:g}. Raise it", at)
    found.variance = spread * spread
    tokens.take(")")


def _levels(node: Element) -> list[str]:
    marks = [state.get("id", "") for state in node.findall("state")]
    return display_names(marks, [state.get("label", "") for state in node.findall("state")])


def _numbers(node: Element, name: str, levels: Mapping[str, Sequence[str]]) -> Sequence[float]:
    """Return the probabilities of a node; those of a deterministic node are 0 or 1."""
    if node.tag == "cpt":
        return numbers_in(text_in(node, "probabilities"), name, FORM)
    if node.tag == "noisymax":
        parents = text_in(node, "parents").split()
        if not levels[name] or not all(parent in levels for parent in parents):
            return ()  # `declared_network` reports the error
        strengths, parameters = (numbers_in(text_in(node, tag), name, FORM) for tag in ("strengths", "parameters"))
        sizes = [len(levels[parent]) for parent in parents]
        return noisy_max_table(name, len(levels[name]), sizes, strengths, parameters, FORM)
    marks = [state.get("id", "") for state in node.findall("state")]
    states = text_in(node, "resultingstates").split()
    if unknown := [mark for mark in states if mark not in marks]:
        raise DataError(f"in the {FORM} network: {quoted(unknown)} must be states of {quoted([name])}. Fix its table")
    return np.eye(len(levels[name]))[[marks.index(mark) for mark in states]].ravel().tolist()


def write_xdsl(network: Network) -> str:
    """Write a network as XDSL text, which `read_xdsl` reads back to the last bit; variances to 15 digits.

    Nodes and states are called by identifiers, with the original as name or label. Nodes follow their parents, as GeNIe
    requires.

    Raises
    ------
    ParameterError
        If XML cannot represent a name or level.
    """
    check_writable(network.names, network.states, UNWRITABLE, FORM)
    marks = identifiers(network.names, ["Normal"])
    root = Element("smile", version="1.0", id="network", numsamples="10000", discsamples="10000")
    nodes = SubElement(root, "nodes")
    for j in topological_order(network.dag):
        (_write_equation if isinstance(network, GaussianNetwork) else _write_table)(nodes, network, j, marks)
    genie = SubElement(SubElement(root, "extensions"), "genie", version="1.0", app="Edgewise", name="network")
    for mark, name in zip(marks, network.names, strict=True):
        SubElement(SubElement(genie, "node", id=mark), "name").text = name
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _write_table(nodes: Element, network: DiscreteNetwork, j: int, marks: Sequence[str]) -> None:
    node = SubElement(nodes, "cpt", id=marks[j])
    states = identifiers(network.levels[j])
    for mark, level in zip(states, network.levels[j], strict=True):
        SubElement(node, "state", {"id": mark} | ({"label": level} if states != [*network.levels[j]] else {}))
    _write_parents(node, network, j, marks)
    SubElement(node, "probabilities").text = " ".join(map(repr, network.cpts[j].ravel().tolist()))


def _write_equation(nodes: Element, network: GaussianNetwork, j: int, marks: Sequence[str]) -> None:
    node = SubElement(nodes, "equation", id=marks[j])
    _write_parents(node, network, j, marks)
    noise = f"Normal({float(network.intercept[j])!r},{float(np.sqrt(network.noise_variance[j]))!r})"
    terms = written_terms(network, j, marks)
    SubElement(node, "definition").text = f"{marks[j]}={f'{terms} + ' if terms else ''}{noise}"


def _write_parents(node: Element, network: Network, j: int, marks: Sequence[str]) -> None:
    if parents := network.dag.parents(j):
        SubElement(node, "parents").text = " ".join(marks[i] for i in parents)
