"""The store of this process, and the background thread that writes to it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, wraps
from weakref import WeakKeyDictionary

from learners.common.errors import DataError, LearnersError
from learners.data.dataset import Dataset
from learners.data.reading.table import Table
from learners.store import projects, run_owner, runs, workspaces
from learners.store.background_writer import BackgroundWriter, failure_reason
from learners.store.faults import UNREACHABLE, Fault, StoreFault
from learners.store.monitor import ClockWatch, StoreMonitor
from learners.store.packing import pack
from learners.store.settings import store_settings
from learners.store.store import Store
from learners.store.workspaces import Key
from pages.session.jobs.log import record

_NAMES: WeakKeyDictionary[Table | Dataset, str] = WeakKeyDictionary()  # used by the writer's thread only
SWEEP_SECONDS = 6 * 3600.0
FIRST_SWEEP_SECONDS = 600.0  # seconds until the first clean-up; by then, a wrong system clock has been corrected
AGAIN_SECONDS = 10.0  # seconds before the first retry of a failed save
MAX_HELD = 8  # maximum number of pending saves kept in memory with their results


@dataclass(frozen=True)
class Unkept:
    """A failed save.

    Attributes
    ----------
    reason : str
    tried : float
        Time of the last attempt.
    stopped : bool
        True for a run that was stopped before its end.
    by_fault : bool
        True if the store failed, False for another reason such as a full workspace.
    """

    reason: str
    tried: float
    stopped: bool = False
    by_fault: bool = False

    @property
    def is_due(self) -> bool:
        """Return True if the save is to be retried now."""
        return self.by_fault or time.monotonic() - self.tried >= AGAIN_SECONDS


unkept: dict[str, Unkept] = {}  # failed saves of all sessions, by ticket


@dataclass
class Held:
    """A pending save, retried with exponential backoff until its deadline; after an outage at once."""

    secret: str
    work: Callable[[], None]
    until: float
    due: float
    pause: float = AGAIN_SECONDS


begun: dict[str, int] = {}  # generation of the database that stores a run in progress, by ticket
held: dict[str, Held] = {}  # pending saves by ticket, the oldest first; their sessions may have ended
_HOLDING = threading.RLock()


@dataclass
class Place:
    """Storage of a session's work: a workspace and a project in it, created on the first save.

    Attributes
    ----------
    secret : str or Account
        Key of the workspace, an address or an account; empty if nothing can be saved.
    workspace, project : str
        Identifiers in the store; empty until they exist.
    keeps : bool
        False if the user chose to save nothing.
    by_address : bool
        True if the address bar named the workspace and the browser has another one of its own.
    was_read : bool
        False if the session began without reading the workspace. Its work then goes to a project of its own, so that it
        does not replace the project in use by a smaller one.
    generation : int
        Generation of the database that contains the workspace.
    named : str
        Name that the project got from its tables; empty if the user named it.
    """

    secret: Key
    workspace: str = ""
    project: str = ""
    keeps: bool = True
    by_address: bool = False
    was_read: bool = True
    generation: int = 0
    named: str = ""

    def ensure(self, name: str) -> None:
        """Create the workspace and the project if they do not exist; only the writer's thread calls this.

        Raises
        ------
        DataError
            If the user, perhaps in another session, chose to save nothing.
        """
        database, generation = opened(), health().generation
        project = self.project
        if self.workspace and self.generation != generation:  # the database was replaced
            found = workspaces.make(database, self.secret)
            own = [one.id for one in projects.listed(database, found.id)]
            self.workspace, self.keeps = found.id, found.keeps
            project = project if project in own else ""
        elif not self.workspace:
            made = workspaces.make(database, self.secret)
            self.workspace, self.keeps = made.id, made.keeps
            project = project or (made.opened if self.was_read else "")
        if not self.keeps:
            self.project, self.generation = project, generation
            raise DataError("saving is switched off for this workspace")
        # The session reads `project` meanwhile to decide whether it has work to save again, so it is never emptied.
        self.named = self.named if project else name
        self.project = project or projects.create(database, self.workspace, name)
        self.generation = generation


def _once(make: Callable[[], object]) -> Callable[[], object]:
    """Cache the single result of a function; concurrent first calls create one object."""
    lock, cached = threading.Lock(), cache(make)

    @wraps(make)
    def made() -> object:
        with lock:
            return cached()

    return made


@_once
def health() -> StoreMonitor:
    """Return the health of this process's store, and start its background threads on the first call."""
    made = StoreMonitor(store_settings(), record().store)
    if made.keeps:
        for work in (_upkeep, _beat, _look):
            threading.Thread(target=work, args=(made,), daemon=True).start()
    return made


def store() -> Store | None:
    """Return the store of this process; None if the server saves nothing or could not open it so far."""
    return health().store


def opened() -> Store:
    """Return the store.

    Raises
    ------
    StoreFault
        If it could not be opened so far.
    """
    database = store()
    if database is None:
        raise StoreFault(fault() or UNREACHABLE)
    return database


def fault() -> Fault | None:
    """Return the reason why nothing can be saved now; None if saving works or is switched off."""
    return health().fault


def put(workspace: str, value: Table | Dataset) -> str:
    """Store a table or data set as a part and return its name; a part that exists is not packed again."""
    name = _NAMES.get(value)
    if name is None or not opened().has(workspace, name):
        name = _NAMES[value] = opened().put(workspace, pack(value))
    return name


@_once
def writer() -> BackgroundWriter:
    """Return the background writer of this process."""
    return BackgroundWriter()


def keep(ticket: str, secret: str, work: Callable[[], None], *, stopped: bool = False, newest: bool = False) -> Future:
    """Save in the background, replacing a pending save under the same ticket.

    A failed save stays in `unkept` until it succeeds. After an outage of the store this process retries it, even if the
    session has ended.

    Parameters
    ----------
    ticket : str
        Identifier of a run or of another saved object.
    secret : str
        Key of the workspace.
    work : callable
    stopped : bool, default False
        True for a run that was stopped before its end.
    newest : bool, default False
        True if a later save under the same ticket makes this one obsolete.
    """
    with _HOLDING:
        held.pop(ticket, None)
        return _submit(ticket, secret, work, stopped=stopped, newest=newest)


def _submit(
    ticket: str, secret: str, work: Callable[[], None], *, stopped: bool = False, newest: bool = False
) -> Future:
    def try_it() -> None:
        try:
            if (known := fault()) is not None:  # avoids packing data that cannot be saved
                raise StoreFault(known)
            work()
        except runs.RunGone:  # a user deleted it
            forget(ticket)
            raise
        except Exception as error:
            by_fault = isinstance(error, StoreFault)
            unkept[ticket] = Unkept(failure_reason(error), time.monotonic(), stopped or was_stopped(ticket), by_fault)
            if by_fault:
                _hold(ticket, Held(secret, work, math.inf, 0.0))
            raise
        forget(ticket)

    return writer().do(ticket if newest else secret, try_it, newest=newest)


def was_stopped(ticket: str) -> bool:
    """Return True if an unsaved run was stopped before its end."""
    return (save := unkept.get(ticket)) is not None and save.stopped


def hold(ticket: str, secret: str, work: Callable[[], None], seconds: float) -> None:
    """Retry saving a finished run for this number of seconds, even if its session has ended."""
    if ticket in unkept and not unkept[ticket].by_fault:  # otherwise it was deleted or is already pending
        _hold(ticket, Held(secret, work, time.monotonic() + seconds, time.monotonic() + AGAIN_SECONDS))


def _hold(ticket: str, pending: Held) -> None:
    with _HOLDING:
        held[ticket] = pending
        for oldest in list(held)[:-MAX_HELD]:
            held.pop(oldest, None)


def forget(ticket: str) -> None:
    """Drop the pending save of a ticket that was saved or discarded."""
    unkept.pop(ticket, None)
    held.pop(ticket, None)


def forget_all_of(secret: str) -> None:
    """Drop all pending saves of a workspace."""
    for ticket in [ticket for ticket, pending in list(held.items()) if pending.secret == secret]:
        forget(ticket)


def try_held() -> None:
    """Retry pending saves that are due, and drop those past their deadline."""
    if fault() is not None:
        return
    now = time.monotonic()
    with _HOLDING:
        for ticket, pending in list(held.items()):
            if ticket not in unkept or now > pending.until:
                held.pop(ticket, None)
            elif now >= pending.due:
                pending.pause *= 2
                pending.due = now + pending.pause
                _submit(ticket, pending.secret, pending.work)


def _look(made: StoreMonitor) -> None:
    """Check the store regularly, and retry pending saves."""
    while True:
        time.sleep(AGAIN_SECONDS)
        made.look()
        try_held()


def _beat(made: StoreMonitor) -> None:
    """Send the heartbeat that shows other machines that the runs of this process continue."""
    while True:
        time.sleep(run_owner.HEARTBEAT_SECONDS)
        with suppress(LearnersError):  # the next heartbeat will succeed
            if made.store is not None:
                runs.heartbeat(made.store)


def _upkeep(made: StoreMonitor) -> None:
    """Back up the database and delete expired data regularly."""
    watch, pause = ClockWatch(), FIRST_SWEEP_SECONDS
    made.save_copy()
    while True:
        time.sleep(pause)
        pause = SWEEP_SECONDS if upkeep(made, watch) else FIRST_SWEEP_SECONDS


def upkeep(made: StoreMonitor, watch: ClockWatch) -> bool:
    """Back up the database and delete expired data unless the clock was changed; return False during an outage."""
    database = made.store
    if database is None or made.fault is not None:
        return False
    made.save_copy()
    if not watch.has_jumped():
        writer().do("sweep", lambda: workspaces.sweep(database))
    return True
