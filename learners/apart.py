"""A run of a learner in a worker process: the same result, bit for bit, and this process free for others."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from .common.mapped import laid_out, mapped
from .common.progress import Tick
from .common.workers import Running, Workers
from .data.dataset import Dataset
from .graphs.knowledge import Knowledge
from .registry import bound, learn
from .results.directions import Directions
from .results.information import Information
from .results.result import LearnResult


def learn_apart(
    workers: Workers,
    key: str,
    dataset: Dataset,
    *,
    knowledge: Knowledge | None = None,
    tick: Tick,
    seed: int = 0,
    running: Running | None = None,
    **params: Any,
) -> LearnResult:
    """As `learn`, in a process of `workers`; the table is mapped there, not copied.

    Raises
    ------
    WorkerLost
        If the process died, or had to be killed.
    LearnersError
        As `learn`.
    """
    fresh = dataclasses.replace(dataset)  # without what was worked out of it
    with laid_out(fresh) as path:
        result = workers.do(_learned, path, key, knowledge, seed, params, tick=tick, running=running)
    return bound(result, dataset)


def _learned(
    path: str, key: str, knowledge: Knowledge | None, seed: int, params: Mapping[str, Any], *, tick: Tick
) -> LearnResult:
    """What a worker does; what is worked out of the data when asked stays here."""
    result = learn(key, mapped(path), knowledge=knowledge, tick=tick, seed=seed, **params)
    return dataclasses.replace(result, directions=Directions(dict), information=Information())
