"""What to do where the assumptions of learners are violated: fixes of the plan, and other runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common.sentences import phrase
from ..data.dataset import Kind
from ..data.plan.plan import Plan
from ..data.plan.preparation import kept_rows
from ..data.quality.finding import Fix, listed_or_counted
from ..data.quality.groups import worth_of
from ..data.quality.unusable_columns import into_bins
from ..data.reading.table import Table
from ..graphs.pag import PAG
from ..registry import LEARNERS
from ..results.result import LearnResult
from .assumptions import Assumptions

MIN_PART = 100  # minimum number of rows of each part of a table that is split where its relations change

# The learner and its settings for curved relations: the lowest SHD in `benchmarks/basis_functions.py`.
CURVED_RUN: tuple[str, dict[str, Any]] = ("boss", {"score": "basis"})
HIDDEN_RUN = "fci"  # the learner that the warnings of hidden common causes name


def run_of_curves(found: Assumptions, result: LearnResult, kind: Kind) -> tuple[str, dict[str, Any]] | None:
    """Return a learner and its settings that follow the curves of the data of a run.

    Parameters
    ----------
    found : Assumptions
        Of the run.
    result : LearnResult
    kind : str
        Of its data.

    Returns
    -------
    (str, dict) or None
        The learner of the run with basis functions as its test and score, or BOSS if it has none; None if no relation
        is nonlinear, or if the run follows curves already.
    """
    if found.follows_curves or not found.nonlinear:
        return None
    own = [one for one in LEARNERS[result.method].parameters_for(kind) if one.name in ("test", "score")]
    if own and all("basis" in one.choices for one in own):
        return result.method, {**result.params, **{one.name: "basis" for one in own}}
    return CURVED_RUN


def run_of_hidden(found: Assumptions, result: LearnResult) -> str | None:
    """Return the learner that leaves open what hidden common causes explain.

    Parameters
    ----------
    found : Assumptions
        Of the run.
    result : LearnResult

    Returns
    -------
    str or None
        Its key; None without signs of hidden common causes, or if the run allows for them already.
    """
    return None if found.hidden is None or isinstance(result.graph, PAG) else HIDDEN_RUN


def parts_at_change(found: Assumptions, n_rows: int, table: Table, plan: Plan) -> tuple[Fix, ...]:
    """Return the two fixes that split a table where a relation changes along its rows.

    Parameters
    ----------
    found : Assumptions
    n_rows : int
        Number of rows of the data that were checked.
    table : Table
    plan : Plan
        The plan that made these data.

    Returns
    -------
    tuple of Fix
        The first uses the rows up to the clearest change, the second those after it; each part has at least 100 rows of
        the data. Empty if no relation changes, if the place of the change is unknown, or if the data have other rows
        than the plan.
    """
    if not found.change or n_rows < 2 * MIN_PART:
        return ()
    used = np.flatnonzero(kept_rows(table, plan))
    if len(used) != n_rows:
        return ()
    first, last = plan.rows or (1, table.n)
    end = int(used[min(max(found.change, MIN_PART), n_rows - MIN_PART) - 1]) + 1
    return tuple(
        Fix(phrase("use only rows {first} to {last}", first=a, last=b), plan.with_rows(a, b))
        for a, b in ((first, end), (end + 1, min(last, table.n)))
    )


def remedies(found: Assumptions, names: tuple[str, ...], plan: Plan) -> tuple[Fix, ...]:
    """Return the fixes of what the checks found.

    Nonlinear relations: normal scores of their columns, which straighten monotone relations, or bins. Neighbouring rows
    that are alike: count the rows as fewer independent ones.

    Parameters
    ----------
    found : Assumptions
    names : tuple of str
        The columns of the data that were checked.
    plan : Plan
        The plan that made these data.

    Returns
    -------
    tuple of Fix
        Each with a plan that replaces the present one; empty if nothing found has a fix.
    """
    if found.serial is not None and found.serial.independent:
        return tuple(worth_of(plan, found.serial.independent, found.serial.n_rows))
    known = {column.name: column for column in plan.used}
    bent = sorted({names[j] for one in found.violations if one.kind == "nonlinear" for j in (one.child, one.other)})
    bent = [name for name in bent if name in known and known[name].kind == "continuous"]
    if not bent:
        return ()
    raw = [name for name in bent if not known[name].normal_scores]
    label = phrase("convert {columns} to normal scores", columns=listed_or_counted(raw))
    scores = (Fix(label, plan.change(*raw, normal_scores=True)),) if raw else ()
    return (*scores, into_bins(plan, bent))
