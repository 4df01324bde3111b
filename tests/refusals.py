"""Measure the memory of a refusal as the peak of a separate process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHILD = """
import resource
from learners import LearnersError, read_bif, read_table
exec({given!r})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
said = ""
try:
    {work}
except LearnersError as error:
    said = str(error)
print(1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before), said)
"""


def refusal(given: str, work: str) -> tuple[int, str]:
    """Return the growth of memory, in bytes, while `work` was refused, and the error message.

    Both arguments are Python code; `given` runs first.
    """
    code = CHILD.format(given=given, work=work)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    grown, _, reason = done.stdout.strip().partition(" ")
    return int(grown), reason
