"""Adaptation of a table to a learner that does not accept it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.sentences import NOTHING, Count, Listed, Phrase, Sentence, columns_of, phrase, say
from ..data.plan.column_roles import with_use
from ..data.plan.plan import Plan
from ..data.plan.preparation import kept_rows, row_weights
from ..data.quality.sample_size import MIN_ROWS
from ..data.reading.table import Table
from ..data.row_weights import as_counts
from ..settings.learner import Learner

# The share was measured with 40 variables, half of each type, in comparison with the test for mixed data.
COST = say("binning loses about one in six true edges with 300 rows, few from 1,000 rows on")


@dataclass(frozen=True)
class Adaptation:
    """The changes to a table that one learner needs.

    Attributes
    ----------
    plan : Plan
        The changed plan.
    note : Phrase
        A clause on the changes and their cost.
    """

    plan: Plan
    note: Phrase


def adapted(learner: Learner, table: Table, plan: Plan) -> Adaptation | None:
    """Adapt the plan of a table to a learner; return None if no change is necessary or sufficient.

    Numbers are cut into bins for a learner of categorical data; categorical columns are left out for a learner of
    continuous data; rows with missing cells are dropped; survey weights are left out, and dependent
    rows count as independent ones, for a learner that counts whole rows.
    """
    names = [one.name for one in plan.used if one.kind not in learner.kinds]
    steps: list[Sentence] = []
    cost = NOTHING
    if names and "continuous" not in learner.kinds:
        plan, cost = with_use(plan, "bins", *names), say("; {cost}", cost=COST)
        one, many = "{columns} is cut into bins of about equal size", "{columns} are cut into bins of about equal size"
        steps.append(say(one if len(names) == 1 else many, columns=columns_of(names)))
    elif names:
        plan = plan.change(*names, kind="ignore")
        one, many = "{columns} is left out", "{columns} are left out"
        steps.append(say(one if len(names) == 1 else many, columns=columns_of(names)))
    rows = table.n
    if not learner.takes_missing and plan.missing_policy == "available":
        rows = int(kept_rows(table, plan.with_policy("drop")).sum())
    if rows < table.n:
        plan = plan.with_policy("drop")
        n = table.n - rows
        one = "{n} of {rows} is dropped because of missing values"
        many = "{n} of {rows} are dropped because of missing values"
        steps.append(say(one if n == 1 else many, n=n, rows=Count(table.n, "row")))
    if plan.weights and not learner.weighs_rows and as_counts(_known_weights(table, plan)).dtype.kind == "f":
        steps.append(say("the row weights of {column} are ignored", column=columns_of([plan.weights])))
        plan = plan.change(plan.weights, kind="ignore").with_weights("")
    if plan.independence < 1.0 and not learner.weighs_rows:
        steps.append(say("the rows count as independent ones"))
        plan = plan.with_independence(1.0)
    if not steps or rows < MIN_ROWS or len(plan.used) < 2:
        return None
    note = phrase("for this run only, {changes}{cost}", changes=Listed(steps, ", and "), cost=cost)
    return Adaptation(plan, note)


def _known_weights(table: Table, plan: Plan) -> np.ndarray:
    weights = row_weights(table, plan)
    return weights[~np.isnan(weights)]
