"""Several trees instead of one; in all but the first tree, the first level also tests a resample of the data.

Tests of order 0 depend only on the data, so one tree has few classes, and these depend on one seed. Trees that begin
with resamples of the data differ as samples do; their posteriors are averaged as in bagging (Friedman, Goldszmidt and
Wyner 1999). The first tree begins with the data themselves, as published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ...common.parallel import REMOTE_EXECUTOR, ordered_map
from ...common.progress import Stopped, Tick
from ...data.resampling import resample_weights
from ...graphs.knowledge import BoundKnowledge
from ...independence import G2, ResampledGaussian
from ...independence.ci_test import KernelTest
from ...scores.score import FamilyScore
from .calls import Call, Path, Rules
from .recursion import Recursion
from .tree import GenerativeTree, flatten

ROOT_PATH = 1 << 30  # first entry of the seeds of further trees; those of the first tree have smaller ones


def further_trees(
    ci_test: G2 | ResampledGaussian,
    score: FamilyScore,
    rules: Rules,
    knowledge: BoundKnowledge,
    s: int,
    seeds: tuple[int, int],
    tick: Tick,
    threads: int | None,
) -> Iterator[GenerativeTree]:
    """Grow the trees that start from resamples; `seeds` has the seed of the run and the number of trees.

    Raises
    ------
    Stopped
        If cancelled.
    """
    seed, roots = seeds
    grow = partial(_root, rules=rules, knowledge=knowledge, s=s, seed=seed)
    if REMOTE_EXECUTOR.get():
        yield from (
            flatten(root, ci_test.p, s, score, knowledge) for root in _remote_trees(grow, ci_test, roots - 1, tick)
        )
        return
    for root in range(1, roots):

        def telling(phase: str, done: int, total: int, root: int = root) -> bool:
            return tick(f"{phase}, root {root + 1}", done, total)

        yield flatten(grow(ci_test, root, tick=telling, threads=threads), ci_test.p, s, score, knowledge)


def _remote_trees(grow: Callable[..., Call], ci_test: G2 | ResampledGaussian, roots: int, tick: Tick) -> list[Call]:
    """Grow trees on the workers of a scheduler, which bind the test again; the leaves are scored here."""
    dataset, settings, kind = ci_test.dataset, ci_test.settings, type(ci_test)

    def work(t: int, goes_on: Callable[[], bool]) -> Call:
        return grow(kind(dataset, **settings), t + 1, tick=lambda *_: goes_on(), threads=None)

    found = ordered_map(work, roots, phase="trees", tick=tick)
    if len(found) < roots:
        raise Stopped
    return found


def _root(
    ci_test: G2 | ResampledGaussian,
    root: int,
    *,
    rules: Rules,
    knowledge: BoundKnowledge,
    s: int,
    seed: int,
    tick: Tick,
    threads: int | None,
) -> Call:
    """Return the first call of a tree that begins with a resample."""

    def drawn(path: Path, nodes: np.ndarray) -> KernelTest:
        return ci_test.resampled(resample_weights(ci_test.dataset, seed, (ROOT_PATH, root, *path)), nodes)

    recursion = Recursion(ci_test, rules, knowledge, s, drawn, first_data=drawn((), np.arange(ci_test.p)))
    recursion.grow(tick, threads)
    return recursion.root
