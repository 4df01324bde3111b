"""Read and write graphs in DAGitty's text format: ``dag { smoke -> "lung cancer" }``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..common.errors import DataError, ParameterError
from ..common.wording import quoted
from ..graphs.graph import PDAG
from ..graphs.pag import PAG
from .edges import check_acyclic, check_names, check_size, check_text, marked_edges
from .tokens import Token, Tokens

COMMENT = r"//[^\n]*+|/\*(?:(?!\*/).)*+(?:\*/)?+"
EDGES = r"[<@]-[>@-]|-[>@-]|<-"
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
        A ``dag`` or a ``pdag``. Chains such as ``a -> b <- c`` and groups such as ``{ a b } -> c`` are expanded.
        Attributes in brackets are ignored.

    Raises
    ------
    DataError
        If the text does not have this format, or has other or repeated edges, or a directed cycle.

    Examples
    --------
    >>> from_dagitty('dag { x [exposure] y [outcome] x -> y <- "a b" }')
    (PDAG(p=3: 0->1, 2->1), ('x', 'y', 'a b'))
    """
    check_text(text)
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    tokens = Tokens(text, "DAGitty", COMMENT, EDGES, escapes=False)
    at, kind = tokens.next, tokens.name("'dag' or 'pdag'")
    if kind not in ("dag", "pdag"):
        tokens.fail(f"the graph must be a 'dag' or a 'pdag', found {quoted([kind])}. Orient or project it first", at)
    if tokens.next.kind in ("word", "quoted"):  # the name of the graph
        tokens.take()
    tokens.take("{")
    places: dict[str, int] = {}
    edges: dict[tuple[str, str], str] = {}
    while not tokens.takes("}"):
        _statement(tokens, places, edges)
    check_size(list(places))
    return _graph(places, edges)


def _statement(tokens: Tokens, places: dict[str, int], edges: dict[tuple[str, str], str]) -> None:
    """Parse nodes and the edges between successive groups of nodes."""
    if tokens.takes(";"):
        return
    left = _nodes(tokens, places)
    while tokens.next.kind == "signs":
        at = tokens.take()
        if at.text not in KNOWN:
            tokens.fail(f"an edge must be ->, <- or --, found {at.text!r}. Draw the hidden cause as a variable", at)
        right = _nodes(tokens, places)
        for a in left:
            for b in right:
                _add(tokens, edges, (a, b) if at.text != "<-" else (b, a), KNOWN[at.text], at)
        left = right


def _nodes(tokens: Tokens, places: dict[str, int]) -> list[str]:
    """Parse one node, or several in braces; return none for an attribute of the graph."""
    if not tokens.takes("{"):
        name = _node(tokens)
        if tokens.takes("="):  # such as bb="0,0,1,1"
            tokens.take()
            return []
        places.setdefault(name, len(places))
        return [name]
    found = []
    while not tokens.takes("}"):
        name = _node(tokens)
        places.setdefault(name, len(places))
        found.append(name)
    return found


def _node(tokens: Tokens) -> str:
    name = tokens.take().text if tokens.next.kind == "number" else tokens.name("the name of a variable")
    if tokens.takes("["):
        tokens.skip_to("]")
    return name


def _add(tokens: Tokens, edges: dict[tuple[str, str], str], pair: tuple[str, str], mark: str, at: Token) -> None:
    if pair[0] == pair[1]:
        tokens.fail(f"an edge must join two variables, found one from {quoted(pair[:1])} to itself. Remove it", at)
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
