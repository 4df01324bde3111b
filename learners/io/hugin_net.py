"""Read and write networks in NET, the text format of Hugin: probability tables, or linear Gaussian equations.

In a potential the child varies fastest and the first parent slowest (HUGIN API reference manual, chapter 13).
``normal(mean, variance)`` is the distribution of a continuous node.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ..common.errors import DataError
from ..common.wording import quoted
from ..networks.network import DiscreteNetwork, GaussianNetwork, Network
from .declared import DeclaredTable, check_writable, declared_network, display_names, identifiers, text_of_file
from .equations import Equation, gaussian_network, written_terms
from .tokens import Tokens, in_quotes

FORM = "NET"
COMMENT = r"%[^\n]*+"
UNWRITABLE = re.compile("[\x00-\x1f\x7f]")
WRONG_KINDS = ("decision", "utility", "function", "interval", "class")


@dataclass
class _Read:
    """Declarations and potentials read so far, by identifier."""

    labels: dict[str, str] = field(default_factory=dict)
    levels: dict[str, list[str]] = field(default_factory=dict)
    parents: dict[str, list[str]] = field(default_factory=dict)
    data: dict[str, list[float] | Equation] = field(default_factory=dict)


def read_net(source: str | Path | bytes) -> Network:
    """Read a network of discrete or of continuous nodes from a NET file.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip. A str with a ``{`` in it is text, any other a path.

    Returns
    -------
    DiscreteNetwork or GaussianNetwork
        Variables have their labels as names if these are distinct, else their identifiers.

    Raises
    ------
    DataError
        If it is not such a file, has nodes of both or of other kinds, or is not a network; see `declared_network`.

    Examples
    --------
    >>> read_net('net {} node a { states = ("yes" "no"); } potential (a) { data = (0.2 0.8); }').levels
    (('yes', 'no'),)
    """
    tokens, read = Tokens(text_of_file(source, "{"), FORM, COMMENT), _Read()
    while tokens.next.kind != "end":
        at, keyword = tokens.next, tokens.name("'net', 'node' or 'potential'")
        if keyword in WRONG_KINDS:
            tokens.fail(f"nodes must be discrete or continuous, found {quoted([keyword])}. Remove it", at)
        if keyword == "net":
            tokens.take("{")
            _attributes(tokens)
        elif keyword in ("discrete", "continuous", "node"):
            if keyword != "node":
                tokens.take("node")
            _node(tokens, read, keyword == "continuous")
        elif keyword == "potential":
            _potential(tokens, read)
        else:
            tokens.fail(f"expected 'net', 'node' or 'potential' here, found {quoted([keyword])}", at)
    return _network(read)


def _attributes(tokens: Tokens) -> dict[str, list[str]]:
    """Parse attributes up to a closing brace; return the quoted texts of each."""
    found = {}
    while not tokens.takes("}"):
        name, values = tokens.name("an attribute or '}'"), []
        while not tokens.takes(";"):
            if tokens.next.kind == "end":
                tokens.fail("expected ';' before the end", tokens.next)
            piece = tokens.take()
            if piece.kind == "quoted":
                values.append(piece.text)
        found[name] = values
    return found


def _node(tokens: Tokens, read: _Read, continuous: bool) -> None:
    at, mark = tokens.next, tokens.name("the name of a node")
    if mark in read.labels:
        tokens.fail(f"a node must be declared once, {quoted([mark])} is declared again. Remove one", at)
    tokens.take("{")
    attributes = _attributes(tokens)
    read.labels[mark] = "".join(attributes.get("label", []))
    if not continuous:
        if not attributes.get("states"):
            tokens.fail(f"node {quoted([mark])} must have states, found none. Add them", at)
        read.levels[mark] = attributes["states"]


def _potential(tokens: Tokens, read: _Read) -> None:
    at = tokens.take("(")
    mark, parents = tokens.name("the name of a node"), []
    if tokens.takes("|"):
        while tokens.next.kind in ("word", "quoted"):
            parents.append(tokens.take().text)
    tokens.take(")")
    if mark in read.parents:
        tokens.fail(f"a node must have one potential, {quoted([mark])} has another. Remove one", at)
    read.parents[mark] = parents
    tokens.take("{")
    while not tokens.takes("}"):
        name = tokens.name("'data' or '}'")
        if name != "data":
            tokens.skip_to(";")
            continue
        tokens.take("=")
        if mark in read.levels:
            read.data[mark] = tokens.numbers(";", "()", f"the probabilities of {quoted([mark])}")
        else:
            read.data[mark] = _equation(tokens)
        tokens.take(";")


def _equation(tokens: Tokens) -> Equation:
    """Parse ``normal (0.3 + 0.5 * x - y, 1.2)``, with or without parentheses around it."""
    depth = 0
    while tokens.takes("("):
        depth += 1
    tokens.take("normal")
    tokens.take("(")
    found, sign = Equation(), 1.0
    while not tokens.takes(","):
        if tokens.takes("-"):
            sign = -sign
        elif not tokens.takes("+"):
            found.add(tokens, sign)
            sign = 1.0
    found.variance = tokens.number("the variance of a continuous node")
    for _ in range(depth + 1):
        tokens.take(")")
    return found


def _network(read: _Read) -> Network:
    marks = list(read.labels)
    called = display_names(marks, list(read.labels.values()))
    if read.levels and len(read.levels) < len(marks):
        raise DataError(f"a {FORM} network must have nodes of one kind, found discrete and continuous ones. Split it")
    if read.levels or not marks:
        tables = {mark: DeclaredTable(read.parents[mark], numbers) for mark, numbers in read.data.items()}
        return declared_network(read.levels, tables, FORM, called)
    if missing := [mark for mark in marks if mark not in read.data]:
        raise DataError(f"every node of a {FORM} network needs its potential, {quoted(missing)} have none. Add them")
    if unknown := [mark for mark in read.data if mark not in read.labels]:
        raise DataError(f"a {FORM} potential must be of declared nodes, {quoted(unknown)} are not. Declare them")
    return gaussian_network(called, {mark: read.data[mark] for mark in marks}, FORM)


def write_net(network: Network) -> str:
    """Write a network as NET text, which `read_net` reads back to the last bit.

    Nodes are called by identifiers, with the name as label.

    Raises
    ------
    ParameterError
        If a name or level has control characters, or blanks at its ends.
    """
    check_writable(network.names, getattr(network, "levels", ()), UNWRITABLE, FORM)
    marks, lines = identifiers(network.names), ["net\n{\n}\n"]
    for j, mark in enumerate(marks):
        states = ""
        if isinstance(network, DiscreteNetwork):
            states = f"  states = ({' '.join(map(in_quotes, network.levels[j]))});\n"
        kind = "node" if states else "continuous node"
        lines.append(f"{kind} {mark}\n{{\n  label = {in_quotes(network.names[j])};\n{states}}}\n")
    for j, mark in enumerate(marks):
        given = "".join(f" {marks[i]}" for i in network.dag.parents(j))
        data = _rows(network, j) if isinstance(network, DiscreteNetwork) else _normal(network, j, marks)
        lines.append(f"potential ({mark}{' |' * bool(given)}{given})\n{{\n  data = {data};\n}}\n")
    return "".join(lines)


def _rows(network: DiscreteNetwork, j: int) -> str:
    """Write a table with a pair of parentheses around the rows of each level of each parent."""
    blocks = [f"({' '.join(map(repr, row))})" for row in network.cpts[j].tolist()]
    for i in reversed(network.dag.parents(j)):
        r = len(network.levels[i])
        blocks = [f"({''.join(blocks[k : k + r])})" for k in range(0, len(blocks), r)]
    return blocks[0]


def _normal(network: GaussianNetwork, j: int, marks: list[str]) -> str:
    mean = " + ".join(filter(None, (repr(float(network.intercept[j])), written_terms(network, j, marks))))
    return f"( normal ( {mean}, {float(network.noise_variance[j])!r} ) )"
