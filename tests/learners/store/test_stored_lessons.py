"""Tests of stored lessons and classes: workspaces never see each other's, and links end."""

from __future__ import annotations

import pytest

from learners.common.errors import DataError
from learners.store import stored_classes, stored_lessons, workspaces
from learners.store.database import IN_MEMORY
from learners.store.settings import StoreSettings
from learners.store.store import Store


@pytest.fixture
def store():
    """Return an empty store in memory."""
    return Store(StoreSettings(IN_MEMORY, None))


def two(store):
    """Return two workspaces."""
    return [workspaces.make(store, workspaces.new_address()).id for _ in range(2)]


def test_a_lesson_is_seen_in_its_workspace_and_by_its_link_only(store):
    """Another workspace cannot list, read, share or delete the lesson; a withdrawn link shows nothing."""
    mine, other = two(store)
    lesson = stored_lessons.add(store, mine, "T", "# T")
    assert stored_lessons.add(store, mine, "T", "# T 2") == lesson
    assert [one.title for one in stored_lessons.listed(store, mine)] == ["T"]
    assert stored_lessons.listed(store, other) == []
    assert stored_lessons.read(store, other, lesson) is None
    with pytest.raises(DataError):
        stored_lessons.share(store, other, lesson, 1)
    stored_lessons.remove(store, other, lesson)
    secret = stored_lessons.share(store, mine, lesson, 1)
    assert stored_lessons.find_shared(store, secret).text == "# T 2"
    for wrong in (secret[:-1], lesson, "", secret[::-1]):
        with pytest.raises(DataError, match="ended or was withdrawn"):
            stored_lessons.find_shared(store, wrong)
    stored_lessons.withdraw(store, mine, lesson)
    with pytest.raises(DataError, match="ended or was withdrawn"):
        stored_lessons.find_shared(store, secret)


def test_a_workspace_holds_a_limited_number_of_lessons_and_loses_them_with_itself(store):
    """Long lessons and too many lessons are refused; deleting a workspace deletes its lessons and classes."""
    mine, _ = two(store)
    with pytest.raises(DataError, match="letters"):
        stored_lessons.add(store, mine, "long", "x" * (stored_lessons.MAX_LETTERS + 1))
    for k in range(stored_lessons.MAX_LESSONS):
        stored_lessons.add(store, mine, str(k), "#")
    with pytest.raises(DataError, match="at most 50 lessons"):
        stored_lessons.add(store, mine, "more", "#")
    stored_classes.keep(store, mine, "abcdefgh", b"body", 60)
    workspaces.forget(store, mine)
    assert stored_lessons.listed(store, mine) == []
    assert stored_classes.read(store, "abcdefgh") is None


def test_a_class_is_found_by_its_code_until_it_ends(store):
    """A new state replaces the old one; another workspace cannot delete the class."""
    mine, other = two(store)
    stored_classes.keep(store, mine, "abcdefgh", b"one", 60)
    stored_classes.keep(store, mine, "abcdefgh", b"two", 60)
    assert stored_classes.read(store, "abcdefgh") == (mine, b"two")
    assert stored_classes.of_workspace(store, mine) == b"two"
    assert stored_classes.of_workspace(store, other) is None
    stored_classes.remove(store, other, "abcdefgh")
    assert stored_classes.read(store, "abcdefgh") is not None
    stored_classes.keep(store, mine, "abcdefgh", b"old", -1)
    assert stored_classes.read(store, "abcdefgh") is None
    assert workspaces.sweep(store) == 0
    assert stored_classes.read(store, "ABCDEFGH") is None
