"""The database of the store, up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, make_url

from ..common.errors import DataError
from .migrations import upgrade
from .settings import Settings

WRITES = {"writes": True}  # option of a connection
PATIENCE = 30  # seconds for another process to finish writing


def connected(given: Settings) -> Engine:
    """The database, made if there is none and brought up to date; DataError if a later version made it."""
    url = make_url(given.url)
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if url.get_backend_name() == "sqlite":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        engine = create_engine(url, connect_args={"timeout": PATIENCE})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    else:
        engine = create_engine(url, pool_pre_ping=True)
    try:
        with engine.execution_options(**WRITES).begin() as connection:
            upgrade(connection)
    except CommandError as error:  # it knows of no such step
        raise DataError("a later Edgewise has kept this; update, or keep work in another place") from error
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
