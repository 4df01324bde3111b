"""Program of the sandbox's child process: call one function of the library on untrusted bytes.

It is started by its path and imports the library's modules under an empty package, because `learners` itself imports
compilers and data frames. Its standard output carries frames, see `sandbox`.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import struct
import sys
import types
from pathlib import Path

LIBRARY = Path(__file__).parents[1]


def main(order: str) -> None:
    """Run the requested function, and send its values and its outcome."""
    request = json.loads(order)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a native library may print to standard output
    sys.modules["learners"] = bare = types.ModuleType("learners")
    bare.__path__ = [str(LIBRARY)]
    errors, limits = (importlib.import_module(f"learners.common.{name}") for name in ("errors", "process_limits"))
    work = getattr(importlib.import_module(request["module"]), request["function"])
    limits.forbid_files()
    limits.limit_time(request["cpu_seconds"], request["seconds"])
    limits.limit_memory(request["memory"])
    try:
        source = sys.stdin.buffer
        file = source if source.seekable() else io.BytesIO(source.read())
        file.seek(0)
        for body in work(file, **request["given"]):
            send(out, b"V", body)
        kind, content = b"E", b""
    except errors.DataError as error:
        kind, content = b"R", str(error).encode("utf-8", "replace")
    except MemoryError:
        kind, content = b"F", b"memory"
    except BaseException:  # a panic of a Rust library is not an Exception
        kind, content = b"F", b"damaged"
    send(out, kind, content)
    os._exit(0)  # skip the cleanup: the library's state may be damaged


def send(out: io.BufferedWriter, kind: bytes, body: bytes) -> None:
    """Write a frame: its kind, the length of its body, and the body."""
    out.write(struct.pack("<cQ", kind, len(body)))
    out.write(body)
    out.flush()  # the next call may crash the process


if __name__ == "__main__":
    main(sys.argv[1])
