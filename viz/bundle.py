"""Bundle ES modules into one script, because Streamlit accepts only one script per component.

The modules share a scope in the bundle, so imports and the word `export` are removed; a test ensures that no name is
defined twice. Lines that are only a comment are left out. No build step is needed.
"""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'^import (?:\{[^}]*\}|\w+) from "(\.{1,2}/[\w/]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)
COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
DEFAULT = re.compile(r"^export default (?=function \w)", re.MULTILINE)


def bundle(entry: Path) -> str:
    """Return a module preceded by all modules that it imports; only its own default export is kept.

    A default export has to be imported by the name that it has in its module.
    """
    *modules, last = in_order(entry)
    texts = [DEFAULT.sub("", _inner(path)) for path in modules]
    return "\n".join([*texts, _inner(last)])


def _inner(path: Path) -> str:
    """Return the text of a module without its imports and comment lines, and with its default export only."""
    return EXPORT.sub("", COMMENT.sub("", IMPORT.sub("", path.read_text(encoding="utf-8"))))


def in_order(entry: Path) -> list[Path]:
    """Return the modules in import order: each after those that it imports."""
    found: dict[Path, None] = {}
    for name in IMPORT.findall(entry.read_text(encoding="utf-8")):
        found |= dict.fromkeys(in_order((entry.parent / name).resolve()))
    return [*found, entry]
