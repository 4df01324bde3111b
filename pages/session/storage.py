"""The store of this process, and the thread that writes to it behind the pages."""

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
from learners.data.tables import Table
from learners.store import projects, runs, workers, workspaces
from learners.store.clock import ClockWatch
from learners.store.faults import UNREACHABLE, Fault, StoreFault
from learners.store.health import Health
from learners.store.packing import pack
from learners.store.settings import settings
from learners.store.store import Store
from learners.store.workspaces import Key
from learners.store.writer import Writer, why
from pages.session.jobs.log import record

_NAMES: WeakKeyDictionary[Table | Dataset, str] = WeakKeyDictionary()  # only the writer's thread looks
SWEEP_SECONDS = 6 * 3600.0
FIRST_SWEEP_SECONDS = 600.0  # from the start: by then a clock that was wrong has been set
AGAIN_SECONDS = 10.0  # until a run that could not be kept is tried again
MOST_HELD = 8  # of those, with all that they found


@dataclass(frozen=True)
class Unkept:
    """Something that could not be saved.

    Attributes
    ----------
    reason : str
    tried : float
        When that was tried last.
    stopped : bool
        Whether it is a run that was stopped before its end.
    by_fault : bool
        Whether the store was the reason, and not, say, a workspace that is full.
    """

    reason: str
    tried: float
    stopped: bool = False
    by_fault: bool = False

    @property
    def is_due(self) -> bool:
        """Return True if it is to be tried again."""
        return self.by_fault or time.monotonic() - self.tried >= AGAIN_SECONDS


unkept: dict[str, Unkept] = {}  # by ticket, of all sessions


@dataclass
class Held:
    """A pending save, retried with exponential backoff until its deadline; after an outage at once."""

    secret: str
    work: Callable[[], None]
    until: float
    due: float
    pause: float = AGAIN_SECONDS


begun: dict[str, int] = {}  # generation of the database that has it, by ticket, of runs under way
held: dict[str, Held] = {}  # by ticket, the oldest first; their sessions may have left
_HOLDING = threading.RLock()


@dataclass
class Place:
    """Where the work of a session goes: a workspace, and a project in it, made when there is something to keep.

    Attributes
    ----------
    secret : str or Account
        What the workspace is found by, an address or an account; empty if nothing can be kept.
    workspace, project : str
        Empty until they are there.
    keeps : bool
        Whether the user wants anything to be kept.
    by_address : bool
        Whether the address bar led there, and the browser has another one of its own.
    was_read : bool
        False if the session began without what the workspace holds. Its work goes to a project of its own then: the
        project in use would be overwritten with less than it has.
    generation : int
        Of the database that has the workspace.
    """

    secret: Key
    workspace: str = ""
    project: str = ""
    keeps: bool = True
    by_address: bool = False
    was_read: bool = True
    generation: int = 0

    def ensure(self, name: str) -> None:
        """Make what is not there yet; only the writer's thread calls this.

        DataError if nothing is to be kept, which another session may have said meanwhile.
        """
        one, generation = opened(), health().generation
        if self.workspace and self.generation != generation:  # the database in use may know neither
            found = workspaces.make(one, self.secret)
            own = [project.id for project in projects.listed(one, found.id)]
            self.workspace, self.keeps = found.id, found.keeps
            self.project = self.project if self.project in own else ""
        elif not self.workspace:
            made = workspaces.make(one, self.secret)
            self.workspace, self.keeps = made.id, made.keeps
            self.project = self.project or (made.opened if self.was_read else "")
        self.generation = generation
        if not self.keeps:
            raise DataError("nothing is kept in this workspace, as was chosen")
        if not self.project:
            self.project = projects.new(one, self.workspace, name)


def _once(make: Callable[[], object]) -> Callable[[], object]:
    """Cache the one object that a function makes, also where two sessions ask for it at once."""
    lock, cached = threading.Lock(), cache(make)

    @wraps(make)
    def made() -> object:
        with lock:
            return cached()

    return made


@_once
def health() -> Health:
    """Return the one of this process, whose threads run from now on."""
    made = Health(settings(), record().store)
    if made.keeps:
        for work in (_upkeep, _beat, _look):
            threading.Thread(target=work, args=(made,), daemon=True).start()
    return made


def store() -> Store | None:
    """Return the store of this process; None if the server keeps nothing, or could not open it so far."""
    return health().store


def opened() -> Store:
    """Return the store; StoreFault if it could not be opened so far."""
    one = store()
    if one is None:
        raise StoreFault(fault() or UNREACHABLE)
    return one


def fault() -> Fault | None:
    """Return the reason why nothing can be saved now; None if it can, or if the server is to keep nothing."""
    return health().fault


def put(workspace: str, value: Table | Dataset) -> str:
    """Keep a table, or a data set, as a part; its name. What is there already is not packed again."""
    name = _NAMES.get(value)
    if name is None or not opened().has(workspace, name):
        name = _NAMES[value] = opened().put(workspace, pack(value))
    return name


@_once
def writer() -> Writer:
    """Return the one of this process."""
    return Writer()


def keep(ticket: str, secret: str, work: Callable[[], None], *, stopped: bool = False, newest: bool = False) -> Future:
    """Save something behind the page, in place of what waits under the same ticket.

    If it fails, the ticket is in `unkept` until it is saved. If the store is the reason, this process tries it again
    once the outage has passed, whether its session is there or not.

    Parameters
    ----------
    ticket : str
        Of a run, or of what else is saved.
    secret : str
        Of the workspace.
    work : callable
    stopped : bool, default False
        Whether it is a run that was stopped before its end.
    newest : bool, default False
        Whether it is of no use once the same is saved again.
    """
    with _HOLDING:
        held.pop(ticket, None)
        return _submit(ticket, secret, work, stopped=stopped, newest=newest)


def _submit(
    ticket: str, secret: str, work: Callable[[], None], *, stopped: bool = False, newest: bool = False
) -> Future:
    def try_it() -> None:
        try:
            if (known := fault()) is not None:  # nothing is packed in vain
                raise StoreFault(known)
            work()
        except runs.RunGone:  # as somebody wished
            forget(ticket)
            raise
        except Exception as error:
            by_fault = isinstance(error, StoreFault)
            unkept[ticket] = Unkept(why(error), time.monotonic(), stopped or was_stopped(ticket), by_fault)
            if by_fault:
                _hold(ticket, Held(secret, work, math.inf, 0.0))
            raise
        forget(ticket)

    return writer().do(ticket if newest else secret, try_it, newest=newest)


def was_stopped(ticket: str) -> bool:
    """Whether a run that is not kept was stopped before its end."""
    return (told := unkept.get(ticket)) is not None and told.stopped


def hold(ticket: str, secret: str, work: Callable[[], None], seconds: float) -> None:
    """Try again to keep a run that has ended, for so long, whether its session is there or not."""
    if ticket in unkept and not unkept[ticket].by_fault:  # else somebody has deleted it, or it is held already
        _hold(ticket, Held(secret, work, time.monotonic() + seconds, time.monotonic() + AGAIN_SECONDS))


def _hold(ticket: str, one: Held) -> None:
    with _HOLDING:
        held[ticket] = one
        for oldest in list(held)[:-MOST_HELD]:
            held.pop(oldest, None)


def forget(ticket: str) -> None:
    """Drop what waits under a ticket: it is saved, or nobody wants it any more."""
    unkept.pop(ticket, None)
    held.pop(ticket, None)


def forget_all_of(secret: str) -> None:
    """Nothing of a workspace is wanted any more."""
    for ticket in [ticket for ticket, one in list(held.items()) if one.secret == secret]:
        forget(ticket)


def try_held() -> None:
    """Keep what can be kept by now; give up what is too old."""
    if fault() is not None:
        return
    now = time.monotonic()
    with _HOLDING:
        for ticket, one in list(held.items()):
            if ticket not in unkept or now > one.until:
                held.pop(ticket, None)
            elif now >= one.due:
                one.pause *= 2
                one.due = now + one.pause
                _submit(ticket, one.secret, one.work)


def _look(made: Health) -> None:
    """Look after the store, and save what waits for it."""
    while True:
        time.sleep(AGAIN_SECONDS)
        made.look()
        try_held()


def _beat(made: Health) -> None:
    """Tell other machines that the runs of this process go on."""
    while True:
        time.sleep(workers.BEAT_SECONDS)
        with suppress(LearnersError):  # the next one tells it
            if made.store is not None:
                runs.beat(made.store)


def _upkeep(made: Health) -> None:
    """Copy the database and delete what is too old, now and then."""
    watch, pause = ClockWatch(), FIRST_SWEEP_SECONDS
    made.save_copy()
    while True:
        time.sleep(pause)
        pause = SWEEP_SECONDS if upkeep(made, watch) else FIRST_SWEEP_SECONDS


def upkeep(made: Health, watch: ClockWatch) -> bool:
    """Copy the database and delete what is too old, unless the clock was changed; False during an outage."""
    one = made.store
    if one is None or made.fault is not None:
        return False
    made.save_copy()
    if not watch.has_jumped():
        writer().do("sweep", lambda: workspaces.sweep(one))
    return True
