"""A worker process: ``python -m learners.common.worker_process DESCRIPTOR``. It does what it is sent; see `workers`."""

from __future__ import annotations

import contextlib
import inspect
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

from .child_process import exit_with_parent
from .errors import LearnersError
from .memory import out_of_memory, release_memory

PROGRESS, VALUE, DONE, FAILED = "said", "gave", "done", "failed"  # what a worker sends, each with a value
STOP = "stop"  # what is sent to one at work
STOP_SECONDS = (
    5.0  # seconds that work may take to hand over what it has, once it was told to; then its process is killed
)
ORPHAN_STOP_SECONDS = 60.0  # the same where who asked has died, perhaps on a machine with much else to do
NICENESS = 10  # the process that asked, which answers people, gets a core first
POLL_SECONDS = 0.05  # seconds between two words of progress, and two looks at the line


class PipeTick:
    """A tick that tells the other end of a line, and hears from there whether to stop.

    Attributes
    ----------
    alone : bool
        Whether the other end has gone.
    """

    def __init__(self, line: Connection) -> None:
        self._line, self._told, self._goes_on = line, 0.0, True
        self.alone = False

    def __call__(self, phase: str, done: int, total: int) -> bool:
        now = time.monotonic()
        if now - self._told > POLL_SECONDS:
            self._told = now
            try:
                self._line.send((PROGRESS, (phase, done, total)))
                if self._line.poll():
                    self._line.recv()
                    self._goes_on = False
            except (EOFError, OSError):
                self.alone, self._goes_on = True, False
        return self._goes_on


def main(descriptor: int) -> None:
    """Do one piece of work after the other, with low priority, until the line is closed."""
    os.nice(NICENESS)
    exit_with_parent(ORPHAN_STOP_SECONDS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the one that started this
    with Connection(descriptor) as line, contextlib.suppress(EOFError, OSError):  # the other end has gone
        while True:
            asked = line.recv()
            if asked != STOP:  # which may come when all is done
                line.send(_run(line, *asked))
                release_memory()


def _run(
    line: Connection, work: Callable[..., Any], given: tuple, rescue: Callable[[Any], None] | None
) -> tuple[str, Exception | None]:
    """How it ended; what came of it is sent on the way, or rescued if nobody is there any more."""
    tick = PipeTick(line)
    try:
        for value in values_of(work(*given, tick=tick)):
            if not tick.alone:
                line.send((VALUE, value))
            elif rescue is not None:
                rescue(value)
        return DONE, None
    except Exception as error:  # noqa: BLE001  (handed on to who asked)
        return FAILED, portable_error(error)


def values_of(made: Any) -> Iterable[Any]:
    """What a generator yields, or the one answer of a function."""
    return made if inspect.isgenerator(made) else (made,)


def portable_error(error: Exception) -> Exception:
    """Return the error with its traceback as a note, since pickle drops it; a message to the user needs none."""
    if isinstance(error, MemoryError):
        return out_of_memory()
    if not isinstance(error, LearnersError):
        error.add_note(traceback.format_exc())
    return error


if __name__ == "__main__":
    main(int(sys.argv[1]))
