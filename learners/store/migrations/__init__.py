"""Migrations of the database schema by Alembic, one file in `versions/` for each step."""

from __future__ import annotations

from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

LOCK = 0x656467657769  # PostgreSQL advisory lock: one process at a time migrates a database


def upgrade(connection: Connection) -> None:
    """Migrate the database to the current schema, within the transaction of the connection.

    Parameters
    ----------
    connection : Connection
        In a transaction that excludes other writers.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    script = ScriptDirectory(str(Path(__file__).parent))

    def steps(revision: str, _context: MigrationContext) -> list[MigrationStep]:
        script.get_revisions(revision)  # raises CommandError for a revision of a later release
        newest_first = script.iterate_revisions("head", revision, implicit_base=True)
        return [MigrationStep.upgrade_from_script(script.revision_map, one) for one in reversed(list(newest_first))]

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()
