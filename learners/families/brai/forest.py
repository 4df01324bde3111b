"""The trees of a run; in all but the first one, the first level also tests a resample of the data.

Tests of order 0 depend only on the data, so one tree has few classes, and these depend on one seed. Trees that begin
with resamples of the data differ as samples do; their posteriors are averaged as in bagging (Friedman, Goldszmidt and
Wyner 1999). The first tree begins with the data themselves, as published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ...common.parallel import REMOTE_EXECUTOR, ordered_map
from ...common.progress import Stopped, Tick
from ...data.resampling import resample_weights
from ...graphs.knowledge import BoundKnowledge
from ...independence import G2, ResampledGaussian
from ...independence.ci_test import KernelTest
from ...scores.score import FamilyScore
from .calls import Call, Leaf, Path, Rules
from .recursion import Recursion
from .routes import route
from .tree import GenerativeTree, flatten

ROOT_PATH = 1 << 30  # first entry of the seeds of further trees; those of the first tree have smaller ones


class Forest(NamedTuple):
    """The trees of a run, and the calls of the best route of the first one.

    Attributes
    ----------
    start : (p, p) bool array
        The graph before the first call.
    tree : GenerativeTree or None
        The tree that begins with the data; None if the run was cancelled during its first call.
    calls : list of Call
        The calls that lead to its best graph, parents first, with their logs.
    others : list of GenerativeTree
        The trees that begin with resamples.
    n_scores : int
        Number of local scores computed.
    complete : bool
        False if the run was cancelled.
    """

    start: np.ndarray
    tree: GenerativeTree | None
    calls: list[Call]
    others: list[GenerativeTree]
    n_scores: int
    complete: bool

    @property
    def n_tests(self) -> int:
        """Number of tests in all trees."""
        return sum(int(tree.n_tests.sum()) for tree in (self.tree, *self.others) if tree is not None)


@dataclass(frozen=True)
class Growth:
    """Settings and data that all trees share.

    Parameters
    ----------
    ci_test : G2 or ResampledGaussian
    score : FamilyScore
        Score of the leaves, bound to the same data.
    rules : Rules
    knowledge : BoundKnowledge
    seed : int
    resampling : bool
        False if the data themselves take the place of each resample; there is only one tree then.
    tick : Tick
    threads : int or None
    """

    ci_test: G2 | ResampledGaussian
    score: FamilyScore
    rules: Rules
    knowledge: BoundKnowledge
    seed: int
    resampling: bool
    tick: Tick
    threads: int | None

    def tree(self, s: int) -> GenerativeTree:
        """Grow the tree that begins with the data, with `s` resamples of each group. Raises Stopped if cancelled."""
        recursion = self._recursion(s)
        recursion.grow(self.tick, self.threads)
        return self._flat(recursion.root, s)

    def forest(self, s: int, roots: int) -> Forest:
        """Grow this tree and ``roots - 1`` further ones; if cancelled, raise Stopped with the finished ones."""
        recursion = self._recursion(s)
        before, complete, tree = self.score.n_scores, True, None
        calls: list[Call] = []
        others: list[GenerativeTree] = []
        try:
            recursion.grow(self.tick, self.threads)
        except Stopped:
            complete = False
        if recursion.root is not None:
            tree = self._flat(recursion.root, s)
        if complete:
            try:
                best = calls_to(recursion.root, tree, tree.best()[1], self.knowledge)
                calls = recursion.replayed(best, self.tick)
                if self.resampling:
                    for other in self._further_trees(s, roots):
                        others.append(other)  # one by one, so that a cancelled run keeps the finished ones
            except Stopped:
                complete = False
        found = Forest(recursion.start, tree, calls, others, self.score.n_scores - before, complete)
        if not complete:
            raise Stopped(found)
        return found

    def _recursion(self, s: int) -> Recursion:
        """Return the recursion that begins with the data, not started."""

        def resample(path: Path, nodes: np.ndarray) -> KernelTest:
            return self.ci_test.resampled(resample_weights(self.ci_test.dataset, self.seed, path), nodes)

        return Recursion(self.ci_test, self.rules, self.knowledge, s, resample if self.resampling else None)

    def _flat(self, root: Call | Leaf, s: int) -> GenerativeTree:
        return flatten(root, self.ci_test.p, s, self.score, self.knowledge)

    def _further_trees(self, s: int, roots: int) -> Iterator[GenerativeTree]:
        """Grow the trees that begin with resamples. Raises Stopped if cancelled."""
        grow = partial(root_of, rules=self.rules, knowledge=self.knowledge, s=s, seed=self.seed)
        if REMOTE_EXECUTOR.get():
            yield from (self._flat(root, s) for root in _remote_trees(grow, self.ci_test, roots - 1, self.tick))
            return
        for root in range(1, roots):

            def telling(phase: str, done: int, total: int, root: int = root) -> bool:
                return self.tick(f"{phase}, root {root + 1}", done, total)

            yield self._flat(grow(self.ci_test, root, tick=telling, threads=self.threads), s)


def _remote_trees(grow: Callable[..., Call], ci_test: G2 | ResampledGaussian, roots: int, tick: Tick) -> list[Call]:
    """Grow trees on the workers of a scheduler, which bind the test again; the leaves are scored here."""
    dataset, settings, kind = ci_test.dataset, ci_test.settings, type(ci_test)

    def work(t: int, goes_on: Callable[[], bool]) -> Call:
        return grow(kind(dataset, **settings), t + 1, tick=lambda *_: goes_on(), threads=None)

    found = ordered_map(work, roots, phase="trees", tick=tick)
    if len(found) < roots:
        raise Stopped
    return found


def root_of(
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


def calls_to(root: Call, tree: GenerativeTree, leaves: np.ndarray, knowledge: BoundKnowledge) -> list[Call]:
    """Return the calls of the route with these leaves, parents first."""
    wanted = np.zeros(len(tree), dtype=bool)
    wanted[leaves] = True
    for item in reversed(range(len(tree))):
        wanted[item] |= any(wanted[child] for slot in tree.slots(item) for child in tree.children(slot))
    numbers = {id(call): item for item, call in enumerate(_items(root))}

    def choose(call: Call, g: int) -> int:
        children = tree.children(tree.slots(numbers[id(call)])[g])
        return next(t for t, child in enumerate(children) if wanted[child])

    return route(root, choose, knowledge).calls


def _items(root: Call) -> list:
    """Return the items of a tree in the order of `flatten`."""
    items, item = [root], 0
    while item < len(items):
        if isinstance(items[item], Call):
            for group in items[item].finished():
                items += group
        item += 1
    return items
