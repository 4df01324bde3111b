"""The database of the store, up to date."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import StaticPool

from ..common.optional_packages import check_installed
from .faults import NEWER, StoreFault
from .migrations import upgrade
from .settings import StoreSettings
from .sqlite_file import SqliteFile

IN_MEMORY = "sqlite://"  # address of a database that is gone with its store
WRITES = {"writes": True}  # option of a connection
LOCK_SECONDS = 30  # seconds for another process to finish writing
CONNECT_SECONDS = 10  # until a database server that does not answer counts as unreachable


def file_of(given: StoreSettings) -> SqliteFile | None:
    """Return the file of the database; None if it is a server."""
    url = make_url(given.url)
    return SqliteFile(Path(url.database)) if url.get_backend_name() == "sqlite" and url.database else None


def open_database(given: StoreSettings, file: SqliteFile | None = None, *, create: bool = True) -> Engine:
    """Open the database and bring it up to date; StoreFault if a later version made it.

    Parameters
    ----------
    given : StoreSettings
    file : SqliteFile, optional
        That of the database, if it has one.
    create : bool, default True
        Whether a missing file is made; otherwise that raises OSError.
    """
    if given.folder and create:
        given.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if file:
        engine = _of_file(given, file, create=create)
    elif given.url == IN_MEMORY:
        engine = _of_sqlite(given.url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        if make_url(given.url).get_driver_name() == "psycopg":
            check_installed("psycopg", "A PostgreSQL database", "postgres")
        engine = create_engine(given.url, pool_pre_ping=True, connect_args={"connect_timeout": CONNECT_SECONDS})
    try:
        with engine.execution_options(**WRITES).begin() as connection:
            upgrade(connection)
    except CommandError as error:  # it knows of no such step
        raise StoreFault(NEWER) from error
    return engine


def _of_sqlite(url: str, **options: object) -> Engine:
    engine = create_engine(url, **options)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _of_file(given: StoreSettings, file: SqliteFile, *, create: bool) -> Engine:
    """An engine that refuses to connect once the file is missing, or another one: SQLite would make an empty one."""
    if create:
        file.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.use()
    if create:
        file.path.touch(0o600)
    own = file.identity
    engine = _of_sqlite(given.url, connect_args={"timeout": LOCK_SECONDS})

    def check_file(*_given: object) -> None:
        if file.identity != own:
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    event.listen(engine, "do_connect", check_file)
    event.listen(engine, "checkout", check_file)
    return engine


def _begin(connection: Connection) -> None:
    """Who will write waits for other writers first: from reading to writing there is no way without a conflict."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """Readers do not wait for the writer, rows go with what they belong to, transactions begin where we say."""
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {setting}")
