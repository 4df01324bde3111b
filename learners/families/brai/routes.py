"""Routes through a tree of calls: one route and its graph, and the routes of a scored tree from the best one down.

The best graphs come from sorted streams, merged as far as the caller asks. The children of a slot are alternatives:
their streams are merged. The slots of an item are parts of one graph: their best sums come from a heap of positions. A
graph that came before, by another route, is skipped.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ...graphs.cpdag import v_structures
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...graphs.meek_closure import closure
from ...kernels.brai.leaves import LINE, TURNED
from .calls import Call, Leaf
from .tree import GenerativeTree


class Route(NamedTuple):
    """A route through a tree: its calls, level by level, and its leaves, whose groups partition the variables."""

    calls: list[Call]
    leaves: list[Leaf]


def route(root: Call | Leaf, choose: Callable[[Call, int], int], knowledge: BoundKnowledge) -> Route:
    """Return a route with child ``choose(call, g)`` of each group g of each call; a cancelled call is a leaf."""
    calls, leaves, level = [], [], [root]
    while level:
        below = []
        for one in level:
            if isinstance(one, Leaf):
                leaves.append(one)
                continue
            calls.append(one)
            groups = one.finished()
            if groups:
                below += [group[choose(one, g) if len(group) > 1 else 0] for g, group in enumerate(groups)]
            else:
                leaves.append(one.state.leaf(knowledge))
        level = below
    return Route(calls, leaves)


def union(leaves: list[Leaf], p: int) -> np.ndarray:
    """Return the (p, p) bool union of the graphs of the leaves."""
    amat = np.zeros((p, p), dtype=bool)
    for leaf in leaves:
        leaf.draw(amat)
    return amat


def completed(amat: np.ndarray, knowledge: BoundKnowledge) -> PDAG:
    """Return the CPDAG with the skeleton and v-structures of a graph, the known directions and their implications.

    This drops directions that followed from edges which were removed later.
    """
    graph = PDAG(amat)
    pattern = graph.skeleton.copy()
    for i, k, j in v_structures(graph):
        pattern[k, [i, j]] = False
    pattern &= ~(knowledge.directions & pattern).T
    return closure(PDAG(pattern))


class Ranked(NamedTuple):
    """A graph of the tree: its score, a 64-bit key of its edges, and the leaves of the first route to it."""

    score: float
    key: int
    leaves: tuple


class _Stream:
    """Graphs in order of decreasing score, cached as they are requested."""

    def __init__(self, source: Iterator[Ranked]) -> None:
        self._source = source
        self._known: list[Ranked] = []

    def get(self, position: int) -> Ranked | None:
        """Return the graph at a position, or None past the end."""
        while len(self._known) <= position:
            one = next(self._source, None)
            if one is None:
                return None
            self._known.append(one)
        return self._known[position]


def ranked_routes(tree: GenerativeTree) -> Iterator[Ranked]:
    """Yield the graphs of the tree, the best first."""
    stream = _item(tree, 0, _keys(tree))
    position = 0
    while (one := stream.get(position)) is not None:
        yield Ranked(one.score, one.key, tuple(_flat(one.leaves)))
        position += 1


def _flat(leaves: tuple | int) -> Iterator[int]:
    """Yield the members of nested tuples."""
    if isinstance(leaves, int):
        yield leaves
        return
    for part in leaves:
        yield from _flat(part)


def _item(tree: GenerativeTree, item: int, keys: list[int]) -> _Stream:
    slots = tree.slots(item)
    if not slots:
        return _Stream(iter([Ranked(float(tree.scores[item]), keys[item], item)]))
    return _Stream(_sums([_slot(tree, slot, keys) for slot in slots]))


def _slot(tree: GenerativeTree, slot: int, keys: list[int]) -> _Stream:
    streams = [_item(tree, child, keys) for child in tree.children(slot)]
    return streams[0] if len(streams) == 1 else _Stream(_merged(streams))


def _merged(streams: list[_Stream]) -> Iterator[Ranked]:
    """Merge alternatives in order of decreasing score, ties by stream, each graph once."""
    heap = [(-one.score, t, 0) for t, stream in enumerate(streams) if (one := stream.get(0)) is not None]
    heapq.heapify(heap)
    seen: set[int] = set()
    while heap:
        _, t, position = heapq.heappop(heap)
        one = streams[t].get(position)
        if one.key not in seen:
            seen.add(one.key)
            yield one
        after = streams[t].get(position + 1)
        if after is not None:
            heapq.heappush(heap, (-after.score, t, position + 1))


def _sums(streams: list[_Stream]) -> Iterator[Ranked]:
    """Yield combinations, one graph of each stream, in order of decreasing sum.

    Each combination is reached once: from the one whose last raised position is one lower.
    """

    def combined(positions: tuple[int, ...]) -> Ranked:
        parts = [stream.get(position) for stream, position in zip(streams, positions, strict=True)]
        key = 0
        for part in parts:
            key ^= part.key
        return Ranked(sum(part.score for part in parts), key, tuple(part.leaves for part in parts))

    start = (0,) * len(streams)
    one = combined(start)
    heap = [(-one.score, start, 0, one)]
    while heap:
        _, positions, last, one = heapq.heappop(heap)
        yield one
        for k in range(last, len(streams)):
            if streams[k].get(positions[k] + 1) is None:
                continue
            raised = (*positions[:k], positions[k] + 1, *positions[k + 1 :])
            following = combined(raised)
            heapq.heappush(heap, (-following.score, raised, k, following))


def _keys(tree: GenerativeTree) -> list[int]:
    """Return a key for the edges of each leaf; the keys of a route combine by XOR."""
    i, j = tree.edges.astype(np.uint64).T
    line = tree.kinds == LINE
    swapped = (line & (i > j)) | (tree.kinds == TURNED)
    low, high = np.where(swapped, j, i), np.where(swapped, i, j)
    mixed = _mixed((low * np.uint64(tree.p) + high) * np.uint64(2) + line.astype(np.uint64))
    folded = (
        np.concatenate([[np.uint64(0)], np.bitwise_xor.accumulate(mixed)]) if len(mixed) else np.zeros(1, np.uint64)
    )
    return (folded[tree.edge_begin[1:]] ^ folded[tree.edge_begin[:-1]]).tolist()


def _mixed(key: np.ndarray) -> np.ndarray:
    """Mix 64-bit numbers (the finaliser of splitmix64; Steele, Lea and Flood 2014)."""
    key = key + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))
