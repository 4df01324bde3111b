"""The graph generative tree (GGT): calls and leaves in flat arrays, with its best graph and samples of graphs.

Rohekar et al. (2018), algorithms 1 and 2. Items are numbered level by level; 0 is the root. An inner item has a slot
for each of its groups; the children of a slot are the results for that group on each resample. A route takes one child
of each slot that it meets, and ends in leaves whose groups partition all variables.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...common.arrays import frozen
from ...common.checks import check_number
from ...common.relabeling import Nodes
from ...graphs.knowledge import BoundKnowledge
from ...kernels.brai.leaves import score_leaves
from ...scores.score import FamilyScore
from .calls import Call, Leaf

LEAVES_AT_ONCE = 256  # number of leaves scored by one kernel call


@dataclass(frozen=True, eq=False)
class GenerativeTree:
    """A scored tree of calls.

    Attributes
    ----------
    p : int
        Number of variables.
    level : (m,) int64 array
        Size of the conditioning sets of an item; for a leaf, of those that it would test next.
    slot_begin : (m + 1,) int64 array
        Slots of item v: ``slot_begin[v] .. slot_begin[v + 1] - 1``; a leaf has none.
    child_begin : (slots + 1,) int64 array
        Children of slot c: items ``child_begin[c] .. child_begin[c + 1] - 1``, one for each resample.
    copies : (slots,) int64 array
        Number of resamples for which a child stands: 1, or all if no test could refine the group.
    node_begin, nodes : (m + 1,) int64 and int32 arrays
        The groups of all items, concatenated.
    edge_begin, edges, kinds : (m + 1,) int64, (e, 2) int32 and (e,) uint8 arrays
        Edges into the groups of the leaves, as in `Leaf`.
    valid : (m,) bool array
        True for a leaf if a DAG has its arrows and v-structures.
    scores : (m,) float64 array
        Scores of the nodes of a leaf; NaN for other items.
    n_tests : (m, 2) int64 array
        Numbers of tests of edges, and of v-structures, of a call.
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
        """Positions of the leaves."""
        return np.flatnonzero(np.diff(self.slot_begin) == 0)

    def slots(self, item: int) -> range:
        """Return the slots of an item."""
        return range(int(self.slot_begin[item]), int(self.slot_begin[item + 1]))

    def children(self, slot: int) -> range:
        """Return the items in a slot."""
        return range(int(self.child_begin[slot]), int(self.child_begin[slot + 1]))

    @property
    def parent(self) -> np.ndarray:
        """(m,) int64: the parent of each item; -1 for the root."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.slot_begin))
        return np.concatenate([[-1], np.repeat(owner, np.diff(self.child_begin))])

    @property
    def resample(self) -> np.ndarray:
        """(m,) int64: the resample of each item; -1 if the item belongs to all resamples."""
        size = np.diff(self.child_begin)
        which = np.arange(1, len(self)) - np.repeat(self.child_begin[:-1], size)
        return np.concatenate([[-1], np.where(np.repeat(self.copies, size) > 1, -1, which)])

    @property
    def n_routes(self) -> int:
        """Number of routes: 1 for a leaf; for a call the product over groups of the sum over resamples."""
        routes = [1] * len(self)
        for item in reversed(range(len(self))):
            for slot in self.slots(item):
                routes[item] *= int(self.copies[slot]) * sum(routes[child] for child in self.children(slot))
        return routes[0]

    @property
    def tests_by_size(self) -> np.ndarray:
        """(levels, 2) int64 numbers of tests of edges, and of v-structures, by size of the conditioning set."""
        counts = np.zeros((int(self.level.max()) + 1, 2), dtype=np.int64)
        np.add.at(counts, self.level, self.n_tests)
        return counts[: np.flatnonzero(counts.sum(axis=1)).max(initial=-1) + 1]

    def best(self, through: int = 0) -> tuple[float, np.ndarray]:
        """Return score and leaves of the best route through an item; ties go to the first resample."""
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
        """Return the (m,) highest score of a route through each item."""
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
        """Sample routes: at each call, for each group, one resample with probability ∝ exp(score / gamma).

        The score is that of the sample from the child, so the distribution is nested, not a softmax over routes.

        Parameters
        ----------
        n : int
            Number of routes.
        gamma : float, default 1.0
            Temperature, at least 0. With 0 the highest score is taken, with inf all children are equally likely.
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
        """Fold the tree from the leaves up: algorithm 2.

        Parameters
        ----------
        choose : callable
            Returns the (n,) positions of the chosen children from their (children, n) scores.
        n : int
            Number of routes.

        Returns
        -------
        values : (m, n) float64 array
            Score of each item.
        choice : (slots, n) int64 array
            Child of each slot.
        """
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
        """Return the leaves of the route that takes child ``choice[slot]`` of each slot."""
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
        """Return a leaf."""
        nodes = slice(self.node_begin[item], self.node_begin[item + 1])
        edges = slice(self.edge_begin[item], self.edge_begin[item + 1])
        return Leaf(self.nodes[nodes], self.edges[edges], self.kinds[edges], bool(self.valid[item]))

    def union(self, leaves: np.ndarray) -> np.ndarray:
        """Return the (p, p) bool graph of a route, before completion."""
        amat = np.zeros((self.p, self.p), dtype=bool)
        for item in leaves.tolist():
            self.leaf(item).draw(amat)
        return amat

    def dag(self, leaves: np.ndarray) -> np.ndarray:
        """Return the (p, p) bool DAG of a route that is scored, leaf by leaf."""
        amat = np.zeros((self.p, self.p), dtype=bool)
        for item in leaves.tolist():
            edges = self.leaf(item).edges
            amat[edges[:, 0], edges[:, 1]] = True
        return amat


def flatten(root: Call | Leaf, p: int, s: int, score: FamilyScore, knowledge: BoundKnowledge) -> GenerativeTree:
    """Enumerate the items of a tree level by level, and score its leaves; a cancelled call is a leaf."""
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
            items[item] = one.state.leaf(knowledge)
        for group in groups:
            items += group
            levels += [levels[item] + 1] * len(group)
            child_begin.append(len(items))
            copies.append(s if len(group) == 1 and isinstance(group[0], Leaf) else 1)
        slot_begin.append(len(copies))
        item += 1
    # Arrays of the leaves, with no entries for the calls.
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
    """Return the (m,) scores of the leaves; NaN for other items."""
    scores = np.full(m, np.nan)
    size = np.diff(arrays[0])
    for begin in range(0, len(leaves), LEAVES_AT_ONCE):
        some = leaves[begin : begin + LEAVES_AT_ONCE]
        score.make_room(int(size[some].sum()))
        score_leaves(score.sample, score.cache, *arrays, some, scores)
    return scores
