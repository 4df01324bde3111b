"""A worker process: ``python -m learners.common.worker DESCRIPTOR``. It does what it is sent; see `workers`."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from .errors import LearnersError
from .memory import give_back
from .processes import end_with_parent

SAID, DONE, FAILED = "said", "done", "failed"  # what a worker sends, each with a value
STOP = "stop"  # what is sent to one at work
EVERY = 0.05  # seconds between two words of progress, and two looks at the line


class Telling:
    """A tick that tells the other end of a line, and hears from there whether to stop."""

    def __init__(self, line: Connection) -> None:
        self._line, self._told, self._goes_on = line, 0.0, True

    def __call__(self, phase: str, done: int, total: int) -> bool:
        now = time.monotonic()
        if now - self._told > EVERY:
            self._told = now
            self._line.send((SAID, (phase, done, total)))
            if self._line.poll():
                self._line.recv()
                self._goes_on = False
        return self._goes_on


def main(descriptor: int) -> None:
    """Do one piece of work after the other, until the line is closed."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the one that started this
    with Connection(descriptor) as line, contextlib.suppress(EOFError, OSError):  # the other end has gone
        while True:
            asked = line.recv()
            if asked != STOP:  # which may come when all is done
                line.send(_answer(line, *asked))
                give_back()


def _answer(line: Connection, work: Callable[..., Any], given: tuple) -> tuple[str, Any]:
    try:
        return DONE, work(*given, tick=Telling(line))
    except Exception as error:  # noqa: BLE001  (handed on to who asked)
        if not isinstance(error, LearnersError):
            error.add_note(traceback.format_exc())  # which does not travel by itself
        return FAILED, error


if __name__ == "__main__":
    main(int(sys.argv[1]))
