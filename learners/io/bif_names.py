"""Encode names that other readers of BIF cannot read: an identifier replaces them, and a property has the original.

pyAgrum reads identifiers and whole numbers only, and nothing in quotes; BIF 0.15 (Cozman 1996) does not define a word.
A property is written in letters, digits, dots and underscores, with ``%`` and two hexadecimal digits for any other
byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote_to_bytes

from .declared import identifiers

NAME, LEVELS = "edgewise_name", "edgewise_levels"
EMPTY = "%"  # code of a text without characters
_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_]*|[0-9]+")
_ENCODED = re.compile(rf"({NAME}|{LEVELS})\s*=([^\n;]*);")
KEYWORDS = frozenset({"network", "variable", "probability", "property", "type", "discrete", "table", "default"})


def plain_names(texts: Sequence[str]) -> list[str]:
    """Return distinct identifiers for texts; texts that every reader accepts stay unchanged."""
    plain = {text for text in texts if _PLAIN.fullmatch(text) and text not in KEYWORDS}
    others = iter(identifiers([text for text in texts if text not in plain], [*plain, *KEYWORDS]))
    return [text if text in plain else next(others) for text in texts]


def properties_of(name: str, levels: Sequence[str]) -> str:
    """Return property lines with the name and the levels of a variable, if `plain_names` changed them."""
    properties = ((NAME, [name]), (LEVELS, levels))
    return "".join(f"  property {key} = {_encoded(texts)} ;\n" for key, texts in properties if not _all_plain(texts))


def declared_names(
    properties: Mapping[str, Sequence[str]], name: str, levels: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the name and levels of a variable from its properties, or as declared if the properties do not match."""
    own, all_levels = properties.get(NAME, [name]), properties.get(LEVELS, levels)
    fits = len(all_levels) == len(set(all_levels)) == len(levels)
    return (own[0] if len(own) == 1 else name), tuple(all_levels if fits else levels)


def property_in(text: str) -> Mapping[str, Sequence[str]]:
    """Parse a property that `properties_of` wrote; return an empty mapping for others."""
    found = _ENCODED.fullmatch(text.strip())
    return {found[1]: [_decoded(word) for word in found[2].split()]} if found else {}


def _all_plain(texts: Iterable[str]) -> bool:
    return all(_PLAIN.fullmatch(text) and text not in KEYWORDS for text in texts)


def _encoded(texts: Iterable[str]) -> str:
    raw = (text.encode("utf-8", "surrogatepass") for text in texts)
    return " ".join("".join(chr(b) if chr(b) in _LITERAL else f"%{b:02X}" for b in one) or EMPTY for one in raw)


_LITERAL = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._")


def _decoded(word: str) -> str:
    if word == EMPTY:
        return ""
    raw = unquote_to_bytes(word)
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
