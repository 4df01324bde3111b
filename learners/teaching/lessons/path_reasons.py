"""Sentences that name the open paths between two variables, or the nodes that block them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...effects.paths import Path, separation
from ...graphs.graph import PDAG
from .answer_texts import Texts

MAX_NAMED = 3  # maximum number of paths that a sentence names one by one
Reason = tuple[str, tuple[int, ...], bool]  # sentence, the path that it names, and True if the path is open


def path_reason(dag: PDAG, names: Sequence[str], x: int, y: int, given: Sequence[int], say: Texts) -> Reason:
    """Return sentences on the open paths, or on the nodes that block the paths; the first path; True if it is open."""
    paths = separation(dag, x, y, given).paths
    if not paths:
        return say["no path"].format(a=names[x], b=names[y]), (), False
    nodes, n, n_open = paths[0].nodes, len(paths), sum(path.open for path in paths)
    if len(nodes) == 2:
        return say["edge"].format(path=path_text(dag, nodes, names)), nodes, True
    tell = _open_text if n_open else _blocked_text
    named = named_paths(dag, x, y, given)
    why = " ".join(tell(dag, path, names, given, say) for path in named)
    if len(named) < (n_open or n):
        why = say["for example"].format(first=why)
    if n > 1:
        kind = "open" if n_open else "blocked"
        words = f"both {kind}" if n == 2 else f"all {kind}"
        if 0 < n_open < n:
            words = "one open" if n_open == 1 else "some open"
        why = say[words].format(n=n, k=n_open, first=why)
    return why, nodes, bool(n_open)


def _open_text(dag: PDAG, path: Path, names: Sequence[str], given: Sequence[int], say: Texts) -> str:
    """Return a sentence on why a path is open."""
    drawn = path_text(dag, path.nodes, names)
    if not path.colliders:
        return say["open"].format(path=drawn)
    k = path.colliders[0]
    below = descendants(dag, k) | {k}
    opens = k if k in given else next(one for one in given if one in below)
    words = "opened" if opens == k else "opened below"
    return say[words].format(path=drawn, given=names[opens], name=names[k])


def _blocked_text(dag: PDAG, path: Path, names: Sequence[str], _given: Sequence[int], say: Texts) -> str:
    """Return a sentence on the first node that blocks a path."""
    k = path.closed_at[0]
    drawn = path_text(dag, path.nodes, names)
    if k not in path.colliders:
        return say["blocked at"].format(path=drawn, name=names[k])
    words = "blocked collider" if descendants(dag, k) else "blocked last collider"
    return say[words].format(path=drawn, name=names[k])


def named_paths(dag: PDAG, x: int, y: int, given: Sequence[int]) -> tuple[Path, ...]:
    """Return the paths that `path_reason` names: an edge, else the open ones, else the blocked ones."""
    paths = separation(dag, x, y, given).paths
    if paths and len(paths[0].nodes) == 2:
        return paths[:1]
    return tuple(path for path in paths if path.open or not paths[0].open)[:MAX_NAMED]


def path_text(dag: PDAG, path: Sequence[int], names: Sequence[str]) -> str:
    """Return a path with its arrows, such as "a → b ← c"."""
    steps = ((" → " if dag.amat[a, b] else " ← ") + names[b] for a, b in pairwise(path))
    return names[path[0]] + "".join(steps)


def descendants(dag: PDAG, x: int) -> set[int]:
    """Return the nodes that arrows from x lead to."""
    found, todo = set(), [x]
    while todo:
        new = set(dag.children(todo.pop())) - found
        found |= new
        todo += new
    return found


def names_text(nodes: Sequence[int], names: Sequence[str], say: Texts) -> str:
    """Return the names of nodes as a list, or the word for none."""
    return ", ".join(names[k] for k in nodes) if nodes else say["no names"]
