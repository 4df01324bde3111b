"""Open a replay file as a browser does, without a browser."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser
from typing import Any


class ReplayFile(HTMLParser):
    """The elements of a replay file: attributes of each tag, and the texts of scripts and styles.

    Attributes
    ----------
    tags : list of (str, dict)
    packs : dict
        Opened packs by their names.
    code, style, policy : str
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.packs: dict[str, Any] = {}
        self.inside: tuple[str, dict[str, str | None]] = ("", {})
        self.code = self.style = self.policy = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag and its attributes."""
        self.inside = (tag, dict(attrs))
        self.tags.append(self.inside)
        if dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"]

    def handle_endtag(self, _tag: str) -> None:
        """Leave the innermost element; scripts and styles contain no other elements."""
        self.inside = ("", {})

    def handle_data(self, data: str) -> None:
        """Open a pack, or record the code or the style."""
        tag, attributes = self.inside
        name = attributes.get("id") or ""
        if name.startswith("pack-"):
            self.packs[name.removeprefix("pack-")] = json.loads(gzip.decompress(base64.b64decode(data)))
        elif tag == "script":
            self.code += data
        elif tag == "style":
            self.style += data
