"""Views of a result: the functions of the app that depend on its kind.

Only the views of the family that made the result are imported.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np

from learners.common.sentences import Phrase
from learners.evaluation.comparison import without_directions
from learners.explaining.explanation import FAMILY_OF_KIND, chosen_sentence
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from .graph_data import GraphViewData
from .kind_contract import Kind
from .weak_evidence import with_doubts, with_few_rows_texts

MAX_CALLOUTS = 3


def kind_of(result: LearnResult) -> Kind:
    """Return the views of the kind of this result."""
    return kind_named(result.kind)


def kind_named(name: str) -> Kind:
    """Return the views of a kind; only its family is imported."""
    return import_module(f".{FAMILY_OF_KIND[name]}.kind", __package__).KINDS[name]


def comparable_truth(result: LearnResult, truth: PDAG) -> PDAG:
    """Return the graph to compare a result with: the true CPDAG, or its skeleton if the run seeks no directions."""
    return without_directions(truth) if kind_of(result).leaves_open(result) else truth


def last_step(result: LearnResult) -> int:
    """Return the number of the last step; the first is 0."""
    return kind_of(result).steps.last(result)


def choice_step(result: LearnResult) -> int:
    """Return the step whose graph is the result."""
    return kind_of(result).steps.choice(result)


def graph_at(result: LearnResult, step: int | None) -> PDAG:
    """Return the graph at a step; None means the result."""
    if step is None or step == choice_step(result):
        return result.graph
    return kind_of(result).steps.graph(result, min(step, last_step(result)))


def interval(result: LearnResult, x: int, y: int) -> tuple[int, int]:
    """Return the steps ``first <= step < last`` at which x and y are adjacent."""
    return kind_of(result).steps.interval(result, x, y)


def layout_graph(result: LearnResult) -> PDAG:
    """Return the graph for the layout: the result and the edges removed last, so that denser steps fit too."""
    return kind_of(result).steps.wider_graph(result, max(2, len(result.names) // 5))


def timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    """Return the timeline that the kind of the run defines; the parameters are those of `replay`."""
    data = kind_of(result).timeline(result, positions, truth=truth)
    return with_few_rows_texts(with_doubts(data, result), result)


def chosen(result: LearnResult) -> Phrase | None:
    """State the automatic choices and extra findings that settings requested; None if there are none."""
    sentence = chosen_sentence(result)
    return None if sentence is None else Phrase(sentence, result.names)


def callouts(result: LearnResult) -> list[str]:
    """Return up to three sentences that the run supports, the most important first."""
    sentences = (callout(result) for callout in (chosen, *kind_of(result).callouts))
    return [sentence for sentence in sentences if sentence][:MAX_CALLOUTS]
