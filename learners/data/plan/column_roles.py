"""Roles of columns in a run, as the Data page and the command line offer them."""

from __future__ import annotations

from ...common.checks import check_choice
from .plan import Binning, ColumnPlan, Plan

WEIGHTS, SURVEY = "row weights", "survey weights"
ORDERED = "ordered"
USES = ("categorical", ORDERED, "continuous", "normal scores", "bins", "ignore", WEIGHTS, SURVEY)


def use_of_column(plan: Plan, column: ColumnPlan) -> str:
    """Return the role of a column of the plan, one of `USES`."""
    if column.name == plan.weights:
        return SURVEY if plan.surveyed else WEIGHTS
    if column.kind == "continuous" and column.normal_scores:
        return "normal scores"
    if column.kind == "categorical" and column.binning:
        return "bins"
    return ORDERED if column.kind == "categorical" and column.ordered else column.kind


def with_use(plan: Plan, use: str, *names: str) -> Plan:
    """Return the plan with another role of the named columns.

    Parameters
    ----------
    plan : Plan
    use : str
        "categorical" makes each value a level, "ordered" does the same and gives the levels the order that the plan
        lists, or their natural one. "continuous" takes the numbers as they are, "normal scores" takes the
        normal scores of their ranks, "bins" cuts them into 3 bins unless the plan has others, and "ignore" leaves the
        columns out. "row weights" makes the last column the row weights, and "survey weights" makes it survey weights
        even if all are integers.

    Raises
    ------
    ParameterError
        If a column or the role is unknown.
    """
    check_choice("use", use, USES)
    if use in (WEIGHTS, SURVEY):
        return plan.with_weights(names[-1], surveyed=use == SURVEY) if names else plan
    if plan.weights in names:
        plan = plan.with_weights("")
    if use == "bins":
        for name in names:
            binning = plan.column(name).binning or Binning()
            plan = plan.change(name, kind="categorical", binning=binning, normal_scores=False, ordered=True, order=())
        return plan
    if use == ORDERED:
        return plan.change(*names, kind="categorical", binning=None, normal_scores=False, ordered=True)
    kind = "continuous" if use == "normal scores" else use
    return plan.change(*names, kind=kind, binning=None, normal_scores=use == "normal scores", ordered=False)
