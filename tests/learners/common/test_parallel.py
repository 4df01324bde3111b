"""Tests of chunked work on threads: each item is processed once, and progress, cancellation and errors are handled."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from learners.common import parallel
from learners.common.parallel import Crew, run_chunks
from learners.common.progress import Stopped
from tests.polling import pause


def counting(visits: np.ndarray, *, slow: bool = False):
    """Return a kernel that counts the visits of each item, optionally slowly, and checks `stop`."""

    def kernel(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        for item in range(begin, end):
            if stop[0]:
                return
            if slow:
                pause()
            visits[item] += 1
            done[0] += 1

    return kernel


class Listener:
    """A tick that records all calls and cancels from call number `no_at` on."""

    def __init__(self, no_at: int = 10**9) -> None:
        self.heard: list[tuple[str, int, int]] = []
        self.no_at = no_at

    def __call__(self, phase: str, done: int, total: int) -> bool:
        self.heard.append((phase, done, total))
        return len(self.heard) < self.no_at


@pytest.mark.parametrize("threads", [1, 2, 7, None])
@pytest.mark.parametrize("total", [1, 2, 15, 16, 17, 1_000])
def test_run_chunks_treats_each_item_once(threads, total):
    """Each item is processed once for any number of threads; the last tick reports all items as done."""
    visits = np.zeros(total, dtype=int)
    listener = Listener()
    run_chunks(counting(visits), total, phase="p", tick=listener, threads=threads)
    assert visits.tolist() == [1] * total
    assert listener.heard[-1] == ("p", total, total)


def test_run_chunks_ticks_while_it_works_with_rising_counts():
    """Ticks report increasing counts during the work: each of three items waits for a tick with the items before it."""
    listener, events = Listener(), {item: threading.Event() for item in (25, 50, 75)}

    def tick(phase, done, total):
        for item, event in events.items():
            if done >= item:
                event.set()
        return listener(phase, done, total)

    def kernel(begin: int, end: int, _stop: np.ndarray, done: np.ndarray) -> None:
        for item in range(begin, end):
            assert item not in events or events[item].wait(60), "no event was recorded meanwhile"
            done[0] += 1

    run_chunks(kernel, 100, phase="p", tick=tick, threads=1)
    done = [count for _, count, _ in listener.heard]
    assert done == sorted(done)
    assert {25, 50, 75, 100} <= set(done)


def test_run_chunks_comes_to_rest_before_it_raises_stopped():
    """No chunk writes anything after `Stopped` was raised."""
    visits = np.zeros(10_000, dtype=int)
    with pytest.raises(Stopped):
        run_chunks(counting(visits, slow=True), 10_000, phase="p", tick=Listener(no_at=2), threads=3)
    seen = visits.copy()
    assert 0 < seen.sum() < 10_000
    pause()
    assert np.array_equal(visits, seen)


def test_run_chunks_raises_stopped_for_a_no_at_the_very_end():
    """Work that is too short for an intermediate tick can be cancelled at its end."""
    visits = np.zeros(3, dtype=int)
    with pytest.raises(Stopped):
        run_chunks(counting(visits), 3, phase="p", tick=Listener(no_at=1), threads=2)
    assert visits.sum() == 3


@pytest.mark.parametrize("who", ["kernel", "listener"])
def test_run_chunks_passes_on_errors_and_leaves_no_thread_running(who):
    """An error in a kernel or a listener is raised unchanged, the other chunks are stopped, and no thread remains."""
    visits = np.zeros(3_000, dtype=int)
    slow = counting(visits, slow=True)

    def kernel(begin, end, stop, done):
        if who == "kernel" and begin == 0:
            raise KeyError("broken")
        slow(begin, end, stop, done)

    def tick(*_):
        if who == "listener":
            raise KeyError("broken")
        return True

    before = threading.active_count()
    with pytest.raises(KeyError, match="broken"):
        run_chunks(kernel, 3_000, phase="p", tick=tick, threads=2)
    assert threading.active_count() == before
    assert visits.sum() < 3_000


def test_available_cores_is_positive(monkeypatch):
    """The number of cores is positive, also on systems that cannot report the cores of a process."""
    assert parallel.available_cores() >= 1
    monkeypatch.delattr(parallel.os, "sched_getaffinity", raising=False)
    assert parallel.available_cores() >= 1


@pytest.mark.parametrize(
    ("total", "inline"),
    [(10, 10), (100, 100), (130, 130), (4_000, 84)],
    ids=["short", "within the time", "rest as short as what was done", "long"],
)
def test_short_work_starts_no_thread(monkeypatch, total, inline):
    """Work runs inline until the time is up, and to its end, in one chunk, if the rest should take no longer."""
    now, chunks = [0.0], []
    monkeypatch.setattr(parallel.time, "perf_counter", lambda: now[0])

    def kernel(begin: int, end: int, _stop: np.ndarray, _done: np.ndarray) -> None:
        chunks.append(end - begin)
        now[0] += (end - begin) * parallel.INLINE_SECONDS / 80  # the first three chunks are 4, 16 and 64 items

    stop = np.zeros(1, dtype=np.int8)
    assert parallel._run_inline(kernel, total, stop, 4, parallel.INLINE_SECONDS) == inline
    assert chunks == {10: [4, 6], 100: [4, 16, 80], 130: [4, 16, 64, 46], 4_000: [4, 16, 64]}[total]


def test_a_crew_works_at_the_same_time_and_returns_results_in_order():
    """All parts of a piece of work run at the same time; threads start with the first shared piece and end with it."""
    before, meeting = threading.active_count(), threading.Barrier(3, timeout=30.0)

    def meet(k: int) -> int:
        meeting.wait()
        return k * k

    with Crew(3) as crew:
        assert crew.map(lambda k: k, 1) == [0]
        assert threading.active_count() == before
        assert [crew.map(meet, 3) for _ in range(2)] == [[0, 1, 4]] * 2
    assert threading.active_count() == before


@pytest.mark.parametrize("who", [0, 1])
def test_a_crew_raises_an_error_after_all_parts_have_ended(who):
    """An error in any thread is raised in the calling thread once no part is running."""
    ended = []

    def work(k: int) -> None:
        if k == who:
            raise KeyError("broken")
        ended.append(k)

    with Crew(2) as crew, pytest.raises(KeyError, match="broken"):
        crew.map(work, 2)
    assert ended == [1 - who]
