"""Build a discrete network from the declarations in a file: levels, and parents and numbers of each table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..common.errors import DataError, ParameterError
from ..common.memory import CELL_BYTES, check_memory
from ..common.wording import quoted
from ..data.reading.source import read_bytes
from ..graphs.graph import PDAG
from ..networks.network import ROUNDING, DiscreteNetwork

PRINTED = 2e-3  # maximum deviation of the sum of a row from 1 that printed decimals can cause; the row is rescaled
MAX_NODES = 2_000
MAX_BYTES = 20 * 1024**2  # maximum size of the text; that of munin takes 4 MB
# Maximum number of cells per byte of the text, beyond a million: a short text may declare more than fits into memory.
CELLS_PER_BYTE = 20
TABLE = 5 * CELL_BYTES  # bytes of a probability while it is read
R_WORDS = frozenset({
    "if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL", "Inf", "NaN",
    "NA", "NA_integer_", "NA_real_", "NA_complex_", "NA_character_",
})  # words reserved by R  # fmt: skip
Fail = Callable[[str], NoReturn]


@dataclass(frozen=True)
class DeclaredTable:
    """The conditional probability table of a variable.

    Attributes
    ----------
    parents : sequence of str
    numbers : sequence of float
        The first parent varies slowest, the variable itself fastest.
    """

    parents: Sequence[str]
    numbers: Sequence[float]


def text_of_file(source: str | Path | bytes, mark: str) -> str:
    """Return the text of a file; a str that contains `mark` is the text itself.

    Raises
    ------
    DataError
        If the file cannot be opened, or is too large.
    """
    if isinstance(source, str) and mark in source:
        raw = source.encode("utf-8", "surrogatepass")
    else:
        raw = network_bytes(source)
    if len(raw) > MAX_BYTES:
        raise DataError(f"a network may take at most {MAX_BYTES // 1024**2} MB, found more. Choose a smaller one")
    return decoded(raw)


def network_bytes(source: str | Path | bytes) -> bytes:
    """Return the bytes of a network file, decompressed if necessary."""
    return read_bytes(
        source, most=MAX_BYTES, advice="Choose a smaller network", needs="a network with its probabilities"
    )


def decoded(raw: bytes) -> str:
    """Decode bytes as UTF-8 or, if that fails, as Latin-1, which accepts all bytes."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def declared_network(
    levels: Mapping[str, Sequence[str]],
    tables: Mapping[str, DeclaredTable],
    form: str,
    called: Sequence[str] | None = None,
) -> DiscreteNetwork:
    """Build the network, with nodes in the order of their declaration.

    Parameters
    ----------
    levels : mapping of variable to levels
    tables : mapping of variable to DeclaredTable
    form : str
        Format of the file for messages, such as "XMLBIF".
    called : sequence of str, optional
        Names of the variables in the network. Default: as declared.

    Raises
    ------
    DataError
        If a variable has no level or no table; if a table belongs to an unknown variable, has the wrong size, numbers
        that are not probabilities or a row that does not sum to 1; if there are too many variables; or if the parents
        form a cycle.
    """
    _check_declared(levels, tables, form)
    position = {name: j for j, name in enumerate(levels)}
    amat = np.zeros((len(levels), len(levels)), dtype=bool)
    cpts = []
    for name in levels:
        parents = list(tables[name].parents)
        shape = [len(levels[parent]) for parent in parents]
        cells = np.array(tables[name].numbers, dtype=np.float64).reshape(*shape, len(levels[name]))
        order = np.argsort([position[parent] for parent in parents], kind="stable")
        table = cells.transpose(*order, len(parents)).reshape(-1, len(levels[name]))
        cpts.append(rescaled(table, name, failing(form)))
        amat[[position[parent] for parent in parents], position[name]] = True
    names = tuple(levels if called is None else called)
    return DiscreteNetwork(names, tuple(map(tuple, levels.values())), PDAG(amat), tuple(cpts))


def _check_declared(levels: Mapping[str, Sequence[str]], tables: Mapping[str, DeclaredTable], form: str) -> None:
    fail = failing(form)
    if not levels:
        fail("at least one variable must be declared, found none. Choose a file of this format")
    if len(levels) > MAX_NODES:
        fail(f"there may be at most {MAX_NODES:,} variables, found {len(levels):,}. Choose a smaller network")
    if bare := [name for name, own in levels.items() if not own]:
        fail(f"every variable needs at least one level, {quoted(bare)} have none. Add them")
    if missing := [name for name in levels if name not in tables]:
        fail(f"every variable needs its probabilities, {quoted(missing)} have none. Add them")
    if unknown := [name for name in tables if name not in levels]:
        fail(f"probabilities must be of a declared variable, {quoted(unknown)} are not. Declare or remove them")
    for name, table in tables.items():
        if unknown := [parent for parent in table.parents if parent not in levels]:
            fail(f"the parents of {quoted([name])} must be declared variables, {quoted(unknown)} are not")
        if len({name, *table.parents}) < 1 + len(table.parents):
            fail(f"a variable and its parents must differ, found {quoted([name, *table.parents])}. Remove one")
        wanted = math.prod(len(levels[one]) for one in (name, *table.parents))
        if len(table.numbers) != wanted:
            found = f"{len(table.numbers):,}"
            fail(
                f"the table of {quoted([name])} must hold {min(wanted, 10**18):,} probabilities, found {found}. Fix it"
            )
    cells = sum(len(table.numbers) for table in tables.values())
    check_memory(TABLE * float(cells), f"the probabilities of this {form} network", "choose another")


def rescaled(table: np.ndarray, name: str, fail: Fail) -> np.ndarray:
    """Normalize rows whose sum differs from 1 because of printed decimals; leave other rows unchanged."""
    sums = table.sum(axis=1)
    off = np.abs(sums - 1)
    if not ((table >= 0) & (table <= 1 + PRINTED)).all():
        fail(f"probabilities must be in [0, 1], found others for {quoted([name])}. Fix them")
    if off.max() > PRINTED:
        total = sums[off.argmax()]
        fail(f"probabilities must sum to 1, a row of {quoted([name])} sums to {total:.6g}. Fix it")
    return np.where((off > ROUNDING)[:, None], table / sums[:, None], table)


def numbers_in(text: str, name: str, form: str) -> list[float]:
    """Parse numbers separated by blanks."""
    try:
        return [float(word) for word in text.split()]
    except ValueError as error:
        word = str(error).split(": ")[-1][:60]
        failing(form)(f"the probabilities of {quoted([name])} must be numbers, {word} is not one. Fix it")


def identifiers(texts: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Return distinct identifiers for texts: a letter, then letters, digits and underscores; none is in `taken`."""
    found: dict[str, None] = {}
    for text in texts:
        word = re.sub(r"[^A-Za-z0-9_]", "_", text)
        word = word if word[:1].isalpha() else f"n{word}"
        stem, k = word, 1
        while word in found or word in taken:
            k += 1
            word = f"{stem}_{k}"
        found[word] = None
    return list(found)


def display_names(identifying: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the labels of variables if they are distinct and not empty, else their identifiers."""
    return list(names) if all(names) and len(set(names)) == len(names) else list(identifying)


def check_writable(names: Sequence[str], levels: Sequence[Sequence[str]], forbidden: re.Pattern, form: str) -> None:
    """Raise ParameterError if a name or level is empty, has blanks at its ends, or matches `forbidden`."""
    texts = [*names, *(level for node in levels for level in node)]
    if bad := [text for text in texts if text != text.strip() or not text or forbidden.search(text)]:
        raise ParameterError(
            f"{form} cannot hold the names {quoted(bad)}: no control characters, and no blanks at the ends. Rename them"
        )


def failing(form: str) -> Fail:
    """Return a function that raises DataError with a sentence on a network of this format."""

    def fail(sentence: str) -> NoReturn:
        raise DataError(f"in the {form} network: {sentence}")

    return fail
