"""The tests behind an explanation as a table."""

from __future__ import annotations

import pandas as pd

from learners.explaining.phases import phase_name
from learners.explaining.record import Explanation
from learners.explaining.statistics import statistic_value, threshold_value
from learners.results.events import Action, Event
from learners.results.rules import Rule

from .text import format_number, format_p, format_set


def evidence_table(explanation: Explanation) -> pd.DataFrame:
    """Return one row for each level of tests, the largest p first."""
    names = explanation.names
    return pd.DataFrame(
        [
            {
                "level": phase_name(e.phase),
                "largest p, given": format_set(e.cond, names),
                "statistic": statistic_value(e).text(),
                "dof": format_number(e.dof),
                "p": format_p(e.log_p),
                "alpha": threshold_value(e).text(names),
                "verdict": _verdict(e),
                "tests": e.n_tests,
                "rows": e.n_rows,
            }
            for e in explanation.tests
        ],
        columns=["p", "verdict", "largest p, given", "level", "tests", "rows", "statistic", "dof", "alpha"],
    )


def _verdict(event: Event) -> str:
    if event.rule is Rule.UNTESTED:
        return "not tested"
    if event.dof == 0:
        return "nothing to see"
    refused = event.action == Action.REFUSE and (event.p_value > event.threshold or event.rule is Rule.CHECKED_CUT)
    return "independent" if refused or event.action in (Action.REMOVE, Action.APART) else "dependent"
