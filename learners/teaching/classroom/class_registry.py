"""Registry of the open classes of a process, found by an unguessable code and deleted when they expire.

A `RateLimiter` counts wrong codes.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..lessons.lesson import Exercise
from .class_error import ClassError
from .classroom import Classroom

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # characters of a code, without those that are easily confused
# There are 853 billion codes. Only this number prevents guessing: a correct code is never refused, because students in
# a lecture hall often share one IP address, and many wrong guesses by one of them would lock out the others.
CODE_LENGTH = 8
MAX_CLASSES = 50
MAX_SECONDS = 6 * 3600.0  # maximum lifetime of a class
ABANDONED_SECONDS = 600.0  # lifetime of a class after its owner closed all of its pages
MAX_MISSES, MISS_SECONDS = 60, 60.0  # limit of wrong codes per address, and its period
MAX_KEYS = 10_000  # limit of tracked keys; the least recently used one is evicted


class TooManyTries(ClassError):
    """An address has tried too many wrong codes."""


@dataclass
class OpenClass:
    """An open class with its owner, slides and times.

    Attributes
    ----------
    code : str
    owner : Hashable
        The user who may lead the class.
    room : Classroom
    slides : tuple
        Content beside each question.
    title : str
    sessions : set of str
        Sessions of the owner.
    language : str
        Language of the questions.
    begun, seen : float
        Times when the class was opened, and when one of these sessions was last connected.
    date : str
        Date and time when the class was opened.
    keeps : bool
        True if the class is to survive a restart of the server.
    shows_tally : bool
        True if the lecturer shows the tally before the answer.
    seconds : int or None
        Time for each question.
    workspace : str
        Workspace that stores the class; "" if none does.
    saved : int
        Value of `Classroom.changes` that was stored last; -1 if nothing was.
    """

    code: str
    owner: Hashable
    room: Classroom
    slides: tuple[Mapping[str, Any], ...]
    title: str
    sessions: set[str]
    language: str
    begun: float
    seen: float
    date: str = ""
    keeps: bool = False
    shows_tally: bool = False
    seconds: int | None = None
    workspace: str = ""
    saved: int = -1

    def ask(self, k: int) -> None:
        """Ask the question at position `k`, with the time for each question, and hide its tally."""
        self.shows_tally = False
        self.room.ask(k, self.seconds)

    def ask_own(self, exercise: Exercise, slide: Mapping[str, Any]) -> None:
        """Add a question with what is shown beside it, and ask it."""
        at = self.room.add(exercise)
        self.slides = (*self.slides[:at], slide, *self.slides[at:])
        self.ask(at)


class ClassRegistry:
    """Registry of the open classes; it deletes all data of a class that ends.

    Parameters
    ----------
    is_there : callable
        ``is_there(session)`` returns True if the page of a session is open.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, is_there: Callable[[str], bool], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._is_there, self._clock = is_there, clock
        self._entries: dict[str, OpenClass] = {}
        self._misses = RateLimiter(MAX_MISSES, MISS_SECONDS, clock=clock)
        self._lock = threading.RLock()

    def open(
        self, room: Classroom, slides: tuple, title: str, owner: Hashable, session: str, language: str = "en"
    ) -> OpenClass:
        """Open a class, and end any other open class of its owner.

        Raises
        ------
        ParameterError
            If too many classes are open.
        """
        with self._lock:
            before = self.of_owner(owner, session)
            if before is not None:
                self.forget(before)
            if len(self._entries) >= MAX_CLASSES:
                raise ClassError("this server holds {n} classes at once; wait until one ends", n=MAX_CLASSES)
            code = self._new_code()
            now = self._clock()
            self._entries[code] = OpenClass(code, owner, room, slides, title, {session}, language, now, now)
            return self._entries[code]

    def put_back(self, entry: OpenClass) -> OpenClass:
        """Add a class that was stored before a restart, and return it; an open class with its code stays instead."""
        with self._lock:
            entry.begun = entry.seen = self._clock()
            return self._entries.setdefault(entry.code, entry)

    def entries(self) -> list[OpenClass]:
        """Return the open classes."""
        with self._lock:
            return list(self._entries.values())

    def adopt(self, workspace: str, owner: Hashable, session: str) -> OpenClass | None:
        """Return the class that a workspace stores, led by this owner from now on; None if none is open."""
        with self._lock:
            entry = next((one for one in self._entries.values() if workspace and one.workspace == workspace), None)
            if entry is not None:
                entry.owner, entry.seen = owner, self._clock()
                entry.sessions.add(session)
            return entry

    def _new_code(self) -> str:
        code = ""
        while not code or code in self._entries:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        return code

    def find(self, code: str, address: str) -> OpenClass | None:
        """Return the class with a code, in upper or lower case; None if no class has it.

        Raises
        ------
        TooManyTries
            If no class has the code and `address` tried too many wrong codes. A correct code is always accepted.
        """
        with self._lock:
            entry = self._entries.get(code.strip().lower())
            if entry is None and not self._misses.allow(address):
                raise TooManyTries("too many wrong codes came from your network; wait a minute")
            return entry

    def of_owner(self, owner: Hashable, session: str) -> OpenClass | None:
        """Return the class that this owner or this session leads, and record the session as connected."""
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


class RateLimiter:
    """Allow at most `most` events per key in `seconds`.

    Parameters
    ----------
    most : int
    seconds : float
    clock : callable
        Returns the time in seconds.
    """

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def allow(self, key: str) -> bool:
        """Count an event; return False, without counting it, if the limit is reached."""
        with self._lock:
            now = self._clock()
            recent = [then for then in self._times.get(key, ()) if now - then < self._seconds]
            if len(recent) >= self._most:
                return False
            self._times[key] = [*recent, now]
            self._times.move_to_end(key)
            if len(self._times) > MAX_KEYS:
                self._times.popitem(last=False)
            return True
