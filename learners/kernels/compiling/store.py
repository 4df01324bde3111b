"""Folder of compiled kernels: one file for each kernel and list of argument types, named after its content.

It is ``$EDGEWISE_CACHE``, otherwise ``edgewise`` in the user's cache folder. Files are written completely or not at
all. A file that cannot be read is recompiled; one that was not used for a month is removed.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import tempfile
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

try:
    import fcntl
except ImportError:  # Windows: two processes may then compile the same kernel, which costs only time
    fcntl = None

UNUSED_DAYS = 30
DAY = 86_400.0
COMPRESSION = 1  # five times smaller, and faster to read than higher levels are to unpack
SUFFIX = ".kernel"
MARK = ".ready"
LOCKS = "locks"
LOCK_LETTERS = 15  # letters of a name that give the position of its lock: file offsets have 63 bits
T = TypeVar("T")


def folder() -> Path:
    """Return the folder of compiled kernels."""
    chosen = os.environ.get("EDGEWISE_CACHE")
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (Path(chosen) if chosen else Path(caches) / "edgewise") / "kernels"


def load(name: str, rebuild: Callable[[tuple], T]) -> T | None:
    """Return the rebuilt entry; None if it is missing or broken."""
    path = folder() / (name + SUFFIX)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    try:
        entry = rebuild(pickle.loads(zlib.decompress(content)))
    except Exception:  # noqa: BLE001  (a broken file may fail in any way; it is recompiled and overwritten)
        return None
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)
    return entry


def save(name: str, content: bytes) -> None:
    """Write the entry; warn once if that is impossible."""
    try:
        where = _ready(folder())
        with tempfile.NamedTemporaryFile(dir=where, prefix=name, delete=False) as file:
            try:
                file.write(zlib.compress(content, COMPRESSION))
                file.flush()  # fails here if the disk is full
            except OSError:
                os.unlink(file.name)
                raise
        os.replace(file.name, where / (name + SUFFIX))
    except OSError as error:
        _complain(folder(), error.strerror)


def is_writable() -> bool:
    """Return True if compiled kernels can be stored."""
    try:
        return os.access(_ready(folder()), os.W_OK)
    except OSError:
        return False


def mark(name: str) -> None:
    """Create a marker file that records a finished step, if possible."""
    with contextlib.suppress(OSError):
        (_ready(folder()) / (name + MARK)).touch()


def is_marked(name: str) -> bool:
    """Return True if the marker file exists."""
    return (folder() / (name + MARK)).exists()


def subfolder(name: str) -> Path:
    """Return a folder beside the entries and refresh its time of use; create it if the cache is writable."""
    path = folder() / name
    with contextlib.suppress(OSError):
        _ready(folder())
        path.mkdir(mode=0o700, exist_ok=True)
        os.utime(path)
    return path


@cache
def _ready(where: Path) -> Path:
    """Return the folder; create it if necessary, and remove unused entries."""
    where.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in where.iterdir():
        with contextlib.suppress(OSError):
            if path.name != LOCKS and time.time() - path.stat().st_mtime > UNUSED_DAYS * DAY:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    return where


@cache
def _complain(where: Path, reason: str) -> None:
    warnings.warn(
        f"compiled kernels cannot be kept in {where} ({reason}), so every start compiles what it runs, for seconds to "
        "minutes; set EDGEWISE_CACHE to a folder that can be written",
        stacklevel=2,
    )


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Hold a lock while an entry is compiled; other processes wait and then load the entry.

    If a process dies, the system releases its lock.

    The lock is one byte of a common file, which avoids one file per kernel. If there is no folder, or if kernels that
    share a byte would deadlock, the work is done without a lock.
    """
    file, byte = _lock_file(folder()), int(name[-LOCK_LETTERS:], 16)
    locked = False
    if file is not None:
        with contextlib.suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, byte)
            locked = True
    try:
        yield
    finally:
        if locked:
            fcntl.lockf(file, fcntl.LOCK_UN, 1, byte)


@cache
def _lock_file(where: Path) -> int | None:
    """Return the lock file, opened once and never closed: closing any handle would release all locks of the process."""
    if fcntl is None:
        return None
    try:
        return os.open(_ready(where) / LOCKS, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
