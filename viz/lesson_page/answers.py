"""The exercises of a lesson file: what each possible answer leads to, so that the file needs no library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice, permutations, product
from typing import Any

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.entered_answers import SHARE_OF_VALUE, EnteredNumber, SliderPosition, StepOrder
from learners.teaching.lessons.lesson import Exercise, LessonGraph, LessonQuestion
from learners.teaching.lessons.picture_answers import MARKS, ChosenEdges, ChosenNodes, OrientedEdges, edge_text

from ..classroom.lessons import PICTURED, answer_view, entry_view, verdict_view
from ..graph_data import GraphViewData

MAX_SETS = 4_096  # maximum number of answers that are tried
MAX_EXPLAINED = 128  # maximum number of different answers that are explained one by one; of more, only the right ones


def exercise_pack(question: LessonQuestion, solved: Exercise, language: str) -> dict[str, Any]:
    """Return an exercise as the page shows it.

    ``answers`` maps the text of an answer to ``[is_right, why, picture]``, where `picture` is a position in
    ``pictures`` or None. An answer that it lacks is wrong, and has the reason of the solution. A number has its
    ``value``, its ``tolerance`` and its ``slips`` instead.
    """
    say, entry = TEXTS[language], solved.entry
    pack = {"question": solved.question, "choices": solved.choices, "right": solved.right_text(say), "why": solved.why}
    lit = answer_view(question.subject, solved) if isinstance(question.subject, LessonGraph) else None
    pack |= {"pictures": [] if lit is None else [lit]}
    if isinstance(entry, EnteredNumber):
        allowed = min(entry.tolerance, SHARE_OF_VALUE * entry.value) if entry.unit == "%" else entry.tolerance
        return pack | {
            "kind": "number", "value": entry.value, "tolerance": allowed, "slips": entry.slips, "unit": entry.unit,
            "near": entry.tolerance,
        }  # fmt: skip
    if entry is None:
        return pack | {"kind": "choices", "answer": solved.answer}
    return (
        pack | {"kind": entry.kind} | _controls(entry, say) | _answers(question, solved, entry, say, pack["pictures"])
    )


def _controls(entry: Any, say: Any) -> dict[str, Any]:
    """Return the possible values with their texts, and the picture in which the answer is given."""
    if isinstance(entry, StepOrder):
        return {"steps": entry.steps}
    if isinstance(entry, SliderPosition):
        return {"options": [(str(k), entry.label(k, say)) for k in entry.options]}
    if isinstance(entry, ChosenEdges):
        return {"options": [(f"{a}-{b}", entry.edge_text((a, b))) for a, b in entry.options]}
    if isinstance(entry, ChosenNodes):
        return {"options": [(str(k), entry.names[k]) for k in entry.options]}
    texts = [
        {mark: edge_text(edge, mark, entry.names) for mark in (MARKS if edge in entry.options else (start,))}
        for edge, start in zip(entry.edges, entry.start, strict=True)
    ]
    return {"edges": [list(edge) for edge in entry.edges], "start": entry.start, "marks": texts}


def _answers(
    question: LessonQuestion, solved: Exercise, entry: Any, say: Any, pictures: list[GraphViewData]
) -> dict[str, Any]:
    """Return the answers with their reasons; the pictures of their paths are added to `pictures`."""
    known: dict[str, list] = {}
    possible = list(islice(_possible(entry), MAX_SETS))
    for given in possible if len(possible) <= MAX_EXPLAINED else [one for one in possible if entry.is_right(one)]:
        why, path, is_open = entry.reason(given, say)
        why = " ".join(filter(None, (why, solved.because)))
        at = None
        if isinstance(entry, ChosenNodes) and path and len(possible) <= MAX_EXPLAINED:
            at = len(pictures)
            pictures.append(verdict_view(question.subject, entry, given, (why, path, is_open)))
        known[_text(given)] = [bool(entry.is_right(given)), why, at]
    asked = {"asked": entry_view(question.subject, entry, entry.nothing)} if isinstance(entry, PICTURED) else {}
    return {"answers": known, **asked}


def _possible(entry: Any) -> Iterator[Any]:
    """Yield answers, the solution first; where there are too many, sets of few nodes or edges."""
    yield entry.solution
    if isinstance(entry, SliderPosition):
        others: Iterable[Any] = entry.options
    elif isinstance(entry, StepOrder):
        others = permutations(entry.options)
    elif isinstance(entry, OrientedEdges):
        pairs = zip(entry.edges, entry.start, strict=True)
        others = product(*(MARKS if edge in entry.options else (start,) for edge, start in pairs))
    else:
        sizes = range(len(entry.options) + 1)
        others = map(frozenset, chain.from_iterable(combinations(entry.options, k) for k in sizes))
    yield from (one for one in others if one != entry.solution)


def _text(given: Any) -> str:
    """Return an answer as the page writes it: its parts in the order of the options, joined by commas."""
    if isinstance(given, int):
        return str(given)
    parts = sorted(given) if isinstance(given, frozenset) else given
    return ",".join("-".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in parts)
