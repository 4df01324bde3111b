"""The store: one for all workspaces, whose rows and parts are read and written in transactions."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement, Connection, Float, cast, extract, func, literal, select

from ..common.errors import DataError
from .database import WRITES, connected
from .parts import Parts
from .schema import parts, projects, runs, workspaces
from .settings import Settings


class PartsGone(DataError):
    """A part that was put is not there any more: put it again."""


class Store:
    """Workspaces in a database, and large parts beside it.

    What is done with them is in `workspaces`, `projects`, `runs` and `links`: each function is given the workspace, and
    finds nothing of any other one.

    Parameters
    ----------
    given : Settings
    """

    def __init__(self, given: Settings) -> None:
        self.settings = given
        self.engine = connected(given)
        self.parts = Parts(given.folder)

    @property
    def clock(self) -> ColumnElement[float]:
        """Seconds since 1970: those of the database where machines share it, whose own clocks may differ."""
        if self.engine.dialect.name == "postgresql":
            return cast(extract("epoch", func.clock_timestamp()), Float)
        return literal(time.time())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, workspace: str = "") -> Iterator[Connection]:
        """A transaction: all of it or nothing, alone with the workspace.

        Raises
        ------
        DataError
            If the workspace is gone.
        """
        with self.engine.execution_options(**WRITES).begin() as connection:
            if workspace:
                of = select(workspaces.c.id).where(workspaces.c.id == workspace).with_for_update()
                if connection.execute(of).scalar() is None:
                    raise DataError("the workspace was forgotten, so nothing is kept; reload the page to begin anew")
            yield connection

    def part(self, workspace: str, name: str) -> bytes:
        """The bytes of a part; DataError if the workspace has none of that name."""
        with self.reading() as connection:
            return self.parts.get(connection, workspace, name)

    def has(self, workspace: str, name: str) -> bool:
        """Whether the workspace has a part of that name."""
        of = select(parts.c.hash).where(parts.c.workspace == workspace, parts.c.hash == name)
        with self.reading() as connection:
            return connection.execute(of).scalar() is not None

    def put(self, workspace: str, raw: bytes) -> str:
        """Keep a part for what is written next, and return its name; DataError if there is no room for it."""
        with self.writing(workspace) as connection:
            self.check_room(connection, workspace, len(raw))
            return self.parts.put(connection, workspace, raw)

    def check_room(self, connection: Connection, workspace: str, more: int) -> None:
        """DataError if so many bytes more are too many."""
        most = self.settings.megabytes
        if self.parts.size(connection, workspace) + more > most * 1024**2:
            raise DataError(
                f"the workspace is full, it may hold {most:,} MB; delete projects or runs on the Projects page, or "
                "export them first"
            )

    def check_parts(self, connection: Connection, workspace: str, names: Iterable[str]) -> None:
        """PartsGone if another session has tidied up a part before anything needed it."""
        wanted = set(names)
        of = select(parts.c.hash).where(parts.c.workspace == workspace, parts.c.hash.in_(wanted))
        if wanted - set(connection.execute(of).scalars()):
            raise PartsGone("a table went before its run was kept; learn the run again")

    @contextmanager
    def tidying(self, workspace: str) -> Iterator[Connection]:
        """As `writing`; then the parts go that nothing needs, and their files once their rows are gone for good."""
        with self.writing(workspace) as connection:
            yield connection
            gone = self.parts.keep_only(connection, workspace, self._used(connection, workspace))
        if gone and self.settings.folder:
            with self.writing(workspace) as connection:
                self.parts.delete_files(connection, workspace)

    def _used(self, connection: Connection, workspace: str) -> set[str]:
        """The parts that a project or a run needs."""
        used: set[str] = set()
        for table, column in ((projects, projects.c.tables), (runs, runs.c.tables), (runs, runs.c.result)):
            named = select(column).where(table.c.workspace == workspace).distinct()
            for names in connection.execute(named).scalars():
                used.update((names or "").split())
        return used
