"""What a run of B-RAI knows beside its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ..common.checks import check_count
from ..evaluation.frequencies import Frequencies
from ..evaluation.posterior import Posterior, RankedClass
from ..graphs.cpdags import closure, cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from .rai import AutonomyRun
from .routes import ranked_routes
from .tree import GenerativeTree

MOST_LOOKED_AT = 100  # graphs of the tree looked at for each class asked for; several may share one


@dataclass(frozen=True, eq=False)
class BootstrapRun(AutonomyRun):
    """What B-RAI knows beside its result: `AutonomyRun` tells the calls on the best route and all tests.

    Everything below comes from the stored tree; no test is done again.

    Attributes
    ----------
    tree : GenerativeTree or None
        None if the run was cancelled before its first level was done.
    knowledge : BoundKnowledge
    gamma, k, seed : float, int, int
        What the run was asked for; methods take them by default.
    others : tuple of GenerativeTree
        Those that begin on resamples; probabilities are averages over all.
    """

    tree: GenerativeTree | None
    knowledge: BoundKnowledge
    gamma: float
    k: int
    seed: int
    others: tuple[GenerativeTree, ...] = ()
    known: dict[int, tuple[Posterior, ...]] = field(default_factory=dict, repr=False)

    def classes(self, k: int | None = None) -> tuple[RankedClass, ...]:
        """The k best equivalence classes of the tree, or all if there are fewer, the best first.

        Several routes may lead to one class: at most `MOST_LOOKED_AT` graphs a class asked for are looked at.
        """
        return self._classes(self.tree, k)

    def _classes(self, tree: GenerativeTree, k: int | None) -> tuple[RankedClass, ...]:
        k = self.k if k is None else k
        check_count("k", k, 1)
        found: dict[bytes, RankedClass] = {}
        for looked_at, one in enumerate(ranked_routes(tree), 1):
            leaves = np.array(one.leaves, dtype=np.int64)
            graph = scored_graph(tree, leaves, self.knowledge)
            valid = bool(tree.valid[leaves].all())
            found.setdefault(graph.amat.tobytes(), RankedClass(graph, one.score, one.leaves, valid))
            if len(found) == k or looked_at == k * MOST_LOOKED_AT:
                break
        return tuple(found.values())

    def posterior(self, k: int | None = None) -> Posterior:
        """Averages over the DAGs of the k best classes of each tree, and over the trees."""
        return averaged(self.posteriors(k))

    def posteriors(self, k: int | None = None) -> tuple[Posterior, ...]:
        """Those of the single trees."""
        k = self.k if k is None else k
        if k not in self.known:
            self.known[k] = tuple(Posterior(self._classes(tree, k)) for tree in self.trees)
        return self.known[k]

    @property
    def n_draws(self) -> int:
        """How many trees the probabilities are averages over."""
        return len(self.trees)

    @property
    def trees(self) -> tuple[GenerativeTree, ...]:
        """The one that begins on the data, and the others."""
        return (self.tree, *self.others)

    def graph_of(self, leaves: np.ndarray) -> PDAG:
        """The CPDAG of a route, from its leaves: see `scored_graph`."""
        return scored_graph(self.tree, leaves, self.knowledge)

    def sample(self, n: int, *, gamma: float | None = None, seed: int | None = None) -> tuple[np.ndarray, list[PDAG]]:
        """(n,) scores and n CPDAGs of routes drawn at temperature gamma: see `GenerativeTree.sample`."""
        gamma, seed = self.gamma if gamma is None else gamma, self.seed if seed is None else seed
        scores, routes = self.tree.sample(n, gamma=gamma, seed=seed)
        graph_of = cache(lambda leaves: self.graph_of(np.frombuffer(leaves, dtype=np.int64)))
        return scores, [graph_of(leaves.tobytes()) for leaves in routes]

    def n_classes(self, cap: int = 1_000) -> int:
        """How many different equivalence classes the tree holds; `cap` if there are at least so many."""
        return len(self.classes(cap))


def scored_graph(tree: GenerativeTree, leaves: np.ndarray, knowledge: BoundKnowledge) -> PDAG:
    """The CPDAG of what a route is scored by, with the directions that knowledge gives.

    A leaf whose arrows and v-structures no DAG has is scored by a stand-in, which is then part of this graph, too: what
    is drawn is what was scored.
    """
    graph = cpdag(PDAG(tree.dag(leaves)))
    amat = graph.amat & ~(knowledge.directions & graph.amat).T
    return closure(PDAG(amat)) if not np.array_equal(amat, graph.amat) else graph


def draw(run: BootstrapRun, n: int, *, gamma: float | None = None, seed: int | None = None) -> Frequencies:
    """n CPDAGs of `BootstrapRun.sample`, as counts of the different ones, the most frequent first."""
    scores, graphs = run.sample(n, gamma=gamma, seed=seed)
    times: dict[PDAG, int] = {}
    for graph in graphs:
        times[graph] = times.get(graph, 0) + 1
    order = sorted(times, key=lambda graph: -times[graph])
    place = {graph: t for t, graph in enumerate(order)}
    return Frequencies("brai", tuple(order), np.array([place[graph] for graph in graphs], dtype=np.int64), scores)


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
