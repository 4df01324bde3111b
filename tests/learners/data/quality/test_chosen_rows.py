"""Findings count the rows that the plan chooses: those of a table without the other rows, under the same plan."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import describe_missing_cells, first_rows, prepare
from learners.data.quality.extent import extent
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table

CLINIC = Path(__file__).parents[1] / "cases" / "clinic2.csv"
KINDS = ("range", "copies", "groups")


@pytest.fixture(scope="module", params=["clinic", "households"])
def read(request):
    """Return a table with problems of all kinds, and its plan with all suggested fixes."""
    table = read_table(CLINIC) if request.param == "clinic" else households()
    return table, with_proposals(table, default_plan(table))[0]


def households():
    """Return a table with codes, dates, weights, groups of rows, copies and missing cells."""
    rng = np.random.default_rng(910501)
    lines = ["household,weight,joined,age,sex,score,answers,mostly empty,income"]
    for k in range(300):
        numbers = rng.integers(20, 80), rng.choice(["m", "f", "-", "999"]), round(rng.normal(), 3)
        some = ";".join(rng.choice(["a", "b", "c"], rng.integers(1, 4), replace=False))
        day = f"{rng.integers(1, 28):02d}/0{rng.integers(1, 9)}/2024"
        rare = rng.integers(1, 9) if rng.random() < 0.2 else ""
        money = f"£{rng.integers(1, 9)},{rng.integers(100, 999)}" if rng.random() < 0.8 else "n/a"
        cells = (f"H{k // 3:04d}", rng.integers(1, 5), day, *numbers, some, rare, money)
        lines.append(",".join(f'"{cell}"' for cell in cells))
    rng.shuffle(lines[1:])
    return read_table("\n".join([*lines, *lines[1:41]]).encode())


def choosing(table, plan, kind):
    """Return the plan with fewer rows, in the given way."""
    if kind == "range":
        return plan.with_rows(31, table.n - 20)
    if kind == "copies":
        return plan.with_drop_copies(True)
    return replace(plan, one_row_per=table.names[0])


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("policy", ["available", "drop", "category", "mode"])
@pytest.mark.parametrize("kind", KINDS)
def test_findings_are_those_of_a_table_with_only_the_chosen_rows(read, kind, policy):
    """Texts, fixes and columns of all findings agree with those of the smaller table under the same plan."""
    table, plan = read
    some = choosing(table, plan.with_policy(policy), kind)
    rows = np.flatnonzero(first_rows(table, some))
    assert 0 < len(rows) < table.n
    smaller = table.take(rows)
    found, expected = check_health(table, some), check_health(smaller, replace(some, rows=None))
    assert [(f.code, f.columns) for f in found] == [(f.code, f.columns) for f in expected]
    for finding, same in zip(found, expected, strict=True):
        # The guess that ignores a column was made of the whole file; the finding counts the chosen rows.
        assert (
            f" in {len(rows)} cells)" in finding.reason if finding.code == "left_out" else finding.reason == same.reason
        )
        assert [str(fix.label) for fix in finding.fixes] == [str(fix.label) for fix in same.fixes]
        for fix, other in zip(finding.fixes, same.fixes, strict=True):
            assert fix.plan == replace(other.plan, rows=some.rows)
            assert extent(table, some, fix.plan) == extent(smaller, replace(some, rows=None), other.plan)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("kind", KINDS)
def test_the_finding_on_missing_cells_counts_those_of_the_run(read, kind):
    """The warning and the notes of the prepared data give one number of missing cells."""
    table, plan = read
    some = choosing(table, plan, kind)
    dataset = prepare(table, some).dataset
    missing = next(finding for finding in check_health(table, some) if finding.code == "missing")
    assert missing.reason.split(" cells of ")[0] == describe_missing_cells(dataset).split(" cells of ")[0]


def test_texts_outside_the_range_do_not_prevent_a_run():
    """A word among numbers blocks learning only if a run would use its row."""
    lines = ["a,b", "none today,1", *(f"{k},{k % 7}" for k in range(40))]
    table = read_table("\n".join(lines).encode())
    plan = default_plan(table).change("a", kind="continuous")
    assert any(finding.severity == "blocker" for finding in check_health(table, plan))
    some = plan.with_rows(2, 41)
    assert not any(finding.severity == "blocker" for finding in check_health(table, some))
    assert prepare(table, some).dataset.n == 40


@pytest.mark.parametrize("kind", KINDS)
def test_notes_on_conversions_count_the_rows_of_the_run(read, kind):
    """They count cells in the prepared rows: those of a table with only these rows."""
    table, plan = read
    some = choosing(table, plan, kind)
    smaller = table.take(np.flatnonzero(first_rows(table, some)))
    converted = (" was read as ", " were read as ", ": ticked in ")
    notes, expected = (
        [note.split(" and became ")[0] for note in prepared.notes if any(one in note for one in converted)]
        for prepared in (prepare(table, some), prepare(smaller, replace(some, rows=None)))
    )
    assert notes == expected
    assert notes
