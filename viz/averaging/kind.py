"""What a bootstrap shows, and what chains and exact sums do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from learners.results.events import Event
from learners.results.result import LearnResult

from ..kind import Kind
from ..pair import Pair, Story
from ..replay import replay
from ..slider_modes import REPLAY, SliderModes
from ..tables import edge_rows
from .callouts import agreement_callout, open_pair, shaky_pair
from .frequencies import frequency_sentence, why_frequent
from .settling import settling_sentence, why_probable
from .words import CHANCE, EXACT, SHARE, Number, number_modes

T = TypeVar("T")


def _sentence(event: Event, names: Sequence[str]) -> str:
    return frequency_sentence(event, names)


def _why(pair: Pair) -> Story:
    return Story(why_frequent(pair.result, pair.x, pair.y), None)


def _number(result: LearnResult) -> Number | None:
    """None before the first resample is done."""
    return SHARE if result.extra.n else None


def _slider_modes(result: LearnResult) -> SliderModes:
    return number_modes(SHARE) if result.extra.n else REPLAY


def _sentence_settling(event: Event, names: Sequence[str]) -> str:
    return settling_sentence(event, names)


def _why_probable(pair: Pair) -> Story:
    return Story(why_probable(pair.result, pair.x, pair.y), None)


def _probable(number: Number, *parts: str) -> Kind:
    """Probabilities that come from no tree and no resamples; further parts below the picture."""

    def some(result: LearnResult, what: T, nothing: T) -> T:
        return nothing if result.posterior is None else what

    return Kind(
        timeline=partial(replay, sentence=_sentence_settling),
        why=_why_probable,
        sentence=_sentence_settling,
        callouts=(agreement_callout, open_pair),
        slider_modes=lambda result: some(result, number_modes(number), REPLAY),
        parts=lambda result: some(result, ("posterior", *parts), ()),
        beside=lambda result: some(result, ("probabilities",), ()),
        number=lambda result: some(result, number, None),
        tables={"Edges": edge_rows},
        to_find_more="lower P",
    )


KINDS = {
    "mcmc": _probable(CHANCE, "prior"),
    "exact": _probable(EXACT),
    "bootstrap": Kind(
        timeline=partial(replay, sentence=_sentence),
        why=_why,
        sentence=_sentence,
        callouts=(shaky_pair,),
        slider_modes=_slider_modes,
        parts=lambda result: ("bootstrap",) if result.extra.n else (),
        beside=lambda result: ("probabilities",) if result.extra.n else (),
        number=_number,
        tables={"Edges": edge_rows},
    ),
}
