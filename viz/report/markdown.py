"""A document as Markdown."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import singledispatch

from ..text import one_line
from .document import Block, Code, Document, Grid, Heading, Items, Picture, Section, Text

# Characters that begin markup within a line. An underscore in a word, a lone & and a backslash before a letter do not.
_WITHIN = re.compile(
    r"([`*<>\[\]|~$])"
    r"|(\\)(?=[!-/:-@\[-`{-~]|$)"
    r"|((?<![^\W_])_|_(?![^\W_]))"
    r"|(&)(?=#?\w+;)"
    r"|(?<=\w)(:)(?=//)|(?<=www)(\.)|(?<=\w)(@)(?=\w)",
    re.I,
)
_AT_START = re.compile(r"^(#{1,6}(?=\s|$)|[+-](?=\s|$)|[=-]+$|-[- ]*$|\d{1,9}(?=[.)](?:\s|$)))")
_AT_END = re.compile(r"(?<!\\)((?:\\\\)*)#$")  # a trailing # would close a heading


def escape_sparingly(text: str) -> str:
    """Escape only characters that Markdown would interpret as markup or a link; return one line."""
    line = _escaped_within(text)
    line = _AT_START.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", line)
    return _AT_END.sub(r"\1\\#", line)


def _escaped_within(text: str) -> str:
    """Escape what begins markup within a line, as in a cell of a table, where no line begins."""
    return _WITHIN.sub(lambda found: f"\\{found[0]}", one_line(text))


def to_markdown(document: Document) -> str:
    """Return the Markdown. User text is escaped; pictures are embedded as data."""
    head = f"# {escape_sparingly(document.title)}\n\n{escape_sparingly(document.lead)}\n"
    return "\n".join([head, *(_section(one) for one in document.sections if one.blocks)])


def _section(section: Section) -> str:
    return "\n\n".join([f"## {escape_sparingly(section.title)}", *map(_block, section.blocks)]) + "\n"


@singledispatch
def _block(block: Block) -> str:
    raise TypeError(f"no block of a report: {block!r}")


@_block.register
def _(block: Text) -> str:
    return escape_sparingly(block.text)


@_block.register
def _(block: Heading) -> str:
    return f"### {escape_sparingly(block.text)}"


@_block.register
def _(block: Items) -> str:
    return "\n".join(f"- {escape_sparingly(item)}" for item in block.items)


@_block.register
def _(block: Code) -> str:
    longest = max(map(len, re.findall("`+", block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{block.text.rstrip()}\n{fence}"


@_block.register
def _(block: Picture) -> str:
    return f"![{escape_sparingly(block.alt)}](data:image/svg+xml;base64,{b64encode(block.svg.encode()).decode()})"


@_block.register
def _(block: Grid) -> str:
    rule = ["--:" if k in block.numbers else "---" for k in range(len(block.columns))]
    rows = [[_escaped_within(cell) or " " for cell in row] for row in (block.columns, *block.rows)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:]))
