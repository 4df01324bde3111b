"""Comparison of graphs: differences, consensus, and quality against the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.errors import ParameterError
from ..common.wording import quoted
from ..data.completed_data import completed_tables
from ..data.dataset import Dataset
from ..data.resampling import held_out as held_out  # notebooks exported by version 1.0 import it from here
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..graphs.pag import PAG, same_ends
from ..results.result import LearnResult
from ..scores import BIC, BDeu, DegenerateBIC, GaussianBIC
from .metrics import jaccard, shd, skeleton_confusion

Difference = Literal["both", "only_a", "only_b", "direction_differs"]
Agreement = Literal["equal", "left_open", "contradictory", "adjacency_differs"]
FORWARD, BACKWARD, HIDDEN = "i causes j", "j causes i", "neither causes the other"
RELATIONS: dict[str, frozenset[str]] = {  # causal relations that are possible under each mark of an edge i, j
    "none": frozenset(),
    "forward": frozenset({FORWARD}),
    "backward": frozenset({BACKWARD}),
    "undirected": frozenset({FORWARD, BACKWARD}),
    "circles": frozenset({FORWARD, BACKWARD, HIDDEN}),
    "circle-forward": frozenset({FORWARD, HIDDEN}),
    "circle-backward": frozenset({BACKWARD, HIDDEN}),
    "bidirected": frozenset({HIDDEN}),
}
ESS = 10.0  # equivalent sample size of BDeu, as in Gasse et al. (2012)


@dataclass(frozen=True, eq=False)
class Consensus:
    """Share of several graphs that contain each edge.

    Attributes
    ----------
    joined : (p, p) float64 array
        Share of the graphs in which the pair is adjacent, symmetric.
    directed : (p, p) float64 array
        Share of the graphs with i -> j.
    """

    joined: np.ndarray
    directed: np.ndarray

    def graph(self, least: float) -> PDAG:
        """Return the pairs that are adjacent in at least this share, each with its most frequent direction."""
        amat = (self.joined >= least - 1e-12) & (self.joined > 0)
        open_share = self.joined - self.directed - self.directed.T
        most = np.maximum(open_share, np.maximum(self.directed, self.directed.T))
        forward = amat & (self.directed == most) & (self.directed > open_share) & (self.directed > self.directed.T)
        return PDAG(amat & ~forward.T)


@dataclass(frozen=True)
class Quality:
    """Quality of a graph against the true CPDAG.

    Attributes
    ----------
    precision, recall : float
        Precision and recall of the skeleton; NaN if undefined.
    distance : float
        Euclidean distance of precision and recall from (1, 1), as in Gasse et al. (2012), section 5.
    shd : int
        Structural Hamming distance of the CPDAGs, or of the PAGs.
    jaccard : float
        Jaccard index of the CPDAGs, or of the PAGs, in [0, 1].
    """

    precision: float
    recall: float
    distance: float
    shd: int
    jaccard: float


def shared_names(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the variables that all lists contain, in the order of the first."""
    return tuple(name for name in names[0] if all(name in others for others in names[1:]))


def subgraph(graph: PDAG, names: Sequence[str], kept: Sequence[str]) -> PDAG:
    """Return the graph induced by some of its variables, in the order of `kept`.

    The induced graph of a CPDAG need not be the CPDAG of any distribution over those variables, because paths through
    the others are missing.

    Raises
    ------
    ParameterError
        If a name is unknown.
    """
    unknown = [name for name in kept if name not in names]
    if unknown:
        raise ParameterError(f"no variable {quoted(unknown)} in the graph; the variables are {quoted(names)}")
    position = {name: k for k, name in enumerate(names)}
    order = np.ix_(*2 * [[position[name] for name in kept]])
    return PAG(graph.marks[order]) if isinstance(graph, PAG) else PDAG(graph.amat[order])


def differences(a: PDAG, b: PDAG) -> dict[tuple[int, int], Difference]:
    """Compare each pair (i, j), i < j, that is adjacent in either graph.

    Raises
    ------
    ParameterError
        If the graphs differ in their number of nodes.
    """
    if a.p != b.p:
        raise ParameterError(f"graphs must have the same nodes, got {a.p} and {b.p}; restrict both to the shared ones")
    found: dict[tuple[int, int], Difference] = {}
    for i, j in np.argwhere(np.triu(a.skeleton | b.skeleton)).tolist():
        if not b.skeleton[i, j]:
            found[i, j] = "only_a"
        elif not a.skeleton[i, j]:
            found[i, j] = "only_b"
        else:
            found[i, j] = "both" if same_ends(a, b, i, j) else "direction_differs"
    return found


def agreement(graphs: Sequence[PDAG], i: int, j: int) -> tuple[Agreement, tuple[int, ...]]:
    """Classify the agreement of several graphs on a pair, and return the positions of the graphs that leave more open.

    The statements of a graph are the causal relations that it allows: an undirected edge of a CPDAG means that one
    causes the other, so it contradicts ``i <-> j`` of a PAG, while ``i o-o j`` leaves that open.

    Returns
    -------
    agreement : {"equal", "left_open", "contradictory", "adjacency_differs"}
        "left_open" if some relation fits all graphs, and some graphs also allow others.
    open : tuple of int
        Graphs that allow more than the relations that fit all; empty unless the agreement is "left_open".
    """
    allowed = [RELATIONS[graph.mark(i, j)] for graph in graphs]
    if len({bool(relations) for relations in allowed}) > 1:
        return "adjacency_differs", ()
    if len(set(allowed)) == 1:
        return "equal", ()
    common = frozenset.intersection(*allowed)
    if not common:
        return "contradictory", ()
    return "left_open", tuple(k for k, relations in enumerate(allowed) if relations != common)


def consensus(graphs: Sequence[PDAG]) -> Consensus:
    """Return the share of the graphs, at least one, that contain each edge."""
    if not graphs:
        raise ParameterError("a consensus needs at least one graph, got none; pass some")
    joined = np.mean([graph.skeleton for graph in graphs], axis=0)
    directed = np.mean([graph.amat & ~graph.amat.T for graph in graphs], axis=0)
    return Consensus(joined, directed)


def without_directions(graph: PDAG) -> PDAG:
    """Return the skeleton of a graph as undirected edges, with which a learner without directions is compared."""
    return PDAG(graph.skeleton)


def quality(graph: PDAG, truth: PDAG) -> Quality:
    """Compare a graph with the true CPDAG over the same variables."""
    found = skeleton_confusion(graph, truth)
    distance = math.hypot(1 - found.precision, 1 - found.recall)
    return Quality(found.precision, found.recall, distance, shd(graph, truth), jaccard(graph, truth))


def fit(graph: PDAG, dataset: Dataset) -> dict[str, float]:
    """Return the scores per row of a DAG that the graph represents: "BIC", and for categorical data "BDeu".

    The result is empty if the directions of the graph contradict one another, so that it represents no DAG.

    Notes
    -----
    All DAGs of a CPDAG have the same score. On held-out rows the score shows how well the structure generalizes; its
    parameters are fitted to those rows again.
    """
    extension = consistent_extension(graph)
    if not extension.valid:
        return {}
    if dataset.kind == "mixed":
        scores = {"BIC": DegenerateBIC(dataset)}
    elif dataset.kind == "continuous":
        scores = {"BIC": GaussianBIC(dataset)}
    else:
        dataset = completed_tables(dataset).compact()
        scores = {"BIC": BIC(dataset), "BDeu": BDeu(dataset, ess=ESS)}
    return {name: score.network(extension.dag) / score.sample.n for name, score in scores.items()}


def ranked_pairs(result: LearnResult) -> np.ndarray:
    """Return the (m, 2) pairs with a strength, the strongest first and ties by position.

    Pairs that the learner did not judge are left out.
    """
    i, j = np.triu_indices(len(result.names), 1)
    values = result.strengths.values[i, j]
    judged = ~np.isnan(values)
    order = np.argsort(-values[judged] if result.strengths.larger_is_stronger else values[judged], kind="stable")
    return np.column_stack([i[judged], j[judged]])[order]
