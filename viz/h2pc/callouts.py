"""What is worth noticing in a run of HPC."""

from __future__ import annotations

import numpy as np

from learners.h2pc.hpc_target import Neighborhood
from learners.h2pc.search import Neighborhoods
from learners.h2pc.target_search import DECENTRALISED
from learners.results.result import LearnResult

from ..text import count, shorten
from .words import neighborhoods_of

MOST_NAMED = 8


def hpc_callout(result: LearnResult) -> str | None:
    """One plain sentence for a newcomer; none without a search that came to its end."""
    found = neighborhoods_of(result)
    if found is None or not found.searched.any():
        return None
    return target_sentence(result) or _of_all(found)


def target_sentence(result: LearnResult) -> str | None:
    """Neighbours and Markov blanket, where those of one variable were sought."""
    found = result.extra
    if not isinstance(found, Neighborhood) or not found.searched.any():
        return None
    t, names = found.target, result.names
    near = np.flatnonzero(result.graph.skeleton[t]).tolist()
    beyond = [k for k in found.blanket_of_target if k not in near]
    blanket = f", beyond its neighbours, {_named(beyond, names)}" if beyond else " no other than its neighbours"
    return (
        f"{shorten(names[t])} has {count(len(near), 'neighbour')}: {_named(near, names)}. Its Markov blanket holds"
        f"{blanket}."
    )


def _of_all(found: Neighborhoods) -> str:
    both = found.candidates & found.candidates.T
    saved = both & (found.rule == DECENTRALISED)
    saved = int(np.triu(saved | saved.T).sum())
    one = int(np.triu(found.candidates ^ found.candidates.T).sum())
    return (
        f"Around each variable a search finds its neighbours; {count(int(np.triu(both).sum()), 'pair')} hold each "
        f"other. {saved:,} of these are there because one end's search was believed where the other's missed; "
        f"{count(one, 'pair')} held at one end alone {'stays' if one == 1 else 'stay'} apart."
    )


def _named(nodes: list[int], names: tuple[str, ...]) -> str:
    shown = ", ".join(shorten(names[k]) for k in nodes[:MOST_NAMED]) or "none"
    return shown + (f" and {len(nodes) - MOST_NAMED:,} more" if len(nodes) > MOST_NAMED else "")
