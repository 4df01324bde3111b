"""Callouts of HPC."""

from __future__ import annotations

import numpy as np

from learners.families.h2pc.candidates import DECENTRALISED
from learners.families.h2pc.hpc_search import Neighborhoods
from learners.families.h2pc.hpc_target import Neighborhood
from learners.results.result import LearnResult

from ..text import count, shorten

MAX_NAMED = 8


def around_callout(found: Neighborhoods) -> str | None:
    """Summarize the searches around all variables; return None if none has ended."""
    return _of_all(found) if found.searched.any() else None


def target_sentence(result: LearnResult) -> str | None:
    """Name the neighbours and the Markov blanket of the target."""
    found: Neighborhood = result.extra
    if not found.searched.any():
        return None
    t, names = found.target, result.names
    near = np.flatnonzero(result.graph.skeleton[t]).tolist()
    beyond = [k for k in found.blanket_of_target if k not in near]
    blanket = f" also holds {_named(beyond, names)}" if beyond else " holds no other variable"
    return (
        f"{shorten(names[t])} has {count(len(near), 'neighbour')}: {_named(near, names)}. Its Markov blanket{blanket}."
    )


def _of_all(found: Neighborhoods) -> str:
    both = found.candidates & found.candidates.T
    saved = both & (found.rule == DECENTRALISED)
    saved = int(np.triu(saved | saved.T).sum())
    one = int(np.triu(found.candidates ^ found.candidates.T).sum())
    return (
        f"A search around each variable finds its neighbours; {count(int(np.triu(both).sum()), 'pair')} found each "
        f"other. "
        f"{saved:,} of these count although one of the two searches missed the other variable; "
        f"{count(one, 'pair')} found from one end alone {'has' if one == 1 else 'have'} no edge."
    )


def _named(nodes: list[int], names: tuple[str, ...]) -> str:
    shown = ", ".join(shorten(names[k]) for k in nodes[:MAX_NAMED]) or "none"
    return shown + (f" and {len(nodes) - MAX_NAMED:,} more" if len(nodes) > MAX_NAMED else "")
