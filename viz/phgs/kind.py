"""What partitioned runs, solution paths and adaptively restricted searches show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from learners.phgs.ppc import PartitionedEvidence
from learners.results.result import LearnResult

from ..constraint_based.callouts import collider, explained_away, first_level
from ..constraint_based.kind import TESTS
from ..hybrid.callouts import polish
from ..hybrid.kind import SEARCH
from ..kind import Kind
from ..score_based.callouts import climb
from ..score_based.timeline import class_timeline
from .arges import why_adaptive
from .callouts import clusters_callout, path_callout
from .why import why_path, why_search
from .words import CPDAGS, STARTS, path_walks


def _own_clusters(result: LearnResult) -> PartitionedEvidence | None:
    """None before the variables were clustered, or if the run needed no clusters."""
    return result.extra if result.extra.partition is not None else None


def _clusters_before(result: LearnResult) -> PartitionedEvidence | None:
    """The same of a search, which keeps what came before."""
    return result.extra.evidence if result.extra.evidence.partition is not None else None


def _own_callout(result: LearnResult) -> str | None:
    return clusters_callout(_own_clusters(result))


def _callout_before(result: LearnResult) -> str | None:
    return clusters_callout(_clusters_before(result))


def _parts_of_path(result: LearnResult) -> tuple[str, ...]:
    return ("path", "partition") if _own_clusters(result) else ("path",)


PPC = replace(
    TESTS,
    callouts=(first_level, _own_callout, explained_away, collider),
    clusters=_own_clusters,
    parts=lambda result: ("partition",) if _own_clusters(result) else (),
)
PATH = replace(
    PPC,
    why=why_path,
    callouts=(partial(path_callout, solutions=CPDAGS), *PPC.callouts[1:]),
    slider_modes=lambda _result: path_walks("solutions"),
    parts=_parts_of_path,
    beside=lambda _result: ("survival",),
    solutions=CPDAGS,
)
PHGS = replace(
    SEARCH,
    why=why_search,
    callouts=(partial(path_callout, solutions=STARTS), _callout_before, climb, polish, explained_away, collider),
    clusters=_clusters_before,
    # The result is no solution of the path, so the run comes first.
    slider_modes=lambda _result: path_walks("run"),
    parts=lambda result: ("path", "partition") if _clusters_before(result) else ("path",),
    beside=lambda _result: ("survival",),
    solutions=STARTS,
)
ARGES = Kind(timeline=class_timeline, why=why_adaptive, sentence=SEARCH.sentence, callouts=SEARCH.callouts)
KINDS = {"ppc": PPC, "path": PATH, "phgs": PHGS, "arges": ARGES}
