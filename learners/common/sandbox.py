"""Run a reader of a stranger's bytes in a child process with limits of memory, time and output.

A native library that a damaged file brings down, or that allocates what the file claims, ends its child and nothing
else. The child yields frames; the last one says how it ended, so that output that was cut off is recognised.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from .errors import DataError
from .memory import VARIABLE, step_limit_bytes

CHILD = Path(__file__).with_name("sandbox_child.py")
HEAD = struct.Struct("<cQ")
MAX_SECONDS = 120.0  # by the clock
CPU_SECONDS, CPU_SECONDS_PER_MEGABYTE = 8.0, 8.0  # small files are read in less than one
MIN_MEMORY = 512 * 1024**2  # while libraries are loaded, whose code takes addresses
FRAME_BYTES = 1 << 20  # of head and rest that come with the values
CHILDREN = threading.BoundedSemaphore(2)  # at once: each may take the memory of a whole step
# The environment of a server holds passwords, which are none of the child's business.
PASSED_VARIABLES = {
    "PATH",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "VIRTUAL_ENV",
    VARIABLE,
}
# One thread and the allocator of the system: thread stacks and pools reserve addresses, which are limited.
FRUGAL_VARIABLES = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class ChildFailed(Exception):
    """The child ended without an answer.

    Attributes
    ----------
    reason : "memory", "time", "output" or "damaged"
        The limit it reached, or "damaged" if it crashed, panicked or raised something unexpected.
    frames : list of bytes
        What it had yielded before.
    """

    def __init__(self, reason: str, frames: list[bytes]) -> None:
        super().__init__(reason)
        self.reason, self.frames = reason, frames


def run_in_sandbox(module: str, function: str, file: BinaryIO, *, max_output: float, **given: Any) -> list[bytes]:
    """Return what ``module.function(file, **given)`` yields in a child process.

    Parameters
    ----------
    module : str
        Of the library. The child imports it without importing `learners` itself, so it should import little.
    function : str
        A generator of bytes-like objects.
    file : binary file
        Passed on as it is if it is one of the system, from where it stands; else its bytes are sent.
    max_output : float
        Bytes that it may yield in all.
    **given
        Further arguments; values of JSON.

    Raises
    ------
    DataError
        If the function raised it.
    ChildFailed
        If it raised anything else, reached a limit or died.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    try:
        stdin, fed = file.fileno(), None
    except (AttributeError, io.UnsupportedOperation):
        stdin, fed = subprocess.PIPE, file.read()
    order = {
        "module": module,
        "function": function,
        "memory": max(MIN_MEMORY, step_limit_bytes()),
        "cpu_seconds": min(MAX_SECONDS, CPU_SECONDS + CPU_SECONDS_PER_MEGABYTE * size / 1024**2),
        "seconds": MAX_SECONDS,
        "given": given,
    }
    # No isolated mode: packages may have been made known by PYTHONPATH, or lie in the user's folder.
    command = [sys.executable, "-P", str(CHILD), json.dumps(order)]
    frames: list[bytes] = []
    with CHILDREN, _started(command, stdin) as process:
        if fed is not None:
            threading.Thread(target=_feed, args=(process.stdin, fed), daemon=True).start()
        late = threading.Event()
        timer = threading.Timer(MAX_SECONDS, lambda: (late.set(), process.kill()))
        timer.daemon = True
        timer.start()
        try:
            for frame in _frames(process.stdout, max_output + FRAME_BYTES):
                frames.append(frame)
        except _Ended as ended:
            raise ChildFailed(ended.reason or _reason_of_death(process, late.is_set()), frames) from None
        finally:
            timer.cancel()
    return frames


class _Ended(Exception):
    """The frames ended without their last one; for this reason, if the child or its output tells one."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


@contextlib.contextmanager
def _started(command: list[str], stdin: int) -> Iterator[subprocess.Popen]:
    """A child that is killed, if it still runs, when the block is left."""
    env = {
        key: value for key, value in os.environ.items() if key in PASSED_VARIABLES or key.startswith(("PYTHON", "LC_"))
    }
    process = subprocess.Popen(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env | FRUGAL_VARIABLES
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _feed(pipe: BinaryIO, raw: bytes) -> None:
    """Send the bytes; a child that has ended takes no more."""
    with contextlib.suppress(OSError):
        try:
            pipe.write(raw)
        finally:
            pipe.close()


def _frames(pipe: BinaryIO, most: float) -> Iterator[bytes]:
    """Yield the values up to the last frame."""
    left = most
    while True:
        head = pipe.read(HEAD.size)
        if len(head) < HEAD.size:
            raise _Ended
        kind, size = HEAD.unpack(head)
        left -= size
        if left < 0:
            raise _Ended("output")
        body = pipe.read(size)
        if len(body) < size:
            raise _Ended
        if kind == b"E":
            return
        if kind == b"R":
            raise DataError(body.decode("utf-8", "replace"))
        if kind != b"V":
            raise _Ended(body.decode("ascii", "replace"))
        yield body


def _reason_of_death(process: subprocess.Popen, late: bool) -> str:
    """Return the likely reason why the child died without a word."""
    code = process.wait()
    if late or -code in (getattr(signal, name, None) for name in ("SIGXCPU", "SIGALRM")):
        return "time"
    # The kernel kills where memory is short; Rust and C++ abort where an allocation fails.
    return "memory" if -code in (signal.SIGABRT, getattr(signal, "SIGKILL", None)) else "damaged"
