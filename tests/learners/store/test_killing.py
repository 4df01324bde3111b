"""A process that keeps runs may be killed at any moment: what it told as finished is there, and nothing in part."""

from __future__ import annotations

import pytest

from benchmarks.killing import measured

pytestmark = pytest.mark.compiled  # nothing here is a kernel's work: once is enough


def test_killed_process_loses_no_finished_run_and_shows_none_in_part(given):
    found = measured(given, kills=4)
    assert (found.lost, found.half_written) == (0, 0)
    assert found.finished > 0
