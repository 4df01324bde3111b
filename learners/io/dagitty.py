"""Read and write graphs in DAGitty's text format: ``dag { smoke -> "lung cancer" }``."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import unquote, unquote_plus

from ..common.errors import DataError, ParameterError
from ..common.wording import quoted
from ..graphs.graph import PDAG
from ..graphs.pag import PAG
from .edges import check_acyclic, check_names, check_size, check_text, marked_edges
from .tokens import Token, Tokens

COMMENT = r"//[^\n]*+|/\*(?:(?!\*/).)*+(?:\*/)?+"
EDGES = r"[<@]-[>@-]|-[>@-]|<-"
LINK = re.compile(r"\s*+(?:https?+://|(?:www\.)?+dagitty\.net\b)", re.IGNORECASE)
MODEL = re.compile(r"\bp?+dag\b[^{}=&]{0,200}+\{")
ROLES = ("exposure", "outcome", "adjusted", "latent")
BOTH = "<->"
Parsed = tuple[dict[str, int], dict[tuple[str, str], str], dict[str, dict[str, str]], list[tuple[str, str]]]
KNOWN = {"->": "forward", "<-": "backward", "--": "undirected"}


def to_dagitty(pdag: PDAG, names: Sequence[str]) -> str:
    """Write a graph as DAGitty text, ``pdag { "A" -> "B" ... }``, ``dag`` if all edges are directed, or ``pag``.

    A circle is written as ``@``, so ``A o-> B`` becomes ``"A" @-> "B"``.

    Raises
    ------
    ParameterError
        If nodes do not have distinct names, or a name has a quote or a line break, which the format cannot escape.
    """
    check_names(pdag, names)
    if bad := [name for name in names if not name or set(name) & set('"\n\r')]:
        raise ParameterError(
            f"DAGitty's text cannot hold quotes or line breaks in a name, found {quoted(bad)}. Rename these columns"
        )
    is_pag = isinstance(pdag, PAG)
    edges = [
        f'  "{names[i]}" {pdag.sign(i, j).replace("o", "@") if is_pag else "--" if undirected else "->"} "{names[j]}"'
        for i, j, undirected in marked_edges(pdag)
    ]
    kind = "pag" if is_pag else "dag" if pdag.is_dag else "pdag"
    return "\n".join([f"{kind} {{", *(f'  "{name}"' for name in names), *edges, "}", ""])


def from_dagitty(text: str) -> tuple[PDAG, tuple[str, ...]]:
    """Read a graph and its names from DAGitty text; nodes are in order of appearance.

    Parameters
    ----------
    text : str
        A ``dag`` or a ``pdag``, or a link that contains one. Chains such as ``a -> b <- c`` and groups such as
        ``{ a b } -> c`` are expanded. Attributes in brackets are ignored. Names without quotes may have hyphens inside.

    Raises
    ------
    DataError
        If the text does not have this format, or has other or repeated edges, or a directed cycle.

    Examples
    --------
    >>> from_dagitty('dag { x [exposure] y [outcome] x -> y <- "a b" }')
    (PDAG(p=3: 0->1, 2->1), ('x', 'y', 'a b'))
    """
    return _graph(*_parsed(text)[:2])


@dataclass(frozen=True)
class DagittyModel:
    """A DAG with the roles and positions that DAGitty stores.

    Attributes
    ----------
    graph : PDAG
    names : tuple of str
    roles : mapping of str to str
        "exposure", "outcome", "adjusted" or "latent", of the variables that have one.
    positions : mapping of str to (x, y)
        In units of the drawing, y downwards; of the variables that have one.
    """

    graph: PDAG
    names: tuple[str, ...]
    roles: Mapping[str, str] = field(default_factory=dict)
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def with_role(self, role: str) -> tuple[str, ...]:
        """Return the names of the variables with a role."""
        return tuple(name for name in self.names if self.roles.get(name) == role)


def read_model(text: str) -> DagittyModel:
    """Read the model code of DAGitty with roles and positions; ``a <-> b`` becomes a latent common cause.

    A link is read if it contains the model code; links are not opened.

    Raises
    ------
    DataError
        If the text is a link without model code, does not have the format, or is not a DAG.
    """
    places, edges, notes, hidden = _parsed(text, hides=True)
    roles = {name: role for name, note in notes.items() for role in ROLES if role in note}
    for a, b in hidden:
        name = _free(f"U_{a}_{b}", places)
        places[name], roles[name] = len(places), "latent"
        edges |= {(name, a): "directed", (name, b): "directed"}
    graph, names = _graph(places, edges)
    if not graph.is_dag:
        raise DataError("the model must be a DAG, but it has undirected edges. Orient them first")
    found = {name: _position(note.get("pos", "")) for name, note in notes.items()}
    return DagittyModel(graph, names, roles, {name: at for name, at in found.items() if at is not None})


def write_model(model: DagittyModel) -> str:
    """Write model code for DAGitty, with roles and positions."""
    head, *lines = to_dagitty(model.graph, model.names).splitlines(keepends=True)
    shown = [head]
    for name, line in zip(model.names, lines, strict=False):
        note = [model.roles[name]] if name in model.roles else []
        if name in model.positions:
            note.append('pos="{:.3f},{:.3f}"'.format(*model.positions[name]))
        shown.append(f"{line.rstrip()} [{','.join(note)}]\n" if note else line)
    return "".join([*shown, *lines[len(model.names) :]])


def _free(name: str, taken: Collection[str]) -> str:
    return next(one for k in range(len(taken) + 1) if (one := f"{name}{k or ''}") not in taken)


def _position(text: str) -> tuple[float, float] | None:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _code_in(link: str) -> str:
    """Return the model code that a link contains, in its query or fragment.

    Raises
    ------
    DataError
        If it contains none, as links of dagitty.net, which only have a number.
    """
    for decode in (unquote_plus, unquote):
        text = decode(link)
        if found := MODEL.search(text):
            return text[found.start() : text.rfind("}") + 1 or None]
    raise DataError(
        "this link has no model code, and links are not opened. Open it, then paste the text under 'Model code'"
    )


def _parsed(text: str | bytes, *, hides: bool = False) -> Parsed:
    """Parse text or a link that contains it; with `hides`, collect edges ``<->`` instead of refusing them."""
    check_text(text)
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    text = _code_in(text) if LINK.match(text) else text
    tokens = Tokens(text, "DAGitty", COMMENT, EDGES, escapes=False, hyphens=True)
    at, kind = tokens.next, tokens.name("'dag' or 'pdag'")
    if kind not in ("dag", "pdag"):
        tokens.fail(f"the graph must be a 'dag' or a 'pdag', found {quoted([kind])}. Orient or project it first", at)
    if tokens.next.kind in ("word", "quoted"):  # skips the name of the graph
        tokens.take()
    tokens.take("{")
    places: dict[str, int] = {}
    edges: dict[tuple[str, str], str] = {}
    notes: dict[str, dict[str, str]] = {}
    hidden: list[tuple[str, str]] | None = [] if hides else None
    while not tokens.takes("}"):
        _statement(tokens, places, edges, notes, hidden)
    check_size(list(places))
    return places, edges, notes, hidden or []


def _statement(
    tokens: Tokens,
    places: dict[str, int],
    edges: dict[tuple[str, str], str],
    notes: dict[str, dict[str, str]],
    hidden: list[tuple[str, str]] | None,
) -> None:
    """Parse nodes and the edges between successive groups of nodes."""
    if tokens.takes(";"):
        return
    left = _nodes(tokens, places, notes)
    while tokens.next.kind == "signs":
        at = tokens.take()
        if at.text == BOTH and hidden is not None:
            right = _nodes(tokens, places, notes)
            if twice := [name for name in left if name in right]:
                _refuse_loop(tokens, twice[0], at)
            hidden += [(a, b) for a in left for b in right]
            left = right
            continue
        if at.text not in KNOWN:
            tokens.fail(f"an edge must be ->, <- or --, found {at.text!r}. Draw the hidden cause as a variable", at)
        right = _nodes(tokens, places, notes)
        for a in left:
            for b in right:
                _add(tokens, edges, (a, b) if at.text != "<-" else (b, a), KNOWN[at.text], at)
        left = right


def _nodes(tokens: Tokens, places: dict[str, int], notes: dict[str, dict[str, str]]) -> list[str]:
    """Parse one node, or several in braces; return none for an attribute of the graph."""
    if not tokens.takes("{"):
        name = _node(tokens, notes)
        if tokens.takes("="):  # an attribute of the graph, such as bb="0,0,1,1"
            if tokens.next.kind not in ("word", "quoted", "number"):
                tokens.fail(f"an edge must be ->, <- or --, found {quoted(['='])}. Choose another text", tokens.next)
            tokens.take()
            return []
        places.setdefault(name, len(places))
        return [name]
    found = []
    while not tokens.takes("}"):
        name = _node(tokens, notes)
        places.setdefault(name, len(places))
        found.append(name)
    return found


def _node(tokens: Tokens, notes: dict[str, dict[str, str]]) -> str:
    if tokens.next.kind == "sign" and tokens.next.text == "-":
        tokens.fail("a hyphen stands outside of a name. Put names with blanks or outer hyphens in quotes", tokens.next)
    name = tokens.take().text if tokens.next.kind == "number" else tokens.name("the name of a variable")
    if tokens.takes("["):
        _read_notes(tokens, notes.setdefault(name, {}))
    return name


def _read_notes(tokens: Tokens, note: dict[str, str]) -> None:
    """Read the attributes of a node up to the closing bracket, such as ``exposure,pos="0,1"``."""
    while tokens.next.kind != "end" and not (tokens.next.kind == "sign" and tokens.next.text == "]"):
        word = tokens.take().text
        note[word] = tokens.take().text if tokens.takes("=") and tokens.next.kind != "end" else ""
    tokens.skip_to("]")


def _refuse_loop(tokens: Tokens, name: str, at: Token) -> NoReturn:
    tokens.fail(f"an edge must connect two variables, found one from {quoted([name])} to itself. Remove it", at)


def _add(tokens: Tokens, edges: dict[tuple[str, str], str], pair: tuple[str, str], mark: str, at: Token) -> None:
    if pair[0] == pair[1]:
        _refuse_loop(tokens, pair[0], at)
    if pair in edges or pair[::-1] in edges:
        tokens.fail(f"a pair may have one edge, {quoted(pair)} have another. Remove one", at)
    edges[pair] = "undirected" if mark == "undirected" else "directed"


def _graph(places: dict[str, int], edges: dict[tuple[str, str], str]) -> tuple[PDAG, tuple[str, ...]]:
    def of(kind: str) -> Iterable[tuple[int, int]]:
        return [(places[a], places[b]) for (a, b), mark in edges.items() if mark == kind]

    names = tuple(places)
    if not names:
        raise DataError("a graph in DAGitty's text must have a variable, found none. Choose another text")
    check_acyclic(of("directed"), names)
    return PDAG.from_edges(len(names), directed=of("directed"), undirected=of("undirected")), names
