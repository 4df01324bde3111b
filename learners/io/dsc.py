"""Read and write discrete networks in DSC, the text format of Microsoft's Bayesian network tools and of bnlearn.

A row of a table follows the codes of its parents' levels, counted from 0, as in ``(0, 1): 0.2, 0.8;``.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..common.wording import quoted
from ..networks.network import DiscreteNetwork
from .declared import (
    CELLS_PER_BYTE,
    DeclaredTable,
    check_writable,
    declared_network,
    display_names,
    identifiers,
    text_of_file,
)
from .tokens import Tokens, in_quotes

FORM = "DSC"
COMMENT = r"//[^\n]*+|/\*(?:(?!\*/).)*+(?:\*/)?+"
UNWRITABLE = re.compile("[\x00-\x1f\x7f]")
Rows = dict[tuple[float, ...], list[float]]  # rows by the codes of the parents' levels; the default row has no codes


def read_dsc(source: str | Path | bytes) -> DiscreteNetwork:
    """Read a discrete network from a DSC file.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip. A str with a ``{`` in it is text, any other a path.

    Returns
    -------
    DiscreteNetwork
        Variables have their names if these are distinct, else their identifiers.

    Raises
    ------
    DataError
        If it is not such a file, or not a network; see `declared_network`.

    Examples
    --------
    >>> read_dsc('node a { type: discrete[2] = { "yes", "no" }; } probability(a) { 0.2, 0.8; }').levels
    (('yes', 'no'),)
    """
    tokens = Tokens(text_of_file(source, "{"), FORM, COMMENT)
    labels: dict[str, str] = {}
    levels: dict[str, list[str]] = {}
    given: dict[str, list[str]] = {}
    rows: dict[str, Rows] = {}
    while tokens.next.kind != "end":
        at, keyword = tokens.next, tokens.name("'belief network', 'node' or 'probability'")
        if keyword == "node":
            mark = tokens.name("the name of a node")
            if mark in levels:
                tokens.fail(f"a node must be declared once, {quoted([mark])} is declared again. Remove one", at)
            labels[mark], levels[mark] = _node(tokens, mark)
        elif keyword == "probability":
            mark, parents = _head(tokens)
            if mark in given:
                tokens.fail(f"a node must have one table, {quoted([mark])} has another. Remove one", at)
            given[mark], rows[mark] = parents, _rows(tokens, mark)
        elif keyword in ("belief", "network"):
            while tokens.next.kind in ("word", "quoted") and tokens.next.text not in ("node", "probability"):
                tokens.take()
            if tokens.takes("{"):
                tokens.skip_to("}")
        else:
            tokens.fail(f"expected 'node' or 'probability' here, found {quoted([keyword])}", at)
    tables = {}
    for mark, parents in given.items():
        # If a name is unknown, no sizes are passed, so that the error concerns the name, not the numbers.
        declared = all(one in levels for one in (mark, *parents))
        sizes = [len(levels[one]) for one in parents] if declared else []
        tables[mark] = DeclaredTable(parents, _numbers(tokens, mark, sizes, len(levels.get(mark, ())), rows[mark]))
    return declared_network(levels, tables, FORM, display_names(list(levels), list(labels.values())))


def _node(tokens: Tokens, mark: str) -> tuple[str, list[str]]:
    """Return the label and the levels of a node."""
    label, levels = "", []
    tokens.take("{")
    while not tokens.takes("}"):
        attribute = tokens.name("'name', 'type' or '}'")
        if attribute == "name" and tokens.takes(":"):
            label = tokens.name("a name")
            tokens.take(";")
        elif attribute == "type" and tokens.takes(":"):
            levels = _levels(tokens, mark)
        else:
            tokens.skip_to(";")
    if not levels:
        tokens.fail(f"node {quoted([mark])} must have levels, found none. Add its type", tokens.next)
    return label, levels


def _levels(tokens: Tokens, mark: str) -> list[str]:
    at, levels = tokens.take("discrete"), []
    tokens.take("[")
    declared = tokens.number("the number of levels")
    tokens.take("]")
    tokens.take("=")
    tokens.take("{")
    while not tokens.takes("}"):
        levels.append(tokens.take().text if tokens.next.kind == "number" else tokens.name("the name of a level"))
        tokens.takes(",")
    tokens.take(";")
    if len(levels) != declared:
        tokens.fail(f"node {quoted([mark])} must have {declared:g} levels, found {quoted(levels)}. Fix them", at)
    return levels


def _head(tokens: Tokens) -> tuple[str, list[str]]:
    """Return the node and the parents in parentheses."""
    tokens.take("(")
    mark, parents = tokens.name("the name of a node"), []
    if tokens.takes("|"):
        while tokens.next.kind in ("word", "quoted"):
            parents.append(tokens.take().text)
            tokens.takes(",")
    tokens.take(")")
    return mark, parents


def _rows(tokens: Tokens, mark: str) -> Rows:
    rows: Rows = {}
    tokens.take("{")
    what = f"the probabilities of {quoted([mark])}"
    while not tokens.takes("}"):
        at, key = tokens.next, ()
        if tokens.takes("("):
            key = tuple(tokens.numbers(")", ",", "the numbers of levels"))
            tokens.take(")")
            tokens.take(":")
        elif tokens.takes("default"):
            tokens.take(":")
        if key in rows:
            tokens.fail(f"each row of {quoted([mark])} must occur once, found one twice. Remove it", at)
        rows[key] = tokens.numbers(";", ",", what)
        tokens.take(";")
    return rows


def _numbers(tokens: Tokens, mark: str, sizes: Sequence[int], r: int, rows: Rows) -> Sequence[float]:
    """Return the rows in the order of the levels of the parents, with the default for missing rows."""
    if not sizes:
        return rows.get((), [])
    wanted, most = math.prod(sizes), 1_000_000 + CELLS_PER_BYTE * len(tokens.text)
    if wanted * r > most:
        tokens.fail(f"the table of {quoted([mark])} may hold {most:,} numbers. Choose a smaller network", tokens.next)
    if len(rows) < wanted and () not in rows:
        tokens.fail(
            f"{quoted([mark])} must have {wanted:,} rows, found {len(rows):,}. Add some or a default", tokens.next
        )
    for key, row in rows.items():
        if key and not (len(key) == len(sizes) and all(map(_is_code, key, sizes))):
            tokens.fail(f"{quoted([mark])} has no row {key}. Number the levels of its parents from 0", tokens.next)
        if len(row) != r:
            tokens.fail(f"a row of {quoted([mark])} must hold {r} probabilities, found {len(row)}. Fix it", tokens.next)
    table = np.empty((*sizes, r))
    table[...] = rows.get((), np.nan)
    for key, row in rows.items():
        if key:
            table[tuple(map(int, key))] = row
    return table.ravel()


def _is_code(number: float, size: int) -> bool:
    return 0 <= number < size and number % 1 == 0


def write_dsc(network: DiscreteNetwork) -> str:
    """Write a network as DSC text, which `read_dsc` reads back to the last bit.

    Nodes are called by identifiers, with the name as an attribute.

    Raises
    ------
    ParameterError
        If a name or level has control characters, or blanks at its ends.
    """
    check_writable(network.names, network.levels, UNWRITABLE, FORM)
    marks, lines = identifiers(network.names), ['belief network "network"\n']
    for mark, name, levels in zip(marks, network.names, network.levels, strict=True):
        kind = f"discrete[{len(levels)}] = {{ {', '.join(map(in_quotes, levels))} }}"
        lines.append(f"node {mark}\n{{\n  name: {in_quotes(name)};\n  type: {kind};\n}}\n")
    for j, mark in enumerate(marks):
        parents = network.dag.parents(j)
        given = " | " + ", ".join(marks[i] for i in parents) if parents else ""
        keys = itertools.product(*(range(len(network.levels[i])) for i in parents))
        lines.append(f"probability({mark}{given})\n{{\n")
        for key, row in zip(keys, network.cpts[j].tolist(), strict=True):
            head = f"({', '.join(map(str, key))}): " if key else ""
            lines.append(f"  {head}{', '.join(map(repr, row))};\n")
        lines.append("}\n")
    return "".join(lines)
