"""Tables with the variables in rows, such as genes in rows and samples in columns."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from ...common.sentences import paragraph, say
from ..reading.transposition import MAX_ROWS
from .finding import Finding, warning
from .inspection import Inspection
from .name_hints import FEATURE_WORDS, SAMPLE_WORDS, has_word
from .registry import check

MIN_SAMPLES = 10  # minimum number of columns
MIN_ALIKE = 0.8  # minimum share of the column names with one pattern
MAX_SCALE = 3.0  # maximum ratio of the largest to the smallest standard deviation of the columns


@check("orientation", needs_rows=True)
def orientation(inspection: Inspection) -> list[Finding]:
    """Return a warning if the names and the scale of the columns suggest that the columns are cases."""
    table, dataset = inspection.table, inspection.numbers
    if dataset is None or dataset.p < MIN_SAMPLES or not dataset.complete or dataset.n < MIN_SAMPLES:
        return []
    name, has_names = table.names[0], len(table.cells[0].texts) == table.n
    if not has_names or dataset.p != table.p - 1 or not np.isnan(table.cells[0].numbers).all():
        return []
    patterns = Counter(re.split("[_. -]", re.sub("[0-9]+", "0", column))[0] for column in dataset.names)
    are_alike = patterns.most_common(1)[0][1] >= MIN_ALIKE * dataset.p
    are_samples = sum(has_word(column, SAMPLE_WORDS) for column in dataset.names) >= MIN_ALIKE * dataset.p
    are_features = has_word(name, FEATURE_WORDS)
    if not (are_samples or (are_alike and are_features)):
        return []
    if table.n < dataset.p and not (are_samples and are_features):
        return []
    values = dataset.values
    spread = values.std(axis=0)
    if not spread.min() or spread.max() > MAX_SCALE * spread.min() or np.ptp(values.mean(axis=0)) > spread.mean():
        return []
    reason = paragraph(
        say(
            (
                "the {columns} columns look like cases and the {rows} rows like variables: their names "
                "suggest it, and all columns have the same scale."
            ),
            columns=dataset.p,
            rows=table.n,
        ),
        say("If so, transpose the table: Import options on Data, --transpose on the command line.")
        if table.n <= MAX_ROWS
        else say("If so, transpose at most {rows} rows of the table: Import options on Data.", rows=MAX_ROWS),
    )
    return [warning("transposed", (), reason)]
