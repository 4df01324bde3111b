"""Every error message has a German version: all templates of the source are in the catalog, and are recognized."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from types import MappingProxyType

from viz.translation.sentences import catalog, messages, translated

ROOT = Path(__file__).parents[3]
COMMAND_LINE = ("learners/command_line/", "learners/__main__.py", "learners/data/plan/command_line.py")
PYTHON_ONLY = ("learners/estimator.py", "learners/settings/plug_ins.py")  # errors for authors of Python code
HELPERS = {  # functions that make an error, with the positions of their arguments that it shows
    "fail": (0,),
    "_foreign": (0, 1),
    "_refuse": (4,),
    "check_type": (3,),
    "check_sequence": (2,),
    "check_memory": (1, 2),
}
MAX_ALTERNATIVES = 32
FIELD = "{}"  # a value in a template
VALUES = {**dict.fromkeys(("n", "m", "k", "low", "high"), "7"), "near": "; did you mean 'x'?"}  # by name of the field
_NAMED_FIELD = re.compile(r"{\w+}")
_BETWEEN = re.compile(r"(?<=[^\s.][.?])\u0020(?=[A-Z'\d{])|\n")  # between two sentences


@cache
def trees() -> Mapping[str, ast.Module]:
    """Return the parsed modules of the source by their path."""
    paths = [path for folder in ("learners", "viz", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def error_classes() -> frozenset[str]:
    """Return the names of `LearnersError` and its subclasses."""
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"LearnersError"}
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return frozenset(found)


@cache
def constants() -> Mapping[str, list[ast.expr]]:
    """Return the values of the constants of all modules by their name."""
    found: dict[str, list[ast.expr]] = {}
    for tree in trees().values():
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper():
                found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def texts(node: ast.expr, local: Mapping[str, list[ast.expr]]) -> list[str]:
    """Return the texts that an expression may have, with `FIELD` for each value; none if it is no text."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return joined([texts(part, local) or [FIELD] for part in node.values])
    if isinstance(node, ast.FormattedValue):
        return [FIELD] if node.format_spec else texts(node.value, local)
    if isinstance(node, ast.IfExp):
        return [text for part in (node.body, node.orelse) for text in texts(part, local) or [FIELD]]
    if isinstance(node, ast.BoolOp):
        return [text for part in node.values for text in texts(part, local) or [FIELD]]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts = [texts(part, local) for part in (node.left, node.right)]
        return joined([part or [FIELD] for part in parts]) if any(parts) else []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*texts(node.left, local), ""] if texts(node.left, local) else []
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("say", "phrase") and node.args:
        return [_NAMED_FIELD.sub(FIELD, text) for text in texts(node.args[0], local)]
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    values = local.get(name, []) if isinstance(node, ast.Name) else []
    if not values and name.isupper():
        values = local.get(name, constants().get(name, []))
    found = list(dict.fromkeys(text for value in values for text in texts(value, {**local, name: []}) or [FIELD]))
    return [] if found == [FIELD] else [text for text in found if text]


def joined(parts: Iterable[list[str]]) -> list[str]:
    """Return each way to join one text of each part."""
    return list(dict.fromkeys("".join(one) for one in product(*parts)))[:MAX_ALTERNATIVES]


def assigned(
    nodes: Iterable[ast.AST], own: Mapping[str, list[ast.expr]] = MappingProxyType({})
) -> dict[str, list[ast.expr]]:
    """Return the expressions that these nodes assign to names; `own` are the constants of the module."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.NamedExpr):
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.For):
            rows = own.get(node.iter.id, []) if isinstance(node.iter, ast.Name) else [node.iter]
            pairs = [(node.target, row) for table in rows if isinstance(table, ast.Tuple) for row in table.elts]
        for target, value in pairs:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs += zip(target.elts, value.elts, strict=False)
            elif isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(value)
    return found


def templates_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and each template of the errors that a module makes."""
    own = assigned(node for node in tree.body if isinstance(node, ast.Assign))
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    for node in nodes:
        name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) and node.args else ""
        if shown := HELPERS.get(name, (0,) if name in error_classes() else ()):
            around = [one for one in functions if one.lineno <= node.lineno <= one.end_lineno]
            local = own | assigned(ast.walk(around[-1]), own) if around else own
            for given in (node.args[k] for k in shown if k < len(node.args)):
                for text in texts(given, local):
                    yield node.lineno, _NAMED_FIELD.sub(FIELD, text)


def sentences(template: str) -> Iterator[str]:
    """Yield the sentences of a template, without full stop."""
    for sentence in _BETWEEN.split(template.strip()):
        if re.search(r"[A-Za-z]{2}", sentence):
            yield sentence.removesuffix(".")


def lowered(text: str) -> str:
    """Return a sentence or a template without full stop, in small letters at its beginning."""
    return text[:1].lower() + text[1:].removesuffix(".")


def shapes(templates: Iterable[str]) -> Mapping[str, list[str]]:
    """Return the templates as shapes, with the names of their fields in order."""
    found: dict[str, list[str]] = {}
    for template in templates:
        found[lowered(_NAMED_FIELD.sub(FIELD, template))] = [name[1:-1] for name in _NAMED_FIELD.findall(template)]
    return found


@cache
def messages_by_shape() -> Mapping[str, list[str]]:
    """Return the templates of finished messages, whose values are recognized in the text."""
    return shapes(messages("de"))


@cache
def known_shapes() -> frozenset[str]:
    """Return the templates of both German catalogs as shapes."""
    return frozenset(messages_by_shape()) | frozenset(shapes(catalog("de")))


@cache
def shown_errors() -> Mapping[str, list[tuple[int, str]]]:
    """Return the line and each sentence of the errors that a page can show, by module."""
    return {
        path: list(dict.fromkeys((line, one) for line, template in templates_of(tree) for one in sentences(template)))
        for path, tree in trees().items()
        if not path.startswith((*COMMAND_LINE, *PYTHON_ONLY))
    }


def test_every_error_has_a_german_version():
    missing = [
        (path, line, sentence)
        for path, found in shown_errors().items()
        for line, sentence in found
        if lowered(sentence) not in known_shapes()
    ]
    assert missing == []


def test_every_error_is_recognized():
    """A message with values is translated: no part of three English words or more is left."""
    wrong = []
    for shape in sorted({sentence for found in shown_errors().values() for _, sentence in found}):
        if (names := messages_by_shape().get(lowered(shape))) is None:
            continue  # its values have types
        english = shape
        for name in names:
            english = english.replace(FIELD, VALUES.get(name, "'x'"), 1)
        parts = [part.strip(" .;,:") for part in re.split(r"{}|; ", shape)]
        german = translated(english, "de")
        if any(part[1:] in german for part in parts if len(re.findall(r"[A-Za-z]{2,}", part)) >= 3):
            wrong.append((english, german))
    assert wrong == []


def test_an_error_without_a_german_version_is_found():
    tree = ast.parse('what = "this" if a else "that"\nraise DataError(f"{what} is lost, {n:,} of {m}. Look for it")')
    found = [template for _, template in templates_of(tree)]
    assert found == ["this is lost, {} of {}. Look for it", "that is lost, {} of {}. Look for it"]
    assert not set(map(lowered, sentences(found[0]))) & known_shapes()
