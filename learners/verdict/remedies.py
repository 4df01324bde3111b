"""Make plans that fix the nonlinear relations found by the checks of a table."""

from __future__ import annotations

from ..common.wording import quoted
from ..data.plan.plan import Plan
from ..data.quality.finding import Fix
from ..data.quality.unusable_columns import into_bins
from .assumptions import Assumptions


def remedies(found: Assumptions, names: tuple[str, ...], plan: Plan) -> tuple[Fix, ...]:
    """Return the fixes of nonlinear relations: normal scores of their columns, or bins.

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
        Each with a plan that replaces the present one; empty without nonlinear relations. Normal scores straighten
        monotone relations; bins suit all others.
    """
    known = {column.name: column for column in plan.used}
    bent = sorted({names[j] for one in found.violations if one.kind == "nonlinear" for j in (one.child, one.other)})
    bent = [name for name in bent if name in known and known[name].kind == "continuous"]
    if not bent:
        return ()
    raw = [name for name in bent if not known[name].normal_scores]
    scores = Fix(f"convert {quoted(raw)} to normal scores", plan.change(*raw, normal_scores=True)) if raw else None
    return (*((scores,) if scores else ()), into_bins(plan, bent))
