"""Games on random DAGs: seeded tasks with levels, whose answers are computed and given in the picture."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ...common.validation import Seed
from ...effects.adjustment import adjustment_sets, without_effect
from ...effects.paths import separation
from ...graphs.graph import PDAG, ancestors
from ..lessons.picture_answers import ChosenEdges, graph_before, removed_at

N_NODES = (4, 5, 7)  # number of nodes by level, 1 to 3
N_EDGES = (4, 6, 10)
MAX_DRAWS = 500
LETTERS = "PQRSTVW"  # letters that no badge of a role uses
Answer = bool | frozenset[int] | tuple[int, int] | None


class Game(Enum):
    """A game; its value is stored in addresses and widgets."""

    SEPARATION = "separation"  # answered by True or False
    ADJUSTMENT = "adjustment"  # answered by a set of nodes
    COLLIDERS = "colliders"  # answered by a set of nodes
    EQUIVALENCE = "equivalence"  # answered by an edge
    REMOVAL = "removal"  # answered by an edge


@dataclass(frozen=True)
class GraphTask:
    """A task about a DAG.

    Attributes
    ----------
    game : Game
    graph : PDAG
    names : tuple of str
    ends : tuple of int
        The two variables that the task names; empty for `Game.EQUIVALENCE`.
    given : tuple of int
        Conditioning set of `Game.SEPARATION`.
    path : tuple of int
        The path of `Game.COLLIDERS`.
    shown : PDAG or None
        The undirected graph of PC in `Game.REMOVAL`, in which one edge is chosen; `graph` is then the true DAG.
    level : int
        Size of the sets that PC conditions on in `Game.REMOVAL`.
    """

    game: Game
    graph: PDAG
    names: tuple[str, ...]
    ends: tuple[int, ...] = ()
    given: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    shown: PDAG | None = None
    level: int = 0

    @property
    def removals(self) -> ChosenEdges:
        """The next removed edge, with its separating set, in `Game.REMOVAL`."""
        removed = removed_at(self.graph, self.shown, self.level)
        return ChosenEdges(self.graph, self.names, self.shown, self.level, removed)

    @property
    def solution(self) -> Answer:
        """Return a right answer: the only one, the smallest adjustment set, or the first edge."""
        if self.game is Game.SEPARATION:
            return separation(self.graph, *self.ends, self.given).separated
        if self.game is Game.COLLIDERS:
            return colliders_on(self.graph, self.path)
        if self.game is Game.ADJUSTMENT:
            return frozenset(adjustment_sets(self.graph, *self.ends).sets[0])
        if self.game is Game.REMOVAL:
            return min(self.removals.solution)
        return reversible_edges(self.graph)[0]

    def is_right(self, answer: Answer) -> bool:
        """Return True for a right answer; any valid adjustment set and any reversible edge is right."""
        if self.game is Game.ADJUSTMENT:
            return is_adjustment_set(self.graph, *self.ends, answer)
        if self.game is Game.EQUIVALENCE:
            return set(answer) in [set(edge) for edge in reversible_edges(self.graph)]
        if self.game is Game.REMOVAL:
            return set(answer) == set(self.solution)
        return answer == self.solution

    def blocking(self, answer: Answer) -> tuple[PDAG, tuple[int, ...]]:
        """Return a graph and a conditioning set: its paths between `ends` explain the answer of a task about paths."""
        if self.game is Game.ADJUSTMENT:
            return without_effect(self.graph, *self.ends), tuple(sorted(answer))
        return self.graph, self.given


def colliders_on(dag: PDAG, path: Collection[int]) -> frozenset[int]:
    """Return the nodes of a path where both arrowheads meet."""
    nodes = list(path)
    triples = zip(nodes, nodes[1:], nodes[2:], strict=False)
    return frozenset(k for a, k, b in triples if dag.amat[a, k] and dag.amat[b, k])


def is_adjustment_set(dag: PDAG, x: int, y: int, members: Collection[int]) -> bool:
    """Return True if a set satisfies the adjustment criterion relative to (x, y) in a DAG."""
    forbidden = {x, y, *adjustment_sets(dag, x, y).forbidden}
    return not forbidden & set(members) and separation(without_effect(dag, x, y), x, y, sorted(members)).separated


def reversible_edges(dag: PDAG) -> list[tuple[int, int]]:
    """Return the edges whose reversal alone gives an equivalent DAG: their ends have the same other parents."""
    return [(a, b) for a, b in dag.directed_edges() if set(dag.parents(b)) - {a} == set(dag.parents(a))]


def graph_task(game: Game, level: int, seed: Seed) -> GraphTask:
    """Return the task of a game with a level and a seed; the same three always give the same task.

    Parameters
    ----------
    game : Game
    level : int
        From 1 (small graphs) to 3.
    seed : int
    """
    rng = np.random.default_rng([list(Game).index(game), level, seed])
    wanted = bool(rng.integers(2))  # the answer of a yes/no task, so that both are equally frequent
    for _ in range(MAX_DRAWS):
        dag = _random_dag(rng, N_NODES[level - 1], N_EDGES[level - 1])
        names = tuple(LETTERS[: dag.p])
        task = MAKERS[game](rng, dag, names, wanted)
        if task is not None:
            return task
    raise AssertionError("no graph was drawn that fits the game")  # the probability of this is far below 1e-9


def _random_dag(rng: np.random.Generator, p: int, n_edges: int) -> PDAG:
    """Return a DAG without isolated nodes if possible, with edges along a random order."""
    order = rng.permutation(p)
    pairs = [(order[i], order[j]) for i in range(p) for j in range(i + 1, p)]
    chosen = rng.choice(len(pairs), min(n_edges, len(pairs)), replace=False)
    return PDAG.from_edges(p, directed=[tuple(map(int, pairs[k])) for k in chosen])


def _separation(rng: np.random.Generator, dag: PDAG, names: tuple[str, ...], wanted: bool) -> GraphTask | None:
    x, y, *others = rng.permutation(dag.p).tolist()
    if dag.skeleton[x, y]:
        return None
    given = tuple(sorted(others[: int(rng.integers(min(3, len(others)) + 1))]))
    found = separation(dag, x, y, given)
    return GraphTask(Game.SEPARATION, dag, names, (x, y), given) if found.paths and found.separated is wanted else None


def _adjustment(rng: np.random.Generator, dag: PDAG, names: tuple[str, ...], _wanted: bool) -> GraphTask | None:
    reach = ancestors(dag)
    x, y = rng.permutation(dag.p)[:2].tolist()
    if not reach[x, y]:
        return None
    found = adjustment_sets(dag, x, y)
    return GraphTask(Game.ADJUSTMENT, dag, names, (x, y)) if found.sets and found.sets != ((),) else None


def _colliders(rng: np.random.Generator, dag: PDAG, names: tuple[str, ...], wanted: bool) -> GraphTask | None:
    x, y = rng.permutation(dag.p)[:2].tolist()
    paths = [one for one in separation(dag, x, y).paths if len(one.nodes) > 3 and bool(one.colliders) is wanted]
    if not paths:
        return None
    return GraphTask(Game.COLLIDERS, dag, names, (x, y), path=paths[int(rng.integers(len(paths)))].nodes)


def _equivalence(_rng: np.random.Generator, dag: PDAG, names: tuple[str, ...], _wanted: bool) -> GraphTask | None:
    found = reversible_edges(dag)
    return GraphTask(Game.EQUIVALENCE, dag, names) if 0 < len(found) < dag.n_edges else None


def _removal(rng: np.random.Generator, dag: PDAG, names: tuple[str, ...], wanted: bool) -> GraphTask | None:
    """Return a state of PC in which exactly one edge can leave at the level, so that it can be inferred."""
    level = 1 if wanted else int(rng.integers(3))
    before = graph_before(dag, level)
    leaving = list(removed_at(dag, before, level))
    if not leaving:
        return None
    last = leaving[int(rng.integers(len(leaving)))]
    adjacent = np.array(before.amat)
    for a, b in leaving:
        if (a, b) != last:
            adjacent[a, b] = adjacent[b, a] = False
    shown = PDAG(adjacent)
    left = {edge for size in range(level + 1) for edge in removed_at(dag, shown, size)}
    return GraphTask(Game.REMOVAL, dag, names, shown=shown, level=level) if left == {last} else None


MAKERS = {
    Game.SEPARATION: _separation,
    Game.ADJUSTMENT: _adjustment,
    Game.COLLIDERS: _colliders,
    Game.EQUIVALENCE: _equivalence,
    Game.REMOVAL: _removal,
}
