"""A cluster: the workers of a Dask scheduler, on any machines, do the work of this process."""

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
from .pool import Loader, Pool, TaskHandle, WorkerLost
from .progress import Tick
from .remote_task import ProgressReport, poll_task, run_task
from .version import __version__
from .worker_process import STOP_SECONDS

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

LOG = logging.getLogger(__name__)
POLL_SECONDS = 0.1  # seconds between two looks
ANSWER_SECONDS = 2.0  # seconds for a worker to answer one; it may have died
WAITING: ProgressReport = ("waiting for a worker", 0, 0)


class Cluster(Pool):
    """Workers of a Dask scheduler, which must have this version of the library.

    Work whose worker dies is begun again on another one; without this process it ends, and nothing of it is rescued.
    Memory is Dask's to watch (``--memory-limit``). Work and results are pickled: trust the scheduler, and reach it by
    TLS in a network that others use.

    Parameters
    ----------
    address : str
        Such as "tcp://10.0.0.1:8786", or "tls://10.0.0.1:8786" for a scheduler with certificates.
    asked : str
        How the address was given: errors say this instead of it, which need not concern who reads them.
    patience : float
        Seconds from a cancel to the kill of the worker, if a nanny looks after it.
    security : distributed.security.Security, optional
        TLS files of the client. Default: those of Dask's configuration.

    Examples
    --------
    Run a learner on another machine::

        from distributed.security import Security
        from learners.remote import learn_apart
        from learners.common.cluster import Cluster
        from learners.common.progress import silent

        files = Security(tls_ca_file="ca.pem", tls_client_cert="client.pem", tls_client_key="client.key")
        result = learn_apart(Cluster("tls://10.0.0.1:8786", security=files), "pc", dataset, tick=silent)
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
        """See `Pool`; ParameterError if no scheduler accepts this client, or a worker has another version."""
        one = _SubmittedTask(
            self._client(), pickle.dumps((work, given), protocol=5), running or TaskHandle(), self._patience
        )
        try:
            for values in one.looks(tick):
                self._places = max(one.n_threads, 1)
                yield from values
        finally:
            one.release()

    @contextlib.contextmanager
    def share(self, value: Any) -> Iterator[Loader]:
        """See `Pool`; it goes with each piece of work, so that none waits for a worker that died with it."""
        yield partial(pickle.loads, pickle.dumps(value, protocol=5))

    @property
    def capacity(self) -> int:
        """Threads that all workers had at the last look; 1 if none, so that there is a next one."""
        return self._places

    def warm_up(self) -> None:
        """Connect to the scheduler; log a warning if that fails, and let the next work try again."""
        try:
            self._client()
        except LearnersError as error:
            LOG.warning("Runs cannot begin: %s (%s).", error, error.__cause__)

    def close(self) -> None:
        """Let the scheduler go."""
        with self._lock:
            if self._made is not None:
                self._made.close()
            self._made = None

    def resident_mb(self) -> float:
        """Nothing of this machine."""
        return 0.0

    def _client(self) -> Client:
        with self._lock:
            if self._made is None or self._made.status not in ("running", "connecting"):
                self._made = connect(self._address, self._asked, called=self._asked, security=self._security)
            return self._made


class _SubmittedTask:
    """One piece of work that a worker does, or will do."""

    def __init__(self, client: Client, packed: bytes, running: TaskHandle, patience: float) -> None:
        self._client, self._running, self._patience = client, running, patience
        self._ticket, self._over = f"edgewise-{uuid4().hex}", threading.Event()
        self._at, self._said = "", WAITING  # the worker that is at it, and its last word
        self._had = 0  # values that have arrived
        self.n_threads = 1  # of all workers
        # Not pure: the scheduler may not hand out what an older version computed.
        self.future = client.submit(run_task, self._ticket, __version__, packed, key=self._ticket, pure=False)
        self.future.add_done_callback(lambda _: self._over.set())

    def looks(self, tick: Tick) -> Iterator[list[Any]]:
        """What comes of it, as it comes."""
        stopped_at = 0.0
        while not self._over.wait(POLL_SECONDS):
            yield self._look(goes_on=not stopped_at)
            if stopped_at and time.monotonic() - stopped_at > self._patience:
                raise self._killed()
            if not stopped_at and not tick(*self._said):
                if not self._at:
                    return
                stopped_at = time.monotonic()
        yield self._rest()

    def _look(self, *, goes_on: bool) -> list[Any]:
        """What it has yielded since the last look."""
        from distributed import TimeoutError

        with contextlib.suppress(OSError, TimeoutError):  # no news
            threads, at, told = self._client.sync(self._asked, goes_on, callback_timeout=ANSWER_SECONDS)
            self.n_threads = sum(threads.values())
            if self._at and self._at not in threads:
                self._running.lost += 1
                LOG.warning("A worker was lost in the middle of a run, which begins again on another one.")
                self._at, self._said, self._had = "", WAITING, 0
            if told is not None:
                self._at, (self._said, first, values) = at, told
                return self._new(first, values)
        return []

    def _new(self, first: int, values: list[Any]) -> list[Any]:
        """Those that had not arrived; `first` is the position of the first of all."""
        new = values[max(0, self._had - first) :]
        self._had = max(self._had, first + len(values))
        return new

    async def _asked(
        self, goes_on: bool
    ) -> tuple[Mapping[str, int], str, tuple[ProgressReport, int, list[Any]] | None]:
        """Threads of each worker, the one to which the scheduler has given it, and what that says of it.

        The worker of the last look is asked along with the scheduler, so that it hears of a cancel without a delay.
        """
        before = self._at
        told = asyncio.ensure_future(self._told(before, goes_on))
        scheduler = self._client.scheduler
        try:
            threads, given = await asyncio.gather(scheduler.ncores(workers=None), scheduler.processing(workers=None))
            at = next((worker for worker, tickets in given.items() if self._ticket in tickets), "")
            return threads, at, await (told if at == before else self._told(at, goes_on))
        finally:
            told.cancel()  # nothing, once it is done

    async def _told(self, at: str, goes_on: bool) -> tuple[ProgressReport, int, list[Any]] | None:
        """What a worker says of it."""
        if not at:
            return None
        return (
            await self._client.run(poll_task, self._ticket, goes_on, self._had, workers=[at], on_error="ignore")
        ).get(at)

    def _rest(self) -> list[Any]:
        """What no look has taken."""
        from distributed import CancelledError, KilledWorker

        try:
            return self._new(*self.future.result())
        except KilledWorker as error:
            raise WorkerLost(
                "the work was begun again on several workers, and each of them died, so it was given up; try again, "
                "with fewer columns or rows if memory is short"
            ) from error
        except CancelledError as error:
            raise WorkerLost("the scheduler is gone, and what was found with it; try again") from error
        except (ImportError, AttributeError, RuntimeError) as error:
            if getattr(error, "__notes__", None):  # of the work itself
                raise
            raise WorkerLost(
                f"scheduler and workers must have Edgewise {__version__}, one of them has not; install it there"
            ) from error

    def release(self) -> None:
        """Nobody waits for it any more."""
        with contextlib.suppress(OSError):
            self.future.release() if self.future.done() else self.future.cancel()

    def _killed(self) -> WorkerLost:
        """End the worker's process, and with it the work; what else it did begins again elsewhere."""
        self.future.cancel()
        ending = partial(self._client.restart_workers, [self._at], timeout=ANSWER_SECONDS, raise_for_error=False)
        threading.Thread(target=_restart_or_log, args=(ending,), daemon=True).start()
        return WorkerLost(
            f"the run did not stop within {self._patience:g} s of being told to, so its worker was ended, and what it "
            "had found is lost; other runs are not touched"
        )


def _restart_or_log(ending: Callable[[], Any]) -> None:
    """End a worker, or log why that failed."""
    try:
        ending()
    except (ValueError, OSError) as error:
        LOG.warning("A worker that did not stop could not be ended: %s.", error)
