"""The store of all workspaces: transactions on the database, and blobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement, Connection, Float, cast, extract, func, literal, select, text
from sqlalchemy.exc import SQLAlchemyError

from ..common.errors import DataError
from .blobs import Blobs
from .database import WRITES, file_of, open_database
from .faults import Fault, StoreFault, fault_of
from .schema import parts, projects, runs, workspaces
from .settings import StoreSettings


class BlobMissing(DataError):
    """A stored blob was deleted; store it again."""


class Store:
    """Workspaces in a database, with large blobs in separate files.

    The modules `workspaces`, `projects`, `runs`, `share_links`, `stored_lessons` and `stored_classes` operate on it:
    each function takes the workspace, and never reads another one.

    A failed transaction raises StoreFault and sets `fault`; until `check` succeeds, nothing is written.

    Parameters
    ----------
    given : StoreSettings
    create : bool, default True
        Create a missing database.
    report : callable
        ``report(fault)`` is called at each fault.

    Attributes
    ----------
    fault : Fault or None
        Reason why the store cannot be written at the moment.
    file : SqliteFile or None
        Database file; None for a server.
    """

    def __init__(
        self, given: StoreSettings, *, create: bool = True, report: Callable[[Fault], None] = lambda _fault: None
    ) -> None:
        self.settings = given
        self.fault: Fault | None = None
        self.blobs = Blobs(given.folder)
        self.file = None
        self._report = report
        try:
            with self._naming_faults():
                self.file = file_of(given)
                self.engine = open_database(given, self.file, create=create)
        except BaseException:
            if self.file:
                self.file.release()
            raise

    def close(self) -> None:
        """Close the database; open connections finish."""
        self.engine.dispose()
        if self.file:
            self.file.release()

    def check(self) -> None:
        """Write to the database and the disk, and clear the fault; raise StoreFault if either fails."""
        with self._naming_faults():
            with self.engine.execution_options(**WRITES).begin() as connection:
                connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
            self.blobs.check()
        self.fault = None

    @contextmanager
    def _naming_faults(self) -> Iterator[None]:
        """Convert errors of the system and the database to StoreFault."""
        try:
            yield
        except (OSError, SQLAlchemyError) as error:
            fault = fault_of(error)
            if fault is None:
                raise
            self.fault = fault
            self._report(fault)
            raise StoreFault(fault) from error

    @property
    def clock(self) -> ColumnElement[float]:
        """Seconds since 1970 by the clock of the database, because machines that share it may disagree."""
        if self.engine.dialect.name == "postgresql":
            return cast(extract("epoch", func.clock_timestamp()), Float)
        return literal(time.time())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection with a consistent snapshot; raise StoreFault if the database cannot be read."""
        if self.fault is not None and not self.fault.readable:
            raise StoreFault(self.fault)
        with self._naming_faults(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, workspace: str = "") -> Iterator[Connection]:
        """Yield a transaction that locks the workspace.

        Raises
        ------
        DataError
            If the workspace was deleted.
        StoreFault
            If the store cannot be written at the moment.
        """
        if self.fault is not None:
            raise StoreFault(self.fault)
        with self._naming_faults(), self.engine.execution_options(**WRITES).begin() as connection:
            if workspace:
                of = select(workspaces.c.id).where(workspaces.c.id == workspace).with_for_update()
                if connection.execute(of).scalar() is None:
                    raise DataError(
                        "the workspace was deleted, so nothing is saved; reload the page to start a new one"
                    )
            yield connection

    def part(self, workspace: str, name: str) -> bytes:
        """Return the bytes of a blob; raise DataError if the workspace has none of this hash."""
        with self.reading() as connection:
            return self.blobs.get(connection, workspace, name)

    def has(self, workspace: str, name: str) -> bool:
        """Return True if the workspace has a blob of this hash."""
        of = select(parts.c.hash).where(parts.c.workspace == workspace, parts.c.hash == name)
        with self.reading() as connection:
            return connection.execute(of).scalar() is not None

    def put(self, workspace: str, raw: bytes) -> str:
        """Store a blob for the next write, and return its hash; raise DataError if the workspace is full."""
        with self.writing(workspace) as connection:
            self.check_room(connection, workspace, len(raw))
            return self.blobs.put(connection, workspace, raw)

    def check_room(self, connection: Connection, workspace: str, more: int) -> None:
        """Raise DataError if this many further bytes would exceed the limit."""
        most = self.settings.megabytes
        if self.blobs.size(connection, workspace) + more > most * 1024**2:
            raise DataError(
                f"the workspace is full ({most:,} MB); delete projects or runs on the Projects page, or "
                "export them first"
            )

    def check_parts(self, connection: Connection, workspace: str, names: Iterable[str]) -> None:
        """Raise BlobMissing if another session has deleted a blob that was not referenced yet."""
        wanted = set(names)
        of = select(parts.c.hash).where(parts.c.workspace == workspace, parts.c.hash.in_(wanted))
        if wanted - set(connection.execute(of).scalars()):
            raise BlobMissing("a table was deleted before its run was saved; learn the run again")

    @contextmanager
    def tidying(self, workspace: str) -> Iterator[Connection]:
        """Yield a transaction as `writing` does, then delete unreferenced blobs, and their files after the commit."""
        with self.writing(workspace) as connection:
            yield connection
            gone = self.blobs.keep_only(connection, workspace, self._used(connection, workspace))
        if gone and self.settings.folder:
            with self.writing(workspace) as connection:
                self.blobs.delete_files(connection, workspace)

    def _used(self, connection: Connection, workspace: str) -> set[str]:
        """Return the hashes of the blobs that a project or a run references."""
        used: set[str] = set()
        for table, column in ((projects, projects.c.tables), (runs, runs.c.tables), (runs, runs.c.result)):
            named = select(column).where(table.c.workspace == workspace).distinct()
            for names in connection.execute(named).scalars():
                used.update((names or "").split())
        return used
