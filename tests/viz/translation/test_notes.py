"""Notes on the preparation of tables, and reasons for the types of columns, in German."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

from learners.common.errors import LearnersError
from learners.data.column_types.cells import Cells
from learners.data.column_types.numbers import as_numbers
from learners.data.column_types.types_and_missing_codes import guess_column
from learners.data.plan.conversion import conversion_phrase
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.reading.table import Table, read_table
from tests.pages.test_first_hour import CASES, hospital
from viz.translation.sentences import translated

NAMES = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
ENGLISH = re.compile(
    r"\b(the|is|are|was|were|of|and|with|without|not|by|for|this|that|all|as|column|cells?|rows?|read|set|text|looks?"
    r"|only|numbers?|missing|order|levels|kept|left|became|changed|merged)\b"
)


def plans_of(table: Table) -> Iterator[Plan]:
    """Yield the default plan of a table and its plan with all suggested fixes, each with all policies and uses."""
    plan = default_plan(table)
    for one in (plan, with_proposals(table, plan)[0]):
        for policy in ("available", "drop", "category", "mode"):
            yield one.with_policy(policy)
        yield one.with_drop_copies(True)
        yield one.with_count_copies(True)
        yield one.with_rows(2, max(2, table.n // 2))


def sentences_of(table: Table) -> Iterator[str]:
    """Yield notes of each preparation, and reasons as the table of variables shows them."""
    for plan in plans_of(table):
        try:
            yield from prepare(table, plan).notes
        except LearnersError:
            continue
        for column in plan.columns:
            if column.treatment is not None:
                yield f"read {conversion_phrase(column.treatment)}"
                yield f"column {column.source or column.name!r} read {conversion_phrase(column.treatment)}"
            else:
                yield table.guess.of(column.name).reason


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", ["ward.csv", *sorted(path.name for path in CASES.glob("*.csv"))])
def test_notes_and_reasons_are_german(name):
    """No word between the names of a note, or of the reason for a type, stays English."""
    try:
        table = read_table(hospital() if name == "ward.csv" else (CASES / name).read_bytes())
    except LearnersError:
        return
    texts = {text: translated(text, "de") for text in sentences_of(table)}
    assert {text: said for text, said in texts.items() if ENGLISH.search(NAMES.sub("", said))} == {}


@pytest.mark.parametrize(
    "numbers", [[], [*range(3)], [*range(100, 190, 2)], [0.5 * k for k in range(70)], ["01067", "80331"]]
)
@pytest.mark.parametrize(
    "others", [[], ["*"], ["a"], ["*", "a"], [f"{k}.-2" for k in range(30)], [f"w{k}" for k in range(60)]]
)
@pytest.mark.parametrize("empty", [0, 2])
def test_the_reason_for_each_type_of_column_is_german(numbers, others, empty):
    """The reason for the type of a column with few or many numbers, other texts and empty cells has a translation."""
    for times in (1, 6):
        texts = [*map(str, numbers), *others] * times + [""] * empty
        cells = Cells(*_encoded(texts)) if texts else None
        if cells is not None:
            said = translated(guess_column("x", cells).reason, "de")
            assert not ENGLISH.search(NAMES.sub("", said)), said


def _encoded(texts: list[str]) -> tuple[np.ndarray, pa.Array, np.ndarray, np.ndarray]:
    """Return the codes, texts, counts and numbers of cells."""
    distinct, codes, counts = np.unique(np.array(texts, dtype=object), return_inverse=True, return_counts=True)
    distinct = pa.array(distinct, pa.string())
    return codes, distinct, counts, as_numbers(distinct, ".")
