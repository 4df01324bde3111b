"""Views for the lecturer: the QR code of the class, the tally of answers, and the results."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
import segno

from learners.explaining.record import Count
from learners.teaching.classroom.classroom import Classroom

from ..translation.sentences import translator


def tally_html(choices: Sequence[str], given: Sequence[int], right: int | None = None, language: str = "en") -> str:
    """Return a bar and a number for each choice, in large type.

    Parameters
    ----------
    choices : sequence of str
    given : sequence of int
        Number of answers of each choice.
    right : int, optional
        Index of the correct choice, which is then marked.
    language : str, default "en"
    """
    t = translator(language)
    most, rows = max(1, *given), enumerate(zip(choices, given, strict=True))
    items = "".join(_item(label, n, n / most, t("correct") if k == right else "") for k, (label, n) in rows)
    return f'<ol class="class-tally" aria-label="{t("Answers of the class")}">{items}</ol>'


def _item(label: str, n: int, share: float, is_right: str) -> str:
    """Return a choice; `is_right` is the word that marks the correct one, "" for the others."""
    mark, note = ("✓ ", f'<span class="unseen"> ({is_right})</span>') if is_right else ("", "")
    return (
        f'<li class="{"right" if is_right else "choice"}"><span class="said">{mark}{escape(label)}{note}</span>'
        f'<span class="n">{n}</span><span class="bar" style="width:{100 * share:.1f}%"></span></li>'
    )


def turnout(given: Sequence[int], students: int, language: str = "en") -> str:
    """Return the number of students who have answered."""
    return translator(language)("{n} of {students} answered", n=sum(given), students=Count(students, "student"))


def results_table(room: Classroom, language: str = "en") -> pd.DataFrame:
    """Return the numbers of answers and of correct answers, one row per question."""
    rows = []
    for k, exercise in enumerate(room.exercises):
        given = room.tally(k)
        rows.append((k + 1, given[exercise.answer], sum(given), exercise.choices[exercise.answer], exercise.question))
    t = translator(language)
    return pd.DataFrame(rows, columns=[t("question"), t("correct"), t("answers"), t("correct answer"), t("text")])


def qr_svg(address: str) -> str:
    """Return the QR code of an address as SVG: black on white in both themes, because cameras need the contrast."""
    return segno.make(address, error="m", micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff")
