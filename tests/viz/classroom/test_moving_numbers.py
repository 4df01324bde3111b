"""Numbers of lessons that move: what is shown agrees with itself."""

from __future__ import annotations

from itertools import product

import pytest

from learners.teaching.lessons.lesson import LessonNumbers
from learners.teaching.lessons.moving_numbers import N_STEPS, table_at
from pages.blocks.lessons import lesson_files
from viz.classroom.moving_numbers import numbers_at

LESSONS = [lesson_files.lesson(key) for key in ("09-simpson", "10-adjusting-for-a-collider")]
BLOCKS = [block for lesson in LESSONS for block in lesson.blocks if isinstance(block, LessonNumbers)]


def number(text):
    return float(text.split()[0].replace("−", "-").rstrip("%"))


@pytest.mark.parametrize("block", BLOCKS)
def test_differences_agree_with_the_shares_on_screen(block):
    """57 % and 43 % must not differ by 15: the shown shares are as exact as their difference."""
    for positions in product(range(N_STEPS), repeat=len(block.moving)):
        shown = numbers_at(block, positions, "en")
        *sides, differences = [[number(text) for text in row[1:]] for row in shown["rows"]]
        found = table_at(block, positions)
        assert differences == pytest.approx([100 * one for one in found.differences], abs=0.0501)
        assert [a - b for a, b in zip(*sides, strict=True)] == pytest.approx(differences, abs=0.1501)
