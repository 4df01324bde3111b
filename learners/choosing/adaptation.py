"""A table made ready for a learner that cannot take it as it is: for that learner alone, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.checks import quoted_columns
from ..common.words import count
from ..data.dataset_health import MIN_ROWS
from ..data.numbers import row_weights
from ..data.plan import Plan
from ..data.prepare import kept_rows
from ..data.row_weights import as_counts
from ..data.tables import Table
from ..data.uses import with_use
from ..settings.learner import Learner

# Measured with 40 variables, half of each kind, against the test for both kinds.
COST = "bins cost edges: about every sixth true one with 300 rows, few from 1,000 rows on"


@dataclass(frozen=True)
class Alone:
    """What is done to a table for one learner.

    Attributes
    ----------
    plan : Plan
    said : str
        One sentence on what is done, and what it costs.
    """

    plan: Plan
    said: str


def alone(learner: Learner, table: Table, plan: Plan) -> Alone | None:
    """How a learner can take the table of a plan; None if it cannot be made to.

    Numbers are cut into bins for a learner of levels alone, columns of levels left out for one of numbers alone, rows
    with missing cells dropped, and survey weights left out for one that counts whole rows.
    """
    names = [one.name for one in plan.used if one.kind not in learner.kinds]
    steps, cost = [], ""
    if names and "continuous" not in learner.kinds:
        plan, cost = with_use(plan, "bins", *names), f"; {COST}"
        steps.append(f"{quoted_columns(names)} {_is(names)} cut into bins of about equally many rows")
    elif names:
        plan = plan.change(*names, kind="ignore")
        steps.append(f"{quoted_columns(names)} {_is(names)} left out")
    rows = table.n
    if not learner.takes_holes and plan.missing_policy == "available":
        rows = int(kept_rows(table, plan.with_policy("drop")).sum())
    if rows < table.n:
        plan = plan.with_policy("drop")
        steps.append(f"{table.n - rows:,} of {count(table.n, 'row')} that lack a cell are dropped")
    if plan.weights and not learner.weighs_rows and as_counts(_known_weights(table, plan)).dtype.kind == "f":
        steps.append(f"rows are not weighed by {quoted_columns([plan.weights])}")
        plan = plan.change(plan.weights, kind="ignore").with_weights("")
    if not steps or rows < MIN_ROWS or len(plan.used) < 2:
        return None
    return Alone(plan, f"for this run alone, {', and '.join(steps)}{cost}")


def _known_weights(table: Table, plan: Plan) -> np.ndarray:
    weights = row_weights(table, plan)
    return weights[~np.isnan(weights)]


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
