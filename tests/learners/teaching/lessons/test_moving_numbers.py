"""Tests of numbers that move with sliders, against sums written out by hand and against simulated rows."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from learners.teaching.lessons.lesson import LessonError, LessonNumbers
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.moving_numbers import N_STEPS, read_numbers, strengths_at, table_at

SIMPSON = ("z -> x : 0, 0.8", "z -> y : -0.7", "x -> y : 0.15", "compare: y | x by z")
BLOCKS = [
    block
    for path in sorted(Path("lessons").rglob("*.md"))
    for block in read_lesson(
        path.read_text(encoding="utf-8"), path.stem, "de" if path.parent.name == "de" else "en"
    ).blocks
    if isinstance(block, LessonNumbers)
]


def test_simpson_as_on_paper():
    """P(z | x) = 0.5 ± 0.4 at strength 0.8, so the difference is 0.15 - 0.7 * 0.8; groups and do() keep 0.15."""
    block = read_numbers(SIMPSON)
    found = table_at(block, [N_STEPS - 1])
    assert found.differences == pytest.approx((0.15 - 0.56, 0.15, 0.15))
    assert (found.adjusted, found.causal) == pytest.approx((0.15, 0.15))
    assert table_at(block, [0]).differences == pytest.approx((0.15, 0.15, 0.15))
    assert block.moving[0].begin == 0


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("k", [0, N_STEPS - 1])
def test_numbers_of_lessons_agree_with_counts(block, k):
    """Every state is listed once; a do() removes the arrows into the cause."""
    positions = [k] * len(block.moving)
    strengths, p = strengths_at(block, positions), len(block.graph.names)

    def chance(state, without=None):
        total = 1.0
        for j in range(p):
            if j != without:
                yes = 0.5 + sum(s * (state[a] - 0.5) for (a, b), s in strengths.items() if b == j)
                total *= yes if state[j] else 1 - yes
        return total

    def share(condition, without=None):
        states = [state for state in product((0, 1), repeat=p) if condition(state)]
        hits = sum(chance(state, without) for state in states if state[block.effect])
        return hits / sum(chance(state, without) for state in states)

    found = table_at(block, positions)
    x, z = block.cause, block.group
    for at, value in ((1, 1), (2, 0)):
        assert found.with_cause[at] == pytest.approx(share(lambda s, value=value: s[x] and s[z] == value))
        assert found.without_cause[at] == pytest.approx(share(lambda s, value=value: not s[x] and s[z] == value))
    assert found.causal == pytest.approx(share(lambda s: s[x], x) - share(lambda s: not s[x], x))


def test_simulated_rows_show_the_same():
    """A million rows of Simpson's graph, simulated without the library, give the same shares."""
    rng, n = np.random.default_rng(1), 1_000_000
    z = rng.random(n) < 0.5
    x = rng.random(n) < 0.5 + 0.8 * (z - 0.5)
    y = rng.random(n) < 0.5 - 0.7 * (z - 0.5) + 0.15 * (x - 0.5)
    found = table_at(read_numbers(SIMPSON), [N_STEPS - 1])
    assert found.with_cause == pytest.approx((y[x].mean(), y[x & z].mean(), y[x & ~z].mean()), abs=0.005)
    assert found.without_cause == pytest.approx((y[~x].mean(), y[~x & z].mean(), y[~x & ~z].mean()), abs=0.01)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("a -> b : 0.5", "a -> c : 0.1"), "compare"),
        (("a -> b : 0.5", "c -> b : 0.1", "compare: b | a by a"), "compare"),
        (("a -> b", "compare: b | a by c"), "one or two strengths"),
        (("a -> c : 0.5, 0.5", "a -> b : 0", "compare: b | a by c"), "have to differ"),
        (("a -> c : 0.5", "b -> c : 0.1, 0.6", "compare: c | a by b"), "may sum to 0.96"),
        (("a -> b : nan", "compare: b | a by c"), "expected a number"),
        (("a -> b : 0.1", "b -- c", "compare: b | a by c"), "need a DAG"),
        (tuple(f"a -> b{k} : 0, 0.5" for k in range(3)) + ("compare: b1 | a by b2",), "at most 2 strengths"),
        (tuple(f"a -> b{k} : 0.5" for k in range(8)) + ("compare: b1 | a by b2",), "at most 8 variables"),
    ],
)
def test_a_faulty_block_gets_a_sentence(lines, words):
    """Each error message names what is wrong."""
    with pytest.raises(LessonError, match=words):
        read_numbers(lines)
