"""Configuration of pytest: test data, garbage collection, order of imports, markers and durations."""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings
from numba import config

from tests.tiers import mark_deep_cases

TESTS = Path(__file__).parent
collect_ignore = ["opening.py"]  # a program for an installed app

# Test data are separate from the user's data and deleted at the end.
KEPT = tempfile.TemporaryDirectory(prefix="edgewise-tests-")
os.environ["EDGEWISE_DATA"] = KEPT.name

# No test has a time limit: the first call of a kernel may compile it, and the machine may be busy.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Collection creates millions of long-lived objects; searching them for garbage would take a third of the time.
gc.disable()


def pytest_collection(session: pytest.Session) -> None:
    """Let the second worker import the last half of the test files first.

    In a new clone, each of two workers then writes the bytecode of one half, and reads that of the other.
    """
    if os.environ.get("PYTEST_XDIST_WORKER") != "gw1":
        return
    root = session.config.rootpath
    folders = [path for one in session.config.args if (path := root / one).is_dir() and path.is_relative_to(TESTS)]
    files = sorted({path.relative_to(root) for folder in folders for path in folder.rglob("test_*.py")})
    for path in files[len(files) // 2 :]:
        with suppress(Exception):  # pytest reports the error when it collects the file
            import_module(".".join(path.with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases outside the gate; skip tests marked `compiled` if kernels are plain Python."""
    mark_deep_cases(items)
    if config.DISABLE_JIT:
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(pytest.mark.skip(reason="too slow where kernels are plain Python, or without one"))


def pytest_collection_finish() -> None:
    """Exclude all present objects from garbage collection, and enable it with a higher threshold than the default."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """With --durations 25 or more, report seconds per test over all of its parameters."""
    most = config.getoption("durations") or 0
    if most < 25:
        return
    seconds, times = Counter(), Counter()
    for reports in terminalreporter.stats.values():
        for one in reports:
            if isinstance(one, pytest.TestReport):
                name = one.nodeid.partition("[")[0]
                seconds[name] += one.duration
                times[name] += one.when == "call"
    terminalreporter.section(f"longest {most} tests with all their parameters")
    for name, spent in seconds.most_common(most):
        terminalreporter.write_line(f"{spent:.1f}s  {times[name]:4d} x  {name}")
