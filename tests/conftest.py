"""What the environment leaves of the tests."""

from __future__ import annotations

import pytest
from hypothesis import settings
from numba import config

# No test is timed: the first call of a kernel may compile it, and the machine may be busy.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where kernels are plain Python (NUMBA_DISABLE_JIT=1), leave out the tests that would take minutes."""
    if config.DISABLE_JIT:
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(pytest.mark.skip(reason="too slow where kernels are plain Python"))
