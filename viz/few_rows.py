"""Pairs that were parted by a test with too few rows to tell: in words, and as marks of the picture."""

from __future__ import annotations

from collections.abc import Sequence

from learners.independence.few_rows import UNDONE, few_row_events, few_row_pairs
from learners.results.events import Event
from learners.results.result import LearnResult

from .graph_data import Edge, GraphViewData
from .pair import partings_of, surest
from .text import count, format_p

TOO_FEW = "too few rows to tell"


def few_rows_sentences(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[str]:
    """What the test that parted x and y is worth, if the rows were too few for each that did."""
    if (min(x, y), max(x, y)) not in few_row_pairs(result):
        return []
    parting = surest(partings_of(events))
    return [] if parting is None or parting.rule in UNDONE else [_too_few(result, parting)]


def _too_few(result: LearnResult, event: Event) -> str:
    n = result.rows.n
    lead = f"{count(n, 'row')} {'is' if n == 1 else 'are'} too few to tell"
    if result.rows.arity is None:
        return f"{lead}: given {count(len(event.cond), 'variable')} hardly any are left to judge by."
    outrun = f"{event.dof:,.0f} degrees of freedom" if event.dof > n else "a table with more cells than that"
    return f"{lead}: the test has {outrun}. So p = {format_p(event.log_p)} says nothing; the two may well be linked."


def few_rows_line(result: LearnResult) -> str | None:
    """How many pairs without an edge no test could tell."""
    n = len(few_row_pairs(result))
    return f"{TOO_FEW} ({count(n, 'pair')})" if n else None


def told_in_steps(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """The picture of a run whose steps say so of the removals that were by such a test."""
    steps = data["steps"]
    texts, changes = steps["text"], result.trace.changes[steps["offset"] :]
    few = few_row_events(result)[changes]
    if not few.any() or len(texts) != len(changes) + 1:
        return data
    told = [f"{text}; {TOO_FEW}" if hit else text for text, hit in zip(texts[1:], few.tolist(), strict=True)]
    return data | {"steps": steps | {"text": [texts[0], *told]}}


def with_few_rows(data: GraphViewData, result: LearnResult) -> GraphViewData:
    """The picture with a faint line between the pairs that no test could tell."""
    shown, pairs = {node["id"] for node in data["nodes"]}, few_row_pairs(result)
    known = {(edge["a"], edge["b"]) for edge in data["edges"]}
    edges = [edge | {"few_rows": True} if (edge["a"], edge["b"]) in pairs else edge for edge in data["edges"]]
    new = sorted((a, b) for a, b in pairs - known if {a, b} <= shown)
    more: list[Edge] = [
        {"id": len(result.names) ** 2 + k, "a": a, "b": b, "spans": [], "few_rows": True}
        for k, (a, b) in enumerate(new)
    ]
    return data | {"edges": [*edges, *more]}
