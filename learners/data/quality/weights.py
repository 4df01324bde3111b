"""Find row weights that are unusable, missing in some rows, or probably survey weights instead of counts."""

from __future__ import annotations

import numpy as np

from ...common.errors import DataError
from ...common.sentences import Message, columns_of, paragraph, phrase, rows_of, say
from ..plan.plan import Plan
from ..plan.preparation import row_weights
from ..row_weights import as_counts
from .finding import Finding, Fix, blocker, leave_out, warning
from .inspection import Inspection
from .name_hints import SURVEY_WORDS, WEIGHT_WORDS, has_word
from .registry import check

MIN_ROWS = 50  # minimum number of rows for integer weights to be checked
MIN_MEAN = 5.0  # minimum mean of survey weights
MAX_ONES = 0.05  # maximum share of survey weights that are at most 1; most counts are at most 1
MAX_FROM_ONE = 0.1  # maximum distance of the mean of scaled survey weights from 1
# Maximum number of rows as a share of the cells of the contingency table; weights of more rows are cell counts.
MAX_CELLS = 0.1


@check("weights")
def weights(inspection: Inspection) -> list[Finding]:
    """Return findings on weights that cannot be used, and on rows without a weight."""
    plan = inspection.plan
    if not plan.weights:
        return []
    try:
        missing = int(np.isnan(row_weights(inspection.table, inspection.plan_of_rows)).sum())
    except DataError as error:
        return [_unusable(plan, str(error))]
    if not missing:
        return []
    reason = say(
        "{column} of weights is empty in {rows}. No run uses such rows.",
        column=columns_of([plan.weights]),
        rows=rows_of(missing),
    )
    return [warning("weightless", (plan.weights,), reason, _without_weights(plan))]


@check("suggested_weights")
def suggested_weights(inspection: Inspection) -> list[Finding]:
    """Return a warning for used columns that are called weights and may weigh the rows of a survey.

    The weight of a body is such a column only if its mean is near 1, as that of survey weights often is.
    """
    plan = inspection.plan
    if plan.weights:
        return []
    found = []
    for column in plan.used:
        if column.treatment or column.binning or not _is_called_weight(column.name):
            continue
        cells = column.cells(inspection.table)
        known = np.isfinite(cells.numbers) & ~cells.among(column.missing)
        numbers, rows = cells.numbers[known], cells.counts[known]
        if not len(numbers) or numbers.min() < 0 or np.unique(numbers).size < 2 or rows.sum() < MIN_ROWS:
            continue
        mean = float(np.average(numbers, weights=rows))
        if abs(mean - 1.0) > MAX_FROM_ONE and not has_word(column.name, SURVEY_WORDS):
            continue
        name = columns_of([column.name])
        reason = say("{column} may hold row weights, as in a survey. At present it is used as a variable.", column=name)
        use = Fix(phrase("use {column} as survey weights", column=name), plan.with_weights(column.name, surveyed=True))
        found.append(warning("possible_weights", (column.name,), reason, use, leave_out(plan, [column.name])))
    return found[:1]


def _is_called_weight(name: str) -> bool:
    """Return True for a name such as "pweight" or "Wt", and for "w" if that is the whole name."""
    return has_word(name, WEIGHT_WORDS | SURVEY_WORDS) or name.strip().lower() == "w"


@check("weights_of_rows", needs_rows=True)
def weights_of_rows(inspection: Inspection) -> list[Finding]:
    """Return findings on invalid weights of the used rows, and on counts that look like survey weights."""
    plan, dataset = inspection.plan, inspection.dataset
    if not plan.weights or not inspection.weights_are_valid:
        return []
    kept = row_weights(inspection.table, inspection.plan_of_rows)[inspection.keep]
    found = []
    try:
        dataset.with_weights(kept)
    except DataError as error:
        found.append(_unusable(plan, str(error)))
    return [*found, *_rounded_weights(inspection, kept)]


def _rounded_weights(inspection: Inspection, kept: np.ndarray) -> list[Finding]:
    """Return a finding on integer weights that look like rounded survey weights.

    Such weights are large, hardly any is 1, and they are not the counts of a contingency table, which has each
    combination of levels once, and most of the possible combinations.
    """
    plan, dataset, n = inspection.plan, inspection.dataset, len(kept)
    positive = kept[kept > 0]
    counts = not plan.surveyed and as_counts(positive).dtype.kind == "i"
    if not counts or n < MIN_ROWS or positive.mean() < MIN_MEAN or (positive <= 1).mean() > MAX_ONES:
        return []
    if dataset.kind == "categorical" and n > MAX_CELLS * float(np.prod(dataset.arity, dtype=np.float64)):
        return []
    column = columns_of([plan.weights])
    reason = paragraph(
        say(
            "the weights in {column} are integers, so {n} rows count as {total}.",
            column=column,
            n=n,
            total=int(positive.sum()),
        ),
        say("If these are survey weights, edges will seem far more certain than the data support."),
    )
    label = phrase("use {column} as survey weights", column=column)
    fix = Fix(label, plan.with_weights(plan.weights, surveyed=True))
    return [warning("rounded_weights", (plan.weights,), reason, fix)]


def _unusable(plan: Plan, reason: str) -> Finding:
    return blocker("weights", (plan.weights,), say("{reason}.", reason=Message(reason)), _without_weights(plan))


def _without_weights(plan: Plan) -> Fix:
    return Fix(phrase("ignore the weights"), plan.with_weights(""))
