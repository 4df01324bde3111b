"""Tests of relabeling node indices inside values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from learners.common.relabeling import ByNode, ByPair, Nodes, as_nodes, by_node, by_pair, fields, relabeled
from learners.graphs.knowledge import BoundKnowledge
from learners.graphs.sepsets import Sepsets

NEW = np.array([2, 0, 1])  # 0 becomes 2, 1 becomes 0, 2 becomes 1


class Row(NamedTuple):
    at: np.ndarray
    kept: np.ndarray


@dataclass(frozen=True, eq=False)
class Sample:
    size: np.ndarray
    joint: np.ndarray
    other: ByNode
    pairs: ByPair
    named: Nodes
    names: Annotated[tuple[str, ...], by_node]
    target: Annotated[int, as_nodes]
    groups: Annotated[tuple[tuple[int, ...], ...], as_nodes]
    row: Annotated[Row, fields(at=as_nodes)]
    inner: tuple[Sample, ...] = ()
    perhaps: ByPair | None = None


def sample_of(*inner: Sample) -> Sample:
    three = np.arange(3)
    row = Row(np.array([0, 2]), np.array([0, 2]))
    pairs = np.arange(9).reshape(3, 3)
    return Sample(
        three, pairs, three, pairs, np.array([[0, -1], [1, 2]]), ("a", "b", "c"), 0, ((0, 1), (2,)), row, inner
    )


def test_fields_follow_as_they_say():
    """Arrays with a slot for each variable are permuted, node indices are translated, everything else stays."""
    for moved in (relabeled(sample_of(), NEW), relabeled(sample_of(sample_of()), NEW).inner[0]):
        assert moved.size.tolist() == [0, 1, 2]
        assert moved.joint.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
        assert moved.other.tolist() == [1, 2, 0]
        assert moved.pairs.tolist() == [[4, 5, 3], [7, 8, 6], [1, 2, 0]]
        assert moved.named.tolist() == [[2, -1], [0, 1]]
        assert moved.names == ("b", "c", "a")
        assert moved.target == 2
        assert moved.groups == ((2, 0), (1,))
        assert moved.row.at.tolist() == [2, 1]
        assert moved.row.kept.tolist() == [0, 2]


def test_fields_that_may_be_none_follow_too():
    """`ByPair | None` permutes an array as `ByPair` does."""
    moved = relabeled(replace(sample_of(), perhaps=np.arange(9).reshape(3, 3)), NEW)
    assert moved.perhaps.tolist() == moved.pairs.tolist()
    assert relabeled(sample_of(), NEW).perhaps is None


@pytest.mark.parametrize("follow", [by_node, by_pair, as_nodes])
def test_what_is_read_only_stays_so(follow):
    """Read-only arrays stay read-only, and writeable arrays stay writeable."""
    array = np.zeros((3, 3), dtype=np.int64)
    assert follow(array, NEW).flags.writeable
    array.flags.writeable = False
    assert not follow(array, NEW).flags.writeable


def test_there_and_back_is_where_it_was():
    """The inverse relabeling restores the value."""
    back = relabeled(relabeled(sample_of(), NEW), np.argsort(NEW))
    assert back.pairs.tolist() == sample_of().pairs.tolist()
    assert back.groups == sample_of().groups


def test_sets_are_reported_in_ascending_order():
    """The members of a set are ascending in the new indices."""
    moved = relabeled(Sepsets.from_entries(4, [(0, 3, (1, 2))]), np.array([0, 3, 2, 1]))
    assert dict(moved) == {frozenset({0, 1}): (2, 3)}


def test_a_tuple_a_mapping_and_a_bare_value_are_followed():
    """Tuples and mappings are relabeled; values without variables stay unchanged."""
    known, new = BoundKnowledge(np.eye(2, k=1) > 0, np.zeros((2, 2), dtype=bool)), np.array([1, 0])
    ((moved, word),) = [relabeled((known, "word"), new)]
    assert moved.required.tolist() == [[False, False], [True, False]]
    assert word == "word"
    assert relabeled({"known": [known]}, new)["known"][0].required[1, 0]
