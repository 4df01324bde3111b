"""Lessons that users uploaded: listed in their workspace only, and shown to others by a link until that expires."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select, update

from ..common.errors import DataError
from .schema import lessons
from .share_links import GONE, MAX_DAYS
from .store import Store
from .workspaces import DAY, hashed, is_address, new_address

MAX_LESSONS = 50  # maximum number of lessons of a workspace
MAX_LETTERS = 200_000  # maximum length of a lesson


@dataclass(frozen=True)
class StoredLesson:
    """An uploaded lesson.

    Attributes
    ----------
    id : str
    title : str
    text : str
        The file; empty in a list.
    ends : float
        Expiry of its link in seconds since 1970; 0 if it is not shared.
    """

    id: str
    title: str
    text: str = ""
    ends: float = 0.0


def add(store: Store, workspace: str, title: str, text: str) -> str:
    """Store a checked lesson and return its id; a lesson of the same title is replaced and keeps id and link.

    Raises
    ------
    DataError
        If the lesson is too long, or the workspace has too many.
    """
    if len(text) > MAX_LETTERS:
        raise DataError(f"a lesson has at most {MAX_LETTERS:,} letters, got {len(text):,}; split it")
    with store.writing(workspace) as connection:
        own = lessons.c.workspace == workspace
        known = connection.execute(select(lessons.c.id).where(own, lessons.c.title == title)).scalar()
        row = {"text": text, "changed": time.time()}
        if known is not None:
            connection.execute(update(lessons).where(lessons.c.id == known).values(row))
            return known
        if connection.execute(select(func.count()).where(own)).scalar() >= MAX_LESSONS:
            raise DataError(f"a workspace has at most {MAX_LESSONS} lessons; delete one first")
        new = new_address()
        connection.execute(insert(lessons).values(id=new, workspace=workspace, title=title, **row))
        return new


def listed(store: Store, workspace: str) -> list[StoredLesson]:
    """Return the lessons of a workspace without their texts, by title."""
    columns = (lessons.c.id, lessons.c.title, lessons.c.secret, lessons.c.ends)
    of = select(*columns).where(lessons.c.workspace == workspace).order_by(lessons.c.title)
    with store.reading() as connection:
        return [StoredLesson(row.id, row.title, "", _ends(row)) for row in connection.execute(of)]


def read(store: Store, workspace: str, lesson: str) -> StoredLesson | None:
    """Return a lesson of the workspace; None if it has no such lesson."""
    of = select(lessons).where(lessons.c.workspace == workspace, lessons.c.id == lesson)
    with store.reading() as connection:
        row = connection.execute(of).first()
    return None if row is None else StoredLesson(row.id, row.title, row.text, _ends(row))


def remove(store: Store, workspace: str, lesson: str) -> None:
    """Delete a lesson and its link."""
    with store.writing(workspace) as connection:
        connection.execute(delete(lessons).where(lessons.c.workspace == workspace, lessons.c.id == lesson))


def share(store: Store, workspace: str, lesson: str, days: float) -> str:
    """Share a lesson for some days, and return the secret of the link, which is not stored; an older link ends.

    Raises
    ------
    DataError
        If the workspace has no such lesson, or the number of days is out of range.
    """
    if not 0 < days <= MAX_DAYS:
        raise DataError(f"a link must expire after more than 0 and at most {MAX_DAYS} days, got {days:g}")
    address = new_address()
    change = update(lessons).where(lessons.c.workspace == workspace, lessons.c.id == lesson)
    with store.writing(workspace) as connection:
        made = connection.execute(change.values(secret=hashed(address), ends=time.time() + days * DAY))
        if made.rowcount != 1:
            raise DataError("the lesson was deleted; upload it again")
    return address


def withdraw(store: Store, workspace: str, lesson: str) -> None:
    """End the link of a lesson."""
    change = update(lessons).where(lessons.c.workspace == workspace, lessons.c.id == lesson)
    with store.writing(workspace) as connection:
        connection.execute(change.values(secret=None, ends=0.0))


def find_shared(store: Store, address: str) -> StoredLesson:
    """Return the lesson of a link; if there is none, raise the same DataError whatever the reason."""
    with store.reading() as connection:
        row = connection.execute(select(lessons).where(lessons.c.secret == hashed(address))).first()
    if not is_address(address) or row is None or row.ends < time.time():
        raise DataError(GONE)
    return StoredLesson(row.id, row.title, row.text, row.ends)


def _ends(row: object) -> float:
    return row.ends if row.secret and row.ends >= time.time() else 0.0
