"""The graph generative tree: calls and leaves in flat arrays, and what can be asked of it.

Rohekar et al. (2018), algorithms 1 and 2. Items are numbered level by level, 0 is the root. An inner item has a slot
for each of its groups; the children of a slot are what became of that group on each resample. A route takes one child
of each slot on its way and ends in leaves that share out all nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.checks import check_number
from ..common.relabeling import Nodes
from ..kernels.brai.leaf_scores import score_leaves
from ..scores import FamilyScore
from .calls import Call, Leaf

SCORED_AT_ONCE = 256  # leaves


@dataclass(frozen=True, eq=False)
class GenerativeTree:
    """A scored tree of calls.

    Attributes
    ----------
    p : int
        Number of variables.
    level : (m,) int64 array
        Members of the sets that an item tested given, or, of a leaf, would have.
    slot_begin : (m + 1,) int64 array
        Slots of item v: ``slot_begin[v] .. slot_begin[v + 1] - 1``; none of a leaf.
    child_begin : (slots + 1,) int64 array
        Children of slot c: the items ``child_begin[c] .. child_begin[c + 1] - 1``, one a resample.
    copies : (slots,) int64 array
        Resamples that a child stands for: 1, or all where no test could refine the group.
    node_begin, nodes : (m + 1,) int64 and int32 arrays
        The group of each item, one after the other.
    edge_begin, edges, kinds : (m + 1,) int64, (e, 2) int32 and (e,) uint8 arrays
        Edges into the group of each leaf, as in `Leaf`.
    valid : (m,) bool array
        Of a leaf: whether a DAG has its arrows and v-structures.
    scores : (m,) float64 array
        Of a leaf: the score of its nodes; NaN else.
    n_tests : (m, 2) int64 array
        Tests of edges, and of v-structures, that a call made.
    """

    p: int
    level: np.ndarray
    slot_begin: np.ndarray
    child_begin: np.ndarray
    copies: np.ndarray
    node_begin: np.ndarray
    nodes: Nodes
    edge_begin: np.ndarray
    edges: Nodes
    kinds: np.ndarray
    valid: np.ndarray
    scores: np.ndarray
    n_tests: np.ndarray

    def __len__(self) -> int:
        return len(self.level)

    @property
    def leaves(self) -> np.ndarray:
        """Numbers of the leaves."""
        return np.flatnonzero(np.diff(self.slot_begin) == 0)

    def slots(self, item: int) -> range:
        """Slots of an item."""
        return range(int(self.slot_begin[item]), int(self.slot_begin[item + 1]))

    def children(self, slot: int) -> range:
        """Items in a slot."""
        return range(int(self.child_begin[slot]), int(self.child_begin[slot + 1]))

    @property
    def parent(self) -> np.ndarray:
        """(m,) int64: the call that each item came from; -1 of the root."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.slot_begin))
        return np.concatenate([[-1], np.repeat(owner, np.diff(self.child_begin))])

    @property
    def resample(self) -> np.ndarray:
        """(m,) int64: on which of the call's resamples each item was found; -1 where one stands for all."""
        size = np.diff(self.child_begin)
        which = np.arange(1, len(self)) - np.repeat(self.child_begin[:-1], size)
        return np.concatenate([[-1], np.where(np.repeat(self.copies, size) > 1, -1, which)])

    @property
    def n_routes(self) -> int:
        """Ways through the tree: a leaf has one; a call the product over groups of the sum over resamples."""
        routes = [1] * len(self)
        for item in reversed(range(len(self))):
            for slot in self.slots(item):
                routes[item] *= int(self.copies[slot]) * sum(routes[child] for child in self.children(slot))
        return routes[0]

    @property
    def tests_by_size(self) -> np.ndarray:
        """(levels, 2) int64: tests of edges, and of v-structures, by size of the set."""
        counts = np.zeros((int(self.level.max()) + 1, 2), dtype=np.int64)
        np.add.at(counts, self.level, self.n_tests)
        return counts[: np.flatnonzero(counts.sum(axis=1)).max(initial=-1) + 1]

    def best(self, through: int = 0) -> tuple[float, np.ndarray]:
        """(score, leaves) of the route with the highest score by an item; of equal ones the earliest resample."""
        values, choice = self._fold(lambda scores: scores.argmax(axis=0), 1)
        if not through:
            return float(values[0, 0]), self._leaves_of(choice[:, 0])
        while through:
            slot = int(np.searchsorted(self.child_begin, through, side="right")) - 1
            choice[slot] = through
            through = int(np.searchsorted(self.slot_begin, slot, side="right")) - 1
        leaves = self._leaves_of(choice[:, 0])
        return float(self.scores[leaves].sum()), leaves

    def best_by_item(self) -> np.ndarray:
        """(m,) highest score of a route by each item."""
        values, choice = self._fold(lambda scores: scores.argmax(axis=0), 1)
        values, found = values[:, 0], np.empty(len(self))
        found[0] = values[0]
        for item in range(len(self)):
            for slot in self.slots(item):
                others = found[item] - values[choice[slot, 0]]
                found[self.child_begin[slot] : self.child_begin[slot + 1]] = (
                    others + values[self.child_begin[slot] : self.child_begin[slot + 1]]
                )
        return found

    def sample(self, n: int, *, gamma: float = 1.0, seed: int = 0) -> tuple[np.ndarray, list[np.ndarray]]:
        """Draw routes: at each call, of each group one resample with probability ∝ exp(score / gamma).

        The score is that of what was drawn below, so the law is nested: no softmax over whole routes.

        Parameters
        ----------
        n : int
            Number of routes.
        gamma : float, default 1.0
            Temperature, at least 0. 0 takes the highest score, inf draws alike.
        seed : int

        Returns
        -------
        scores : (n,) float64 array
        leaves : list of n arrays

        References
        ----------
        Rohekar et al. (2018), algorithm 2 and equation (4).
        """
        check_number("gamma", gamma, 0.0, math.inf)
        rng = np.random.default_rng(seed)

        def choose(scores: np.ndarray) -> np.ndarray:
            if gamma == 0.0:
                return scores.argmax(axis=0)
            with np.errstate(divide="ignore"):
                # The largest of these is distributed as the softmax (Gumbel 1954).
                noise = -np.log(-np.log(rng.random(scores.shape)))
            return ((scores / gamma if gamma < math.inf else 0.0) + noise).argmax(axis=0)

        values, choice = self._fold(choose, n)
        return values[0].copy(), [self._leaves_of(choice[:, t]) for t in range(n)]

    def _fold(self, choose: Callable[[np.ndarray], np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
        """(m, n) score of each item, and (slots, n) child taken, from the leaves up; `choose` sees (children, n)."""
        values = np.zeros((len(self), n))
        values[self.leaves] = self.scores[self.leaves, None]
        choice = np.zeros((len(self.copies), n), dtype=np.int64)
        for item in reversed(range(len(self))):
            for slot in self.slots(item):
                begin, end = int(self.child_begin[slot]), int(self.child_begin[slot + 1])
                if end - begin > 1:
                    choice[slot] = choose(values[begin:end])
                choice[slot] += begin
                values[item] += np.take_along_axis(values[begin:end], choice[None, slot] - begin, axis=0)[0]
        return values, choice

    def _leaves_of(self, choice: np.ndarray) -> np.ndarray:
        """Leaves of the route that takes child ``choice[slot]`` of each slot it comes by."""
        found, level = [], [0]
        while level:
            below = []
            for item in level:
                slots = self.slots(item)
                if not slots:
                    found.append(item)
                below += [int(choice[slot]) for slot in slots]
            level = below
        return np.array(found, dtype=np.int64)

    def leaf(self, item: int) -> Leaf:
        """A leaf as it was."""
        nodes = slice(self.node_begin[item], self.node_begin[item + 1])
        edges = slice(self.edge_begin[item], self.edge_begin[item + 1])
        return Leaf(self.nodes[nodes], self.edges[edges], self.kinds[edges], bool(self.valid[item]))

    def union(self, leaves: np.ndarray) -> np.ndarray:
        """(p, p) bool: the graph of a route, before completion."""
        amat = np.zeros((self.p, self.p), dtype=bool)
        for item in leaves.tolist():
            self.leaf(item).draw(amat)
        return amat

    def dag(self, leaves: np.ndarray) -> np.ndarray:
        """(p, p) bool: the DAG that was scored, leaf by leaf."""
        amat = np.zeros((self.p, self.p), dtype=bool)
        for item in leaves.tolist():
            edges = self.leaf(item).edges
            amat[edges[:, 0], edges[:, 1]] = True
        return amat


def flatten(root: Call | Leaf, p: int, s: int, score: FamilyScore) -> GenerativeTree:
    """Number the items of a tree level by level, and score its leaves; a call cut short counts as a leaf."""
    items: list[Call | Leaf] = [root]
    level, n_tests, slot_begin, child_begin, copies = [], [], [0], [1], []
    levels = [0]
    item = 0
    while item < len(items):
        one = items[item]
        groups = one.finished() if isinstance(one, Call) else []
        level.append(levels[item])
        n_tests.append(one.n_tests if isinstance(one, Call) else (0, 0))
        if isinstance(one, Call) and not groups:
            items[item] = one.state.leaf()
        for group in groups:
            items += group
            levels += [levels[item] + 1] * len(group)
            child_begin.append(len(items))
            copies.append(s if len(group) == 1 and isinstance(group[0], Leaf) else 1)
        slot_begin.append(len(copies))
        item += 1
    # Leaf arrays with nothing for the calls among them.
    leaves = [one if isinstance(one, Leaf) else None for one in items]
    node_begin = np.cumsum([0, *(len(one.nodes) for one in items)])
    edge_begin = np.cumsum([0, *(0 if leaf is None else len(leaf.edges) for leaf in leaves)])
    some = [leaf for leaf in leaves if leaf is not None]
    nodes = np.concatenate([one.nodes for one in items]).astype(np.int32)
    edges = np.concatenate([leaf.edges for leaf in some])
    kinds = np.concatenate([leaf.kinds for leaf in some])
    valid = np.array([leaf is not None and leaf.valid for leaf in leaves])
    arrays = (node_begin, nodes, edge_begin, edges)
    is_leaf = np.array([leaf is not None for leaf in leaves])
    scores = _scored(arrays, np.flatnonzero(is_leaf), len(items), score)
    return GenerativeTree(
        p,
        *(frozen(np.array(column, dtype=np.int64)) for column in (level, slot_begin, child_begin, copies)),
        *(frozen(array) for array in (*arrays, kinds, valid, scores)),
        frozen(np.array(n_tests, dtype=np.int64)),
    )


def _scored(arrays: tuple, leaves: np.ndarray, m: int, score: FamilyScore) -> np.ndarray:
    """(m,) scores of the leaves, NaN elsewhere."""
    scores = np.full(m, np.nan)
    size = np.diff(arrays[0])
    for begin in range(0, len(leaves), SCORED_AT_ONCE):
        some = leaves[begin : begin + SCORED_AT_ONCE]
        score.make_room(int(size[some].sum()))
        score_leaves(score.sample, score.cache, *arrays, some, scores)
    return scores
