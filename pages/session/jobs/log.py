"""Log of runs and of outages of the store, with totals for `pages.metrics`. It contains no user data.

Each event is a line of JSON on standard error unless `EDGEWISE_LOG` is "off". A run is logged with learner, table size,
seconds and outcome, without columns, titles, addresses or visitors. An outage is logged with the fault, the file name
of the database and the remedy.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any, TextIO

from learners.common.errors import LearnersError
from learners.common.task_pool import WorkerLost
from learners.data.dataset import Dataset
from learners.results.result import LearnResult

APP, WORKER = "app", "worker"  # processes that execute runs
COMPLETE, CANCELLED, REFUSED, LOST, FAILED = "complete", "cancelled", "refused", "lost", "failed"


class RunLog:
    """Thread-safe log of this process's finished runs.

    Parameters
    ----------
    out : file, or None
        Destination of the lines.

    Attributes
    ----------
    ends : Counter
        Number of runs by learner and outcome.
    seconds : Counter
        Seconds by learner.
    """

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._lock = threading.Lock()
        self.ends: Counter[tuple[str, str]] = Counter()
        self.seconds: Counter[str] = Counter()

    def run(self, key: str, dataset: Dataset, where: str, work: Callable[[], LearnResult | None]) -> LearnResult | None:
        """Do the work of a run and record its outcome; return None if it was cancelled before it began."""
        about = {"learner": key, "kind": dataset.kind, "rows": dataset.n_rows, "columns": dataset.p, "where": where}
        began, end = time.monotonic(), FAILED
        try:
            result = work()
            end = COMPLETE if result is not None and result.complete else CANCELLED
            return result
        except WorkerLost:
            end = LOST
            raise
        except LearnersError:
            end = REFUSED
            raise
        finally:
            self._note(about, end, time.monotonic() - began)

    def _note(self, about: dict[str, Any], end: str, seconds: float) -> None:
        with self._lock:
            self.ends[about["learner"], end] += 1
            self.seconds[about["learner"]] += seconds
            self._write("run", **about, end=end, seconds=round(seconds, 3))

    def store(self, event: str, **about: object) -> None:
        """Record that an outage of the store began or ended, or that its database was replaced."""
        with self._lock:
            self._write(event, **about)

    def _write(self, event: str, **about: object) -> None:
        if self._out is not None:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            with contextlib.suppress(OSError, ValueError):  # a full or closed log loses no result
                print(json.dumps({"time": now, "event": event, **about}), file=self._out, flush=True)


@cache
def record() -> RunLog:
    """Return the log of this process."""
    return RunLog(None if os.environ.get("EDGEWISE_LOG", "").strip().lower() == "off" else sys.stderr)
