"""Task pool on the workers of a Dask scheduler, which may run on other machines."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .dask_client import connect
from .errors import LearnersError
from .progress import Tick
from .remote_task import ProgressReport, poll_task, run_task
from .task_pool import Loader, Pool, TaskHandle, WorkerLost
from .version import __version__
from .worker_process import STOP_SECONDS

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

LOG = logging.getLogger(__name__)
POLL_SECONDS = 0.1  # seconds between two polls
ANSWER_SECONDS = 2.0  # seconds to wait for the answer of a worker, which may have died
WAITING: ProgressReport = ("waiting for a worker", 0, 0)


class Cluster(Pool):
    """Run tasks on the workers of a Dask scheduler, which must have the same version of this library.

    A task whose worker dies is restarted on another worker. If this process ends, its tasks end without a result. Dask
    enforces the memory limit of workers (``--memory-limit``). Tasks and results are pickled: use only a scheduler that
    you trust, and connect by TLS in a shared network.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as "tcp://10.0.0.1:8786", or "tls://10.0.0.1:8786" with certificates.
    asked : str
        Where the address was configured. Errors show this instead of the address, which may be confidential.
    patience : float
        Seconds from a cancel to the restart of the worker process; only a worker with a nanny can be restarted.
    security : distributed.security.Security, optional
        TLS files of the client. Default: Dask's configuration.

    Examples
    --------
    Run a learner on another machine::

        from distributed.security import Security
        from learners.common.cluster import Cluster
        from learners.common.progress import silent
        from learners.workers.remote import learn_in_worker

        files = Security(tls_ca_file="ca.pem", tls_client_cert="client.pem", tls_client_key="client.key")
        result = learn_in_worker(Cluster("tls://10.0.0.1:8786", security=files), "pc", dataset, tick=silent)
    """

    def __init__(
        self,
        address: str,
        *,
        asked: str = "the address",
        patience: float = STOP_SECONDS,
        security: Security | None = None,
    ) -> None:
        self._address, self._asked, self._patience, self._security = address, asked, patience, security
        self._made: Client | None = None
        self._places = 1
        self._lock = threading.Lock()

    def stream(
        self,
        work: Callable[..., Any],
        *given: Any,
        tick: Tick,
        running: TaskHandle | None = None,
    ) -> Iterator[Any]:
        """Run a task as `Pool.stream`; raise ParameterError if the connection fails or versions differ."""
        one = _SubmittedTask(
            self._client(), pickle.dumps((work, given), protocol=5), running or TaskHandle(), self._patience
        )
        try:
            for values in one.polls(tick):
                self._places = max(one.n_threads, 1)
                yield from values
        finally:
            one.release()

    @contextlib.contextmanager
    def share(self, value: Any) -> Iterator[Loader]:
        """Return a loader of the value, as `Pool.share`.

        The pickled value travels with each task, so that no task depends on a worker that may have died.
        """
        yield partial(pickle.loads, pickle.dumps(value, protocol=5))

    @property
    def capacity(self) -> int:
        """Number of threads of all workers at the last poll, at least 1."""
        return self._places

    def warm_up(self) -> None:
        """Connect to the scheduler; if that fails, log a warning. The next task connects again."""
        try:
            self._client()
        except LearnersError as error:
            LOG.warning("Runs cannot start: %s (%s).", error, error.__cause__)

    def close(self) -> None:
        """Disconnect from the scheduler."""
        with self._lock:
            if self._made is not None:
                self._made.close()
            self._made = None

    def resident_mb(self) -> float:
        """Return 0: the workers use no memory of this machine."""
        return 0.0

    def _client(self) -> Client:
        with self._lock:
            if self._made is None or self._made.status not in ("running", "connecting"):
                self._made = connect(self._address, self._asked, called=self._asked, security=self._security)
            return self._made


class _SubmittedTask:
    """One task that was sent to the scheduler."""

    def __init__(self, client: Client, packed: bytes, running: TaskHandle, patience: float) -> None:
        self._client, self._running, self._patience = client, running, patience
        self._ticket, self._over = f"edgewise-{uuid4().hex}", threading.Event()
        self._at, self._said = "", WAITING  # address of its worker, and its last progress report
        self._had = 0  # number of values that were received
        self.n_threads = 1  # number of threads of all workers
        # Not pure: the scheduler must not reuse a result of an older version.
        self.future = client.submit(run_task, self._ticket, __version__, packed, key=self._ticket, pure=False)
        self.future.add_done_callback(lambda _: self._over.set())

    def polls(self, tick: Tick) -> Iterator[list[Any]]:
        """Poll the worker until the task ends, and yield the new values of each poll."""
        stopped_at = 0.0
        while not self._over.wait(POLL_SECONDS):
            yield self._poll(wanted=not stopped_at)
            if stopped_at and time.monotonic() - stopped_at > self._patience:
                raise self._killed()
            if not stopped_at and not tick(*self._said):
                if not self._at:
                    return
                stopped_at = time.monotonic()
        yield self._rest()

    def _poll(self, *, wanted: bool) -> list[Any]:
        """Return the values that the task has yielded since the last poll; none if the worker does not answer."""
        from distributed import TimeoutError

        with contextlib.suppress(OSError, TimeoutError):  # the worker did not answer
            threads, at, answer = self._client.sync(self._ask, wanted, callback_timeout=ANSWER_SECONDS)
            self.n_threads = sum(threads.values())
            if self._at and self._at not in threads:
                self._running.lost += 1
                LOG.warning("A worker was lost during a run. The run restarts on another worker.")
                self._at, self._said, self._had = "", WAITING, 0
            if answer is not None:
                self._at, (self._said, first, values) = at, answer
                return self._new(first, values)
        return []

    def _new(self, first: int, values: list[Any]) -> list[Any]:
        """Return the values that had not been received; `first` is the position of ``values[0]``."""
        new = values[max(0, self._had - first) :]
        self._had = max(self._had, first + len(values))
        return new

    async def _ask(self, wanted: bool) -> tuple[Mapping[str, int], str, tuple[ProgressReport, int, list[Any]] | None]:
        """Return the threads of each worker, the worker of this task, and that worker's report.

        The worker of the last poll is asked together with the scheduler, so that it learns of a cancel without delay.
        """
        before = self._at
        report = asyncio.ensure_future(self._report(before, wanted))
        scheduler = self._client.scheduler
        try:
            threads, given = await asyncio.gather(scheduler.ncores(workers=None), scheduler.processing(workers=None))
            at = next((worker for worker, tickets in given.items() if self._ticket in tickets), "")
            return threads, at, await (report if at == before else self._report(at, wanted))
        finally:
            report.cancel()  # has no effect once it is done

    async def _report(self, at: str, wanted: bool) -> tuple[ProgressReport, int, list[Any]] | None:
        """Return the report of a worker; None if the task has no worker, or not this one."""
        if not at:
            return None
        return (
            await self._client.run(poll_task, self._ticket, wanted, self._had, workers=[at], on_error="ignore")
        ).get(at)

    def _rest(self) -> list[Any]:
        """Return the values that no poll has received."""
        from distributed import CancelledError, KilledWorker

        try:
            return self._new(*self.future.result())
        except KilledWorker as error:
            raise WorkerLost(
                "the task ended several workers and was abandoned; try again, with fewer columns or rows if "
                "memory is short"
            ) from error
        except CancelledError as error:
            raise WorkerLost("the connection to the scheduler was lost, and the results with it; try again") from error
        except (ImportError, AttributeError, RuntimeError) as error:
            if getattr(error, "__notes__", None):  # the task itself raised the error
                raise
            raise WorkerLost(
                f"scheduler and workers need Edgewise {__version__}, but one of them does not; install it there"
            ) from error

    def release(self) -> None:
        """Cancel the future, or release its result."""
        with contextlib.suppress(OSError):
            self.future.release() if self.future.done() else self.future.cancel()

    def _killed(self) -> WorkerLost:
        """Restart the worker process, which ends the task; other tasks of that worker restart elsewhere."""
        self.future.cancel()
        ending = partial(self._client.restart_workers, [self._at], timeout=ANSWER_SECONDS, raise_for_error=False)
        threading.Thread(target=_restart_or_log, args=(ending,), daemon=True).start()
        return WorkerLost(
            f"the run did not stop within {self._patience:g} s of being cancelled; its worker was restarted, and its "
            "results are lost; other runs continue"
        )


def _restart_or_log(ending: Callable[[], Any]) -> None:
    """Restart a worker, or log why that failed."""
    try:
        ending()
    except (ValueError, OSError) as error:
        LOG.warning("A worker that did not stop could not be restarted: %s.", error)
