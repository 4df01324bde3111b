"""Blocks of a report, independent of its format. All text is plain, not markup."""

from __future__ import annotations

from dataclasses import dataclass

Row = tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list with one line per item."""

    items: Row


@dataclass(frozen=True)
class Grid:
    """A table; `numbers` are the positions of the columns that contain numbers."""

    columns: Row
    rows: tuple[Row, ...]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Picture:
    """An SVG with its caption."""

    svg: str
    alt: str


@dataclass(frozen=True)
class Code:
    """A block of text that the reader can copy."""

    text: str


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


Block = Text | Items | Grid | Picture | Code | Heading


@dataclass(frozen=True)
class Section:
    """A part with a title; one without blocks is omitted."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A report; `language` is the code of its language."""

    title: str
    lead: str
    sections: tuple[Section, ...]
    language: str = "en"
