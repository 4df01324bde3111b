"""Tests of d-separation, adjustment sets, instruments and possible parents, by brute force over equivalence classes."""

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from learners import PDAG, ParameterError
from learners.effects.adjustment import adjustment_sets, without_effect
from learners.effects.checks import representative_dag
from learners.effects.ida import open_directions, possible_parents
from learners.effects.implications import implications, observable_implications
from learners.effects.instruments import instruments, with_hidden_cause
from learners.effects.paths import mediators, separation
from learners.graphs.meek_closure import closure
from tests import naive, naive_effects

CLASSES = {naive.cpdag(dag).tobytes(): dag for dag in naive.all_dags(4)}
PAIRS = [(x, y) for x in range(4) for y in range(4) if x != y]

RING = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)])


def random_graphs(seed, many, p, edges):
    """Yield random DAGs, each with a graph of its class that may have one more directed edge than the CPDAG."""
    rng = np.random.default_rng(seed)
    for _ in range(many):
        dag = naive.random_dag(rng, p, edges)
        amat = naive.cpdag(dag)
        lines = np.argwhere(amat & amat.T & dag)
        if len(lines) and rng.random() < 0.7:
            i, j = lines[rng.integers(len(lines))]
            amat[j, i] = False
        yield dag, closure(PDAG(amat)), rng


def check_adjustment(graph, members, x, y, unmeasured=()):
    """Check the adjustment sets of a class against all its members.

    The sets must be exactly the minimal valid ones, and the stated obstacle must be right.
    """
    found = adjustment_sets(graph, x, y, unmeasured=unmeasured)
    descends = [y in naive.reachable(dag, x) for dag in members]
    assert (found.obstacle == "no effect") == (not any(descends))
    if found.obstacle == "no effect":
        return
    allowed = [k for k in range(graph.p) if k not in (x, y, *unmeasured)]
    assert list(found.sets) == naive_effects.adjustment_sets(members, x, y, allowed)
    assert found.complete
    assert (found.obstacle == "") == bool(found.sets)
    if found.obstacle == "open direction":
        assert not all(descends) or not unmeasured or graph.mark(*found.path[:2]) == "undirected"
        assert graph.mark(*found.path[:2]) == "undirected"
    if found.obstacle:
        assert (found.path[0], found.path[-1]) == (x, y)
        assert all(graph.skeleton[a, b] for a, b in zip(found.path, found.path[1:], strict=False))


@pytest.mark.gate_cases(40)
@pytest.mark.parametrize("dag", CLASSES.values(), ids=range(len(CLASSES)))
def test_adjustment_sets_of_all_classes_of_four_variables_are_those_that_give_the_effect(dag):
    members = naive.dags_of_class(dag)
    graph = PDAG(naive.cpdag(dag))
    for x, y in PAIRS:
        check_adjustment(graph, members, x, y)


def test_adjustment_sets_with_known_directions_and_unmeasured_variables():
    for _dag, graph, rng in random_graphs(1, 60, 6, 9):
        members = naive.extensions(np.array(graph.amat))
        for _ in range(4):
            x, y, *rest = rng.permutation(6).tolist()
            check_adjustment(graph, members, x, y, unmeasured=rest[: rng.integers(3)])


# Rows of 0 and 1: from i to j. Each graph comes with cause, effect, smallest sets, and sets that do or do not adjust,
# numbered from 1, and forbidden nodes: figure 1 of Perković et al. (2015), two graphs of the tests of pcalg (`gac`),
# and example 4.7b of Perković et al. (2017) with the output printed in pcalg's vignette.
PUBLISHED = {
    "figure 1": ("011000 101110 000001 011011 010101 000000", 3, 6, "24 45", "24 45 124 145 245 1245", "2 -", "6"),
    "talk 1": ("010100 001010 000001 000000 000000 000000", 1, 3, "-", "- 4", "2 5 6 45", ""),
    "talk 2": ("010100 000000 010010 000010 000001 000000", 4, 6, "-", "1 3 12 13", "5 15 2", ""),
    "example 4.7b": ("0100 0011 0001 0010", 2, 4, "-", "-", "3", "34"),
}


@pytest.mark.parametrize("key", PUBLISHED)
def test_adjustment_sets_are_those_of_the_published_examples(key):
    rows, x, y, smallest, right, wrong, forbidden = PUBLISHED[key]
    graph = PDAG(np.array([[mark == "1" for mark in row] for row in rows.split()]))
    found = adjustment_sets(graph, x - 1, y - 1)
    back = without_effect(representative_dag(graph), x - 1, y - 1)

    def adjusts(named):
        given = [int(k) - 1 for k in named if k != "-"]
        return not {*given} & {*found.forbidden} and separation(back, x - 1, y - 1, given).separated

    assert found.identified
    assert all(adjusts(one) for one in right.split())
    assert not any(adjusts(one) for one in wrong.split())
    assert not forbidden or found.forbidden == tuple(int(k) - 1 for k in forbidden)
    assert ["".join(str(k + 1) for k in one) or "-" for one in found.sets] == smallest.split()


@pytest.mark.deep
def test_possible_parents_are_those_in_the_members():
    for _dag, graph, _rng in random_graphs(2, 80, 6, 10):
        members = naive.extensions(np.array(graph.amat))
        for x in range(6):
            assert set(possible_parents(graph, x)) == naive_effects.parents_in(members, x)


def effect_in(member, drawn, x, y):
    """Return the total effect of x on y in a DAG of the class of `drawn`, from covariances and the parents of x."""
    above = np.flatnonzero(member[:, x]).tolist()
    return 0.0 if y in above else drawn.slope(x, y, above)


def test_open_directions_are_those_that_the_effect_rests_on():
    """Over random CPDAGs: the effect varies over a class if and only if an edge is named, and only with named edges."""
    named = 0
    for dag, graph, rng in random_graphs(5, 120, 6, 9):
        members = naive.extensions(np.array(graph.amat))
        drawn = naive_effects.Equations(dag, rng)
        for x, y in permutations(range(6), 2):
            chosen = open_directions(graph, x, y)
            assert all(graph.mark(*edge) == "undirected" for edge in chosen)
            effects = {}
            for member in members:
                own = tuple(bool(member[i, j]) for i, j in chosen)
                effects.setdefault(own, set()).add(round(float(effect_in(member, drawn, x, y)), 7))
            assert all(len(one) == 1 for one in effects.values())
            assert (len(set.union(*effects.values())) > 1) == bool(chosen)
            for place in range(len(chosen)):
                assert {own[place] for own in effects} == {True, False}
            named += len(chosen)
    assert named > 100


def test_open_paths_and_separating_sets_are_those_of_brute_force():
    for dag, _graph, rng in random_graphs(3, 60, 6, 10):
        x, y, *rest = rng.permutation(6).tolist()
        given = rest[: rng.integers(4)]
        found = separation(PDAG(dag), x, y, given)
        known = set(naive_effects.paths(dag, x, y))
        assert {path.nodes for path in found.paths} == known
        opened = {path for path in known if naive_effects.is_open(dag, path, given)}
        assert {path.nodes for path in found.paths if path.open} == opened
        assert found.separated == naive.d_separated(dag, x, y, given)
        separating = [one for one in naive_effects.subsets(rest) if naive.d_separated(dag, x, y, one)]
        assert list(found.sets) == naive_effects.minimal(separating)
        for path in found.paths:  # each closing node blocks its path, and only inner nodes are closing nodes
            assert all(k in path.nodes[1:-1] for k in path.closed_at)
            for k in set(path.closers) - set(given):
                again = separation(PDAG(dag), x, y, [*given, k])
                assert not next(one for one in again.paths if one.nodes == path.nodes).open


def test_instruments_give_the_effect_and_none_is_missed():
    """Every instrument gives the total effect as a ratio of covariances. All instruments without a set are found."""
    for dag, _graph, rng in random_graphs(4, 80, 6, 9):
        x, y, *rest = rng.permutation(6).tolist()
        found = instruments(PDAG(dag), x, y, unmeasured=rest[:2])
        drawn = naive_effects.Equations(dag, np.random.default_rng(5))
        for z, given in found:
            assert drawn.partial(z, y, given) / drawn.partial(z, x, given) == pytest.approx(drawn.total[x, y], abs=1e-9)
        without = {one.node for one in found if not one.given}
        for z in rest[2:]:
            ratio = drawn.covariance[z, y] - drawn.covariance[z, x] * drawn.total[x, y]
            behind = z in naive.reachable(dag, x)
            if abs(ratio) < 1e-9 < abs(drawn.covariance[z, x]) and abs(drawn.total[x, y]) > 1e-9 and not behind:
                assert z in without


def test_a_hidden_cause_leaves_the_instrument():
    dag = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    hidden = with_hidden_cause(dag, 1, 2)
    found = adjustment_sets(hidden, 1, 2, unmeasured=[3])
    assert (found.obstacle, found.path) == ("open path", (1, 3, 2))
    assert instruments(hidden, 1, 2, unmeasured=[3]) == [(0, ())]


def test_implications_are_one_for_each_missing_edge_and_all_hold():
    for dag, graph, _rng in random_graphs(6, 40, 6, 10):
        found = implications(graph)
        assert len(found) == 15 - graph.n_edges
        assert all(naive.d_separated(dag, one.x, one.y, one.given) for one in found)


def test_observable_implications_and_mediators_are_those_of_brute_force():
    """A pair has an implication iff some set of measured nodes separates it; mediators lie on directed paths."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        dag = naive.random_dag(rng, 5, 7)
        latent = set(rng.choice(5, int(rng.integers(3)), replace=False).tolist())
        found = {(one.x, one.y): one.given for one in observable_implications(PDAG(dag), sorted(latent))}
        measured = [k for k in range(5) if k not in latent]
        for x, y in combinations(measured, 2):
            sets = naive_effects.subsets([k for k in measured if k not in (x, y)])
            right = [one for one in sets if naive.d_separated(dag, x, y, tuple(sorted(one)))]
            assert ((x, y) in found) == bool(right)
            if right:
                assert set(found[x, y]) in right
                assert len(found[x, y]) == len(right[0])
            causal = [path for path in naive_effects.paths(dag, x, y) if all(dag[a, b] for a, b in pairwise(path))]
            assert set(mediators(PDAG(dag), x, y)) == {k for path in causal for k in path[1:-1]}


@pytest.mark.parametrize(
    ("ask", "message"),
    {
        "no DAG": (
            lambda: adjustment_sets(PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)]), 0, 1),
            "DAG",
        ),
        "same node": (lambda: separation(PDAG.empty(3), 1, 1), "different nodes"),
        "unknown node": (lambda: separation(PDAG.empty(3), 0, 3), "0 .. 2"),
        "in the set": (lambda: adjustment_sets(PDAG.empty(3), 0, 1, unmeasured=[1]), "different nodes"),
        "CPDAG": (lambda: instruments(PDAG.from_edges(3, undirected=[(0, 1)]), 0, 1), "undirected"),
    }.values(),
)
def test_wrong_questions_are_refused(ask, message):
    with pytest.raises(ParameterError, match=message):
        ask()
