"""Tests that an explanation imports neither plots nor the families that did not learn the result."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MAX_MODULES = 60
COUNT = """
import sys
import learners.explaining.explanation, viz.evidence_table
own = [name for name in sys.modules if name.split(".")[0] in ("learners", "viz", "pages")]
print(len(own), *own)
"""


@pytest.mark.deep
def test_explaining_loads_few_modules_and_no_family():
    printed = subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    number, *own = printed.split()
    assert int(number) <= MAX_MODULES
    assert not [name for name in own if name.startswith("learners.families")]
