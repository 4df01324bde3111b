"""A lesson as one HTML file that runs without a server: texts, graphs, runs with their steps, and exercises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from learners.common.errors import LearnersError
from learners.explaining.explanation import explanation
from learners.graphs.graph import PDAG
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.entered_answers import setting_text
from learners.teaching.lessons.lesson import (
    Exercise,
    Lesson,
    LessonGraph,
    LessonNumbers,
    LessonPicture,
    LessonQuestion,
    LessonRun,
    LessonText,
)

from ..classroom.lesson_words import explained_in_lesson
from ..classroom.lessons import graph_of_lesson, probability_cells, run_places, run_view
from ..classroom.moving_numbers import numbers_at, strength_view
from ..replay_page.explanations import explained_pairs
from ..replay_page.page import GRAPH_VIEW, html_of
from ..text import as_sentence, in_language
from ..translation.captions import CAPTIONS
from ..translation.sentences import catalog, words_of_scripts
from .answers import exercise_pack
from .marked_text import tree_of

HERE = Path(__file__).parent
MAX_PAIRS = 300  # maximum number of explained pairs of a run
WORDS = ("right", "wrong", "wrong set", "wrong entry", "check", "continue", "whole", "time", "click", "number",
         "click nodes", "click edges", "click marks", "order", "not stored", "members")  # fmt: skip
Learnt = Callable[[int, int], tuple[LearnResult, PDAG | None]]


def lesson_html(lesson: Lesson, learnt: Learnt, solved: Callable[[int], Exercise]) -> str:
    """Return the file as text.

    Parameters
    ----------
    lesson : Lesson
    learnt : callable
        ``learnt(position, k)`` returns run number `k` of the block at a position, and the true graph or None.
    solved : callable
        ``solved(position)`` returns the exercise at a position.
    """
    language, say = lesson.language, CAPTIONS[lesson.language]
    blocks = [_block(lesson, k, learnt, solved) for k in range(len(lesson.blocks))]
    page = {
        "title": lesson.title,
        "language": language,
        "time": say["time"].format(minutes=lesson.minutes),
        "words": {name: say[name] for name in WORDS},
        "graph_words": words_of_scripts(language, GRAPH_VIEW),
        "blocks": blocks,
        "steps": [list(step) for step in steps_of(lesson)],
    }
    page = in_language(page, catalog(language))
    return html_of(
        lesson.title, {"page": page}, script=HERE / "lesson_page.js", styles=(HERE,), main="lesson", language=language
    )


def steps_of(lesson: Lesson) -> list[range]:
    """Return the positions of the blocks of each step; a step begins at a text after a question or a run."""
    blocks = lesson.blocks
    begins = [
        k
        for k in range(1, len(blocks))
        if isinstance(blocks[k - 1], LessonQuestion | LessonRun) and isinstance(blocks[k], LessonText)
    ]
    bounds = [0, *begins, len(blocks)]
    return [range(begin, end) for begin, end in zip(bounds, bounds[1:], strict=False)]


def is_drawn_again(lesson: Lesson, at: int) -> bool:
    """Return True for a graph without tables whose nodes a question shows at once, to ask for nodes or directions.

    Above a question about directions, the graph would give them away.
    """
    graph, following = lesson.blocks[at], lesson.blocks[at + 1 : at + 2]
    if not isinstance(graph, LessonGraph) or graph.tables is not None or not following:
        return False
    return isinstance(following[0], LessonQuestion) and following[0].check in (
        "separating set",
        "adjustment set",
        "orient",
    )


def is_compared(lesson: Lesson, at: int) -> bool:
    """Return True for a picture directly above a run, with which the reader compares it: one window shows both."""
    following = lesson.blocks[at + 1 : at + 2]
    return isinstance(lesson.blocks[at], LessonPicture) and bool(following) and isinstance(following[0], LessonRun)


def _block(lesson: Lesson, at: int, learnt: Learnt, solved: Callable[[int], Exercise]) -> Mapping[str, Any]:
    block = lesson.blocks[at]
    try:
        if isinstance(block, LessonText):
            return {"kind": "text", "tree": tree_of(block.text)}
        if is_drawn_again(lesson, at):
            return {"kind": "text", "tree": []}
        if isinstance(block, LessonGraph):
            tables = probability_cells(block)
            compared = is_compared(lesson, at)
            return {"kind": "graph", "graph": graph_of_lesson(lesson, block), "tables": tables, "compared": compared}
        if isinstance(block, LessonNumbers):
            return {"kind": "numbers"} | _numbers(block, lesson.language)
        if isinstance(block, LessonRun):
            return {"kind": "run"} | _run(lesson, block, lambda k: learnt(at, k))
        return exercise_pack(block, solved(at), lesson.language)
    except LearnersError as error:
        return {"kind": "fault", "text": as_sentence(str(error))}


def _numbers(block: LessonNumbers, language: str) -> dict[str, Any]:
    """Return the sliders, and the numbers and strengths at each combination of their positions."""
    names, moving = block.graph.names, block.moving
    sliders = [
        {"label": f"{names[one.pair[0]]} → {names[one.pair[1]]}", "values": one.values, "begin": one.begin}
        for one in moving
    ]
    states = {}
    for positions in product(*(range(len(one.values)) for one in moving)):
        edges = [[edge["strength"], edge["strength_text"]] for edge in strength_view(block, positions)["edges"]]
        states[",".join(map(str, positions))] = {**numbers_at(block, positions, language), "edges": edges}
    return {"graph": strength_view(block, [one.begin for one in moving]), "sliders": sliders, "states": states}


def _run(lesson: Lesson, run: LessonRun, learnt: Callable[[int], tuple[LearnResult, PDAG | None]]) -> dict[str, Any]:
    """Return the steps of a run at each value of the setting that it varies, and the explanations of its pairs."""
    values = run.settings[run.varied] if run.varied else ("",)
    places = run_places(run, learnt(0)[0], lesson)
    pictures = []
    for k, value in enumerate(values):
        result, truth = learnt(k)
        texts = [
            [*pair, explained_in_lesson(explanation(result, pair), catalog(lesson.language))]
            for pair in explained_pairs(result, MAX_PAIRS)
        ]
        settings = ", ".join(f"{name} {one}" for name, one in run.at(k).items())
        caption = f"{LEARNERS[run.learner].label}{f', {settings}' if settings else ''}."
        graph = run_view(run.slider, result, places, truth, run.shows)
        label = setting_text(value, TEXTS[lesson.language])
        pictures.append({"label": label, "graph": graph, "texts": texts, "caption": caption})
    return {"setting": run.varied or "", "pictures": pictures}
