"""Tests of `Sepsets`, a mapping that behaves like a dictionary of frozensets."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.graphs.sepsets import Sepsets

pairs = st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] != pair[1])
entries = st.lists(st.tuples(pairs, st.sets(st.integers(0, 6), max_size=4)), max_size=12)


@given(entries)
def test_sepsets_is_the_dictionary_of_its_entries(found):
    """Later entries replace earlier ones, shorter or longer; sets are returned in ascending order."""
    expected = {frozenset(pair): tuple(sorted(cond)) for pair, cond in found}
    sepsets = Sepsets.from_entries(7, [(x, y, cond) for (x, y), cond in found])
    assert dict(sepsets) == expected
    assert len(sepsets) == len(expected)
    assert sepsets == expected
    for x in range(7):
        for y in range(7):
            assert sepsets.between(x, y) == expected.get(frozenset((x, y)) if x != y else None)


@given(entries, st.integers(0, 12))
def test_blocks_of_pairs_are_their_entries(found, cut):
    """Blocks of pairs whose sets have different widths give the same entries as a dictionary."""
    blocks, expected = [], {}
    for part in (found[:cut], found[cut:]):
        once = {frozenset(pair): tuple(sorted(cond)) for pair, cond in part}
        expected |= once
        width = max(map(len, once.values()), default=0)
        cond = np.array([[*members, *[-1] * (width - len(members))] for members in once.values()], dtype=np.int32)
        pairs = np.array([tuple(pair) for pair in once], dtype=np.int64)
        blocks.append((pairs.reshape(-1, 2), cond.reshape(len(once), width)))
    assert dict(Sepsets.from_blocks(7, blocks)) == expected


def test_sepsets_distinguishes_the_empty_set_from_no_set():
    """The empty set is a marginal separation; None means that no separating set is known."""
    sepsets = Sepsets.from_entries(3, [(2, 0, ())])
    assert sepsets.between(0, 2) == sepsets[frozenset({0, 2})] == ()
    assert sepsets.between(0, 1) is None
    assert frozenset({0, 2}) in sepsets
    assert frozenset({0, 1}) not in sepsets
    with pytest.raises(KeyError):
        sepsets[frozenset({0, 1})]


def test_sepsets_arrays_are_read_only():
    sepsets = Sepsets.from_entries(3, [(0, 1, (2,))])
    for array in (sepsets.members, sepsets.present):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_sepsets_survives_pickling_and_says_its_size():
    """Pickling keeps the entries, and the repr states their number."""
    sepsets = Sepsets.from_entries(4, [(0, 1, (2, 3)), (2, 3, ())])
    assert pickle.loads(pickle.dumps(sepsets)) == sepsets
    assert repr(sepsets) == "Sepsets(2 pairs)"


def test_sepsets_members_and_presence_agree_in_both_triangles():
    """The arrays of members and of known pairs are symmetric, so that the order of the pair does not matter."""
    sepsets = Sepsets.from_entries(5, [(3, 1, (0, 4)), (0, 2, ())])
    assert np.array_equal(sepsets.present, sepsets.present.T)
    assert np.array_equal(sepsets.members, sepsets.members.transpose(1, 0, 2))


@given(entries, st.permutations(range(7)), st.permutations(range(7)))
def test_relabeled_sets_are_those_of_the_renamed_nodes(found, first, second):
    """Sets of renamed nodes are the same before the arrays are relabeled and afterwards, also pickled."""
    sepsets = Sepsets.from_entries(7, [(x, y, cond) for (x, y), cond in found])
    renamed = [second[k] for k in first]
    expected = {
        frozenset(renamed[k] for k in pair): tuple(sorted(renamed[k] for k in cond)) for pair, cond in sepsets.items()
    }
    other = sepsets.relabeled(np.array(first)).relabeled(np.array(second))
    assert all(other.between(x, y) == expected.get(frozenset((x, y))) for x in range(7) for y in range(7) if x != y)
    assert not {"members", "present"} & set(other.__dict__)
    assert other == expected
    assert pickle.loads(pickle.dumps(other)) == expected
    copied = Sepsets(other.members, other.present)
    assert copied == expected
