"""The store: one for all workspaces, whose rows and parts are read and written in transactions."""

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
    """A part that was put is not there any more: put it again."""


class Store:
    """Workspaces in a database, and large parts beside it.

    What is done with them is in `workspaces`, `projects`, `runs` and `links`: each function is given the workspace, and
    finds nothing of any other one.

    A transaction that fails raises StoreFault, and sets `fault`; until `check` succeeds nothing is written then.

    Parameters
    ----------
    given : StoreSettings
    create : bool, default True
        Whether a database that is missing is made.
    report : callable
        ``report(fault)`` is called at each fault.

    Attributes
    ----------
    fault : Fault or None
        Why the store cannot be written now.
    file : SqliteFile or None
        That of the database; None on a server.
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
        """Close the database; what still reads it goes on."""
        self.engine.dispose()
        if self.file:
            self.file.release()

    def check(self) -> None:
        """Write to the database and to the disk, and clear the fault; StoreFault if either cannot be written."""
        with self._naming_faults():
            with self.engine.execution_options(**WRITES).begin() as connection:
                connection.execute(text("UPDATE alembic_version SET version_num = version_num"))
            self.blobs.check()
        self.fault = None

    @contextmanager
    def _naming_faults(self) -> Iterator[None]:
        """Raise StoreFault in place of errors of the system and of the database."""
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
        """Seconds since 1970: those of the database where machines share it, whose own clocks may differ."""
        if self.engine.dialect.name == "postgresql":
            return cast(extract("epoch", func.clock_timestamp()), Float)
        return literal(time.time())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database; StoreFault if it cannot be read."""
        if self.fault is not None and not self.fault.readable:
            raise StoreFault(self.fault)
        with self._naming_faults(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, workspace: str = "") -> Iterator[Connection]:
        """A transaction: all of it or nothing, alone with the workspace.

        Raises
        ------
        DataError
            If the workspace is gone.
        StoreFault
            If nothing can be written now.
        """
        if self.fault is not None:
            raise StoreFault(self.fault)
        with self._naming_faults(), self.engine.execution_options(**WRITES).begin() as connection:
            if workspace:
                of = select(workspaces.c.id).where(workspaces.c.id == workspace).with_for_update()
                if connection.execute(of).scalar() is None:
                    raise DataError("the workspace was forgotten, so nothing is kept; reload the page to begin anew")
            yield connection

    def part(self, workspace: str, name: str) -> bytes:
        """The bytes of a part; DataError if the workspace has none of that name."""
        with self.reading() as connection:
            return self.blobs.get(connection, workspace, name)

    def has(self, workspace: str, name: str) -> bool:
        """Whether the workspace has a part of that name."""
        of = select(parts.c.hash).where(parts.c.workspace == workspace, parts.c.hash == name)
        with self.reading() as connection:
            return connection.execute(of).scalar() is not None

    def put(self, workspace: str, raw: bytes) -> str:
        """Keep a part for what is written next, and return its name; DataError if there is no room for it."""
        with self.writing(workspace) as connection:
            self.check_room(connection, workspace, len(raw))
            return self.blobs.put(connection, workspace, raw)

    def check_room(self, connection: Connection, workspace: str, more: int) -> None:
        """DataError if so many bytes more are too many."""
        most = self.settings.megabytes
        if self.blobs.size(connection, workspace) + more > most * 1024**2:
            raise DataError(
                f"the workspace is full, it may hold {most:,} MB; delete projects or runs on the Projects page, or "
                "export them first"
            )

    def check_parts(self, connection: Connection, workspace: str, names: Iterable[str]) -> None:
        """PartsGone if another session has tidied up a part before anything needed it."""
        wanted = set(names)
        of = select(parts.c.hash).where(parts.c.workspace == workspace, parts.c.hash.in_(wanted))
        if wanted - set(connection.execute(of).scalars()):
            raise BlobMissing("a table went before its run was kept; learn the run again")

    @contextmanager
    def tidying(self, workspace: str) -> Iterator[Connection]:
        """As `writing`; then the parts go that nothing needs, and their files once their rows are gone for good."""
        with self.writing(workspace) as connection:
            yield connection
            gone = self.blobs.keep_only(connection, workspace, self._used(connection, workspace))
        if gone and self.settings.folder:
            with self.writing(workspace) as connection:
                self.blobs.delete_files(connection, workspace)

    def _used(self, connection: Connection, workspace: str) -> set[str]:
        """The parts that a project or a run needs."""
        used: set[str] = set()
        for table, column in ((projects, projects.c.tables), (runs, runs.c.tables), (runs, runs.c.result)):
            named = select(column).where(table.c.workspace == workspace).distinct()
            for names in connection.execute(named).scalars():
                used.update((names or "").split())
        return used
