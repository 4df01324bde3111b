"""The trees of a run of B-RAI, and the classes, posteriors and samples computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from ...common.checks import check_count
from ...evaluation.frequencies import Frequencies
from ...evaluation.posterior import Posterior, RankedClass
from ...graphs.cpdag import cpdag
from ...graphs.equivalence_class import direction_shares
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.meek_closure import closure
from ...results.directions import STRONG_EVIDENCE
from .edges_given_rest import ArrowsGivenRest
from .rai import AutonomyRun
from .resample_count import Branching
from .routes import ranked_routes
from .tree import GenerativeTree

MAX_GRAPHS = 100  # graphs examined for each requested class, since several may be of one class


@dataclass(frozen=True, eq=False)
class BootstrapRun(AutonomyRun):
    """The `extra` of a result of B-RAI: an `AutonomyRun` of the best route, and the trees.

    The methods use the stored trees and perform no tests.

    Attributes
    ----------
    tree : GenerativeTree or None
        None if the run was cancelled during its first level.
    knowledge : BoundKnowledge
    gamma, k, seed : float, int, int
        Parameters of the run, the defaults of the methods.
    others : tuple of GenerativeTree
        The trees that begin with resamples; probabilities are averages over all trees.
    branchings : tuple of Branching
        The numbers of resamples tried, the last one chosen; empty if the number was given.
    polished : tuple of tuple of RankedClass
        For each tree, the class that a search by score reaches from each of its k best classes; empty without polish.
        All trees then share one posterior.
    beside : tuple of ArrowsGivenRest
        Probabilities of arrows beside the most probable polished classes, which are averaged in their place.
    """

    tree: GenerativeTree | None
    knowledge: BoundKnowledge
    gamma: float
    k: int
    seed: int
    others: tuple[GenerativeTree, ...] = ()
    known: dict[int, tuple[Posterior, ...]] = field(default_factory=dict, repr=False)
    branchings: tuple[Branching, ...] = ()
    polished: tuple[tuple[RankedClass, ...], ...] = ()
    beside: tuple[ArrowsGivenRest, ...] = ()

    def classes(self, k: int | None = None) -> tuple[RankedClass, ...]:
        """Return the k best equivalence classes of the tree, or all if there are fewer, the best first.

        Several routes may lead to one class; at most `MAX_GRAPHS` graphs are examined for each requested class.
        """
        return self.classes_of(self.tree, k)

    def classes_of(self, tree: GenerativeTree, k: int | None = None) -> tuple[RankedClass, ...]:
        """Return the k best equivalence classes of one of `trees`, as `classes` does."""
        k = self.k if k is None else k
        check_count("k", k, 1)
        found: dict[bytes, RankedClass] = {}
        for n_graphs, ranked in enumerate(ranked_routes(tree), 1):
            leaves = np.array(ranked.leaves, dtype=np.int64)
            graph = scored_graph(tree, leaves, self.knowledge)
            valid = bool(tree.valid[leaves].all())
            found.setdefault(graph.amat.tobytes(), RankedClass(graph, ranked.score, ranked.leaves, valid))
            if len(found) == k or n_graphs == k * MAX_GRAPHS:
                break
        return tuple(found.values())

    def posterior(self, k: int | None = None) -> Posterior:
        """Average over the DAGs of the k best classes of each tree, and over the trees.

        With polish, the average is over the DAGs of all polished classes together, by their scores; in the most
        probable ones each pair has its probability given the rest of a DAG.
        """
        k = self.k if k is None else k
        check_count("k", k, 1)
        if not self.polished:
            return averaged(self.posteriors(k))
        return self._of_polished(one for classes in self.polished for one in classes[:k])

    def posteriors(self, k: int | None = None) -> tuple[Posterior, ...]:
        """Return the posteriors of the single trees."""
        k = self.k if k is None else k
        if k not in self.known:
            polished = (self._of_polished(classes[:k]) for classes in self.polished)
            plain = (Posterior(self.classes_of(tree, k)) for tree in self.trees)
            self.known[k] = tuple(polished if self.polished else plain)
        return self.known[k]

    def _of_polished(self, classes: Iterable[RankedClass]) -> Posterior:
        """Average over polished classes, each counted once."""
        if not self.beside:  # runs of earlier versions
            return Posterior(distinct(classes))
        return with_arrows(distinct(classes), {one.graph: one.directed for one in self.beside})

    @property
    def n_draws(self) -> int:
        """Number of trees that are averaged."""
        return len(self.trees)

    @property
    def trees(self) -> tuple[GenerativeTree, ...]:
        """The tree that starts from the data, and the further trees."""
        return (self.tree, *self.others)

    @cached_property
    def near(self) -> tuple[RankedClass, ...]:
        """The polished classes with nearly the best score, by a Bayes factor of at most 20; empty without polish."""
        classes = distinct(one for classes in self.polished for one in classes)
        return tuple(one for one in classes if one.score >= classes[0].score - STRONG_EVIDENCE)

    @cached_property
    def tree_graph(self) -> PDAG:
        """The CPDAG of the best route of `tree`: the graph of a run without polish."""
        return self.graph_of(self.tree.best()[1])

    def graph_of(self, leaves: np.ndarray) -> PDAG:
        """Return the CPDAG of a route with these leaves, see `scored_graph`."""
        return scored_graph(self.tree, leaves, self.knowledge)

    def sample(self, n: int, *, gamma: float | None = None, seed: int | None = None) -> tuple[np.ndarray, list[PDAG]]:
        """Return (n,) scores and n CPDAGs of routes sampled at temperature gamma, see `GenerativeTree.sample`."""
        gamma, seed = self.gamma if gamma is None else gamma, self.seed if seed is None else seed
        scores, routes = self.tree.sample(n, gamma=gamma, seed=seed)
        graph_of = cache(lambda leaves: self.graph_of(np.frombuffer(leaves, dtype=np.int64)))
        return scores, [graph_of(leaves.tobytes()) for leaves in routes]

    def n_classes(self, cap: int = 1_000) -> int:
        """Return the number of equivalence classes in the tree, at most `cap`."""
        return len(self.classes(cap))


def scored_graph(tree: GenerativeTree, leaves: np.ndarray, knowledge: BoundKnowledge) -> PDAG:
    """Return the CPDAG of the DAG that gives the score of a route, with the directions of the knowledge.

    If no DAG has the arrows and v-structures of a leaf, another DAG is scored in its place and is part of this graph,
    too: the graph drawn is the graph scored.
    """
    return class_of(PDAG(tree.dag(leaves)), knowledge)


def class_of(dag: PDAG, knowledge: BoundKnowledge) -> PDAG:
    """Return the CPDAG of a DAG with the directions of the knowledge."""
    graph = cpdag(dag)
    amat = graph.amat & ~(knowledge.directions & graph.amat).T
    return closure(PDAG(amat)) if not np.array_equal(amat, graph.amat) else graph


def draw(run: BootstrapRun, n: int, *, gamma: float | None = None, seed: int | None = None) -> Frequencies:
    """Sample n CPDAGs by `BootstrapRun.sample` and count equal ones, the most frequent first."""
    scores, graphs = run.sample(n, gamma=gamma, seed=seed)
    times: dict[PDAG, int] = {}
    for graph in graphs:
        times[graph] = times.get(graph, 0) + 1
    order = sorted(times, key=lambda graph: -times[graph])
    position = {graph: t for t, graph in enumerate(order)}
    which = np.array([position[graph] for graph in graphs], dtype=np.int64)
    return Frequencies("brai", tuple(order), which, scores, run.knowledge.directions)


def distinct(classes: Iterable[RankedClass]) -> tuple[RankedClass, ...]:
    """Return each class once, the best first, ties in their order."""
    found: dict[bytes, RankedClass] = {}
    for one in classes:
        found.setdefault(one.graph.amat.tobytes(), one)
    return tuple(sorted(found.values(), key=lambda one: -one.score))


def with_arrows(classes: Iterable[RankedClass], directed_of: Mapping[PDAG, np.ndarray]) -> Posterior:
    """Average over classes; some have their own (p, p) probabilities of arrows, the others those of their graphs."""
    base = Posterior(classes)
    each = [directed_of.get(one.graph) for one in base.classes]
    arrows = (direction_shares(one.graph) if own is None else own for one, own in zip(base.classes, each, strict=True))
    total = sum(share * own for share, own in zip(base.shares, arrows, strict=True))
    directed = np.clip(total / sum(base.shares), 0.0, 1.0)
    known = {"given_rest": directed, "compelled": base.compelled, "blanket": base.blanket, "bound": directed}
    return Posterior(base.classes, base.shares, known)


def averaged(posteriors: Sequence[Posterior]) -> Posterior:
    """Return the average of posteriors with equal weights."""
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
