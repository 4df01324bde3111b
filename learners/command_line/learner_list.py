"""Text of the command `list`: every learner with its options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..settings.learner import Learner
from ..settings.parameter import Parameter
from ..settings.shared import MISSING
from .terminal import flag

TABLES = {"categorical": "categorical", "continuous": "numeric", "mixed": "mixed"}  # kinds of data as words


def described(learner: Learner) -> str:
    """Return a learner with its options, one for each flag, as lines of text."""
    lines = [
        f"{learner.key}: {learner.label} ({learner.paper}). {learner.summary}",
        f"  Choose it if {learner.choose_if}.",
    ]
    named: dict[str, list[Parameter]] = {}
    for parameter in learner.parameters:
        if parameter.name != MISSING.name:  # --missing-cells is an option of the table
            named.setdefault(parameter.name, []).append(parameter)
    for name, parameters in named.items():
        lines += _option(flag(name), parameters)
    return "".join(f"{line}\n" for line in lines)


def _option(option: str, parameters: Sequence[Parameter]) -> Iterator[str]:
    """Yield the lines of an option, which may have a declaration for each type of table."""
    if len(parameters) == 1:
        yield f"  {option} ({_values(*parameters)}{_only(*parameters)}): {parameters[0].help}"
        return
    yield f"  {option}"
    for one in parameters:
        yield f"    {_tables(one)} ({_values(one)}): {one.help}"


def _only(parameter: Parameter) -> str:
    return "" if len(parameter.kinds) == len(TABLES) else f"; {_tables(parameter)} only"


def _tables(parameter: Parameter) -> str:
    return f"{_listed([TABLES[kind] for kind in parameter.kinds], 'and')} tables"


def _values(parameter: Parameter) -> str:
    """Return the choices of a parameter, its default, and the meaning of `none`, all as the command line takes them."""
    parts = [_listed(parameter.choices, "or")] if parameter.choices else []
    parts.append(f"default {_default(parameter)}")
    if parameter.optional and parameter.default is not None:
        parts.append(f"none for {parameter.word(None)}")
    return ", ".join(parts)


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if parameter.column:
        return default or "the first column"
    if default is None:
        return parameter.word(None)
    return str(default).lower() if isinstance(default, bool) else str(default)


def _listed(words: Sequence[str], last: str) -> str:
    """Return words as "a", "a or b" or "a, b or c"."""
    *before, end = words
    return f"{', '.join(before)} {last} {end}" if before else end
