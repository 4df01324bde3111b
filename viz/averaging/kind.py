"""What a bootstrap shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from learners.results.events import Event
from learners.results.result import LearnResult

from ..kind import Kind
from ..pair import Pair, Story
from ..replay import replay
from ..tables import edge_rows
from ..walks import REPLAY, Walks
from .callouts import shaky_pair
from .frequencies import frequency_sentence, why_frequent
from .words import SHARE, Number, number_walks


def _sentence(event: Event, names: Sequence[str]) -> str:
    return frequency_sentence(event, names)


def _why(pair: Pair) -> Story:
    return Story(why_frequent(pair.result, pair.x, pair.y), None)


def _number(result: LearnResult) -> Number | None:
    """None before the first resample is done."""
    return SHARE if result.extra.n else None


def _walks(result: LearnResult) -> Walks:
    return number_walks(SHARE) if result.extra.n else REPLAY


KINDS = {
    "bootstrap": Kind(
        timeline=partial(replay, sentence=_sentence),
        why=_why,
        sentence=_sentence,
        callouts=(shaky_pair,),
        walks=_walks,
        parts=lambda result: ("bootstrap",) if result.extra.n else (),
        beside=lambda result: ("probabilities",) if result.extra.n else (),
        number=_number,
        tables={"Edges": edge_rows},
    )
}
