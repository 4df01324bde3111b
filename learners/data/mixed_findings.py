"""Findings that matter where columns are of both kinds and cells are missing: shapes, missing cells, row weights."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ..common.errors import DataError
from ..common.wording import count, quoted_columns
from .absences import Absence, absences
from .dataset import Dataset
from .dataset_health import Finding, Fix
from .embedding import said_of_width, too_wide, widths
from .normal_scores import is_skewed, n_far_out
from .numbers import row_weights
from .plan import Plan
from .row_weights import as_counts
from .tables import Table
from .together import apart, never_together

LEAST_ROWS = 50  # of which it is told that their whole weights look like survey weights
MANY_TIMES = 5.0  # that a row counts on average, at least, in a survey
MOST_ONES = 0.05  # of its weights are 1; of counts most are
MOST_SAID = 5  # columns of which it is said what their missing cells depend on


def shape_findings(dataset: Dataset, plan: Plan) -> list[Finding]:
    """Continuous columns that lean to one side or hold numbers far from the others."""
    skewed, far = [], {}
    for j, name in enumerate(dataset.names):
        if dataset.kinds[j] == "continuous" and not plan.column(name).normal_scores:
            values = dataset.values[:, dataset.place[j]]
            outliers = n_far_out(values)
            if is_skewed(values):
                skewed.append(name)
            elif outliers:
                far[name] = outliers
    names = [name for name in dataset.names if name in far or name in skewed]
    if not names:
        return []
    said = []
    if skewed:
        said.append(f"{quoted_columns(skewed)} {'leans' if len(skewed) == 1 else 'lean'} to one side")
    if far:
        holds = "holds" if len(far) == 1 else "hold"
        said.append(f"{quoted_columns(list(far))} {holds} numbers far from all others ({sum(far.values()):,} in all)")
    reason = f"{', and '.join(said)}, so few rows decide on correlations; normal scores of ranks see all rows alike"
    fix = Fix(f"take the normal scores of {quoted_columns(names)}", plan.change(*names, normal_scores=True))
    return [Finding("warning", "skewed", tuple(names), reason, (fix,))]


def wide_findings(dataset: Dataset) -> list[Finding]:
    """Levels beside numbers, more than a test of two columns can take, or more than there are rows."""
    if dataset.kind != "mixed":
        return []
    wide = too_wide(dataset)
    if wide:
        return [Finding("blocker", "too_wide", wide, said_of_width(dataset, wide))]
    columns, levels = np.array(widths(dataset)), np.array(dataset.kinds) == "categorical"
    most = tuple(dataset.names[j] for j in np.argsort(-columns * levels, kind="stable")[:MOST_SAID] if levels[j])
    if columns.sum() < dataset.n:
        return []
    reason = (
        f"beside numbers the levels count as columns, {columns.sum():,} in all, and there are {dataset.n:,} rows: what "
        f"asks for many columns at once has too few rows; most are of {quoted_columns(list(most))}"
    )
    return [Finding("warning", "columns_of_levels", most, reason)]


def absence_findings(dataset: Dataset) -> list[Finding]:
    """What missing cells depend on: one sentence a column, the clearest first."""
    by_column: dict[int, list[Absence]] = defaultdict(list)
    for one in absences(dataset):
        by_column[one.column].append(one)
    found = []
    for column, depends in list(by_column.items())[:MOST_SAID]:
        first, name = depends[0], dataset.names[column]
        reason = (
            f"column {name!r} is missing in {first.share:.0%} of the rows where {dataset.names[first.other]!r} is "
            f"{first.where}, and in {first.elsewhere:.0%} of the others"
        )
        others = [dataset.names[one.other] for one in depends[1:]]
        if others:
            reason += f"; it depends on {quoted_columns(others)} too"
        reason += "; a test without what it depends on may see a link that is none"
        found.append(Finding("warning", "dependent_holes", (name,), reason))
    rest = [dataset.names[column] for column in list(by_column)[MOST_SAID:]]
    if rest:
        reason = f"missing cells of {quoted_columns(rest)} depend on other columns too"
        found.append(Finding("warning", "dependent_holes", tuple(rest), reason))
    return found


def apart_findings(dataset: Dataset) -> list[Finding]:
    """Pairs that no test can judge for want of rows that have both, or of values in these."""
    pairs, names = apart(dataset), dataset.names
    found = []
    for one in pairs[:MOST_SAID]:
        two = quoted_columns([names[one.column], names[one.other]])
        told = (
            f"column {names[one.column]!r} has a single value in the {one.rows:,} rows that have {names[one.other]!r}"
            if one.constant
            else f"{two} are there together in {one.rows:,} rows"
        )
        reason = f"{told}, so no test can tell whether the two are linked, and a score may join them by chance"
        found.append(Finding("warning", "apart", (names[one.column], names[one.other]), reason))
    if pairs[MOST_SAID:]:
        rest = tuple(dict.fromkeys(names[k] for one in pairs[MOST_SAID:] for k in (one.column, one.other)))
        reason = f"{count(len(pairs) - MOST_SAID, 'more pair')} of {quoted_columns(rest)} cannot be judged either"
        found.append(Finding("warning", "apart", rest, reason))
    return found


def never_findings(dataset: Dataset) -> list[Finding]:
    """Levels never seen with others, in a table of both kinds, where regressions meet them; all in one sentence."""
    pairs = never_together(dataset) if dataset.kind == "mixed" else []
    if not pairs:
        return []
    one, rest = pairs[0], len(pairs) - 1
    names = dataset.names[one.column], dataset.names[one.other]
    levels = (dataset.levels[dataset.place[j]][k] for j, k in ((one.column, one.level), (one.other, one.other_level)))
    level, other = map(repr, levels)
    reason = (
        f"level {level} of column {names[0]!r} is never seen with {other} of {names[1]!r}, where chance would show "
        f"{one.expected:,.0f} rows" + (f", nor are {count(rest, 'more pair')} of levels" if rest else "") + ": a test "
        "by regression could tell some levels for sure, and stops its coefficients on their way to infinity"
    )
    return [Finding("warning", "never_together", names, reason)]


def weight_findings(table: Table, plan: Plan) -> list[Finding]:
    """Row weights that cannot be used, and rows that have none."""
    if not plan.weights:
        return []
    try:
        lacking = int(np.isnan(row_weights(table, plan)).sum())
    except DataError as error:
        return [_not_weighed(plan, str(error))]
    if not lacking:
        return []
    reason = f"{quoted_columns([plan.weights])} of weights is empty in {count(lacking, 'row')}, which no run uses"
    return [Finding("warning", "weightless", (plan.weights,), reason, (Fix("weigh no rows", plan.with_weights("")),))]


def refused_weights(table: Table, plan: Plan, dataset: Dataset, rows: np.ndarray) -> list[Finding]:
    """Row weights that this data set cannot take, or that look like others than they are taken for."""
    weights = row_weights(table, plan)[rows]
    try:
        dataset.with_weights(weights)
    except DataError as error:
        return [_not_weighed(plan, str(error)), *rounded_findings(plan, dataset, weights)]
    return rounded_findings(plan, dataset, weights)


def rounded_findings(plan: Plan, dataset: Dataset, weights: np.ndarray) -> list[Finding]:
    """Whole weights that look like rounded survey weights: large, hardly any of them 1, and of no cross table.

    A cross table has each combination of levels once, and most combinations that there are.
    """
    weights, rows = weights[weights > 0], len(weights)
    whole = not plan.surveyed and as_counts(weights).dtype.kind == "i"
    if not whole or rows < LEAST_ROWS or weights.mean() < MANY_TIMES or (weights <= 1).mean() > MOST_ONES:
        return []
    if dataset.kind == "categorical" and rows > 0.1 * float(np.prod(dataset.arity, dtype=np.float64)):
        return []
    column = quoted_columns([plan.weights])
    reason = (
        f"{column} of weights is whole, so {rows:,} rows count as {int(weights.sum()):,}; if these are survey weights, "
        "links then seem far surer than the rows can tell"
    )
    fix = Fix(f"take {column} as survey weights", plan.with_weights(plan.weights, surveyed=True))
    return [Finding("warning", "rounded_weights", (plan.weights,), reason, (fix,))]


def _not_weighed(plan: Plan, reason: str) -> Finding:
    return Finding("blocker", "weights", (plan.weights,), reason, (Fix("weigh no rows", plan.with_weights("")),))
