"""Registry of the open classes of a process: found by an unguessable code, and deleted in time."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..common.errors import ParameterError
from .classroom import Classroom
from .rate_limiter import RateLimiter

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another
# 853 billion codes. The length alone keeps them from being guessed: a right code is never refused, or one student who
# tries many would shut out the rest of a lecture hall, which has one address.
CODE_LENGTH = 8
MAX_CLASSES = 50
MAX_SECONDS = 6 * 3600.0  # that a class is kept
ABANDONED_SECONDS = 600.0  # that it is kept while the page of whoever opened it is closed
MAX_MISSES, MISS_SECONDS = 60, 60.0  # wrong codes that one address may try in that time


class TooManyTries(ParameterError):
    """An address has tried too many wrong codes."""


@dataclass
class OpenClass:
    """A class that is kept: whose it is, what it is shown with, and since when.

    Attributes
    ----------
    code : str
    owner : Hashable
        Who may lead it.
    room : Classroom
    slides : tuple
        What is shown beside each question.
    title : str
    sessions : set of str
        Those of whoever leads it.
    begun, seen : float
        When it was opened, and when a page of these was open last.
    """

    code: str
    owner: Hashable
    room: Classroom
    slides: tuple[Mapping[str, Any], ...]
    title: str
    sessions: set[str]
    begun: float
    seen: float


class ClassRegistry:
    """Classes that are open now; nothing of one is left once it is forgotten.

    Parameters
    ----------
    is_there : callable
        ``is_there(session)``: whether the page of whoever leads a class is open.
    clock : callable
        Seconds.
    """

    def __init__(self, is_there: Callable[[str], bool], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._is_there, self._clock = is_there, clock
        self._entries: dict[str, OpenClass] = {}
        self._misses = RateLimiter(MAX_MISSES, MISS_SECONDS, clock=clock)
        self._lock = threading.RLock()

    def open(self, room: Classroom, slides: tuple, title: str, owner: Hashable, session: str) -> OpenClass:
        """Keep a class, and end the one that its owner has open.

        Raises
        ------
        ParameterError
            If too many are open.
        """
        with self._lock:
            before = self.of_owner(owner, session)
            if before is not None:
                self.forget(before)
            if len(self._entries) >= MAX_CLASSES:
                raise ParameterError(f"this server holds {MAX_CLASSES} classes at once; wait until one ends")
            code = self._new_code()
            now = self._clock()
            self._entries[code] = OpenClass(code, owner, room, slides, title, {session}, now, now)
            return self._entries[code]

    def _new_code(self) -> str:
        code = ""
        while not code or code in self._entries:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        return code

    def find(self, code: str, address: str) -> OpenClass | None:
        """Return the class with a code, typed in either case; None if there is none.

        Raises
        ------
        TooManyTries
            If there is none, and `address` has tried too many wrong codes. A right one is found all the same.
        """
        with self._lock:
            entry = self._entries.get(code.strip().lower())
            if entry is None and not self._misses.allow(address):
                raise TooManyTries("too many wrong codes came from your network; wait a minute")
            return entry

    def of_owner(self, owner: Hashable, session: str) -> OpenClass | None:
        """Return the class that this owner, or this session, leads."""
        with self._lock:
            owned = (one for one in self._entries.values() if session in one.sessions or (owner and one.owner == owner))
            entry = next(owned, None)
            if entry is not None:
                entry.sessions.add(session)
                entry.seen = self._clock()
            return entry

    def forget(self, entry: OpenClass) -> None:
        """End a class and delete its data."""
        with self._lock:
            entry.room.end()
            self._entries.pop(entry.code, None)

    def sweep(self) -> None:
        """Delete the classes that are too old or were abandoned by their owner."""
        with self._lock:
            now = self._clock()
            for entry in list(self._entries.values()):
                if any(map(self._is_there, entry.sessions)):
                    entry.seen = now
                if now - entry.begun > MAX_SECONDS or now - entry.seen > ABANDONED_SECONDS:
                    self.forget(entry)
