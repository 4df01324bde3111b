"""Metrics for Prometheus at /metrics: runs, queue, seconds and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse

FORMAT = "text/plain; version=0.0.4; charset=utf-8"
Rows = list[tuple[Mapping[str, str], float]]


def metrics(_request: Request) -> PlainTextResponse:
    """Return the metrics as a response; not a coroutine, so that it is built outside the event loop."""
    return PlainTextResponse("\n".join(lines()) + "\n", media_type=FORMAT)


def lines() -> Iterator[str]:
    """Yield all metrics of this process and its workers; they contain no user data."""
    # Imported here, because the server answers its first visitor before the library is loaded.
    from learners.common.memory import MEGABYTE, resident_mb
    from pages.session.jobs import ownership
    from pages.session.jobs.log import APP, WORKER, record
    from pages.session.jobs.queue import workers

    lanes, done = ownership.supervisor().lanes(), record()
    held = {APP: resident_mb(), WORKER: workers().resident_mb()}
    ends = [({"learner": key, "end": end}, n) for (key, end), n in sorted(done.ends.items())]
    seconds = [({"learner": key}, taken) for key, taken in sorted(done.seconds.items())]
    yield from _family("runs_total", "counter", "Runs that ended, by learner and how.", ends)
    yield from _family("run_seconds_total", "counter", "Seconds that they took.", seconds)
    yield from _family("runs_at_work", "gauge", "Runs at work.", _by_place(lanes, lambda lane: lane.at_work))
    yield from _family("runs_waiting", "gauge", "Runs in the queue.", _by_place(lanes, lambda lane: lane.waiting))
    yield from _family("memory_bytes", "gauge", "Memory held.", _by_place(held, lambda mb: MEGABYTE * mb))
    yield from _family("sessions", "gauge", "Sessions that are kept.", [({}, ownership.leavers().n)])


def _by_place(values: Mapping[str, Any], number: Callable[[Any], float]) -> Rows:
    return [({"where": place}, number(value)) for place, value in values.items()]


def _family(name: str, kind: str, about: str, rows: Rows) -> Iterator[str]:
    """Yield the lines of one metric; labels need no escapes."""
    yield f"# HELP edgewise_{name} {about}"
    yield f"# TYPE edgewise_{name} {kind}"
    for labels, value in rows:
        pairs = ",".join(f'{label}="{text}"' for label, text in labels.items())
        yield f"edgewise_{name}{{{pairs}}} {value:.10g}" if pairs else f"edgewise_{name} {value:.10g}"
