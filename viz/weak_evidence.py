"""Weak evidence: uncertain directions, and pairs separated by a test with too few rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from learners.common.sentences import Phrase, phrase, say
from learners.data.determination import DeterminedGroup
from learners.explaining.support import (
    CONFLICTING,
    CONTRADICTED,
    UNSTABLE,
    WEAK,
    WEAKLY_CONTRADICTED,
    determination,
    direction_of,
    evidence_on,
    is_determined,
    relation_clause,
    support_reason,
)
from learners.results.directions import Support
from learners.results.few_rows import few_row_events, few_row_pairs
from learners.results.result import LearnResult

from .graph_data import EdgeData, GraphViewData
from .text import count

TOO_FEW = "too few rows to test"
DOUBTS = {
    WEAK: "direction weakly supported: {reason}",
    CONFLICTING: "conflicting evidence on the direction: {reason}",
    WEAKLY_CONTRADICTED: "weak evidence contradicts the direction: {reason}",
    CONTRADICTED: "strong evidence contradicts the direction: {reason}",
    UNSTABLE: "direction not shown to be stable: {reason}",
}


def direction_word(result: LearnResult, i: int, j: int, mark: str) -> str:
    """Return the support of the direction of an edge that is drawn with `mark`, for a table."""
    if mark != "none" and is_determined(result, i, j):
        return Support.DETERMINED.value
    direction = direction_of(result, i, j, mark)
    return "" if direction is None else direction.support.value


def doubtful(result: LearnResult, i: int, j: int) -> bool:
    """Return True if the arrow i -> j of the result is drawn as uncertain."""
    direction = result.directions.get((i, j))
    return direction is not None and direction.support.is_doubtful


def unsupported(result: LearnResult, i: int, j: int) -> bool:
    """Return True if the result has the arrow i -> j without strong evidence or background knowledge for it.

    An arrow whose direction was not judged counts, unless one of the two variables determines the other.
    """
    if result.graph.mark(i, j) != "forward" or is_determined(result, i, j):
        return False
    direction = result.directions.get((i, j))
    return direction is None or direction.support not in (Support.CLEAR, Support.KNOWN)


def doubted_arrows(result: LearnResult, names: Sequence[str]) -> frozenset[tuple[int, int]]:
    """Return the arrows of the result that are drawn as uncertain, by index in `names`."""
    place = {name: k for k, name in enumerate(names)}
    found = ((place.get(result.names[i], -1), place.get(result.names[j], -1)) for i, j in result.directions)
    return frozenset(
        pair
        for pair, arrow in zip(found, result.directions, strict=True)
        if -1 not in pair and doubtful(result, *arrow)
    )


def with_doubts(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Mark the arrows whose direction is uncertain, and the pairs that have none."""
    return data | {"edges": [_marked(edge, result) for edge in data["edges"]]}


def _marked(edge: EdgeData, result: LearnResult) -> EdgeData:
    if is_determined(result, edge["a"], edge["b"]):
        return edge | {"determined": no_direction(determination(result, edge["a"], edge["b"]), result.names)}
    return _doubted(edge, result)


def with_doubts_of_reference(data: GraphViewData, reference: LearnResult) -> GraphViewData:
    """Mark the arrows whose direction is uncertain in the reference, wherever a graph along a parameter has them."""
    return data | {"edges": [_doubted(edge, reference) for edge in data["edges"]]}


def _doubted(edge: EdgeData, result: LearnResult) -> EdgeData:
    mark = result.graph.mark(edge["a"], edge["b"])
    direction = direction_of(result, edge["a"], edge["b"], mark)
    if direction is None or not direction.support.is_doubtful:
        return edge
    lead = DOUBTS[evidence_on(direction)]
    return edge | {"doubt": mark, "doubt_text": phrase(lead, result.names, reason=support_reason(result, direction))}


def no_direction(group: DeterminedGroup, names: Sequence[str]) -> Phrase:
    """Return the reason why the pairs of a group have no direction."""
    return phrase("no direction: {relation}", relation=relation_clause(group, names))


def determined_pairs(results: Iterable[LearnResult], names: Sequence[str]) -> dict[frozenset[int], str]:
    """Return the pairs of variables that have no direction in a result, and the reason, by index in `names`."""
    place = {name: k for k, name in enumerate(names)}
    found: dict[frozenset[int], str] = {}
    for result in results:
        for i, j in sorted(result.undirected_pairs):
            pair = frozenset(place.get(result.names[k], -1) for k in (i, j))
            if -1 not in pair and is_determined(result, i, j):
                found.setdefault(pair, no_direction(determination(result, i, j), result.names))
    return found


def always_determined(results: Sequence[LearnResult]) -> dict[frozenset[int], str]:
    """Return the pairs that have no direction in any of these results of the same variables, and the reason."""
    first = determined_pairs(results[:1], results[0].names)
    return {pair: why for pair, why in first.items() if all(is_determined(one, *pair) for one in results)}


def with_determined(data: GraphViewData, pairs: Mapping[frozenset[int], str]) -> GraphViewData:
    """Draw these pairs without a direction, with the reason, so that their directions do not differ between graphs."""
    if not pairs:
        return data
    edges = []
    for edge in data["edges"]:
        reason = pairs.get(frozenset((edge["a"], edge["b"])))
        edges.append(edge if reason is None else edge | {"determined": reason})
    return data | {"edges": edges}


def few_rows_line(result: LearnResult) -> str | None:
    """Return the number of non-adjacent pairs for which every test had too few rows, or None."""
    n = len(few_row_pairs(result))
    return f"{TOO_FEW} ({count(n, 'pair')})" if n else None


def with_few_rows_texts(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Add a note to the steps that removed an edge by a test with too few rows."""
    steps = data["steps"]
    texts, changes = steps["text"], result.trace.changes[steps["offset"] :]
    few = few_row_events(result)[changes]
    if not few.any() or len(texts) != len(changes) + 1:
        return data
    noted = [_noted(text) if hit else text for text, hit in zip(texts[1:], few.tolist(), strict=True)]
    return data | {"steps": steps | {"text": [texts[0], *noted]}}


def _noted(text: Phrase) -> Phrase:
    return phrase("{step}; {note}", text.names, step=text.sentence, note=say(TOO_FEW))


def with_few_rows(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Add a faint line between the pairs for which every test had too few rows."""
    shown, pairs = {node["id"] for node in data["nodes"]}, few_row_pairs(result)
    known = {(edge["a"], edge["b"]) for edge in data["edges"]}
    edges = [edge | {"few_rows": True} if (edge["a"], edge["b"]) in pairs else edge for edge in data["edges"]]
    new = sorted((a, b) for a, b in pairs - known if {a, b} <= shown)
    more: list[EdgeData] = [
        {"id": len(result.names) ** 2 + k, "a": a, "b": b, "spans": [], "few_rows": True}
        for k, (a, b) in enumerate(new)
    ]
    return data | {"edges": [*edges, *more]}
