"""The picture's script in one piece: Streamlit takes a component's script as one text, and nothing is to be built.

The modules beside this file are ordinary ES modules that import names from each other. In one text they share a scope,
so the imports go, and with them the word `export`; a test sees to it that no name is defined twice.
"""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


def bundle(entry: Path) -> str:
    """The module `entry` after all that it imports, directly or not; only its default export is left."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", path.read_text(encoding="utf-8"))) for path in in_order(entry))


def in_order(entry: Path) -> list[Path]:
    """The modules, each after those that it imports."""
    found: dict[Path, None] = {}
    for name in IMPORT.findall(entry.read_text(encoding="utf-8")):
        found |= dict.fromkeys(in_order(entry.with_name(name)))
    return [*found, entry]
