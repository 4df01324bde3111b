"""Graphs drawn from a generative tree, equal ones counted."""

from __future__ import annotations

import numpy as np

from ..evaluation.frequencies import Frequencies
from ..graphs.graph import PDAG
from .bootstrap_run import BootstrapRun


def draw(run: BootstrapRun, n: int, *, gamma: float | None = None, seed: int | None = None) -> Frequencies:
    """n CPDAGs of `BootstrapRun.sample`, as counts of the different ones, the most frequent first."""
    scores, graphs = run.sample(n, gamma=gamma, seed=seed)
    times: dict[PDAG, int] = {}
    for graph in graphs:
        times[graph] = times.get(graph, 0) + 1
    order = sorted(times, key=lambda graph: -times[graph])
    place = {graph: t for t, graph in enumerate(order)}
    return Frequencies("brai", tuple(order), np.array([place[graph] for graph in graphs], dtype=np.int64), scores)
