"""Tests of PAGs: their marks, invalid graphs, and their conversion to a PDAG."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from learners import PAG, PDAG, ParameterError
from learners.common.relabeling import relabeled
from learners.graphs.pag import same_ends
from learners.store.packing import pack, unpack

EACH = PAG.from_ends(7, [(0, "o-o", 1), (1, "o->", 2), (2, "<->", 3), (2, "->", 4), (5, "<-o", 1), (6, "<-", 4)])


def test_each_pair_has_a_word_and_a_sign():
    """The word and the sign of a pair describe it from the first node to the second."""
    assert [EACH.mark(*pair) for pair in ((0, 1), (1, 2), (2, 1), (2, 3), (2, 4), (4, 2), (0, 6))] == [
        "circles", "circle-forward", "circle-backward", "bidirected", "forward", "backward", "none",
    ]  # fmt: skip
    assert EACH.sign(1, 5) == "o->"
    assert EACH.sign(5, 1) == "<-o"
    assert EACH.sign(0, 6) == ""
    assert repr(EACH) == "PAG(p=7: 0 o-o 1, 1 o-> 2, 1 o-> 5, 2 <-> 3, 2 -> 4, 4 -> 6)"


def test_only_causes_count_as_directed():
    """Only edges from a cause have a direction in the PDAG of a PAG."""
    assert EACH.directed_edges() == [(2, 4), (4, 6)]
    assert EACH.undirected_edges() == [(0, 1), (1, 2), (1, 5), (2, 3)]
    assert np.flatnonzero(EACH.causes[2]).tolist() == [4, 6]
    assert EACH.n_circles == 4
    assert not EACH.is_mag
    assert PAG.from_ends(2, [(0, "<->", 1)]).is_mag


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(0, "->", 1), (1, "->", 2), (2, "->", 0)], "an arrowhead at . from . contradicts the directed path"),
        ([(0, "->", 1), (1, "->", 2), (0, "<->", 2)], "an arrowhead at 0 from 2 contradicts the directed path from 0"),
        ([(0, "->", 1), (1, "->", 2), (2, "o->", 0)], "an arrowhead at 0 from 2 contradicts the directed path from 0"),
        ([(0, "--", 1)], "an edge must be one of o-o, o->, <-o, <->, ->, <-, got '--'"),
        ([(0, "->", 1), (1, "->", 0)], r"each pair must be given once, got \(1, 0\) again"),
        ([(0, "->", 3)], r"an edge must connect two different nodes of 0 .. 2, got \(0, 3\)"),
    ],
    ids=["cycle", "almost a cycle", "half a cycle", "sign", "pair", "node"],
)
def test_a_pag_is_legal_or_refused(edges, message):
    """Invalid edges, and arrowheads that contradict a directed path, are refused with the reason."""
    with pytest.raises(ParameterError, match="^" + message):
        PAG.from_ends(3, edges)


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ([[0, 3], [3, 0]], "a tail needs an arrowhead at the other end; set one there"),
        ([[0, 3], [1, 0]], "a tail needs an arrowhead at the other end; set one there"),
        ([[0, 1], [0, 0]], "marks must hold a mark at both ends of each edge; set both or none"),
        ([[0, 4], [1, 0]], "marks must hold only whole numbers from 0 to 3, got others"),
        ([[1, 0], [0, 0]], "no node may have an edge to itself, got one at node 0"),
        ([[0, 1]], r"marks must be a square matrix, got shape \(1, 2\)"),
    ],
)
def test_wrong_marks_are_refused(marks, message):
    """Invalid marks are refused with a message that names the requirement."""
    with pytest.raises(ParameterError, match="^" + message):
        PAG(np.array(marks))


def test_a_pag_survives_relabeling_pickling_and_packing():
    """Relabeling moves the marks with their nodes; pickling and packing keep them."""
    new = np.array([3, 0, 6, 1, 2, 5, 4])
    turned = relabeled(EACH, new)
    assert all(turned.sign(int(new[i]), int(new[j])) == EACH.sign(i, j) for i in range(7) for j in range(7))
    assert pickle.loads(pickle.dumps(EACH)) == EACH
    assert unpack(pack(EACH)) == EACH
    assert not unpack(pack(EACH)).marks.flags.writeable


def test_a_pag_equals_only_a_pag():
    """A PAG does not equal its PDAG, because its marks state more."""
    dag = PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])
    pag = PAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])
    assert pag != dag
    assert dag != pag
    assert PDAG(pag.amat) == dag
    assert pag == PAG.from_ends(3, [(0, "->", 1), (2, "o-o", 1)])
    assert len({pag, PAG.from_ends(3, [(0, "->", 1), (2, "o-o", 1)]), PAG.empty(3)}) == 2
    assert all(same_ends(pag, dag, i, j) for i in range(3) for j in range(3))
    assert not same_ends(pag, PAG.from_ends(3, [(0, "->", 1), (2, "o->", 1)]), 1, 2)
    assert same_ends(dag, PAG.from_ends(3, [(0, "->", 1), (2, "o->", 1)]), 1, 2)


def test_a_complete_pag_has_circles_only():
    """A complete PAG, from which FCI starts, has circles at all ends."""
    assert PAG.complete(4).n_circles == 12
    assert PAG.empty(4).n_edges == 0
