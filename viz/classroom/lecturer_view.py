"""How a class answered: bars beside the graph, and the share of each question that was right."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd
import segno

from learners.classroom.classroom import Classroom
from learners.common.words import count


def tally_html(choices: Sequence[str], given: Sequence[int], right: int | None = None) -> str:
    """A bar and a number for each choice, in large type; the right one is marked once `right` says which.

    Parameters
    ----------
    choices : sequence of str
    given : sequence of int
        How many chose each.
    right : int, optional
        Position of the right choice.
    """
    most, shown = max(1, *given), enumerate(zip(choices, given, strict=True))
    rows = "".join(_row(label, n, n / most, is_right=k == right) for k, (label, n) in shown)
    return f'<ol class="class-tally" aria-label="answers of the class">{rows}</ol>'


def _row(label: str, n: int, share: float, *, is_right: bool) -> str:
    mark, said = ("✓ ", '<span class="unseen"> (right)</span>') if is_right else ("", "")
    return (
        f'<li class="{"right" if is_right else "choice"}"><span class="said">{mark}{escape(label)}{said}</span>'
        f'<span class="n">{n}</span><span class="bar" style="width:{100 * share:.1f}%"></span></li>'
    )


def turnout(given: Sequence[int], students: int) -> str:
    """How many have answered."""
    return f"{sum(given)} of {count(students, 'student')} answered"


def results_table(room: Classroom) -> pd.DataFrame:
    """Of each question how many answered, and how many rightly."""
    rows = []
    for k, one in enumerate(room.exercises):
        given = room.tally(k)
        rows.append((k + 1, given[one.answer], sum(given), one.choices[one.answer], one.question))
    return pd.DataFrame(rows, columns=["question", "right", "answers", "right answer", "asked"])


def qr_svg(address: str) -> str:
    """A QR code as SVG: black on white with its quiet zone, in both themes, for a camera needs the contrast."""
    return segno.make(address, error="m", micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff")
