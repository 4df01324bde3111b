"""Views for the lecturer: the QR code of the class, the tally of answers, and the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from html import escape

import pandas as pd
import segno

from learners.common.sentences import Count
from learners.teaching.classroom.classroom import Classroom
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.lesson import Exercise

from ..translation.sentences import translator

# Maximum number of different entered answers in a tally; the others are counted together.
MAX_ENTERED, MAX_TEXTS = 5, 20


def tally_html(
    choices: Sequence[str], given: Sequence[int], right: int | Collection[int] | None = None, language: str = "en"
) -> str:
    """Return a bar with the share and the number of answers of each choice, in large type.

    Parameters
    ----------
    choices : sequence of str
    given : sequence of int
        Number of answers of each choice.
    right : int or collection of int, optional
        Index of the correct choice, or of each correct one, which are then marked.
    language : str, default "en"
    """
    t = translator(language)
    correct = right if isinstance(right, Collection) else {right}
    total, rows = max(1, sum(given)), enumerate(zip(choices, given, strict=True))
    items = "".join(_item(label, n, n / total, t("correct") if k in correct else "") for k, (label, n) in rows)
    return f'<ol class="class-tally" aria-label="{t("Answers of the class")}">{items}</ol>'


def _item(label: str, n: int, share: float, is_right: str) -> str:
    """Return a choice; `is_right` is the word that marks the correct one, "" for the others."""
    mark, note = ("✓ ", f'<span class="unseen"> ({is_right})</span>') if is_right else ("", "")
    return (
        f'<li class="{"right" if is_right else "choice"}"><span class="said">{mark}{escape(label)}{note}</span>'
        f'<span class="n">{100 * share:.0f} % ({n})</span>'
        f'<span class="bar" style="width:{100 * share:.1f}%"></span></li>'
    )


def entered_tally_html(
    exercise: Exercise, entered: Sequence[str], language: str = "en", *, revealed: bool = True
) -> str:
    """Return the tally of entered answers: those given most often, of which the right ones are marked if `revealed`."""
    entry, say = exercise.entry, TEXTS[language]
    counts = Counter(entry.label(entry.parse(text), say) for text in entered)
    right = {entry.label(given, say) for given in map(entry.parse, entered) if entry.is_right(given)}
    most = MAX_TEXTS if entry.kind == "text" else MAX_ENTERED
    shown = counts.most_common(most)
    labels, numbers = [label for label, _ in shown], [n for _, n in shown]
    if len(counts) > most:
        labels.append(translator(language)("other answers"))
        numbers.append(sum(counts.values()) - sum(numbers))
    marked = [k for k, label in enumerate(labels) if revealed and label in right]
    return tally_html(labels, numbers, marked, language) if shown else ""


def turnout(given: Sequence[int], students: int, language: str = "en") -> str:
    """Return the number of students who have answered."""
    return translator(language)("{n} of {students} answered", n=sum(given), students=Count(students, "student"))


def results_table(room: Classroom, language: str = "en") -> pd.DataFrame:
    """Return the numbers of answers and of correct answers, one row per question."""
    rows = []
    for k, exercise in enumerate(room.exercises):
        right = exercise.right_text(TEXTS[language])
        rows.append((k + 1, room.n_right(k), room.n_answered(k), right, exercise.question))
    t = translator(language)
    return pd.DataFrame(rows, columns=[t("question"), t("correct"), t("answers"), t("correct answer"), t("text")])


def qr_svg(address: str) -> str:
    """Return the QR code of an address as SVG: black on white in both themes, because cameras need the contrast."""
    return segno.make(address, error="m", micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff")
