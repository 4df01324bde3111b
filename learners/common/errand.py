"""What a worker of a Dask scheduler does for a `cluster`: one piece of work, which the one who sent it looks at."""

from __future__ import annotations

import pickle
import threading
import time
from typing import Any

from .errors import ParameterError
from .spreading import spread_from_worker
from .version import __version__
from .worker import to_hand_on, values_of

ALONE = 300.0  # seconds without a look after which nobody waits any more
Word = tuple[str, int, int]


class Errand:
    """One piece of work: how far it is, what it has yielded, and whether it is still wanted."""

    def __init__(self) -> None:
        self.said: Word = ("starting", 0, 0)
        self.goes_on, self.seen = True, time.monotonic()
        self._values: list[Any] = []
        self._gone = 0  # values before these, which have arrived
        self._lock = threading.Lock()

    def add(self, value: Any) -> None:
        """One value more."""
        with self._lock:
            self._values.append(value)

    def since(self, had: int) -> tuple[int, list[Any]]:
        """Position of the first value that is still here, and all from there on; the first `had` have arrived."""
        with self._lock:
            # Fewer than have arrived may be here: work that began again yields the same once more.
            arrived = min(max(0, had - self._gone), len(self._values))
            del self._values[:arrived]
            self._gone += arrived
            return self._gone, self._values[:]

    def tick(self, phase: str, done: int, total: int) -> bool:
        """Keep the word until the next look."""
        self.said = (phase, done, total)
        return self.goes_on and time.monotonic() - self.seen < ALONE


_AT_WORK: dict[str, Errand] = {}  # in this process


def carry_out(ticket: str, version: str, packed: bytes) -> tuple[int, list[Any]]:
    """Do the work; what is not known to have arrived comes back, as `Errand.since` tells it.

    Raises
    ------
    ParameterError
        If this is another version than that of the sender.
    Exception
        What the work raised.
    """
    if version != __version__:
        raise ParameterError(
            f"workers must have the same Edgewise, found {__version__} on a worker and {version} here; install the "
            "same one on all of them"
        )
    work, given = pickle.loads(packed)
    one = _AT_WORK[ticket] = Errand()
    try:
        with spread_from_worker():
            for value in values_of(work(*given, tick=one.tick)):
                one.add(value)
        return one.since(0)
    except Exception as error:
        raise to_hand_on(error)  # noqa: B904  (it is the same)
    finally:
        del _AT_WORK[ticket]


def look(ticket: str, goes_on: bool, had: int) -> tuple[Word, int, list[Any]] | None:
    """How far it is, and what it has yielded after the `had` values that have arrived; None if it is not done here.

    Values stay until a later look says that they have arrived: an answer may be lost on its way.
    """
    one = _AT_WORK.get(ticket)
    if one is None:
        return None
    one.seen, one.goes_on = time.monotonic(), goes_on
    return one.said, *one.since(had)
