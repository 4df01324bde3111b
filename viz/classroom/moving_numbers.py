"""Numbers of a lesson that move with sliders: the graph with its strengths, a two-way table, and bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TypedDict

from learners.common.wording import format_setting, format_signed
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.lesson import LessonNumbers
from learners.teaching.lessons.moving_numbers import strengths_at, table_at

from ..graph_data import GraphViewData
from ..translation.captions import CAPTIONS
from .lessons import lesson_view

WIDEST = 0.96  # strength that is drawn as the widest line


class MovingNumbers(TypedDict):
    """What is shown at one position of the sliders.

    heads, rows
        The two-way table.
    bars
        For each group its name and, for each value of the cause, a name, a share in [0, 1], and its text.
    summary
        Unadjusted and adjusted difference, and the true effect.
    """

    heads: list[str]
    rows: list[list[str]]
    bars: list[tuple[str, list[tuple[str, float, str]]]]
    summary: str


def numbers_at(
    block: LessonNumbers, positions: Sequence[int], language: str, escaped: Callable[[str], str] = str
) -> MovingNumbers:
    """Return the numbers with the sliders at these positions; `escaped` escapes the names in the summary."""
    found, say, words = table_at(block, positions), TEXTS[language], CAPTIONS[language]
    names = block.graph.names
    cause, effect, group = (names[k] for k in (block.cause, block.effect, block.group))
    yes, no = say["yes"], say["no"]
    groups = [
        words["all"],
        *(f"{group} = {one} ({_percent(n)})" for one, n in zip((yes, no), found.sizes, strict=True)),
    ]
    sides = [(f"{cause} = {yes}", found.with_cause), (f"{cause} = {no}", found.without_cause)]
    rows = [[label, *map(_percent, shares)] for label, shares in sides]
    rows.append([words["difference"], *(_points(one) for one in found.differences)])
    bars = [
        (name, [(label, shares[k], _percent(shares[k])) for label, shares in sides]) for k, name in enumerate(groups)
    ]
    summary = words["moving"].format(
        effect=escaped(effect), cause=escaped(cause), group=escaped(group), plain=_points(found.differences[0]),
        adjusted=_points(found.adjusted), causal=_points(found.causal),
    )  # fmt: skip
    return {"heads": [words["share of"].format(effect=effect), *groups], "rows": rows, "bars": bars, "summary": summary}


def strength_view(block: LessonNumbers, positions: Sequence[int]) -> GraphViewData:
    """Return the graph with the strength of each arrow as its width."""
    strengths = strengths_at(block, positions)
    data = lesson_view(block.graph)
    edges = [
        edge | {"strength": min(1.0, abs(value) / WIDEST), "strength_text": f"{value:+.2f}".replace("-", "−")}
        for edge in data["edges"]
        for value in [strengths.get((edge["a"], edge["b"]), strengths.get((edge["b"], edge["a"]), 0.0))]
    ]
    return data | {"edges": edges}


def bars_html(numbers: MovingNumbers) -> str:
    """Return the bars; the text of each states its share, so that no colour carries information alone."""
    return "".join(_group(name, sides) for name, sides in numbers["bars"])


def _group(name: str, sides: Sequence[tuple[str, float, str]]) -> str:
    items = "".join(
        f'<li class="choice"><span class="said">{escape(label)}</span><span class="n">{text}</span>'
        f'<span class="bar" style="width:{100 * share:.1f}%"></span></li>'
        for label, share, text in sides
    )
    return f'<p class="moving-group">{escape(name)}</p><ol class="class-tally moving">{items}</ol>'


def table_markdown(numbers: MovingNumbers, escaped: Callable[[str], str]) -> str:
    """Return the two-way table; `escaped` escapes the names."""
    lines = [numbers["heads"], ["---", *["--:"] * (len(numbers["heads"]) - 1)], *numbers["rows"]]
    return "\n".join(
        "| " + " | ".join(cell if k == 1 else escaped(cell) for cell in line) + " |" for k, line in enumerate(lines)
    )


def _percent(share: float) -> str:
    return f"{format_setting(round(100 * share, 1))}\u00a0%"


def _points(difference: float) -> str:
    """Return a difference in percentage points with its sign; none has no sign."""
    return format_signed(round(100 * difference, 1))
