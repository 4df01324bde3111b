"""Read and write discrete networks in XMLBIF 0.3, the XML interchange format for Bayesian networks (Cozman 1998)."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..common.errors import DataError
from ..common.wording import quoted
from ..networks.network import DiscreteNetwork
from .declared import DeclaredTable, check_writable, declared_network, numbers_in, text_of_file
from .safe_xml import read_xml, text_in

FORM = "XMLBIF"
UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def read_xmlbif(source: str | Path | bytes) -> DiscreteNetwork:
    """Read a discrete network from an XMLBIF file.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip. A str with a ``<`` in it is text, any other a path.

    Raises
    ------
    DataError
        If it is not such a file, or not a network; see `declared_network`.

    Examples
    --------
    >>> read_xmlbif('<BIF VERSION="0.3"><NETWORK><VARIABLE TYPE="nature"><NAME>a</NAME><OUTCOME>yes</OUTCOME>'
    ...     '<OUTCOME>no</OUTCOME></VARIABLE><DEFINITION><FOR>a</FOR><TABLE>0.2 0.8</TABLE></DEFINITION>'
    ...     '</NETWORK></BIF>').cpts[0].tolist()
    [[0.2, 0.8]]
    """
    root = read_xml(text_of_file(source, "<").encode("utf-8", "replace"), FORM)
    network = root.find("NETWORK")
    if root.tag != "BIF" or network is None:
        raise DataError(f"a file of {FORM} must hold a NETWORK in a BIF, found {quoted([root.tag])}. Choose another")
    levels: dict[str, list[str]] = {}
    for one in network.findall("VARIABLE"):
        name = text_in(one, "NAME")
        if one.get("TYPE", "nature") != "nature":
            raise DataError(
                f"in the {FORM} network: {quoted([name])} must be of type nature. Remove decisions and utilities"
            )
        if name in levels:
            raise DataError(
                f"in the {FORM} network: a variable must be declared once, {quoted([name])} is declared again"
            )
        levels[name] = [(level.text or "").strip() for level in one.findall("OUTCOME")]
    tables: dict[str, DeclaredTable] = {}
    for one in network.findall("DEFINITION"):
        name = text_in(one, "FOR")
        if name in tables:
            raise DataError(f"in the {FORM} network: {quoted([name])} must have one table, found another. Remove one")
        parents = [(given.text or "").strip() for given in one.findall("GIVEN")]
        tables[name] = DeclaredTable(parents, numbers_in(text_in(one, "TABLE"), name, FORM))
    return declared_network(levels, tables, FORM)


def write_xmlbif(network: DiscreteNetwork) -> str:
    """Write a network as XMLBIF text, which `read_xmlbif` reads back to the last bit.

    Raises
    ------
    ParameterError
        If XML cannot represent a name or level.
    """
    check_writable(network.names, network.levels, UNWRITABLE, FORM)
    root = Element("BIF", VERSION="0.3")
    element = SubElement(root, "NETWORK")
    SubElement(element, "NAME").text = "network"
    for name, levels in zip(network.names, network.levels, strict=True):
        variable = SubElement(element, "VARIABLE", TYPE="nature")
        SubElement(variable, "NAME").text = name
        for level in levels:
            SubElement(variable, "OUTCOME").text = level
    for j, name in enumerate(network.names):
        definition = SubElement(element, "DEFINITION")
        SubElement(definition, "FOR").text = name
        for i in network.dag.parents(j):
            SubElement(definition, "GIVEN").text = network.names[i]
        SubElement(definition, "TABLE").text = " ".join(map(repr, network.cpts[j].ravel().tolist()))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
