"""The store of this process, and the thread that writes to it behind the pages."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

from sqlalchemy.exc import SQLAlchemyError

from learners.common.errors import DataError
from learners.data.dataset import Dataset
from learners.data.tables import Table
from learners.store import projects, runs, workers, workspaces
from learners.store.packing import pack
from learners.store.settings import settings
from learners.store.store import Store
from learners.store.workspaces import Key
from learners.store.writer import Writer, why

LOG = logging.getLogger(__name__)
_NAMES: WeakKeyDictionary[Table | Dataset, str] = WeakKeyDictionary()  # only the writer's thread looks
SWEEP_SECONDS = 6 * 3600.0
AGAIN_SECONDS = 10.0  # until a run that could not be kept is tried again
MOST_HELD = 8  # of those, with all that they found


@dataclass(frozen=True)
class Unkept:
    """A run that could not be kept: why, when that was tried last, and whether it was stopped before its end."""

    reason: str
    tried: float
    stopped: bool = False

    @property
    def is_due(self) -> bool:
        """Whether it is to be tried again."""
        return time.monotonic() - self.tried >= AGAIN_SECONDS


unkept: dict[str, Unkept] = {}  # by ticket, of all sessions


@dataclass
class Held:
    """What would keep a run that has ended: tried again until so long, ever more seldom, for it may need much."""

    secret: str
    work: Callable[[], None]
    until: float
    due: float
    pause: float = AGAIN_SECONDS


held: dict[str, Held] = {}  # by ticket, the oldest first; their sessions may have left


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
    """

    secret: Key
    workspace: str = ""
    project: str = ""
    keeps: bool = True
    by_address: bool = False

    def ensure(self, name: str) -> None:
        """Make what is not there yet; only the writer's thread calls this.

        DataError if nothing is to be kept, which another session may have said meanwhile.
        """
        one = store()
        if not self.workspace:
            made = workspaces.make(one, self.secret)
            self.workspace, self.project, self.keeps = made.id, self.project or made.opened, made.keeps
        if not self.keeps:
            raise DataError("nothing is kept in this workspace, as was chosen")
        if not self.project:
            self.project = projects.new(one, self.workspace, name)


@cache
def store() -> Store | None:
    """The one of this process; None if the server keeps nothing, or cannot."""
    given = settings()
    if not given.keeps:
        return None
    try:
        made = Store(given)
    except DataError as error:
        LOG.warning("Nothing is kept: %s.", error)
        return None
    except (OSError, SQLAlchemyError) as error:
        LOG.warning("Nothing is kept: the store cannot be opened (%s).", type(error).__name__)
        return None
    for work in (_sweep, _beat, _try_held):
        threading.Thread(target=work, args=(made,), daemon=True).start()
    return made


def put(workspace: str, value: Table | Dataset) -> str:
    """Keep a table, or a data set, as a part; its name. What is there already is not packed again."""
    name = _NAMES.get(value)
    if name is None or not store().has(workspace, name):
        name = _NAMES[value] = store().put(workspace, pack(value))
    return name


@cache
def writer() -> Writer:
    """The one of this process."""
    return Writer()


def keep(ticket: str, secret: str, work: Callable[[], None], *, stopped: bool = False) -> Future:
    """Keep something of a run, behind the page; where that fails, the run is in `unkept` until it is kept after all."""

    def try_it() -> None:
        try:
            work()
        except runs.RunGone:  # as somebody wished
            unkept.pop(ticket, None)
            raise
        except Exception as error:
            unkept[ticket] = Unkept(why(error), time.monotonic(), stopped or was_stopped(ticket))
            raise
        unkept.pop(ticket, None)

    return writer().do(secret, try_it)


def was_stopped(ticket: str) -> bool:
    """Whether a run that is not kept was stopped before its end."""
    return (told := unkept.get(ticket)) is not None and told.stopped


def hold(ticket: str, secret: str, work: Callable[[], None], seconds: float) -> None:
    """Try again to keep a run that has ended, for so long, whether its session is there or not."""
    if ticket not in unkept:  # somebody has deleted it
        return
    held[ticket] = Held(secret, work, time.monotonic() + seconds, time.monotonic() + AGAIN_SECONDS)
    for oldest in list(held)[:-MOST_HELD]:
        held.pop(oldest, None)


def forget(ticket: str) -> None:
    """Nobody wants the run any more."""
    unkept.pop(ticket, None)
    held.pop(ticket, None)


def forget_all_of(secret: str) -> None:
    """Nothing of a workspace is wanted any more."""
    for ticket in [ticket for ticket, one in list(held.items()) if one.secret == secret]:
        forget(ticket)


def try_held() -> None:
    """Keep what can be kept by now; give up what is too old."""
    now = time.monotonic()
    for ticket, one in list(held.items()):
        if ticket not in unkept or now > one.until:
            held.pop(ticket, None)
        elif now >= one.due:
            one.pause *= 2
            one.due = now + one.pause
            keep(ticket, one.secret, one.work)


def _try_held(_made: Store) -> None:
    while True:
        time.sleep(AGAIN_SECONDS)
        try_held()


def _beat(made: Store) -> None:
    """Tell other machines that the runs of this process go on."""
    while True:
        time.sleep(workers.BEAT_SECONDS)
        with suppress(SQLAlchemyError):  # the next one tells it
            runs.beat(made)


def _sweep(made: Store) -> None:
    """Forget what is too old, now and then."""
    while True:
        writer().do("sweep", lambda: workspaces.sweep(made))
        time.sleep(SWEEP_SECONDS)
