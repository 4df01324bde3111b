"""A test in words: what it held fixed, what it found, and the limit that it was held against."""

from __future__ import annotations

import math
from collections.abc import Sequence

from learners.results.events import Event
from learners.results.result import LearnResult
from learners.results.rules import Rule

from ..text import format_number, format_set


def given(event: Event, names: Sequence[str]) -> str:
    """What a test held fixed: groups of equal rows, or numbers accounted for."""
    shown = format_set(event.cond, names)
    return f"once {shown} is accounted for" if _of_numbers(event) and event.cond else f"given {shown}"


def statistic_words(result: LearnResult, event: Event) -> str:
    """The statistic with its name, and its degrees of freedom if it has any."""
    if _of_numbers(event):
        return f"z = {format_number(event.statistic)}{rows_words(event)}"
    # Only of a table of categories is it counted; the degenerate Gaussian test has the same distribution.
    name = "χ²" if result.rows is not None and result.rows.arity is None else "G²"
    return f"{name} = {format_number(event.statistic)}, dof {format_number(event.dof)}{rows_words(event)}"


def rows_words(event: Event) -> str:
    """The rows of the test, where they differ from test to test."""
    return f", n = {event.n_rows:,}" if event.n_rows else ""


def _of_numbers(event: Event) -> bool:
    return math.isnan(event.dof)  # else a χ² test


def cut_of(event: Event) -> str:
    """The cut: so many degrees of freedom, or bits of information."""
    return f"{event.threshold:g} × dof" if event.rule is Rule.C1 else f"{event.threshold:g} bits"


def held_against_cut(event: Event, *, parted: bool) -> str:
    """How the test compared with the cut."""
    statistic, dof = format_number(event.statistic), format_number(event.dof)
    if event.rule is Rule.C1:
        return f"G² = {statistic} {'<' if parted else '≥'} {event.threshold:g} × dof {dof}, the cut C1"
    where = "below" if parted else "not below"
    return f"its information is {where} the cut of {event.threshold:g} bits (G² = {statistic}, dof {dof})"
