"""Columns whose cells name several answers: found, and made a column of each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..common.wording import count, quoted_columns
from .answers import SEPARATORS, answers_of
from .dataset_health import Finding
from .guess import ROWS_PER_LEVEL, Cells
from .odd_cells import fixes_of, untouched
from .plan import ColumnPlan, Plan
from .readings import LOOKED_AT, free_name
from .tables import Table
from .treatments import Treatment

MOST_ANSWERS = 40  # of a question
SHARE_OF_FREQUENT = 0.9  # of all ticks: what people write themselves is rare, and each different
LEAST_SHARE = 0.02  # of the rows, with more than one answer


@dataclass(frozen=True)
class Question:
    """A column of such cells.

    Attributes
    ----------
    column : ColumnPlan
    separator : str
    answers : tuple of str
        The frequent ones, in the order of their first rows.
    rare : int
        How many answers are left out, for they are given in too few rows.
    example : str
        A cell that names several.
    """

    column: ColumnPlan
    separator: str
    answers: tuple[str, ...]
    rare: int
    example: str


def answer_findings(table: Table, plan: Plan) -> list[Finding]:
    """All columns that hold several answers a cell, in one finding."""
    sources = {column.source for column in plan.columns}
    found = [
        question
        for column, cells in untouched(table, plan)
        if column.name not in sources and (question := question_of(column, cells))
    ]
    if not found:
        return []
    questions = {question.column.name: question for question in found}
    names, first = list(questions), found[0]
    holds = "holds" if len(names) == 1 else "hold"
    reason = f"{quoted_columns(names)} {holds} several answers in one cell, such as {first.example!r}"
    rare = sum(question.rare for question in found)
    if rare:
        reason += f"; {count(rare, 'rare answer')} would get no column"
    fixes = fixes_of(
        names,
        lambda them, some: (
            f"make each of the {sum(len(questions[name].answers) for name in some)} answers of {them} a column"
        ),
        lambda some: _all_split(plan, [questions[name] for name in some]),
    )
    return [Finding("warning", "several_answers", tuple(names), reason, fixes)]


def question_of(column: ColumnPlan, cells: Cells) -> Question | None:
    """What the cells of a column ask, if they name several answers; the first separator that fits."""
    filled = ~cells.among(column.missing) & ~np.asarray(pc.equal(pc.utf8_trim_whitespace(cells.texts), ""))
    places = pa.array(np.flatnonzero(filled))
    head = cells.texts.take(places[:LOOKED_AT]).to_pylist()
    for separator in SEPARATORS:
        if _repeats(head, separator):
            found = _asked(column, cells.texts.take(places).to_pylist(), cells.counts[filled], separator)
            if found is not None:
                return found
    return None


def _repeats(head: Sequence[str], separator: str) -> bool:
    """Whether the first texts have the separator, and parts that come again; free text is not worth reading all."""
    if not any(separator in text for text in head):
        return False
    parts = Counter(part for text in head for part in answers_of(text, separator))
    again = sum(times for times in parts.values() if times > 1)
    return len(head) < LOOKED_AT or again > parts.total() / 2


def _asked(column: ColumnPlan, texts: Sequence[str], rows: np.ndarray, separator: str) -> Question | None:
    """None if the texts are no such cells: all of one length, with an answer twice, or with too many different ones."""
    named = [answers_of(text, separator) for text in texts]
    sizes = np.array([len(one) for one in named])
    several = sizes > 1
    if any(len(set(one)) < len(one) for one in named) or np.unique(sizes[sizes > 0]).size < 2:
        return None
    if rows[several].sum() < LEAST_SHARE * rows.sum():
        return None
    ticks: Counter[str] = Counter()
    for one, times in zip(named, rows.tolist(), strict=True):
        ticks.update(dict.fromkeys(one, times))
    least = min(ROWS_PER_LEVEL, max(2, int(rows.sum()) // 10))
    answers = [answer for answer, times in ticks.items() if times >= least]
    if not 1 < len(answers) <= MOST_ANSWERS or len(texts) <= len(answers):
        return None
    if sum(ticks[answer] for answer in answers) < SHARE_OF_FREQUENT * ticks.total():
        return None
    # Commas stand in levels such as "yes, often", and between the digits of numbers.
    if separator == "," and (sizes.max() < 3 or not all(any(map(str.isalpha, one)) for one in answers)):
        return None
    example = texts[int(np.flatnonzero(several)[0])]
    return Question(column, separator, tuple(answers), len(ticks) - len(answers), example)


def _all_split(plan: Plan, questions: Sequence[Question]) -> Plan:
    for question in questions:
        plan = split_answers(plan, question)
    return plan


def split_answers(plan: Plan, question: Question) -> Plan:
    """The plan with each answer as a column of "yes" and "no", in the place of the column that names them."""
    column, made = question.column, []
    taken = {one.name for one in plan.columns}
    for answer in question.answers:
        way = Treatment("answer", separator=question.separator, answer=answer)
        # The answer comes first: long questions are cut at their ends, where room is scarce.
        own = free_name(f"{answer} ({column.name})", taken)
        taken.add(own)
        made.append(ColumnPlan(own, "categorical", column.missing, treatment=way, source=column.source or column.name))
    at = [one.name for one in plan.columns].index(column.name)
    left_out = replace(column, kind="ignore")
    return replace(plan, columns=(*plan.columns[:at], left_out, *made, *plan.columns[at + 1 :]))
