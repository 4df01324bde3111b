"""A pytest plugin that records which functions of the product each test calls, and how long the test takes.

    python -m pytest -p benchmarks.calls -m "not deep"

It appends a line to the file in ``$EDGEWISE_CALLS`` for each test that passed: its name, its seconds, and the functions
as ``path:first line``. `benchmarks.faults` reads it to know which tests can see a fault.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from types import CodeType, FrameType

import pytest

from .machine import ROOT

FOLDERS = tuple(str(ROOT / name) + os.sep for name in ("learners", "viz", "pages"))
CALLED: set[CodeType] = set()


def note(frame: FrameType, event: str, _argument: object) -> None:
    """Record a call; a profiler for `sys.setprofile`."""
    if event == "call":
        CALLED.add(frame.f_code)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record the calls of one test, including the threads that it starts."""
    CALLED.clear()
    began = time.perf_counter()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        functions = sorted(
            f"{code.co_filename[len(str(ROOT)) + 1 :]}:{code.co_firstlineno}"
            for code in CALLED.copy()
            if code.co_filename.startswith(FOLDERS)
        )
        line = {"test": item.nodeid, "seconds": time.perf_counter() - began, "functions": functions}
        with open(os.environ["EDGEWISE_CALLS"], "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
