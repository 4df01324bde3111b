"""Pairs separated by a test with too few rows: sentences, and marks of the graph component."""

from __future__ import annotations

from collections.abc import Sequence

from learners.independence.few_rows import UNDONE, few_row_events, few_row_pairs
from learners.results.events import Event
from learners.results.result import LearnResult

from .graph_data import Edge, GraphViewData
from .pair import partings_of, surest
from .text import count, format_p

TOO_FEW = "too few rows to test"


def few_rows_sentences(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """Return a caveat on the test that separated x and y, if every such test had too few rows."""
    if (min(x, y), max(x, y)) not in few_row_pairs(result):
        return []
    separation = surest(partings_of(events))
    return [] if separation is None or separation.rule in UNDONE else [_too_few(result, separation)]


def _too_few(result: LearnResult, event: Event) -> str:
    n = result.rows.n
    lead = f"{count(n, 'row')} {'is' if n == 1 else 'are'} too few for this test"
    if result.rows.arity is None:
        return f"{lead}: conditioning on {count(len(event.cond), 'variable')} leaves almost no degrees of freedom."
    outrun = f"{event.dof:,.0f} degrees of freedom" if event.dof > n else "a table with more cells than rows"
    return f"{lead}: it has {outrun}. So p = {format_p(event.log_p)} is no evidence of independence."


def few_rows_line(result: LearnResult) -> str | None:
    """Return the number of non-adjacent pairs for which every test had too few rows, or None if there are none."""
    n = len(few_row_pairs(result))
    return f"{TOO_FEW} ({count(n, 'pair')})" if n else None


def with_few_rows_texts(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Add a note to the steps that removed an edge by a test with too few rows."""
    steps = data["steps"]
    texts, changes = steps["text"], result.trace.changes[steps["offset"] :]
    few = few_row_events(result)[changes]
    if not few.any() or len(texts) != len(changes) + 1:
        return data
    noted = [f"{text}; {TOO_FEW}" if hit else text for text, hit in zip(texts[1:], few.tolist(), strict=True)]
    return data | {"steps": steps | {"text": [texts[0], *noted]}}


def with_few_rows(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """Add a faint line between the pairs for which every test had too few rows."""
    shown, pairs = {node["id"] for node in data["nodes"]}, few_row_pairs(result)
    known = {(edge["a"], edge["b"]) for edge in data["edges"]}
    edges = [edge | {"few_rows": True} if (edge["a"], edge["b"]) in pairs else edge for edge in data["edges"]]
    new = sorted((a, b) for a, b in pairs - known if {a, b} <= shown)
    more: list[Edge] = [
        {"id": len(result.names) ** 2 + k, "a": a, "b": b, "spans": [], "few_rows": True}
        for k, (a, b) in enumerate(new)
    ]
    return data | {"edges": [*edges, *more]}
