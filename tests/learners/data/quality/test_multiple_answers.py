"""Tests of cells with several answers: each answer becomes a column of yes and no."""

import numpy as np
import pytest

from learners.common.errors import ParameterError
from learners.data.plan.conversion import Treatment, answers_of
from learners.data.plan.new_rows import convert_rows
from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table

RNG = np.random.default_rng(23)
N = 120
TOOLS = ("Excel", "R", "Python", "SPSS, old", "=cmd|x")
TICKED = RNG.random((N, 5)) < (0.6, 0.4, 0.5, 0.2, 0.3)
TICKED[~TICKED.any(axis=1), 0] = True
OTHER = [f"{x:.2f}" for x in RNG.normal(size=N)]


def cells(separator, ticked=TICKED, tools=TOOLS):
    return [separator.join(np.array(tools)[row]) for row in ticked]


def read(column, name="tools"):
    lines = "\n".join(f'"{text}"\t{other}' for text, other in zip(column, OTHER, strict=True))
    table = read_table(f"{name}\tother\n{lines}".encode(), separator="\t", decimal=".")
    return table, default_plan(table)


def found(table, plan):
    return next((one for one in check_health(table, plan) if one.code == "several_answers"), None)


def levels(table, plan, name):
    """Return the level of each row of a categorical column."""
    alone = plan.change(*[c.name for c in plan.columns if c.name != name], kind="ignore")
    dataset = prepare(table, alone).dataset
    return [dataset.levels[0][code] for code in dataset.codes[0]]


@pytest.mark.parametrize("separator", [";", "; ", "|", " | ", "\n"])
def test_each_answer_becomes_a_column(separator):
    """Each answer becomes a column with "yes" if it was ticked, and "no" if only other answers were ticked."""
    tools = [tool.replace("|", "/") for tool in TOOLS]
    table, plan = read(cells(separator, tools=tools))
    finding = found(table, plan)
    assert finding.columns == ("tools",)
    assert "split 'tools' into 5 yes-no columns" in finding.fixes[0].label
    plan = finding.fixes[0].plan
    assert {column.name for column in plan.used} == {f"{tool} (tools)" for tool in tools} | {"other"}
    for j, tool in enumerate(tools):
        assert levels(table, plan, f"{tool} (tools)") == ["yes" if one else "no" for one in TICKED[:, j]]


def test_commas_part_answers_where_no_level_has_them():
    """Commas separate answers if some cell has at least three answers, each with a letter."""
    tools = ("Excel", "R", "Python", "SPSS", "pen")
    table, plan = read(cells(", ", tools=tools))
    assert len(found(table, plan).fixes[0].plan.columns) == 7


@pytest.mark.parametrize(
    "column",
    [
        ["Yes", "No, never", "No, but soon"] * 40,
        ["Agree", "Agree, strongly", "Disagree", "Disagree, strongly"] * 30,
        [f"{a},{b:03d}" for a, b in zip(range(1, N + 1), RNG.integers(0, 3, N) * 250, strict=True)],
        ["1,000,000", "2,000", "3,000,500", "500", "1,500", "2,500"] * 20,
        [f"Street {k}, Springfield, {s}" for k, s in zip(range(N), ["IL", "MO"] * 60, strict=True)],
        ["a;b", "c;d", "a;d", "c;b", "a;c"] * 24,
        ["a;a;b", "a", "b", "b;a"] * 30,
        [f"word{k}; and word{k + 1}" if k % 2 else f"word{k}" for k in range(N)],
        ["one", "two"] * 60,
        [";", "a", "b"] * 40,
        [""] * N,
    ],
)
def test_what_is_no_list_of_answers_is_left_in_peace(column):
    """Levels and numbers with commas, addresses, pairs, repeated words and free text are not lists of answers."""
    table, plan = read(column)
    assert found(table, plan) is None


def test_answers_in_own_words_get_no_column():
    """Answers that a single person gave are reported and get no column."""
    column = cells(";", tools=("a", "b", "c", "d", "e"))
    column[3] += ";my very own"
    column[5] = "something else"
    table, plan = read(column)
    finding = found(table, plan)
    assert "2 rare answers would get no column" in finding.reason
    dataset = prepare(table, finding.fixes[0].plan).dataset
    assert "my very own (tools)" not in dataset.names
    assert dataset.p == 6


def test_nobody_asked_is_missing_in_all_of_them():
    """An empty cell is missing in the columns of all answers."""
    column = cells(";", tools=("a", "b", "c", "d", "e"))
    column[7] = ""
    table, plan = read(column)
    dataset = prepare(table, found(table, plan).fixes[0].plan).dataset
    assert not dataset.complete
    assert all(dataset.select([j]).complete == (name == "other") for j, name in enumerate(dataset.names))


def test_an_empty_cell_may_mean_that_nothing_was_ticked():
    """A second fix reads empty cells as "no" for every answer."""
    column = cells(";", tools=("a", "b", "c", "d", "e"))
    column[7] = ""
    table, plan = read(column)
    fix = found(table, plan).fixes[-1]
    assert fix.label.endswith("empty cells as no")
    assert levels(table, fix.plan, "a (tools)")[7] == "no"
    assert prepare(table, fix.plan).dataset.complete
    assert Plan.from_dict(fix.plan.to_dict()) == fix.plan


def test_ticked_boxes_in_columns_of_their_own_are_one_finding():
    """Columns with the text of a box or an empty cell are one finding; its fix reads them as yes and no."""
    boxes = [[tool if ticked else "" for tool, ticked in zip("abcde", row, strict=True)] for row in TICKED]
    lines = "\n".join("\t".join([*row, other]) for row, other in zip(boxes, OTHER, strict=True))
    table = read_table(f"q_1\tq_2\tq_3\tq_4\tq_5\tother\n{lines}".encode(), separator="\t", decimal=".")
    (finding,) = [one for one in check_health(table, default_plan(table)) if one.code == "constant"]
    assert len(finding.columns) == 5
    assert levels(table, finding.fixes[0].plan, "q_2") == ["yes" if one else "no" for one in TICKED[:, 1]]
    assert "constant" not in {one.code for one in check_health(table, finding.fixes[0].plan)}


def test_boxes_are_missing_where_the_whole_question_is_empty():
    """Rows without any tick in a block are missing in all its columns; a box elsewhere is no part of the block."""
    boxes = [[tool if ticked else "" for tool, ticked in zip("abcde", row, strict=True)] for row in TICKED]
    boxes[3] = boxes[8] = [""] * 5
    pairs = enumerate(zip(boxes, OTHER, strict=True))
    lines = "\n".join("\t".join([*row, other, "x" * (k % 2)]) for k, (row, other) in pairs)
    table = read_table(f"q_1\tq_2\tq_3\tq_4\tq_5\tother\tlate\n{lines}".encode(), separator="\t", decimal=".")
    (finding,) = [one for one in check_health(table, default_plan(table)) if one.code == "constant"]
    fix = finding.fixes[0]
    assert "unless all of a question are empty" in fix.label
    prepared = prepare(table, fix.plan).dataset
    for name in ("q_1", "q_5"):
        assert np.flatnonzero(~prepared.is_there(prepared.index(name))).tolist() == [3, 8]
    assert prepared.is_there(prepared.index("late")).all()
    assert Plan.from_dict(fix.plan.to_dict()) == fix.plan


def test_an_empty_question_of_a_block_is_nothing_ticked_unless_all_are_empty():
    column = cells(";", tools=("a", "b", "c", "d", "e"))
    first, second = column.copy(), column[::-1].copy()
    first[4] = first[9] = second[9] = ""
    lines = "\n".join("\t".join(row) for row in zip(first, second, OTHER, strict=True))
    table = read_table(f"q1\tq2\tother\n{lines}".encode(), separator="\t", decimal=".")
    fix = found(table, default_plan(table)).fixes[0]
    assert fix.label.endswith("empty cells as no unless all are empty")
    dataset = prepare(table, fix.plan).dataset
    missing = ~dataset.is_there(dataset.index("a (q1)"))
    assert np.flatnonzero(missing).tolist() == [9]
    place = dataset.place[dataset.index("a (q1)")]
    assert dataset.levels[place][dataset.codes[place, 4]] == "no"


def test_it_is_among_what_is_proposed_and_not_proposed_twice():
    """The fix is suggested once; rare combinations are not reported, and the fix leaves out the original column."""
    table, plan = read(cells(";", tools=("a", "b", "c", "d", "e")))
    assert not any(
        one.code in ("small_counts", "many_levels") and "tools" in one.columns for one in check_health(table, plan)
    )
    proposed, left, done = with_proposals(table, plan)
    assert sum("several answers" in step for step in done) == 1
    assert not {"several_answers", "left_out"} & {one.code for one in left}
    assert proposed.column("tools").kind == "ignore"
    assert Plan.from_dict(proposed.to_dict()) == proposed


def test_several_questions_are_one_finding_with_a_fix_for_each():
    """There is a fix for each question and one for all; names that exist already get an apostrophe."""
    ticks = cells(";", tools=("a", "b", "c", "d", "e"))
    lines = "\n".join("\t".join(row) for row in zip(ticks, ticks[::-1], OTHER, strict=True))
    table = read_table(f"q1\tq2\ta (q1)\n{lines}".encode(), separator="\t", decimal=".")
    finding = found(table, default_plan(table))
    assert finding.columns == ("q1", "q2")
    assert [len(fix.plan.columns) for fix in finding.fixes] == [13, 8, 8]
    assert "a (q1)'" in [one.name for one in finding.fixes[0].plan.columns]


def test_further_rows_are_read_alike():
    """Answers in new rows are read like those of the table."""
    tools = ("a", "b", "c", "d", "e")
    table, plan = read(cells(";", tools=tools))
    plan = found(table, plan).fixes[0].plan
    rows = read_table(b"tools\nb;a\nc; e;\nnew\n\n", separator=",")
    frame = convert_rows(rows=rows, table=table, plan=plan, names=[f"{tool} (tools)" for tool in tools])
    assert frame["a (tools)"].tolist()[:3] == ["yes", "no", "no"]
    assert frame["e (tools)"].tolist()[:3] == ["no", "yes", "no"]


def test_answers_of_a_cell_lose_blanks_and_empty_ones():
    """Blanks around answers and a separator at the end of a cell are ignored."""
    assert answers_of(" a ;b;; c d;", ";") == ("a", "b", "c d")


@pytest.mark.parametrize("wrong", [{"separator": "&"}, {"answer": 3}])
def test_a_treatment_says_what_it_cannot_be(wrong):
    """An invalid treatment in a stored plan is refused with a clear error message."""
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Treatment("answer", **wrong)
