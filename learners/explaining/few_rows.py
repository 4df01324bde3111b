"""Caveats about pairs separated by a test that had too few rows."""

from __future__ import annotations

from collections.abc import Sequence

from ..results.events import Event
from ..results.few_rows import UNDONE, few_row_pairs
from ..results.result import LearnResult
from .pair import clearest, separations
from .record import Caveat, Count, Sentence, caveat, p_of, say


def few_rows_sentences(result: LearnResult, x: int, y: int, events: Sequence[Event]) -> list[Sentence]:
    """Return a caveat if each test that separated x and y had too few rows."""
    if (min(x, y), max(x, y)) not in few_row_pairs(result):
        return []
    last = clearest(separations(events))
    return [] if last is None or last.rule in UNDONE else [_too_few(result, last)]


def _too_few(result: LearnResult, event: Event) -> Caveat:
    n = result.rows.n
    lead = say(
        "{rows} is too few for this test" if n == 1 else "{rows} are too few for this test", rows=Count(n, "row")
    )
    if result.rows.arity is None:
        return caveat(
            "{lead}: conditioning on {variables} leaves almost no degrees of freedom.",
            lead=lead,
            variables=Count(len(event.cond), "variable"),
        )
    return caveat(
        "{lead}: it has {outrun}, so p = {p} is no evidence of independence.",
        lead=lead,
        outrun=say("{dof} degrees of freedom", dof=round(event.dof))
        if event.dof > n
        else say("a table with more cells than rows"),
        p=p_of(event.log_p),
    )
