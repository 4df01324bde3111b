"""Tests of killing a process that saves runs: finished runs are saved, and no run is saved in part."""

from __future__ import annotations

import pytest

from benchmarks.killing import measured

pytestmark = pytest.mark.compiled  # no test here depends on kernels, so one run suffices


@pytest.mark.gate_cases(1)
def test_killed_process_loses_no_finished_run_and_shows_none_in_part(given):
    found = measured(given, kills=4)
    assert (found.lost, found.half_written) == (0, 0)
    assert found.finished > 0
