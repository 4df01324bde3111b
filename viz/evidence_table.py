"""The tests behind an explanation as a table."""

from __future__ import annotations

import pandas as pd

from learners.common.sentences import ENGLISH, Catalog, Sentence, say
from learners.common.wording import format_number, format_p, format_set
from learners.explaining.clauses import phase_clause, statistic_value, threshold_value
from learners.explaining.explanation_record import Explanation
from learners.graphs.rules import Rule
from learners.results.events import Action, Event

COLUMNS = ("p", "verdict", "largest p, given", "level", "tests", "rows", "statistic", "dof", "alpha")


def evidence_table(explanation: Explanation, catalog: Catalog = ENGLISH) -> pd.DataFrame:
    """Return one row for each level of tests, the largest p first, in the language of a catalog."""
    heads = [catalog.get(name, name) for name in COLUMNS]
    return pd.DataFrame(evidence_rows(explanation, catalog), columns=heads)


def evidence_rows(explanation: Explanation, catalog: Catalog = ENGLISH) -> list[tuple[str | int, ...]]:
    """Return the rows of the table of tests, with a cell for each of `COLUMNS`, in the language of a catalog."""
    names = explanation.names
    return [
        (
            format_p(e.log_p),
            _verdict(e).text(names, catalog),
            format_set(e.cond, names),
            phase_clause(e.phase).text(names, catalog),
            e.n_tests,
            say("{n}", n=e.n_rows).text(names, catalog) if e.n_rows else say("all").text(names, catalog),
            statistic_value(e).text(names, catalog),
            format_number(e.dof),
            threshold_value(e).text(names, catalog),
        )
        for e in explanation.tests
    ]


def _verdict(event: Event) -> Sentence:
    if event.rule is Rule.UNTESTED:
        return say("not tested")
    if event.dof == 0:
        return say("nothing to see")
    refused = event.action == Action.REFUSE and (event.p_value > event.threshold or event.rule is Rule.CHECKED_CUT)
    return say("independent") if refused or event.action in (Action.REMOVE, Action.APART) else say("dependent")
