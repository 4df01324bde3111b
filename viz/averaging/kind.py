"""Views of bootstrap runs, Markov chains and exact sums."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from learners.common.sentences import Number, Phrase, percent, phrase, probability
from learners.evaluation.probable_graph import EVEN
from learners.families.averaging.explaining import event_of_chains, event_of_frequencies
from learners.families.averaging.order_mcmc import ChainsRun
from learners.results.result import LearnResult

from ..kind_contract import REPLAY, Kind, SliderModes
from ..replay import replay
from ..tables import edge_rows
from ..text import shorten
from .words import CHANCE, EXACT, SHARE, EdgeMeasure, number_modes

T = TypeVar("T")
OPEN = (0.05, 0.95)  # probabilities between these are undecided


def open_pair(result: LearnResult) -> Phrase | None:
    """Name the pair whose probability is nearest to one half."""
    if not np.isfinite(result.strengths.values).any():
        return None
    a, b, value = _nearest_to_half(result)
    if not OPEN[0] < value < OPEN[1]:
        return None
    template = (
        "The edge {a} — {b} is uncertain (P = {p}). It is shown because P reaches the threshold of {least}. Drag the "
        "line to change the threshold."
    )
    if value < EVEN:
        template = (
            "The edge {a} — {b} is uncertain (P = {p}): it is below the threshold of {least} and not drawn. Drag the "
            "line to move the threshold."
        )
    return phrase(template, a=a, b=b, p=probability(value), least=probability(EVEN))


def agreement_callout(result: LearnResult) -> Phrase | None:
    """Warn about chains that disagree."""
    run = result.extra
    if not isinstance(run, ChainsRun) or run.agreement is None or run.converged:
        return None
    difference = Number(float(run.agreement.difference))
    return phrase("The chains differ by up to {difference} in a probability; try more moves.", difference=difference)


def shaky_pair(result: LearnResult) -> Phrase | None:
    """Name the pair whose share of resamples is nearest to one half."""
    if not result.extra.n:
        return None
    a, b, value = _nearest_to_half(result)
    if not OPEN[0] < value < OPEN[1]:
        return None
    template = "The edge {a} — {b} is uncertain: {share} of the resamples have it."
    return phrase(template, a=a, b=b, share=percent(value))


def _nearest_to_half(result: LearnResult) -> tuple[str, str, float]:
    values = np.triu(np.nan_to_num(result.strengths.values), 1)
    i, j = np.unravel_index(np.abs(values - 0.5).argmin(), values.shape)
    return shorten(result.names[i]), shorten(result.names[j]), float(values[i, j])


def _number(result: LearnResult) -> EdgeMeasure | None:
    """Return the measure of a bootstrap; None before the first resample is done."""
    return SHARE if result.extra.n else None


def _slider_modes(result: LearnResult) -> SliderModes:
    """Begin with the shares if the graph is cut at one, else with the run, which ends in the graph."""
    if not result.extra.n:
        return REPLAY
    modes = number_modes(SHARE)
    return modes if result.params["graph"] == "frequent" else replace(modes, default="run")


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
