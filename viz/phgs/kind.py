"""Views of partitioned runs, solution paths and adaptively restricted searches."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from learners.common.sentences import Count, Phrase, phrase
from learners.families.phgs.alpha_steps import path_of
from learners.families.phgs.ppc import PartitionedEvidence
from learners.results.result import LearnResult

from ..constraint_based.kind import TESTS, collider, explained_away, first_level
from ..hybrid.kind import SEARCH
from ..kind_contract import Kind
from ..score_based.kind import climb, polish
from ..score_based.timeline import class_timeline
from .words import CPDAGS, STARTS, Solutions, format_level, path_modes, score_name


def path_callout(result: LearnResult, solutions: Solutions) -> Phrase:
    """Count the graphs of the path, and name the chosen one."""
    path = path_of(result).path
    first, last = (format_level(float(path.log_alphas[k])) for k in (0, -1))
    chosen = format_level(float(path.log_alphas[path.choice]))
    template = (
        "One run of tests gives the graphs at {n} values of alpha from {first} to {last}. The graph at "
        "alpha = {chosen} has the best {score}."
    )
    if solutions.begin_search:
        template = (
            "One run of tests gives the graphs at {n} values of alpha from {first} to {last}. The graph at "
            "alpha = {chosen} has the best {score}; the search begins there."
        )
    score = score_name(result)
    return phrase(template, n=len(path.graphs), first=first, last=last, chosen=chosen, score=score)


def clusters_callout(found: PartitionedEvidence | None) -> Phrase | None:
    """Count the clusters of a partitioned run."""
    if found is None or found.partition.n_clusters < 2:
        return None
    return phrase(
        "The {n} variables form {clusters} of strongly associated variables. Tests begin within clusters, which saves "
        "tests between them.",
        n=len(found.labels),
        clusters=Count(found.partition.n_clusters, "cluster"),
    )


def _own_clusters(result: LearnResult) -> PartitionedEvidence | None:
    """Return the evidence of a partitioned run; None if its variables were not clustered."""
    return result.extra if result.extra.partition is not None else None


def _clusters_before(result: LearnResult) -> PartitionedEvidence | None:
    """Return the evidence of the partitioned run before a search; None if its variables were not clustered."""
    return result.extra.evidence if result.extra.evidence.partition is not None else None


def _own_callout(result: LearnResult) -> Phrase | None:
    return clusters_callout(_own_clusters(result))


def _callout_before(result: LearnResult) -> Phrase | None:
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
