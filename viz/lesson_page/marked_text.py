"""Parse the Markdown of a lesson into a tree, from which the file builds its elements. Nothing in it is ever HTML.

It reads what lessons use: headings, lists, tables, blocks of code, bold, italics, code, and links to other sites.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

FENCE = "```"
HEADING = re.compile(r"(#{1,4}) +(.+)")
ITEM = re.compile(r"(?:[-*+]|(\d+)[.)]) +(.+)")
RULE = re.compile(r"\|?(?: *:?-+:? *\|)+ *:?-*:? *")
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*"
    r"|\[(?P<text>[^\]]+)\]\((?P<to>[^)\s]+)\)|\\(?P<escaped>[^\w\s])"
)
Tree = list  # a tag, then texts and trees; a link has its address after its tag


def tree_of(text: str) -> list[Tree]:
    """Return the elements of a text, such as ``["p", "Condition on ", ["em", "wet"], "."]``."""
    return list(_blocks(text.split("\n")))


def _blocks(lines: list[str]) -> Iterator[Tree]:
    k = 0
    while k < len(lines):
        end = k + 1
        if not lines[k].strip():
            pass
        elif lines[k].startswith(FENCE):
            while end < len(lines) and not lines[end].startswith(FENCE):
                end += 1
            yield ["pre", "\n".join(lines[k + 1 : end])]
            end += 1
        elif found := HEADING.fullmatch(lines[k].strip()):
            yield [f"h{min(6, len(found[1]) + 1)}", *inline(found[2])]
        elif end < len(lines) and "|" in lines[k] and RULE.fullmatch(lines[end].strip()):
            while end < len(lines) and "|" in lines[end]:
                end += 1
            yield _table(lines[k:end])
        elif found := ITEM.match(lines[k].strip()):
            while end < len(lines) and lines[end].strip():
                end += 1
            yield _list(lines[k:end], "ol" if found[1] else "ul")
        else:
            while end < len(lines) and lines[end].strip() and not _begins(lines[end]):
                end += 1
            yield ["p", *inline(" ".join(line.strip() for line in lines[k:end]))]
        k = end


def _begins(line: str) -> bool:
    """Return True if a line ends the paragraph above it."""
    return line.startswith(FENCE) or bool(HEADING.fullmatch(line.strip()) or ITEM.match(line))


def _list(lines: list[str], tag: str) -> Tree:
    items: list[str] = []
    for line in lines:
        found = ITEM.match(line.strip())
        if found:
            items.append(found[2])
        elif items:
            items[-1] += f" {line.strip()}"
    return [tag, *(["li", *inline(item)] for item in items)]


def _table(lines: list[str]) -> Tree:
    head, _, *rows = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines)
    return [
        "table",
        ["tr", *(["th", *inline(cell)] for cell in head)],
        *(["tr", *(["td", *inline(cell)] for cell in row)] for row in rows),
    ]


def inline(text: str) -> list[str | Tree]:
    """Return the texts and elements of one line."""
    parts: list[str | Tree] = []
    at = 0
    for found in INLINE.finditer(text):
        parts.append(text[at : found.start()])
        at = found.end()
        if found["code"]:
            parts.append(["code", found["code"]])
        elif found["escaped"]:
            parts.append(found["escaped"])
        elif found["text"]:
            parts.append(_link(found["text"], found["to"]))
        else:
            tag = "strong" if found["strong"] else "em"
            parts.append([tag, *inline(found[tag])])
    return [part for part in (*parts, text[at:]) if part]


def _link(text: str, to: str) -> Tree:
    """Return a link to another site; a page of the app is not in the file, so its link is text."""
    return ["a", to, *inline(text)] if to.startswith(("https://", "http://")) else ["span", *inline(text)]
