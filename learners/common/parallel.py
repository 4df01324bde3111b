"""Run independent items of a compiled kernel in threads, report progress, and stop on a cancel.

The kernels release the GIL and write each item's result to its own slot, so results do not depend on the number of
threads. The calling thread only waits and ticks; a tick that cancels sets `stop`, which the kernels check.
"""

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Self, TypeVar

import numpy as np

from .progress import Stopped, Tick

TICK_SECONDS = 0.05
CHUNKS_PER_THREAD = 32  # number of chunks per thread; chunks differ in cost, and small ones balance the load
INLINE_SECONDS = 0.003  # seconds, divided by the number of threads; shorter work runs inline without threads

ExecutorFactory = Callable[[], AbstractContextManager[Executor]]
REMOTE_EXECUTOR: ContextVar[ExecutorFactory | None] = ContextVar("remote_executor", default=None)  # see `dask_client`

_ONE_THREAD: ContextVar[bool] = ContextVar("one_thread", default=False)

Kernel = Callable[[int, int, np.ndarray, np.ndarray], None]
Work = Callable[[Any, np.ndarray], list]
T = TypeVar("T")


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Let kernels run in one thread, so that the time of their work is its time on one core."""
    token = _ONE_THREAD.set(True)
    try:
        yield
    finally:
        _ONE_THREAD.reset(token)


def run_in_thread(work: Callable[[np.ndarray, np.ndarray], T], *, phase: str, tick: Tick, light: bool = False) -> T:
    """Return ``work(stop, done)``, computed in one thread.

    Parameters
    ----------
    work : callable
        Returns early, with any result, once ``stop[0]`` is set; may report its progress in ``done[0]``.
    phase, tick
        See `run_chunks`.
    light : bool, default False
        True if the work takes far less than a tick; it then runs without a thread.

    Raises
    ------
    Stopped
        If a tick returned False; the thread has ended by then.
    """
    found: list[T] = []
    run_chunks(
        lambda _begin, _end, stop, done: found.append(work(stop, done)),
        1,
        phase=phase,
        tick=tick,
        threads=1,
        light=light,
    )
    return found[0]


def run_chunks(
    kernel: Kernel,
    total: int,
    *,
    phase: str,
    tick: Tick,
    threads: int | None = None,
    light: bool = False,
    first: int = 4,
) -> None:
    """Run a kernel over chunks of ``range(total)``.

    Parameters
    ----------
    kernel : callable
        ``kernel(begin, end, stop, done)`` processes the items ``begin .. end - 1``, adds 1 to ``done[0]`` for each, and
        returns early once ``stop[0]`` is set. It may run in several threads at the same time.
    total : int
        Number of items.
    phase : str
        Name of the phase for the tick.
    tick : Tick
        Called at least every 100 ms with the number of finished items.
    threads : int, optional
        Default: the available cores.
    light : bool, default False
        True if an item takes far less than a tick. Short work then runs inline, without threads.
    first : int, default 4
        Number of items in the first inline chunk; later chunks grow.

    Raises
    ------
    Stopped
        If a tick returned False; all threads have ended by then.
    """
    run_chunks_per_thread(lambda: kernel, total, phase=phase, tick=tick, threads=threads, light=light, first=first)


def run_chunks_per_thread(
    start: Callable[[], Kernel],
    total: int,
    *,
    phase: str,
    tick: Tick,
    threads: int | None = None,
    light: bool = False,
    first: int = 4,
) -> None:
    """Run kernels with working memory over chunks of ``range(total)``.

    Parameters
    ----------
    start : callable
        Called once in each thread to allocate its working memory; returns the kernel of this thread.
    total, phase, tick, threads, light, first
        See `run_chunks`.

    Raises
    ------
    Stopped
        If a tick returned False; all threads have ended by then.
    """
    stop = np.zeros(1, dtype=np.int8)
    threads = 1 if _ONE_THREAD.get() else threads or available_cores()
    begun = _run_inline(start(), total, stop, first, INLINE_SECONDS / threads) if light else 0
    left = total - begun
    if left:
        threads = min(threads, left)
        bounds = np.linspace(begun, total, min(left, threads * CHUNKS_PER_THREAD) + 1).astype(int)
        _ThreadPool(start, bounds, stop, threads).work(lambda done: tick(phase, begun + done, total))
    if not tick(phase, total, total):
        raise Stopped


class Crew:
    """Threads that share many short pieces of work; use it in a ``with`` statement.

    Parameters
    ----------
    threads : int, optional
        Number of threads, the calling one included. Default: the available cores.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.size = 1 if _ONE_THREAD.get() else threads or available_cores()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def map(self, work: Callable[[int], T], n: int) -> list[T]:
        """Return ``work(k)`` for each k of ``range(n)``, n <= size, computed at the same time; k = 0 in this thread."""
        if n == 1:
            return [work(0)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.size - 1)
        others = [self._pool.submit(work, k) for k in range(1, n)]
        try:
            first = work(0)
        finally:
            wait(others)
        return [first, *(other.result() for other in others)]


def run_task_tree(
    start: Callable[[], Work], first: list, *, phase: str, tick: Tick, threads: int | None = None
) -> None:
    """Run tasks that create further tasks, the newest first, until none is left.

    Parameters
    ----------
    start : callable
        Called once in each thread. Returns ``work(task, stop)``, which runs one task, returns the tasks that it
        creates, and returns early once ``stop[0]`` is set.
    first : list
        Initial tasks.
    phase, tick, threads
        See `run_chunks`; the tick gets the numbers of finished and of known tasks.

    Raises
    ------
    Stopped
        If a tick returned False; all threads have ended by then.
    """
    stack = _TaskStack(first)
    stack.work(
        start, threads or available_cores(), lambda: tick(phase, stack.n_done, stack.n_done + len(stack.tasks) + 1)
    )
    if not tick(phase, stack.n_done, stack.n_done):
        raise Stopped


def ordered_map(
    work: Callable[[int, Callable[[], bool]], Any], total: int, *, phase: str, tick: Tick, threads: int | None = None
) -> list:
    """Return the results of ``work(t, wanted)`` for ``range(total)``, computed concurrently, in order.

    Parameters
    ----------
    work : callable
        It must call ``wanted()`` regularly, which returns True, or raises once the result is no longer wanted. A result
        of None means that the work was abandoned.
    total : int
        Number of items.
    phase, tick, threads
        See `run_chunks`; the tick gets the number of finished results before the first unfinished one.

    Returns
    -------
    list
        Results before the first None, or before the first one that was unfinished when a tick returned False. All
        threads have ended by then.
    """
    if executor := REMOTE_EXECUTOR.get():
        with executor() as remote:
            return _collect([remote.submit(work, t, _always_wanted) for t in range(total)], phase, tick)
    stop = threading.Event()

    def wanted() -> bool:
        if stop.is_set():
            raise _Abandoned
        return True

    def one(t: int) -> Any:
        try:
            return work(t, wanted) if wanted() else None
        except _Abandoned:
            return None

    with ThreadPoolExecutor(min(threads or available_cores(), max(total, 1))) as pool:
        try:
            return _collect([pool.submit(one, t) for t in range(total)], phase, tick)
        finally:
            stop.set()


class _Abandoned(BaseException):
    """Raised to cancel work whose result is not needed; a BaseException, so that no learner catches it."""


def _always_wanted() -> bool:
    """Return True: remote work is not asked to stop; its future is cancelled instead."""
    return True


def _collect(waiting: list[Future], phase: str, tick: Tick) -> list:
    """Return the results in order, up to the first None, or until a tick returns False."""
    found: list = []
    for result in waiting:
        while tick(phase, len(found), len(waiting)):
            if wait([result], TICK_SECONDS).done:
                break
        else:
            break
        if result.result() is None:
            break
        found.append(result.result())
    for result in waiting[len(found) :]:
        result.cancel()
    return found


def _run_inline(kernel: Kernel, total: int, stop: np.ndarray, size: int, seconds: float) -> int:
    """Process the first items in this thread for about `seconds`; return their number.

    It continues to the end, in one chunk, once the other items take no longer than that at the same speed.
    """
    done = np.zeros(1, dtype=np.int64)
    began, begin, spent = time.perf_counter(), 0, 0.0
    while begin < total:
        left = total - begin
        is_short = begin > 0 and spent * left <= seconds * begin
        if spent >= seconds and not is_short:
            break
        end = total if is_short else min(total, begin + size)
        kernel(begin, end, stop, done)
        begin, size = end, size * 4
        spent = time.perf_counter() - began
    return begin


class _ThreadPool:
    """Threads that take one chunk after another."""

    def __init__(self, start: Callable[[], Kernel], bounds: np.ndarray, stop: np.ndarray, threads: int) -> None:
        self._start = start
        self._bounds = bounds
        self._stop = stop
        self._done = np.zeros((len(bounds) - 1, 1), dtype=np.int64)
        self._next = itertools.count()  # next() is atomic
        self._error: BaseException | None = None
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(threads)]

    def work(self, listen: Callable[[int], bool]) -> None:
        """Process all chunks and report the finished items to `listen`; raise Stopped if it cancels."""
        for thread in self._threads:
            thread.start()
        try:
            for thread in self._threads:
                thread.join(TICK_SECONDS)
                while thread.is_alive():
                    if not listen(int(self._done.sum())):
                        raise Stopped
                    thread.join(TICK_SECONDS)
        finally:
            self._stop[0] = 1
            for thread in self._threads:
                thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            kernel = self._start()
            while not self._stop[0] and (piece := next(self._next)) < len(self._done):
                kernel(int(self._bounds[piece]), int(self._bounds[piece + 1]), self._stop, self._done[piece])
        except BaseException as error:  # raised again by the waiting thread
            self._error = error
            self._stop[0] = 1


class _TaskStack:
    """Stack of tasks that several threads process."""

    def __init__(self, tasks: list) -> None:
        self.tasks = list(tasks)
        self.n_done = 0
        self._active = 0
        self._stop = np.zeros(1, dtype=np.int8)
        self._change = threading.Condition()
        self._error: BaseException | None = None

    def work(self, start: Callable[[], Work], threads: int, listen: Callable[[], bool]) -> None:
        """Run all tasks and call `listen` while waiting; raise Stopped if it returns False."""
        pool = [threading.Thread(target=self._run, args=(start,), daemon=True) for _ in range(threads)]
        for thread in pool:
            thread.start()
        try:
            for thread in pool:
                thread.join(TICK_SECONDS)
                while thread.is_alive():
                    if not listen():
                        raise Stopped
                    thread.join(TICK_SECONDS)
        finally:
            self._stop[0] = 1
            for thread in pool:
                thread.join()
        if self._error is not None:
            raise self._error

    def _run(self, start: Callable[[], Work]) -> None:
        try:
            work = start()
            while (task := self._take()) is not None:
                self._give(work(task, self._stop))
        except BaseException as error:  # raised again by the waiting thread
            self._error = error
            self._stop[0] = 1

    def _take(self) -> Any:
        with self._change:
            while not self.tasks and self._active and not self._stop[0]:
                self._change.wait(TICK_SECONDS)
            if self._stop[0] or not self.tasks:
                return None
            self._active += 1
            return self.tasks.pop()

    def _give(self, more: list) -> None:
        with self._change:
            self.tasks.extend(reversed(more))
            self._active -= 1
            self.n_done += 1
            self._change.notify_all()
