"""What the command line says: sentences and a bar on standard error, answers on standard output."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .common.errors import DataError
from .common.progress import Tick, silent

BAR = 30  # characters of the progress bar


def flag(name: str) -> str:
    """Return the option of a parameter: ``--max-cond-size`` of `max_cond_size`."""
    return "--" + name.replace("_", "-")


def answer(text: str) -> None:
    """Write to standard output."""
    if sys.stdout is None:
        raise DataError("standard output is closed; open it, or add --out to learn")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        read_no_more()
        raise DataError(f"standard output cannot be written ({error.strerror}); lead it elsewhere") from error


def read_no_more() -> None:
    """Lead standard output nowhere: what is left in it would be written once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(sentences: Iterable[str]) -> None:
    """Write sentences to standard error."""
    for sentence in sentences:
        sys.stderr.write(f"edgewise: {sentence}\n")


@contextmanager
def progress(*, quiet: bool) -> Iterator[Tick]:
    """A listener that draws a bar, below which the next line begins; one that only listens if `quiet`."""
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
