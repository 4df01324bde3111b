"""Open the database of the store and upgrade its schema."""

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

IN_MEMORY = "sqlite://"  # URL of a temporary database
WRITES = {"writes": True}  # execution option of connections that write
LOCK_SECONDS = 30  # seconds to wait for another process to finish writing
CONNECT_SECONDS = 10  # seconds to wait for a database server


def file_of(given: StoreSettings) -> SqliteFile | None:
    """Return the database file; None if the database is a server."""
    url = make_url(given.url)
    return SqliteFile(Path(url.database)) if url.get_backend_name() == "sqlite" and url.database else None


def open_database(given: StoreSettings, file: SqliteFile | None = None, *, create: bool = True) -> Engine:
    """Open the database and upgrade its schema; raise StoreFault if a later version made it.

    Parameters
    ----------
    given : StoreSettings
    file : SqliteFile, optional
        File of the database, if it has one.
    create : bool, default True
        Create a missing file. Otherwise raise OSError.
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
    except CommandError as error:  # the revision is unknown
        raise StoreFault(NEWER) from error
    return engine


def _of_sqlite(url: str, **options: object) -> Engine:
    engine = create_engine(url, **options)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _of_file(given: StoreSettings, file: SqliteFile, *, create: bool) -> Engine:
    """Return an engine that fails if the file is missing or replaced, where SQLite would create an empty database."""
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
    """Begin a transaction; writers lock at once, because SQLite cannot upgrade a read lock without conflicts."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """Set the journal mode, foreign keys and explicit transactions of a connection."""
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {setting}")
