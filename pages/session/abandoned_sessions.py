"""Sessions whose page was closed: let go a while later, and the memory that they held given back to the system.

Streamlit keeps a session that left for two minutes, and one that nobody follows for ever. What Python then frees stays
with the process as well: each thread that worked has a heap of its own, of which nothing is returned unasked.
"""

from __future__ import annotations

import time
from collections.abc import Callable

KEPT_SECONDS = 115.0  # in which a visitor may come back; below Streamlit's 120, after which it closes none by itself
REST_SECONDS = 5.0  # from the last that ended or was closed to the tidying


class Leavers:
    """The sessions of one process.

    Parameters
    ----------
    is_there : callable
        ``is_there(session)``: whether its page is open.
    close : callable
        ``close(session)``: let it go.
    tidy : callable
        Give memory back.
    clock : callable
        Seconds.
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
        """Follow a session."""
        self._seen[session] = self._clock()

    @property
    def n(self) -> int:
        """Sessions that are followed."""
        return len(self._seen)

    def ended(self) -> None:
        """Something that held memory has ended."""
        self._untidy_since = self._clock()

    def look(self, *, quiet: bool = True) -> None:
        """Close the sessions that left, and tidy up while all is `quiet`: it stops every thread for a moment."""
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
