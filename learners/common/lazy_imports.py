"""Lazy imports of a package's public names (PEP 562), so that importing the package is cheap."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any


def attach(package: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` for a package that imports its names lazily.

    Parameters
    ----------
    package : str
        ``__name__`` of the package.
    file : str
        ``__file__`` of the package. The stub beside it, `__init__.pyi`, lists the names by ``from module import name``;
        type checkers and editors read the same file.
    """
    homes = modules_by_name(Path(file).with_suffix(".pyi"), package)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(homes[name])
        value = getattr(home, name) if hasattr(home, name) else import_module(f"{homes[name]}.{name}")
        setattr(sys.modules[package], name, value)  # later accesses find the attribute directly
        return value

    return sorted(homes), load, lambda: sorted(homes)


def modules_by_name(stub: Path, package: str) -> dict[str, str]:
    """Return the module that defines each name of a stub."""
    lines = ast.parse(stub.read_text(encoding="utf-8")).body
    imports = [line for line in lines if isinstance(line, ast.ImportFrom)]
    return {
        name.name: resolve_name("." * line.level + (line.module or ""), package)
        for line in imports
        for name in line.names
    }
