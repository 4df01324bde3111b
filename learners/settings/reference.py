"""Lazy references to functions: imported at the first call, with defaults read from the source text.

The catalogue of learners therefore imports none of the modules that learn.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from types import EllipsisType, MappingProxyType
from typing import Any

LIBRARY = Path(__file__).parents[1]


@dataclasses.dataclass(frozen=True)
class Reference:
    """A function or class of the library, callable like itself.

    Attributes
    ----------
    module : str
        Its module below `learners`, e.g. "families.constraint_based.pc".
    name : str
    given : tuple of (str, value)
        Settings that replace its defaults.
    """

    module: str
    name: str
    given: tuple[tuple[str, Any], ...] = ()

    def giving(self, **settings: Any) -> Reference:
        """Return the same function with other defaults, as `functools.partial` does."""
        return dataclasses.replace(self, given=(*self.given, *settings.items()))

    def __call__(self, *args: Any, **settings: Any) -> Any:
        """Import the function if necessary, and call it."""
        return self._function(*args, **{**dict(self.given), **settings})

    def unchecked(self, *args: Any, **settings: Any) -> Any:
        """Call the function with checked parameters; see `settings.parameter.parameters`."""
        function = getattr(self._function, "unchecked", self._function)
        return function(*args, **{**dict(self.given), **settings})

    @cached_property
    def _function(self) -> Callable[..., Any]:
        return getattr(import_module(f"{LIBRARY.name}.{self.module}"), self.name)

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """Parameters with a default: the value if it is a literal, else `...`."""
        return MappingProxyType({**_defaults_in_source(self.module, self.name), **dict(self.given)})


@cache
def defaults_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the parameters of a function with their defaults, if they have one; a `partial` replaces defaults."""
    if isinstance(function, Reference):
        return function.defaults
    parameters = signature(function).parameters.values()
    return MappingProxyType({one.name: one.default for one in parameters if one.default is not Parameter.empty})


def _defaults_in_source(module: str, name: str) -> dict[str, Any]:
    """Return the defaults of a function, or of the constructor of a class, without importing its module."""
    definition = _definitions(module)[name]
    if isinstance(definition, ast.ClassDef):
        found = [node for node in definition.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
        if not found:
            return {}  # a dataclass with required fields only; checked by `tests/learners/settings/test_reference.py`
        definition = found[0]
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = [*zip(with_default, arguments.defaults, strict=True)]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {argument.arg: _literal(value) for argument, value in pairs if value is not None}


@cache
def _definitions(module: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    source = LIBRARY.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    return {node.name: node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _literal(value: ast.expr) -> Any | EllipsisType:
    try:
        return ast.literal_eval(value)
    except ValueError:
        return ...
