"""Tests of the rules of Zhang (2008) against all MAGs of few nodes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners import PAG, pag_of_mag
from learners.graphs.pag import ARROW, CIRCLE, TAIL
from learners.graphs.pag_orientation import Orientation, orient
from learners.graphs.rules import Rule
from tests import naive_pag


@pytest.mark.parametrize(
    ("p", "mags", "classes"),
    [(2, 4, 2), (3, 56, 11), pytest.param(4, 2492, 248, marks=pytest.mark.deep)],
)
def test_the_rules_find_the_marks_that_all_equivalent_mags_share(p, mags, classes):
    """For every MAG on few nodes, the rules find all marks of the PAG and no wrong ones."""
    found = naive_pag.classes(p)
    assert (sum(map(len, found)), len(found)) == (mags, classes)
    for members in found:
        shared = naive_pag.shared_marks(members)
        for mag in members:
            assert pag_of_mag(mag) == shared


def check_class(mag: PAG) -> None:
    """Check the PAG of a MAG against all MAGs with its skeleton and separations."""
    own = naive_pag.separations(mag)
    members = [
        one for one, found in naive_pag.mags_of(mag.p, np.argwhere(np.triu(mag.skeleton)).tolist()) if found == own
    ]
    assert pag_of_mag(mag) == naive_pag.shared_marks(members)


@pytest.mark.parametrize(("p", "n"), [(4, 2), pytest.param(5, 15, marks=pytest.mark.deep)])
def test_the_rules_find_the_class_of_random_mags(p, n):
    """The rules find the PAG of random MAGs, which come from DAGs with hidden nodes."""
    rng = np.random.default_rng(790_000 + p)
    for _ in range(n):
        check_class(naive_pag.random_mag(rng, p, 2, 2.5))


@pytest.mark.parametrize(
    ("separating", "rule", "found"),
    [
        ({1, 2}, Rule.ENDS_R4, [(1, "<-o", 2), (2, "->", 3)]),
        ({1}, Rule.ENDS_R4_COLLIDER, [(1, "<->", 2), (2, "<->", 3)]),
    ],
)
def test_a_discriminating_path_ends_in_a_cause_or_a_collider(separating, rule, found):
    """R4 makes 2 a cause if it is in the separating set of the ends of the path 0, 1, 2, 3, otherwise a collider."""
    skeleton = PAG.from_ends(4, [(0, "o-o", 1), (1, "o-o", 2), (1, "o-o", 3), (2, "o-o", 3)]).skeleton
    inside = {(0, 2): set(), (0, 3): separating}
    pag, steps = orient(skeleton, lambda d, b, c: b in inside[min(d, c), max(d, c)])
    assert pag == PAG.from_ends(4, [(0, "o->", 1), (1, "->", 3), *found])
    assert next(step.rule for step in steps if step.rule in (Rule.ENDS_R4, Rule.ENDS_R4_COLLIDER)) is rule


def test_an_ambiguous_triple_blocks_the_rules_that_need_it():
    """An ambiguous triple 0 *-> 1 o-o 2 blocks R1, which would otherwise treat it as a non-collider."""
    skeleton = PAG.from_ends(4, [(0, "o-o", 1), (3, "o-o", 1), (1, "o-o", 2)]).skeleton
    inside = {(0, 3): (), (0, 2): (1,), (2, 3): (1,)}

    def between(d: int, b: int, c: int) -> bool:
        return b in inside[min(d, c), max(d, c)]

    assert orient(skeleton, between)[0] == PAG.from_ends(4, [(0, "o->", 1), (3, "o->", 1), (1, "->", 2)])
    blocked = orient(skeleton, between, [(0, 1, 2), (2, 1, 3)])[0]
    assert blocked == PAG.from_ends(4, [(0, "o->", 1), (3, "o->", 1), (1, "o-o", 2)])
    assert orient(skeleton, between, [(0, 1, 3)])[0].n_circles == 6


def test_marks_that_contradict_earlier_ones_are_refused_and_recorded():
    """A mark that contradicts earlier ones is refused and recorded: 0 -> 1 -> 2 excludes an arrowhead at 0 from 2."""
    orientation = Orientation(PAG.complete(3).skeleton)
    assert orientation.set_cause(Rule.REQUIRED, 0, 1)
    assert orientation.set_cause(Rule.REQUIRED, 1, 2)
    assert not orientation.set_arrowhead(Rule.ENDS_R2, 2, 0, 1)
    assert not orientation.set_bidirected(Rule.ENDS_R4_COLLIDER, 0, 1)
    assert [step.refused for step in orientation.steps] == [False, False, True, True]
    assert orientation.pag == PAG.from_ends(3, [(0, "->", 1), (1, "->", 2), (0, "o-o", 2)])


@pytest.mark.parametrize("seed", range(12))
def test_each_step_is_a_legal_pag_whatever_the_evidence(seed):
    """Contradictory evidence leads to refused marks, not to an illegal graph; marks that were set stay."""
    rng = np.random.default_rng(790_100 + seed)
    p = 8
    skeleton = np.triu(rng.random((p, p)) < 0.45, 1)
    skeleton |= skeleton.T
    inside = {pair: set(np.flatnonzero(rng.random(p) < 0.3).tolist()) for pair in combinations(range(p), 2)}
    ambiguous = [tuple(rng.permutation(p)[:3].tolist()) for _ in range(5)]
    pag, steps = orient(skeleton, lambda d, b, c: b in inside[min(d, c), max(d, c)], ambiguous)
    marks = np.where(skeleton, CIRCLE, 0)
    for step in steps:
        if step.refused:
            continue
        before = marks[step.j, step.i], marks[step.i, step.j]
        after = step.at_i, step.at_j
        assert all(old in (CIRCLE, new) for old, new in zip(before, after, strict=True))
        assert before != after
        assert set(after) <= {CIRCLE, ARROW, TAIL}
        marks[step.j, step.i], marks[step.i, step.j] = after
        PAG(marks)
    assert PAG(marks) == pag
