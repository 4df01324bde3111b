"""What is worth noticing in a run of HPC."""

from __future__ import annotations

import numpy as np

from learners.h2pc.candidates import DECENTRALISED
from learners.h2pc.hpc_search import Neighborhoods
from learners.h2pc.hpc_target import Neighborhood
from learners.results.result import LearnResult

from ..text import count, shorten

MOST_NAMED = 8


def around_callout(found: Neighborhoods) -> str | None:
    """What the searches around all variables found; nothing unless one came to its end."""
    return _of_all(found) if found.searched.any() else None


def target_sentence(result: LearnResult) -> str | None:
    """Neighbours and Markov blanket of the one variable that was searched around."""
    found: Neighborhood = result.extra
    if not found.searched.any():
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
