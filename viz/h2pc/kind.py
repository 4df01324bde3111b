"""What HPC and a search within its skeleton show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from learners.results.result import LearnResult

from ..constraint_based.callouts import collider, explained_away, first_level
from ..hybrid.callouts import polish
from ..hybrid.kind import SEARCH
from ..kind import Kind
from ..pair import Pair, Story
from ..replay import replay
from ..score_based.callouts import climb
from ..score_based.timeline import dag_timeline
from .callouts import around_callout, target_sentence
from .why import why_around, why_within
from .words import sentence


def _why_target(pair: Pair) -> Story:
    return why_around(pair, pair.result.extra, pair.result.extra.target)


def _around(result: LearnResult) -> str | None:
    return around_callout(result.extra)


HPC = Kind(
    timeline=partial(replay, sentence=sentence),
    why=lambda pair: why_around(pair, pair.result.extra),
    sentence=sentence,
    callouts=(first_level, _around, explained_away, collider),
    leaves_open=lambda _result: True,
)
KINDS = {
    "hpc": HPC,
    "hpc_target": replace(
        HPC, why=_why_target, callouts=(first_level, target_sentence, explained_away, collider), blanket=target_sentence
    ),
    "h2pc": replace(
        SEARCH,
        timeline=partial(dag_timeline, sentence=sentence),
        why=lambda pair: why_within(pair, pair.result.extra.evidence),
        sentence=sentence,
        callouts=(
            first_level,
            lambda result: around_callout(result.extra.evidence),
            climb,
            polish,
            explained_away,
            collider,
        ),
    ),
}
