"""Views of runs of learners by mutual information."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from learners.families.cimap.cuts import kind_of as threshold_of
from learners.families.cimap.explaining import event_of_information, leaves_open
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..constraint_based.kind import collider, explained_away, first_level
from ..graph_data import GraphViewData
from ..kind_contract import Kind, SliderModes
from ..replay import replay

ANY = {"q": "FDR q", "cut": "Cut μ", "normal cut": "Cut μ"}
MODES_HELP = "Run: test by test. The other: the skeleton at each threshold."


def _timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    return replay(result, positions, truth=truth, sentence=event_of_information, untested=result.extra.untested)


def _slider_modes(result: LearnResult) -> SliderModes:
    return SliderModes({"run": "Steps of the run", "cuts": ANY[threshold_of(result.extra)]}, "run", MODES_HELP)


ARACNE = Kind(
    timeline=partial(replay, sentence=event_of_information),
    callouts=(first_level, explained_away, collider),
    leaves_open=lambda _result: True,
)
KINDS = {
    "aracne": ARACNE,
    "cimap": replace(
        ARACNE,
        timeline=_timeline,
        leaves_open=leaves_open,
        slider_modes=_slider_modes,
        parts=lambda _result: ("cimap",),
    ),
}
