"""Views of a run of LMM."""

from __future__ import annotations

import numpy as np

from learners.common.sentences import Count, Node, Number, Phrase, phrase, say
from learners.families.lmm.ranking import EdgeRanking
from learners.families.lmm.step_graphs import aware_at, graph_at, orientation_of, skeleton_at
from learners.results.result import LearnResult

from ..kind_contract import Kind, SliderModes
from ..tables import edge_rows
from ..trace_steps import StepMeanings
from .timeline import interval_of, lmm_timeline, wider_graph


def race(result: LearnResult) -> Phrase | None:
    """Describe forward selection and backward elimination."""
    if not _ranks_edges(result):
        return None
    ranking: EdgeRanking = result.extra
    line = say("the line of the margin") if ranking.tested else say("the line γ")
    return phrase(
        "Forward selection adds {edges}, the strongest first; elimination then removes them, the weakest first. The "
        "last ones are best supported. Drag the slider to watch, or {line} to set a threshold.",
        edges=Count(len(ranking.ranked), "edge"),
        line=line,
    )


def hub(result: LearnResult) -> Phrase | None:
    """Name the variable that is unaware of most of its neighbours in the result."""
    if not _ranks_edges(result):
        return None
    ranking: EdgeRanking = result.extra
    p = len(result.names)
    degree = skeleton_at(ranking.moves, ranking.choice, p).sum(axis=1)
    unaware = degree - aware_at(ranking.moves, ranking.choice, p).sum(axis=1)
    k = int(np.argmax(unaware))
    if unaware[k] < 1 or degree[k] < 3:
        return None
    template = (
        "{name} has {neighbours} and conditions on {n} of them. A dot at the end of an edge marks a "
        "variable that is aware of the other."
    )
    known, neighbours = int(degree[k] - unaware[k]), Count(int(degree[k]), "neighbour")
    return phrase(template, result.names, name=Node(k), neighbours=neighbours, n=known or say("none"))


def induced(result: LearnResult) -> Phrase | None:
    """Name the best supported v-structure."""
    found = result.extra.v_structures if _ranks_edges(result) else None
    if found is None or not found.accepted.any():
        return None
    t = int(np.argmax(found.induced * found.accepted))
    a, w, b = (Node(int(k)) for k in found.triples[t])
    return phrase(
        "The best supported arrows are {a} → {w} ← {b}. {a} and {b} are not adjacent, and conditioning "
        "on {w} makes them dependent (CD = {cd}).",
        result.names,
        a=a,
        w=w,
        b=b,
        cd=Number(float(found.induced[t])),
    )


def _ranks_edges(result: LearnResult) -> bool:
    """Return True if the elimination ended and ranked edges."""
    return result.complete and len(result.extra.ranked) > 0


def _last_step(result: LearnResult) -> int:
    return len(result.extra.moves)


def _choice_step(result: LearnResult) -> int:
    return result.extra.choice


KINDS = {
    "lmm": Kind(
        timeline=lmm_timeline,
        callouts=(race, hub, induced),
        steps=StepMeanings(_last_step, _choice_step, graph_at, interval_of, wider_graph),
        tables={"Edges": edge_rows},
        slider_modes=lambda _result: SliderModes({"moves": "Steps of the run"}, "moves"),
        leaves_open=lambda result: orientation_of(result) == "none",
        parts=lambda _result: ("lmm",),
        to_find_more="lower γ",
        special={EdgeRanking: lambda result: result.extra},
    )
}
