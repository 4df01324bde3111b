"""Parse untrusted bytes in a child process with limits of memory, time and output.

If a damaged file crashes a native library, or makes it allocate too much, only the child ends. The child sends frames;
the last one states the outcome, so that truncated output is detected.
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
MAX_SECONDS = 120.0  # maximum wall-clock time
# Maximum CPU time, in total and per megabyte of the file; small files take less than one second.
CPU_SECONDS, CPU_SECONDS_PER_MEGABYTE = 8.0, 8.0
MIN_MEMORY = 512 * 1024**2  # minimum memory limit in bytes, because the loaded libraries use address space
FRAME_BYTES = 1 << 20  # bytes allowed for frame headers and the last frame
CHILDREN = threading.BoundedSemaphore(2)  # limits the number of concurrent children; each may use the memory of a step
# The environment of a server may hold passwords, so only these variables are passed on.
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
# One thread and the system's allocator: thread stacks and memory pools reserve address space, which is limited.
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
        The limit that it reached; "damaged" if it crashed, panicked or raised an unexpected exception.
    frames : list of bytes
        Frames that it had sent before.
    """

    def __init__(self, reason: str, frames: list[bytes]) -> None:
        super().__init__(reason)
        self.reason, self.frames = reason, frames


def run_in_sandbox(module: str, function: str, file: BinaryIO, *, max_output: float, **given: Any) -> list[bytes]:
    """Return the values that ``module.function(file, **given)`` yields in a child process.

    Parameters
    ----------
    module : str
        Module of the library. The child imports it without importing `learners` itself, so it should import little.
    function : str
        Name of a generator of bytes-like objects.
    file : binary file
        The child inherits a file of the operating system; the bytes of any other file are sent through a pipe.
    max_output : float
        Maximum total number of bytes of the values.
    **given
        Further arguments, as JSON values.

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
    # No isolated mode: packages may come from PYTHONPATH or the user's site folder.
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
    """The frames ended without their last one; `reason` is set if the child or its output shows it."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


@contextlib.contextmanager
def _started(command: list[str], stdin: int) -> Iterator[subprocess.Popen]:
    """Start a child, and kill it when the block is left."""
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
    """Send the bytes to the child; ignore that it may have ended."""
    with contextlib.suppress(OSError):
        try:
            pipe.write(raw)
        finally:
            pipe.close()


def _frames(pipe: BinaryIO, most: float) -> Iterator[bytes]:
    """Yield the values, up to the last frame."""
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
    """Return the likely reason why the child died without its last frame."""
    code = process.wait()
    if late or -code in (getattr(signal, name, None) for name in ("SIGXCPU", "SIGALRM")):
        return "time"
    # The kernel kills a process when memory is short; Rust and C++ abort when an allocation fails.
    return "memory" if -code in (signal.SIGABRT, getattr(signal, "SIGKILL", None)) else "damaged"
