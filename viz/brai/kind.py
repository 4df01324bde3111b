"""Views of runs of RAI and B-RAI."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from learners.common.sentences import Count, Phrase, phrase, say
from learners.families.brai.explaining import event_of_brai, is_of_probabilities
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..averaging.kind import open_pair
from ..averaging.words import PROBABILITY, EdgeMeasure, number_modes
from ..constraint_based.kind import collider, explained_away, first_level
from ..graph_data import GraphViewData
from ..kind_contract import Kind, SliderModes
from ..replay import replay
from .recursion import boxed

CAP = 100  # maximum number of classes counted


def graphs_callout(result: LearnResult) -> Phrase:
    """Count the graphs of the tree."""
    n = result.extra.n_classes(CAP)
    if n == 1:
        return phrase("All resamples give the same graph.")
    graphs, least = Count(n, "different graph"), n >= CAP
    if result.extra.polished and least:
        template = "The resamples give at least {graphs}; a tabu search continues from the best."
    elif result.extra.polished:
        template = "The resamples give {graphs}; a tabu search continues from the best."
    elif least:
        template = "The resamples give at least {graphs}; probabilities are averages over the best."
    else:
        template = "The resamples give {graphs}; probabilities are averages over the best."
    return phrase(template, graphs=graphs)


def split_callout(result: LearnResult) -> Phrase | None:
    """Describe the first call with more than one group."""
    call = next((call for call in result.extra.calls if len(call.groups) > 1), None)
    if call is None:
        return None
    sizes = ", ".join(str(len(group)) for group in call.groups[:-1])
    return phrase(
        "After the tests given {given}, the graph splits into groups of size {sizes} and {descendants}. "
        "Each is refined separately, which saves tests.",
        given=Count(call.size, "variable") if call.size else say("nothing"),
        sizes=sizes,
        descendants=Count(len(call.groups[-1]), "descendant"),
    )


def _timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    return boxed(replay(result, positions, truth=truth, sentence=event_of_brai), result)


def _slider_modes(result: LearnResult) -> SliderModes:
    """Begin with the probabilities if the graph is theirs, else with the run, which ends in the graph."""
    modes = number_modes(PROBABILITY)
    return modes if is_of_probabilities(result) else replace(modes, default="run")


RAI = Kind(
    timeline=_timeline,
    callouts=(split_callout, first_level, explained_away, collider),
    parts=lambda result: ("rai",) if result.extra.calls else (),
)
KINDS = {
    "rai": RAI,
    "brai": replace(
        RAI,
        callouts=(open_pair, graphs_callout, *RAI.callouts),
        slider_modes=_slider_modes,
        parts=lambda _result: ("brai",),
        beside=lambda _result: ("probabilities",),
        special={EdgeMeasure: lambda _result: PROBABILITY},
    ),
}
