"""Views of runs of HPC and of searches within its skeleton."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from learners.families.h2pc.explaining import event_of_hpc
from learners.results.result import LearnResult

from ..constraint_based.callouts import collider, explained_away, first_level
from ..hybrid.callouts import polish
from ..hybrid.kind import SEARCH
from ..kind import Kind
from ..replay import replay
from ..score_based.callouts import climb
from ..score_based.timeline import dag_timeline
from .callouts import around_callout, target_sentence


def _around(result: LearnResult) -> str | None:
    return around_callout(result.extra)


def _around_before(result: LearnResult) -> str | None:
    return around_callout(result.extra.evidence)


HPC = Kind(
    timeline=partial(replay, sentence=event_of_hpc),
    callouts=(first_level, _around, explained_away, collider),
    leaves_open=lambda _result: True,
)
KINDS = {
    "hpc": HPC,
    "hpc_target": replace(
        HPC, callouts=(first_level, target_sentence, explained_away, collider), summary=target_sentence
    ),
    "h2pc": replace(
        SEARCH,
        timeline=partial(dag_timeline, sentence=event_of_hpc),
        callouts=(first_level, _around_before, climb, polish, explained_away, collider),
    ),
}
