"""What becomes of runs: a line of JSON each in the log, and sums for `pages.metrics`. Nothing of anybody's data.

A line goes to standard error unless `EDGEWISE_LOG` is "off". It names the learner, the size of the table, seconds and
how the run ended; no columns, titles, addresses or visitors.
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
from learners.common.pool import WorkerLost
from learners.data.dataset import Dataset
from learners.results.result import LearnResult

APP, WORKER = "app", "worker"  # where a run is at work
COMPLETE, CANCELLED, REFUSED, LOST, FAILED = "complete", "cancelled", "refused", "lost", "failed"


class Record:
    """Runs of this process that have ended; of many threads.

    Parameters
    ----------
    out : file, or None
        Where the lines go.

    Attributes
    ----------
    ends : Counter
        Runs by learner and how they ended.
    seconds : Counter
        Seconds by learner.
    """

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._lock = threading.Lock()
        self.ends: Counter[tuple[str, str]] = Counter()
        self.seconds: Counter[str] = Counter()

    def run(self, key: str, dataset: Dataset, where: str, work: Callable[[], LearnResult | None]) -> LearnResult | None:
        """Do the work of a run, and note what became of it; None if it was cancelled before it began."""
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
            if self._out is not None:
                now = datetime.now(UTC).isoformat(timespec="milliseconds")
                told = {"time": now, "event": "run", **about, "end": end, "seconds": round(seconds, 3)}
                with contextlib.suppress(OSError, ValueError):  # a log that is full or closed costs no result
                    print(json.dumps(told), file=self._out, flush=True)


@cache
def record() -> Record:
    """The one of this process."""
    return Record(None if os.environ.get("EDGEWISE_LOG", "").strip().lower() == "off" else sys.stderr)
