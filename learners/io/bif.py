r"""Bayesian networks in the text format BIF (Bayesian Interchange Format 0.15).

Commas and bars separate names as blanks do. Comments are ``// ...`` and ``/* ... */``. A name that holds blanks or
punctuation may be quoted; inside quotes ``\"`` and ``\\`` stand for a quote and a backslash. Written files have no
quotes; see `bif_names`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..common.errors import DataError
from ..common.memory import check_memory
from ..common.validation import validated
from ..common.wording import did_you_mean, quoted
from ..graphs.graph import PDAG
from ..networks.network import DiscreteNetwork
from .bif_names import plain_names, properties_of
from .bif_syntax import Block, Scanner, Variable, parse
from .declared import CELLS_PER_BYTE, MAX_NODES, TABLE, decoded, display_names, network_bytes, rescaled


@validated
def read_bif(source: str | Path | bytes) -> DiscreteNetwork:
    """Read a discrete network from a BIF file.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip. A str with a ``{`` in it is text, any other a path.

    Returns
    -------
    DiscreteNetwork
        Nodes and levels in the order of their declaration.

    Raises
    ------
    DataError
        If the file cannot be opened or is not BIF, a table is missing, repeated or has the wrong number of entries,
        a name is unknown, the parents form a cycle, or a row does not sum to 1. The message has the line number.

    Notes
    -----
    A row whose sum is off by more than 1e-9 but at most 0.002, due to printed decimals, is divided by its sum. Other
    rows stay exact, so that reading the output of `write_bif` returns the same network. Where a ``table`` lists the
    probabilities of a node with parents, the level of the node varies slowest and the last parent fastest.

    Examples
    --------
    >>> text = "variable a { type discrete [2] { yes, no }; } probability ( a ) { table 0.2, 0.8; }"
    >>> read_bif(text).cpts[0].tolist()
    [[0.2, 0.8]]
    """
    is_text = isinstance(source, str) and "{" in source
    text = source if is_text else decoded(network_bytes(source))
    return _network(*parse(text))


@validated
def write_bif(network: DiscreteNetwork) -> str:
    """Write a network as BIF text, which `read_bif` reads back to the last bit.

    Names and levels that are not identifiers are replaced by identifiers for other programs; a property has the
    original.

    Examples
    --------
    >>> text = "variable a { type discrete [2] { yes, no }; } probability ( a ) { table 0.2, 0.8; }"
    >>> print(write_bif(read_bif(text)).replace(chr(10), " ").rstrip())
    network unknown { } variable a {   type discrete [ 2 ] { yes, no }; } probability ( a ) {   table 0.2, 0.8; }
    """
    blocks = ["network unknown {\n}\n"]
    names, levels = plain_names(network.names), [plain_names(own) for own in network.levels]
    for j, own in enumerate(levels):
        properties = properties_of(network.names[j], network.levels[j])
        kind = f"  type discrete [ {len(own)} ] {{ {', '.join(own)} }};\n"
        blocks.append(f"variable {names[j]} {{\n{kind}{properties}}}\n")
    blocks += [_written_table(network, j, names, levels) for j in range(network.p)]
    return "".join(blocks)


def _network(scanner: Scanner, variables: dict[str, Variable], blocks: list[Block]) -> DiscreteNetwork:
    names, levels = list(variables), {name: one.levels for name, one in variables.items()}
    position = {name: j for j, name in enumerate(names)}
    codes = {name: {level: k for k, level in enumerate(levels[name])} for name in names}
    given: dict[str, Block] = {}
    for block in blocks:
        _check_names(scanner, block, position)
        if block.names[0] in given:
            scanner.fail(
                f"{quoted(block.names[:1])} must have one probability table, found another. Remove one", block.at
            )
        given[block.names[0]] = block
    missing = [name for name in names if name not in given]
    if missing:
        raise DataError(f"every variable of the BIF network needs a probability table, {quoted(missing)} have none")
    _check_size(levels, given, len(scanner.text))
    edges = [(position[parent], position[name]) for name in names for parent in given[name].names[1:]]
    amat = np.zeros((len(names), len(names)), dtype=bool)
    amat[tuple(np.array(edges, dtype=np.int64).reshape(-1, 2).T)] = True
    cpts = tuple(_cpt(scanner, given[name], codes, position) for name in names)
    called = display_names(names, [one.called for one in variables.values()])
    return DiscreteNetwork(tuple(called), tuple(one.levels_called for one in variables.values()), PDAG(amat), cpts)


def _check_size(levels: dict[str, tuple[str, ...]], given: dict[str, Block], length: int) -> None:
    cells = {name: math.prod(len(levels[one]) for one in block.names) for name, block in given.items()}
    largest = max(cells, key=cells.__getitem__)
    most = 1_000_000 + CELLS_PER_BYTE * length
    if len(levels) > MAX_NODES or sum(cells.values()) > most:
        found = min(sum(cells.values()), 10**18)
        raise DataError(
            f"a BIF network of this length may have at most {MAX_NODES:,} variables and {most:,} probabilities; found "
            f"{len(levels):,} and {found:,}, most of them for {quoted([largest])} with "
            f"{len(given[largest].names) - 1:,} parents. Choose a smaller one"
        )
    check_memory(
        TABLE * float(sum(cells.values())), f"the probabilities of {quoted([largest])} and others", "choose another"
    )


def _check_names(scanner: Scanner, block: Block, position: dict[str, int]) -> None:
    for name in block.names:
        if name not in position:
            near = did_you_mean(name, list(position)) if len(position) <= 20 else ""
            scanner.fail(f"every name must be a declared variable, {quoted([name])} is not one{near}", block.at)
    if len(set(block.names)) < len(block.names):
        scanner.fail(f"a variable and its parents must differ, found {quoted(block.names)}. Remove one", block.at)


def _cpt(scanner: Scanner, block: Block, codes: dict[str, dict[str, int]], position: dict[str, int]) -> np.ndarray:
    """Return the (q, r) table of a variable: parents ascending, the last one fastest."""
    parents = block.names[1:]
    shape = [len(codes[name]) for name in [*parents, block.names[0]]]
    cells = np.full(shape, np.nan)
    for at, labels, numbers in block.rows:
        _fill_row(scanner, cells, at, _configuration(scanner, at, labels, parents, codes), numbers)
    for at, keyword, numbers in block.whole:
        _fill_rest(scanner, cells, at, keyword, numbers)
    _check_complete(scanner, block, cells, codes)
    order = np.argsort([position[parent] for parent in parents])
    table = cells.transpose(*order, len(parents)).reshape(-1, shape[-1])
    return rescaled(table, block.names[0], lambda sentence: scanner.fail(sentence, block.at))


def _configuration(
    scanner: Scanner, at: int, labels: list[str], parents: list[str], codes: dict[str, dict[str, int]]
) -> tuple[int, ...]:
    if len(labels) != len(parents):
        scanner.fail(f"a row must name one level for each of {quoted(parents)}, found {quoted(labels)}. Fix it", at)
    try:
        return tuple([codes[parent][label] for parent, label in zip(parents, labels, strict=True)])
    except KeyError:
        wrong = [pair for pair in zip(parents, labels, strict=True) if pair[1] not in codes[pair[0]]]
        parent, label = wrong[0]
        scanner.fail(
            f"{quoted([label])} must be a level of {quoted([parent])}, whose levels are {quoted(codes[parent])}", at
        )


def _fill_row(
    scanner: Scanner, cells: np.ndarray, at: int, configuration: tuple[int, ...], numbers: list[float]
) -> None:
    if len(numbers) != cells.shape[-1]:
        scanner.fail(f"a row must hold {cells.shape[-1]} probabilities, found {len(numbers)}. Fix it", at)
    if not np.isnan(cells[configuration][0]):
        scanner.fail("each combination of levels must have one row, found a second. Remove one", at)
    cells[configuration] = numbers


def _fill_rest(scanner: Scanner, cells: np.ndarray, at: int, keyword: str, numbers: list[float]) -> None:
    empty = np.isnan(cells).any(axis=-1)
    if keyword == "table" and not empty.all():
        scanner.fail("a table must be the only entry of its block, found rows beside it. Remove one of them", at)
    wanted = cells.size if keyword == "table" else cells.shape[-1]
    if len(numbers) != wanted:
        scanner.fail(f"'{keyword}' must hold {wanted} probabilities, found {len(numbers)}. Fix it", at)
    if keyword == "table":
        cells[...] = np.moveaxis(np.reshape(numbers, (cells.shape[-1], *cells.shape[:-1])), 0, -1)
    else:
        cells[empty] = numbers


def _check_complete(scanner: Scanner, block: Block, cells: np.ndarray, codes: dict[str, dict[str, int]]) -> None:
    empty = np.isnan(cells).any(axis=-1)
    if not empty.any():
        return
    first = np.unravel_index(int(empty.argmax()), empty.shape)
    name, *parents = block.names
    if not parents:
        scanner.fail(f"{quoted([name])} must have its probabilities, found none. Add a table", block.at)
    labels = [list(codes[parent])[code] for parent, code in zip(parents, first, strict=True)]
    scanner.fail(
        f"{quoted([name])} must have a row for every combination of levels of {quoted(parents)}, found none for "
        f"{quoted(labels)}. Add it or a default",
        block.at,
    )


def _written_table(network: DiscreteNetwork, j: int, names: Sequence[str], levels: Sequence[Sequence[str]]) -> str:
    parents = network.dag.parents(j)
    rows = [", ".join(map(repr, row)) for row in network.cpts[j].tolist()]
    if not parents:
        return f"probability ( {names[j]} ) {{\n  table {rows[0]};\n}}\n"
    given = itertools.product(*(levels[i] for i in parents))
    lines = [f"  ({', '.join(labels)}) {row};\n" for labels, row in zip(given, rows, strict=True)]
    head = f"probability ( {names[j]} | {', '.join(names[i] for i in parents)} ) {{\n"
    return head + "".join(lines) + "}\n"
