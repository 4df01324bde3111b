"""A document as Markdown."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import singledispatch

from ..text import escape_markdown
from .document import Block, Code, Document, Grid, Heading, Items, Picture, Section, Text


def to_markdown(document: Document) -> str:
    """Return the Markdown. User text is escaped; pictures are embedded as data."""
    head = f"# {escape_markdown(document.title)}\n\n{escape_markdown(document.lead)}\n"
    return "\n".join([head, *(_section(one) for one in document.sections if one.blocks)])


def _section(section: Section) -> str:
    return "\n\n".join([f"## {escape_markdown(section.title)}", *map(_block, section.blocks)]) + "\n"


@singledispatch
def _block(block: Block) -> str:
    raise TypeError(f"no block of a report: {block!r}")


@_block.register
def _(block: Text) -> str:
    return escape_markdown(block.text)


@_block.register
def _(block: Heading) -> str:
    return f"### {escape_markdown(block.text)}"


@_block.register
def _(block: Items) -> str:
    return "\n".join(f"- {escape_markdown(item)}" for item in block.items)


@_block.register
def _(block: Code) -> str:
    longest = max(map(len, re.findall("`+", block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{block.text.rstrip()}\n{fence}"


@_block.register
def _(block: Picture) -> str:
    return f"![{escape_markdown(block.alt)}](data:image/svg+xml;base64,{b64encode(block.svg.encode()).decode()})"


@_block.register
def _(block: Grid) -> str:
    rule = ["--:" if k in block.numbers else "---" for k in range(len(block.columns))]
    rows = [[escape_markdown(cell) or " " for cell in row] for row in (block.columns, *block.rows)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:]))
