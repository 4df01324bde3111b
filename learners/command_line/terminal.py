"""Output of the command line: messages and the progress bar on standard error, results on standard output."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ..common.errors import DataError
from ..common.progress import Tick, silent

LINE_SECONDS = 10.0  # seconds between lines of progress in a log
BAR = 30  # width of the progress bar in characters
MIN_GARBAGE = 50_000  # number of new objects until the next search for garbage; Python's default is 700


def collect_garbage_rarely() -> None:
    """Make garbage collection rare, because almost all imported objects live until the process ends."""
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


def is_terminal() -> bool:
    """Return True if standard output is a terminal, not a pipe or a file."""
    return sys.stdout is not None and sys.stdout.isatty()


def discard_output() -> None:
    """Redirect standard output to the null device, so that its buffer is not flushed again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(sentences: Iterable[str]) -> None:
    """Write messages to standard error, one per line."""
    for sentence in sentences:
        sys.stderr.write(f"edgewise: {sentence}\n")


@contextmanager
def progress(*, quiet: bool) -> Iterator[Tick]:
    """Yield a tick that shows progress on standard error, or `silent` if `quiet`."""
    if quiet:
        yield silent
        return
    if not sys.stderr.isatty():  # a log gets lines without a bar
        yield _lines(time.monotonic())
        return
    try:
        yield _bar(time.monotonic())
    finally:
        sys.stderr.write("\n")


def _bar(began: float) -> Tick:
    """Return a tick that redraws one line of a terminal."""

    def tick(phase: str, done: int, total: int) -> bool:
        filled = BAR * min(done, total) // total if total else 0
        bar = "#" * filled + "." * (BAR - filled)
        sys.stderr.write(f"\r[{bar}] {_state(phase, done, total)}, {time.monotonic() - began:.1f} s   ")
        sys.stderr.flush()
        return True

    return tick


def _lines(began: float) -> Tick:
    """Return a tick that writes a line when a phase begins for the first time, and every `LINE_SECONDS`.

    Phases of a search with many starts alternate quickly, so they get no line again.
    """
    seen: set[str] = set()
    last = began

    def tick(phase: str, done: int, total: int) -> bool:
        nonlocal last
        now, name = time.monotonic(), phase.partition(",")[0]  # counts may follow the name
        if name not in seen or now - last >= LINE_SECONDS:
            seen.add(name)
            last = now
            say([f"{_state(phase, done, total)}, {now - began:.1f} s"])
        return True

    return tick


def _state(phase: str, done: int, total: int) -> str:
    """Return the progress of a phase in percent; if the total is unknown, the number of steps, named once."""
    if total:
        return f"{phase}: {min(done, total) / total:.0%}"
    return phase if "," in phase else f"{phase}: {done:,}"
