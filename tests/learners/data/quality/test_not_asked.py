"""Tests of questions that were not asked: cells are missing exactly where another column has one level."""

import pytest

from learners import check_health, read_table
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.not_asked import skipped_questions


def table(n: int, *, slip: bool = False) -> bytes:
    """Return a survey in which only smokers are asked for the brand and the number of cigarettes."""
    rows = ["smoker,brand,cigarettes,age"]
    for t in range(n):
        smokes = t % 3 == 0 or (slip and t == 1)
        age = 20 + (7 * t) % 50
        rows.append(f"yes,{'abc'[t % 5 % 3]},{5 + t % 17},{age}" if smokes else f"no,,,{age}")
    return "\n".join(rows).encode()


def findings(raw: bytes, plan: Plan | None = None) -> dict[str, list]:
    read = read_table(raw)
    found = {}
    for finding in check_health(read, plan or default_plan(read)):
        found.setdefault(finding.code, []).append(finding)
    return found


def test_one_finding_names_all_columns_that_were_not_asked():
    """One finding names all columns that were not asked and replaces all other findings on these missing cells."""
    found = findings(table(120))
    (finding,) = found["not_asked"]
    assert finding.columns == ("brand", "cigarettes")
    assert finding.reason.startswith("columns 'brand' and 'cigarettes' are empty exactly where 'smoker' is 'no'")
    assert [fix.label for fix in finding.fixes] == ["make missing a level of 'brand'"]
    assert "dependent_holes" not in found


def test_one_other_row_is_a_dependence_and_no_skipped_question():
    found = findings(table(120, slip=True).replace(b"yes,b,6", b"yes,,"))
    assert "not_asked" not in found
    assert "dependent_holes" in found


@pytest.mark.parametrize("policy", ["available", "drop"])
def test_the_fix_makes_missing_a_level(policy):
    """The fix makes missing brands a level, so no policy drops their rows."""
    read = read_table(table(120))
    (finding,) = findings(table(120))["not_asked"]
    plan = finding.fixes[0].plan.change("cigarettes", kind="ignore").with_policy(policy)
    data = prepare(read, plan).dataset
    assert data.n == 120
    assert data.levels[data.place[data.index("brand")]] == ("a", "b", "c", "(missing)")
    assert "not_asked" not in findings(table(120), plan)
    assert plan == Plan.from_dict(plan.to_dict())


def test_few_missing_cells_are_no_skipped_question():
    read = read_table(table(12))
    assert skipped_questions(prepare(read, default_plan(read)).dataset) == []
