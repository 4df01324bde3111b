"""``python docs/api.py``: write docs/api.md, the reference of `edgewise`, from docstrings."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
TARGET = Path(__file__).with_name("api.md")
HEAD = """# The library

```python
import edgewise

table = edgewise.read_table("survey.csv")
data = edgewise.prepare(table, edgewise.default_plan(table)).dataset
result = edgewise.learn("pc", data, alpha=0.01)
print(*edgewise.explanation(result, ("age", "income"), data).written(), sep="\\n")
```

The names below load at their first use. Everything else is in the modules of `learners`, which the headings name.
`python docs/api.py` makes this page from docstrings.
"""


def main() -> None:
    """Write the page."""
    TARGET.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page: a section per module and an entry per name, in alphabetical order."""
    import edgewise
    from learners.common.lazy_imports import modules_by_name

    homes = modules_by_name(Path(edgewise.__file__).with_suffix(".pyi"), "edgewise")
    parts = [HEAD]
    for module in sorted(set(homes.values())):
        parts.append(f"## {module}\n")
        parts += [_entry(name, getattr(edgewise, name)) for name, home in sorted(homes.items()) if home == module]
    return "\n".join(parts)


def _entry(name: str, value: Any) -> str:
    if isinstance(value, ModuleType) or not (inspect.isclass(value) or callable(value)):
        said = f"{_first(value)}" if isinstance(value, ModuleType) else f"A constant of type `{type(value).__name__}`."
        return f"### {name}\n\n{said}\n"
    text = f"{_block(inspect.getdoc(value) or '')}\n"
    if inspect.isclass(value) and issubclass(value, Exception):
        return f"### {name}\n\n{text}"
    parts = [f"### {name}\n", f"```python\n{name}{_signature(value)}\n```\n", text]
    if inspect.isclass(value):
        members = ((key, one) for key, one in vars(value).items() if not key.startswith("_"))
        lines = [f"- `{key}`: {_first(_function(one))}" for key, one in members if _function(one)]
        parts.append("\n".join(lines) + "\n" if lines else "")
    return "\n".join(part for part in parts if part)


def _signature(value: Any) -> str:
    signature = inspect.signature(value)
    plain = [
        one.replace(annotation=_plain(one.annotation), default=_named(one.default))
        for one in signature.parameters.values()
    ]
    return str(signature.replace(parameters=plain, return_annotation=_plain(signature.return_annotation)))


class _Words(str):
    """Text that a signature shows without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _plain(annotation: Any) -> Any:
    """Return an annotation as the source writes it."""
    return _Words(annotation) if isinstance(annotation, str) else annotation


def _named(default: Any) -> Any:
    """Return a default value; if it is a function, its name."""
    return _Words(default.__name__) if inspect.isfunction(default) else default


def _function(member: Any) -> Any:
    """Return the function behind a method or a property that has a docstring; None for anything else."""
    inner = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
    return inner if inspect.isfunction(inner) and inner.__doc__ else None


def _first(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")


def _block(text: str) -> str:
    """Return a docstring as Markdown: its sentences, then its NumPy sections as preformatted text."""
    lines = text.splitlines()
    rules = [k - 1 for k, line in enumerate(lines) if k and line and set(line) == {"-"}]
    if not rules:
        return text
    sentences, rest = lines[: rules[0]], lines[rules[0] :]
    return "\n".join([*sentences, "```text", *rest, "```"])


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "learners" / "public")]
    main()
