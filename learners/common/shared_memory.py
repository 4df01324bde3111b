"""Values whose large arrays several processes map from one file, without copies (Linux only).

The file lies in memory, or on the disk if the arrays are so large that those of a table would (`mapped_arrays`). It has
no name: the system removes it when its last user closes it, also after a kill.
"""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ALIGNMENT_BYTES = 64  # alignment of each array in the file in bytes
IS_SUPPORTED = hasattr(os, "memfd_create")


@contextmanager
def share(value: Any) -> Iterator[str]:
    """Write a value to a file without a name, and yield its path for `load_shared` in processes of the same user."""
    parts: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=parts.append)
    raw = [part.raw() for part in parts]
    descriptor = _opened(sum(len(part) for part in raw))
    try:
        with open(descriptor, "wb", closefd=False) as file:
            pickle.dump((head, [len(part) for part in raw]), file)
            for part in raw:
                file.write(bytes(-file.tell() % ALIGNMENT_BYTES))
                file.write(part)
        yield f"/proc/{os.getpid()}/fd/{descriptor}"
    finally:
        os.close(descriptor)


def _opened(n_bytes: int) -> int:
    """Return the descriptor of a file in memory, or of one on the disk for many bytes if it has room."""
    from .mapped_arrays import is_mapped, temporary_file  # imports NumPy

    if is_mapped(n_bytes):
        with suppress(OSError), temporary_file(n_bytes) as file:
            return os.dup(file.fileno())
    return os.memfd_create("edgewise")


def load_shared(path: str) -> Any:
    """Load a shared value; its arrays are read-only views of the file, which stays mapped while one of them lives."""
    with Path(path).open("rb") as file:
        head, sizes = pickle.load(file)
        at = file.tell()
        view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    parts = []
    for size in sizes:
        at += -at % ALIGNMENT_BYTES
        parts.append(view[at : at + size])
        at += size
    return pickle.loads(head, buffers=parts)
