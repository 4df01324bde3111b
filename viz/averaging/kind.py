"""Views of bootstrap runs, Markov chains and exact sums."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from learners.families.averaging.explaining import event_of_chains, event_of_frequencies
from learners.results.result import LearnResult

from ..kind import REPLAY, Kind, SliderModes
from ..replay import replay
from ..tables import edge_rows
from .callouts import agreement_callout, open_pair, shaky_pair
from .words import CHANCE, EXACT, SHARE, EdgeMeasure, number_modes

T = TypeVar("T")


def _number(result: LearnResult) -> EdgeMeasure | None:
    """Return the measure of a bootstrap; None before the first resample is done."""
    return SHARE if result.extra.n else None


def _slider_modes(result: LearnResult) -> SliderModes:
    return number_modes(SHARE) if result.extra.n else REPLAY


def _probable(number: EdgeMeasure, *parts: str) -> Kind:
    """Return the views of probabilities from chains or exact sums, with additional `parts`."""

    def some(result: LearnResult, what: T, nothing: T) -> T:
        return nothing if result.posterior is None else what

    return Kind(
        timeline=partial(replay, sentence=event_of_chains),
        callouts=(agreement_callout, open_pair),
        slider_modes=lambda result: some(result, number_modes(number), REPLAY),
        parts=lambda result: some(result, ("posterior", *parts), ()),
        beside=lambda result: some(result, ("probabilities",), ()),
        special={EdgeMeasure: lambda result: some(result, number, None)},
        tables={"Edges": edge_rows},
        to_find_more="lower P",
    )


KINDS = {
    "mcmc": _probable(CHANCE, "prior"),
    "exact": _probable(EXACT),
    "bootstrap": Kind(
        timeline=partial(replay, sentence=event_of_frequencies),
        callouts=(shaky_pair,),
        slider_modes=_slider_modes,
        parts=lambda result: ("bootstrap",) if result.extra.n else (),
        beside=lambda result: ("probabilities",) if result.extra.n else (),
        special={EdgeMeasure: _number},
        tables={"Edges": edge_rows},
    ),
}
