"""Program of a worker process: ``python -m learners.common.worker_process DESCRIPTOR``; see `process_pool`."""

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

PROGRESS, VALUE, DONE, FAILED = "said", "gave", "done", "failed"  # messages of a worker, each with a value
STOP = "stop"  # message to a working process
# Seconds from a cancel to the kill of the process; on a busy machine a worker may still be importing.
STOP_SECONDS = 20.0
ORPHAN_STOP_SECONDS = 60.0  # seconds until the kill if the parent has died
NICENESS = 10  # niceness of a worker: the parent answers users and gets a core first
POLL_SECONDS = 0.05  # seconds between two progress messages, and between two polls of the pipe


class PipeTick:
    """Tick that reports progress through a pipe and receives cancels from it.

    Attributes
    ----------
    orphaned : bool
        True once the other end of the pipe was closed.
    """

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._reported, self._wanted = pipe, 0.0, True
        self.orphaned = False

    def __call__(self, phase: str, done: int, total: int) -> bool:
        """Report progress to the app; return False once the app has cancelled the task."""
        now = time.monotonic()
        if now - self._reported > POLL_SECONDS:
            self._reported = now
            try:
                self._pipe.send((PROGRESS, (phase, done, total)))
                if self._pipe.poll():
                    self._pipe.recv()
                    self._wanted = False
            except (EOFError, OSError):
                self.orphaned, self._wanted = True, False
        return self._wanted


def main(descriptor: int) -> None:
    """Run one task after another at low priority, until the pipe is closed."""
    os.nice(NICENESS)
    exit_with_parent(ORPHAN_STOP_SECONDS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is handled by the parent
    with Connection(descriptor) as pipe, contextlib.suppress(EOFError, OSError):  # raised if the parent has ended
        while True:
            request = pipe.recv()
            if request != STOP:  # a cancel may arrive after the end of its task
                pipe.send(_run(pipe, *request))
                release_memory()


def _run(
    pipe: Connection, work: Callable[..., Any], given: tuple, rescue: Callable[[Any], None] | None
) -> tuple[str, Exception | None]:
    """Run a task, and return its outcome and its exception, if any.

    Its values are sent as they come, or rescued if the parent has ended.
    """
    tick = PipeTick(pipe)
    try:
        for value in values_of(work(*given, tick=tick)):
            if not tick.orphaned:
                pipe.send((VALUE, value))
            elif rescue is not None:
                rescue(value)
        return DONE, None
    except Exception as error:  # noqa: BLE001  (raised again by the parent)
        return FAILED, portable_error(error)


def values_of(made: Any) -> Iterable[Any]:
    """Return the values of a generator, or the one result of a function."""
    return made if inspect.isgenerator(made) else (made,)


def portable_error(error: Exception) -> Exception:
    """Return the error with its traceback as a note, because pickle drops it; user errors need no traceback."""
    if isinstance(error, MemoryError):
        return out_of_memory()
    if not isinstance(error, LearnersError):
        error.add_note(traceback.format_exc())
    return error


if __name__ == "__main__":
    main(int(sys.argv[1]))
