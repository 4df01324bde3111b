"""Views of a run of LMM."""

from __future__ import annotations

from learners.families.lmm.ranking import EdgeRanking
from learners.families.lmm.step_graphs import graph_at
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..changes import StepMeanings
from ..kind import Kind
from ..slider_modes import SliderModes
from ..tables import edge_rows
from .callouts import hub, induced, race
from .timeline import interval_of, lmm_timeline, wider_graph


def _last_step(result: LearnResult) -> int:
    return len(result.extra.moves)


def _choice_step(result: LearnResult) -> int:
    return result.extra.choice


def _graph_at(result: LearnResult, step: int) -> PDAG:
    return graph_at(result, step)


KINDS = {
    "lmm": Kind(
        timeline=lmm_timeline,
        callouts=(race, hub, induced),
        steps=StepMeanings(_last_step, _choice_step, _graph_at, interval_of, wider_graph),
        tables={"Edges": edge_rows},
        slider_modes=lambda _result: SliderModes({"moves": "Run"}, "moves"),
        parts=lambda _result: ("lmm",),
        to_find_more="lower γ",
        special={EdgeRanking: lambda result: result.extra},
    )
}
