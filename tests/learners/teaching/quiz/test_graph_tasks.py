"""Tests of the games on random DAGs, whose tasks are also solved by an independent program."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from learners.teaching.quiz.graph_tasks import Game, graph_task
from tests import naive, naive_effects


def check(game, level, seed):
    """Compare every possible answer of a task with brute force."""
    task = graph_task(game, level, seed)
    dag, p = task.graph.amat, task.graph.p
    assert naive.is_acyclic(dag)
    assert task.is_right(task.solution)
    if game is Game.SEPARATION:
        found = naive.d_separated(dag, *task.ends, task.given)
        assert (task.is_right(True), task.is_right(False)) == (found, not found)
    elif game is Game.ADJUSTMENT:
        x, y = task.ends
        drawn = naive_effects.Equations(dag, np.random.default_rng(seed))
        for members in naive_effects.subsets([k for k in range(p) if k not in (x, y)]):
            right = abs(drawn.slope(x, y, sorted(members)) - drawn.total[x, y]) < 1e-9
            assert task.is_right(frozenset(members)) == (right and no_descendants_of_the_way(dag, x, y, members))
    elif game is Game.COLLIDERS:
        found = {k for a, k, b in zip(task.path, task.path[1:], task.path[2:], strict=False) if dag[a, k] and dag[b, k]}
        for members in naive_effects.subsets(task.path[1:-1]):
            assert task.is_right(frozenset(members)) == (members == found)
        assert all(naive.adjacent(dag, a, b) for a, b in pairwise(task.path))
    elif game is Game.REMOVAL:
        check_removal(task, dag)
    else:
        for a, b in np.argwhere(dag).tolist():
            turned = dag.copy()
            turned[a, b], turned[b, a] = False, True
            same = naive.is_acyclic(turned) and naive.v_structures(turned) == naive.v_structures(dag)
            assert task.is_right((a, b)) == task.is_right((b, a)) == same


def check_removal(task, dag):
    """Check that exactly the right edge has a separating set of `level` or fewer neighbours of an end."""
    shown = task.shown.amat
    assert (shown == shown.T).all()
    assert not (dag & ~shown).any()
    for a, b in zip(*np.nonzero(np.triu(shown)), strict=True):
        leaves = {
            size
            for end in (a, b)
            for size in range(task.level + 1)
            for given in combinations([k for k in np.flatnonzero(shown[end]) if k not in (a, b)], size)
            if naive.d_separated(dag, a, b, given)
        }
        assert task.is_right((int(a), int(b))) == task.is_right((int(b), int(a))) == bool(leaves)
        assert leaves <= {task.level}


def no_descendants_of_the_way(dag, x, y, members):
    """Return True if no member is on a causal path or is a descendant of a node on a causal path.

    The criterion forbids such nodes, although they leave a linear effect unchanged in some graphs.
    """
    causal = [path for path in naive_effects.paths(dag, x, y) if all(dag[a, b] for a, b in pairwise(path))]
    way = {k for path in causal for k in path[1:]}
    return not any(k in way or any(k in naive.reachable(dag, w) for w in way) for k in members)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("game", Game)
def test_an_independent_program_solves_the_tasks(game):
    for seed in range(10):
        check(game, 1 + seed % 3, seed)


@pytest.mark.deep
@pytest.mark.parametrize("game", Game)
def test_an_independent_program_solves_a_thousand_tasks(game):
    for seed in range(1_000):
        check(game, 1 + seed % 3, 1_000 + seed)


@pytest.mark.parametrize("game", Game)
def test_tasks_are_seeded_and_both_answers_occur(game):
    """The same seed gives the same task; yes/no tasks have both answers, and higher levels have more nodes."""
    tasks = [graph_task(game, 2, seed) for seed in range(20)]
    assert tasks == [graph_task(game, 2, seed) for seed in range(20)]
    assert len({task.graph for task in tasks}) > 10
    assert graph_task(game, 1, 0).graph.p < graph_task(game, 3, 0).graph.p
    if game is Game.SEPARATION:
        assert {task.solution for task in tasks} == {True, False}
