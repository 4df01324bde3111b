"""What RAI and B-RAI show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..averaging.callouts import open_pair
from ..averaging.words import PROBABILITY, number_modes, trees_sentence
from ..constraint_based.callouts import collider, explained_away, first_level
from ..constraint_based.sentences import sentence
from ..constraint_based.why import why_by_tests
from ..graph_data import GraphViewData
from ..kind import Kind
from ..pair import Pair, Story
from ..replay import replay
from .callouts import graphs_callout, split_callout
from .recursion import boxed, why_group


def _timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    return boxed(replay(result, positions, truth=truth, sentence=sentence), result)


def _why(pair: Pair) -> Story:
    story, group = why_by_tests(pair), why_group(pair.result, pair.x, pair.y)
    return replace(story, sentences=[*story.sentences, group]) if group else story


def _why_probable(pair: Pair) -> Story:
    story = _why(pair)
    return replace(story, sentences=[*story.sentences, trees_sentence(pair.result.extra, pair.x, pair.y)])


RAI = Kind(
    timeline=_timeline,
    why=_why,
    sentence=sentence,
    callouts=(split_callout, first_level, explained_away, collider),
    parts=lambda result: ("rai",) if result.extra.calls else (),
)
KINDS = {
    "rai": RAI,
    "brai": replace(
        RAI,
        why=_why_probable,
        callouts=(open_pair, graphs_callout, *RAI.callouts),
        slider_modes=lambda _result: number_modes(PROBABILITY),
        parts=lambda _result: ("brai",),
        beside=lambda _result: ("probabilities",),
        number=lambda _result: PROBABILITY,
    ),
}
