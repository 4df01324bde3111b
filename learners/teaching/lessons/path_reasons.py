"""Sentences that name the open path between two variables, or the node that blocks it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...effects.paths import Path, separation
from ...graphs.graph import PDAG
from .answer_texts import Texts

MAX_NAMED = 3  # maximum number of blocked paths that a sentence names one by one
Reason = tuple[str, tuple[int, ...], bool]  # sentence, the path that it names, and True if the path is open


def path_reason(dag: PDAG, names: Sequence[str], x: int, y: int, given: Sequence[int], say: Texts) -> Reason:
    """Return sentences on an open path, or on the nodes that block the paths; the first path; True if it is open."""
    found = separation(dag, x, y, given)
    if not found.paths:
        return say["no path"].format(a=names[x], b=names[y]), (), False
    path = found.paths[0]
    drawn = path_text(dag, path.nodes, names)
    if path.open:
        if len(path.nodes) == 2:
            return say["edge"].format(path=drawn), path.nodes, True
        if not path.colliders:
            return say["open"].format(path=drawn), path.nodes, True
        k = path.colliders[0]
        below = descendants(dag, k) | {k}
        opens = next(one for one in given if one in below)
        words = "opened" if opens == k else "opened below"
        return say[words].format(path=drawn, given=names[opens], name=names[k]), path.nodes, True
    why = " ".join(_blocked_text(dag, one, names, say) for one in found.paths[:MAX_NAMED])
    n = len(found.paths)
    if n > 1:
        why = say["both blocked" if n == 2 else "all blocked"].format(n=n, first=why)
    return why, path.nodes, False


def _blocked_text(dag: PDAG, path: Path, names: Sequence[str], say: Texts) -> str:
    """Return a sentence on the first node that blocks a path."""
    k = path.closed_at[0]
    drawn = path_text(dag, path.nodes, names)
    if k not in path.colliders:
        return say["blocked at"].format(path=drawn, name=names[k])
    words = "blocked collider" if descendants(dag, k) else "blocked last collider"
    return say[words].format(path=drawn, name=names[k])


def named_paths(dag: PDAG, x: int, y: int, given: Sequence[int]) -> tuple[Path, ...]:
    """Return the paths that `path_reason` names: the first open one, or the blocked ones."""
    paths = separation(dag, x, y, given).paths
    return paths[:1] if paths and paths[0].open else paths[:MAX_NAMED]


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
