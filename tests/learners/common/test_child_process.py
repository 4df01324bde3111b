"""Tests that processes of this library end with their parent process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from learners.common.child_process import exit_with_parent
from tests.polling import hang, wait_until
from tests.processes import runs
from tests.schedulers import ROOT

pytestmark = pytest.mark.compiled  # these tests run no kernel, so running them without compilation would add nothing


def begins_late(folder: str) -> None:
    """Run as a pool process whose parent ends before the process checks for it."""
    Path(folder, str(os.getpid())).touch()
    wait_until((Path(folder) / "killed").exists)
    exit_with_parent()
    hang()


def test_a_process_that_lost_its_parent_before_it_looked_ends_too(tmp_path):
    """A pool process ends even if its parent is killed before the process first checks for it."""
    ask = (
        "from multiprocessing import get_context; from tests.learners.common import test_child_process as here; "
        f"child = get_context('spawn').Process(target=here.begins_late, args=({str(tmp_path)!r},)); "
        "child.start(); child.join()"
    )
    asking = subprocess.Popen([sys.executable, "-c", ask], cwd=ROOT)
    wait_until(lambda: any(tmp_path.iterdir()))
    child = int(next(tmp_path.iterdir()).name)
    asking.kill()
    asking.wait()
    (tmp_path / "killed").touch()
    wait_until(lambda: not runs(child))
