"""Posterior probabilities of structural features, averaged over the DAGs of the best equivalence classes.

Rohekar et al. (2018), equation (5): all DAGs of a class have the same score, so the weight of a class is proportional
to exp(score) times the number of its DAGs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.errors import ParameterError
from ..common.relabeling import by_pair, relabeled
from ..common.validation import validated
from ..data.dataset import Dataset
from ..graphs.consistent_extension import consistent_extension
from ..graphs.cpdag import add_known_directions, cpdag, v_structures
from ..graphs.equivalence_class import class_size, dags_of_class, direction_shares
from ..graphs.graph import PDAG, ancestors
from ..graphs.knowledge import BoundKnowledge
from .categorical_likelihood import predictive_log_likelihood

OF_PAIRS = ("adjacent", "directed", "compelled", "blanket")


@dataclass(frozen=True, eq=False)
class RankedClass:
    """An equivalence class with its score.

    Attributes
    ----------
    graph : PDAG
        CPDAG of the class.
    score : float
        ln P(D, G) of each DAG of the class.
    leaves : tuple of int
        Leaves of a route to the class in a generative tree.
    valid : bool
        True if the graph of that route has this class; False if no DAG has its arrows, so that the class is that of a
        substitute DAG.
    """

    graph: PDAG
    score: float
    leaves: tuple[int, ...] = ()
    valid: bool = True

    @cached_property
    def size(self) -> int:
        """Number of DAGs in the class."""
        return class_size(self.graph)


@validated
class Posterior:
    """Averages over the DAGs of equivalence classes, or over drawn DAGs, each as a separate class.

    Parameters
    ----------
    classes : iterable of RankedClass
        Distinct classes, at least one.
    shares : (k,) float64 array, optional
        Probability of each class. Default: from the scores and the numbers of DAGs.
    known : mapping of str to (p, p) float64 array, optional
        "directed", "compelled" and "blanket" probabilities that do not come from the classes, and "only": 1 for a
        direction whose reverse background knowledge excludes, else 0. "given_rest" stands for "directed" if the
        arrows were weighed given the rest of a DAG: where all classes agree, 0 does not exclude a direction. "bound"
        has probabilities of arrows that those of paths are at least, and those of v-structures at most.

    Attributes
    ----------
    classes : tuple of RankedClass
    shares : (k,) float64 array
        Probability of each class; they sum to 1.
    """

    def __init__(
        self,
        classes: Iterable[RankedClass],
        shares: np.ndarray | None = None,
        known: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.classes = tuple(classes)
        if not self.classes:
            raise ParameterError("averages need at least one class, got none; pass some")
        self.known = dict(known or {})
        if shares is not None:
            self.shares = shares
            return
        log_weight = np.array([one.score + math.log(one.size) for one in self.classes])
        weight = np.exp(log_weight - log_weight.max())
        self.shares = weight / weight.sum()

    @classmethod
    @validated
    def of_draws(cls, dags: np.ndarray, knowledge: BoundKnowledge, **known: np.ndarray) -> Posterior:
        """Average over drawn DAGs, (n, p, p) bool; `known` has probabilities from other sources.

        With background knowledge an arrow is compelled if it is in all DAGs of the class that agree with it.
        """
        n = len(dags)
        _, first, times = np.unique(
            np.packbits(dags.reshape(n, -1), axis=1), axis=0, return_index=True, return_counts=True
        )
        order = np.argsort(-times, kind="stable")
        drawn, shares = [PDAG(dags[t]) for t in first[order].tolist()], times[order] / n
        known |= with_knowledge(map(cpdag, drawn), shares, knowledge)
        return cls([RankedClass(dag, math.nan) for dag in drawn], shares, known)

    def relabeled(self, new: np.ndarray) -> Posterior:
        """Relabel the nodes; see `common.relabeling`."""
        known = {name: by_pair(values, new) for name, values in self.known.items()}
        other = Posterior(relabeled(self.classes, new), self.shares, known)
        done = {name: by_pair(vars(self)[name], new) for name in OF_PAIRS if name in vars(self)}
        vars(other).update(done)  # cached values are copied
        return other

    def _average(self, features: Iterable[np.ndarray]) -> np.ndarray:
        total = sum(share * feature for share, feature in zip(self.shares, features, strict=True))
        # Sum the shares in the same order: features of all classes then have probability 1 in spite of rounding.
        return np.clip(total / sum(self.shares), 0.0, 1.0)

    @property
    def is_of_reached(self) -> bool:
        """True if the classes are only those that a search reached, so that 0 does not exclude a direction."""
        return "given_rest" in self.known

    @property
    def _of_arrows(self) -> np.ndarray | None:
        return self.known.get("directed", self.known.get("given_rest"))

    @cached_property
    def adjacent(self) -> np.ndarray:
        """(p, p) symmetric: P(i and j are adjacent)."""
        if self._of_arrows is not None:
            return np.minimum(self.directed + self.directed.T, 1.0)
        return self._average(one.graph.skeleton for one in self.classes)

    @cached_property
    def directed(self) -> np.ndarray:
        """(p, p): P(i -> j)."""
        if self._of_arrows is not None:
            return self._of_arrows
        return self._average(direction_shares(one.graph) for one in self.classes)

    @property
    def only(self) -> np.ndarray:
        """(p, p) bool: directions whose reverse background knowledge excludes."""
        return self.known.get("only", np.zeros(self.directed.shape)) > 0.0

    @cached_property
    def compelled(self) -> np.ndarray:
        """(p, p): P(i -> j is in all DAGs of the class)."""
        if "compelled" in self.known:
            return np.minimum(self.known["compelled"], self.adjacent)
        graphs = (one.graph for one in self.classes)
        if "directed" in self.known:  # draws of an earlier version
            graphs = map(cpdag, graphs)
        return np.minimum(self._average(graph.amat & ~graph.amat.T for graph in graphs), self.adjacent)

    @cached_property
    def blanket(self) -> np.ndarray:
        """(p, p) symmetric: P(i is in the Markov blanket of j)."""
        if "blanket" in self.known:
            return np.clip(self.known["blanket"], self.adjacent, 1.0)
        return self._average(_blankets(one.graph) for one in self.classes)

    @cached_property
    def v_structures(self) -> dict[tuple[int, int, int], float]:
        """Probabilities of v-structures i -> k <- j that occur, by (i, k, j), i < j; the most probable first."""
        found: dict[tuple[int, int, int], float] = {}
        for share, one in zip(self.shares.tolist(), self.classes, strict=True):
            for triple in v_structures(one.graph):
                found[triple] = found.get(triple, 0.0) + share
        if "bound" in self.known:
            bound = self.known["bound"]
            found = {(i, k, j): min(share, bound[i, k], bound[j, k]) for (i, k, j), share in found.items()}
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    @validated
    def paths(self, cap: int = 10_000) -> np.ndarray:
        """Return (p, p) P(there is a directed path from i to j), by listing the DAGs.

        Raises
        ------
        ParameterError
            If a class has more than `cap` DAGs.
        """
        reached = self._average(_reached(one.graph, cap) for one in self.classes)
        return np.maximum(reached, self.known["bound"]) if "bound" in self.known else reached

    @validated
    def predictive_log_likelihood(self, train: Dataset, new: Dataset, *, ess: float = 1.0) -> float:
        """Return ln P(new rows | train), averaged over the classes; see `predictive_log_likelihood`."""
        each = [
            predictive_log_likelihood(consistent_extension(one.graph).dag, train, new, ess=ess) for one in self.classes
        ]
        terms = np.array(each) + np.log(np.maximum(self.shares, 1e-300))
        return float(terms.max() + math.log(np.exp(terms - terms.max()).sum()))


def with_knowledge(classes: Iterable[PDAG], shares: np.ndarray, knowledge: BoundKnowledge) -> dict[str, np.ndarray]:
    """Return the effect of background knowledge on averages over CPDAGs, for `Posterior.known`.

    Returns
    -------
    dict
        "compelled": (p, p) shares of the CPDAGs in which i -> j is compelled, by the class or by the knowledge.
        "only": (p, p) directions whose reverse the knowledge excludes; 1.0 or 0.0.
    """
    total = np.zeros(knowledge.required.shape)
    for share, graph in zip(shares.tolist(), classes, strict=True):
        amat = add_known_directions(graph, knowledge).amat
        total += share * (amat & ~amat.T)
    return {"compelled": total, "only": knowledge.directions.astype(np.float64)}


def _blankets(graph: PDAG) -> np.ndarray:
    """Return (p, p): True if adjacent or parents of a common child; the same in all DAGs of the class."""
    blanket = graph.skeleton.copy()
    for i, _, j in v_structures(graph):
        blanket[i, j] = blanket[j, i] = True
    return blanket


def _reached(graph: PDAG, cap: int) -> np.ndarray:
    members = dags_of_class(graph, cap)
    return sum(ancestors(dag).astype(np.float64) for dag in members) / len(members)
