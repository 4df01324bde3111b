"""Reasons why a search by score did not add an edge."""

from __future__ import annotations

import numpy as np

from ..common.sentences import Listed, Node, Sentence, caveat, only_if, say
from ..graphs.graph import PDAG
from ..results.events import Action
from ..results.trace import Trace
from .pair import Pair

CANCELLED = caveat("The run was cancelled; a longer search might have added the edge.")
NO_GAIN = say("In the best DAG, this edge would not raise the score in either direction.")


def dag_not_added(pair: Pair, _never: bool) -> list[Sentence]:
    """Return the reason why a search over DAGs did not add the edge at its end."""
    if not pair.result.complete:
        return [CANCELLED]
    x, y = pair.x, pair.y
    obstacles = _obstacle(pair, x, y), _obstacle(pair, y, x)
    if obstacles == (None, None):
        return [NO_GAIN]
    reasons = [_reason(a, b, found) for (a, b), found in zip(((x, y), (y, x)), obstacles, strict=True)]
    if obstacles[0] is not None:
        reasons.reverse()  # the reason of a missing gain comes first
    return [say("In the best DAG, {reasons}.", reasons=Listed(reasons, ", ", ", and "))]


def order_not_added(pair: Pair, _never: bool) -> list[Sentence]:
    """Return the reason why a search over orders did not add the edge at its end."""
    if not pair.result.complete:
        return [CANCELLED]
    order = pair.result.extra.order
    a, b = sorted((pair.x, pair.y), key=order.index)
    reason = _reason(a, b, _obstacle(pair, a, b))
    template = "In the best order found, {a} comes before {b}, so {b} → {a} was not possible, and {reason}."
    return [say(template, a=Node(a), b=Node(b), reason=reason)]


def class_not_added(pair: Pair, never: bool, least: Sentence | str = "") -> list[Sentence]:
    """Return the reason why a search over classes did not add the edge at its end.

    `least` names a gain that was too small.
    """
    if not pair.result.complete:
        return [CANCELLED]
    if not never:
        return []
    template = "When insertions ended, adding it would not have raised the score{least}{barred}."
    return [say(template, least=least, barred=_possible_obstacles(pair))]


def _obstacle(pair: Pair, a: int, b: int) -> str | None:
    """Return the template of the reason why the arrow a -> b may not be added to the best DAG; None if it may."""
    result = pair.result
    dag, limit = result.extra.dag, result.params.get("max_parents")
    excluded, rounds = result.excluded, getattr(result.extra, "rounds", ())
    if excluded is not None and excluded[a, b]:
        return "your background knowledge forbids {a} → {b}"
    if rounds and not rounds[-1].candidates[a, b]:
        return "{a} is not among the candidate parents of {b}"
    if _reaches(dag, b, a):
        return "{a} → {b} would close a cycle"
    if limit is not None and len(dag.parents(b)) >= limit:
        return "{b} has the maximum number of parents"
    return None


def _reason(a: int, b: int, obstacle: str | None) -> Sentence:
    return say(obstacle or "{a} → {b} would not raise the score", a=Node(a), b=Node(b))


def _reaches(dag: PDAG, a: int, b: int) -> bool:
    """Return True if a path of arrows leads from a to b."""
    seen, stack = {a}, [a]
    while stack:
        found = set(dag.children(stack.pop())) - seen
        seen |= found
        stack.extend(found)
    return b in seen


def _possible_obstacles(pair: Pair) -> Sentence:
    """Name the restrictions that may have prevented the insertion of the pair into a class; empty if there are none."""
    result, ends = pair.result, (pair.x, pair.y)
    limit, excluded = result.params.get("max_parents"), result.excluded
    restriction = getattr(result.extra, "restriction", None)
    full = limit is not None and any(_most_neighbours(result.trace, k) >= limit for k in ends)
    found = [
        *([say("the tests")] if restriction is not None and not restriction.skeleton[ends] else []),
        *([say("the limit on parents")] if full else []),
        *([say("your background knowledge")] if excluded is not None else []),
    ]
    return only_if(found, say(", or was excluded by {reasons}", reasons=Listed(found, ", ", " or ")))


def _most_neighbours(trace: Trace, k: int) -> int:
    """Return the number of variables that a run ever connected to k, a bound on the parents of k at any time."""
    drawn = np.isin(trace.action, (Action.ADD, Action.ORIENT))
    return len({*trace.j[drawn & (trace.i == k)].tolist(), *trace.i[drawn & (trace.j == k)].tolist()})
