"""Views of runs of HPC and of searches within its skeleton."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from learners.common.sentences import Count, Listed, Node, Phrase, Sentence, phrase, say
from learners.families.h2pc.candidates import DECENTRALISED
from learners.families.h2pc.explaining import event_of_hpc
from learners.families.h2pc.hpc_search import Neighborhoods
from learners.families.h2pc.hpc_target import Neighborhood
from learners.results.result import LearnResult

from ..constraint_based.kind import collider, explained_away, first_level
from ..hybrid.kind import SEARCH
from ..kind_contract import Kind
from ..replay import replay
from ..score_based.kind import climb, polish
from ..score_based.timeline import dag_timeline

MAX_NAMED = 8  # maximum number of variables in a callout


def around_callout(found: Neighborhoods) -> Phrase | None:
    """Summarize the searches around all variables; return None if none has ended."""
    return _of_all(found) if found.searched.any() else None


def target_sentence(result: LearnResult) -> Phrase | None:
    """Name the neighbours and the Markov blanket of the target."""
    found: Neighborhood = result.extra
    if not found.searched.any():
        return None
    t, names = found.target, result.names
    near = np.flatnonzero(result.graph.skeleton[t]).tolist()
    beyond = [k for k in found.blanket_of_target if k not in near]
    template = "{target} has {neighbours}: {near}. Its Markov blanket holds no other variable."
    if beyond:
        template = "{target} has {neighbours}: {near}. Its Markov blanket also holds {beyond}."
    neighbours = Count(len(near), "neighbour")
    return phrase(template, names, target=Node(t), neighbours=neighbours, near=_named(near), beyond=_named(beyond))


def _of_all(found: Neighborhoods) -> Phrase:
    both = found.candidates & found.candidates.T
    saved = both & (found.rule == DECENTRALISED)
    saved = int(np.triu(saved | saved.T).sum())
    one = int(np.triu(found.candidates ^ found.candidates.T).sum())
    return phrase(
        "A search around each variable finds its neighbours; {pairs} found each other. {saved} of these count although "
        "one of the two searches missed the other variable. Pairs found from one end only have no edge: {one}.",
        pairs=Count(int(np.triu(both).sum()), "pair"),
        saved=saved,
        one=one,
    )


def _named(nodes: list[int]) -> Sentence | Listed:
    if not nodes:
        return say("none")
    shown = Listed([Node(k) for k in nodes[:MAX_NAMED]])
    return say("{names} and {n} more", names=shown, n=len(nodes) - MAX_NAMED) if len(nodes) > MAX_NAMED else shown


def _around(result: LearnResult) -> Phrase | None:
    return around_callout(result.extra)


def _around_before(result: LearnResult) -> Phrase | None:
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
