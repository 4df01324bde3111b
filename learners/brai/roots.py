"""Several trees instead of one: the data resampled before the first level too.

Tests of order 0 see only the data, so one tree holds few classes, and which ones is a matter of one seed. Trees that
begin on resamples of the data differ as samples do; their posteriors are averaged, as bagging does (Friedman,
Goldszmidt and Wyner 1999). The first tree begins on the data themselves, as published.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..averaging.posterior import Posterior, RankedClass
from ..common.progress import Tick
from ..data.bootstrap_rows import resample_weights
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..independence import G2
from ..independence.base import InKernels
from ..scores import FamilyScore
from .calls import Path, Rules
from .recursion import Recursion
from .tree import GenerativeTree, flatten

ROOTS = 1 << 30  # begins the paths of the draws of further roots; those within a tree begin with less


def further_trees(
    ci_test: G2,
    score: FamilyScore,
    rules: Rules,
    knowledge: BoundKnowledge,
    s: int,
    seeds: tuple[int, int],
    tick: Tick,
    threads: int | None,
) -> Iterator[GenerativeTree]:
    """Trees that begin on resamples; `seeds` are the seed of the run and how many roots it has.

    Raises
    ------
    Stopped
        If cancelled.
    """
    seed, roots = seeds
    for root in range(1, roots):

        def drawn(path: Path, nodes: np.ndarray, root: int = root) -> InKernels:
            return ci_test.resampled(resample_weights(ci_test.dataset, seed, (ROOTS, root, *path)), nodes)

        recursion = Recursion(ci_test, rules, knowledge, s, drawn, begins_on=drawn((), np.arange(ci_test.p)))
        recursion.grow(lambda phase, done, total, root=root: tick(f"{phase}, root {root + 1}", done, total), threads)
        yield flatten(recursion.root, ci_test.p, s, score)


def averaged(posteriors: Sequence[Posterior]) -> Posterior:
    """The average of several, each of the same weight."""
    if len(posteriors) == 1:
        return posteriors[0]
    shares: dict[PDAG, float] = {}
    classes: dict[PDAG, RankedClass] = {}
    for posterior in posteriors:
        for share, one in zip(posterior.shares.tolist(), posterior.classes, strict=True):
            classes.setdefault(one.graph, one)
            shares[one.graph] = shares.get(one.graph, 0.0) + share / len(posteriors)
    order = sorted(classes, key=lambda graph: -shares[graph])
    return Posterior([classes[graph] for graph in order], np.array([shares[graph] for graph in order]))
