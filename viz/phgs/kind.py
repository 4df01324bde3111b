"""Views of partitioned runs, solution paths and adaptively restricted searches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from learners.families.phgs.ppc import PartitionedEvidence
from learners.results.result import LearnResult

from ..constraint_based.callouts import collider, explained_away, first_level
from ..constraint_based.kind import TESTS
from ..hybrid.callouts import polish
from ..hybrid.kind import SEARCH
from ..kind import Kind
from ..score_based.callouts import climb
from ..score_based.timeline import class_timeline
from .callouts import clusters_callout, path_callout
from .words import CPDAGS, STARTS, Solutions, path_modes


def _own_clusters(result: LearnResult) -> PartitionedEvidence | None:
    """Return the evidence of a partitioned run; None if its variables were not clustered."""
    return result.extra if result.extra.partition is not None else None


def _clusters_before(result: LearnResult) -> PartitionedEvidence | None:
    """Return the evidence of the partitioned run before a search; None if its variables were not clustered."""
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
    parts=lambda result: ("partition",) if _own_clusters(result) else (),
    special={PartitionedEvidence: _own_clusters},
)
PATH = replace(
    PPC,
    callouts=(partial(path_callout, solutions=CPDAGS), *PPC.callouts[1:]),
    slider_modes=lambda _result: path_modes("solutions"),
    parts=_parts_of_path,
    beside=lambda _result: ("survival",),
    special={PartitionedEvidence: _own_clusters, Solutions: lambda _result: CPDAGS},
)
PHGS = replace(
    SEARCH,
    callouts=(partial(path_callout, solutions=STARTS), _callout_before, climb, polish, explained_away, collider),
    # The result is not a solution of the path, so the slider starts with the run.
    slider_modes=lambda _result: path_modes("run"),
    parts=lambda result: ("path", "partition") if _clusters_before(result) else ("path",),
    beside=lambda _result: ("survival",),
    special={PartitionedEvidence: _clusters_before, Solutions: lambda _result: STARTS},
)
ARGES = Kind(timeline=class_timeline, callouts=SEARCH.callouts)
KINDS = {"ppc": PPC, "path": PATH, "phgs": PHGS, "arges": ARGES}
