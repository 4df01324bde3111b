"""Find columns whose cells hold several answers at once, as surveys export multiple-choice questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...common.sentences import Count, Quoted, Sentence, columns_of, only_if, paragraph, phrase, say
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.types_and_missing_codes import ROWS_PER_LEVEL
from ..plan.conversion import SEPARATORS, Treatment, answers_of
from ..plan.conversion_guess import SAMPLE_TEXTS
from ..plan.plan import ColumnPlan, Plan, free_name
from .constant import blocks_of
from .destructive_changes import MAX_LOST_SHARE
from .finding import Finding, Fix, all_columns, fixes_of, warning
from .inspection import Inspection
from .registry import check

MAX_ANSWERS = 40  # maximum number of answers of a question
# Minimum share of the frequent answers among all ticks; free texts are rare and all different.
MIN_SHARE_OF_FREQUENT = 0.9
MIN_SHARE_OF_SEVERAL = 0.02  # minimum share of rows with more than one answer


@dataclass(frozen=True)
class Question:
    """A multiple-choice question: a column with several answers in one cell.

    Attributes
    ----------
    column : ColumnPlan
    separator : str
        Character between two answers.
    answers : tuple of str
        The frequent answers in order of appearance.
    n_rare : int
        Number of answers left out because too few rows have them.
    example : str
        A cell with several answers.
    """

    column: ColumnPlan
    separator: str
    answers: tuple[str, ...]
    n_rare: int
    example: str


@check("multiple_answers")
def multiple_answers(inspection: Inspection) -> list[Finding]:
    """Return a warning for all columns with several answers in one cell."""
    plan = inspection.plan
    sources = {column.source for column in plan.columns}
    questions = {
        column.name: question
        for column, cells in inspection.undecided
        if column.name not in sources and (question := question_of(column, cells))
    }
    if not questions:
        return []
    names = list(questions)
    n_rare = sum(question.n_rare for question in questions.values())
    reason = paragraph(
        say(
            "{columns} has several answers in one cell, such as {example}."
            if len(names) == 1
            else "{columns} have several answers in one cell, such as {example}.",
            columns=columns_of(names),
            example=repr(questions[names[0]].example),
        ),
        only_if(n_rare, say("{answers} would get no column.", answers=Count(n_rare, "rare answer"))),
    )

    def label(them: Sentence, some: Sequence[str]) -> Sentence:
        n = sum(len(questions[name].answers) for name in some)
        return say("split {columns} into {n} yes-no columns", columns=them, n=n)

    fixes = fixes_of(names, label, lambda some: _all_split(plan, [questions[name] for name in some]))
    empty = [name for name in names if _has_empty_cells(plan.column(name).cells(inspection.table))]
    if empty:
        plan_of_no = plan
        for block in blocks_of(inspection.table.names, names):
            asked = [questions[name] for name in block]
            plan_of_no = _all_split(plan_of_no, asked, empty_is_no=True, block=block if len(block) > 1 else ())
        if len(names) == 1:
            split = label(say("{columns}", columns=Quoted(names)), names)
            fixes = (*fixes, Fix(phrase("{split}, empty cells as no", split=split), plan_of_no))
        else:
            split = label(all_columns(len(names)), names)
            template = "{split}, empty cells as no unless all are empty"
            fixes = (Fix(phrase(template, split=split), plan_of_no), *fixes)
    return [warning("several_answers", names, reason, *fixes)]


def _has_empty_cells(cells: Cells) -> bool:
    return bool(cells.blank.any())


def question_of(column: ColumnPlan, cells: Cells) -> Question | None:
    """Return the question of a column, split by the first separator that fits; None if cells hold one answer each."""
    filled = ~cells.among(column.missing) & ~cells.blank
    places = to_arrow(np.flatnonzero(filled))
    head = cells.texts.take(places[:SAMPLE_TEXTS]).to_pylist()
    for separator in SEPARATORS:
        if _repeats(head, separator):
            found = _asked(column, cells.texts.take(places).to_pylist(), cells.counts[filled], separator)
            if found is not None:
                return found
    return None


def _repeats(head: Sequence[str], separator: str) -> bool:
    """Return True if the first texts contain the separator and repeated parts; the parts of free text do not repeat."""
    if not any(separator in text for text in head):
        return False
    parts = Counter(part for text in head for part in answers_of(text, separator))
    again = sum(times for times in parts.values() if times > 1)
    return len(head) < SAMPLE_TEXTS or again > parts.total() / 2


def _asked(column: ColumnPlan, texts: Sequence[str], rows: np.ndarray, separator: str) -> Question | None:
    """Return the question of the texts for one separator.

    Returns
    -------
    Question or None
        None if all texts have the same number of answers, one has an answer twice, or there are too many answers.
    """
    named = [answers_of(text, separator) for text in texts]
    sizes = np.array([len(cell) for cell in named])
    several = sizes > 1
    if any(len(set(cell)) < len(cell) for cell in named) or np.unique(sizes[sizes > 0]).size < 2:
        return None
    if rows[several].sum() < MIN_SHARE_OF_SEVERAL * rows.sum():
        return None
    ticks: Counter[str] = Counter()
    for cell, times in zip(named, rows.tolist(), strict=True):
        ticks.update(dict.fromkeys(cell, times))
    # An answer with more than this share of the rows gets a column, so that the split does not lose it.
    least = min(ROWS_PER_LEVEL, max(2, int(MAX_LOST_SHARE * rows.sum()) + 1))
    answers = [answer for answer, times in ticks.items() if times >= least]
    if not 1 < len(answers) <= MAX_ANSWERS or len(texts) <= len(answers):
        return None
    if sum(ticks[answer] for answer in answers) < MIN_SHARE_OF_FREQUENT * ticks.total():
        return None
    # Commas also occur in levels such as "yes, often", and in numbers.
    if separator == "," and (sizes.max() < 3 or not all(any(map(str.isalpha, answer)) for answer in answers)):
        return None
    example = texts[int(np.flatnonzero(several)[0])]
    return Question(column, separator, tuple(answers), len(ticks) - len(answers), example)


def _all_split(
    plan: Plan, questions: Sequence[Question], *, empty_is_no: bool = False, block: tuple[str, ...] = ()
) -> Plan:
    for question in questions:
        plan = split_answers(plan, question, empty_is_no=empty_is_no, block=block)
    return plan


def split_answers(plan: Plan, question: Question, *, empty_is_no: bool = False, block: tuple[str, ...] = ()) -> Plan:
    """Return the plan with a column of "yes" and "no" for each answer in the position of the question.

    Parameters
    ----------
    plan : Plan
    question : Question
    empty_is_no : bool, default False
        An empty cell means that nothing was ticked.
    block : tuple of str, default ()
        Columns of the same block: a cell is missing where all of them are empty.
    """
    column, made = question.column, []
    taken = {other.name for other in plan.columns}
    for answer in question.answers:
        treatment = Treatment(
            "answer", separator=question.separator, answer=answer, empty_is_no=empty_is_no, block=block
        )
        # The answer comes first, because labels of long questions are cut at the end.
        own = free_name(f"{answer} ({column.name})", taken)
        taken.add(own)
        made.append(
            ColumnPlan(own, "categorical", column.missing, treatment=treatment, source=column.source or column.name)
        )
    at = [other.name for other in plan.columns].index(column.name)
    left_out = replace(column, kind="ignore")
    return replace(plan, columns=(*plan.columns[:at], left_out, *made, *plan.columns[at + 1 :]))
