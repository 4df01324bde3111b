"""The tests behind an explanation as a table."""

from __future__ import annotations

import pandas as pd

from learners.explaining.phases import phase_name
from learners.explaining.record import Explanation
from learners.explaining.statistics import statistic_value, threshold_value
from learners.results.events import Action, Event
from learners.results.rules import Rule

from .text import format_number, format_p, format_set

COLUMNS = ("p", "verdict", "largest p, given", "level", "tests", "rows", "statistic", "dof", "alpha")


def evidence_table(explanation: Explanation) -> pd.DataFrame:
    """Return one row for each level of tests, the largest p first."""
    return pd.DataFrame(evidence_rows(explanation), columns=list(COLUMNS))


def evidence_rows(explanation: Explanation) -> list[tuple[str | int, ...]]:
    """Return the rows of the table of tests, with a cell for each of `COLUMNS`."""
    names = explanation.names
    return [
        (
            format_p(e.log_p),
            _verdict(e),
            format_set(e.cond, names),
            phase_name(e.phase),
            e.n_tests,
            f"{e.n_rows:,}" if e.n_rows else "all",
            statistic_value(e).text(),
            format_number(e.dof),
            threshold_value(e).text(names),
        )
        for e in explanation.tests
    ]


def _verdict(event: Event) -> str:
    if event.rule is Rule.UNTESTED:
        return "not tested"
    if event.dof == 0:
        return "nothing to see"
    refused = event.action == Action.REFUSE and (event.p_value > event.threshold or event.rule is Rule.CHECKED_CUT)
    return "independent" if refused or event.action in (Action.REMOVE, Action.APART) else "dependent"
