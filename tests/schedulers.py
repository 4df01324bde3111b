"""A Dask scheduler with workers in processes of their own, which a test may kill."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.polling import wait_until

ROOT = Path(__file__).parents[1]


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, Callable[[], subprocess.Popen]]]:
    """Its address, and what begins one more worker, which nobody starts again."""
    told = folder / "scheduler.json"
    with ExitStack() as stack:
        where = ("--scheduler-file", str(told))
        _begin(stack, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", *where)
        wait_until(lambda: told.exists() and told.read_text())
        once = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
        yield (
            json.loads(told.read_text())["address"],
            lambda: _begin(stack, "distributed.cli.dask_worker", *where, *once),
        )


def _begin(stack: ExitStack, *words: str) -> subprocess.Popen:
    """One of Dask's programs, in a process of its own until the stack is closed."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, **quiet)
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process
