r"""Parse BIF text into declared variables and probability blocks, with positions for error messages.

Commas and bars separate names as blanks do. Comments are ``// ...`` and ``/* ... */``. A name that holds blanks or
punctuation is quoted; inside quotes ``\"`` and ``\\`` stand for a quote and a backslash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from ..common.errors import DataError
from ..common.wording import quoted
from .bif_names import declared_names, property_in

_QUOTED = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_WORD = r'[^\s,|(){}\[\];"]+'
_ONE_NAME = re.compile(rf"{_QUOTED}|{_WORD}", re.DOTALL)
_SOME_NAMES = rf'[^(){{}};"]*(?:{_QUOTED}[^(){{}};"]*)*'
_IN_PARENTHESES = re.compile(rf"\(({_SOME_NAMES})\)", re.DOTALL)
_IN_BRACES = re.compile(rf"\{{({_SOME_NAMES})\}}", re.DOTALL)
_NUMBERS = re.compile(r"([0-9.eE+\-\s,|]*);")
_PROPERTY = re.compile(rf'[^;"]*(?:{_QUOTED}[^;"]*)*;', re.DOTALL)
_COUNT = re.compile(r"\[\s*([0-9]{1,9})\s*\]")
_BLANK = re.compile(r"[\s,|]*")
_OPEN, _CLOSE, _SEMICOLON = re.compile(r"\{"), re.compile(r"\}"), re.compile(";")
# An unclosed part runs to the end of the text: searching for its end repeatedly would take quadratic time.
_QUOTED_OR_CUT = r'"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"|\Z)'
_COMMENT = re.compile(rf"({_QUOTED_OR_CUT})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


class Variable(NamedTuple):
    """A declared variable: its levels in the text, and its name and the names of its levels in the network."""

    levels: tuple[str, ...]
    called: str
    levels_called: tuple[str, ...]


@dataclass
class Block:
    """One ``probability`` block, with positions for error messages."""

    at: int
    names: list[str]  # the node, then its parents
    rows: list[tuple[int, list[str], list[float]]] = field(default_factory=list)
    whole: list[tuple[int, str, list[float]]] = field(default_factory=list)  # `table` and `default` entries


class Scanner:
    """A position in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        """Skip blanks, and return the next character, "" at the end."""
        self.at = _BLANK.match(self.text, self.at).end()
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern, wanted: str) -> re.Match:
        """Read a match of `pattern`; DataError if there is none."""
        found = self.peek()
        match = pattern.match(self.text, self.at)
        if match is None:
            shown = repr(self.text[self.at : self.at + 20].split("\n")[0]) if found else "the end"
            self.fail(f"expected {wanted} here, found {shown}")
        self.at = match.end()
        return match

    def name(self, wanted: str) -> str:
        """Read one name."""
        return _unquoted(self.take(_ONE_NAME, wanted)[0])

    def numbers(self) -> list[float]:
        """Read numbers up to a semicolon."""
        at = self.at
        listed = self.take(_NUMBERS, "numbers and a semicolon")[1]
        try:
            return [float(number) for number in _names_in(listed)]
        except ValueError as error:
            self.fail(f"probabilities must be numbers, {str(error).split(': ')[-1][:60]} is not one. Fix it", at)

    def fail(self, sentence: str, at: int | None = None) -> NoReturn:
        """Raise DataError with the line number."""
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        raise DataError(f"in line {line} of the BIF network: {sentence}")


def parse(text: str) -> tuple[Scanner, dict[str, Variable], list[Block]]:
    """Parse a BIF text; return its scanner for error messages, the declared variables and the probability blocks.

    Raises
    ------
    DataError
        If the text violates the grammar. The message has the line number.
    """
    scanner = Scanner(_COMMENT.sub(_blanked, text))
    variables: dict[str, Variable] = {}
    blocks = []
    while scanner.peek():
        at = scanner.at
        keyword = scanner.name("'network', 'variable' or 'probability'")
        if keyword == "network":
            _skip_network(scanner)
        elif keyword == "variable":
            name = scanner.name("the name of a variable")
            if name in variables:
                scanner.fail(f"a variable must be declared once, {quoted([name])} is declared again. Remove one", at)
            variables[name] = _parse_variable(scanner, name)
        elif keyword == "probability":
            blocks.append(_parse_block(scanner, at))
        else:
            scanner.fail(f"expected 'network', 'variable' or 'probability' here, found {quoted([keyword])}", at)
    if not variables:
        scanner.fail("at least one variable must be declared, found none. Choose a file in the BIF format")
    return scanner, variables, blocks


def _skip_network(scanner: Scanner) -> None:
    while scanner.peek() not in ("{", ""):
        scanner.name("the name of the network")
    scanner.take(_OPEN, "'{'")
    _skip_properties(scanner)


def _skip_properties(scanner: Scanner) -> None:
    while scanner.peek() != "}":
        _skip_property(scanner, scanner.name("'property' or '}'"))
    scanner.take(_CLOSE, "'}'")


def _skip_property(scanner: Scanner, keyword: str) -> str:
    if keyword != "property":
        scanner.fail(f"expected 'property' or a closing brace here, found {quoted([keyword])}")
    return scanner.take(_PROPERTY, "the text of a property and a semicolon")[0]


def _parse_variable(scanner: Scanner, name: str) -> Variable:
    levels: tuple[str, ...] = ()
    properties: dict[str, list[str]] = {}
    scanner.take(_OPEN, "'{'")
    while scanner.peek() != "}":
        keyword = scanner.name("'type', 'property' or '}'")
        if keyword != "type":
            properties |= property_in(_skip_property(scanner, keyword))
            continue
        kind = scanner.name("'discrete'")
        if kind != "discrete":
            scanner.fail(
                f"variable {quoted([name])} must be discrete, found type {quoted([kind])}. Make its levels explicit"
            )
        declared = int(scanner.take(_COUNT, "the number of levels in brackets")[1])
        levels = tuple(_names_in(scanner.take(_IN_BRACES, "the names of the levels in braces")[1]))
        if len(levels) != declared or len(set(levels)) < declared:
            scanner.fail(
                f"variable {quoted([name])} must have {declared} different levels, found {quoted(levels)}. Fix them"
            )
        scanner.take(_SEMICOLON, "';'")
    if not levels:
        scanner.fail(f"variable {quoted([name])} must have at least one level, found none. Add its type")
    scanner.take(_CLOSE, "'}'")
    return Variable(levels, *declared_names(properties, name, levels))


def _parse_block(scanner: Scanner, at: int) -> Block:
    block = Block(at, _names_in(scanner.take(_IN_PARENTHESES, "a variable and its parents in parentheses")[1]))
    if not block.names:
        scanner.fail("a variable must be named in the parentheses, found none", at)
    scanner.take(_OPEN, "'{'")
    while (found := scanner.peek()) != "}":
        start = scanner.at
        if found == "(":
            labels = _names_in(scanner.take(_IN_PARENTHESES, "the levels of the parents")[1])
            block.rows.append((start, labels, scanner.numbers()))
            continue
        keyword = scanner.name("'table', 'default', a row or '}'")
        if keyword in ("table", "default"):
            block.whole.append((start, keyword, scanner.numbers()))
        else:
            _skip_property(scanner, keyword)
    scanner.take(_CLOSE, "'}'")
    return block


def _blanked(match: re.Match) -> str:
    """Replace a comment by its line breaks, so that line numbers stay; keep a quoted name."""
    return match[1] or " " + "\n" * match[0].count("\n")


def _names_in(text: str) -> list[str]:
    if '"' in text:
        return [_unquoted(name) for name in _ONE_NAME.findall(text)]
    return text.replace(",", " ").replace("|", " ").split()


def _unquoted(name: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", name[1:-1]) if name.startswith('"') else name
