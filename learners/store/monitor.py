"""Monitor of a process's store: opens it, checks it during an outage, and reopens it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from .database import file_of
from .faults import DAMAGED, LOCKED, Fault, StoreFault, fault_of
from .settings import StoreSettings
from .sqlite_file import SqliteFile
from .store import Store

CLOCK_TOLERANCE_SECONDS = 3600.0
BEGAN, ENDED, REPLACED = "outage began", "outage ended", "database replaced"  # events of the log
Log = Callable[..., None]


class ClockWatch:
    """Detect that the system clock was set, by comparing it with a monotonic clock.

    Parameters
    ----------
    clock, steady : callable
        Seconds since 1970, and monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._steady = clock, steady
        self._ahead = clock() - steady()

    def has_jumped(self) -> bool:
        """Return True if the clock was set by more than an hour since the last call."""
        before, self._ahead = self._ahead, self._clock() - self._steady()
        return abs(self._ahead - before) > CLOCK_TOLERANCE_SECONDS


class StoreMonitor:
    """Open the store of a process and monitor it.

    Parameters
    ----------
    given : StoreSettings
    log : callable
        ``log(event, **about)`` is called when an outage begins or ends and when a database is replaced. It gets the
        name of the database file, but none of its contents.
    clock : callable
        Returns monotonic seconds.

    Attributes
    ----------
    store : Store or None
        None until it was opened for the first time. A faulty store stays here until it is replaced.
    generation : int
        Number of replacements of the database; a new database may lack earlier work.
    """

    def __init__(
        self,
        given: StoreSettings,
        log: Log = lambda _event, **_about: None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store: Store | None = None
        self.generation = 0
        self._given, self._log, self._clock = given, log, clock
        self._unopened: Fault | None = None  # reason why the database could not be opened or reopened
        self._identity: tuple[int, int] | None = None
        self._logged: tuple[Fault, float] | None = None  # logged outage and its start
        self._looking, self._noting = threading.Lock(), threading.Lock()
        if given.keeps:
            self._try(self._check)

    @property
    def fault(self) -> Fault | None:
        """Reason why nothing can be saved at the moment; None if saving works or is switched off."""
        return self._unopened or (self.store.fault if self.store else None)

    @property
    def keeps(self) -> bool:
        """True if the server is configured to save work."""
        return self._given.keeps

    @property
    def name(self) -> str:
        """Name of the database, without its folder or server."""
        with suppress(ArgumentError):
            return Path(make_url(self._given.url).database or "").name
        return ""

    def look(self) -> None:
        """Check a faulty store or reopen it, and log the end of an outage."""
        with self._looking:
            if self.fault is not None:
                self._try(self._check)
            elif self._logged is not None:
                fault, began = self._logged
                self._logged = None
                self._tell(ENDED, fault=fault.name, seconds=round(self._clock() - began, 1))

    def save_copy(self) -> None:
        """Back up a database file; report damage of the database as a fault."""
        store = self.store
        if store is None or store.file is None or self.fault is not None:
            return
        try:
            store.file.save_copy()
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
            if fault == DAMAGED:
                store.fault = fault
                self._note(fault)
            else:
                self._tell("copy failed", fault=fault.name, remedy=fault.remedy)

    def _try(self, work: Callable[[], None]) -> None:
        """Run database work and record its faults."""
        try:
            work()
        except StoreFault as error:
            self._note(error.fault)

    def _check(self) -> None:
        store = self.store
        if store is not None and self._unopened is None and (store.file is None or store.fault.readable):
            store.check()
            return
        try:
            self._open()
        except Exception as error:
            self._unopened = fault_of(error)
            if self._unopened is None:
                raise
            raise StoreFault(self._unopened) from error
        self._unopened = None

    def _open(self) -> None:
        """Open the database, replacing a damaged or missing one."""
        old, file, create = self.store, file_of(self._given), self.store is None
        if old is not None:
            old.close()
        if file and (self.fault == DAMAGED or file.is_lost(used=old is not None)):
            create = self._recover(file)
        try:
            new = self._opened(create=create)
        except StoreFault as error:
            if file is None or error.fault != DAMAGED:
                raise
            new = self._opened(create=self._recover(file))
        identity = new.file.identity if new.file else None
        self.generation += old is not None and identity != self._identity
        self.store, self._identity = new, identity

    def _opened(self, *, create: bool) -> Store:
        return Store(self._given, create=create, report=self._note)

    def _recover(self, file: SqliteFile) -> bool:
        """Replace a damaged database; raise StoreFault while another process uses it."""
        try:
            recovered = file.recover()
        except OSError as error:
            raise StoreFault(DAMAGED if fault_of(error) == LOCKED else fault_of(error)) from error
        self._identity = (0, 0)  # no file: a new one may reuse the inode of the old one
        self._tell(REPLACED, recovered=recovered)
        return True

    def _note(self, fault: Fault) -> None:
        """Log the start of an outage, or a change of its reason, once."""
        with self._noting:
            known, began = self._logged or (None, self._clock())
            if known != fault:
                self._logged = (fault, began)
                self._tell(BEGAN, fault=fault.name, remedy=fault.remedy)

    def _tell(self, event: str, **about: object) -> None:
        self._log(event, database=self.name, **about)
