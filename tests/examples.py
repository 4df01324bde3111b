"""Examples in docstrings and documents: doctests, and blocks of code that tests run."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tests.test_architecture import ROOT, tree

FENCED = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LITERAL = re.compile(r"::\n\n((?:(?: {4}.*)?\n)+)")  # indented lines after a double colon


def docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of a file."""
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield ast.get_docstring(node) or ""


def blocks(path: Path) -> list[str]:
    """Return the blocks of Python code of a document, or of the docstrings of a file."""
    if path.suffix == ".md":
        return FENCED.findall((ROOT / path).read_text(encoding="utf-8"))
    found = [block for text in docstrings(path) for block in LITERAL.findall(text + "\n")]
    return [textwrap.dedent(block) for block in found if _is_code(block)]


def _is_code(block: str) -> bool:
    """Return True for Python code with a call or an import, and False for shell commands and bare names."""
    try:
        parsed = ast.parse(textwrap.dedent(block))
    except SyntaxError:
        return False
    return any(isinstance(node, (ast.Call, ast.Import, ast.ImportFrom)) for node in ast.walk(parsed))
