"""Output of the command line: messages and the progress bar on standard error, results on standard output."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .common.errors import DataError
from .common.progress import Tick, silent

BAR = 30  # width of the progress bar in characters
MIN_GARBAGE = 50_000  # new objects until the next search for garbage; Python's default is 700


def collect_garbage_rarely() -> None:
    """Let this process search for garbage rarely, as almost all objects of its imports stay until it ends."""
    gc.set_threshold(MIN_GARBAGE, 20, 20)


def flag(name: str) -> str:
    """Return the option of a parameter: ``--max-cond-size`` for `max_cond_size`."""
    return "--" + name.replace("_", "-")


def answer(text: str) -> None:
    """Write a result to standard output."""
    if sys.stdout is None:
        raise DataError("standard output is closed; use the option --out of learn")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise DataError(f"standard output cannot be written ({error.strerror}); redirect it") from error


def discard_output() -> None:
    """Redirect standard output to the null device, so that its buffer is not flushed again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(sentences: Iterable[str]) -> None:
    """Write messages to standard error, one per line."""
    for sentence in sentences:
        sys.stderr.write(f"edgewise: {sentence}\n")


@contextmanager
def progress(*, quiet: bool) -> Iterator[Tick]:
    """Yield a tick that draws a progress bar on standard error, or `silent` if `quiet`."""
    if quiet:
        yield silent
        return
    try:
        yield _bar(time.monotonic())
    finally:
        sys.stderr.write("\n")


def _bar(began: float) -> Tick:
    def tick(phase: str, done: int, total: int) -> bool:
        filled = BAR * done // total if total else 0
        bar = "#" * filled + "." * (BAR - filled)
        sys.stderr.write(f"\r[{bar}] {phase}: {done:,} of {total:,}, {time.monotonic() - began:.1f} s   ")
        sys.stderr.flush()
        return True

    return tick
