"""Close abandoned sessions after a grace period, and return their memory to the system.

Streamlit keeps a disconnected session for two minutes, and forever if it was never connected. Memory that Python frees
also stays with the process: each worker thread has its own heap, which is returned only on request.
"""

from __future__ import annotations

import time
from collections.abc import Callable

KEPT_SECONDS = 115.0  # grace period; below Streamlit's own 120, after which it may keep the session forever
REST_SECONDS = 5.0  # delay between the end of the last job or session and trimming memory


class Leavers:
    """The watched sessions of one process.

    Parameters
    ----------
    is_there : callable
        ``is_there(session)`` returns True if the page of the session is open.
    close : callable
        ``close(session)`` closes it.
    tidy : callable
        Returns free memory to the system.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self,
        is_there: Callable[[str], bool],
        close: Callable[[str], None],
        tidy: Callable[[], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_there, self._close, self._tidy, self._clock = is_there, close, tidy, clock
        self._seen: dict[str, float] = {}
        self._untidy_since: float | None = None

    def enter(self, session: str) -> None:
        """Watch a session."""
        self._seen[session] = self._clock()

    @property
    def n(self) -> int:
        """Return the number of watched sessions."""
        return len(self._seen)

    def ended(self) -> None:
        """Record the end of a session or job that used memory."""
        self._untidy_since = self._clock()

    def look(self, *, quiet: bool = True) -> None:
        """Close abandoned sessions; if `quiet`, also trim memory, which stops every thread for a moment."""
        now = self._clock()
        for session, seen in list(self._seen.items()):
            if self._is_there(session):
                self._seen[session] = now
            elif now - seen > KEPT_SECONDS:
                del self._seen[session]
                self._close(session)
                self.ended()
        if quiet and self._untidy_since is not None and now - self._untidy_since > REST_SECONDS:
            self._untidy_since = None
            self._tidy()
