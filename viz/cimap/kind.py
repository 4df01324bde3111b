"""What learners by mutual information show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from learners.cimap.cuts import kind_of as threshold_of
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..constraint_based.callouts import collider, explained_away, first_level
from ..graph_data import GraphViewData
from ..kind import Kind
from ..pair import Pair, Story
from ..replay import replay
from ..slider_modes import SliderModes
from .why import sentence, why_informed

ANY = {"q": "Any q", "cut": "Any cut μ", "normal cut": "Any cut μ"}
MODES_HELP = (
    "Run: test by test, as it was learnt. The other: the skeleton at any threshold, read off the stored numbers."
)


def _timeline(result: LearnResult, positions: np.ndarray, *, truth: PDAG | None = None) -> GraphViewData:
    return replay(result, positions, truth=truth, sentence=sentence, untested=result.extra.untested)


def _leaves_open(result: LearnResult) -> bool:
    return not result.params.get("orient", True)


def _why(pair: Pair) -> Story:
    return why_informed(pair, pair.result.extra, only_skeleton=_leaves_open(pair.result))


def _slider_modes(result: LearnResult) -> SliderModes:
    return SliderModes({"run": "Run", "cuts": ANY[threshold_of(result.extra)]}, "run", MODES_HELP)


ARACNE = Kind(
    timeline=partial(replay, sentence=sentence),
    why=partial(why_informed, only_skeleton=True),
    sentence=sentence,
    callouts=(first_level, explained_away, collider),
    leaves_open=lambda _result: True,
)
KINDS = {
    "aracne": ARACNE,
    "cimap": replace(
        ARACNE,
        timeline=_timeline,
        why=_why,
        leaves_open=_leaves_open,
        slider_modes=_slider_modes,
        parts=lambda _result: ("cimap",),
    ),
}
